#!/usr/bin/env bash
# build.sh [OPTION…]: `make`: library, tool and plug-ins in build/, with the names that people and scripts rely on.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
scripts/setup.sh build
scripts/configure.sh build --prefix="${PREFIX:-/usr/local}" -Dtests=false "$@"
ninja -C build
for file in cmd/corral lib/libcorral.so lib/libcorral.so.0 lib/libcorral.a; do
	ln -sf "$file" "build/$(basename "$file")"
done
