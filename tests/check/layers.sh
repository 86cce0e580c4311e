#!/bin/sh
# Layers: cli -> convert -> {frontends, webgrind} -> {symbols, io, model} -> util. A file may include its own
# directory and those below it; this checks every #include of the project's own headers.
set -eu
cd "$(dirname "$0")/../.."

allowed() { # FOLDER: the folders that it may include
    case $1 in
    util) echo 'util' ;;
    io) echo 'io|util' ;;
    model) echo 'model|util' ;;
    symbols) echo 'symbols|util' ;;
    frontends) echo 'frontends|webgrind|symbols|io|model|util' ;; # webgrind's files are an input, too
    webgrind) echo 'webgrind|io|model|util' ;;
    callgrind) echo 'frontends/callgrind|frontends|io|model|util' ;;
    cli) echo 'cli|webgrind|util' ;;
    src) echo 'frontends|webgrind|io|model|util' ;;
    *) echo "tests/check/layers.sh: no rule for src/$1" >&2 && exit 1 ;;
    esac
}

status=0
for file in src/*.c src/*/*.[ch] src/*/*/*.[ch]; do
    folder=$(basename "$(dirname "$file")")
    may=$(allowed "$folder")
    own='cg2wg\.h'
    [ "$folder" != src ] || own="$own|convert\.h"
    wrong=$(grep -nE '^#include "' "$file" | grep -vE "\"($own|($may)/[a-z_0-9]+\.h)\"" || true)
    if [ -n "$wrong" ]; then
        echo "$file: $wrong: src/$folder may include only $may" >&2
        status=1
    fi
done
exit $status
