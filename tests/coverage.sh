#!/bin/sh
# SPDX-License-Identifier: MIT
# coverage.sh BUILD: shows which lines and branches of src/ the tests of a build have run, and fails if
# they are fewer than docs/testing.md promises.
set -eu
cd "$(dirname "$0")/.."
build=$1
lines=98    # per cent
branches=95

command -v gcovr >/dev/null || { echo "make coverage needs gcovr" >&2; exit 1; }
gcovr --root . --filter src/ --html-details "$build/coverage.html" "$build"
gcovr --root . --filter src/ "$build"
gcovr --root . --filter src/ --branches "$build"
gcovr --root . --filter src/ --fail-under-line $lines --fail-under-branch $branches --print-summary \
    --txt "$build/counted.txt" "$build"
