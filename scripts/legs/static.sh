#!/usr/bin/env bash
# everything linked without shared libraries.
# shellcheck source=scripts/leg.sh
source "$(dirname "${BASH_SOURCE[0]}")/../leg.sh"
need build
configure --werror -Dpeers=disabled -Dsmall_peers=true -Dmodel=false -Dtool=false -Dstatic_tests=true
build
meson_test --suite unit
finish
