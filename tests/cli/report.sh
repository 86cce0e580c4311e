#!/bin/sh
# SPDX-License-Identifier: MIT
# report.sh PROGRAM: reports of aprof as input, and --print of their costs by input size.
. "$(dirname "$0")/suite.inc"

# f costs 10 for each unit of size; g has one size, h none.
cat >"$given/report" <<'REPORT'
c made by hand
v 4
k 200
i rms
f ./p -x
r "f(int)" "/opt/p" 1
u 1 "_Z1fi"
p 1 3 30 30 30 0 1 20 10 10 10 0
p 1 1 9 11 20 0 2 20 10 4 6 0
p 1 2 20 20 20 0 1 20 10 10 10 0
p 1 5 50 50 50 0 1 50 10 10 10 0
p 1 4 40 40 40 0 1 40 10 10 10 0
r "g" "NONE" 2
p 2 7 3 3 3 0 1 3 150 150 150 0
r "h" "" 3
REPORT
cg2wg "$given/report" "$given/v7" || exit 2

# ---- as input

run 'a report is recognised' 0 'cg2wg "$given/report" out && rows out' files='out profile' \
    out='50 150 6 f(int)  (/opt/p)
150 3 1 g  (NONE)
0 0 0 h'
run '--inclusive=outermost is the default' 0 \
    'cg2wg --inclusive=outermost "$given/report" out && cmp out "$given/v7"' files='out profile'
run '--inclusive=sum counts recursion again' 0 \
    'cg2wg --inclusive=sum "$given/report" out && rows out' files='out profile' \
    out='50 160 6 f(int)  (/opt/p)
150 3 1 g  (NONE)
0 0 0 h'
for form in --input=aprof '--input aprof' --input=auto; do
    run "$form reads it" 0 "cg2wg $form '$given/report' out && cmp out '$given/v7'" \
        files='out profile'
done
run '--input=callgrind does not' 1 'cg2wg --input=callgrind "$given/report" out' \
    err='cg2wg: */report:1: warning: *not a callgrind profile*'
run '--input=aprof reads nothing else' 1 'cg2wg --input=aprof profile out' \
    err='cg2wg: profile:1: warning: *an aprof report*cg2wg: profile: *not an aprof report*'
run 'from standard input, in pieces' 0 \
    '{ head -c 9 "$given/report"; sleep 0.05; tail -c +10 "$given/report"; } | cg2wg - out &&
     cmp out "$given/v7"' files='out profile'
packers='gzip zstd xz bzip2'
! on_windows || packers=gzip
for packer in $packers; do
    if have $packer; then
        run "compressed by $packer" 0 \
            "$packer -c <'$given/report' >in && cg2wg in out && cmp out '$given/v7'" \
            files='in out profile'
    else
        skip "compressed by $packer" "no $packer"
    fi
done
run '-v says what was converted' 0 'cg2wg -v "$given/report" out' files='out profile' \
    err='cg2wg: out: format 7, 15 lines, 3 functions, 0 call arcs'
run '--list-events shows the metric and its total' 0 'cg2wg --list-events "$given/report"' \
    out='bb-count *200'
run 'an unknown event is an error' 1 'cg2wg -e Ir "$given/report" out' \
    err='cg2wg: */report: no event Ir; there are: bb-count'
run '--scale divides' 0 'cg2wg --scale=10 "$given/report" out && rows out' files='out profile' \
    out='5 15 6 f(int)  (/opt/p)
15 0 1 g  (NONE)
0 0 0 h' err='cg2wg: */report: all costs are divided by 10; the event is now bb-count_(x10)'
run 'a bad line is named, and left out' 0 \
    '{ cat "$given/report"; echo "p 3 1"; } >in && cg2wg in out && cmp out "$given/v7"' \
    files='in out profile' \
    err='cg2wg: in:16: warning: found "3 1", expected an id and at least 8 numbers'
run '--strict makes it an error' 1 \
    '{ cat "$given/report"; echo "p 3 1"; } >in && cg2wg --strict in out' files='in profile' \
    err='cg2wg: in:16: found "3 1", expected an id and at least 8 numbers'
run 'several reports become one' 0 \
    'cp "$given/report" again && cg2wg -o out "$given/report" again && rm again && rows out && cg2wg --print out | grep total' \
    files='out profile' out='100 300 12 f(int)  (/opt/p)
300 6 2 g  (NONE)
0 0 0 h
total:   400 in 2 runs'
run 'merging in steps gives the same' 0 \
    'real=$top/testdata/aprof/v6-contexts.aprof
     cg2wg -q -o all "$given/report" "$real" "$given/report" &&
     cg2wg -o two "$given/report" "$real" && cg2wg -o steps two "$given/report" && cmp all steps &&
     cg2wg -o two "$real" "$given/report" && cg2wg -o steps "$given/report" two && cmp all steps' \
    files='all profile steps two'

