#!/usr/bin/env bash
# configure.sh DIR OPTION…: set up a meson build folder, or leave it as it is if it was set up with just these options.
# CC, CXX, CFLAGS, LDFLAGS, the compiler's version and those of the libraries that may be there count as options.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
dir=$1
shift
version()
{
	"$@" 2>/dev/null | sed -n 1p || true
}
read -ra cc <<<"${CC:-cc}"
stamp="$(meson --version) ${CC:-} ${CXX:-} ${CFLAGS:-} ${LDFLAGS:-} $*"
stamp+=" $(cat scripts/cross/*.ini | cksum)"
stamp+=" $(version "${cc[@]}" --version)"
for library in jansson libdpdk ck; do
	stamp+=" $library $(version pkg-config --modversion "$library")"
done
if [[ ! -f "$dir/build.ninja" || "$(cat "$dir/stamp" 2>/dev/null)" != "$stamp" ]]; then
	if [[ -e $dir && ! -d $dir/meson-private && ! -f $dir/stamp && -n "$(ls -A "$dir")" ]]; then
		echo "configure: $dir is no build folder of this project; it is left as it is" >&2
		exit 1
	fi
	mkdir -p "$dir"
	find "$dir" -mindepth 1 -delete
	: >"$dir/stamp"
	meson setup "$dir" "$@" >"$dir/setup.out" 2>&1 || { cat "$dir/setup.out" >&2; exit 1; }
	printf '%s' "$stamp" >"$dir/stamp"
fi
