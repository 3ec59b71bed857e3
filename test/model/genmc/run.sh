#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# run.sh - the ring's scenarios through the model checker GenMC (0.10; from $GENMC, or PATH).
#
#   run.sh [--imm|--rc11] [--weaken] [FILTER]
#
# Runs the scenarios of the table whose text has FILTER in it, in both models or the one given, JOBS at a time
# (default 2), and prints a line for each. --weaken: puts in each weakened order of mutants.py, one at a time, and runs
# until a scenario finds it; each must be found. Not part of the tests: see doc/memory-model.md.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
tree=$(cd "$here/../../.." && pwd)
genmc=${GENMC:-genmc}
jobs=${JOBS:-2}
limit=${LIMIT:-600} # seconds a run

# Which modes, the ring, and what its threads do: the language of test/model/ring_world.h, and the promises of ring.c.
# Modes: all; mp, mc, mm (many producers, consumers, both); px, cx (any producers, consumers, the
# others mt); pp, pc (peek: producers, consumers hts); or names.
scenarios() {
	cat <<-'END'
		mm cap=1 : P1 | P1 | G1 | G1
		px cap=2 at=0xffffffffffff : W P1 | C
		cx cap=2 at=0xffffffffffff has=1 : W G1 | E
		px cap=2 at=0xffffffffffff : W P1 | D
		cx cap=2 at=0xffffffffffff has=1 : W G1 | R
		mt/mt,rts/mt,hts/mt cap=2 at=0xffffffffffff : P1 | P1 F H G1
		hts/mt cap=2 at=0xffffffffffff : O | S
		pp cap=1 : Y1,0 | P1 | G1
		pc cap=1 has=1 : P1 | K1,0 | G1
		all cap=1 : P1 | G1
		mp cap=2 slip=2 : P1 P1 | P1 | G1 G1
		mp cap=1 : P1 | P1 | G1
		mc cap=1 has=1 : P1 | G1 | G1
		all cap=1 words=16 has=1 : P1 | G1
		mp cap=1 : P1 P1 | P1 | G1 G1
		mc cap=1 has=1 : P1 P1 | G1 G1 | G1
		mp cap=2 : P1 P1 | P1 | G1 G1
		mt/mt,mt/hts,hts/mt,hts/hts,st/mt,st/hts cap=2 has=1 : P1 P1 | G1 G1 | G1
		st/rts,rts/rts cap=2 has=1 : P1 | G1 G1 | G1
		mm cap=2 has=1 : P1 | P1 | G1
		mp cap=2 has=2 : G2 | P1 | P1
		mc cap=2 : P2 | G1 | G1
		mp cap=2 has=1 : P1 P1 | P1 | G1
		mc cap=2 has=1 : P1 | G1 G1 | G1
		all cap=2 : P1 P1 P1 | G1 G1 G1
		all cap=3 : P2 p2 P1 | g2 G1 g3
		mp cap=3 at=3 : P2 | p3 | g3
		mc cap=3 at=2 has=2 : P2 | G2 | g3
		mp cap=2 words=2 at=1 : P2 | P1 | g2
		mc cap=2 words=3 at=1 has=1 : P1 | G2 | g1
		mp cap=1 at=0xffffffff : P1 P1 | P1 | G1
		mp cap=1 at=0x7fffffffffff : P1 P1 | P1 | G1
		mp cap=2 at=0xffffffffffff has=1 : P1 P1 | P1 | G1
		mc cap=2 at=0xffffffffffff has=1 : P1 | G1 G1 | G1
		mp cap=2 at=0x3fffffffffffffff has=1 : P1 P1 | P1 | G1
		mc cap=2 at=0x3fffffffffffffff has=1 : P1 | G1 G1 | G1
		mp cap=2 at=0x7fffffffffffffff has=1 : P1 P1 | P1 | G1
		mc cap=2 at=0x7fffffffffffffff has=1 : P1 | G1 G1 | G1
		mc cap=1 slip=2 has=1 : P1 | G1 G1 | G1
		mp cap=2 : P1 F | P1 F | G1
		pc cap=2 has=1 : P1 | K1,1 | G1
		pc cap=2 has=2 : P1 | K2,1 | G1
		pc cap=2 has=2 : P1 | K2,0 | g2
		pc cap=2 at=1 has=2 : P1 | Z2,1 | g2
		pc cap=1 has=1 : P1 | Z1,1 | Z1,0
		pp cap=2 : Q2,1 P1 | G1 | P1
		pp cap=2 : Q2,0 | P1 P1 | G1
		pp cap=2 at=1 : Y2,2 | P1 | g2
		pp cap=1 : Y1,0 Y1,1 | P1 | G1
	END
}

