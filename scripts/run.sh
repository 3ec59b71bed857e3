#!/usr/bin/env bash
# run.sh: `make run`: the main job. corral beside rte_ring and a spinlock, all layouts that fit this machine, in at most
# two minutes; leaves results.json in the project's top folder. ARCH=i686 measures the 32-bit build.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
ARCH=${ARCH:-}
ROUNDS=9
BUDGET=110 # seconds of measuring

if [[ -z $ARCH || $ARCH == "$(uname -m)" ]]; then
	scripts/setup.sh build peers
	dir=build
	scripts/configure.sh "$dir" --prefix="${PREFIX:-/usr/local}" -Dnative=true -Dpeers=auto -Dtests=false
	ninja -C "$dir"
	for file in cmd/corral lib/libcorral.so lib/libcorral.so.0 lib/libcorral.a; do
		ln -sf "$file" "$dir/$(basename "$file")"
	done
elif [[ $ARCH == i686 ]]; then
	# Debian has no 32-bit DPDK, and none of the JSON library beside the 64-bit compiler: the tool's own needs decide.
	scripts/setup.sh build i686
	dir=build-i686
	if ! echo 'int main(void) { return 0; }' | i686-linux-gnu-gcc -x c - -ljansson -o /dev/null 2>/dev/null; then
		echo "run: the 32-bit tool needs a 32-bit libjansson: dpkg --add-architecture i386, then apt-get install libjansson-dev:i386" >&2
		exit 3
	fi
	scripts/configure.sh "$dir" --cross-file scripts/cross/i686.ini -Dpeers=auto -Dtests=false
	ninja -C "$dir"
else
	echo "run: ARCH=$ARCH: there are $(uname -m) (the default) and i686" >&2
	exit 2
fi

modes=mt,rts,hts
impls=corral,rte_ring,spinlock
cpus=$(nproc)
# Layouts of --standard that fit here, and cells a layout: three modes of corral, three of rte_ring, the spinlock.
layouts=2
for need in 2 4 8 16 32 2 2 2 2 2 4 4; do
	[[ $need -gt $cpus ]] || layouts=$((layouts + 1))
done
seconds=$(awk -v b=$BUDGET -v l=$layouts -v r=$ROUNDS 'BEGIN { s = b / (l * 7 * r) - 0.03; printf "%.3f", s > 0.25 ? 0.25 : s < 0.02 ? 0.02 : s }')
echo "run: $layouts layouts, $ROUNDS rounds of $seconds s a cell; at most two minutes"
begun=$SECONDS
rc=0
"$dir/cmd/corral" stress --standard --mode $modes --impl $impls --seconds "$seconds" --rounds $ROUNDS \
	--json=results.json || rc=$?
[[ $rc -ne 0 ]] || echo "run: done in $((SECONDS - begun)) s; results.json has every figure"
exit $rc
