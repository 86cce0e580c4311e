#!/bin/sh
# make-valgrind.sh OUTPUT_FOLDER: profiles the program in src/c, which has to stand in /srv/shop/c
# (`cp -r c /srv/shop`), with many options of Valgrind's callgrind and cachegrind.
# Only main and worker and what they call is collected, to keep the profiles small.
set -eu
folder=$1
cd /srv/shop/c
cc -O2 -g -fPIC -shared -o libtax.so tax.c
cc -O2 -g -o shop main.c stock.c -L. -ltax -Wl,-rpath,/srv/shop/c -pthread

callgrind() { # NAME PROGRAM_ARGUMENT OPTION... (the argument may be empty, then there is none)
    name=$1 argument=$2
    shift 2
    valgrind -q --tool=callgrind --callgrind-out-file="$folder/$name.out" \
        --toggle-collect=main --toggle-collect=worker "$@" ./shop $argument
}
cachegrind() { # NAME OPTION...
    name=$1
    shift
    valgrind -q --tool=cachegrind --cachegrind-out-file="$folder/$name.out" --log-file=/dev/null "$@" ./shop-static
}

callgrind default 2
callgrind instr '' --dump-instr=yes
callgrind instr-jumps '' --dump-instr=yes --collect-jumps=yes
callgrind jumps '' --collect-jumps=yes
callgrind cache-branch '' --cache-sim=yes --branch-sim=yes
callgrind full-strings '' --compress-strings=no
callgrind full-positions '' --compress-pos=no
callgrind full-instr '' --compress-strings=no --compress-pos=no --dump-instr=yes
callgrind threads 2 --separate-threads=yes
callgrind threads-combined 2 --separate-threads=yes --combine-dumps=yes
callgrind parts '' --combine-dumps=yes --dump-before=stock_walk
callgrind recursions '' --separate-recs=3
callgrind callers '' --separate-callers=2
callgrind no-line '' --dump-line=no --dump-instr=yes
rm "$folder/threads.out" # an empty file: each thread has its own

# Something to look at: the demo's. Function by function, and static so that libc shows by name alone.
cc -O1 -g -fno-inline -static -o words words.c
valgrind -q --tool=callgrind --callgrind-out-file="$folder/words.out" --toggle-collect=main ./words words.c >/dev/null

# The whole run of a program, with the start of libc; static, to keep the dynamic linker out.
cc -O2 -g -static -o shop-static main.c stock.c tax.c -pthread
valgrind -q --tool=callgrind --callgrind-out-file="$folder/whole-run.out" ./shop-static
cachegrind cachegrind --cache-sim=yes --branch-sim=yes
cachegrind cachegrind-branch --cache-sim=no --branch-sim=yes
cc -O0 -g -static -o shop-static main.c stock.c tax.c -pthread
cachegrind cachegrind-O0 --cache-sim=no --branch-sim=yes
cg_merge -o "$folder/merged.out" "$folder/cachegrind-branch.out" "$folder/cachegrind-O0.out" >/dev/null

# Half of it without line information.
cc -O1 -fno-builtin -c bare.c
cc -O1 -g -o missing missing.c missing-lines.S bare.o
missing() { # NAME OPTION...
    name=$1
    shift
    valgrind -q --tool=callgrind --callgrind-out-file="$folder/$name.out" --toggle-collect=main "$@" ./missing
}
missing missing
missing missing-plt --skip-plt=no --dump-instr=yes --collect-jumps=yes
missing missing-jumps --collect-jumps=yes
missing missing-skip --fn-skip=bare_skip --fn-skip=add --collect-jumps=yes --separate-recs=2
missing missing-strings --compress-strings=no --collect-jumps=yes
chmod 644 "$folder"/*
