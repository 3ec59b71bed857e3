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

# for builds that look for faults: forced inlining costs sanitizers minutes, invariants cost nothing there
# shellcheck disable=SC2034 # for the legs
quick="-DCORRAL_NO_FORCED_INLINE_ -DCORRAL_DEBUG"

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

# check NAME CMD…: one case that a command decides
check()
{
	local name=$1
	shift
	if "$@"; then
		ok "$name"
	else
		not_ok "$name"
	fi
}

# A leg that ends before its time has failed, whatever it had counted.
finished=no
# shellcheck disable=SC2154
trap 'rc=$?; [[ $finished == yes ]] || not_ok "ended early ($rc)"; exit $rc' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

finish()
{
	finished=yes
	! grep -q '^not ok' "$tap"
}

need()
{
	scripts/setup.sh "$@"
}

configure()
{
	scripts/configure.sh "$dir" "$@"
}

build()
{
	if ! ninja -C "$dir" -j "$jobs"; then
		not_ok "builds"
		finished=yes
		exit 1
	fi
	ok "builds"
}

# meson_test [OPTION…]: run the tests of $dir, count each of their cases
meson_test()
{
	rm -f "$dir"/meson-logs/testlog*.json
	meson test -C "$dir" --no-rebuild --num-processes "$jobs" --print-errorlogs "$@" || true
	python3 scripts/tap.py meson "$leg" "$dir"/meson-logs/testlog*.json | tee -a "$tap"
}

# run_tap NAME CMD…: run one program that prints TAP, count each of its cases
run_tap()
{
	local name=$1 out rc=0
	shift
	out=$dir/$name.out
	mkdir -p "$dir"
	"$@" >"$out" 2>"$out.err" || rc=$?
	cat "$out.err"
	python3 scripts/tap.py program "$leg" "$name" "$out" "$rc" | tee -a "$tap"
}
