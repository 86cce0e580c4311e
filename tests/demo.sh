#!/bin/sh
# demo.sh PROGRAM: converts two of the real profiles in testdata/ and prints their most expensive functions.
set -eu
program=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
cd "$(dirname "$0")/../testdata"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 1' HUP INT TERM

show() { # PROFILE
    output=$folder/$(basename "$1" .out).webgrind
    echo "\$ cg2wg testdata/$1 $(basename "$output")"
    "$program" "$1" "$output"
    echo "\$ cg2wg --print --top 12 $(basename "$output")"
    "$program" --print --top 12 "$output"
}

echo "A PHP program, profiled by Xdebug 3.2. Inclusive costs include those of the calls."
echo
show xdebug/3.2-invoice.out
echo
echo "A C program, profiled by Valgrind's callgrind. Its unit is an instruction. Functions without"
echo "debug information have no file; name'2 is a function that runs inside itself."
echo
show valgrind/words.out
