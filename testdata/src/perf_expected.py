#!/usr/bin/env python3
"""perf_expected.py RECORDING SYMFS [EVENT]: figures of a recording, from what perf script prints.

The stacks are perf's own (`perf script --no-inline --no-demangle --symfs SYMFS`); this only adds them up.
perf looks up return addresses as they are, and not one byte before: a recording in which a return address
is the first byte of a function is refused, for its callers would have other names here. Addresses that
have no symbol are a row for each object, also `name@plt`.
"""
import collections
import os
import re
import subprocess
import sys

recording, symfs = sys.argv[1:3]
event = sys.argv[3] if len(sys.argv) > 3 else None
fields = "comm,pid,tid,time,period,event,ip,sym,symoff,dso"
command = ["perf", "script", "--no-inline", "--no-demangle", "--max-stack", "20000", "--symfs", symfs,
           "-F", fields, "-i", recording]
text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
head = re.compile(r"^\S.*?\s+\d+/\d+\s+[\d.]+:\s+(\d+)\s+(\S+):\s*$")
frame = re.compile(r"^\s+[0-9a-f]+ (.*?)(?:\+0x([0-9a-f]+))? \((.*)\)$")

stacks = []
for line in text.split("\n"):
    if head.match(line):
        period, name = head.match(line).groups()
        stacks.append((int(period), name, []))
    elif frame.match(line):
        symbol, offset, path = frame.match(line).groups()
        path = os.path.normpath("/" + os.path.relpath(path, symfs)) if path.startswith(symfs) else path
        if offset == "0" and stacks[-1][2]:
            sys.exit(f"{recording}: returns to the first byte of {symbol}")
        if symbol == "[unknown]" or symbol.endswith("@plt"):
            symbol = path if path.startswith("[") else f"[{os.path.basename(path)}]"
        stacks[-1][2].append((path, symbol))
    elif line.strip():
        sys.exit(f"{recording}: what is {line!r}?")

own, inclusive, samples = (collections.Counter() for _ in range(3))
call_cost, calls = collections.Counter(), collections.Counter()
for period, name, frames in stacks:
    if event is not None and name != event:
        continue
    if not frames:
        sys.exit(f"{recording}: a sample without a frame")
    own[frames[0]] += period
    for function in set(frames):
        inclusive[function] += period
        samples[function] += 1
    for call in set(zip(frames[1:], frames)):
        call_cost[call] += period
        calls[call] += 1

is_time = "clock" in (event or stacks[0][1])
print("unit", 1, 10 if is_time else 1, sep="\t")
print("total", sum(own.values()), sep="\t")
for function in sorted(inclusive):
    print("function", samples[function], own[function], inclusive[function], *function, sep="\t")
for call in sorted(calls):
    print("call", calls[call], call_cost[call], *call[0], *call[1], sep="\t")
