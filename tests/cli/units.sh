#!/bin/sh
# SPDX-License-Identifier: MIT
# units.sh PROGRAM: runs whose costs are in different units are shown as if all were written in the smaller one.
. "$(dirname "$0")/suite.inc"

# memory_run, time_run, sums_run UNIT FACTOR N: the Nth run of Xdebug, or part of sums, all of whose costs are multiplied.
memory_run() {
    awk -v unit="$1" -v by="$2" -v n="$3" 'function c(cost) { return by * cost * n }
    BEGIN { print "version: 1\ncreator: xdebug 3.2.0 (PHP 8.2)\ncmd: /a.php\nevents: " unit "\n"
        print "fl=(1) php:internal\nfn=(1) php::alloc\n3 " c(10) "\n\nfl=(1)\nfn=(2) php::free\n4 0\n"
        print "fl=(2) /a.php\nfn=(3) deep\n2 " c(4) "\ncfl=(1)\ncfn=(1)\ncalls=1 0 0\n3 " c(10)
        print "cfl=(1)\ncfn=(2)\ncalls=1 0 0\n4 " c(-7) "\n\nfl=(2)\nfn=(3)\n2 " c(1) "\ncfl=(2)\ncfn=(3)\ncalls=1 0 0\n5 " c(7)
        print "\nfl=(2)\nfn=(4) {main}\n1 " c(100) "\ncfl=(2)\ncfn=(3)\ncalls=1 0 0\n7 " c(8) "\n\nsummary: " c(200) "\n" }'
}
time_run() {
    awk -v unit="$1" -v by="$2" -v n="$3" 'function c(cost) { return by * cost * n }
    BEGIN { print "version: 1\ncreator: xdebug 3.2.0 (PHP 8.2)\ncmd: /a.php\nevents: " unit "\n"
        print "fl=(1) /a.php\nfn=(1) f\n3 " c(20) "\n\nfl=(1)\nfn=(1)\n3 " c(10) "\n4 " c(5) "\ncfl=(1)\ncfn=(1)\ncalls=1 0 0\n5 " c(20)
        print "\nfl=(1)\nfn=(2) {main}\n1 " c(30) "\ncfl=(1)\ncfn=(1)\ncalls=1 0 0\n7 " c(35) "\n\nsummary: " c(70) "\n" }'
}
sums_run() {
    awk -v unit="$1" -v by="$2" -v n="$3" 'function c(cost) { return by * cost * n }
    BEGIN { print "version: 1\ncreator: callgrind-3.19.0\npart: " n "\nthread: " n "\npositions: line\nevents: " unit
        print "fl=a.c\nob=o\nfn=main\n1 " c(10) "\nfi=i.h\n9 " c(2) "\nfe=a.c\ncfn=f\ncalls=2 1\n2 " c(30)
        print "fn=f\n4 " c(20) "\n5 " c(10) "\ncfn=g\ncalls=1 1\n6 " c(3) "\nfn=g\n8 " c(3) "\ntotals: " c(45) "\n" }'
}
for kind in memory time sums; do
    large='Time' small='Time_(10ns)' factor=100 between='==== NEW PROFILING FILE ===='
    [ $kind != memory ] || { large='Memory_(x10)' small=Memory factor=10; }
    [ $kind != sums ] || between=
    mkdir -p "$given/mixed" "$given/plain"
    { ${kind}_run "$large" 1 1; echo "$between"; ${kind}_run "$small" 1 2; } >"$given/mixed/$kind"
    { ${kind}_run "$small" $factor 1; echo "$between"; ${kind}_run "$small" 1 2; } >"$given/plain/$kind"
    for way in mixed plain; do
        ${kind}_run "$small" 1 2 >"$given/$way/$kind-2"
    done
    ${kind}_run "$large" 1 1 >"$given/mixed/$kind-1"
    ${kind}_run "$small" $factor 1 >"$given/plain/$kind-1"
done
touch -d @0 "$given"/mixed/* "$given"/plain/*
# all_ways OPTION...: each style, kind and number of inputs that can be shown; how many, and those that differ from what
# is shown of one unit. What was written into headers may. Or, if the option is `twice`, from what is shown of an event
# that is read by itself, not as one of several.
cat >"$given/ways" <<'SCRIPT'
all_ways() {
    same=0
    for kind in memory time sums; do
        event=Time
        [ $kind != memory ] || event=Memory
        for inputs in $kind "$kind-1 $kind-2"; do
            for style in table json csv markdown tree lines stacks html svg dot callgrind plot $(have go && echo pprof); do
                case $1 in
                twice) one_way mixed -e $event $inputs >seen && one_way mixed -e $event,$event $inputs >plain ;;
                *) one_way mixed "$@" $inputs >seen && one_way plain "$@" $inputs >plain ;;
                esac || continue
                same=$((same + 1))
                cmp -s seen plain || { echo "$kind, --print=$style $* $inputs:"; diff -a seen plain | head -5; }
            done
        done
    done
    rm seen plain raw
    echo $same
}
one_way() {
    (cd "$given/$1" && shift && cg2wg -q "--print=$style" "$@") >raw 2>&1 || return
    [ $style != pprof ] || { go tool pprof -raw raw 2>/dev/null; return; }
    sed '/{"key": "\(events\|summary\|totals\)"/d' raw
}
SCRIPT
run 'the costs of runs and parts in two units are those of one unit' 0 '. "$given/ways"; all_ways -q' out='[67][0-9]'
run 'the same with lines' 0 '. "$given/ways"; all_ways --lines' out='[1-9][0-9]'
for by in file class object folder line run thread 'call --function=*'; do
    run "the same by $by" 0 '. "$given/ways"; all_ways --group='"$by" out='[1-9]*'
done
run 'the same of several events' 0 '. "$given/ways"; all_ways -e all' out='[67][0-9]'
run 'the same with sums of recursion' 0 '. "$given/ways"; all_ways --inclusive=sum' out='[67][0-9]'
run 'the same of an event that is chosen twice' 0 '. "$given/ways"; all_ways twice' out='[67][0-9]'

finish
