#!/bin/sh
# SPDX-License-Identifier: MIT
# demo.sh PROGRAM: shows and converts real profiles in testdata/; the files that it makes stay in build/demo.
set -eu
program=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
cd "$(dirname "$0")/.."
mkdir -p build/demo

run() { # ARGUMENT...
    echo "\$ cg2wg $*"
    "$program" "$@"
}

echo "A PHP program, profiled by Xdebug 3.2. Inclusive costs include those of the calls."
echo
run --top=12 testdata/xdebug/3.2-invoice.out
echo
echo "A C program, profiled by Valgrind's callgrind. Its unit is an instruction."
echo
run --top=12 testdata/valgrind/words.out
echo
echo "A page for your browser, and webgrind's preprocessed file:"
echo
run -o build/demo/invoice.html testdata/xdebug/3.2-invoice.out
run testdata/xdebug/3.2-invoice.out build/demo/invoice.webgrind
ls -l build/demo/invoice.html build/demo/invoice.webgrind
