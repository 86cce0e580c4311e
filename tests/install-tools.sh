#!/bin/sh
# Installs what the tests need and the machine lacks: cmocka, and the programs that decode input.
set -eu

missing=
have_header() {
    printf '#include <stdarg.h>\n#include <stddef.h>\n#include <stdint.h>\n#include <setjmp.h>\n#include <%s>\n' "$1" |
        ${CC:-cc} -E -x c - >/dev/null 2>&1
}
have_header cmocka.h || missing="$missing libcmocka-dev"
command -v gzip >/dev/null || missing="$missing gzip"
command -v zstd >/dev/null || missing="$missing zstd"
command -v xz >/dev/null || missing="$missing xz-utils"
command -v bzip2 >/dev/null || missing="$missing bzip2"
[ -n "$missing" ] || exit 0

if ! command -v apt-get >/dev/null; then
    echo "the tests need, in Debian's names:$missing" >&2
    exit 1
fi
sudo=
if [ "$(id -u)" -ne 0 ]; then
    sudo=sudo
fi
echo "installing$missing"
$sudo apt-get install -y -q $missing >/dev/null 2>&1 ||
    { $sudo apt-get update -q >/dev/null && $sudo apt-get install -y -q $missing >/dev/null; } ||
    { echo "cannot install$missing" >&2; exit 1; }
