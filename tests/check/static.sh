#!/bin/sh
# SPDX-License-Identifier: MIT
# Static analysis with the installed tools: cppcheck and clang's analyzer. static.txt lists what is not so.
set -eu
cd "$(dirname "$0")/../.."
said=$(mktemp)
trap 'rm -f "$said"' EXIT

check() { # TOOL: fails if what it said has a finding that is not listed
    sed -nE 's/^(src[^:]*):.* (error|warning|performance|portability): .* \[([A-Za-z.]*)\]$/\1 \3/p' "$said" | sort -u |
        grep -vxF -f tests/check/static.txt >"$said.new" || true
    if [ -s "$said.new" ]; then
        cat "$said" "$said.new"
        rm "$said.new"
        echo "$1 has found what is not in tests/check/static.txt"
        exit 1
    fi
    rm "$said.new"
}

if command -v cppcheck >/dev/null; then
    cppcheck --quiet --std=c11 --inline-suppr --enable=warning,performance,portability \
        --suppress=missingIncludeSystem -D_XOPEN_SOURCE=700 -Iinclude -Isrc src >"$said" 2>&1
    check cppcheck
else
    echo "cppcheck is missing: skipped"
fi
if command -v clang >/dev/null; then
    find src -name '*.c' ! -name '*_windows.c' | xargs -n 8 -P "$(nproc)" clang --analyze --analyzer-output text \
        -std=c11 -D_XOPEN_SOURCE=700 -Iinclude -Isrc >"$said" 2>&1 || { cat "$said"; exit 1; }
    check clang
else
    echo "clang is missing: skipped"
fi
