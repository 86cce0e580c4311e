#!/bin/sh
# Every header compiles alone, and the public one also as C++ if there is a compiler for it.
set -eu
cd "$(dirname "$0")/../.."

for header in include/*.h src/*/*.h src/*/*/*.h; do
    printf '#include "%s"\nextern int nothing;\n' "${header#*/}" |
        ${CC:-cc} -std=c11 -D_XOPEN_SOURCE=700 -Wall -Wextra -Werror -Iinclude -Isrc \
            -fsyntax-only -x c - || { echo "$header does not compile alone" >&2; exit 1; }
done
if command -v "${CXX:-c++}" >/dev/null; then
    printf '#include "cg2wg.h"\n' |
        ${CXX:-c++} -Wall -Wextra -Werror -Iinclude -fsyntax-only -x c++ -
fi
