#!/usr/bin/env bash
# every public header alone, in C11 and C++17, gcc and clang, 32 bits too, with strict warnings.
# shellcheck source=scripts/leg.sh
source "$(dirname "${BASH_SOURCE[0]}")/../leg.sh"
need clang i686
mkdir -p "$dir"
strict=(-Wall -Wextra -Wshadow -Wconversion -Wsign-conversion -Wcast-qual -Wundef -Wpointer-arith -Werror -pedantic-errors)
strict+=(-Iinclude -fsyntax-only)
try()
{
	local cc=$1 lang=$2 std=$3 header=$4
	shift 4
	printf '#include <corral/%s>\n#include <corral/%s>\nint nothing_at_all;\n' "$header" "$header" |
		"$cc" -x "$lang" -std="$std" "${strict[@]}" "$@" -
}
for path in include/corral/*.h; do
	header=$(basename "$path")
	for cc in gcc clang; do
		check "$header: $cc, C11" try $cc c c11 "$header" -Wstrict-prototypes -Wmissing-prototypes
		check "$header: $cc, C++17" try $cc c++ c++17 "$header"
		check "$header: $cc, C++20" try $cc c++ c++20 "$header"
	done
	check "$header: gcc, gnu17" try gcc c gnu17 "$header" -D_GNU_SOURCE
	check "$header: gcc, 32 bits" try i686-linux-gnu-gcc c c11 "$header"
	check "$header: clang, 32 bits" try clang c c11 "$header" --target=i686-linux-gnu -isystem /usr/i686-linux-gnu/include
done
finish
