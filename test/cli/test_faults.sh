#!/usr/bin/env bash
# Queues that are wrong: every fault of the fake plug-in (test/measure/fake_peer.h) is found and told. Prints TAP.
# shellcheck source=test/cli/cli.sh
source "$(dirname "${BASH_SOURCE[0]}")/cli.sh"
export CORRAL_PEERS=$BUILD/test/measure

# stress MODE ARG…: with the fake in that mode; longer if the machine gave its workers no time to do wrong
stress()
{
	local mode=$1 seconds
	shift
	for seconds in 0.02 0.2 2; do
		run stress --impl mutex --mode "$mode" --size 256 --objects 64 --bulk 4-8 --seconds $seconds --rounds 1 "$@"
		[[ $rc -eq 0 ]] || break
	done
}

# faulty NAME MODE LAYOUT FIELD WORD: objects go round; the fault is told in words, in the document and by the exit code
faulty()
{
	stress "$2" --layout "$3" --json
	exits "$1: exit 1" 1 "FAILED: $3 mutex/$2.*[1-9][0-9]* $5"
	says "$1: in which round" "$3 mutex/$2.*, round 1: "
	json "$1: in the document" ".results[0].$4 > 0"
}

run stress --impl mutex --mode mt --layout 2t@1c --seconds 0.01 --rounds 1 --json
exits "a fake without a fault" 0
json "nothing is wrong with it" '.results[0] | .lost + .duplicated + .corrupt + .disorder == 0'
faulty "an object is lost" rts 2t@1c lost lost
faulty "one is there twice" hts 2t@1c duplicated duplicated
faulty "an older copy" st 1t@1c lost lost
faulty "a bit flips" mt/rts 2t@1c corrupt corrupt
faulty "an object that nobody put" rts/hts 2t@1c corrupt corrupt
faulty "a queue without a bottom" st/rts 2t@1c duplicated duplicated

# streams: each producer's own
for case in "lost:rts:lost" "there twice:hts:duplicated" "torn:rts/mt:corrupt" "out of order:mt/hts:out of order"; do
	IFS=: read -r name mode word <<<"$case"
	for seconds in 0.02 0.2 2; do
		run stress --impl mutex --mode "$mode" --roles split --layout 4t@1c --bulk 4-8 --seconds $seconds --rounds 1
		[[ $rc -eq 0 ]] || break
	done
	exits "split roles, $name: exit 1" 1 "FAILED: .*$word"
done

stress rts --layout 2t@1c --json="$work/fault.json"
exits "a fault, the table and a file" 1 '^AGGREGATE'
json "the file is written" '.results[0].lost > 0' "$work/fault.json"
run stress --impl mutex --mode mt,rts --size 256 --objects 64 --bulk 4-8 --layout 2t@1c --seconds 0.2 --rounds 2
exits "one that is wrong among others" 1 "FAILED: 2t@1c mutex/rts"
is "the others are not accused" bash -c "! grep -q 'FAILED.*mutex/mt' '$work/err'"

# what cannot be made or run
run stress --impl mutex --mode mt,mt/st --layout 1t@1c --seconds 0.01 --rounds 1 --json
exits "a queue that cannot be made is left out" 0 "skipped: .*mutex/mt/st: the queue cannot be made: No space left"
json "and named in the document" '[.skipped[] | select(.what | test("mutex/mt/st"))] | length == 1'
run stress --impl mutex --mode st/mt --layout 1t@1c --seconds 0.01 --rounds 1
exits "one that holds too little, alone" 3 "does not take 2048 objects"
run stress --impl mutex --mode hts/rts --layout 1t@1c --seconds 0.01 --rounds 1
exits "a combination that it has not, alone" 3 "has not this combination"

# workers that do not stop
rc=0
timeout --preserve-status -s TERM 1 "$CORRAL" stress --impl mutex --mode mt,hts/mt --layout 2t@1c --seconds 0.01 --rounds 1 \
	--json="$work/stuck.json" >"$work/out" 2>"$work/err" </dev/null || rc=$?
exits "workers that hang: exit 1, also when a signal ends the wait" 1 "mutex/hts/mt is stuck"
says "that it waits is told" "workers have not stopped for 5 s"
json "the document names it" '[.skipped[] | select(.why | test("stuck"))] | length == 1' "$work/stuck.json"

run perf --impl mutex --mode mt,mt/st --where single --call bulk --n 8 --budget 1 --rounds 2
exits "perf: a queue that cannot be made is left out" 0 "mutex/mt/st.*No space left"
finish
