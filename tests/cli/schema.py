# SPDX-License-Identifier: MIT
"""schema.py SCHEMA FILE...: is each FILE what the schema says, and is each function named that its calls refer to?

jsonschema takes a second for a megabyte. So of the items of arrays that are alike, it gets one: those in the same
place that differ in nothing which the schema looks at."""
import bisect
import json
import re
import sys

import jsonschema

with open(sys.argv[1], encoding="utf-8") as stream:
    schema = json.load(stream)
validator = jsonschema.Draft202012Validator(schema)
text = json.dumps(schema)
assert not re.search('"(multipleOf|prefixItems|contains|uniqueItems|m..(Items|Length)|format|dependent.*)":', text)
numbers, words, patterns = set(), set(), set()
seen = {}


def collect(part):
    """What values of the schema's keywords there are."""
    if isinstance(part, dict):
        if isinstance(part.get("pattern"), str):
            patterns.add(part["pattern"])
        part = list(part.values())
    if isinstance(part, list):
        for each in part:
            collect(each)
    elif isinstance(part, str):
        words.add(part)
    else:
        numbers.add(part)


def kind(value):
    """The same for all values that the schema does not tell apart."""
    if isinstance(value, dict):
        return {key: kind(each) for key, each in value.items()}
    if isinstance(value, list):
        return sorted({json.dumps(kind(each), sort_keys=True) for each in value})
    if isinstance(value, str):
        return [value in words and value, [bool(re.search(pattern, value)) for pattern in patterns]]
    if value is None or isinstance(value, bool):
        return value
    return [value % 1 == 0, bisect.bisect_left(limits, value), bisect.bisect_right(limits, value)]


def without_alike(value, place):
    """The value, without items of arrays that are like one which there was at that place."""
    if isinstance(value, dict):
        place += json.dumps({key: not isinstance(each, (dict, list)) and kind(each) for key, each in value.items()})
        return {key: without_alike(each, place + key) for key, each in value.items()}
    if not isinstance(value, list):
        return value
    alike = {place + json.dumps(kind(each), sort_keys=True): each for each in value}
    new = [each for like, each in alike.items() if like not in seen]
    seen.update(alike)
    return [without_alike(each, place) for each in new]


collect(schema)
limits = sorted(numbers)
for path in sys.argv[2:]:
    with open(path, encoding="utf-8") as stream:
        data = json.load(stream)
    for error in validator.iter_errors(without_alike(data, "")):
        error = jsonschema.exceptions.best_match([error])
        print(f"{path}: {list(error.absolute_path)}: {error.message[:200]}")
    if "other_functions" in data:
        known = [function["number"] for function in data["functions"] + data["other_functions"]]
        calls = [call for function in data["functions"] if "called_from" in function
                 for call in function["called_from"] + function["sub_calls"]]
        calls += [call for function in data["functions"] for record in function.get("invocation_records", [])
                  for call in record["sub_calls"] + [record["called_from"] or record]]
        unnamed = {call["function"] for call in calls if "function" in call} - set(known)
        if unnamed or len(known) != len(set(known)):
            print(f"{path}: functions {sorted(unnamed)} are not named, or others twice")
