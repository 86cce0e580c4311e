#!/bin/sh
# Static analysis with the installed tools: cppcheck, and clang's or gcc's analyzer.
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
    clang --analyze --analyzer-output text -Xclang -analyzer-werror -std=c11 -D_XOPEN_SOURCE=700 \
        -Iinclude -Isrc $(find src -name '*.c' ! -name '*_windows.c')
else
    echo "clang is missing: skipped"
fi
