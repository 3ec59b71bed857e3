#!/usr/bin/env bash
# setup.sh PURPOSE…: see to it that the Debian packages for these purposes (scripts/packages) are there. Installs what is
# missing when that is possible (root, or sudo without a password); else says what to install and exits with 3.
set -euo pipefail
shopt -s inherit_errexit
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
		# of a package that is there for several architectures, each has a line
		dpkg-query -W -f '${Architecture} ${db:Status-Status}\n' "$package" 2>/dev/null |
			grep -qE "^($native|all) installed$|^${package#*:} installed$" || echo "$package"
	done <<<"$packages"
}

# the architectures that packages such as libc6:i386 need beside this machine's own
foreign()
{
	local package
	for package in "${need[@]}"; do
		[[ $package != *:* ]] || dpkg --print-foreign-architectures | grep -qxF "${package#*:}" || echo "${package#*:}"
	done | sort -u
}

packages=$(wanted "$@")
native=$(dpkg --print-architecture 2>/dev/null || true)
if ! command -v dpkg-query >/dev/null; then
	echo "setup: not a Debian system: it is up to you that what Debian calls ${packages//$'\n'/ } is there" >&2
	exit 0
fi
mapfile -t need < <(missing)
[[ ${#need[@]} -gt 0 ]] || exit 0

if [[ $EUID -eq 0 ]]; then
	root=()
elif command -v sudo >/dev/null && sudo -n true 2>/dev/null; then
	root=(sudo -n)
else
	line=
	for arch in $(foreign); do
		line+="dpkg --add-architecture $arch && apt-get update && "
	done
	echo "setup: packages are missing; as root run:" >&2
	echo "${line}apt-get install --no-install-recommends ${need[*]}" >&2
	exit 3
fi

get()
{
	"${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -y -o DPkg::Lock::Timeout=300 "$@" </dev/null >&2
}

# Legs run beside each other: one apt at a time here; apt itself waits for whoever else has its lock.
exec 9<scripts/packages
flock 9
mapfile -t need < <(missing)
[[ ${#need[@]} -gt 0 ]] || exit 0
echo "setup: installing ${need[*]}" >&2
fresh=no
for arch in $(foreign); do
	echo "setup: adding the architecture $arch" >&2
	"${root[@]}" dpkg --add-architecture "$arch"
	fresh=wanted
done
apt-cache show --no-all-versions "${need[@]}" >/dev/null 2>&1 || fresh=wanted
if [[ $fresh == wanted ]]; then
	get update || true
	fresh=yes
fi
# nothing that somebody else needs is taken away for a test
install=(install --no-remove --no-install-recommends "${need[@]}")
if ! get "${install[@]}"; then
	[[ $fresh == yes ]] || get update || true
	get "${install[@]}" ||
		{ echo "setup: could not install ${need[*]}: see apt-get's words above" >&2; exit 3; }
fi
