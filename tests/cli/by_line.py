#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""by_line.py PROFILE: the lines of a profile by Valgrind's callgrind, as --print=lines has them, but sorted.

For each line: self cost, cost of calls, file, line and function, of the first event. Positions and files follow
callgrind/dump.c in Valgrind's source: a self cost becomes the reference of relative positions, and its file that of
what follows; a call or jump does not change either. Costs of a function in ??? are in its own file where callgrind
says so only for a call that is left out. Compression of names and of positions may be off.
"""
import collections
import re
import sys

names = {}
costs = collections.defaultdict(lambda: [0, 0])
positions, line_at = 1, 0
reference = [0, 0]
file = own_file = reference_file = function = ''
kind = 'self'


def name(value, space):
    m = re.fullmatch(r'\((\d+)\)(?: (.*))?', value)
    if not m:
        return value
    if m[2] is not None:
        names[space, m[1]] = m[2]
    return names[space, m[1]]


for text in open(sys.argv[1], encoding='latin-1'):
    text = text.rstrip('\n')
    key, _, value = text.partition('=')
    if text.startswith('positions:'):
        words = text.split()[1:]
        positions, line_at = len(words), words.index('line')
    elif re.match(r'[0-9+*-]', text):
        words = text.split()
        place = [reference[i] + int(w, 0) if w[0] in '+-' else reference[i] if w == '*' else int(w, 0)
                 for i, w in enumerate(words[:positions])]
        cost = int(words[positions]) if len(words) > positions else 0
        if kind == 'self':
            if file == '???' and own_file != '???' and (place[line_at] != 0 or reference_file == '???'):
                file = own_file
            reference, reference_file = place, file
        if kind != 'jump':
            costs[file if kind == 'self' else call_file, place[line_at], function][kind == 'call'] += cost
        file = reference_file
        kind = 'self'
    elif key == 'fl':
        file = reference_file = own_file = name(value, 'file')
    elif key in ('fi', 'fe'):
        file = name(value, 'file')
        if file == reference_file == '???':
            reference_file = own_file
    elif key == 'fn':
        function = name(value, 'fn')
        file = reference_file = own_file
    elif key in ('cfn', 'jfn'):
        name(value, 'fn')
        if key == 'cfn':
            call_file, file = file, reference_file
    elif key in ('cfi', 'cfl', 'jfi'):
        name(value, 'file')
    elif key == 'calls':
        kind = 'call'
    elif key in ('jump', 'jcnd'):
        kind = 'jump'

for (file, line, function), (cost, calls) in sorted(costs.items()):
    print(cost, calls, f'{file}:{line or "?"}', function)
