#!/usr/bin/env bash
# the command line as a contract: what the tool prints, writes and exits with.
# shellcheck source=scripts/leg.sh
source "$(dirname "${BASH_SOURCE[0]}")/../leg.sh"
need peers cli
configure --werror -Dpeers=enabled -Dsmall_peers=true -Dmodel=false
build
for script in test/cli/test_*.sh; do
	name=$(basename "$script" .sh)
	run_tap "${name#test_}" env CORRAL="$dir/cmd/corral" BUILD="$dir" CORRAL_TEST_DIR="$dir" bash "$script"
done
finish
