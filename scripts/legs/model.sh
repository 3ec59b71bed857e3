#!/usr/bin/env bash
# the model explorer: the real headers through all executions that RC11 allows.
# shellcheck source=scripts/leg.sh
source "$(dirname "${BASH_SOURCE[0]}")/../leg.sh"
need build
configure --werror -Dtool=false -Dpeers=disabled -Dbuildtype=debugoptimized
ninja -C "$dir" -j "$jobs" test/model/test_model || { not_ok "builds"; finished=yes; exit 1; }
ok "builds"
run_tap model "$dir/test/model/test_model"
grep '^# [0-9]* scenarios' "$dir/model.out" || not_ok "counts its scenarios"
finish
