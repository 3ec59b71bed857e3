#!/usr/bin/env bash
# what tools can see of the style: formatting, widths, lengths, licences, scripts, man pages, paths of machines.
# shellcheck source=scripts/leg.sh
source "$(dirname "${BASH_SOURCE[0]}")/../leg.sh"
need build test
mkdir -p "$dir"
mapfile -t c < <(git ls-files '*.c' '*.h' '*.cpp')
mapfile -t sh < <(git ls-files '*.sh' .ci/run)
mapfile -t text < <(git ls-files | grep -v '^test/fuzz/\(seeds\|crashers\)/')

formatted() { clang-format --dry-run --Werror "${c[@]}"; }
narrow()
{
	local most=$1
	shift
	! awk -v most="$most" 'length($0) > 0 { n = 0; for (i = 1; i <= length($0); i++) n += substr($0, i, 1) == "\t" ? 8 - n % 8 : 1
		if (n > most) { print FILENAME ":" FNR ": " n " columns"; bad = 1 } } END { exit !bad }' "$@"
}
short() { ! wc -l "$@" | awk '$2 != "total" && $1 > 600 { print; bad = 1 } END { exit !bad }'; }
licensed()
{
	local file rc=0
	for file in "${c[@]}"; do
		head -n 3 "$file" | grep -q 'SPDX-License-Identifier: BSD-3-Clause' || { echo "$file: no SPDX line"; rc=1; }
	done
	return $rc
}
clean() { ! grep -nI '[[:blank:]]$' "${text[@]}"; }
# a folder of somebody's machine has no place in the project
placeless() { ! grep -nIE '(^|[^[:alnum:]_.])/(work|home|root)/[[:alnum:]]|/tmp/[a-z]+[0-9A-Z]' "${text[@]}"; }
nothing() { ! grep .; }
manual() { man --warnings -E UTF-8 -l -Tutf8 -Z "$1" 2>&1 >/dev/null | nothing; }

check "C is formatted" formatted
check "120 columns" narrow 120 "${c[@]}"
check "150 columns in scripts" narrow 150 "${sh[@]}"
check "600 lines a file" short "${c[@]}" "${sh[@]}"
check "each C file names its licence" licensed
check "no blanks at the ends of lines" clean
check "no path of a machine" placeless
check "scripts pass shellcheck" shellcheck -x "${sh[@]}"
check "the list of skips is well made" scripts/skips.sh check test/expected-skips
for page in man/*.[1-9]; do
	check "$(basename "$page") has no warnings" manual "$page"
done
finish
