#!/usr/bin/env python3
"""aprof_expected.py REPORT [sum]: what a report of aprof says, worked out apart from the program.

Reads the report whole, by dictionaries, and follows each context's parents up to the root to see whether a call runs
inside another of the same routines. With `sum`, inclusive costs and calls count all activations. Writes ../README.md's
.expected format. The report is one of version 2 or later.
"""
import collections
import re
import sys

SUM, CALLS, REAL, SELF = range(4)
FIELDS = {2: (3, 4, 5, 6), 3: (3, 4, 5, 6), 4: (3, 5, 6, 7), 5: (3, 5, 6, 7), 6: (3, 5, 6, 7)}


class Report:
    def __init__(self, path):
        self.header, self.routines, self.contexts = {}, {}, {}
        self.tuples = collections.defaultdict(list)  # of a routine: (context or None, size, sum, calls, real, self)
        routine = None
        for line in open(path, encoding='latin-1', newline='\n'):
            tag, _, rest = line.rstrip('\n').partition(' ')
            if tag == 'r':
                name, object_, number = re.fullmatch(r'"(.*)" "([^"]*)" (\d+)', rest).groups()
                routine = int(number)
                self.routines[routine] = name, object_
            elif tag == 'x':
                owner, context, parent = (int(n) for n in rest.split())
                self.contexts[context] = owner, parent
            elif tag in 'pq':
                numbers = rest.split()
                fields = [int(numbers[1 + i]) for i in FIELDS[int(self.header['v'])]]
                self.tuples[routine].append((int(numbers[0]) if tag == 'q' else None, int(numbers[1]), *fields))
            elif tag not in self.header:
                self.header[tag] = rest
        self.costs = collections.defaultdict(lambda: [0, 0, 0, 0])  # of a context
        for tuples in self.tuples.values():
            for context, _, *fields in tuples:
                if context is not None:
                    self.costs[context] = [a + b for a, b in zip(self.costs[context], fields)]

    def totals(self, routine):
        return [sum(t[2 + i] for t in self.tuples[routine]) for i in range(4)]

    def pair(self, context):
        owner, parent = self.contexts[context]
        return (self.contexts[parent][0], owner) if parent != -1 else None

    def arcs(self, plain):
        """(caller, callee): [count, cost]"""
        arcs = collections.defaultdict(lambda: [0, 0])
        for context in self.contexts:
            pair = self.pair(context)
            if pair is None:
                continue
            above, inside = self.contexts[context][1], False
            while above != -1 and not inside:
                inside = self.pair(above) == pair
                above = self.contexts[above][1]
            arcs[pair][0] += self.costs[context][CALLS]
            arcs[pair][1] += self.costs[context][SUM] if plain or not inside else 0
        return arcs


if __name__ == '__main__':
    report, plain = Report(sys.argv[1]), sys.argv[2:] == ['sum']
    print('# Worked out by src/aprof_expected.py', *sys.argv[2:])
    print('total', report.header['k'], sep='\t')
    for number, (name, object_) in report.routines.items():
        t = report.totals(number)
        print('function', t[CALLS], t[SELF], t[SUM if plain else REAL], object_, name, sep='\t')
    for (caller, callee), (count, cost) in report.arcs(plain).items():
        print('call', count, cost, *reversed(report.routines[caller]), *reversed(report.routines[callee]), sep='\t')
