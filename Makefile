# A thin front: each target does its own set-up. See README.md and CONTRIBUTING.md.
PREFIX ?= /usr/local
DESTDIR ?=
ARCH ?=
export PREFIX DESTDIR ARCH

all:
	@scripts/build.sh

run:
	@scripts/run.sh

test:
	@scripts/test.sh

# what a developer wants at every change: under five minutes
test-quick:
	@LEGS="gcc cli headers style" scripts/test.sh

test-long:
	@scripts/test-long.sh

bench:
	@scripts/bench.sh

mutants:
	@scripts/mutants.sh

install:
	@scripts/install.sh

clean:
	rm -rf build build-test build-i686

.PHONY: all run test test-quick test-long bench mutants install clean
