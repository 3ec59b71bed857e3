#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Translate what tests printed into one line a case, "ok - LEG: TEST: CASE [# SKIP why]".

tap.py meson LEG TESTLOG.json…      the log of a `meson test` run
tap.py program LEG NAME FILE RC     the output of one program, and its exit code
"""
import json
import re
import sys

LINE = re.compile(r'^(not )?ok\b(?:\s+\d+)?\s*-?\s*(.*)$')


def cases(text):
    """(failed, name, why skipped or None) of each case; and whether there were as many as planned."""
    found, plan = [], None
    for line in text.splitlines():
        m = LINE.match(line)
        if m:
            name, _, rest = m[2].partition(' # SKIP')
            if rest or m[2].endswith(' # SKIP'):
                found.append((bool(m[1]), name, rest.strip()))
            else:
                found.append((bool(m[1]), m[2].split(' # ')[0], None))
            continue
        m = re.match(r'^1\.\.(\d+)', line)
        if m:
            plan = int(m[1])
        if line.startswith('Bail out!'):
            return found, False
    return found, plan == len(found)


def report(leg, test, text, good, tap):
    """Print the cases of one test; a test that is bad though no case says so is a failed case itself."""
    found, whole = cases(text) if tap else ([], False)
    for failed, name, why in found:
        print(f'{"not " if failed else ""}ok - {leg}: {test}: {name}' + (f' # SKIP {why}' if why is not None else ''))
    if not tap:
        print(f'{"" if good else "not "}ok - {leg}: {test}')
    elif not whole:
        print(f'not ok - {leg}: {test}: did not run to its end')
    elif not good and not any(f for f, _, _ in found):
        print(f'not ok - {leg}: {test}: its cases are well, its exit is not')


def meson(leg, files):
    tests = 0
    for file in files:
        with open(file, encoding='utf-8', errors='replace') as f:
            for line in f:
                t = json.loads(line)
                name = t['name'].split(' / ')[-1].split(':')[-1].strip()
                text = t.get('stdout') or ''
                tap = bool(re.search(r'^1\.\.\d+', text, re.M) or re.search(r'^(not )?ok \d', text, re.M))
                good = t['result'] in ('OK', 'EXPECTEDFAIL')
                if t['result'] == 'SKIP' and not tap:
                    print(f'ok - {leg}: {name} # SKIP by meson')
                else:
                    report(leg, name, text, good or t['result'] == 'SKIP', tap)
                tests += 1
    if tests == 0:
        print(f'not ok - {leg}: no test ran')


def main(argv):
    if argv[1] == 'meson':
        meson(argv[2], argv[3:])
    else:
        _, _, leg, name, file, rc = argv
        with open(file, encoding='utf-8', errors='replace') as f:
            report(leg, name, f.read(), rc == '0', True)


main(sys.argv)
