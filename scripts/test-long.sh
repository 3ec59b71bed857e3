#!/usr/bin/env bash
# test-long.sh: `make test-long`: what takes too long for every change: stress tests twenty times as long, the mutants,
# ten minutes of fuzzing.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
rc=0
CORRAL_STRESS_LONG=20 LEGS="full tsan" scripts/test.sh || rc=1
FUZZ_SECONDS=600 LEGS=fuzz scripts/test.sh || rc=1
scripts/mutants.sh || rc=1
exit $rc
