#!/bin/sh
# libc-only.sh PROGRAM LIBRARY: the program needs no library but libc, and the library defines no
# name outside of its own ones and has no writable data.
set -eu
program=$1
library=$2

if command -v readelf >/dev/null; then
    needed=$(readelf -d "$program" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' |
        grep -vE '^(libc\.|ld-|libpthread\.)' || true)
    if [ -n "$needed" ]; then
        echo "$program needs $needed" >&2
        exit 1
    fi
fi
writable=$(objdump -h "$library" | awk '
    /file format/ { object = $1 }
    $2 ~ /^\.t?(data|bss)$/ && $3 !~ /^0+$/ { print object $2 }')
if [ -n "$writable" ]; then
    echo "$library has writable data:" $writable >&2
    exit 1
fi