modes_of() {
	local p c
	case $1 in
	all) for p in st mt rts hts; do for c in st mt rts hts; do echo $p/$c; done; done ;;
	mp) for p in mt rts hts; do for c in st mt rts hts; do echo $p/$c; done; done ;;
	mc) for p in st mt rts hts; do for c in mt rts hts; do echo $p/$c; done; done ;;
	mm) for p in mt rts hts; do for c in mt rts hts; do echo $p/$c; done; done ;;
	px) printf '%s\n' st/mt mt/mt rts/mt hts/mt ;;
	cx) printf '%s\n' mt/st mt/mt mt/rts mt/hts ;;
	pp) for c in st mt rts hts; do echo hts/$c; done ;;
	pc) for p in st mt rts hts; do echo $p/hts; done ;;
	*) tr , '\n' <<<"$1" ;;
	esac
}

# "mt/hts cap=1 : P1 | G1" for each scenario and pair of modes
table() {
	local which rest modes
	while read -r which rest; do
		for modes in $(modes_of "$which"); do
			echo "$modes $rest"
		done
	done < <(scenarios)
}

flag_of() { # SIDE MODE
	case $1/$2 in
	prod/st) echo CORRAL_RING_F_SP_ENQ ;;
	prod/mt) echo CORRAL_RING_F_MP_STRICT_ENQ ;;
	prod/rts) echo CORRAL_RING_F_MP_RTS_ENQ ;;
	prod/hts) echo CORRAL_RING_F_MP_HTS_ENQ ;;
	cons/st) echo CORRAL_RING_F_SC_DEQ ;;
	cons/mt) echo CORRAL_RING_F_MC_STRICT_DEQ ;;
	cons/rts) echo CORRAL_RING_F_MC_RTS_DEQ ;;
	cons/hts) echo CORRAL_RING_F_MC_HTS_DEQ ;;
	*) echo "run.sh: no mode '$2'" >&2 && return 1 ;;
	esac
}

