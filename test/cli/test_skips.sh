#!/usr/bin/env bash
# The test machinery itself: lists of skips, what legs count, and the last line of `make test`. Prints TAP.
#
# CORRAL_TEST_DIR is a folder for what it makes (build-test/skips if unset). Legs made here are run by scripts/test.sh
# with LEGS_FROM and a LEG_DIR of their own.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
top=$PWD
work=$(realpath -m "${CORRAL_TEST_DIR:-build-test/skips}")/machinery
mkdir -p "$work/legs" "$work/out"
find "$work" -type f -delete
unset LEGS ATONCE LEG_SECONDS ALLOW_SKIPS CORRAL_STRESS_LONG
count=0 bad=0

# result NAME RC: one case
result()
{
	count=$((count + 1))
	if [[ $2 -eq 0 ]]; then
		echo "ok $count - $1"
	else
		echo "not ok $count - $1"
		bad=1
	fi
}

# gives NAME RC TEXT CMD…: the command ends with RC and prints the line TEXT (a pattern for grep -x)
gives()
{
	local name=$1 want=$2 text=$3 rc=0
	shift 3
	"$@" >"$work/printed" 2>&1 || rc=$?
	if [[ $rc -eq $want ]] && grep -qx -- "$text" "$work/printed"; then
		result "$name" 0
	else
		sed 's/^/# /' "$work/printed"
		echo "# exit $rc, should be $want, with the line $text"
		result "$name" 1
	fi
}

list=$work/list
printf '# leg\tcase\treason\twhen\thow\n\n' >"$list"
printf '*\t*needs_root: *\t*root*\tfor users\trun as root\n' >>"$list"
printf 'gcc\tonly_here\t*\ton old kernels\ttake a newer one\n' >>"$list"
gives the_committed_list_is_well_made 0 '' bash -c "scripts/skips.sh check test/expected-skips && echo"
gives a_good_list_is_well_made 0 '' bash -c "scripts/skips.sh check '$list' && echo"
printf '*\tcase\treason\twhen\n' >"$work/short"
gives a_line_with_four_fields_is_not 1 '.*short:1: 4 fields, should be 5' scripts/skips.sh check "$work/short"
printf '*\tcase\t\twhen\thow\n' >"$work/empty"
gives a_line_with_an_empty_field_is_not 1 '.*empty:1: field 3 is empty' scripts/skips.sh check "$work/empty"
gives a_list_that_is_not_there_is_not 2 '.*nowhere.*' scripts/skips.sh check "$work/nowhere"
gives words_that_are_off 2 'usage: .*' scripts/skips.sh bogus

# judged NAME RC TEXT LINE: the verdict on one line of a TAP file
judged()
{
	printf 'ok - gcc: adds_up\n%s\n' "$4" >"$work/tap"
	gives "$1" "$2" "$3" scripts/skips.sh judge "$work/tap" "$list"
}
judged a_listed_skip_is_expected 0 'expected: gcc: needs_root: x: not root (for users: run as root)' \
	'ok - gcc: needs_root: x # SKIP not root'
judged the_leg_counts_too 1 'UNLISTED: asan: only_here: whatever' 'ok - asan: only_here # SKIP whatever'
judged of_the_listed_leg 0 'expected: gcc: only_here: whatever .*' 'ok - gcc: only_here # SKIP whatever'
judged another_reason_is_another_skip 1 'UNLISTED: gcc: needs_root: x: no memory' 'ok - gcc: needs_root: x # SKIP no memory'
judged a_skip_without_a_reason_is_unlisted 1 'UNLISTED: gcc: needs_root: x: ' 'ok - gcc: needs_root: x # SKIP'

