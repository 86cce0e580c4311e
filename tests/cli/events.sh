#!/bin/sh
# SPDX-License-Identifier: MIT
# events.sh PROGRAM: several events side by side.
. "$(dirname "$0")/suite.inc"

if have python3 && have callgrind_annotate; then
    run 'columns of real profiles are those of callgrind_annotate' 0 'cd "$top/testdata/valgrind"
        python3 "$top/tests/cli/events.py" "$program" cache-branch.out cachegrind-O0.out cachegrind-branch.out cachegrind.out' \
        out='[3-9][0-9][0-9][0-9]'
else
    skip 'columns of real profiles are those of callgrind_annotate' 'no python3 or callgrind_annotate'
fi

# main calls f. Of "a,b", main costs 60 and f 40; of c, 3 and 5. Sum = c + 2 a,b is 123 and 85. c has no cost elsewhere.
cat >"$given/two" <<'PROFILE'
creator: callgrind-3.19.0
event: Sum = c + 2 a,b : A long name
events: a,b c none
summary: 100 8 0
fl=x.c
fn=main
1 60 3
cfn=f
calls=2 1
2 40 5
fn=f
1 40 5
PROFILE
head='creator: callgrind-3.19.0
events:  a,b
total:   100 a,b
'
run 'a comma is a part of a name, and separates names' 0 'cg2wg -e "c , a,b" "$given/two" | sed 1,4d | tr -s " "
    cg2wg -e a,b "$given/two" | sed -n "4,\$s/  */ /gp"' out='
 c % a,b % invocations function
 5 62.50 40 40.00 2 f (x.c:1)
 3 37.50 60 60.00 1 main (x.c:1)
 self % inclusive % invocations function
 60 60.00 100 100.00 1 main (x.c:1)
 40 40.00 40 40.00 2 f (x.c:1)'
run 'all events: what is measured, and formulas' 0 'cg2wg -e all "$given/two"' out="$head         8 c
         208 Sum

         a,b       %            c       %          Sum       % invocations  function
          60   60.00            3   37.50          123   59.13           1  main  (x.c:1)
          40   40.00            5   62.50           85   40.87           2  f  (x.c:1)"
printf 'creator: cg2wg\nevents: a faults/period=1/u\nfn=main\n1 2 3\n' >"$given/equals"
run 'a name of perf may look like a formula' 0 'cg2wg -q -e all "$given/equals" | grep main; cg2wg -q -e faults/period=1/u "$given/equals" | grep main
    cg2wg -q -e faults/period=1/u "$given/equals" made; cg2wg -q -e faults/period=1/u made | grep -c main; rm made' out='           2  100.00                 3  100.00  main
           3  100.00            -       -           -  main
1'
run 'by inclusive cost, with a formula' 0 'cg2wg -e "a,b,Less = 7 c - 2 * c" --sort=inclusive "$given/two" | sed 1,4d' out='
a,b inclusive       % Less inclusive       % invocations  function
          100  100.00             40  100.00           1  main  (x.c:1)
           40   40.00             25   62.50           2  f  (x.c:1)'
run 'as CSV: self and inclusive costs' 0 'cg2wg -e a,b,c --print=csv --top=1 "$given/two" | tr -d "\r"' \
    out='name,file,line,object,"a,b","a,b %","a,b inclusive","a,b inclusive %","c","c %","c inclusive","c inclusive %",invocations
"main","x.c",1,"",60,60.00,100,100.00,3,37.50,8,100.00,1'
run 'as JSON' 0 'cg2wg -e a,b,c --print=json "$given/two" | tr -d " \n" | grep -o "\"events\":.*\"headers\|\"costs\":[^]]*]"' \
    out='"events":\[{"event":"a,b","unit":"a,b","divisor":1,"total":100,"percent_of":100},{"event":"c","unit":"c","divisor":1,"total":8,"percent_of":8}],"headers
"costs":\[{"self":60,"inclusive":100},{"self":3,"inclusive":8}]
"costs":\[{"self":40,"inclusive":40},{"self":5,"inclusive":5}]'
run 'of pipes, compressed or not, and of several inputs' 0 'cg2wg -e all "$given/two" >file; gzip -c "$given/two" | cg2wg -e all - | cmp - file
    mkfifo pipe; cat "$given/two" >pipe & cg2wg -e all pipe | cmp - file; cg2wg -e all - <"$given/two" | cmp - file
    cg2wg --print -e all "$given/two" "$given/two" | sed -n "/^ .*main/s/  */ /gp"; rm file pipe' \
    out=' 120 60.00 6 37.50 246 59.13 2 main (x.c:1)'
recording="$top/testdata/perf/two.data"
# The periods of both events by function, as perf script -F event,period,sym prints them
run 'of a recording, each function of any event' 0 'cg2wg -q -e all --symfs="$symfs" "$recording" >file; tail -n +4 file | sed -n "1,4p;/ spin/p;/ touch/p;/ _start/p;/ main/p"
    grep -c "^ .*  [^ ]* *(" file; cat "$recording" | cg2wg -q -e all --symfs="$symfs" - | cmp - file; rm file' \
    out='total:   100300900 Time_(1ns)
         461 page-faults/period=1/u

  Time_(1ns)       % page-faults/period=1/u       %  function
    58174522   58.00                      0    0.00  spin  (*/app)
           0    0.00                      6    1.30  main  (*/app)
           0    0.00                      2    0.43  _start  (*/app)
           0    0.00                    299   64.86  touch  (*/app)