# The header that makes ring.c the scenario. GenMC hands its flags to a shell, so they had better not carry this.
header_of() {
	local -A value=([cap]=1 [has]=0 [words]=1 [at]=0 [slip]=0)
	local text=$1 modes setting settings threads thread number=0 prod cons
	modes=${text%% *}
	prod=$(flag_of prod "${modes%/*}")
	cons=$(flag_of cons "${modes#*/}")
	threads=${text#* : }
	read -ra settings <<<"${text#* }"
	for setting in "${settings[@]}"; do
		[ "$setting" != : ] || break
		value[${setting%=*}]=${setting#*=}
	done
	echo "#define SCENARIO_FLAGS ($prod | $cons)"
	for setting in "${!value[@]}"; do
		echo "#define SCENARIO_${setting^^} ${value[$setting]}"
	done
	while read -r thread; do
		echo "#define T$number $(sed -E 's/([PpGgQYKZ])([0-9]+(,[0-9]+)?)/\1(\2)/g' <<<"$thread")"
		number=$((number + 1))
	done < <(tr '|' '\n' <<<"$threads")
}

# One scenario in one model: SOURCES MODEL TEXT; prints a line, fails if GenMC found an error or did not end.
one() {
	local sources=$1 model=$2 text=$3 dir out rc=0 began=$SECONDS complete blocked verdict=ok
	dir=$(mktemp -d)
	header_of "$text" >"$dir/scenario.h"
	# TMPDIR: GenMC leaves what it compiled in the folder for temporary files
	out=$(TMPDIR=$dir timeout "$limit" "$genmc" "$model" --check-liveness --disable-estimation \
		--disable-mm-detector --disable-confirmation-annotation -- -O1 -w -fno-pic -fno-builtin \
		"-I'$here/include'" "-I'$sources'" "-I'$sources/include'" -include "'$dir/scenario.h'" \
		"$here/ring.c" 2>&1) || rc=$?
	rm -rf "$dir"
	complete=$(sed -n 's/^Number of complete executions explored: //p' <<<"$out")
	blocked=$(sed -n 's/^Number of blocked executions seen: //p' <<<"$out")
	if [ "$rc" = 124 ]; then
		verdict="not ok (more than $limit s)"
	elif [ "$rc" != 0 ] || ! grep -q '^No errors were detected' <<<"$out"; then
		verdict="not ok ($(grep -E -m1 'rror:|rror detected|race|violation' <<<"$out" || echo "status $rc"))"
	fi
	printf '%s %8s %8s %4d s %s %s\n' "$verdict" "${complete:-0}" "${blocked:-0}" $((SECONDS - began)) "$model" "$text"
	[ "$verdict" = ok ]
}

# All lines of stdin ("MODEL TEXT"), JOBS at a time, and the sums.
all() {
	local out
	export -f one header_of flag_of
	export here genmc limit
	out=$(mktemp)
	# shellcheck disable=SC2016 # the inner shell expands it
	xargs -d '\n' -P "$jobs" -I@ bash -c 'one "$1" "${2%% *}" "${2#* }" || true' one "$tree" @ | tee "$out"
	awk '/^ok/ { ok++; complete += $2; blocked += $3 } END {
		printf "%d runs, %d without an error, %d complete executions, %d blocked\n", NR, ok, complete, blocked
		exit NR == 0 || ok != NR
	}' "$out" || { rm -f "$out" && return 1; }
	rm -f "$out"
}

# A pattern of the scenarios that reach a mutant: those of its mode.
which_of() {
	local mode
	case $1 in
	ring_st.h* | ring_mt.h* | ring_rts.h* | ring_hts.h*)
		mode=${1%%.h*}
		mode=${mode#ring_}
		echo "^$mode/|^[a-z]+/$mode "
		;;
	slip.c*) echo 'slip=2' ;;
	*) echo . ;;
	esac
}

# Each weakened order is found by some scenario, in each model.
weaken() {
	local name dir model text found missed=0
	dir=$(mktemp -d)
	while read -r name; do
		rm -rf "$dir/tree"
		"$tree/test/model/mutants.py" --copy "$dir/tree" "$name"
		for model in "${models[@]}"; do
			found=
			while read -r text; do
				found=$(one "$dir/tree" "$model" "$text" </dev/null) || break
				found=
			done < <(table | grep -F -- "$filter" | grep -E "$(which_of "$name")")
			[ -n "$found" ] || missed=$((missed + 1))
			echo "$name, $model: ${found:-NOT FOUND}"
		done
	done < <("$tree/test/model/mutants.py" --list | grep -E '>(RELAXED|ACQUIRE|RELEASE)$')
	rm -rf "$dir"
	echo "$missed not found"
	[ "$missed" = 0 ]
}

models=(--imm --rc11)
filter=
action=all
for arg; do
	case $arg in
	--imm | --rc11) models=("$arg") ;;
	--weaken) action=weaken ;;
	-*) sed -n '3,/^set/s/^# \{0,1\}//p' "$0" && exit 2 ;;
	*) filter=$arg ;;
	esac
done
if ! command -v "$genmc" >/dev/null; then
	echo "run.sh: no genmc: set GENMC to the program, or put it in PATH" >&2
	exit 1
fi
if [ $action = weaken ]; then
	weaken
else
	for model in "${models[@]}"; do
		table | grep -F -- "$filter" | sed "s/^/$model /"
	done | all
fi
