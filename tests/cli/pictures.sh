#!/bin/sh
# SPDX-License-Identifier: MIT
# pictures.sh PROGRAM: call graphs for graphviz, and pictures and stacks of comparisons.
. "$(dirname "$0")/suite.inc"

# graph [OPTION...] FILE: the call graph with exact costs, a line for each function, `NAME SELF INCLUSIVE`, and for the
# calls between two, `CALLER>CALLEE COST`. Functions of one name are one.
graph() {
    cg2wg -q --print=dot --raw "$@" | awk '
        function number(text) { gsub(",", "", text); return text + 0 }
        /^N[0-9]+ \[/ {
            text = $0
            sub(/.* tooltip="/, "", text)
            sub(/( \([^()]*\))?" fontsize=.*/, "", text)
            gsub(/\\\\/, "\\", text)
            name[$1] = text
            split($0, lines, /\\n(self|of|kept) /)
            self[text] += number(lines[2])
            all[text] += number(lines[3])
        }
        /^N[0-9]+ -> / { arcs[name[$1] ">" name[$3]] += number(substr($0, index($0, "label=\" ") + 8)) }
        END {
            for (key in self)
                printf "%s %.0f %.0f\n", key, self[key], all[key]
            for (key in arcs)
                printf "%s %.0f\n", key, arcs[key]
        }' | sort
}

# own_sums FILE: the same of the text of a profile in callgrind format with one position and all its records
cat >"$given/own_sums" <<'SCRIPT'
function name(text, number) {
    sub(/^[a-z]+=/, "", text)
    if (match(text, /^\([0-9]+\)/)) {
        number = substr(text, 1, RLENGTH)
        if (length(text) > RLENGTH)
            names[number] = substr(text, RLENGTH + 2)
        return names[number]
    }
    return text
}
/^fn=/ { f = name($0); self[f] += 0 }
/^cfn=/ { callee = name($0); all[callee] += 0; self[callee] += 0 }
/^calls=/ { getline; arcs[f ">" callee] += $2; all[f] += $2; next }
/^[0-9+*-]/ { self[f] += $2; all[f] += $2 }
END {
    for (key in self)
        printf "%s %.0f %.0f\n", key, self[key], all[key]
    for (key in arcs)
        printf "%s %.0f\n", key, arcs[key]
}
SCRIPT
own_sums() {
    awk -f "$given/own_sums" "$1" | sort
}

# draw: draws the graph on standard input, and prints what graphviz says; nothing: it is content
draw() {
    if have dot; then
        dot -Tsvg >graph.svg 2>messages || echo "dot failed"
        cat messages
        rm -f messages graph.svg
    else
        cat >/dev/null
    fi
}

have dot || skip 'graphviz draws the graphs without a warning' 'no dot'

# ---- the call graph

# main (self 2) calls a (30) and b (10); these call c (18 and 2), which calls d (6). All is 42.
cat >"$given/diamond" <<'PROFILE'
events: Ir
fn=main
1 2
cfn=a
calls=2 1
2 30
cfn=b
calls=1 1
3 10
fn=a
4 12
cfn=c
calls=3 1
5 18
fn=b
6 8
cfn=c
calls=1 1
7 2
fn=c
8 14
cfn=d
calls=3 1
9 6
fn=d
10 6
PROFILE
run 'a graph has each function and the calls between two' 0 'graph "$given/diamond"; own_sums "$given/diamond" | wc -l; cg2wg -q --print=dot "$given/diamond" | draw' out='a 12 30
a>c 18
b 8 10
b>c 2
c 14 20
c>d 6
d 6 6
main 2 42
main>a 30
main>b 10
10'
run 'its costs are the sums of the profile' 0 'for file in valgrind/default valgrind/callers other/gperftools xdebug/3.2-catalog; do
        graph --inclusive=sum --all --min=0 "$top/testdata/$file.out" >ours; own_sums "$top/testdata/$file.out" >own
        cmp ours own && wc -l <own; rm ours own; done' out='174
85
28
26'

if have go; then
    # Without calls of a function to itself, which pprof leaves out, and what costs nothing
    cat >"$given/pprof" <<'SCRIPT'
of_pprof() {
    HOME=$PWD go tool pprof -symbolize=none -unit=nanoseconds -dot -nodecount=100000 -nodefraction=0 -edgefraction=0 "$1" 2>pprof.messages | awk -v unit="$2" '
        function last_cost(text) { sub(/.*\(/, "", text); return text / unit }
        /^N[0-9]+ \[label=/ && /id="node/ {
            text = $0
            sub(/.* tooltip="/, "", text)
            sub(/" color=.*/, "", text)
            cost = last_cost(text)
            sub(/ \([^()]*\)$/, "", text)
            gsub(/\\\\/, "\\", text)
            name[$1] = text
            all[text] += cost
            label = $0
            sub(/" id="node.*/, "", label)
            sub(/(\\n| )of .*/, "", label)
            sub(/ \([0-9.]+%\)$/, "", label)
            sub(/.*\\n/, "", label)
            self[text] += label / unit
        }
        /^N[0-9]+ -> N/ { text = $0; sub(/" labeltooltip.*/, "", text); arcs[name[$1] ">" name[$3]] += last_cost(text) }
        END {
            for (key in all)
                printf "%s %.0f %.0f\n", key, self[key], all[key]
            for (key in arcs)
                printf "%s %.0f\n", key, arcs[key]
        }' | sort
}
SCRIPT
    run 'they are those of pprof, where recursion counts once' 0 '. "$given/pprof"
        for name in 2.0-files 2.6-files 2.8-handlers 3.0-import 3.2-config 3.2-killed 3.2-nested-events 3.2-orders 3.2-release 3.2-workers; do
            file=$top/testdata/xdebug/$name.out; cg2wg -q -o p.pb "$file"; of_pprof p.pb 10 >theirs
            case $name in 2.*) of_pprof p.pb 1000 >theirs ;; esac
            graph --all --min=0 "$file" | awk "{ half = substr(\$0, 1, length(\$0) - length(\$NF) - 1); if (\$NF > 0 && half != substr(half, 1, (length(half) - 1) / 2) \">\" substr(half, 1, (length(half) - 1) / 2)) print }" >ours
            cmp ours theirs && wc -l <ours; rm -r p.pb ours theirs pprof*; done | awk "{ n++; sum += \$1 } END { print n, (sum > 400) }"' out='10 1'
else
    skip 'they are those of pprof, where recursion counts once' 'no go'
fi

# Within the first call of g at line 2 is another one at line 4, so that all calls cost 13, as g.
printf %b 'creator: xdebug 3\nevents: Time\n\nfl=a\nfn=g\n1 10\n\nfl=a\nfn=f\n1 1\ncfl=a\ncfn=g\ncalls=1 0 0\n4 10\n\n' \
    'fl=a\nfn=g\n1 2\ncfl=a\ncfn=f\ncalls=1 0 0\n3 11\n\nfl=a\nfn=f\n1 3\ncfl=a\ncfn=g\ncalls=1 0 0\n2 13\n\n' \
    'fl=a\nfn={main}\n1 4\ncfl=a\ncfn=f\ncalls=1 0 0\n9 16\n\nsummary: 20\n' >"$given/twice"
run 'calls at several lines cost no more than what they are of' 0 'graph --min=0 "$given/twice"' out='f 4 16
f>g 13
g 12 13
g>f 11
{main} 4 20
{main}>f 16'
run 'groups are in the place of functions' 0 'printf "events: Ir\nfl=x.c\nfn=main\n1 2\ncfi=y.c\ncfn=a\ncalls=1 1\n1 8\ncfn=b\ncalls=1 1\n2 3\nfl=y.c\nfn=a\n1 5\ncfn=b\ncalls=2 1\n3 3\nfl=x.c\nfn=b\n1 6\n" >in
    sed -i "s/^cfn=b/cfi=x.c\n&/" in; graph --group=file in; rm in' out='x.c 8 13
x.c>y.c 8
y.c 5 8
y.c>x.c 3'

# ---- what is left out. main calls f1 to f100, each of which costs its number: 5050 in all, of which 0.5 % are 25.25.
awk 'BEGIN { print "events: Ir\nfn=main\n1 0"; for (i = 1; i <= 100; i++) print "cfn=f" i "\ncalls=1 1\n1 " i
    for (i = 1; i <= 100; i++) print "fn=f" i "\n1 " i }' >"$given/hundred"
run 'of a graph, 80 functions of at least 0.5 % are shown' 0 'for options in "" --min=0 --top=3 "--all --min=0" "--min=1.9 --top=100"; do
        graph $options "$given/hundred" | awk "/>/ { arcs++ } !/>/ { nodes++ } END { print nodes, arcs }"; done
    graph --top=3 "$given/hundred"; cg2wg -q --print=dot "$given/hundred" | sed -n 3p' out='76 75
80 79
3 2
101 100
6 5
f100 100 100
f99 99 99
main 0 5050
main>f100 100
main>f99 99
... and 25 more, with 6.44 % of the total'
run '... and calls of at least a fifth of that' 0 'printf "events: Ir\nfn=main\n1 9\ncfn=a\ncalls=1 1\n1 90\ncfn=c\ncalls=1 1\n1 1\nfn=a\n1 40\ncfn=c\ncalls=1 1\n1 50\nfn=c\n1 51\n" >in
    graph --min=5 in; graph --min=5.01 in | grep "main>"; rm in' out='a 40 90
a>c 50
c 51 51
main 9 100
main>a 90
main>c 1
main>a 90'
run 'functions are chosen by patterns' 0 'graph --only=a --only==c "$given/diamond"; graph --hide=c --hide=b "$given/diamond" | grep -c .' out='a 12 30
a>c 18
c 14 20
main 2 42
main>a 30
4'
run 'its order is its own' 2 'cg2wg --print=dot --sort=self "$given/diamond"' err='cg2wg: --sort cannot be used with --print=dot, only with *'

# ---- names, which come from anywhere

hostile=$(printf '"\\a\\n\\"&lt;<b>&\001\377\\')
run 'names are text' 0 'printf "events: Ir\ncmd: %s\nfl=%s\nfn=%s\n1 2\ncfn=\\N\ncalls=1 1\n2 3\nfn=\\N\n1 3\nfn=%05000d\n1 3\n" "$hostile" "$hostile" "$hostile" 7 >in
    cg2wg -q -o x.dot in; grep -o "\[label=.*self" x.dot | cut -c 1-60; grep -c "tooltip=.*&amp;lt;<b>&amp;??.*(.*&amp;lt;<b>.*)\" fontsize" x.dot; draw <x.dot
    ! have dot || dot -Tsvg x.dot | grep -c "xlink:title=\"&quot;.a.n.&quot;&amp;lt;&lt;b&gt;&amp;??. (" >drawn; ! have dot || grep -q 1 drawn || echo "the name is another one"; rm -f drawn; rm in x.dot' out='\[label="\\"\\\\a\\\\n\\\\\\"&amp;lt;<b>&amp;??\\\\\\nself
\[label="\\\\N\\nself
\[label="0*
1'

# ---- comparisons: d costs 10 more

sed 's/^9 6/9 16/; s/^10 6/10 16/; s/^5 18/5 27/; s/^7 2/7 3/; s/^2 30/2 39/; s/^3 10/3 11/' "$given/diamond" >"$given/slower"
run 'a graph of a comparison has what changed' 0 'graph --base="$given/diamond" --min=0 "$given/slower"; cg2wg -q --print=dot --base="$given/diamond" "$given/slower" | sed -n 2p
    cg2wg -q --print=dot --base="$given/diamond" "$given/slower" | draw; for side in diamond slower; do
        cg2wg -q --print=dot --base="$given/diamond" "$given/$side" | grep -c "0.02 0.*\]"; cg2wg -q --print=dot --base="$given/slower" "$given/$side" | grep -c "0.6 0.*\]"; done || :' out='a 0 9
a>c 9
b 0 1
b>c 1
c 0 10
c>d 10
d 10 10
main 0 10
main>a 9
main>b 1
graph*label="base: */diamond, 42\\nnow: */slower, 52\\nIr: +10 (+23.81 %); red grew, blue shrank
0
10
10
0'
run 'functions may be new or gone' 0 'sed "s/=d/=e/" "$given/diamond" >other; cg2wg -q --print=dot --base="$given/diamond" other | grep -o "label=\"[de] .*%)" | sort; rm other' out='label="d (gone)\\nself -6 (-14.29 %)\\nof -6 (-14.29 %)
label="e (new)\\nself +6 (+14.29 %)\\nof +6 (+14.29 %)'
run 'runs are compared by their means' 0 'graph --min=0 --base="$given/diamond" --base="$given/diamond" "$given/slower" "$given/slower" | head -n 2' out='a 0 9
a>c 9'
run 'what grew decides the exit status' 3 'cg2wg -q --print=dot --fail-above=23 --base="$given/diamond" "$given/slower" >out; status=$?; rm out; exit $status'
run 'a file that ends in .dot or .gv is a graph, and is replaced by another' 0 'for name in x.dot x.gv x.dot.gz; do cg2wg -q -o $name "$given/diamond"; cg2wg -q -o $name "$given/diamond"; done
    gzip -dc x.dot.gz | cmp - x.dot; cmp x.dot x.gv; head -n 1 x.dot; rm x.dot x.gv x.dot.gz' out='digraph "cg2wg" {'
run '... and no other graph is lost' 2 'echo "digraph mine {}" >x.dot; cg2wg -q -o x.dot "$given/diamond"; status=$?; cat x.dot; rm x.dot; exit $status' out='digraph mine {}' err='cg2wg: x.dot: *'

# ---- stacks of a comparison

printf 'a;b 3\na;c 4\n' >"$given/old.folded"
printf 'a;b 5\na;d 1\n' >"$given/new.folded"
# difference OLD NEW: what FlameGraph's difffolded.pl writes of two files of stacks, sorted
difference() {
    awk '{ cost = $NF; sub(/ [0-9]+$/, ""); costs[$0, NR == FNR] += cost; stacks[$0] }
        END { for (stack in stacks) printf "%s %.0f %.0f\n", stack, costs[stack, 1], costs[stack, 0] }' "$1" "$2" | sort
}
run 'stacks have their old and new costs' 0 'cg2wg -q --print=stacks --base="$given/old.folded" "$given/new.folded"; difference "$given/old.folded" "$given/new.folded"' out='a;b 3 5
a;c 4 0
a;d 0 1
a;b 3 5
a;c 4 0
a;d 0 1'
run '... as difffolded.pl has them of both outputs' 0 'for options in "xdebug/3.2-release.out xdebug/3.2-config.out" "xdebug/3.2-orders.out xdebug/3.2-orders.out" "perf/time.script perf/time.script" \
        "--estimate valgrind/default.out valgrind/callers.out" "-eMemory xdebug/2.6-files.out xdebug/2.8-handlers.out" "--group=class xdebug/3.2-config.out xdebug/3.2-release.out"; do
        set -- $options; case $1 in -*) option=$1; shift ;; *) option=-q ;; esac; old=$top/testdata/$1 new=$top/testdata/$2
        for side in old new; do eval "cg2wg -q --print=stacks $option \"\$$side\" >$side.stacks"; done; difference old.stacks new.stacks >theirs
        cg2wg -q --print=stacks $option --base="$old" "$new" | sort | cmp - theirs; cat theirs >>all; rm theirs old.stacks new.stacks; done; awk "{ if (\$NF == 0) gone++; else if (\$(NF - 1) == 0) added++; else both++ } END { print (gone > 100), (added > 100), (both > 50) }" all; rm all' out='1 1 1'
run 'one unit counts in both' 0 'printf "creator: xdebug 3\nevents: Time_(10ns)\n\nfl=a\nfn=f\n1 700\n\nsummary: 700\n" >new; printf "creator: xdebug 2\nevents: Time\n\nfl=a\nfn=f\n1 5\n\nsummary: 5\n" >old
    cg2wg -q --print=stacks --base=old new; cg2wg -q --print=stacks --base=new old; cg2wg -q --print=stacks --base=old --base=old new new; cg2wg -q --print=svg --base=old new | grep -o "<title>.*</title>"; rm old new' out='f 500 700
f 700 500
f 500 700
<title>f: 5.00 µs -&gt; 7.00 µs, +40.00 %</title>'
# Widths are those of the larger cost of each stack: 5, 4 and 1. The opacity is 0.15 and 0.6 of what changed.
run 'a picture shows what changed, also what is gone' 0 'cg2wg -q --print=svg --base="$given/old.folded" "$given/new.folded" | sed -n "s/.*<title>\(.*\)<.title><rect x=\"\(.*\)\" y.*width=\"\(.*\)\" height.*rgb(\(.*\))\" fill-opacity=\"\(.*\)\".><.*/\1 \2 \3 \4 \5/p"
    cg2wg -q --print=svg --base="$given/old.folded" "$given/new.folded" | grep -o "<text.*>\(grew\|shrank\|new\|gone\|same\)<" | wc -l' out='a: 7 -&gt; 6, -14.29 % 10.00 1200.00 70,140,225 0.24
b: 3 -&gt; 5, +28.57 % 10.00 600.00 232,93,70 0.39
c: 4 -&gt; 0, -57.14 % 610.00 480.00 110,120,130 0.75
d: 0 -&gt; 1, +14.29 % 1090.00 120.00 205,85,190 0.75
5'
# A frame of 600 units has room for 85 columns of 7 units: for 42 ideographs, of two columns each, and an ellipsis.
run 'names have no more columns than their frames' 0 'printf "main;%120s 50\nmain;f 50\n" "" | sed "s/  /日/g" >in
    cg2wg -q --print=svg in | sed -n "s/.*<text[^>]*>\(\(日\)*\)….*/\1/p"; rm in' out="$(printf '%84s' '' | sed 's/  /日/g')"
run 'what grew decides the exit status of pictures and stacks' 0 'for style in svg stacks; do for limit in 16.6 16.7; do cg2wg -q --print=$style --fail-above=$limit --base="$given/new.folded" "$given/old.folded" >out; echo $?; done; done; rm out' out='3
0
3
0'

finish
