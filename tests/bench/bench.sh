#!/bin/sh
# SPDX-License-Identifier: MIT
# bench.sh PROGRAM GENERATOR ALONE: times conversions and their peers in the same run, and prints a table in
# Markdown. docs/performance.md lists the variables.
. "$(dirname "$0")/bench.inc"

rounds=${BENCH_RUNS:-7}
megabytes=${BENCH_MB:-200}
webgrind=${WEBGRIND_PREPROCESSOR:-}
webgrind_zlib=${WEBGRIND_PREPROCESSOR_ZLIB:-}
webgrind_04=${WEBGRIND_04:-}
cgview=${KCACHEGRIND_CGVIEW:-$(command -v cgview || true)}
alone=$(cd "$(dirname "$3")" && pwd)/$(basename "$3")
trial=${TRIAL:-}
sums_trial=${SUMS_TRIAL:-}
sources=$here/../../testdata

# With an option for threads, every conversion is timed both ways.
threads=default
if "$program" --help=all | grep -q -e '^  -j'; then
    threads='-j1 default'
fi

# ---- the table

# bytes INPUT: how many it has, decoded.
bytes() {
    case $1 in
    *.gz) gzip -dc "$1" | wc -c ;;
    *) wc -c <"$1" ;;
    esac
}

print_head() {
    echo '| input | options | s | MiB | peer | its s | ratio |'
    echo '| --- | --- | --: | --: | --- | --: | --: |'
}

# compare NAME INPUT OPTIONS [PEER COMMAND]...: a row for each peer. A peer named webgrind has to
# make the same output; if it does not, a note follows its name. `repeat` is how often a round
# runs each command; `rounds` how many there are.
repeat=1
compare() {
    name=$1
    input=$2
    options=$3
    shift 3
    ours="$program --quiet $options $input $scratch/out"
    echo "$ours" >"$scratch/commands"
    : >"$scratch/peers"
    while [ $# -gt 0 ]; do
        echo "$1" >>"$scratch/peers"
        echo "$2" >>"$scratch/commands"
        shift 2
    done
    say "$name $options"
    while read -r command; do
        set -- "$@" "$command"
    done <"$scratch/commands"
    medians "$rounds" "$repeat" "$@" >"$scratch/medians"
    while read -r command; do
        peak "$command"
    done <"$scratch/commands" >"$scratch/peaks"
    case $options in
    *--inclusive*) rm -f "$scratch/peer" ;; # which webgrind's has not
    esac
    if [ -e "$scratch/peer" ] && ! cmp -s "$scratch/out" "$scratch/peer"; then
        sed -i 's/^webgrind.*/& (differs)/' "$scratch/peers"
    fi
    rm -f "$scratch/peer"
    { echo cg2wg; cat "$scratch/peers"; } | paste -d '|' - "$scratch/medians" "$scratch/peaks" |
        awk -F'|' -v name="$name" -v options="$options" -v bytes="$(bytes "$input")" '
            NR == 1 { ours = $2; peak = $3 }
            NR > 1 {
                printf "| %s, %.*f MB | %s | %.*f | %s | %s | %.*f | %.*f |\n", name, bytes < 1e5 ? 4 : 0, bytes / 1e6,
                    options, ours < 0.01 ? 5 : 3, ours, peak, $1, $2 < 0.01 ? 5 : 3, $2, $2 / ours < 10 ? 2 : 1, $2 / ours
            }'
}

# compare_threads NAME INPUT OPTIONS [PEER COMMAND]...: compares with each choice of threads.
compare_threads() {
    name_of_all=$1
    input_of_all=$2
    options_of_all=$3
    shift 3
    for choice in $threads; do
        [ "$choice" != default ] || choice=
        compare "$name_of_all" "$input_of_all" \
            "$(echo "$choice $options_of_all" | sed 's/^ //; s/ $//')" "$@"
    done
}

