#!/usr/bin/env bash
# what the shared library exports: all that the headers declare, under its version, and nothing else.
# shellcheck source=scripts/leg.sh
source "$(dirname "${BASH_SOURCE[0]}")/../leg.sh"
need clang
configure --werror -Dpeers=disabled -Dtool=false -Dtests=false
build
nm -D --defined-only "$dir/lib/libcorral.so" | awk '$2 != "A" { print $3 }' >"$dir/exported"
sed 's/@.*//' "$dir/exported" | sort -u >"$dir/names"
check "symbols are exported" test "$(wc -l <"$dir/names")" -gt 100
check "each has the version CORRAL_0.1" none grep -v '@@CORRAL_0\.1$' "$dir/exported"
check "each begins with corral_" none grep -v '^corral_' "$dir/names"

# What the headers declare or define, as a compiler sees it.
for header in include/corral/*.h; do
	echo "#include <corral/$(basename "$header")>"
done >"$dir/all.c"
clang -std=c11 -D_GNU_SOURCE -Iinclude -fsyntax-only -Xclang -ast-dump=json "$dir/all.c" >"$dir/ast.json"
python3 scripts/declared.py "$dir/ast.json" >"$dir/declared"
# Names that end in _ are the headers' own; so are the copies of elements and what is there to be shared among modes.
grep -v '_$\|^corral_copy_\|_shared$' "$dir/declared" >"$dir/public"
comm -23 "$dir/public" "$dir/names" >"$dir/inline_alone"
comm -13 "$dir/declared" "$dir/names" >"$dir/undeclared"
check "headers declare functions" test "$(wc -l <"$dir/public")" -gt 100
check "each public function is exported, none is inline alone" none grep . "$dir/inline_alone"
check "all that is exported is declared" none grep . "$dir/undeclared"
finish
