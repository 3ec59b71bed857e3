#!/usr/bin/env bash
# All tests of the command line on one build: test/cli/run.sh [BUILD]. Exit code 0 if all hold.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
build=$(realpath "${1:-build}")
bad=0
for script in test/cli/test_*.sh; do
	echo "# $script"
	CORRAL=$build/cmd/corral BUILD=$build CORRAL_TEST_DIR=${CORRAL_TEST_DIR:-$build/test/cli-work} bash "$script" || bad=1
done
exit $bad
