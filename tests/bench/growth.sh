#!/bin/sh
# SPDX-License-Identifier: MIT
# growth.sh PROGRAM GENERATOR: how time and memory grow with the size of the input, the number of
# functions and the number of call arcs. Prints tables in Markdown and draws docs/growth-*.svg. Time is
# processor time, so that a file and a pipe with a slower writer compare.
. "$(dirname "$0")/bench.inc"

largest=${BENCH_GROWTH_MB:-1000}
most_functions=${BENCH_GROWTH_FUNCTIONS:-1000000}
most_arcs=${BENCH_GROWTH_ARCS:-10000000}
folder=${BENCH_GROWTH_FOLDER:-$here/../../docs}
largest_file=1000 # megabytes; what is larger comes through a pipe
table_size=200    # megabytes, unless the tables need more

have gnuplot || { say "bench-growth needs gnuplot"; exit 1; }
[ -n "$gnu_time" ] || exit 1
one_thread=
if "$program" --help | grep -q -e '^  -j'; then
    one_thread=-j1
fi

# counts COMMAND...: lines, functions and arcs of what it converts.
counts() {
    "$@" --stats 2>&1 >/dev/null | awk '/^lines/ { l = $2 } /^functions/ { f = $2 } /^call arcs/ { print l, f, $3 }'
}

# measure_file INPUT: seconds of the processor, MiB, lines, functions, arcs.
measure_file() {
    command="$program --quiet $one_thread $1 $scratch/out"
    hyperfine --shell=none --style=none --warmup 1 --runs 5 --export-csv "$scratch/csv" "$command" \
        >/dev/null 2>&1
    # shellcheck disable=SC2086
    echo "$(awk -F, 'NR == 2 { print $(NF - 3) + $(NF - 2) }' "$scratch/csv")" "$(peak "$command")" \
        "$(counts $command)"
}

# measure_pipe GENERATOR_ARGUMENT...: the same, of what the generator writes.
measure_pipe() {
    "$generator" "$@" | "$gnu_time" -f '%U %S %M' -o "$scratch/usage" \
        "$program" --quiet $one_thread --stats - "$scratch/out" 2>"$scratch/stats"
    awk '{ print $1 + $2, $3 / 1024 }' "$scratch/usage"
    awk '/^lines/ { l = $2 } /^functions/ { f = $2 } /^call arcs/ { print l, f, $3 }' "$scratch/stats"
}

# point X GENERATOR_ARGUMENT...: one line of data: X, seconds, MiB, lines, functions, arcs.
point() {
    x=$1
    shift
    say "generate $*"
    if [ "$2" -gt "$largest_file" ]; then
        echo "$x" "$(measure_pipe "$@" | tr '\n' ' ')"
    else
        "$generator" "$@" >"$scratch/input"
        echo "$x" "$(measure_file "$scratch/input")"
    fi
}

# show DATA NAME: a table.
show() {
    echo "| $2 | s | ns/line | MiB |"
    echo '| --: | --: | --: | --: |'
    awk '{ printf "| %d | %.4f | %.1f | %.1f |\n", $1, $2, $2 / $4 * 1e9, $3 }' "$1"
    echo
}

# draw DATA NAME FILE
draw() {
    gnuplot <<GNUPLOT
set terminal svg size 720,360 font "sans-serif,13" background "white"
set output "$3"
set logscale xyy2
set format x "10^{%T}"
set format y "%g"
set format y2 "%g"
set xlabel "$2"
set ylabel "processor time, s"
set y2label "peak memory, MiB"
set y2range [1:*]
set ytics nomirror
set y2tics
set key top left
set grid x y
plot "$1" using 1:2 with linespoints linewidth 2 title "time", \
     "$1" using 1:3 axes x1y2 with linespoints linewidth 2 dashtype 2 title "peak memory"
GNUPLOT
}

for size in 1 3 10 30 100 300 1000 3000 10000; do
    [ "$size" -gt "$largest" ] || point "$size" regular "$size"
done >"$scratch/size"
for functions in 10 100 1000 10000 100000 1000000; do
    [ "$functions" -gt "$most_functions" ] ||
        point "$functions" tables "$table_size" "$functions" "$((2 * functions))"
done >"$scratch/functions"
for arcs in 10 100 1000 10000 100000 1000000 10000000; do
    [ "$arcs" -gt "$most_arcs" ] || point "$arcs" tables "$table_size" 1000 "$arcs"
done >"$scratch/arcs"

machine
echo
show "$scratch/size" 'input, MB'
show "$scratch/functions" functions
show "$scratch/arcs" 'call arcs'
draw "$scratch/size" 'input, MB' "$folder/growth-size.svg"
draw "$scratch/functions" 'functions' "$folder/growth-functions.svg"
draw "$scratch/arcs" 'call arcs' "$folder/growth-arcs.svg"
