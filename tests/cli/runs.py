#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks the margins of --base with several runs: runs.py PROGRAM FOLDER. Student's t is integrated here.

Makes profiles of functions whose costs are random, has them compared, and prints how many changes and margins are right.
A run does not have the functions whose cost in it is 0.
"""
import json, math, random, statistics, subprocess, sys

def quantile(freedom):
    """What 95 % of the values of Student's t are below in size: half of that is between 0 and it."""
    density = lambda x: math.exp(math.lgamma((freedom + 1) / 2) - math.lgamma(freedom / 2)) / \
        math.sqrt(freedom * math.pi) * (1 + x * x / freedom) ** (-(freedom + 1) / 2)
    x, area, step = 0.0, 0.0, 0.0005
    while area < 0.475:
        area += density(x + step / 2) * step
        x += step
    return x

def margin(now, base):
    single = [side for side in (now, base) if len(side) == 1]
    if single:
        known = base if len(now) == 1 else now
        return quantile(len(known) - 1) * statistics.stdev(known) * math.sqrt(1 + 1 / len(known))
    a, b = (statistics.variance(side) / len(side) for side in (now, base))
    freedom = (a + b) ** 2 / (a * a / (len(now) - 1) + b * b / (len(base) - 1)) if a + b > 0 else 1
    return quantile(math.floor(freedom)) * math.sqrt(a + b)

random.seed(1908)
right = 0
for now_count, base_count in (2, 2), (2, 3), (1, 4), (5, 1), (8, 7), (20, 30):
    functions = {f"f{i}": [[round(random.gauss(mean, spread)) for k in range(count)] for count, mean in
                           ((now_count, 10 ** 7 + change), (base_count, 10 ** 7))]
                 for i in range(12) for spread, change in ((10 ** random.uniform(2, 6), 10 ** random.uniform(3, 6)),)}
    functions["same"] = [[5] * now_count, [5] * base_count]
    functions["rare"] = [[(k % 3 == 0) * (10 ** 7 + k) for k in range(now_count)],
                         [10 ** 5 * (k == 1) for k in range(base_count)]]
    names = [[], []]
    for side, count in enumerate((now_count, base_count)):
        for k in range(count):
            names[side].append(f"{sys.argv[2]}/{side}.{k}")
            with open(names[side][-1], "w") as file:
                print("events: Ir", *(f"fn={f}\n1 {costs[side][k]}" for f, costs in functions.items() if costs[side][k]),
                      sep="\n", file=file)
    text = subprocess.run([sys.argv[1], "-q", "--print=json", *("--base=" + name for name in names[1]), *names[0]],
                          capture_output=True, text=True).stdout
    shown = {f["name"]: f for f in json.loads(text)["functions"]}
    for name, (now, base) in functions.items():
        expected = margin(now, base)
        change = statistics.mean(now) - statistics.mean(base)
        if abs(abs(change) - expected) < 0.003 * expected + 2: # too near to decide
            continue
        row = shown.get(name, {"self": 0, "self_margin": expected, "within_margin": True})
        if abs(row["self"] - change) <= 0.5 and row["within_margin"] == (abs(change) <= expected) and \
                abs(row["self_margin"] - expected) < 0.002 * expected + 1:
            right += 1
        else:
            print(now_count, base_count, name, change, expected, row)
    beyond = [abs(f["self"]) - f["self_margin"] for f in shown.values()]
    if beyond != sorted(beyond, reverse=True):
        print("not sorted by what is beyond the margin:", beyond)
print(right)
