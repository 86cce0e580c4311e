#!/bin/sh
# SPDX-License-Identifier: MIT
# install-tools.sh [--needed]: installs what the tests use and the machine lacks. With --needed, installs nothing: fails
# if the tests cannot run without a Debian package, and says which.
#
# The tests need cmocka and gzip. Without the others, some cases are skipped.
set -u

needed() {
    printf '#include <stdarg.h>\n#include <stddef.h>\n#include <stdint.h>\n#include <setjmp.h>\n#include <cmocka.h>\n' |
        ${CC:-cc} -E -x c - >/dev/null 2>&1 || echo libcmocka-dev
    command -v gzip >/dev/null || echo gzip
}
optional() {
    for package in zstd xz-utils bzip2; do
        command -v "${package%-utils}" >/dev/null || echo "$package"
    done
    [ -e /usr/share/i18n/locales/tr_TR ] || echo locales
    python3 -c 'import jsonschema' 2>/dev/null || echo python3-jsonschema
}

need() { # fails if something that is needed is missing
    packages=$(echo $(needed))
    [ -z "$packages" ] || { echo "the tests need, in Debian's names: $packages" >&2; return 1; }
}

if [ "${1:-}" = --needed ]; then
    need
    exit
fi
packages=$(echo $(needed; optional))
[ -n "$packages" ] || exit 0

said=$(mktemp) || exit 1
trap 'rm -f "$said"' EXIT
trap 'exit 130' HUP INT TERM
sudo=
[ "$(id -u)" -eq 0 ] || sudo='sudo --preserve-env=DEBIAN_FRONTEND'
DEBIAN_FRONTEND=noninteractive
export DEBIAN_FRONTEND

# The lists of packages may be missing or old.
install_all() {
    $sudo apt-get install -y -q $packages ||
        { $sudo apt-get update -q && $sudo apt-get install -y -q $packages; }
}
if ! command -v apt-get >/dev/null; then
    echo "the tests use, in Debian's names: $packages"
else
    echo "installing $packages"
    if ! install_all >"$said" 2>&1; then
        cat "$said"
        echo "cannot install $packages"
    fi
fi
need
