#!/usr/bin/env bash
# what tools can see of the style: formatting, widths, lengths, licences, scripts, man pages, paths of machines.
# shellcheck source=scripts/leg.sh
source "$(dirname "${BASH_SOURCE[0]}")/../leg.sh"
need style
mkdir -p "$dir"

# files PATTERN…: those of the project that are there; without git (a tarball) all but what was built
files()
{
	local file
	{ git ls-files --cached --others --exclude-standard -- "$@" 2>/dev/null || find_files "$@"; } | sort -u |
		while read -r file; do
			[[ ! -f $file ]] || echo "$file"
		done
}
find_files()
{
	local pattern
	for pattern in "${@:-*}"; do
		find . -path './build*' -prune -o -path './.git' -prune -o -type f -path "./$pattern" -print
	done | sed 's/^\.\///'
}
mapfile -t c < <(files '*.c' '*.h' '*.cpp')
mapfile -t py < <(files '*.py')
mapfile -t sh < <(files '*.sh' .ci/run)
mapfile -t text < <(files | grep -v '^test/fuzz/\(seeds\|crashers\)/')

formatted() { clang-format --dry-run --Werror "${c[@]}"; }
clean() { none grep -nI '[[:blank:]]$' "${text[@]}"; }
tabs_in_scripts() { none grep -nE '^ ' "${sh[@]}"; }
# a folder of somebody's machine has no place in the project; what tests make in /tmp begins with corral-
placeless()
{
	none grep -nIP '(^|[^[:alnum:]_.])/(work|home|root)/[[:alnum:]]|/tmp/(?!corral-)[[:alnum:]]' "${text[@]}"
}
manual()
{
	man --warnings -E UTF-8 -l -Tutf8 -Z "$1" >/dev/null 2>"$dir/man.err"
	cat "$dir/man.err"
	test ! -s "$dir/man.err"
}

check "there are files" test "${#c[@]}" -gt 50
check "C is formatted" formatted
check "120 columns" scripts/style.py columns 120 "${c[@]}"
check "130 columns in scripts" scripts/style.py columns 130 "${sh[@]}" "${py[@]}"
check "600 lines a file" scripts/style.py lines 600 "${c[@]}" "${sh[@]}" "${py[@]}"
check "each file of code names its licence" scripts/style.py licence "${c[@]}" "${py[@]}"
check "no blanks at the ends of lines" clean
check "scripts are indented by tabs" tabs_in_scripts
check "no path of a machine" placeless
check "scripts pass shellcheck" shellcheck -x "${sh[@]}"
check "the list of skips is well made" scripts/skips.sh check test/expected-skips
for page in man/*.[1-9]; do
	check "$(basename "$page") has no warnings" manual "$page"
done
finish
