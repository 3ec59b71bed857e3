# shellcheck shell=bash
# cli.sh - sourced by test/cli/test_*.sh: run the tool, look at what it printed, report in TAP.
#
# CORRAL is the tool, BUILD its build folder, CORRAL_TEST_DIR a folder for what the tests make.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
CORRAL=${CORRAL:-build/cmd/corral}
BUILD=$(realpath "${BUILD:-build}")
work=$(realpath -m "${CORRAL_TEST_DIR:-build-test/cli}")/$(basename "$0" .sh)
mkdir -p "$work"
find "$work" -mindepth 1 -delete
unset CORRAL_PEERS NO_COLOR COLUMNS
count=0 bad=0 rc=0

# run ARG…: the tool's exit code in rc, what it printed in $work/out and $work/err
run()
{
	rc=0
	"$CORRAL" "$@" >"$work/out" 2>"$work/err" </dev/null || rc=$?
}

# result NAME RC: one case
result()
{
	count=$((count + 1))
	if [[ $2 -eq 0 ]]; then
		echo "ok $count - $1"
	else
		echo "not ok $count - $1"
		bad=1
		echo "# exit code $rc"
		head -n 20 "$work/out" | sed 's/^/# out: /'
		head -n 20 "$work/err" | sed 's/^/# err: /'
	fi
}

# is NAME CMD…: a case that a command decides
is()
{
	local name=$1 verdict=0
	shift
	"$@" >/dev/null 2>&1 || verdict=1
	result "$name" $verdict
}

# exits NAME CODE [PATTERN]: the last run ended with CODE, and what it printed has a line with PATTERN
exits()
{
	local verdict=0
	[[ $rc -eq $2 ]] || verdict=1
	[[ -z ${3:-} ]] || grep -q -e "$3" "$work/out" "$work/err" || verdict=1
	result "$1" $verdict
}

# says NAME PATTERN; silent NAME FILE
says()
{
	is "$1" grep -q -e "$2" "$work/out" "$work/err"
}

quiet()
{
	is "$1" test ! -s "$work/$2"
}

# json NAME FILTER [FILE]: jq says true of the document
json()
{
	is "$1" jq -e "$2" "${3:-$work/out}"
}

skip()
{
	count=$((count + 1))
	echo "ok $count - $1 # SKIP $2"
}

finish()
{
	echo "1..$count"
	exit $bad
}
