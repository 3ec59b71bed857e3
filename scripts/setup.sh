#!/usr/bin/env bash
# setup.sh PURPOSE…: see to it that the Debian packages for these purposes (scripts/packages) are there. Installs what is
# missing when that is possible (root, or sudo without a password); else says what to install and exits with 3.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

wanted()
{
	local purpose
	for purpose; do
		awk -v p="$purpose" '$1 == p { for (i = 2; i <= NF; i++) print $i; found = 1 } END { exit !found }' \
			scripts/packages || { echo "setup: no purpose \"$purpose\" in scripts/packages" >&2; exit 2; }
	done | sort -u
}

missing()
{
	local package
	while read -r package; do
		[[ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)" == installed ]] || echo "$package"
	done
}

packages=$(wanted "$@")
if ! command -v dpkg-query >/dev/null; then
	echo "setup: not a Debian system; needed are the packages that Debian calls: ${packages//$'\n'/ }" >&2
	exit 0
fi
mapfile -t need < <(missing <<<"$packages")
[[ ${#need[@]} -gt 0 ]] || exit 0

if [[ $EUID -eq 0 ]]; then
	root=()
elif command -v sudo >/dev/null && sudo -n true 2>/dev/null; then
	root=(sudo -n)
else
	echo "setup: missing packages; as root run: apt-get install ${need[*]}" >&2
	exit 3
fi

# Legs run beside each other: one apt at a time, here and with whoever else has the lock.
exec 9>"${TMPDIR:-/tmp}/corral-setup.lock.$EUID"
flock 9
get()
{
	"${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -y -o DPkg::Lock::Timeout=300 "$@" </dev/null >&2
}
mapfile -t need < <(missing <<<"$packages")
[[ ${#need[@]} -gt 0 ]] || exit 0
echo "setup: installing ${need[*]}" >&2
if ! get install --no-install-recommends "${need[@]}"; then
	get update || true
	get install --no-install-recommends "${need[@]}" ||
		{ echo "setup: could not install ${need[*]} (is the package server reachable?)" >&2; exit 3; }
fi
