#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""by_line_again.py CG2WG PROFILE...: what --print=callgrind makes of each is the profile, and the same when written again.

Prints what differs: bytes of the second file; total, event, functions or arcs of a conversion to version 7.
"""
import collections
import json
import subprocess
import sys


def cg2wg(*arguments):
    return subprocess.run([sys.argv[1], '-q', *arguments], stdout=subprocess.PIPE, check=True).stdout


def contents(profile):
    cg2wg('-f', '7', '--scale=none', '-o', 'converted', profile)
    data = json.loads(cg2wg('--print=json', 'converted'))
    names = {f['number']: (f['name'], f['file'], f.get('object')) for f in data['functions']}
    arcs = collections.defaultdict(lambda: [0, 0])
    for f in data['functions']:
        for call in f['sub_calls']:
            arc = arcs[names[f['number']], names[call['function']], call['line']]
            arc[0] += call['count']
            arc[1] += call['cost']
    functions = {names[f['number']]: (f['self'], f['inclusive'], f.get('line')) for f in data['functions']}
    return data['total'], data['event'], functions, arcs


for profile in sys.argv[2:]:
    for made, of in ('once', profile), ('twice', 'once'):
        with open(made, 'wb') as file:
            file.write(cg2wg('--print=callgrind', of))
    if open('once', 'rb').read() != open('twice', 'rb').read():
        print(profile, 'is not written again')
    for what, before, after in zip(('total', 'event', 'functions', 'arcs'), contents(profile), contents('once')):
        if before != after:
            print(profile, what, 'differ')
