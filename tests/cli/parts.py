#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares --group=run, and the runs of a page, with sums of its own: parts.py PROGRAM FOLDER. Or the threads or
processes of a recording on a page with what --group=BY --function says of each: parts.py PROGRAM FOLDER RECORDING BY.

Makes files of Xdebug with random runs, that are appended to each other or in files of their own, and prints how many runs
have the cost, the number of calls and the function that costs most that were written, and of one function, its self and
inclusive cost, which counts recursion once, and its calls.
"""
import json, os, random, subprocess, sys

random.seed(1055)

def write_run(f, number, event):
    """Writes a run of random calls, records of callees first, as Xdebug does, which may free memory. Returns what is known
    of it."""
    selves, calls, inclusive = {}, {}, 0
    def call(name, depth, below):
        nonlocal inclusive
        called = []
        for _ in range(random.randint(0, 3) if depth < 4 else 0):
            callee = random.choice(["a", "b", "wanted", "php::strlen"])
            called.append((callee, random.randint(1, 60), call(callee, depth + 1, below or name == "wanted")))
        own = random.randint(1 if event != "Memory" else -700, 1000)
        cost = own + sum(c[2] for c in called)
        selves[name] = selves.get(name, 0) + own
        calls[name] = calls.get(name, 0) + 1
        if name == "wanted" and not below:
            inclusive += cost
        f.write(f"\nfl=/x.php\nfn={name}\n1 {own}\n")
        for callee, line, part in called:
            f.write(f"cfl=/x.php\ncfn={callee}\ncalls=1 0 0\n{line} {part}\n")
        return cost
    f.write(f"version: 1\ncreator: xdebug 3.2.0 (PHP 8.2)\ncmd: /{number}.php\nevents: {event}\n")
    total = call("{main}", 0, False)
    f.write(f"\nsummary: {total}\n")
    return total, sum(calls.values()), selves, selves.get("wanted", 0), inclusive, calls.get("wanted", 0)

def shown(*words):
    out = subprocess.run([sys.argv[1], "-q", "--group=run", "--sort=none", "--print=json", *words], check=True,
                         stdout=subprocess.PIPE).stdout
    return json.loads(out)["functions"]

def on_page(kind, *words):
    """The parts of a page of that kind, each with its name, cost, calls and costliest function; and functions in it."""
    page = subprocess.run([sys.argv[1], "-q", "--print=html", *words], check=True, stdout=subprocess.PIPE).stdout.decode()
    data = json.loads(page.split('<div id="data" hidden><!--')[1].split("--></div>")[0].replace("--><!--", ""))[0]
    names, costs, step = [""], {}, data["part_costs"]
    for same, rest in zip(data["names"][::2], data["names"][1::2]): # of the name before, and the rest
        names.append(names[-1][:same] + rest)
    del names[0]
    for part, function, own, inclusive in zip(*[iter(step)] * 4):
        sums = costs.setdefault(part, {}).setdefault(names[function], [0, 0]) # of one name in several objects
        costs[part][names[function]] = [sums[0] + own, sums[1] + inclusive]
    return [((p[0], p[2], p[3], names[p[4]] if p[4] >= 0 else ""), costs.get(i, {})) for i, p in enumerate(data["parts"]) if p[1] == kind]

if len(sys.argv) > 3:
    recording, by = sys.argv[3:]
    symbols = "--symfs=" + os.path.join(os.path.dirname(recording), "symfs") # not those of this machine
    parts = on_page({"thread": 1, "process": 2}[by], symbols, recording)
    rows = json.loads(subprocess.run([sys.argv[1], "-q", f"--group={by}", "--print=json", symbols, recording], check=True,
                                     stdout=subprocess.PIPE).stdout)["functions"]
    assert sorted(p[0] for p in parts) == sorted((r["name"], r["self"], r["samples"], r["function"]) for r in rows)
    count = 0
    for name in {name for _, costs in parts for name in costs}:
        rows = json.loads(subprocess.run([sys.argv[1], "-q", f"--group={by}", f"--function=={name}", "--print=json",
                                          symbols, recording], check=True, stdout=subprocess.PIPE).stdout)["functions"]
        for row in rows:
            found = {p[0][0]: p[1] for p in parts}[row["name"]].get(name, [0, 0])
            assert found == [row["self"], row["inclusive"]], (name, row, found)
            count += 1
    print(count)
    sys.exit()

right = 0
for appended, event in (1, "Time_(10ns)"), (2, "Time_(10ns)"), (30, "Time_(10ns)"), (1, "Memory"), (9, "Memory"):
    paths, known = [], []
    for number in range(6):
        paths.append(os.path.join(sys.argv[2], f"{appended}-{number}-{event}"))
        with open(paths[-1], "w") as f:
            for run in range(appended):
                f.write("\n==== NEW PROFILING FILE ====\n" if run > 0 else "")
                name = paths[-1] if appended == 1 else f"{paths[-1]}, run {run + 1}"
                known.append((name, *write_run(f, run, event)))
    pages = on_page(0, *paths)
    for row, of, (part, costs), (name, total, calls, selves, own, inclusive, own_calls) in \
            zip(shown(*paths), shown("--function==wanted", *paths), pages, known, strict=True):
        is_right = row["name"] == of["name"] == name and (row["self"], row["invocations"]) == (total, calls) and \
            selves.get(row["function"], 0) == max(0, *selves.values()) and \
            (of["self"], of["invocations"]) == (own, own_calls) and \
            part == (name, total, calls, row["function"]) and {f: c[0] for f, c in costs.items() if c[0] != 0} == {f: c for f, c in selves.items() if c != 0} and \
            (event == "Memory" or costs.get("wanted", [0, 0])[1] == of["inclusive"] == inclusive)
        right += is_right
        if not is_right:
            print(name, row, of, own, inclusive, own_calls)
print(right)
