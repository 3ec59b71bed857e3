# shellcheck shell=bash
# leg.sh - sourced by scripts/legs/*.sh: what the legs of `make test` share.
#
# A leg builds something in $dir and reports case by case into $tap (ok, not_ok, skip; TAP without numbers), from where
# scripts/test.sh counts. Whatever else it prints is its log. LEG_DIR says where all that goes.
set -euo pipefail
shopt -s inherit_errexit
cd "$(dirname "${BASH_SOURCE[0]}")/.."
leg=$(basename "$0" .sh)
LEG_DIR=$(realpath -m "${LEG_DIR:-build-test}")
dir=$LEG_DIR/$leg
tap=$LEG_DIR/results/$leg.tap
mkdir -p "$LEG_DIR/results"
: >"$tap"
jobs=${JOBS:-$(nproc)}

# What a leg shows must not hang on who calls it.
unset CFLAGS CXXFLAGS CPPFLAGS LDFLAGS MAKEFLAGS MAKELEVEL PKG_CONFIG_PATH
export CC=gcc CXX=g++ LC_ALL=C.UTF-8

# for builds that look for faults: forced inlining costs sanitizers minutes, invariants cost nothing there
# shellcheck disable=SC2034 # for the legs
quick="-DCORRAL_NO_FORCED_INLINE_ -DCORRAL_DEBUG"

# Sanitizers' shadow memory stands where kernels that shuffle 32 bits of an address may put something else.
fixed_addresses=()
if setarch -R true 2>/dev/null; then
	fixed_addresses=(setarch -R)
fi

ok()
{
	echo "ok - $leg: $1" | tee -a "$tap"
}

not_ok()
{
	echo "not ok - $leg: $1" | tee -a "$tap"
}

skip()
{
	echo "ok - $leg: $1 # SKIP $2" | tee -a "$tap"
}

# check NAME CMD…: one case that a command decides; where CMD is a function, all of its commands must succeed
check()
{
	local name=$1 rc=0
	shift
	set +e
	(
		set -e
		"$@"
	)
	rc=$?
	set -e
	if [[ $rc -eq 0 ]]; then
		ok "$name"
	else
		not_ok "$name"
	fi
}

# none CMD…: a search (grep) that finds nothing; an error is not "nothing"
none()
{
	local rc=0
	"$@" || rc=$?
	[[ $rc -eq 1 ]]
}

# A leg that ends before its time has failed, whatever it had counted.
finished=no
trap 'rc=$?; [[ $finished == yes ]] || not_ok "ended early ($rc)"; exit "$rc"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

finish()
{
	finished=yes
	grep -q '^ok' "$tap" || not_ok "has any case"
	none grep -q '^not ok' "$tap"
}

# give_up NAME: a case without which the rest has no sense
give_up()
{
	not_ok "$1"
	finished=yes
	exit 1
}

need()
{
	scripts/setup.sh build test "$@"
}

configure()
{
	scripts/configure.sh "$dir" "$@" || give_up "configures"
}

build_only()
{
	ninja -C "$dir" -j "$jobs" "$@" || give_up "builds"
	ok "builds"
}

build()
{
	build_only all
}

# meson_test [OPTION…]: run the tests of $dir, count each of their cases
meson_test()
{
	find "$dir/meson-logs" -name 'testlog*' -delete
	"${fixed_addresses[@]}" meson test -C "$dir" --no-rebuild --num-processes "$jobs" --print-errorlogs "$@" \
		${CORRAL_STRESS_LONG:+--timeout-multiplier "$((4 * CORRAL_STRESS_LONG))"} || true
	python3 scripts/tap.py meson "$leg" "$dir"/meson-logs/testlog*.json | tee -a "$tap"
}

# run_tap NAME CMD…: run one program that prints TAP, count each of its cases
run_tap()
{
	local name=$1 out rc=0
	shift
	mkdir -p "$dir"
	out=$dir/$name.out
	timeout --foreground -k 10 "${TAP_SECONDS:-900}" "$@" >"$out" 2>"$out.err" </dev/null || rc=$?
	cat "$out.err"
	grep '^#' "$out" || true
	python3 scripts/tap.py program "$leg" "$name" "$out" "$rc" | tee -a "$tap"
}
