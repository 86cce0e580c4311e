#!/bin/sh
# SPDX-License-Identifier: MIT
# libc-only.sh PROGRAM LIBRARY OBJECT...: checks that the program needs only libc, and that
# neither the library nor the program's own objects have writable data, except that each thread knows its
# innermost task (util/task.c), and the secret of hashes: two numbers of 8 bytes (util/index.c).
set -eu
program=$1
shift

if command -v readelf >/dev/null; then
    needed=$(readelf -d "$program" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' |
        grep -vE '^(libc\.|ld-|libpthread\.)' || true)
    if [ -n "$needed" ]; then
        echo "$program needs $needed" >&2
        exit 1
    fi
fi
# Constants that hold addresses are in .data.rel.ro: written before the program starts, and never again.
writable=$(objdump -h "$@" | awk '
    /file format/ { object = $1 }
    $2 ~ /^\.t?(data|bss|common)(\.|$)/ && $2 !~ /^\.data\.rel\.ro/ && $3 !~ /^0+$/ &&
        !(object ~ /task\.o:$/ && $2 == ".tbss") &&
        !(object ~ /index\.o:$/ && $2 == ".bss" && $3 ~ /^0*10$/) { print object $2 }')
if [ -n "$writable" ]; then
    echo "writable data:" $writable >&2
    exit 1
fi
