#!/usr/bin/env bash
# test.sh: `make test`: run the legs (scripts/legs), two at a time, and count. LEGS="gcc asan" runs some. Everything goes
# to build-test/; the last line is "N passed, N failed, N skipped".
#
# LEGS_FROM and LEG_DIR (legs and results elsewhere) serve the test of this script.
set -euo pipefail
shopt -s inherit_errexit
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# Long ones first, so that both cores have work to the end.
all="full opt asan tsan gcc valgrind fuzz model static clang i686 s390x ppc64el aarch64 cli musl install headers symbols"
LEGS=${LEGS:-$all style}
ATONCE=${ATONCE:-2}
LEGS_FROM=${LEGS_FROM:-scripts/legs}
LEG_DIR=$(realpath -m "${LEG_DIR:-build-test}")
LEG_SECONDS=${LEG_SECONDS:-1800} # a leg that takes longer hangs
export LEG_DIR LC_ALL=C.UTF-8
read -ra legs <<<"$LEGS"

purposes=()
for leg in "${legs[@]}"; do
	if [[ ! -f $LEGS_FROM/$leg.sh ]]; then
		echo "test: no leg \"$leg\"; there are: $(cd "$LEGS_FROM" && echo ./*.sh | sed 's/\.\///g; s/\.sh//g')" >&2
		exit 2
	fi
	read -ra words < <(sed -n 's/^need //p' "$LEGS_FROM/$leg.sh") || true
	purposes+=("${words[@]}")
done
scripts/setup.sh build test "${purposes[@]}"

mkdir -p "$LEG_DIR/logs" "$LEG_DIR/results"
exec 8>"$LEG_DIR/lock"
flock -n 8 || { echo "test: another \`make test\` is at work in $LEG_DIR" >&2; exit 2; }
rm -f "$LEG_DIR"/logs/*.log "$LEG_DIR"/results/*.tap
echo "test: ${#legs[@]} legs, $ATONCE at a time; all output is in $(realpath --relative-to=. "$LEG_DIR")/logs"

# Each leg has a process group of its own, so that all of it can be ended.
declare -A leg_of=() begun=()
signal_legs()
{
	local pid
	for pid in "${!leg_of[@]}"; do
		kill "-$1" -- "-$pid" 2>/dev/null || true
	done
}
stop()
{
	trap '' INT TERM HUP
	echo "test: ending ${leg_of[*]}" >&2
	signal_legs TERM
	local i
	for ((i = 0; i < 150; i++)); do
		[[ -n "$(jobs -rp)" ]] || break
		sleep 0.2
	done
	signal_legs KILL
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

ended=0
report()
{
	local leg=$1 seconds=$2 rc=$3 tap=$LEG_DIR/results/$1.tap log=$LEG_DIR/logs/$1.log failed word=ok
	[[ $rc -ne 124 ]] || echo "not ok - $leg: ends within $LEG_SECONDS s" >>"$tap"
	failed=$(count '^not ok' "$tap")
	if [[ $rc -ne 0 && ${failed:-0} -eq 0 ]]; then
		echo "not ok - $leg: exited with $rc" >>"$tap"
		failed=1
	fi
	[[ ${failed:-0} -eq 0 ]] || word=FAILED
	ended=$((ended + 1))
	printf '[%2d/%d] %-8s %-6s %5d passed %3d failed %3d skipped %5d s\n' $ended ${#legs[@]} "$leg" "$word" \
		"$(passed_of "$tap")" "${failed:-0}" "$(count '# SKIP' "$tap")" "$seconds"
	if [[ $word == FAILED ]]; then
		grep '^not ok' "$tap" | head -n 20 | sed 's/^/    /'
		echo "    --- the end of $(realpath --relative-to=. "$log"):"
		tail -n 40 "$log" | cut -c1-300 | sed 's/^/    /'
	fi
}

start()
{
	set -m
	timeout -k 20 "$LEG_SECONDS" bash "$LEGS_FROM/$1.sh" >"$LEG_DIR/logs/$1.log" 2>&1 </dev/null 8>&- &
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
trap - INT TERM HUP

taps=("${legs[@]/#/$LEG_DIR/results/}")
taps=("${taps[@]/%/.tap}")
unlisted=0
scripts/skips.sh report "${taps[@]}" || unlisted=1
passed=0 failed=$unlisted skipped=0
for tap in "${taps[@]}"; do
	passed=$((passed + $(passed_of "$tap")))
	failed=$((failed + $(count '^not ok' "$tap")))
	skipped=$((skipped + $(count '# SKIP' "$tap")))
done
echo "test: ${#legs[@]} legs in $SECONDS s"
echo "$passed passed, $failed failed, $skipped skipped"
[[ $failed -eq 0 ]]
