#!/usr/bin/env bash
# test.sh: `make test`: run the legs (scripts/legs), two at a time, and count. LEGS="gcc asan" runs some. Everything goes
# to build-test/; the last line is "N passed, N failed, N skipped".
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# Long ones first, so that both cores have work to the end.
LEGS=${LEGS:-"opt full asan tsan gcc valgrind fuzz model static clang i686 s390x ppc64el aarch64 cli musl install headers symbols style"}
ATONCE=${ATONCE:-2}
LEG_DIR=$(realpath -m "${LEG_DIR:-build-test}")
export LEG_DIR
read -ra legs <<<"$LEGS"

for leg in "${legs[@]}"; do
	[[ -f scripts/legs/$leg.sh ]] || { echo "test: no leg \"$leg\"; there are: $(cd scripts/legs && echo *.sh | sed 's/\.sh//g')" >&2; exit 2; }
done
scripts/setup.sh build test
mkdir -p "$LEG_DIR/logs" "$LEG_DIR/results"
rm -f "$LEG_DIR"/logs/*.log "$LEG_DIR"/results/*.tap
echo "test: ${#legs[@]} legs, $ATONCE at a time; all output is in $(realpath --relative-to=. "$LEG_DIR")/logs"

# Each leg has a process group of its own, so that all of it can be ended.
declare -A leg_of=() begun=()
stop()
{
	trap - INT TERM HUP
	local pid
	for pid in "${!leg_of[@]}"; do
		kill -TERM -- "-$pid" 2>/dev/null || true
	done
	wait
	echo "test: ended by a signal" >&2
	exit 130
}
trap stop INT TERM HUP

count()
{
	grep -c "$1" "$2" 2>/dev/null || true
}

passed_of()
{
	grep '^ok' "$1" 2>/dev/null | grep -vc '# SKIP' || true
}

report()
{
	local leg=$1 seconds=$2 rc=$3 tap=$LEG_DIR/results/$1.tap log=$LEG_DIR/logs/$1.log failed word=ok
	failed=$(count '^not ok' "$tap")
	if [[ $rc -ne 0 && $failed -eq 0 ]]; then
		echo "not ok - $leg: exited with $rc" >>"$tap"
		failed=1
	fi
	[[ $failed -eq 0 ]] || word=FAILED
	printf '%-8s %-7s %5d passed %3d failed %3d skipped %5d s\n' "$leg" "$word" "$(passed_of "$tap")" "$failed" \
		"$(count '# SKIP' "$tap")" "$seconds"
	if [[ $failed -ne 0 ]]; then
		grep '^not ok' "$tap" | head -20 | sed 's/^/    /'
		echo "    --- the end of $log:"
		tail -n 40 "$log" | cut -c1-300 | sed 's/^/    /'
	fi
}

start()
{
	set -m
	"scripts/legs/$1.sh" >"$LEG_DIR/logs/$1.log" 2>&1 </dev/null &
	set +m
	leg_of[$!]=$1
	begun[$!]=$SECONDS
}

reap()
{
	local pid rc=0
	wait -n -p pid "${!leg_of[@]}" || rc=$?
	report "${leg_of[$pid]}" $((SECONDS - begun[$pid])) "$rc"
	unset "leg_of[$pid]" "begun[$pid]"
}

for leg in "${legs[@]}"; do
	while [[ ${#leg_of[@]} -ge $ATONCE ]]; do
		reap
	done
	start "$leg"
done
while [[ ${#leg_of[@]} -gt 0 ]]; do
	reap
done

skips=0
scripts/skips.sh report "$LEG_DIR"/results/*.tap || skips=1
passed=0 failed=$skips skipped=0
for leg in "${legs[@]}"; do
	tap=$LEG_DIR/results/$leg.tap
	passed=$((passed + $(passed_of "$tap")))
	failed=$((failed + $(count '^not ok' "$tap")))
	skipped=$((skipped + $(count '# SKIP' "$tap")))
done
echo "test: ${#legs[@]} legs in $SECONDS s"
echo "$passed passed, $failed failed, $skipped skipped"
[[ $failed -eq 0 ]]
