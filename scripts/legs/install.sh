#!/usr/bin/env bash
# make install into a folder: headers, libraries, tool, man pages; programs built against them; a moved prefix.
# shellcheck source=scripts/leg.sh
source "$(dirname "${BASH_SOURCE[0]}")/../leg.sh"
need build
root=$dir/root
prefix=$root/usr/local
configure --werror --prefix=/usr/local --libdir=lib -Dpeers=disabled -Dsmall_peers=true -Dtests=false
build
[[ ! -d $root ]] || find "$root" -mindepth 1 -delete
DESTDIR=$root meson install -C "$dir" --no-rebuild --quiet

check "the tool is there" test -x "$prefix/bin/corral"
for page in man/*.[1-9]; do
	check "man page $(basename "$page")" test -s "$prefix/share/man/man${page##*.}/$(basename "$page")"
done
for header in include/corral/*.h; do
	check "header $(basename "$header")" cmp "$header" "$prefix/$header"
done
check "internal headers are not there" test -z "$(find "$root" -name ring_internal.h)"
nothing_outside()
{
	find "$root" -not -type d | sed "s|^$prefix/||" >"$dir/files"
	local known='^(bin/corral$|include/corral/|lib/libcorral\.|lib/pkgconfig/corral\.pc$|lib/corral/|share/man/)'
	none grep -vE "$known" "$dir/files"
}
check "nothing is anywhere else" nothing_outside
readelf -d "$prefix/lib/libcorral.so" >"$dir/dynamic"
check "shared library has its SONAME" grep -q 'SONAME.*\[libcorral\.so\.0\]' "$dir/dynamic"
sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' "$dir/dynamic" >"$dir/needed"
check "shared library needs libc alone" none grep -v '^libc\.so\|^ld-linux' "$dir/needed"

# consumer NAME LANGUAGE COMPILER STD WHERE LINK…: a program of somebody else, by the flags that pkg-config gives
consumer()
{
	local name=$1 language=$2 cc=$3 std=$4 prefix=$5 args
	shift 5
	rm -f "$dir/$name"
	PKG_CONFIG_PATH=$prefix/lib/pkgconfig \
		pkg-config --define-variable=prefix="$prefix" --cflags --libs "$@" corral >"$dir/flags"
	read -ra args <"$dir/flags"
	[[ $* != *--static* ]] || args+=(-static)
	"$cc" "-std=$std" -Wall -Wextra -Werror -x "$language" examples/pipeline.c -x none "${args[@]}" -pthread -o "$dir/$name"
	LD_LIBRARY_PATH=$prefix/lib "$dir/$name"
}
check "a C program, shared" consumer c-shared c gcc gnu11 "$prefix"
check "a C program, static" consumer c-static c gcc gnu11 "$prefix" --static
check "a C++ program, shared" consumer cpp-shared c++ g++ gnu++17 "$prefix"
check "a C++ program, static" consumer cpp-static c++ g++ gnu++17 "$prefix" --static

uninstalled()
{
	local args
	rm -f "$dir/c-uninstalled"
	PKG_CONFIG_PATH=$dir/meson-uninstalled pkg-config --cflags --libs corral >"$dir/flags"
	read -ra args <"$dir/flags"
	gcc -std=gnu11 examples/pipeline.c "${args[@]}" -pthread -o "$dir/c-uninstalled"
	LD_LIBRARY_PATH=$dir/lib "$dir/c-uninstalled"
}
check "a C program, from the build folder" uninstalled

tool=(stress --layout 1t@1c --mode hts --seconds 0.01 --rounds 1)
check "the tool finds its plug-ins where it was staged" "$prefix/bin/corral" "${tool[@]}"
moved=$dir/moved
[[ ! -d $moved ]] || find "$moved" -mindepth 1 -delete
mkdir -p "$moved"
cp -a "$prefix/." "$moved"
find "$root" -mindepth 1 -delete
check "the tool finds its plug-ins in a moved prefix" "$moved/bin/corral" "${tool[@]}"
check "a C program against a moved prefix" consumer c-moved c gcc gnu11 "$moved"
finish
