#!/usr/bin/env bash
# corral stress: tables, documents, what is left out and why, faults, signals. Prints TAP.
# shellcheck source=test/cli/cli.sh
source "$(dirname "${BASH_SOURCE[0]}")/cli.sh"
short=(--seconds 0.01 --rounds 1)
one=(stress --layout 1t@1c "${short[@]}")
cpus=$(nproc)

# ---- tables ----
run "${one[@]}" --mode hts
exits "one layout, one mode" 0 '^1t@1c '
says "AGGREGATE lines" '^AGGREGATE 1t@1c corral/hts .* cycles/obj'
run "${one[@]}"
exits "modes by default" 0 'mt .*rts .*hts'
run stress --layout 1t@1c --seconds 0.01 --rounds 6 --mode hts --impl corral,rte_ring,ck_ring,spinlock,mutex
exits "peers beside corral" 0 'rte_ring .*spinlock'
says "RATIO lines with intervals" '^RATIO 1t@1c corral/hts .*x of rte_ring.*95 %'
says "what RATIO means" '^(RATIO:'
run "${one[@]}" --mode rts/hts
exits "a mixed pair" 0 'rts/hts'
run stress --layout 2t@1c --roles split "${short[@]}" --mode st,mt,hts/st
exits "split roles, one a side" 0 '^2t@1c '
run stress --lcores 0,1@0,2@0 "${short[@]}" --mode hts
exits "lcores" 0 'lcores'
for access in peek zc; do
	run "${one[@]}" --access $access --mode hts --impl corral,rte_ring
	exits "access $access" 0 '^1t@1c '
done
for esize in 4 8 12 16 64 256; do
	run "${one[@]}" --esize $esize --mode mt,rts,hts --size 256
	exits "elements of $esize bytes" 0 '^1t@1c '
done
run "${one[@]}" --latency --timing call --mode hts --wait pause,yield --ring-wait sleep --bulk 1
exits "call times" 0 '^1t@1c '
run "${one[@]}" --bulk 32-8
exits "a bulk range that descends" 2 bulk
run "${one[@]}" --bulk 8-513
exits "a bulk above the most" 2 bulk
run "${one[@]}" --size 64 --objects 65
exits "more objects than the ring holds" 2 objects
run "${one[@]}" --size 16 --objects 8 --mode hts
exits "bulks larger than what circulates are told" 2 bulk

# ---- documents ----
run "${one[@]}" --mode hts --json
exits "--json" 0
json "has what every document has" \
	'.corral and .verb == "stress" and (.when | test("^[0-9]{4}-[0-9]{2}-[0-9]{2}T")) and (.argv | length > 3) and
	 .host.kernel and .host.arch and .host.compiler and (.host.online_cpus | length > 0) and (.host.loadavg | length == 3) and
	 (.results | length == 1) and (.skipped | type == "array")'
json "has what a result has" \
	'.results[0] | .layout == "1t@1c" and .threads == 1 and .cores == 1 and .roles == "both" and .impl == "corral" and
	 .mode == "hts" and .prod_mode == "hts" and .cons_mode == "hts" and .access == "copy" and .esize == 8 and
	 .size == 8192 and .objects == 2048 and .bulk == [8, 32] and (.rounds | length == 1) and .mobj_s.median > 0 and
	 .mobj_s.ci95 == [null, null] and .cycles_per_obj.median > 0 and .clock and .wait == "yield" and
	 .ring_wait == "default" and .timing == "total" and .stages == 0 and .quota_pct == null and .isolated == false and
	 .per_thread.min_share == 1 and .lost == 0 and .duplicated == 0 and .short_calls >= 0 and (.noisy | type == "boolean")'
is "and prints no table" bash -c "! grep -q AGGREGATE '$work/out'"
run "${one[@]}" --mode hts --latency --json
json "call times in it" '.results[0].call_ns | .calls > 0 and .p50 <= .p99 and .p99 <= .p999 and .p9999 <= .max'
run "${one[@]}" --mode hts --impl spinlock,corral --json
json "a peer without modes is measured once" '[.results[] | select(.impl == "spinlock") | .mode] == ["-"]'
run "${one[@]}" --mode hts --json="$work/doc.json"
exits "--json=FILE prints the table too" 0 '^AGGREGATE'
json "and writes the document" '.results | length == 1' "$work/doc.json"
echo kept >"$work/doc.json"
run "${one[@]}" --mode hts --size 64 --objects 65 --json="$work/doc.json"
exits "a run that cannot begin" 2
is "leaves an older document as it was" grep -qx kept "$work/doc.json"
run "${one[@]}" --mode hts --json="$work/nowhere/doc.json"
exits "a folder that is not there" 3 "nowhere"
run "${one[@]}" --mode hts --json=/dev/full
is "a full disk under the document is told" test $rc -ne 0 -a -s "$work/err"
is "no half-written file is left" bash -c "[[ \$(ls '$work' | grep -c doc.json) -eq 1 ]]"

