# SPDX-License-Identifier: MIT
"""schema.py SCHEMA FILE...: is each FILE what the schema says, and is each function named that its calls refer to?"""
import json
import sys

import jsonschema

with open(sys.argv[1], encoding="utf-8") as stream:
    validator = jsonschema.Draft202012Validator(json.load(stream))
for path in sys.argv[2:]:
    with open(path, encoding="utf-8") as stream:
        data = json.load(stream)
    for error in validator.iter_errors(data):
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
