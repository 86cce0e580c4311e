#!/bin/sh
# SPDX-License-Identifier: MIT
# worker.sh FOLDER NUMBER: one of the workers of mutants.sh, in the copy FOLDER/NUMBER of the project. It
# tries the places in FOLDER/sites that no other worker has taken, until all of them together have
# tried $COUNT, and writes what came of place N to FOLDER/results/N.
#
# worker.sh FOLDER measure: builds the tests in FOLDER/1 and runs them, $JOBS at once. Each line of
# FOLDER/tests, a test, then has the seconds of processor time that it takes in front. TEST:WORD is a test
# that is given this word.
set -u
folder=$1
number=$2

# The first process of its namespace: when it ends, so do all others. It ends with the run.
if [ $$ -eq 1 ]; then
    "$0" "$@" &
    work=$!
    while [ -d "$folder/claims" ]; do sleep 1; done && kill -KILL $work &
    wait $work
    exit
fi

[ "$number" = measure ] && copy=$folder/1 || copy=$folder/$number
cd "$copy" || exit 1
mkdir -p tmp
TMPDIR=$copy/tmp
export TMPDIR
ulimit -c 0
ulimit -f 4000000 # blocks of 512 bytes
ulimit -v 4000000 # KB
unset MAKEFLAGS MFLAGS MAKELEVEL

# Without debug information, so that object files are the same if nothing has changed
made() {
    make -s -j1 CFLAGS=-O1 HARDENING= HARDENING_LDFLAGS= "$@" >make.log 2>&1
}

# What has to be made for these tests
targets() {
    for test; do
        case $test in
        *.sh) echo cg2wg ;;
        *) echo "${test%%:*}" ;;
        esac
    done | sort -u
}

# within SECONDS TEST: runs it, in three times as many seconds of processor time for each of its processes.
# The limit on real time is only for what waits for ever, because the machine may have other work.
log=test.log
within() (
    time=$(awk -v time="$1" 'BEGIN { print int(20 * time + 60) }')
    ulimit -t "$(awk -v time="$1" 'BEGIN { print int(3 * time + 3) }')"
    case $2 in
    *.sh) exec timeout -k 5 "$time" "$2" ./cg2wg ;;
    *:*) exec timeout -k 5 "$time" "${2%%:*}" "${2#*:}" ;;
    *) exec timeout -k 5 "$time" "$2" ;;
    esac >"$log" 2>&1 </dev/null
)

# measure TEST: appends its time.
if [ "$number" = measure ] && [ $# -eq 3 ]; then
    test=$3
    log=tmp/$(basename "$test").log
    within 100 "$test" || { tail -n 30 "$log"; echo "mutants: $test fails as it is"; exit 255; }
    # Of all child processes: 0m1.230000s 0m0.450000s
    times >"$log"
    awk -v test="$test" 'NR == 2 { split($1, u, /[ms]/); split($2, s, /[ms]/)
        print 60 * (u[1] + s[1]) + u[2] + s[2], test }' "$log" >>"$folder/measured"
    exit
fi
if [ "$number" = measure ]; then
    # shellcheck disable=SC2046
    made $(targets $(cat "$folder/tests")) || { cat make.log; exit 1; }
    xargs -P "$JOBS" -n 1 "$0" "$folder" measure <"$folder/tests" || exit 1
    sort -n "$folder/measured" >"$folder/tests"
    : >"$folder/is_measured"
    exit
fi

# notices TEST...: builds these tests and runs them until one fails; result says which.
notices() {
    # shellcheck disable=SC2046
    made $(targets "$@") || { result="noticed by the linker" && return; }
    for test; do
        seconds=$(awk -v test="$test" '$2 == test { print $1 }' "$folder/tests")
        slow=
        within "$seconds" "$test" && continue
        if [ $? -eq 124 ]; then # once more: the machine may have had other work
            within "$seconds" "$test" && continue
            slow=' (in too much time)'
        fi
        result="noticed by $(basename "${test%%:*}" .sh)$slow"
        return
    done
    return 1
}

# A test of the same name comes first, then those that have noticed most changes in the least time.
run_tests() {
    name=$(basename "$1" .c)
    order=$(cat "$folder"/results/* 2>/dev/null | awk -v name="$name" '
        function name_of(test) { sub(/.*\/(test_)?/, "", test); sub(/\.sh$/, "", test); return test }
        is_result { noticed[name_of($3)] += $1 == "noticed"; next }
        { t = name_of($2); print t == name || t == name "s" ? 1000 : (1 + noticed[t]) / (1 + $1), $2 }' \
            is_result=1 - is_result=0 "$folder/tests" |
        sort -k 1,1rn -k 2 | cut -d ' ' -f 2)
    # shellcheck disable=SC2086
    set -- $order
    while [ $# -gt 0 ]; do
        some=
        while [ $# -gt 0 ] && [ "$(echo "$some" | wc -w)" -lt 6 ]; do
            some="$some $1"
            shift
        done
        # shellcheck disable=SC2086
        ! notices $some || return
    done
}

# Object files of a source, which may be compiled for several programs
objects() { # FILE
    for part in '' interposed/ small/; do
        [ ! -e "build/$part${1%.c}.o" ] || echo "build/$part${1%.c}.o"
    done
}

# try SITE: sets result.
try() {
    file=$(echo "$1" | cut -f 2)
    rm -rf kept && mkdir kept
    cp -p "$file" kept/source.c
    for object in $(objects "$file"); do
        mkdir -p "kept/$(dirname "$object")"
        cp "$object" "kept/$object"
    done
    echo "$1" | awk -F '\t' '
        NR == FNR { line = $3; at = $4; len = $5; text = $6; next }
        FNR == line { $0 = substr($0, 1, at - 1) text substr($0, at + len) }
        { print }' - kept/source.c >"$file"

    result=lives
    object=build/${file%.c}.o
    if ! made "$object"; then
        result='does not compile'
    elif cmp -s "$object" "kept/$object"; then
        result='changes nothing'
    else
        run_tests "$file"
    fi
    [ "$result" != lives ] || lived=$(diff kept/source.c "$file" | sed -n "s,^[<>],$file:$(echo "$1" | cut -f 3):,p")
    cp -p kept/source.c "$file"
    # Newer than the source, so nothing is compiled again
    for object in $(objects "$file"); do
        cp "kept/$object" "$object"
    done
    chmod -R u+rwx tmp && rm -rf tmp && mkdir tmp
}

place=0
while IFS= read -r site; do
    place=$((place + 1))
    done=$(grep -lE '^(lives|noticed)' "$folder"/results/* 2>/dev/null | wc -l)
    [ "$done" -lt "$COUNT" ] || break
    [ -d "$folder/claims" ] || exit 1
    mkdir "$folder/claims/$place" 2>/dev/null || continue
    lived=
    try "$site"
    printf '%s\n' "$result" ${lived:+"$lived"} >"$folder/results/$place"
    case $result in
    lives) printf '%s\n' "$lived" ;;
    noticed*) echo "$(echo "$site" | cut -f 2,3 | tr '\t' :): $result" ;;
    esac
done <"$folder/sites"
