#!/bin/sh
# freeze.sh freeze|same PROGRAM FROZEN RUN GENERATE: keeps what the program makes of many inputs in the folder FROZEN, or
# compares with that; see docs/testing.md.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
LC_ALL=C
export LC_ALL
umask 022
. "$here/../bench/inputs.inc"

absolute() {
    echo "$(cd "$(dirname "$1")" && pwd)/$(basename "$1")"
}

action=$1
program=$(absolute "$2")
mkdir -p "$3/in"
frozen=$(cd "$3" && pwd)
run=$(absolute "$4")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
tab=$(printf '\t')

# run_all PLAN RESULTS: runs its lines, which JOBS jobs share. The first one says how far they are.
run_all() {
    jobs=${JOBS:-$(nproc)}
    split -n "r/$jobs" "$1" "$work/part."
    says=$jobs
    for part in "$work"/part.??; do
        mkdir -p "$part.d/o"
        ln -s "$frozen/in" "$part.d/in"
        (cd "$part.d" && exec "$run" "$program" $says) <"$part" >"$part.out" &
        says=
    done
    wait
    paste -d '\n' "$work"/part.??.out | sed '/^$/d' >"$2"
    [ "$(wc -l <"$1")" -eq "$(wc -l <"$2")" ] || { say "not all of the runs have been made"; exit 2; }
}

# The large inputs are made once, because they never come out the same. The recording keeps its symbols with it.
make_large() {
    large=$frozen/in/large
    scratch=$work/large
    mkdir -p "$scratch" "$large/symfs"
    for what in xdebug valgrind perf; do
        [ ! -e "$large/$what" ] || continue
        eval "make_${what}_input; made=\$${what}_input"
        [ -z "$made" ] || cp "$made" "$large/$what"
    done
    [ -e "$large/perf" ] && [ ! -e "$large/symfs/kallsyms" ] || return 0
    { perf buildid-list -i "$large/perf" | cut -d ' ' -f 2-; find /tmp -maxdepth 1 -name 'perf-*.map' -newer "$scratch"; } |
        while read -r path; do
            [ ! -f "$path" ] || cp --parents "$path" "$large/symfs"
        done
    cp /proc/kallsyms "$large/symfs"
}

# again FILE TO: the same many times, so that it has several blocks.
again() {
    for i in 1 2 3 4 5 6 7 8; do
        cat "$1" "$1" "$1" "$1" "$1" "$1" "$1" "$1"
    done >"$work/64"
    for i in $(seq $((3000000 / $(wc -c <"$work/64") + 1))); do
        cat "$work/64"
    done >"$2"
}

gather() {
    generate=$(absolute "$1")
    make_large
    cd "$frozen/in"
    rm -rf testdata corpus generated again symbols
    mkdir generated again symbols
    cp -pR "$here/../../testdata" .
    cp -pR "$here/../fuzz/corpus" .
    find testdata -name '*.gz' -exec gzip -dkf {} +
    "$generate" generated "${GENERATED:-20000}" corpus/view/*
    printf 'ffff0000 T _text\nffff8000 t f\n' >kallsyms
    for file in testdata/*/*.out $(seq -f 'generated/%.0f' 500 500 "${GENERATED:-20000}"); do
        again "$file" "again/${file##*/}"
    done
    for file in corpus/symbols/*; do
        mkdir "symbols/${file##*/}"
        for name in app large/symfs/tmp/perf-*.map; do
            cp "$file" "symbols/${file##*/}/${name##*/}"
        done
    done
    cd "$frozen"
}

# The inputs, in the order in which they are read.
list() {
    find in/large -maxdepth 1 -type f ! -name '*.gz' | sort
    find in/testdata -type f ! -path '*/src/*' ! -path '*/symfs/*' ! -name '*.md' ! -name '*.txt' ! -name '*.gz' \
        ! -name '*.expected' ! -name '*.proxies' | sort
    find in/again in/corpus -type f ! -path '*/options/*' ! -path '*/symbols/*' ! -path '*/view/*' | sort
    find in/generated -type f | sort
}

# The runs of these inputs, and some that are not of one input.
plan() {
    list >"$work/list"
    tr '\n' '\0' <"$work/list" | xargs -0 grep -aHm1 '^events:' |
        awk -f "$here/plan.awk" "$here/options" - "$work/list"
    for file in in/corpus/options/*; do
        tr '\0\n' '\t ' <"$file" | sed "s/$tab\$//"
        echo
    done
    large="in/large/perf${tab}o/out"
    for file in in/corpus/symbols/*; do
        symbols=in/symbols/${file##*/}
        printf '%s\n' "--symfs=$symbols${tab}in/testdata/perf/group.data${tab}o/out" "--symfs=$symbols$tab$large" \
            "--symfs=in/large/symfs$tab--kallsyms=$file$tab$large"
    done
    for file in in/generated/view-*.0; do
        printf -- '--print%s\t--base=%s\t%s\n' '' "$file" "${file%.0}.1" =json "$file" "${file%.0}.1" \
            =json "${file%.0}.1" "$file"
    done
    printf '%s\n' --help --version ''
}

case $action in
freeze)
    gather "$5"
    plan >"$work/plan"
    grep -ao "in/[^$tab]*\.gz" "$work/plan" | sed 's/\.gz$//' | sort -u | xargs gzip -nkf
    run_all "$work/plan" "$frozen/results"
    echo "$(wc -l <"$frozen/results") runs are frozen in $frozen"
    ;;
same)
    grep -ae "${ONLY:-}" "$frozen/results" | grep -av -e --print -e --base -e --help >"$work/old"
    cut -f4- "$work/old" >"$work/plan"
    run_all "$work/plan" "$work/new"
    awk -F'\t' -v new="$work/new" -v shown="${SHOWN:-20}" '
        function compare(what, was, is, at) {
            for (at = 1; substr(was, at, 1) == substr(is, at, 1) && at <= length(was); at++) { }
            if (was != is)
                printf "    %s, from character %d on:\n        was %s\n        is  %s\n", what, at,
                    substr(was, at > 60 ? at - 60 : 1, 200), substr(is, at > 60 ? at - 60 : 1, 200)
        }
        { getline other <new }
        $0 != other && ++count <= shown {
            split(other, now)
            print substr($0, length($1 $2 $3) + 4)
            compare("exit status", $1, now[1])
            compare("output", $2, now[2])
            compare("messages", $3, now[3])
        }
        END { printf "%d of %d runs differ\n", count, NR; exit count > 0 }' "$work/old"
    ;;
esac
