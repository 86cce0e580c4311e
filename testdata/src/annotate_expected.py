#!/usr/bin/env python3
"""annotate_expected.py PROFILE [NAME...]: what callgrind_annotate (or cg_annotate) reports, in ../README.md's form.

The tool is asked for the first event alone: once for the self costs (--inclusive=no), once for the calls
(--inclusive=yes --tree=both), both with --threshold=100 --show-percs=no --auto=no. Adjustments:

- It books a function's inlined code under "header:function". Where a function shows under several files, its
  rows are summed and its file is given as "*". The NAMEs are kept apart instead: static functions of several
  files that have no inlined code.
- It does not read a second part's header, so a file of several parts is taken apart first. Aliases hold
  across parts, so each part gets the names in full.
- It takes the cost behind "calls=0" for a self cost, and does not read "calls=-1": it is shown a large count
  instead, which is taken off again.
- A "." is a 0.
- It cannot read a profile with fi= lines only (breezy); they are fl= lines to it.

A function's invocations are the sum of the calls of it (0 if they are all calls=0), or 1 if nobody calls it.
"""
import collections
import os
import re
import subprocess
import sys
import tempfile

path, apart = os.path.abspath(sys.argv[1]), set(sys.argv[2:])
NO_CALLS = 10**9
text = open(path, encoding='latin-1').read()
cachegrind = not re.search(r'^(calls=|creator: (?!cachegrind))', text, re.M)
event = re.search(r'^events: *(\S+)', text, re.M)[1]


def run(file, *options):
    tool = ['cg_annotate', '--threshold=0'] if cachegrind else ['callgrind_annotate', '--threshold=100']
    done = subprocess.run([*tool, '--show-percs=no', '--auto=no', '--show=' + event, *options, file], cwd='/',
                          env={'PATH': os.environ['PATH'], 'LC_ALL': 'C'}, capture_output=True, encoding='latin-1')
    if done.returncode or 'WARNING' in done.stderr:
        sys.exit(done.stderr or 'failed')
    return done.stdout


def parts():
    """The profile in files that the tool understands."""
    folder = tempfile.mkdtemp()
    starts = [m.start() for m in re.finditer(r'^part: ', text, re.M)] or [0]
    fi_only = not re.search('^fl=', text, re.M)
    whole = len(starts) == 1 and not re.search('^calls=(0|-1)', text, re.M) and not fi_only
    if whole:
        return [path]
    header = text[:starts[0]]
    aliases, files = {}, []
    for number, start in enumerate(starts):
        end = starts[number + 1] if number + 1 < len(starts) else len(text)
        out = []
        for line in (header + text[start:end]).split('\n'):
            m = re.fullmatch(r'(c?(?:ob|f[lien])|jf[in])=\((\d+)\)(?: (.*))?', line)
            if m:
                space = m[1].lstrip('cj').replace('fi', 'fl').replace('fe', 'fl')
                if m[3] is not None:
                    aliases[space, m[2]] = m[3]
                line = m[1] + '=' + aliases[space, m[2]]
            if fi_only and line.startswith('fi='):
                line = 'fl=' + line[3:]
            line = re.sub('^calls=(0|-1)', 'calls=%d' % NO_CALLS, line)
            out.append(line)
        # The beginning of the next part's header stands before its part line.
        files.append(os.path.join(folder, 'part%d' % number))
        body = '\n'.join(l for l in out if not re.match(r'(version|creator|pid|cmd|thread): ', l))
        open(files[-1], 'w', encoding='latin-1').write(body)
    return files


objects = set(re.findall(r'^c?ob=(?:\(\d+\) )?(.+)$', text, re.M))
source_files = sorted(set(re.findall(r'^[cj]?f[lie]=(?:\(\d+\) )?(.*)$', text, re.M)), key=len, reverse=True)


def function(name):
    for o in objects:
        if name.endswith(' [' + o + ']'):
            name = name[:-len(o) - 3]
            break
    file = next(f for f in source_files if name.startswith(f + ':'))
    return file, name[len(file) + 1:]


def number(word):
    return 0 if word == '.' else int(word.replace(',', ''))


total, selfs, calls = 0, collections.Counter(), collections.defaultdict(lambda: [0, 0])
for part in parts():
    report = run(part) if cachegrind else run(part, '--inclusive=no')
    total += number(re.search(r'^ *([\d,.]+) +PROGRAM TOTALS', report, re.M)[1])
    table = report.split(' file:function\n', 1)[1]
    for cost, name in re.findall(r'^ *(-?[\d,]+|\.)  (.+)$', table, re.M):
        selfs[function(name)] += number(cost)
    if cachegrind:
        continue
    caller = None
    table = run(part, '--inclusive=yes', '--tree=both').split(' file:function\n', 1)[1]
    for cost, kind, name in re.findall(r'^ *(-?[\d,]+|\.) +([<*>]) +(.+)$', table, re.M):
        if kind == '*':
            caller = function(name)
        elif kind == '>':
            m = re.fullmatch(r'(.*) \(([\d,]+)x\)( \[.*\])?', name)
            arc = calls[caller, function(m[1])]
            arc[0] += number(m[2]) % NO_CALLS
            arc[1] += number(cost)

files = collections.defaultdict(set)
for file, name in list(selfs) + [f for arc in calls for f in arc]:
    files[name].add(file)


def key(file_and_name):
    file, name = file_and_name
    return (file, name) if name in apart or len(files[name]) == 1 or cachegrind else ('*', name)


rows, arcs = collections.Counter(), collections.defaultdict(lambda: [0, 0])
for f, cost in selfs.items():
    rows[key(f)] += cost
for (caller, callee), (count, cost) in calls.items():
    arc = arcs[key(caller), key(callee)]
    arc[0] += count
    arc[1] += cost
called = collections.Counter()
for (caller, callee), (count, cost) in arcs.items():
    called[callee] += count

version = subprocess.run(['valgrind', '--version'], capture_output=True, text=True).stdout.strip()
print('# By src/annotate_expected.py', *sys.argv[2:], '- from', 'cg_annotate' if cachegrind else 'callgrind_annotate',
      'of', version)
print('total', total, sep='\t')
for f, cost in sorted(rows.items(), key=lambda r: (-r[1], r[0])):
    print('function', called[f] if f in called else 1, cost, '-', *f, sep='\t')
for (caller, callee), (count, cost) in sorted(arcs.items(), key=lambda a: (-a[1][1], a[0])):
    print('call', count, cost, *caller, *callee, sep='\t')
