#!/bin/sh
# bench.sh PROGRAM GENERATOR: times conversions. Every figure stands beside that of `wc -l` on the
# same input and, if WEBGRIND_PREPROCESSOR names webgrind's own preprocessor, beside that one's.
#
#   BENCH_INPUT=FILE   this profile too
#   BENCH_MB=N         size of the generated inputs (200)
#   BENCH_RUNS=N       runs of each command (7)
set -eu
program=$1
generator=$2
megabytes=${BENCH_MB:-200}
runs=${BENCH_RUNS:-7}
peer=${WEBGRIND_PREPROCESSOR:-}

command -v hyperfine >/dev/null || { echo "make bench needs hyperfine" >&2; exit 1; }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT INT TERM

median() { # FILE NUMBER: the median of a command in hyperfine's table, in seconds
    awk -F, -v row="$2" 'NR == row + 1 { print $4 }' "$1"
}

printf '%-24s %8s %9s %9s %9s %8s %8s\n' input MB cg2wg/s wc/s webgrind/s '/wc' 'webgrind/'
bench() { # NAME FILE
    set -- "$1" "$2" "$program --quiet '$2' '$scratch/out'" "wc -l '$2'"
    if [ -n "$peer" ]; then
        set -- "$@" "'$peer' '$2' '$scratch/peer'"
    fi
    name=$1
    file=$2
    shift 2
    hyperfine --style none --warmup 1 --runs "$runs" --export-csv "$scratch/csv" "$@" >/dev/null 2>&1
    if [ -n "$peer" ] && ! cmp -s "$scratch/out" "$scratch/peer"; then
        name="$name (differs)"
    fi
    awk -v name="$name" -v bytes="$(wc -c <"$file")" -v ours="$(median "$scratch/csv" 1)" \
        -v wc="$(median "$scratch/csv" 2)" -v theirs="$(median "$scratch/csv" 3)" 'BEGIN {
            printf "%-24s %8.1f %9.4f %9.4f ", name, bytes / 1e6, ours, wc
            if (theirs == "") theirs = 0
            printf "%9.4f %8.1f %8.1f\n", theirs, ours / wc, theirs / ours }'
}

for kind in regular random; do
    "$generator" $kind "$megabytes" >"$scratch/$kind"
    bench "$kind" "$scratch/$kind"
    if [ $kind = regular ]; then
        gzip -c "$scratch/$kind" >"$scratch/$kind.gz"
        bench "$kind.gz" "$scratch/$kind.gz"
    fi
    rm -f "$scratch/$kind" "$scratch/$kind.gz"
done
if [ -n "${BENCH_INPUT:-}" ]; then
    bench "$(basename "$BENCH_INPUT")" "$BENCH_INPUT"
fi
