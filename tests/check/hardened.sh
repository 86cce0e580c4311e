#!/bin/sh
# SPDX-License-Identifier: MIT
# hardened.sh PROGRAM: checks that it is position-independent, that the loader's data become read-only,
# that its stack is not executable, and that it contains the compiler's and the C library's checks.
set -eu
program=$1

if ! command -v readelf >/dev/null || ! readelf -h "$program" >/dev/null 2>&1; then
    echo "$program is no ELF file, or there is no readelf: skipped"
    exit 0
fi

status=0
has() { # WHAT OPTION PATTERN: is the pattern in what readelf shows?
    readelf -W "$2" "$program" | grep -qE "$3" || { echo "$program: $1 is missing" >&2; status=1; }
}
has 'a position-independent program' -h 'Type: +DYN'
has 'RELRO' -l 'GNU_RELRO'
has 'BIND_NOW, without which RELRO is not full' -d 'BIND_NOW|FLAGS.* NOW'
has 'a stack that is not executable' -l 'GNU_STACK.* RW +0x'
has 'the stack protector' -s '__stack_chk_fail'
if readelf -W -s "$program" | grep -q 'GLIBC_'; then
    has "the C library's checks (_FORTIFY_SOURCE)" -s '__[a-z]*printf_chk|__mem[a-z]*_chk|__read_chk'
fi
exit $status
