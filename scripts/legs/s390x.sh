#!/usr/bin/env bash
# s390x, big-endian, under qemu-user: shows faults of width, alignment and byte order, none of weak memory order.
# shellcheck source=scripts/leg.sh
source "$(dirname "${BASH_SOURCE[0]}")/../leg.sh"
need s390x
configure --werror --cross-file scripts/cross/s390x.ini -Dtool=false -Dpeers=disabled -Dmodel=false -Dstatic_tests=true
build
CORRAL_STRESS_SCALE=10 meson_test --suite unit --timeout-multiplier 4
finish
