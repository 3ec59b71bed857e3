#!/usr/bin/env bash
# bench.sh: `make bench`: what a call costs (corral perf), beside the peers that are there; leaves bench.json.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
scripts/setup.sh build peers
scripts/build.sh -Dnative=true -Dpeers=auto
build/corral perf --mode mt,rts,hts,st --impl corral,rte_ring,ck_ring,spinlock --budget 120 --json=bench.json