# ---- the table

run '--print shows costs by size' 0 \
    'cg2wg --print "$given/report" | tr -s " " | sed "s/^ //"' out='cmd: ./p -x
creator: aprof 4
events: bb-count
sizes: rms
total: 200

self % inclusive % calls sizes growth fit function
size calls least average most sum self
150 75.00 3 1.50 1 1 - - g (NONE)
7 1 3 3.0 3 3 150
50 25.00 150 75.00 6 5 n 1.000 f(int) (/opt/p)
1 2 9 10.0 11 20 10
2 1 20 20.0 20 20 10
3 1 30 30.0 30 30 10
4 1 40 40.0 40 40 10
5 1 50 50.0 50 50 10
0 0.00 0 0.00 0 0 - - h'
run 'costs by size are to the right of the functions' 0 \
    'cg2wg --print "$given/report" | sed -n "7,10p"' \
    out='        self       %    inclusive       %       calls  sizes growth     fit  function
                size       calls        least        average         most          sum         self
         150   75.00            3    1.50           1      1 -            -  g  (NONE)
                   7           1            3            3.0            3            3          150'
# order NAMES OPTIONS...: the functions in the order in which they are shown
order() {
    names=$1
    shift
    for options; do
        run "the order is $names: --print=json $options" 0 \
            'cg2wg --print=json $options "$given/report" |
             sed -n "s/.*\"name\": \"\([a-z]\).*/\1/p" | tr "\n" " "' out="$names "
        run "the order is $names: --print=plot $options" 0 \
            'cg2wg --print=plot $options "$given/report" |
             sed -n "s/^\([fgh]\)\((int)\)*\($\|  (.*\)/\1/p" | tr "\n" " "' out="$names "
    done
}
order 'g f h' '' --sort=self
order 'f g h' --sort=inclusive --sort=invocations --sort=name --sort=none
order 'f' '--sort=name --top=1'
order 'f g' '--top=2 --sort=none'
run 'the table says how many it does not show' 0 'cg2wg --print --top=1 "$given/report" | tail -n 1' \
    out='... and 2 more, with 25.00 % of the total'
run 'options of conversions hold' 0 \
    'cg2wg --print --inclusive=sum -e "2 bb-count" --top=1 --sort=inclusive "$given/report" |
     tr -s " " | sed -n "s/^ *//; 5p; 9,10p"' out='total: 400
100 25.00 320 80.00 6 5 n 1.000 f(int) (/opt/p)
1 2 18 20.0 22 40 20'
run 'what a version does not contain is a dash' 0 \
    'printf "f p\na p\nr f o 1\np 1 3 10 2\n" >in; cg2wg -q --print in | tr -s " " | tail -n 2' \
    files='in profile' out=' 0 - 20 - 2 1 - - f (o)
 3 2 - 10.0 - 20 -'
