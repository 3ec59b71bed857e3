#!/usr/bin/env bash
# run.sh: `make run`: the main job. corral beside rte_ring and a spinlock, all layouts that fit this machine, in at most
# two minutes; leaves results.json in the project's top folder. ARCH=i686 measures the 32-bit build.
#
# The test of this script gives RUN_DIR (a build that is there), RUN_BUDGET (seconds) and RUN_RESULTS (a file).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
ARCH=${ARCH:-}
ROUNDS=9
BUDGET=${RUN_BUDGET:-110} # seconds of measuring
MODES=mt,rts,hts
IMPLS=corral,rte_ring,spinlock
CELLS=7 # a layout: each mode of corral and of rte_ring, the spinlock

if [[ -n ${RUN_DIR:-} ]]; then
	dir=$RUN_DIR
elif [[ -z $ARCH || $ARCH == "$(uname -m)" ]]; then
	scripts/setup.sh build peers
	dir=build
	scripts/build.sh -Dnative=true -Dpeers=auto
elif [[ $ARCH == i686 && $(uname -m) == x86_64 ]]; then
	# Debian's 32-bit DPDK cannot be installed beside the 64-bit one: that peer is left out, and the result says so.
	scripts/setup.sh build i686-tool
	dir=build-i686
	scripts/configure.sh "$dir" --cross-file scripts/cross/i686.ini -Dpeers=auto -Dtests=false
	ninja -C "$dir"
else
	echo "run: ARCH=$ARCH: there are $(uname -m) (the default) and, on x86_64, i686" >&2
	exit 2
fi

cpus=$(nproc)
layouts=2
# the cores that each further layout of --standard needs
for need in 2 4 8 16 32 2 2 2 2 2 4 4; do
	[[ $need -gt $cpus ]] || layouts=$((layouts + 1))
done
seconds=$(awk -v cells=$((layouts * CELLS * ROUNDS)) -v budget="$BUDGET" \
	'BEGIN { s = budget / cells - 0.03; printf "%.3f", (s > 0.25 ? 0.25 : s < 0.005 ? 0.005 : s) }')
echo "run: $layouts layouts, $ROUNDS rounds of $seconds s a cell; at most two minutes"
begun=$SECONDS
rc=0
"$dir/cmd/corral" stress --standard --mode $MODES --impl $IMPLS --seconds "$seconds" --rounds $ROUNDS \
	--json="${RUN_RESULTS:-results.json}" || rc=$?
[[ $rc -ne 0 ]] || echo "run: done in $((SECONDS - begun)) s; results.json has every figure"
exit $rc