# with_webgrind COMMAND NAME INPUT OPTIONS [PEER COMMAND]...: with webgrind's preprocessor as one more
# peer, if it was given.
with_webgrind() {
    if [ -n "$webgrind" ]; then
        "$@" webgrind "$webgrind $3 $scratch/peer"
    elif [ $# -gt 4 ]; then
        "$@"
    else
        say "$2: left out, for WEBGRIND_PREPROCESSOR is not set"
    fi
}

# ---- the rows

# Of the profile that matters most: everything.
time_main_input() { # NAME INPUT
    with_webgrind compare_threads "$1" "$2" '' 'wc -l' "wc -l $2"
    with_webgrind compare "$1" "$2" "${one_thread:+$one_thread }--inclusive=outermost"
    for view in --print --print=csv '--print=csv -e all'; do
        compare "$1" "$2" "$one_thread" "$view" "$program --quiet $one_thread $view $2"
    done
    gzip -c "$2" >"$scratch/main.gz"
    set -- "$1" "$2" 'gzip -dc' "gzip -dc $scratch/main.gz"
    [ -z "$webgrind_zlib" ] || set -- "$@" 'webgrind with zlib' "$webgrind_zlib $scratch/main.gz $scratch/peer"
    name_of_main=$1
    input_of_main=$2
    shift 2
    compare_threads "$name_of_main.gz" "$scratch/main.gz" '' "$@"
    "$program" --quiet --format=4 "$input_of_main" "$scratch/version4"
    compare_threads "$name_of_main" "$input_of_main" '--format=4' \
        "writing its output's $(wc -c <"$scratch/version4" | awk '{ printf "%.0f", $1 / 1e6 }') MB by dd" \
        "dd if=$scratch/version4 of=$scratch/copy bs=1M"
    rm -f "$scratch/main.gz" "$scratch/version4" "$scratch/copy"
}

# The reader alone, without sums of records, in one thread.
time_reader_alone() { # NAME INPUT
    program_with_sums=$program
    program=$alone
    set -- "$1, reader alone" "$2"
    if [ -n "$trial" ]; then
        with_webgrind compare "$1" "$2" "$one_thread" 'the trial' "$trial $2 $scratch/other" \
            'with sums' "$program_with_sums --quiet $one_thread $2 $scratch/other"
    else
        with_webgrind compare "$1" "$2" "$one_thread" \
            'with sums' "$program_with_sums --quiet $one_thread $2 $scratch/other"
    fi
    program=$program_with_sums
    rm -f "$scratch/other"
}

# Of the same lines, what else can be asked for: each takes so many times as long as the default.
time_other_costs() { # NAME INPUT
    events=$(sed -n '/^events:/ { s/^events: *//p; q; }' "$2")
    first=${events%% *}
    last=${events##* }
    set -- "$1" "$2" '--list-events' "--list-events $2"
    [ "$(echo "$events" | wc -w)" -gt 2 ] ||
        set -- "$@" "-p 'php::call_user_func*'" "-p php::call_user_func* $2 $scratch/other"
    [ "$first" = "$last" ] || set -- "$@" "-e $last" "-e '$last' $2 $scratch/other" \
        "-e $first+2*$last" "-e 'X = $first + 2 $last' $2 $scratch/other"
    name_of_others=$1
    input_of_others=$2
    shift 2
    for choice in $threads; do
        [ "$choice" != default ] || choice=
        count=$#
        while [ "$count" -gt 0 ]; do
            what=$1
            how="$program --quiet $choice $2"
            shift 2
            set -- "$@" "$what" "$how"
            count=$((count - 2))
        done
        compare "$name_of_others" "$input_of_others" "$choice" "$@"
        count=$#
        while [ "$count" -gt 0 ]; do
            what=$1
            how=${2#"$program --quiet $choice "}
            shift 2
            set -- "$@" "$what" "$how"
            count=$((count - 2))
        done
    done
    rm -f "$scratch/other"
}

# What is printed of the same profile, also of its lines.
time_views() { # NAME INPUT
    views=$2
    set -- "$1" "$2" "$one_thread"
    for view in --print --print=lines --print=json '--print=json --lines' --print=callgrind; do
        set -- "$@" "$view" "$program --quiet $one_thread $view $views"
    done
    compare "$@"
}

one_thread=
[ "$threads" = default ] || one_thread=-j1

machine
echo
print_head

make_xdebug_input
"$generator" regular "$megabytes" >"$scratch/regular"
if [ -n "$xdebug_input" ]; then
    time_main_input "$xdebug_name" "$xdebug_input"
    time_reader_alone "$xdebug_name" "$xdebug_input"
    time_other_costs "$xdebug_name" "$xdebug_input"
    rm -f "$scratch/php-parser"
    with_webgrind compare_threads regular "$scratch/regular" '' 'wc -l' "wc -l $scratch/regular"
else
    time_main_input regular "$scratch/regular"
fi
rm -f "$scratch/regular"

"$generator" random "$megabytes" >"$scratch/random"
with_webgrind compare_threads random "$scratch/random" '' 'wc -l' "wc -l $scratch/random"
rm -f "$scratch/random"

"$generator" full "$megabytes" >"$scratch/full"
with_webgrind compare_threads 'names in full' "$scratch/full" '' 'wc -l' "wc -l $scratch/full"
time_other_costs 'names in full' "$scratch/full"
rm -f "$scratch/full"

if [ -n "$webgrind_04" ]; then
    "$generator" full "$((megabytes / 10 + 1))" >"$scratch/full"
    cat >"$scratch/04.php" <<'PHP'
<?php
require $argv[1];
(new CallgrindPreprocessor($argv[2], $argv[3]))->parse();
PHP
    all_rounds=$rounds
    rounds=1
    compare 'names in full' "$scratch/full" --format=4 'the PHP of 0.4' \
        "php -d xdebug.mode=off -d memory_limit=-1 $scratch/04.php $webgrind_04 $scratch/full $scratch/old"
    rounds=$all_rounds
    rm -f "$scratch/full" "$scratch/old"
fi

cp "$sources/xdebug/2.1.0-single.out" "$scratch/small"
repeat=50
with_webgrind compare small "$scratch/small" '' true true
repeat=1

make_simulated_input
if [ -n "$simulated_input" ]; then
    time_other_costs "$(basename "$simulated_input")" "$simulated_input"
    time_views "$(basename "$simulated_input")" "$simulated_input"
fi

make_valgrind_input
if [ -n "$valgrind_input" ]; then
    [ -z "$sums_trial" ] || compare "$(basename "$valgrind_input")" "$valgrind_input" "$one_thread" \
        'the sums trial' "$sums_trial $valgrind_input"
    [ -z "$cgview" ] || compare_threads "$(basename "$valgrind_input")" "$valgrind_input" '' \
        cgview "$cgview $valgrind_input"
    time_views "$(basename "$valgrind_input")" "$valgrind_input"
    all_rounds=$rounds
    rounds=1 # it takes minutes
    ! have callgrind_annotate || compare "$(basename "$valgrind_input")" "$valgrind_input" '' \
        callgrind_annotate "callgrind_annotate $valgrind_input"
    rounds=$all_rounds
fi

make_perf_input
if [ -n "$perf_input" ]; then
    compare "$(basename "$perf_input")" "$perf_input" '' cat "cat $perf_input" \
        'perf report --no-children' "perf report -f -i $perf_input --no-children --stdio -g none"
    all_rounds=$rounds
    rounds=1 # it takes long
    compare "$(basename "$perf_input")" "$perf_input" '' \
        'perf report --children' "perf report -f -i $perf_input --children --stdio -g none"
    rounds=$all_rounds
fi
