#!/usr/bin/env bash
# gcc and clang at each level of optimisation and with LTO: the rings must not depend on one.
# shellcheck source=scripts/leg.sh
source "$(dirname "${BASH_SOURCE[0]}")/../leg.sh"
need opt
mkdir -p "$dir"
sources=(lib/base/*.c lib/wait/*.c lib/ring/*.c test/unit/ring_calls.c)
tests=(basic model peek refuse wait)
common="-std=c11 -D_GNU_SOURCE -Wall -Wextra -Wno-missing-field-initializers -Werror -Iinclude -Ilib -Itest/unit -pthread"
levels=("gcc-O0 gcc -O0" "gcc-O1 gcc -O1" "gcc-O2 gcc -O2" "gcc-lto gcc -O3 -flto=auto" "clang-O0 clang -O0"
	"clang-O1 clang -O1" "clang-O3 clang -O3"
	"clang-thinlto clang -O3 -flto=thin -fuse-ld=lld -Wno-unused-command-line-argument")

# shellcheck disable=SC2016 # ninja's variables, not the shell's
# One ninja file for all of them, so that both cores have work.
{
	printf 'builddir = %s\n' "$dir"
	printf 'rule cc\n command = $cc $flags -MMD -MF $out.d -c $in -o $out\n depfile = $out.d\n deps = gcc\n'
	printf 'rule ld\n command = $cc $flags $in -o $out\n'
	for level in "${levels[@]}"; do
		read -r name cc flags <<<"$level"
		objects=()
		for source in "${sources[@]}"; do
			object=$dir/$name/${source//\//_}.o
			objects+=("$object")
			printf 'build %s: cc %s\n cc = %s\n flags = %s %s\n' "$object" "$source" "$cc" "$flags" "$common"
		done
		for test in "${tests[@]}"; do
			printf 'build %s: cc %s\n cc = %s\n flags = %s %s\n' "$dir/$name/$test.o" "test/unit/test_ring_$test.c" \
				"$cc" "$flags" "$common"
			printf 'build %s: ld %s %s\n cc = %s\n flags = %s %s\n' "$dir/$name/$test" "$dir/$name/$test.o" \
				"${objects[*]}" "$cc" "$flags" "$common"
		done
	done
} >"$dir/build.ninja"
if ! ninja -f "$dir/build.ninja" -j "$jobs"; then
	not_ok "builds"
	finished=yes
	exit 1
fi
ok "builds"
for level in "${levels[@]}"; do
	read -r name _ <<<"$level"
	for test in "${tests[@]}"; do
		run_tap "$name-ring_$test" "$dir/$name/$test"
	done
done
finish
