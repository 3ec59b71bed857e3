#!/usr/bin/env bash
# The tool as a whole: help, version, verbs, and words that are off. Prints TAP.
# shellcheck source=test/cli/cli.sh
source "$(dirname "${BASH_SOURCE[0]}")/cli.sh"

run
exits "alone it lists the verbs" 0 '^  stress '
quiet "and says nothing else" err
run --help
exits "--help lists the verbs" 0 '^  perf '
run --version
exits "--version tells the version" 0 '^corral [0-9]*\.[0-9]*\.[0-9]*$'
run nosuch
exits "a verb that is none" 2 "'nosuch' is no verb; allowed: stress, perf"
quiet "prints no result" out
for verb in pktio-perf isolate noise topo ifs replay forward capture ring report compare; do
	run $verb
	exits "$verb is not in this version" 2 'not in this version'
done
run --nosuch
exits "an option that is none" 2 "nosuch"
run stress perf
exits "a word too many" 2 "perf"

for verb in stress perf; do
	run $verb --help
	exits "$verb --help" 0 '^Usage: corral'
	quiet "$verb --help says nothing else" err
	is "$verb --help has no line of over 110 columns" bash -c "! grep -E '.{111}' '$work/out'"
	is "$verb --help tells nothing that is not built" bash -c "! grep -Ei 'isolate|quota|park|stage|sched' '$work/out'"
	# its examples work when pasted
	sed -n '/^Examples:/,/^$/s/^  corral //p' "$work/out" >"$work/examples"
	is "$verb --help has two examples" test "$(wc -l <"$work/examples")" -ge 2
	while read -r line; do
		read -ra words <<<"$line"
		run "${words[@]}"
		exits "example: corral $line" 0
	done <"$work/examples"
	run $verb --nosuch
	exits "$verb: an option that is none" 2 "nosuch"
	run $verb --rounds
	exits "$verb: an option without its value" 2 "rounds"
	run $verb --rounds=
	exits "$verb: an empty value" 2 "rounds"
	run $verb --rounds 0
	exits "$verb: below the range" 2 "rounds.*0"
	run $verb --rounds -3
	exits "$verb: a negative number" 2 "rounds"
	run $verb --rounds 1e3
	exits "$verb: no number" 2 "rounds"
	run $verb --rounds 99999999999999999999
	exits "$verb: a number that no machine has" 2 "rounds"
	run $verb --esize 6
	exits "$verb: an element size that is no multiple of 4" 2 "esize"
	run $verb --impl nosuch
	exits "$verb: an implementation that is none" 2 "allowed: .*rte_ring"
	run $verb --impl moodycamel
	exits "$verb: an implementation of a later version" 2 "not in this version"
	run $verb --mode nosuch
	exits "$verb: a mode that is none" 2 "allowed: .*hts"
	run $verb --mode default
	exits "$verb: the mode of a later version" 2 "not in this version"
	run $verb --impl corral,,mutex
	exits "$verb: an empty element of a list" 2 "impl"
	run $verb --isolate
	exits "$verb: --isolate is not in this version" 2 "not in this version"
	run $verb --wait park
	exits "$verb: --wait park is not in this version" 2 "not in this version"
	run $verb stray
	exits "$verb: a word that belongs nowhere" 2 "stray"
done

run stress --layout 1t@1c --mode hts --seconds 0.01 --rounds 1
is "output that nobody reads ends it without noise" bash -c \
	"'$CORRAL' stress --help | head -n 1; [[ \${PIPESTATUS[0]} -eq 0 || \${PIPESTATUS[0]} -ge 1 ]]"
rc=0
"$CORRAL" stress --layout 1t@1c --mode hts --seconds 0.01 --rounds 1 >/dev/full 2>"$work/err" || rc=$?
: >"$work/out"
is "a full disk under the table is told" test $rc -ne 0 -a -s "$work/err"
finish
