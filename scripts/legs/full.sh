#!/usr/bin/env bash
# everything as users build it, all peers with their measured loops whole: the stress tests run here.
# shellcheck source=scripts/leg.sh
source "$(dirname "${BASH_SOURCE[0]}")/../leg.sh"
need peers
configure --werror -Dpeers=enabled -Dnative=true -Dmodel=false
build
meson_test --suite stress

# The main job itself, shorter: each layout that fits, each mode, each peer.
main_job()
{
	RUN_DIR=$dir RUN_BUDGET=20 RUN_RESULTS=$dir/results.json scripts/run.sh >"$dir/run.out"
	grep -q '^RATIO .* corral/hts .*x of rte_ring/' "$dir/run.out"
	jq -e '[.results[].impl] | unique == ["corral", "rte_ring", "spinlock"]' "$dir/results.json"
	jq -e '.results | all(.lost == 0 and .duplicated == 0 and (.rounds | length) == 9)' "$dir/results.json"
}
check "make run does its job" main_job
finish
