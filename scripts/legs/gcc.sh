#!/usr/bin/env bash
# gcc, as released, warnings are errors: unit tests, tests of the measuring, replays of what fuzzing found.
# shellcheck source=scripts/leg.sh
source "$(dirname "${BASH_SOURCE[0]}")/../leg.sh"
need peers
configure --werror -Dpeers=enabled -Dsmall_peers=true -Dmodel=false
build
meson_test --suite unit
finish
