#!/usr/bin/env bash
# everything as users build it, all peers with their measured loops whole: the stress tests run here.
# shellcheck source=scripts/leg.sh
source "$(dirname "${BASH_SOURCE[0]}")/../leg.sh"
need peers
configure --werror -Dpeers=enabled -Dnative=true -Dmodel=false
build
meson_test --suite stress
finish
