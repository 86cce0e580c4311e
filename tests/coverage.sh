#!/bin/sh
# coverage.sh BUILD: shows what of src/ the tests have run, of the build that they were run with, and
# fails if it is less than is promised in docs/testing.md.
set -eu
cd "$(dirname "$0")/.."
build=$1

command -v gcovr >/dev/null || { echo "make coverage needs gcovr" >&2; exit 1; }
gcovr --root . --filter src/ --txt "$build/branches.txt" --branches "$build" >/dev/null
gcovr --root . --filter src/ --html-details "$build/coverage.html" --txt "$build/lines.txt" "$build"
cat "$build/lines.txt" "$build/branches.txt"
