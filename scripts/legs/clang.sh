#!/usr/bin/env bash
# clang, as released, warnings are errors: unit tests.
# shellcheck source=scripts/leg.sh
source "$(dirname "${BASH_SOURCE[0]}")/../leg.sh"
need clang
CC=clang CXX=clang++ configure --werror -Dpeers=disabled -Dsmall_peers=true -Dmodel=false
build
meson_test --suite unit
finish
