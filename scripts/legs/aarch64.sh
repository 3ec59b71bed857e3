#!/usr/bin/env bash
# 64-bit Arm, under qemu-user: shows faults of width, alignment and byte order, none of weak memory order.
# shellcheck source=scripts/leg.sh
source "$(dirname "${BASH_SOURCE[0]}")/../leg.sh"
need aarch64
configure --werror --cross-file scripts/cross/aarch64.ini -Dtool=false -Dpeers=disabled -Dmodel=false -Dstatic_tests=true
build
CORRAL_STRESS_SCALE=10 meson_test --suite unit --timeout-multiplier 4
finish
