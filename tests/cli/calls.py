#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares the single calls on a page with those that were written: calls.py PROGRAM FOLDER.

Makes files of Xdebug with random runs, appended to each other, and prints how many functions have the number of calls,
the costs that a share of these do not exceed (the nearest rank) and the ten costliest calls that were written, each with
its self cost, run, callers and lines, and its place among all calls; and the same spread in JSON of --group=call. Of a
preprocessed file of version 4, too, which knows no runs.
"""
import collections, json, os, random, re, subprocess, sys

random.seed(1056)
PARTS = ("minimum", 0), ("median", 50), ("percentile_90", 90), ("percentile_99", 99), ("maximum", 100)

def write_run(f, run, known):
    """Writes a run of random calls. Appends to `known`, by function: (inclusive, self, run, path) of each call."""
    def call(name, path):
        called = []
        for _ in range(random.randint(0, 4) if len(path) < 5 else 0):
            callee, line = random.choice(["a", "b", "c", "php::strlen"]), random.randint(1, 60)
            called.append((callee, line, call(callee, [*path, (name, line)])))
        own = random.choice([random.randint(1, 3), random.randint(1, 20000)])
        cost = own + sum(c[2] for c in called)
        known[name].append((cost, own, run, tuple(path)))
        f.write(f"\nfl=/x.php\nfn={name}\n1 {own}\n")
        for callee, line, part in called:
            f.write(f"cfl=/x.php\ncfn={callee}\ncalls=1 0 0\n{line} {part}\n")
        return cost
    f.write("version: 1\ncreator: xdebug 3.2.0 (PHP 8.2)\ncmd: /x.php\nevents: Time_(10ns)\n")
    f.write(f"\nsummary: {call('{main}', [])}\n")

def output(*words):
    return subprocess.run([sys.argv[1], "-q", *words], check=True, stdout=subprocess.PIPE).stdout.decode()

def page_of(path):
    data = re.search('<div id="data" hidden><!--(.*?)--></div>', output("--print=html", path), re.S)
    return json.loads(data[1].replace("--><!--", ""))[0]

def names_of(functions):
    names = [""]
    for same, rest in zip(functions[::2], functions[1::2]): # what a name shares with the one before, and the rest
        names.append(names[-1][:same] + rest)
    return names[1:]

def spread_of(costs):
    ranked = sorted(costs)
    return [ranked[max(-(-len(ranked) * percent // 100), 1) - 1] for _, percent in PARTS]

right = 0
for number in range(4):
    known, path = collections.defaultdict(list), os.path.join(sys.argv[2], str(number))
    with open(path, "w") as f:
        for run in range(1 + number):
            f.write("\n==== NEW PROFILING FILE ====\n" if run > 0 else "")
            write_run(f, run + 1, known)
    preprocessed = path + ".4"
    output("--format=4", path, preprocessed)
    for file, has_runs in (path, True), (preprocessed, False):
        page = page_of(file)
        names = names_of(page["names"])
        for at, count, *rest in page.get("single", []):
            calls, shown = known[names[at]], rest[5:]
            written = collections.Counter(call if has_runs else (*call[:2], 1, call[3]) for call in calls)
            listed = {(inclusive, own, run, tuple((names[f], line) for f, line in zip(callers[::2], callers[1::2]))[::-1]):
                      (equal, place) for own, inclusive, equal, run, place, *callers in shown}
            most = sorted((call[0] for call in written), reverse=True)[:10]
            of = json.loads(output("--group=call", f"--function=={names[at]}", "--print=json", file))["calls"]
            is_right = count == len(calls) == of["count"] and \
                rest[:5] == spread_of(call[0] for call in calls) == [of[key] for key, _ in PARTS] and \
                [inclusive for _, inclusive, *_ in shown] == most and \
                all(written[call] == equal and place == (calls.index(call) + 1 if has_runs and equal == 1 else 0)
                    for call, (equal, place) in listed.items()) and len(listed) == len(shown)
            right += is_right
            if not is_right:
                print(file, names[at], count, rest, of)
        lists = {names[at] for at, *_ in page.get("single", [])}
        right += lists == {name for name in known if len(known[name]) > 1} or print(file, lists) or 0

# More costs than are kept in full are rounded down to twelve bits: by 1/2,048 at most.
path = os.path.join(sys.argv[2], "many")
costs = [1024 + 3 * i for i in range(530000)]
with open(path, "w") as f:
    f.write("creator: xdebug 3.2.0\nevents: Time\nfl=/x\n" + "".join(f"fn=f\n1 {cost}\n" for cost in costs) + "fn={main}\n1 1\n")
    f.write("".join(f"cfn=f\ncalls=1 0 0\n1 {cost}\n" for cost in costs))
page = page_of(path)
found, exact = page["single"][0][2:7], spread_of(costs)
right += page["single_exact"] == 4095 and all(0 <= cost - is_now <= cost / 2048 for is_now, cost in zip(found, exact))
print(right, found[1] != exact[1])
