#!/bin/sh
# SPDX-License-Identifier: MIT
# Static analysis with the installed tools: cppcheck and clang's analyzer.
set -eu
cd "$(dirname "$0")/../.."

if command -v cppcheck >/dev/null; then
    cppcheck --quiet --std=c11 --error-exitcode=1 --inline-suppr \
        --enable=warning,performance,portability --suppress=missingIncludeSystem \
        -D_XOPEN_SOURCE=700 -Iinclude -Isrc src
else
    echo "cppcheck is missing: skipped"
fi
if command -v clang >/dev/null; then
    find src -name '*.c' ! -name '*_windows.c' | xargs -n 8 -P "$(nproc)" clang --analyze --analyzer-output text \
        -Xclang -analyzer-werror -std=c11 -D_XOPEN_SOURCE=700 -Iinclude -Isrc
else
    echo "clang is missing: skipped"
fi
