#!/bin/sh
# SPDX-License-Identifier: MIT
# Checks that the same commit gives the same source archive, that the same source gives the same program
# in any directory, and that a static program with musl is small and works.
set -eu
cd "$(dirname "$0")/../.."
most=700000 # bytes of a static program
unset MAKEFLAGS MFLAGS MAKELEVEL MAKEOVERRIDES GNUMAKEFLAGS # those of the make that runs this script

if ! git rev-parse -q --verify HEAD >/dev/null 2>&1; then
    echo "no git here: supply is not checked"
    exit 0
fi
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM

fail() {
    echo "tests/check/supply.sh: $1" >&2
    exit 1
}

# A clone has other times of files, and another place.
git clone -q --shared . "$scratch/clone"
for folder in "$scratch/clone" "$scratch/clone"; do
    make -s -C "$folder" dist
    mv "$folder"/cg2wg-*.tar.gz "$scratch/archive.$(ls "$scratch" | wc -l).tar.gz"
    sleep 1
done
set -- "$scratch"/archive.*
cmp "$1" "$2" || fail 'two source archives of one commit differ'

mkdir "$scratch/a" "$scratch/another place with a longer name"
for folder in "$scratch/a" "$scratch/another place with a longer name"; do
    tar -xzf "$1" -C "$folder" --strip-components=1
    make -s -C "$folder" CFLAGS='-O2 -g' all
done
cmp "$scratch/a/cg2wg" "$scratch/another place with a longer name/cg2wg" ||
    fail 'the program depends on where it is built'
cmp "$scratch/a/build/libcg2wg.a" "$scratch/another place with a longer name/build/libcg2wg.a" ||
    fail 'the library depends on where it is built'

if command -v musl-gcc >/dev/null; then
    make -s -C "$scratch/a" static
    size=$(wc -c <"$scratch/a/build-static/cg2wg")
    [ "$size" -le "$most" ] || fail "the static program has $size bytes, expected at most $most"
    "$scratch/a/build-static/cg2wg" testdata/xdebug/3.2-cron.out "$scratch/out"
    cmp testdata/xdebug/3.2-cron.out.webgrind7 "$scratch/out" || fail 'the static program is wrong'
else
    echo "musl-gcc is missing: the static program is not checked"
fi
