#!/usr/bin/env bash
# what the shared library exports: all that the headers declare, under its version, and nothing else.
# shellcheck source=scripts/leg.sh
source "$(dirname "${BASH_SOURCE[0]}")/../leg.sh"
need build clang
configure --werror -Dpeers=disabled -Dtool=false -Dtests=false
build
so=$dir/lib/libcorral.so
nm -D --defined-only "$so" | awk '$2 == "T" { print $3 }' >"$dir/exported"
sed 's/@.*//' "$dir/exported" | sort -u >"$dir/names"
check "each has the version CORRAL_0.1" bash -c "! grep -v '@@CORRAL_0.1\$' '$dir/exported'"
check "each begins with corral_" bash -c "! grep -v '^corral_' '$dir/names'"

# What the headers declare or define, as a compiler sees it.
for header in include/corral/*.h; do
	echo "#include <corral/$(basename "$header")>"
done >"$dir/all.c"
clang -std=c11 -D_GNU_SOURCE -Iinclude -fsyntax-only -Xclang -ast-dump=json "$dir/all.c" 2>/dev/null >"$dir/ast.json"
python3 - "$dir/ast.json" >"$dir/declared" <<'P'
import json, sys
names = set()
for node in json.load(open(sys.argv[1]))['inner']:
    if node['kind'] == 'FunctionDecl' and node['name'].startswith('corral_'):
        names.add(node['name'])
print('\n'.join(sorted(names)))
P
grep -v '_$' "$dir/declared" | grep -v '^corral_copy_\|_shared$' >"$dir/public" || true
check "headers declare functions" test "$(wc -l <"$dir/public")" -gt 100
check "each public function is exported" bash -c "! comm -23 '$dir/public' '$dir/names' | grep ."
check "all that is exported is declared" bash -c "! comm -13 '$dir/declared' '$dir/names' | grep ."
finish
