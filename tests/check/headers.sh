#!/bin/sh
# SPDX-License-Identifier: MIT
# Every header compiles alone, and the public one also as C++ if there is a compiler for it. From C++17 on, a function
# that may throw is no callback.
set -eu
cd "$(dirname "$0")/../.."

for header in include/*.h src/*/*.h src/*/*/*.h; do
    printf '#include "%s"\nextern int nothing;\n' "${header#*/}" |
        ${CC:-cc} -std=c11 -D_XOPEN_SOURCE=700 -Wall -Wextra -Werror -Iinclude -Isrc \
            -fsyntax-only -x c - || { echo "$header does not compile alone" >&2; exit 1; }
done
command -v "${CXX:-c++}" >/dev/null || exit 0

# STANDARD NOEXCEPT USE: a callback of each type, one of which is used
compile() {
    printf '%s\n' '#include "cg2wg.h"' \
        "inline void report(void *, const cg2wg_message *) $2 {}" \
        "inline bool progress(void *, const cg2wg_progress *) $2 { return true; }" \
        "inline void take(void *, const cg2wg_profile *) $2 {}" "inline void list(void *, const cg2wg_event *) $2 {}" \
        "inline void use(cg2wg_options &options) { $3; }" |
        ${CXX:-c++} -std="$1" -Wall -Wextra -Werror -Iinclude -fsyntax-only -x c++ -
}

for use in 'options.report = report' 'options.progress = progress' 'cg2wg_read("", &options, CG2WG_WANTS_CONTEXTS, take, NULL)' \
    'cg2wg_list_events("", &options, list, NULL)'; do
    compile c++98 '' "$use"
    compile c++11 'noexcept' "$use"
    compile c++17 'noexcept' "$use"
    if compile c++17 '' "$use" 2>/dev/null; then
        echo "in C++17, a callback may throw: $use" >&2
        exit 1
    fi
done
