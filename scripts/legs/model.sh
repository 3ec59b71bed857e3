#!/usr/bin/env bash
# the model explorer: the real headers through all executions that RC11 allows.
# shellcheck source=scripts/leg.sh
source "$(dirname "${BASH_SOURCE[0]}")/../leg.sh"
need build
configure --werror -Dtool=false -Dpeers=disabled -Dbuildtype=debugoptimized
build_only test/model/test_model
run_tap model "$dir/test/model/test_model"
check "counts its scenarios" grep '^# [0-9]* scenarios' "$dir/model.out"
finish
