#!/usr/bin/env bash
# libFuzzer for a bounded time over every parser and over sequences of ring calls.
# shellcheck source=scripts/leg.sh
source "$(dirname "${BASH_SOURCE[0]}")/../leg.sh"
need fuzz
export UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1
# Seconds for all targets together, shared by weight.
FUZZ_SECONDS=${FUZZ_SECONDS:-70}
targets=("ring 5" "lcores 2" "opts 2" "cpuset 1" "layouts 1" "names 1" "show 1" "doc 1" "host 1" "value 1")

CC=clang CXX=clang++ configure -Dfuzz=true -Dpeers=disabled -Dmodel=false -Dbuildtype=debugoptimized \
	-Db_sanitize=address,undefined -Db_lundef=false -Dc_args="$quick"
build

total=0
for target in "${targets[@]}"; do
	total=$((total + ${target#* }))
done
fuzz()
{
	local name=$1 seconds=$2 out=$dir/fuzz_$1.out program=$dir/test/fuzz/fuzz_$1 rc=0
	mkdir -p "$dir/corpus/$name" "$dir/found"
	"${fixed_addresses[@]}" "$program" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -print_final_stats=1 \
		-artifact_prefix="$dir/found/$name-" "$dir/corpus/$name" "test/fuzz/seeds/$name" >"$out" 2>&1 || rc=$?
	if [[ $rc -eq 0 ]]; then
		echo "fuzz: $name: $(awk '/number_of_executed_units/ { print $2 }' "$out") runs in $seconds s"
		return 0
	fi
	tail -n 60 "$out"
	echo "fuzz: $name: what it found is in $dir/found/$name-*; to see it again: $program FILE"
	echo "fuzz: once mended, put the file into test/fuzz/crashers/$name/: it is replayed in every leg from then on"
	return 1
}
for target in "${targets[@]}"; do
	name=${target% *}
	seconds=$(((FUZZ_SECONDS * ${target#* } + total - 1) / total))
	check "$name finds nothing in $seconds s" fuzz "$name" "$seconds"
done
finish