run 'no name can garble the table' 0 \
    'printf "v 2\nk 1\nr \"a\033[31m\001\" \"o\177\" 1\n" >in; cg2wg -q --print in | tail -n 1 |
     tr -s " "' files='in profile' out=' 0 0.00 0 0.00 0 0 - - a?\[31m? (o?)'

# ---- JSON

cat >"$given/json" <<'JSON'
{"event":"bb-count","unit":"bb-count","divisor":1,"runs":1,"total":200,"percent_of":200,
"headers":[{"key":"creator","value":"aprof4"},{"key":"cmd","value":"./p-x"},{"key":"events","value":"bb-count"},
{"key":"summary","value":"200"}],
"lines":[{"line":"cmadebyhand"},{"line":"v4"},{"line":"k200"},{"line":"irms"},{"line":"f./p-x"}],
"measure":"rms","left_out":{"functions":0,"cost":0,"percent":0.00},"functions":[
{"number":0,"name":"f(int)","file":"/opt/p","mangled_name":"_Z1fi","self":50,"inclusive":150,
"invocations":6,"growth":{"class":"n","base":0,"factor":10,"goodness":1.000000},"sizes":[
{"size":1,"invocations":2,"sum":20,"outermost":20,"min":9,"max":11,"self":10,"self_min":4,"self_max":6},
{"size":2,"invocations":1,"sum":20,"outermost":20,"min":20,"max":20,"self":10,"self_min":10,"self_max":10},
{"size":3,"invocations":1,"sum":30,"outermost":20,"min":30,"max":30,"self":10,"self_min":10,"self_max":10},
{"size":4,"invocations":1,"sum":40,"outermost":40,"min":40,"max":40,"self":10,"self_min":10,"self_max":10},
{"size":5,"invocations":1,"sum":50,"outermost":50,"min":50,"max":50,"self":10,"self_min":10,"self_max":10}],"called_from":[],"sub_calls":[]},
{"number":1,"name":"g","file":"NONE","self":150,"inclusive":3,"invocations":1,"growth":null,"sizes":[
{"size":7,"invocations":1,"sum":3,"outermost":3,"min":3,"max":3,"self":150,"self_min":150,"self_max":150}],"called_from":[],"sub_calls":[]},
{"number":2,"name":"h","file":"","self":0,"inclusive":0,"invocations":0,"growth":null,"sizes":[],"called_from":[],"sub_calls":[]}],"other_functions":[]}
JSON
tr -d '\n' <"$given/json" >"$given/squeezed"
run '--print=json shows everything' 0 \
    'squeezed cg2wg --print=json --sort=none "$given/report" | cmp - "$given/squeezed"'
printf 'v 0\nr tab\there\377 "o 1\np 1 3 10 2\n' >"$given/odd"
run 'what a version does not contain has no member, and names may be anything' 0 \
    'cg2wg -q --print=json "$given/odd" | tail -n 12' out='  "functions": \[
    {"number": 0, "name": "tab\\u0009here\\ufffd", "name_bytes": "7461620968657265ff", "file": "\\"o",
     "self": 0, "inclusive": 20, "invocations": 2,
     "growth": null,
     "sizes": \[
      {"size": 3, "invocations": 2, "sum": 20}],
     "called_from": \[],
     "sub_calls": \[]}
  \],
  "other_functions": \[
  \]
}'
if have python3; then
    for input in '"$given/report"' '"$given/odd"' '"$top/testdata/aprof/v6-contexts.aprof"'; do
        for options in '' --top=1 --sort=name; do
            run "it is JSON: $input $options" 0 \
                "cg2wg -q --print=json $options $input >json &&
                 python3 -c 'import json; json.load(open(\"json\", encoding=\"utf-8\"))'" \
                files='json profile'
        done
    done
else
    skip 'it is JSON' 'no python3'
fi

# ---- plots

run 'the plot shows costs where they are, and the growth' 0 \
    'cg2wg --print=plot --sort=inclusive --top=1 "$given/report" | sed 1,9d' \
    out='f(int)  (/opt/p)
  self 50, inclusive 150, 6 calls, 5 sizes
  growth: n, about 0 + 10 n (fit 1.000)

          50.0 |                                                        ...\*
               |                                                 .......
               |                                           .\*....
               |                                    .......
               |                             .\*.....
               |                       ......
               |                .......
               |         ......\*
               |   ......
               |\*..
               |
             0 |
               +------------------------------------------------------------
                1                                   size                   5

... and 2 more, with 75.00 % of the total'
printf 'v 4\nk 30\nr "f" "o" 1\np 1 1 10 10 10 0 1 10 10 10 10 0\np 1 2 20 20 20 0 1 20 20 20 20 0\n' \
    >"$scratch/two-sizes"
run 'two sizes have a plot' 0 'cg2wg --print=plot "$scratch/two-sizes" | sed 1,7d' out='f  (o)
  self 30, inclusive 30, 2 calls, 2 sizes
  growth: unknown, too few sizes

          20.0 |                                                           \*
               |
               |
               |
               |
               |\*
               |
               |
               |
               |
               |
             0 |
               +------------------------------------------------------------
                1                                   size                   2'
# growth FORMULA: what is said of 20 sizes whose costs are the formula's, in awk
growth() {
    awk "BEGIN {
        print \"v 4\nk 1000000000\nr \\\"f\\\" \\\"o\\\" 1\"
        for (i = 1; i <= 20; i++) {
            n = 10 * i
            c = int($1 + 0.5)
            print \"p 1\", n, c, c, c, 0, 1, 0, 1, 1, 1, 0
        }
    }" >"$scratch/growing"
    cg2wg -q --print=plot "$scratch/growing" | sed -n 's/^  growth: \(.*\), about.*(fit \(.*\))/\1 \2/p'
}
run 'constant growth' 0 "growth 500" out='constant 1.000'
run 'logarithmic growth' 0 "growth '1000 + 500 * log(n)'" out='log n 1.000'
run 'linear growth' 0 "growth '100 + 5 * n'" out='n 1.000'
run 'linearithmic growth' 0 "growth '100 + 5 * n * log(n)'" out='n log n 1.000'
run 'quadratic growth' 0 "growth '100 + 5 * n * n'" out='n^2 1.000'
run 'cubic growth' 0 "growth '100 + n * n * n'" out='n^3 1.000'
run 'no growth in what goes up and down' 0 "growth '500 + 100 * (i % 2)'" out='constant 0.99*'
# unclear FORMULA [MORE]: the same where no class is given
unclear() {
    growth "$1" >/dev/null
    [ -z "${2:-}" ] || echo "$2" >>"$scratch/growing"
    for style in plot table json; do
        cg2wg -q --print=$style "$scratch/growing" | grep -o -e "growth: unclear (best fit [01].[0-9]*)" \
            -e "unclear  *[01].[0-9]* " -e '"class": "unclear"' | tr -d '0-9'
    done
}
run 'unclear growth: nothing fits well' 0 "unclear 'n * (1 + 8 * (i % 2))'" \
    out='growth: unclear (best fit .)
