#!/bin/sh
# stacks.sh PROGRAM: --print=stacks, collapsed stacks. Their costs add up to the functions' self costs.
. "$(dirname "$0")/suite.inc"

# leaves STACKS: the sum of the costs by the last name.
leaves() {
    awk '{ cost = $NF; sub(/ [^ ]*$/, ""); sub(/.*;/, ""); sum[$0] += cost }
         END { for (name in sum) print sum[name], name }' "$1" | sort
}

# selves OPTION... FILE: the self costs by name, as a conversion has them.
selves() {
    cg2wg -q --scale=none "$@" pre && cg2wg --print=json pre >json &&
        tr -d '\n' <json | sed 's/{"number"/\
&/g' | sed -n 's/^{"number": [0-9]*, "name": "\(.*\)", "file": .*"self": \([0-9]*\), .*/\2 \1/p' |
        sed 's/\\\(["\\]\)/\1/g' | awk '{ cost = $1; sub(/^[^ ]* /, ""); sum[$0] += cost }
             END { for (name in sum) if (sum[name]) print sum[name], name }' | sort
}

# adds_up OPTION... FILE: do the stacks of a file add up to its self costs?
adds_up() {
    cg2wg -q --print=stacks "$@" >stacks && leaves stacks >leaves && selves "$@" >selves &&
        [ -s selves ] && cmp leaves selves
    adds_up_status=$?
    rm -f stacks leaves selves pre json
    return $adds_up_status
}

# ---- reports of aprof

# main calls a and b, which calls a. Contexts may be in any order.
cat >"$given/report" <<'REPORT'
v 6
k 100
i rms
r "main" "/opt/p" 1
q 10 1 100 100 100 10000 1 100 35 35 35 1225
r "b" "/opt/p" 2
q 12 1 25 25 25 625 1 25 5 5 5 25
r "a" "/opt/p" 3
q 11 1 20 20 40 800 2 40 40 20 20 800
q 13 1 20 20 20 400 1 20 20 20 20 400
x 3 13 12
x 1 10 -1
x 2 12 10
x 3 11 10
REPORT
run 'a report: contexts become stacks, in order of their names' 0 'cg2wg --print=stacks "$given/report"' out='main 35
main;a 40
main;b 5
main;b;a 20'
run 'a report: stacks add up to self costs' 0 'adds_up "$given/report" && adds_up "$top/testdata/aprof/v6-contexts.aprof"'
run 'a report: a routine without contexts is a root' 0 \
    '{ cat "$given/report"; echo "r \"f\" \"/opt/p\" 4"; echo "p 4 1 7 7 7 49 1 7 7 7 7 49"; } | sed "s/^k 100/k 107/" >in
     cg2wg --print=stacks in | head -n 1; adds_up in; rm in' out='f 7'
run 'a report without contexts has none' 1 \
    'sed -n "/^q 12/,/^q 13/d; s/^q 10/p 1/; /^x/!p" "$given/report" >in; cg2wg --print=stacks in || { rm in; false; }' \
    err='cg2wg: in: found sums over all calls, which *'

# ---- recordings of perf

data=$top/testdata/perf
symbols="--symfs='$data/symfs'"
for file in time group two pipe; do
    run "a recording: stacks add up to self costs ($file)" 0 "adds_up $symbols '$data/$file.data'"
done

# ---- what has none

for file in valgrind/default.out valgrind/cachegrind.out other/stackprof.out; do
    run "a profile of sums has none: $file" 1 "cg2wg --print=stacks '$top/testdata/$file'" \
        err="cg2wg: *$file: found sums over all calls, which do not say what stacks the costs belong to, expected *"
done
run 'options for tables do not apply' 2 'cg2wg --print=stacks --top=3 "$given/report"' \
    err='cg2wg: --top cannot be used with --print=stacks, *'

finish
