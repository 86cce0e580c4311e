#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares cg2wg's columns of events with those of callgrind_annotate: events.py PROGRAM PROFILE...

callgrind_annotate has rows by file, function and recursion level; so its self costs are added up by name. Inclusive
costs are compared for functions with one row in it that do not recur. Prints how many numbers are the same, and others.
"""
import collections, csv, re, subprocess, sys

def annotate(profile, *options):
    text = subprocess.run(["callgrind_annotate", "--threshold=100", "--auto=no", *options, profile],
                          capture_output=True, text=True).stdout
    events = re.search(r"^Events shown: +(.*)$", text, re.M).group(1).split()
    rows = []
    for line in text.split("file:function\n")[1].split("\n")[1:]:
        cells = re.findall(r"([\d,]+|\.) *(?:\( *[\d.]+%\))? +", line)[:len(events)]
        if len(cells) == len(events):
            name = re.sub(r" \[[^]]*\]$", "", line.split("  ")[-1].strip())
            name = re.sub(r"^.*?:(?!:)", "", name)
            rows.append((name, [0 if c == "." else int(c.replace(",", "")) for c in cells]))
    return events, rows

def ours(profile, events):
    text = subprocess.run([sys.argv[1], "-q", "--no-demangle", "--print=csv", "-e", ",".join(events), profile],
                          capture_output=True, text=True).stdout
    self_costs, inclusive = collections.defaultdict(lambda: [0] * len(events)), collections.defaultdict(list)
    for row in csv.DictReader(text.splitlines()):
        for i, e in enumerate(events):
            self_costs[row["name"]][i] += int(row[e])
        inclusive[row["name"]].append([int(row.get(e + " inclusive", -1)) for e in events])
    return self_costs, inclusive

same = 0
for profile in sys.argv[2:]:
    events, rows = annotate(profile)
    self_costs, inclusive = ours(profile, events)
    sums, levels = collections.defaultdict(lambda: [0] * len(events)), set()
    for name, costs in rows:
        base = re.sub(r"'\d+$", "", name)
        levels |= {base} if base != name else set()
        sums[base] = [a + b for a, b in zip(sums[base], costs)]
    for name, costs in sums.items():
        if self_costs[name] == costs:
            same += len(costs)
        else:
            print(profile, "self", name, costs, self_costs[name])
    all_rows = collections.Counter(name for name, costs in annotate(profile, "--inclusive=yes")[1])
    for name, costs in annotate(profile, "--inclusive=yes")[1]:
        if inclusive[name][:1] == [[-1] * len(costs)]: # cachegrind has no calls
            continue
        if name in levels or re.search(r"'\d+$", name) or all_rows[name] > 1 or len(inclusive[name]) != 1:
            continue
        if inclusive[name][0] == costs:
            same += len(costs)
        else:
            print(profile, "inclusive", name, costs, inclusive[name][0])
print(same)
