#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""mutants.py - put faults into the ring, one at a time, and see that the tests find each.

    mutants.py BUILD_DIR [FILTER]    all mutants, or those whose name has FILTER in it; works in BUILD_DIR/mutants
    mutants.py --list                the names
    mutants.py --copy DIR NAME       include/ and lib/ with that mutant, in the new folder DIR

Mutants are each order in the ring's sources weakened in each way, and the edits of mutants.list. A mutant runs
through the model explorer, then if need be through the unit tests. It is killed by a test that fails (an assertion, a
found race, a trap); what does not compile, or runs out of time, is an error and no kill. equivalent.list names those
that nothing can kill, each with the argument why. Last line: N mutants, K killed, S survived, E equivalent.
"""

import concurrent.futures
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
TREE = HERE.parent.parent
UNIT = TREE / "test/unit"
UNIT_TESTS = ("basic", "model", "peek", "refuse", "slip", "stats", "wait")
FAULTS = (signal.SIGTRAP, signal.SIGILL, signal.SIGABRT, signal.SIGSEGV, signal.SIGBUS, signal.SIGFPE)
JOBS = 2
TIME_LIMIT = 600  # seconds a program

ORDER = re.compile(r"\bCORRAL_(ACQUIRE|RELEASE|ACQ_REL|SEQ_CST)\b")
FUNCTION = re.compile(r"^[A-Za-z][^;=#]*?\b(\w+)\(")
WEAKER = {
    "ACQUIRE": ("RELAXED",),
    "RELEASE": ("RELAXED",),
    "ACQ_REL": ("ACQUIRE", "RELEASE", "RELAXED"),
    "SEQ_CST": ("ACQ_REL", "ACQUIRE", "RELEASE", "RELAXED"),
}
NO_ORDER = {"load": ("ACQ_REL", "RELEASE"), "store": ("ACQ_REL", "ACQUIRE")}  # of a load, of a store


class Failure(Exception):
    """No verdict on the mutant."""


class Mutant:
    """A name, the file it changes, and that file's new text (a function: it may find that the edit does not fit)."""

    def __init__(self, name, file, text):
        self.name = name
        self.file = file
        self.text = text


def without_comments(text):
    """The same text, lines and columns, with comments blanked out."""
    blank = lambda m: re.sub(r"[^\n]", " ", m.group())
    return re.sub(r"/\*.*?\*/|//[^\n]*", blank, text, flags=re.S)


def weaker_orders(code, at, order):
    calls = re.findall(r"\bcorral_(load|store|cas|fetch_add)\(", code[:at])
    if not calls:
        raise SystemExit(f"an order that belongs to no access: {code[at:at + 60]}")
    return [w for w in WEAKER[order] if w not in NO_ORDER.get(calls[-1], ())]


def order_mutants():
    mutants = []
    for path in sorted(TREE.glob("include/corral/ring*.h")) + sorted(TREE.glob("lib/ring/*.c")):
        text = path.read_text()
        code = without_comments(text)
        start, function, number = 0, "?", 0
        for line in code.splitlines(keepends=True):
            begins = FUNCTION.match(line)
            if begins and not line.rstrip().endswith(";"):
                function, number = begins.group(1), 0
            for m in ORDER.finditer(line):
                number += 1
                at, end = start + m.start(), start + m.end()
                for weak in weaker_orders(code, at, m.group(1)):
                    new = text[:at] + "CORRAL_" + weak + text[end:]
                    name = f"{path.name} {function} {number} {m.group(1)}>{weak}"
                    mutants.append(Mutant(name, path.relative_to(TREE), lambda new=new: new))
            start += len(line)
    return mutants


def edited(file, hunks):
    text = (TREE / file).read_text()
    for old, new in hunks:
        if text.count(old) != 1:
            raise Failure(f"{file} has this {text.count(old)} times instead of once: {old!r}")
        text = text.replace(old, new)
    return text


