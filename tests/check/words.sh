#!/bin/sh
# SPDX-License-Identifier: MIT
# Checks documents, comments and scripts with the tools that are installed: their spelling, Markdown, the manual page
# and the shell. (tests/cli/docs.sh checks links, options and examples.)
set -eu
cd "$(dirname "$0")/../.."
status=0

# files PATTERN...: those of the source, without what others wrote
files() {
    for pattern; do
        find . -name "$pattern" ! -path './build*' ! -path './testdata/*' ! -path './tests/fuzz/corpus/*' ! -path './.git/*'
    done
}

# checked TOOL COMMAND...: with the names of files on standard input
checked() {
    if command -v "$1" >/dev/null; then
        shift
        xargs "$@" || status=1
    else
        cat >/dev/null
        echo "$1 is missing: skipped"
    fi
}

# tests/check/words.txt has the words that are right here, one a line, in small letters.
{ files '*.md' '*.[ch]' '*.sh' '*.inc' '*.in' '*.js' '*.css'; echo docs/cg2wg.1 Makefile tests/tests.mk; } |
    checked codespell codespell -q 35 -I tests/check/words.txt
{ files '*.sh'; echo .ci/run; } | checked shellcheck shellcheck -S warning -x
files '*.md' | checked markdownlint markdownlint
# Lines of the manual page may be as long as those of the source.
echo docs/cg2wg.1 | checked mandoc mandoc -T lint -W warning
exit $status
