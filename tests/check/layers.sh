#!/bin/sh
# SPDX-License-Identifier: MIT
# Layers: cli -> src -> {read -> write, view} -> {io, model} -> {util, os}. A file may include its own folder and those
# below it; this checks every #include of the project's own headers. It also checks that no files include each other in a
# circle, where X.c, X_posix.c and X.h are one.
set -eu
cd "$(dirname "$0")/../.."

allowed() { # FOLDER: the folders that it may include
    case $1 in
    util) echo 'util|os' ;; # os offers random numbers and large pages
    os) echo 'os|util' ;;
    io) echo 'io|os|util' ;;
    model) echo 'model|util' ;;
    read) echo 'read|write|io|model|os|util' ;;
    callgrind) echo 'read/callgrind|read|io|model|util' ;;
    perf) echo 'read/perf|read|io|model|os|util' ;;
    write) echo 'write|io|model|os|util' ;;
    view) echo 'view|model|os|util' ;;
    cli) echo 'cli|io|os|util' ;;
    src) echo 'view|read|write|io|model|os|util' ;;
    *) echo "tests/check/layers.sh: no rule for src/$1" >&2 && exit 1 ;;
    esac
}

status=0
for file in src/*.c src/*/*.[ch] src/*/*/*.[ch]; do
    folder=$(basename "$(dirname "$file")")
    may=$(allowed "$folder")
    own='cg2wg(_print)?\.h'
    [ "$folder" != src ] || own="$own|(job|output|styles)\.h"
    wrong=$(grep -nE '^#include "' "$file" | grep -vE "\"($own|($may)/[a-z_0-9]+\.h)\"" || true)
    if [ -n "$wrong" ]; then
        echo "$file: $wrong: src/$folder may include only $may" >&2
        status=1
    fi
done

grep -rHoE '^#include "[a-z_0-9/]+' src | sed -E 's#^src/##; s#(_posix|_windows)?\.[ch]:\#include "# #' |
    awk '$1 != $2 && $2 !~ /^cg2wg/' | sort -u | tsort >/dev/null || status=1

# Programs that use the library have no options of the command line. Other programs' options are in messages, too.
options=$(sed -n 's/^    {[^"]*, "\([a-z-]*\)".*/--\1/p' src/cli/options.c)
letters=$(sed -n "s/^    {'\(.\)', \"[a-z].*/-\1/p" src/cli/options.c)
for option in $options $letters; do
    if grep -nE -- "\"[^\"]*[ (;\"]$option([^a-z/-]|\$)" src/*.c src/[!c]*/*.[ch] src/[!c]*/*/*.[ch] |
        grep -v 'perf record\|by --threads\|iconv\|nytprofcg\|pyprof2calltree\|chrome2calltree\|jfrconv'; then
        echo "the library names $option: it is the program's" >&2
        status=1
    fi
done
exit $status