# ---- what is left out ----
run stress --layout $((cpus + 1))t@$((cpus + 1))c,1t@1c "${short[@]}" --mode hts
exits "a layout of more cores than there are is skipped" 0 "needs $((cpus + 1)) cores, this process may use $cpus"
run stress --layout $((cpus + 1))t@$((cpus + 1))c "${short[@]}" --mode hts
exits "and if nothing is left that is said" 3 "cores"
rc=0
taskset -c "$(taskset -pc $$ | sed 's/.*: //; s/[-,].*//')" "$CORRAL" stress --layout 2t@2c,2t@1c "${short[@]}" --mode hts \
	>"$work/out" 2>"$work/err" || rc=$?
exits "a cpuset of one CPU" 0 "2t@2c needs 2 cores, this process may use 1"
run stress --layout 1t@1c,4t@1c "${short[@]}" --mode st,hts --json
exits "ST with many threads is skipped" 0 "one worker a side only; take mode"
json "and named in the document" '[.skipped[] | select(.why | test("one worker a side"))] | length >= 1'
run "${one[@]}" --mode hts --impl corral,ck_ring --json
json "a mode that a peer has not is named" '[.skipped[] | select(.what | test("ck_ring"))] | length == 1'
run "${one[@]}" --mode mt,hts --access peek --json
json "a mode that has no peek is named" '[.skipped[] | select(.what | test("mt"))] | length == 1'
mkdir -p "$work/peers"
cp "$BUILD/bench/peers/corral-peer-corral.so" "$work/peers/"
CORRAL_PEERS=$work/peers run "${one[@]}" --mode hts --impl corral,rte_ring
exits "a plug-in that is not there is named, with its package" 0 "libdpdk-dev"
CORRAL_PEERS=$work run "${one[@]}" --mode hts
exits "no plug-in at all" 3 "corral-peer-corral.so"
run "${one[@]}" --impl corral,corral --mode hts,hts
exits "names that stand twice" 0 "named twice"
is "are measured once" test "$(grep -c '^AGGREGATE' "$work/out")" -eq 1

# ---- words that are off, with their place ----
run stress --layout 3t@2c,2t@1x
exits "a bad layout" 2 "^3t@2c,2t@1x$"
says "its place is marked" '^          ^$'
run stress --lcores '0,(1-2'
exits "a bad list of lcores" 2 "never closed"
run stress --lcores ''
exits "an empty list of lcores" 2 "empty"
run stress -l ''
exits "an empty short list" 2 "empty"
run stress --lcores 0
exits "a list without a worker" 2 "worker"
run stress --lcores 0,99@8000
exits "a CPU that may not be used" 2 "8000"
run stress --lcores 0,1@0,1@0
exits "an lcore twice" 2 "lcore 1"
run stress --lcores 0,1@0 --layout 1t@1c
exits "a list and a layout" 2 "layout"
run stress --layout 1t@1c --roles split "${short[@]}"
exits "one thread cannot split its roles" 3 "split roles need two threads"

# ---- colours and progress ----
if command -v script >/dev/null; then
	terminal()
	{
		rc=0
		script -qec "$1" /dev/null >"$work/out" 2>"$work/err" </dev/null || rc=$?
	}
	long="'$CORRAL' stress --layout 1t@1c,2t@1c --mode mt,rts,hts --seconds 0.2 --rounds 6"
	terminal "$long"
	exits "on a terminal it shows how long it takes" 0 " left"
	is "and colours" grep -q $'\e\[1m' "$work/out"
	terminal "NO_COLOR=1 $long"
	is "none with NO_COLOR" bash -c "! grep -q \$'\\e\\\\[1m' '$work/out'"
else
	skip "progress on a terminal" "script(1) is missing: apt-get install bsdutils"
fi
run stress --layout 1t@1c --mode hts --seconds 0.5 --rounds 6
is "no progress where nobody looks" bash -c "! grep -q ' left' '$work/err'"

# ---- signals ----
signal()
{
	local name=$1 number=$2 pid
	rc=0
	# a shell's background jobs ignore SIGINT: set it back before the tool starts
	python3 -c 'import os, signal, sys
signal.signal(signal.SIGINT, signal.SIG_DFL)
os.execv(sys.argv[1], sys.argv[1:])' "$CORRAL" stress --layout 1t@1c,2t@1c --mode mt,rts,hts --seconds 0.05 --rounds 400 \
		--json="$work/$name.json" >"$work/out" 2>"$work/err" </dev/null &
	pid=$!
	# until it is the tool, and has measured some
	while [[ -e /proc/$pid && $(<"/proc/$pid/comm") != corral ]]; do
		sleep 0.1
	done
	sleep 2
	kill "-$name" $pid
	wait $pid || rc=$?
	exits "SIG$name ends a run in order" $((128 + number)) '^AGGREGATE'
	json "what was measured is written" '.results | length >= 1' "$work/$name.json"
}
signal INT 2
signal TERM 15
finish
