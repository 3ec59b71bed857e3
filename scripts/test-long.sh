#!/usr/bin/env bash
# test-long.sh: `make test-long`: what takes too long for every change: stress tests twenty times as long, ten minutes of
# fuzzing, the mutants. The last line counts, as that of `make test` does.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
export LEG_SECONDS=14400
passed=0 failed=0 skipped=0
part()
{
	local out
	out=$(mktemp)
	"$@" 2>&1 | tee "$out" || true
	read -r p f s < <(sed -n 's/^\([0-9]*\) passed, \([0-9]*\) failed, \([0-9]*\) skipped$/\1 \2 \3/p' "$out") || true
	rm -f "$out"
	passed=$((passed + ${p:-0})) failed=$((failed + ${f:-1})) skipped=$((skipped + ${s:-0}))
	p='' f='' s=''
}
part env CORRAL_STRESS_LONG=20 LEGS="full tsan" scripts/test.sh
part env FUZZ_SECONDS=600 LEGS=fuzz scripts/test.sh
if scripts/mutants.sh; then
	passed=$((passed + 1))
else
	failed=$((failed + 1))
fi
echo "$passed passed, $failed failed, $skipped skipped"
[[ $failed -eq 0 ]]
