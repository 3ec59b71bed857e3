#!/usr/bin/env bash
# make install into a folder: headers, libraries, tool, man pages; programs built against them; a moved prefix.
# shellcheck source=scripts/leg.sh
source "$(dirname "${BASH_SOURCE[0]}")/../leg.sh"
need build
root=$dir/root
configure --werror --prefix=/usr/local --libdir=lib -Dpeers=disabled -Dsmall_peers=true -Dtests=false
build
[[ ! -d $root ]] || find "$root" -mindepth 1 -delete
DESTDIR=$root meson install -C "$dir" --no-rebuild --quiet
prefix=$root/usr/local
check "the tool is there" test -x "$prefix/bin/corral"
for page in man1/corral.1 man1/corral-stress.1 man1/corral-perf.1 man3/corral_lcore.3 man3/corral_wait.3 man7/corral_ring.7; do
	check "man page $(basename "$page")" test -s "$prefix/share/man/$page"
done
for header in include/corral/*.h; do
	check "header $(basename "$header")" test -s "$prefix/$header"
done
check "shared library has its SONAME" bash -c "readelf -d '$prefix/lib/libcorral.so' | grep -q 'SONAME.*libcorral.so.0'"
check "shared library needs libc alone" bash -c "! readelf -d '$prefix/lib/libcorral.so' | grep NEEDED | grep -v 'libc\.so'"
check "internal headers are not there" test ! -e "$prefix/include/corral/ring_internal.h"

export PKG_CONFIG_PATH=$prefix/lib/pkgconfig
flags()
{
	pkg-config --define-variable=prefix="$prefix" "$@" corral
}
consumer()
{
	local name=$1 cc=$2 std=$3 mode=$4
	local args
	read -ra args <<<"$(flags --cflags)"
	if [[ $mode == static ]]; then
		"$cc" "$std" -x "${name%%-*}" examples/pipeline.c -x none "${args[@]}" "$prefix/lib/libcorral.a" -pthread -o "$dir/$name"
	else
		local libs
		read -ra libs <<<"$(flags --libs)"
		"$cc" "$std" -x "${name%%-*}" examples/pipeline.c -x none "${args[@]}" "${libs[@]}" -pthread -o "$dir/$name"
	fi
	LD_LIBRARY_PATH=$prefix/lib "$dir/$name"
}
check "a C program, shared" consumer c-shared gcc -std=gnu11 shared
check "a C program, static" consumer c-static gcc -std=gnu11 static
check "a C++ program, shared" consumer c++-shared g++ -std=c++17 shared
check "a C++ program, static" consumer c++-static g++ -std=c++17 static
moved()
{
	local to=$dir/moved
	[[ ! -d $to ]] || find "$to" -mindepth 1 -delete
	mkdir -p "$to"
	cp -r "$prefix/." "$to"
	"$to/bin/corral" stress --layout 1t@1c --mode hts --seconds 0.01 --rounds 1
}
check "the tool finds its plug-ins in a moved prefix" moved
check "the tool finds its plug-ins where it was staged" "$prefix/bin/corral" stress --layout 1t@1c --mode hts --seconds 0.01 --rounds 1
finish
