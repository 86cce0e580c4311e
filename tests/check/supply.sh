#!/bin/sh
# SPDX-License-Identifier: MIT
# Checks that the same commit gives the same source archive, that the same source gives the same program
# in any directory, that Debian packages of one date have the same bytes, and that a static program with musl is small and
# works.
set -eu
cd "$(dirname "$0")/../.."
# Bytes of a static program, which has some 700,000. A megabyte is what a container image or a slow line carries without
# a thought, and what one more library or large table would exceed; a feature does not.
most=$((1 << 20))
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

if command -v dh >/dev/null; then
    for folder in "$scratch/a" "$scratch/another place with a longer name"; do
        SOURCE_DATE_EPOCH=1700000000 DEBFULLNAME=A DEBEMAIL=a@example.org make -s -C "$folder" deb
        (cd "$folder/build/deb" && sha256sum -- *.deb) >"$scratch/sums.${folder##* }"
        sleep 1
    done 2>"$scratch/said" || { cat "$scratch/said"; fail 'make deb fails'; }
    cmp "$scratch"/sums.* || fail 'packages of one source and one date differ'
    [ "$(wc -l <"$scratch/sums.name")" -ge 3 ] || fail 'there are no packages'
else
    echo "debhelper is missing: the dates of packages are not checked"
fi

if command -v musl-gcc >/dev/null; then
    make -s -C "$scratch/a" static
    size=$(wc -c <"$scratch/a/build-static/cg2wg")
    [ "$size" -le "$most" ] || fail "the static program has $size bytes, expected at most $most"
    "$scratch/a/build-static/cg2wg" testdata/xdebug/3.2-cron.out "$scratch/out"
    cmp testdata/xdebug/3.2-cron.out.webgrind7 "$scratch/out" || fail 'the static program is wrong'
else
    echo "musl-gcc is missing: the static program is not checked"
fi
