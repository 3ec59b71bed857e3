#!/usr/bin/env bash
# gcc with AddressSanitizer and UndefinedBehaviourSanitizer: unit and stress tests.
# shellcheck source=scripts/leg.sh
source "$(dirname "${BASH_SOURCE[0]}")/../leg.sh"
need build
export ASAN_OPTIONS=detect_stack_use_after_return=1:strict_string_checks=1 UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1
configure --werror -Dpeers=disabled -Dsmall_peers=true -Dmodel=false -Dbuildtype=debugoptimized \
	-Db_sanitize=address,undefined -Db_lundef=false -Dc_args="$quick"
build
meson_test --suite unit --suite stress --timeout-multiplier 4
finish