def parse_record(lines):
    name, separator, file = lines[0].rpartition(" | ")
    if not separator or not (TREE / file).is_file():
        raise SystemExit(f"mutants.list: not 'NAME | FILE': {lines[0]}")
    hunks = []
    last = "+"
    for line in lines[1:]:
        if line[0] not in "-+" or (line[0] == "+" and not hunks):
            raise SystemExit(f"mutants.list: {name}: neither old nor new: {line}")
        if line[0] == "-" and last == "+":
            hunks.append(([], []))
        hunks[-1][line[0] == "+"].append(line[1:])
        last = line[0]
    if not hunks:
        raise SystemExit(f"mutants.list: {name}: changes nothing")
    hunks = [("\n".join(old), "\n".join(new)) for old, new in hunks]
    return Mutant(name, pathlib.Path(file), lambda: edited(file, hunks))


def listed_mutants():
    mutants, record = [], []
    for line in (HERE / "mutants.list").read_text().splitlines() + [""]:
        if line.startswith("#"):
            continue
        if line:
            record.append(line)
        elif record:
            mutants.append(parse_record(record))
            record = []
    return mutants


def all_mutants():
    mutants = order_mutants() + listed_mutants()
    names = [m.name for m in mutants]
    twice = {n for n in names if names.count(n) > 1}
    if twice:
        raise SystemExit("mutants of one name: " + ", ".join(sorted(twice)))
    return mutants


def equivalents(mutants):
    known = {}
    for line in (HERE / "equivalent.list").read_text().splitlines():
        if line and not line.startswith("#"):
            name, separator, why = line.partition(" | ")
            if not separator or not why or name not in {m.name for m in mutants}:
                raise SystemExit(f"equivalent.list: not 'NAME | ARGUMENT' of a mutant: {line}")
            known[name] = why
    return known


def copy_tree(mutant, folder):
    text = mutant.text()
    shutil.copytree(TREE / "include", folder / "include")
    shutil.copytree(TREE / "lib", folder / "lib")
    (folder / mutant.file).write_text(text)


def command(args):
    """Exit status and output; it must end in time."""
    with subprocess.Popen(
        [str(a) for a in args], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace"
    ) as p:
        try:
            output, _ = p.communicate(timeout=TIME_LIMIT)
        except subprocess.TimeoutExpired:
            p.kill()
            raise Failure(f"{pathlib.Path(args[0]).name} did not end in {TIME_LIMIT} s") from None
    return p.returncode, output


def compile_program(program, sources, flags):
    libs = [] if "-r" in flags else ["-lpthread"]
    cc = os.environ.get("CC", "cc").split()
    status, output = command(cc + ["-std=gnu11", "-D_GNU_SOURCE", "-w", *flags, "-o", program, *sources, *libs])
    if status != 0:
        raise Failure("does not compile: " + " / ".join(output.splitlines()[:3]))


def verdict(program, args=()):
    """How the program found the mutant, or None."""
    status, output = command([program, *args])
    lines = output.splitlines()
    because = ""  # the explorer's reason stands before its test
    for line in lines:
        if line.startswith("# because: "):
            because = " -- " + line.removeprefix("# because: ")
        if line.startswith("not ok "):
            return re.sub(r"^not ok \d+ - ", "", line).split(" # ")[0] + because
        if line.startswith("Bail out!"):
            return line
    if status < 0 and signal.Signals(-status) in FAULTS:
        return f"{pathlib.Path(program).name}: {signal.Signals(-status).name}"
    if status != 0:
        raise Failure(f"{pathlib.Path(program).name} ended with {status}: " + " / ".join(lines[-3:]))
    return None


def explorer_flags(tree):
    return ["-O2", "-DCORRAL_NO_FORCED_INLINE_", "-include", HERE / "sys.h", f"-I{HERE}/include", f"-I{HERE}",
            f"-I{tree}/include", f"-I{tree}/lib/ring"]  # fmt: skip


def prepare(work):
    """What no mutant changes, compiled once: the explorer without its rings."""
    core = [s for s in sorted(HERE.glob("*.c")) if not s.name.startswith("ring_")]
    compile_program(work / "core.o", core, ["-r", "-nostdlib", *explorer_flags(TREE)])