# leg NAME: a leg from standard input
leg()
{
	{ echo "source '$top/scripts/leg.sh'" && cat; } >"$work/legs/$1.sh"
}
leg fine <<'L'
ok one
ok two
finish
L
leg broken <<'L'
ok one
check "false is true" false
finish
L
leg early <<'L'
ok one
false
ok two
finish
L
leg nothing <<'L'
finish
L
leg skips <<'L'
ok one
skip other "nobody listed this"
finish
L
leg expected <<'L'
skip "ring_fifo: yields" "needs SCHED_FIFO"
ok one
finish
L
leg functions <<'L'
two_commands() { false; true; }
check "a function whose first command fails" two_commands
check "nothing found, by an error" none grep x /nowhere/at/all
check "something found" none grep -q root /etc/passwd
check "nothing found" none grep -q '^x^' /etc/passwd
finish
L
leg programs <<'L'
run_tap ring_fifo printf '1..2\nok 1 - a\nok 2 - b # SKIP needs SCHED_FIFO\n'
run_tap short printf '1..2\nok 1 - a\n'
run_tap bail printf 'ok 1 - a\nBail out! no\n'
run_tap crash bash -c 'printf "1..1\nok 1 - a\n"; kill -SEGV $$'
run_tap fails printf '1..1\nnot ok 1 - a\n'
run_tap silent true
TAP_SECONDS=1 run_tap hangs sleep 100
finish
L
leg hangs <<'L'
ok one
sleep 100
finish
L

# tested NAME RC LASTLINE LEGS [VAR=VALUE…]
tested()
{
	local name=$1 want=$2 last=$3 rc=0 got
	local legs=$4
	shift 4
	env "$@" LEGS="$legs" LEGS_FROM="$work/legs" LEG_DIR="$work/out" scripts/test.sh >"$work/printed" 2>&1 || rc=$?
	got=$(tail -n 1 "$work/printed")
	if [[ $rc -eq $want && $got == "$last" ]]; then
		result "$name" 0
	else
		sed 's/^/# /' "$work/printed"
		echo "# exit $rc, should be $want; the last line should be $last"
		result "$name" 1
	fi
}
tested all_is_well 0 '2 passed, 0 failed, 0 skipped' fine
tested a_case_fails 1 '3 passed, 1 failed, 0 skipped' "fine broken"
tested a_leg_ends_early 1 '1 passed, 1 failed, 0 skipped' early
tested a_leg_without_cases 1 '0 passed, 1 failed, 0 skipped' nothing
tested a_skip_that_nobody_listed 1 '1 passed, 1 failed, 1 skipped' skips
tested a_skip_that_nobody_listed_is_let_pass 0 '1 passed, 0 failed, 1 skipped' skips ALLOW_SKIPS=1
tested a_listed_skip 0 '1 passed, 0 failed, 1 skipped' expected
tested functions_and_searches 1 '1 passed, 3 failed, 0 skipped' functions
tested programs_that_print_tap 1 '4 passed, 6 failed, 1 skipped' programs
tested a_leg_that_hangs 1 '1 passed, 2 failed, 0 skipped' hangs LEG_SECONDS=2
gives a_leg_that_is_not_there 2 'test: no leg "bogus"; there are: .*fine.*' \
	env LEGS="fine bogus" LEGS_FROM="$work/legs" LEG_DIR="$work/out" scripts/test.sh

# Ended by a signal, it leaves nothing running.
leg sleeps <<'L'
ok one
echo $$ >"$LEG_DIR/sleeps.pid"
sleep 101 &
echo $! >"$LEG_DIR/child.pid"
wait
finish
L
LEGS=sleeps LEGS_FROM=$work/legs LEG_DIR=$work/out scripts/test.sh >"$work/printed" 2>&1 &
pid=$!
for ((i = 0; i < 300; i++)); do
	[[ ! -s $work/out/child.pid ]] || break
	sleep 0.1
done
gives two_at_once_are_refused 2 'test: another .* is at work in .*' \
	env LEGS=fine LEGS_FROM="$work/legs" LEG_DIR="$work/out" scripts/test.sh
kill -TERM $pid
rc=0
wait $pid || rc=$?
for left in "$(cat "$work/out/sleeps.pid")" "$(cat "$work/out/child.pid")"; do
	! kill -0 "$left" 2>/dev/null || rc=0
done
result a_signal_ends_all_of_it $((rc != 130))
echo "1..$count"
exit $bad
