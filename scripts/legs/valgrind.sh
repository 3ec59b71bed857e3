#!/usr/bin/env bash
# valgrind memcheck on the unit tests. Planted faults must be found first.
# shellcheck source=scripts/leg.sh
source "$(dirname "${BASH_SOURCE[0]}")/../leg.sh"
need valgrind
mkdir -p "$dir"
# shellcheck disable=SC2054 # that comma is valgrind's
run=(valgrind -q --error-exitcode=99 --leak-check=full --errors-for-leak-kinds=definite,possible --fair-sched=yes
	--suppressions="$PWD/scripts/valgrind.supp")

plant()
{
	local name=$1 text=$2 code="$LEG_DIR/planted_$1"
	printf '#include <stdlib.h>\n#include <string.h>\nint main(void)\n{\n\tvolatile char *p = malloc(8);\n\t%s\n}\n' \
		"$text" >"$code.c"
	gcc -O0 -g -w "$code.c" -o "$code"
	local rc=0
	"${run[@]}" "$code" >"$code.out" 2>&1 || rc=$?
	check "a planted $name is found" test "$rc" -eq 99
}
plant use_of_freed_memory 'free((void *)p); return p[0] == 1;'
plant uninitialised_branch 'int r = p[3] == 1 ? 0 : 0 * p[2]; if (p[1] == 7) r = 0; free((void *)p); return 0 * r;'
plant overrun 'p[8] = 1; free((void *)p); return 0;'
plant leak 'p = NULL; return 0;'

configure --werror -Dpeers=disabled -Dsmall_peers=true -Dmodel=false -Dbuildtype=debugoptimized -Dc_args="$quick"
build
export CORRAL_STRESS_SCALE=5
meson_test --suite unit --timeout-multiplier 10 --wrapper "${run[*]}"
finish
