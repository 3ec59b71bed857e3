#!/usr/bin/env bash
# mutants.sh: `make mutants`: weaken every order, break every check, and see that explorer or unit tests tell.
# MUTANT=text runs those whose names have it.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
scripts/setup.sh build mutants
mkdir -p build-test/mutants
exec python3 test/model/mutants.py build-test/mutants "${MUTANT:-}"
