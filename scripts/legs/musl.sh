#!/usr/bin/env bash
# the library and its tests with musl instead of glibc, static.
# shellcheck source=scripts/leg.sh
source "$(dirname "${BASH_SOURCE[0]}")/../leg.sh"
need musl
CC=musl-gcc configure --werror -Dtool=false -Dpeers=disabled -Dmodel=false -Dstatic_tests=true
build
meson_test --suite unit
finish
