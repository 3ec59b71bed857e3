#!/usr/bin/env bash
# install.sh: `make install`: PREFIX (default /usr/local) and, for packagers, DESTDIR.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
scripts/build.sh
meson install -C build --no-rebuild
# the loader knows a library in /usr/local only after this
if [[ -z ${DESTDIR:-} && $EUID -eq 0 ]]; then
	ldconfig
fi
