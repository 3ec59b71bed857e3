#!/usr/bin/env bash
# corral perf: places, calls, the budget, documents. Prints TAP.
# shellcheck source=test/cli/cli.sh
source "$(dirname "${BASH_SOURCE[0]}")/cli.sh"

run perf --where single --mode hts --call bulk --n 8 --budget 1 --rounds 6
exits "one thread, one call" 0 'hts'
for call in bulk burst single empty; do
	run perf --where single --mode hts,st --call $call --n 1,8 --budget 1 --rounds 2
	exits "call $call" 0
done
run perf --where single,one-core,two-cores --mode mt,st --n 8 --budget 2 --rounds 2 --json
exits "pairs on one core and on two" 0
if [[ $(nproc) -ge 2 ]]; then
	json "each place has its results" '[.results[].where] | unique == ["one-core", "single", "two-cores"]'
else
	json "a place that is not there is named" '[.skipped[] | select(.what | test("two-cores"))] | length >= 1'
fi
json "has what every document has" \
	'.corral and .verb == "perf" and .when and .argv and .host.kernel and (.skipped | type == "array")'
json "has what a result has" \
	'.results | all(.what == "ring" and .impl == "corral" and .mode and .call == "bulk" and .esize == 8 and .n == 8 and
	 (.rounds | length >= 1) and .mobj_s.median > 0 and (.mobj_s.ci95 | length == 2) and .cycles_per_obj.median > 0 and
	 .clock and .size == 1024 and .wait == "yield" and .isolated == false and (.noisy | type == "boolean"))'
begun=$SECONDS
run perf --budget 2 --mode mt,rts,hts,st --n 1,8,32
exits "the whole run is bounded" 0
is "by its budget" test $((SECONDS - begun)) -lt 30
run perf --budget 0
exits "a budget of nothing" 2 "budget"
run perf --where moon
exits "a place that is none" 2 "allowed: .*single"
run perf --call jump
exits "a call that is none" 2 "allowed: .*bulk"
run perf --n 0
exits "no objects a call" 2 "n"
run perf --n 513 --where single --budget 1
exits "more objects than a call takes" 2 "n"
run perf --what pool
exits "what a later version measures" 2 "not in this version"
run perf --impl corral,rte_ring,spinlock --where single --mode st,mt --n 8 --budget 2 --rounds 6
exits "peers beside corral" 0 'rte_ring'
finish
