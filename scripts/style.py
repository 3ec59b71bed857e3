#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""style.py columns N FILE… | lines N FILE… | licence FILE…: what clang-format does not look at. 1 if something is off."""
import sys


def columns(most, path, lines):
    for i, line in enumerate(lines, 1):
        width = len(line.expandtabs(8))
        if width > most:
            yield f'{path}:{i}: {width} columns, {most} are allowed'


def main(argv):
    what, rest = argv[1], argv[2:]
    most = int(rest.pop(0)) if what != 'licence' else 0
    bad = []
    for path in rest:
        with open(path, encoding='utf-8') as f:
            lines = f.read().split('\n')
        if what == 'columns':
            bad += columns(most, path, lines)
        elif what == 'lines' and len(lines) - 1 > most:
            bad.append(f'{path}: {len(lines) - 1} lines, {most} are allowed')
        elif what == 'licence' and not any('SPDX-License-Identifier: BSD-3-Clause' in l for l in lines[:3]):
            bad.append(f'{path}: no SPDX line')
    print('\n'.join(bad))
    return 1 if bad else 0


sys.exit(main(sys.argv))
