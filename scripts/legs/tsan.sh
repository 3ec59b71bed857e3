#!/usr/bin/env bash
# clang with ThreadSanitizer: unit and stress tests. A planted race must be found first.
# shellcheck source=scripts/leg.sh
source "$(dirname "${BASH_SOURCE[0]}")/../leg.sh"
need tsan
export TSAN_OPTIONS=halt_on_error=1:second_deadlock_stack=1
mkdir -p "$dir"

cat >"$LEG_DIR/planted_race.c" <<'C'
#include <pthread.h>
static int x;
static void *add(void *p) { x++; return p; }
int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, add, 0);
	x++;
	pthread_join(t, 0);
	return 0;
}
C
clang -g -fsanitize=thread "$LEG_DIR/planted_race.c" -o "$LEG_DIR/planted_race" -pthread
planted()
{
	local rc=0
	"${fixed_addresses[@]}" "$LEG_DIR/planted_race" >"$LEG_DIR/planted_race.out" 2>&1 || rc=$?
	cat "$LEG_DIR/planted_race.out"
	[[ $rc -ne 0 ]]
	grep -q 'data race' "$LEG_DIR/planted_race.out"
}
check "a planted race is found" planted

CC=clang CXX=clang++ configure --werror -Dpeers=disabled -Dsmall_peers=true -Dmodel=false -Dbuildtype=debugoptimized \
	-Db_sanitize=thread -Db_lundef=false -Dc_args="$quick"
build
meson_test --suite unit --suite stress --timeout-multiplier 4
for program in test/stress/test_*.c; do
	name=$(basename "$program" .c)
	name=stress_${name#test_}
	check "$name ran" grep -q "^ok - tsan: $name" "$tap"
done
finish