unclear  . 
"class": "unclear"'
run 'unclear growth: one far size decides' 0 \
    "unclear '500 + 50 * (i % 2)' 'p 1 90000 9000 9000 9000 0 1 0 1 1 1 0'" out='growth: unclear (best fit .)
unclear  . 
"class": "unclear"'
run 'too few sizes' 0 \
    'cg2wg --print=plot --top=1 "$given/report" | sed -n 10,12p' out='g  (NONE)
  self 150, inclusive 3, 1 call, 1 size
  growth: unknown, too few sizes'
printf 'v 4\nk 9\nr "f" "o" 1\np 1 9007199254740992 1 1 1 1 1 1 1 1 1 1\np 1 9007199254740993 2 2 2 4 1 2 2 2 2 4\n' \
    >"$scratch/alike"
run 'sizes so large that they are the same as numbers with a point have no plot' 0 \
    'cg2wg --print=plot "$scratch/alike" | sed 1,7d' out='f  (o)
  self 3, inclusive 3, 2 calls, 2 sizes
  growth: unknown, too few sizes'
run 'a preprocessed file, or a profile, has nothing to plot' 1 \
    'cg2wg -q --print=plot profile 2>/dev/null && echo plotted; cg2wg --print=plot "$given/v7"' \
    err='cg2wg: */v7: no costs by input size; only a report of aprof can be plotted'

# ---- where it comes from

run '--print of a report from a pipe' 0 \
    'cat "$given/report" | cg2wg --print=json --sort=none - | tr -d " \n" | cmp - "$given/squeezed"'
if have gzip; then
    run '--print of a compressed report' 0 \
        'gzip -c "$given/report" | cg2wg --print=json --sort=none - | tr -d " \n" |
         cmp - "$given/squeezed"'
fi
run '--print of a preprocessed file from a pipe' 0 'cat "$given/v7" | cg2wg --print - | sed -n 1p' \
    out='format:  7, 3 functions'
run '--input says what --print is given' 1 'cg2wg --print --input=preprocessed "$given/report"' \
    err='cg2wg: */report: found the text "c ma", expected a preprocessed file*'
run '--print reports bad lines' 0 \
    '{ cat "$given/report"; echo "p 3 1"; } | cg2wg --print - | sed -n 2p' out='creator: aprof 4' \
    err='cg2wg: (standard input):16: warning: *'
run '--strict holds for --print' 1 \
    '{ cat "$given/report"; echo "p 3 1"; } | cg2wg --print --strict -' \
    err='cg2wg: (standard input):16: found *'
run '--print of many bad lines says their number' 0 \
    '{ cat "$given/report"; for i in 1 2 3 4 5 6 7; do echo "p 3 1"; done; } |
     cg2wg --print - >/dev/null' err='*cg2wg: 2 more warnings; use --verbose to see them'
run '--print of a report without routines' 1 'printf "c x\nv 4\n" | cg2wg --print -' \
    err='cg2wg: (standard input): no routine; this is not an aprof report'
if [ -c /dev/full ]; then
    for style in table json plot; do
        run "--print=$style fails where it cannot write" 1 \
            "cg2wg --print=$style '$given/report' >/dev/full" err='cg2wg: *No space left on device'
    done
else
    skip '--print fails where it cannot write' 'no /dev/full'
fi
run 'a report cut off anywhere is printed, or refused' 0 \
    'size=$(wc -c <"$given/report") bytes=0
     while [ $bytes -le $size ]; do
         head -c $bytes "$given/report" | cg2wg -q --print=plot --input=aprof - >shown 2>message
         status=$?
         case $status in
         0) [ -s shown ] ;;
         1) [ -s message ] ;;
         *) false ;;
         esac || echo "$bytes bytes: $status"
         echo $status
         bytes=$((bytes + 7))
     done | sort -u; rm shown message' out="0${newline}1"

run 'pprof has the names of the linker, too' 0 'cg2wg -q --print=pprof "$given/report" | grep -ac _Z1fi' out='[1-9]*'
finish
