#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""declared.py AST.json: the names of corral's functions that public headers declare or define, from clang's AST dump."""
import json
import sys

with open(sys.argv[1], encoding='utf-8') as f:
    nodes = json.load(f)['inner']
names = {n['name'] for n in nodes if n['kind'] == 'FunctionDecl' and n['name'].startswith('corral_')}
print('\n'.join(sorted(names)))