16'
run 'a page from a pipe, and one of differences, have all events' 0 'cat "$recording" | cg2wg -q --print=html --symfs="$symfs" - | grep -c "^.event.:"
    cg2wg -q --print=html --base="$given/two" "$given/two" | grep -c "^.event.:"
    cg2wg -q --print=html -e c,Sum "$given/two" | grep "^.event.:"; cg2wg -q --print=html -e c "$given/two" | grep "^.event.:"' out='2
2
"event":"c",
"event":"Sum",
"event":"c",'
run 'a callgrind file has the chosen events' 0 'cg2wg -q -o x.callgrind -e c,a,b "$given/two"; cg2wg --list-events x.callgrind | tr -s " "; rm x.callgrind' \
    out='c 8
a,b 100
Sum 208 = c + 2 a,b (A long name)'
run 'stacks have one event' 2 'cg2wg --print=tree --estimate -e all "$given/two"' \
    err='cg2wg: */two: found several events, a,b, c ..., expected one for what is printed'
run 'an event that does not exist' 1 'cg2wg -e c,d "$given/two"' err='cg2wg: */two:7: no event d; there are: *'
run 'no name between commas' 1 'cg2wg -e c,,a "$given/two"' \
    err='cg2wg: */two: found events "c,,a", expected names with a comma between each two'
run 'a preprocessed file has one event' 0 'cg2wg "$given/two" v7; cg2wg -e all v7 | tail -n 1 | tr -s " "; rm v7' out=' 40 40.00 40 40.00 2 f (x.c:1)'
run 'events are at most 32' 1 'awk "BEGIN { printf \"events:\"; for (i = 0; i < 33; i++) printf \" e\" i; print \"\nfn=f\"; for (i = 0; i < 34; i++) printf \"1 \"; print \"\" }" >in
    cg2wg -q -e all in; s=$?; rm in; exit $s' err='cg2wg: in: found more than 32 events, expected fewer; choose some'
if has_terminal; then
    run 'what does not fit a terminal is said' 0 'PROGRAM=$program timeout 60 script -qec "stty cols 60 rows 40; \"\$PROGRAM\" -e all \"$top/testdata/valgrind/cache-branch.out\"" /dev/null |
        tr -d "\r" | sed -n "/^note/p;/ function\$/p" | tr -s " "' out='note: the columns of 1[0-9] more events do not fit
 Ir Dr Dw *function'
else
    skip 'what does not fit a terminal is said' "$no_terminal"
fi
# Each of 32 events has an old and a new value and a change, of self and of inclusive costs, of which there are none:
# 192 columns, four of names, and the last one.
run 'a comparison has the columns of 32 events' 0 'for side in 1 2; do
        awk -v c=$side "BEGIN { printf \"events:\"; for (i = 0; i < 32; i++) printf \" e\" i; printf \"\nfl=x\nfn=f\n1\"
            for (i = 0; i < 32; i++) printf \" %d\", c * (i + 1); print \"\" }" >in$side; done
    cg2wg -q --print=csv -e all --base=in1 in2 | tr -d "\r" | awk -F , "{ print NF, \$5, \$6, \$191, \$192, \$193, \$196 }"
    rm in1 in2' out='197 "old e0" "e0" "old e31" "e31" "e31 %" "e31 inclusive %"
197 1 2 32 64 100.00 '
run 'a table has the three columns of self costs of each' 0 'for side in 1 2; do
        awk -v c=$side "BEGIN { printf \"events:\"; for (i = 0; i < 32; i++) printf \" e\" i; printf \"\nfl=x\nfn=f\n1\"
            for (i = 0; i < 32; i++) printf \" %d\", c * (i + 1); print \"\" }" >in$side; done
    cg2wg -q -e all --base=in1 in2 | awk "\$1 == \"old\" || \$NF ~ /x:1/ { print NF, \$(NF - 1) }"; rm in1 in2' out='130 change
99 f'

# A FIFO has a writer for each time that it is made to have one: an input that is opened twice waits for another forever.
# Without a folder for temporary files, there is no copy either.
for style in table csv json html callgrind lines; do
    case $style in
    callgrind) others= ;;
    *) others='--base=c --base=d' ;;
    esac
    case $style in
    lines) events= ;;
    *) events='-e all' ;;
    esac
    run "each input is opened once: $style" 0 'for f in a b c d; do mkfifo $f; done
        for f in a b c d; do { cat "$given/two" >$f; } 2>/dev/null & done
        TMPDIR=/nowhere timeout 60 "$program" -q --print='"$style $events $others"' a b | wc -c | sed "s/...*/some/"
        for f in a b c d; do [ "'"$others"'" ] || { timeout 5 cat $f >file; }; rm -f $f file; done; wait' out=some
done

finish
