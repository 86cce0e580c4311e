#!/usr/bin/env python3
"""callgrind_expected.py PROFILE: the figures of a profile by Valgrind's callgrind, in ../README.md's form.

callgrind gives each function a number, by name, file and object, and each caller's context another one. This script
knows functions by these numbers only, as KCachegrind does; it never asks which file a call comes from. So it needs a
profile with compressed names. The file of a function is that of the fl= before its fn=. First event only.
"""
import collections
import re
import sys

text = open(sys.argv[1], encoding='latin-1').read()
names, files, places = {}, {}, {}
selfs, calls = collections.Counter(), collections.defaultdict(lambda: [0, 0])
total = positions = function = file = callee = count = 0
is_jump = False


def number(aliases, value):
    m = re.fullmatch(r'\((\d+)\)(?: (.*))?', value)
    if m[2] is not None:
        aliases[m[1]] = m[2]
    return m[1]


for line in text.split('\n'):
    key, _, value = line.partition('=')
    if line.startswith('positions:'):
        positions = len(line.split()) - 1
    elif line.startswith('totals:'):
        total += int(line.split()[1])
    elif re.match(r'[0-9+*-]', line):
        words = line.split()
        cost = int(words[positions]) if len(words) > positions else 0
        if count:
            calls[function, callee][0] += count
            calls[function, callee][1] += cost
        elif not is_jump:
            selfs[function] += cost
        count, is_jump = 0, False
    elif key in ('fl', 'fi', 'fe', 'cfi', 'jfi'):
        n = number(files, value)
        file = n if key == 'fl' else file
    elif key in ('fn', 'cfn', 'jfn'):
        n = number(names, value)
        if key == 'fn':
            function, places[n] = n, file
        elif key == 'cfn':
            callee = n
    elif key == 'calls':
        count = int(value.split()[0])
    elif key in ('jump', 'jcnd'):
        is_jump = True

called = collections.Counter()
for (caller, callee), (count, cost) in calls.items():
    called[callee] += count
print('# By src/callgrind_expected.py from', re.search('creator: (.*)', text)[1])
print('total', total, sep='\t')
rows = [(-selfs[n], files[places[n]], names[n], called.get(n, 1), selfs[n]) for n in places]
for _, file, name, invocations, cost in sorted(rows):
    print('function', invocations, cost, '-', file, name, sep='\t')
rows = [(-cost, count, cost, files[places[a]], names[a], files[places[b]], names[b])
        for (a, b), (count, cost) in calls.items()]
for row in sorted(rows):
    print('call', *row[1:], sep='\t')
