#!/usr/bin/env bash
# skips.sh: a skip that nobody has listed is a failure.
#
#	skips.sh check LIST             is the list well made? (five fields a line, parted by tabs; # begins a comment)
#	skips.sh judge TAP LIST         print the skips of a TAP file, "expected" or "UNLISTED" before each; 1 if one is not
#	skips.sh report TAP…            the same for all legs with test/expected-skips, for people; ALLOW_SKIPS=1 lets all pass
#
# Fields: leg, case (both may be shell patterns), the reason as printed (a pattern), when it is to be expected, how to
# get the case to run.
set -euo pipefail
top=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
list=$top/test/expected-skips

check()
{
	awk -F'\t' '/^#/ || /^$/ { next }
		NF != 5 { printf "%s:%d: %d fields, should be 5\n", FILENAME, NR, NF; bad = 1 }
		{ for (i = 1; i <= NF; i++) if ($i == "") { printf "%s:%d: field %d is empty\n", FILENAME, NR, i; bad = 1 } }
		END { exit bad }' "$1"
}

# listed LEG CASE WHY LIST: prints how to get it, if the list has it
listed()
{
	local leg case why when how
	while IFS=$'\t' read -r leg case why when how; do
		[[ -n $leg && $leg != \#* ]] || continue
		# shellcheck disable=SC2053 # the right sides are patterns
		if [[ $1 == $leg && $2 == $case && $3 == $why ]]; then
			echo "$when: $how"
			return 0
		fi
	done <"$4"
	return 1
}

judge()
{
	local line leg case why how rc=0
	while read -r line; do
		[[ $line =~ ^ok\ -\ ([^:]*):\ (.*)\ \#\ SKIP\ ?(.*)$ ]] || continue
		leg=${BASH_REMATCH[1]} case=${BASH_REMATCH[2]} why=${BASH_REMATCH[3]}
		if how=$(listed "$leg" "$case" "$why" "$2"); then
			echo "expected: $leg: $case: $why ($how)"
		else
			echo "UNLISTED: $leg: $case: $why"
			rc=1
		fi
	done <"$1"
	return $rc
}

report()
{
	local tap rc=0 out=
	check "$list" || return 1
	for tap; do
		out+=$(judge "$tap" "$list")$'\n' || rc=1
	done
	out=$(sed '/^$/d' <<<"$out")
	if [[ -z $out ]]; then
		echo "skips: none"
	else
		echo "skips:"
		echo "    ${out//$'\n'/$'\n'    }"
	fi
	if [[ $rc -ne 0 ]]; then
		if [[ ${ALLOW_SKIPS:-} == 1 ]]; then
			echo "skips: unlisted ones are let pass (ALLOW_SKIPS=1)"
			return 0
		fi
		echo "skips: unlisted ones are failures (test/expected-skips lists the others; ALLOW_SKIPS=1 lets all pass)"
	fi
	return $rc
}

case ${1:-} in
check) check "$2" ;;
judge) judge "$2" "$3" ;;
report) shift && report "$@" ;;
*) echo "usage: skips.sh check LIST | judge TAP LIST | report TAP…" >&2; exit 2 ;;
esac
