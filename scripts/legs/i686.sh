#!/usr/bin/env bash
# 32-bit x86: library and tests, run as they are.
# shellcheck source=scripts/leg.sh
source "$(dirname "${BASH_SOURCE[0]}")/../leg.sh"
need i686
configure --werror --cross-file scripts/cross/i686.ini -Dtool=false -Dpeers=disabled -Dmodel=false -Dstatic_tests=true
build
CORRAL_STRESS_SCALE=3 meson_test --suite unit --suite stress
finish