def explorer(folder):
    program = folder / "explorer"
    lib = [folder / "lib/ring/ring.c", folder / "lib/ring/slip.c", folder / "lib/wait/wait.c"]
    sources = sorted(HERE.glob("ring_*.c")) + lib + [folder.parent / "core.o"]
    compile_program(program, sources, explorer_flags(folder))
    return verdict(program, ["--rings", "--stop"])


def unit_tests(folder):
    rooms = [s for room in ("base", "wait", "ring") for s in sorted((folder / "lib" / room).glob("*.c"))]
    flags = ["-O0", "-DCORRAL_DEBUG", f"-I{folder}/include", f"-I{folder}/lib", f"-I{UNIT}"]
    rooms = [s for s in rooms if s.name != "exports.c"] + [UNIT / "ring_calls.c"]
    compile_program(folder / "lib.o", rooms, ["-r", "-nostdlib", *flags])
    for test in UNIT_TESTS:
        program = folder / f"test_ring_{test}"
        compile_program(program, [UNIT / f"test_ring_{test}.c", folder / "lib.o"], flags)
        found = verdict(program)
        if found:
            return f"test_ring_{test}: {found}"
    return None


def judge(mutant, work):
    """(verdict, how) of one mutant: killed, survived or error."""
    folder = work / re.sub(r"\W+", "_", mutant.name)[:100]
    shutil.rmtree(folder, ignore_errors=True)
    try:
        copy_tree(mutant, folder)
        found = explorer(folder) or unit_tests(folder)
    except Failure as e:
        return "error", str(e)
    shutil.rmtree(folder, ignore_errors=True)
    if found:
        for root in (folder, TREE):
            found = found.replace(f"{root}/", "")
        return "killed", found
    return "survived", "explorer and unit tests find nothing"


def run(mutants, work):
    """Judge all, two at a time; the counts."""
    known = equivalents(mutants)
    counts = {"killed": 0, "survived": 0, "equivalent": 0, "error": 0}

    def one(mutant):
        began = time.monotonic()
        result, how = judge(mutant, work)
        return result, how, time.monotonic() - began

    try:
        prepare(work)
    except Failure as e:
        raise SystemExit(f"mutants.py: the explorer: {e}") from None
    pool = concurrent.futures.ThreadPoolExecutor(JOBS)
    try:
        futures = [(m, pool.submit(one, m)) for m in mutants]
        for mutant, future in futures:
            result, how, seconds = future.result()
            if result == "survived" and mutant.name in known:
                result, how = "equivalent", known[mutant.name]
            counts[result] += 1
            print(f"{result:10} {mutant.name}: {how} [{seconds:.0f} s]", flush=True)
    except KeyboardInterrupt:
        pool.shutdown(wait=False, cancel_futures=True)
        sys.stdout.flush()
        os._exit(130)
    return counts


def main():
    args = sys.argv[1:]
    if args == ["--list"]:
        print("\n".join(m.name for m in all_mutants()))
        return 0
    if len(args) == 3 and args[0] == "--copy":
        try:
            copy_tree(next(m for m in all_mutants() if m.name == args[2]), pathlib.Path(args[1]))
        except (Failure, StopIteration) as e:
            sys.exit(f"mutants.py: no such mutant, or it does not fit: {e or args[2]}")
        return 0
    if len(args) not in (1, 2) or args[0].startswith("-"):
        sys.exit(__doc__)
    mutants = [m for m in all_mutants() if len(args) == 1 or args[1] in m.name]
    if not mutants:
        sys.exit(f"mutants.py: no mutant's name has '{args[1]}' in it")
    work = pathlib.Path(args[0]) / "mutants"
    work.mkdir(parents=True, exist_ok=True)
    counts = run(mutants, work)
    errors = f", {counts['error']} errors" if counts["error"] else ""
    print(
        f"{len(mutants)} mutants, {counts['killed']} killed, {counts['survived']} survived, "
        f"{counts['equivalent']} equivalent{errors}"
    )
    return 1 if counts["survived"] or counts["error"] else 0


if __name__ == "__main__":
    sys.exit(main())
