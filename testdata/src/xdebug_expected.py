#!/usr/bin/env python3
"""xdebug_expected.py PROFILE [PROXY_PREFIX...]: what an Xdebug profile says, worked out apart from the program.

Reads the profile whole and applies docs/formats.md's meaning in the plainest way: one object per record, each
call tied to the callee's youngest invocation that has no caller yet. With prefixes, calls of functions whose name
begins with one are replaced by the one call that this invocation made. Writes ../README.md's .expected format.
"""
import collections
import re
import sys

text = open(sys.argv[1], encoding='latin-1').read().split('\n')
proxies = tuple(sys.argv[2:])


class Record:
    def __init__(self, file, name):
        self.file, self.name, self.self_cost, self.calls = file, name, None, []


aliases = {}


def name_of(space, value):
    found = re.fullmatch(r'\((\d+)\)(?: (.*))?', value)
    if not found:
        return value
    if found[2] is not None:
        aliases[space, found[1]] = found[2]
    return aliases[space, found[1]]


records, file, callee, pending = [], None, None, None
sums = any(line == 'cmd: Aggregate' for line in text)
if not text[-1]:
    text.pop()
for line in text:
    key, equals, value = line.partition('=')
    if re.match(r'-?\d+ ', line):
        position, cost = (int(n) for n in line.split()[:2])
        if pending is not None:
            records[-1].calls.append([callee, pending, position, cost])
            pending = None
        else:
            assert records[-1].self_cost is None
            records[-1].self_cost = cost
    elif equals and key == 'fl':
        file = name_of('file', value)
    elif equals and key == 'cfl':
        name_of('file', value)
    elif equals and key == 'fn':
        records.append(Record(file, name_of('function', value)))
    elif equals and key == 'cfn':
        callee = name_of('function', value)
    elif equals and key == 'calls':
        pending = int(value.split()[0])
if records[-1].self_cost is None:
    records.pop()  # a file that is cut off

# Tie each call to its invocation: the youngest of the callee's that nobody has called yet.
untied = collections.defaultdict(list)
for record in records:
    for call in reversed(record.calls):
        if not sums:
            call.append(untied[call[0]].pop())
    if not sums:
        untied[record.name].append(record)


def stepped_over(record):
    return bool(proxies) and record.name.startswith(proxies) and len(record.calls) == 1


functions, arcs = {}, {}
for record in records:
    row = functions.setdefault(record.name, [0, 0, 0, record.file])
    row[0] += 1
    row[1] += record.self_cost
    row[2] += record.self_cost
    if stepped_over(record):
        continue
    for call in record.calls:
        while proxies and stepped_over(call[4]):
            call = call[4].calls[0]
        row[2] += call[3]
        arc = arcs.setdefault((record.name, call[0]), [0, 0])
        arc[0] += call[1]
        arc[1] += call[3]
if sums:
    for name, row in functions.items():
        row[0] = sum(arc[0] for key, arc in arcs.items() if key[1] == name) or 1

print('# Worked out by src/xdebug_expected.py', *proxies)
print('total', sum(row[1] for row in functions.values()) if not any(l.startswith('summary:') for l in text) else
      sum(int(l.split()[1]) for l in text if l.startswith('summary:')), sep='\t')
for name, (invocations, self_cost, inclusive, file) in functions.items():
    print('function', invocations, self_cost, inclusive, file, name, sep='\t')
for (caller, callee), (count, cost) in arcs.items():
    print('call', count, cost, functions[caller][3], caller, functions[callee][3] if callee in functions else '*', callee, sep='\t')
