#!/usr/bin/env bash
# configure.sh DIR OPTION…: set up a meson build folder, or leave it as it is if it was set up with just these options.
# CC, CXX, CFLAGS and LDFLAGS count as options.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
dir=$1
shift
stamp="$(meson --version) ${CC:-} ${CXX:-} ${CFLAGS:-} ${LDFLAGS:-} $*"
stamp+=" $(cat scripts/cross/*.ini | cksum)"
if [[ ! -f "$dir/build.ninja" || "$(cat "$dir/stamp" 2>/dev/null)" != "$stamp" ]]; then
	mkdir -p "$dir"
	find "$dir" -mindepth 1 -delete
	meson setup "$dir" "$@" >"$dir.setup" 2>&1 || { cat "$dir.setup" >&2; rm -f "$dir.setup"; exit 1; }
	rm -f "$dir.setup"
	printf '%s' "$stamp" >"$dir/stamp"
fi
