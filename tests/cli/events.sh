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
 c % a,b % calls function
 5 62.50 40 40.00 2 f (x.c:1)
 3 37.50 60 60.00 1 main (x.c:1)
 self % inclusive % calls function
 60 60.00 100 100.00 1 main (x.c:1)
 40 40.00 40 40.00 2 f (x.c:1)'
run 'all events: what is measured, and formulas' 0 'cg2wg -e all "$given/two"' out="$head         8 c
         208 Sum

         a,b       %            c       %          Sum       %       calls  function
          60   60.00            3   37.50          123   59.13           1  main  (x.c:1)
          40   40.00            5   62.50           85   40.87           2  f  (x.c:1)"
printf 'creator: cg2wg\nevents: a faults/period=1/u\nfn=main\n1 2 3\n' >"$given/equals"
run 'a name of perf may look like a formula' 0 'cg2wg -q -e all "$given/equals" | grep main; cg2wg -q -e faults/period=1/u "$given/equals" | grep main
    cg2wg -q -e faults/period=1/u "$given/equals" made; cg2wg -q -e faults/period=1/u made | grep -c main; rm made' out='           2  100.00                 3  100.00  main
           3  100.00            -       -           -  main
1'
run 'by inclusive cost, with a formula' 0 'cg2wg -e "a,b,Less = 7 c - 2 * c" --sort=inclusive "$given/two" | sed 1,4d' out='
a,b inclusive       % Less inclusive       %       calls  function
          100  100.00             40  100.00           1  main  (x.c:1)
           40   40.00             25   62.50           2  f  (x.c:1)'
run 'as CSV: self and inclusive costs' 0 'cg2wg -e a,b,c --print=csv --top=1 "$given/two" | tr -d "\r"' \
    out='name,file,line,object,"a,b","a,b %","a,b inclusive","a,b inclusive %","c","c %","c inclusive","c inclusive %",calls
"main","x.c",1,"",60,60.00,100,100.00,3,37.50,8,100.00,1'
run 'as JSON' 0 'cg2wg -e a,b,c --print=json "$given/two" | tr -d " \n" | grep -o "\"events\":.*\"headers\|\"costs\":[^]]*]"' \
    out='"events":\[{"event":"a,b","unit":"a,b","divisor":1,"total":100,"percent_of":100},{"event":"c","unit":"c","divisor":1,"total":8,"percent_of":8}],"headers
"costs":\[{"self":60,"inclusive":100},{"self":3,"inclusive":8}]
"costs":\[{"self":40,"inclusive":40},{"self":5,"inclusive":5}]'
run 'of pipes, compressed or not, and of several inputs' 0 'cg2wg -e all "$given/two" >file; gzip -c "$given/two" | cg2wg -e all - | cmp - file
    mkfifo pipe; cat "$given/two" >pipe & cg2wg -e all pipe | cmp - file; cg2wg -e all - <"$given/two" | cmp - file
    cg2wg --print -e all "$given/two" "$given/two" | sed -n "/^ .*main/s/  */ /gp"; rm file pipe' \
    out=' 120 60.00 6 37.50 246 59.13 2 main (x.c:1)'
# everywhere FILE, after reading this: the names and totals of all events, as the list, table, CSV, JSON, the page and callgrind's format have
# them; a line for each way that differs from the first.
cat >"$given/everywhere" <<'SCRIPT'
everywhere() {
cg2wg -q --list-events "$1" | awk '{ print $1, $2 }' >names
cg2wg -q --print -e all "$1" | awk '/^total:/ { on = 1 } /^$/ { on = 0 } on { print $NF, $(NF - 1) }' >table
cg2wg -q -e all --print=json "$1" | sed -n 's/.*{"event": "\([^"]*\)".*"total": \([-0-9]*\).*/\1 \2/p' >json
cg2wg -q --print=html "$1" | sed -n 's/^"event":"\(.*\)",$/\1/p; s/^"total":\(.*\),$/\1/p' | paste -d " " - - >page
cg2wg -q --print=callgrind "$1" >callgrind
sed -n 's/^events: //p; s/^summary: //p' callgrind | awk 'NR == 1 { split($0, name) } NR == 2 { for (i = 1; i <= NF; i++) print name[i], $i }' >format
cg2wg -q --list-events callgrind | awk '{ print $1, $2 }' >again
cg2wg -q -e all --print=csv "$1" | head -1 | tr -d '"\r' | tr , '\n' | sed '/^.* %$/d; 1,4d; / inclusive$/d; /^calls$/d' >csv
sed 's/ .*//' names | cmp - csv
for way in table json page format again; do cmp names $way; done
cat names
rm names table json page callgrind format again csv
}
SCRIPT
# perf script's text: clocks that differ by modifiers or terms, next to another clock and other events
printf 'a 1 1.0: %d %s: \n\t10 f (/a)\n\n' 10 cpu-clock 20 cpu-clock:u 40 cpu-clock:k 80 task-clock:ppp 160 cpu-clock/period=9/u 5 page-faults:u 6 sched:b 7 sched:u >"$given/clocks"
run 'events that differ by modifiers are different everywhere' 0 '. "$given/everywhere"; everywhere "$given/clocks"' out='cpu-clock 10
cpu-clock:u 20
cpu-clock:k 40
task-clock:ppp 80
cpu-clock/period=9/u 160
page-faults:u 5
sched:b 6
sched:u 7'
run 'a clock of perf is nanoseconds by each of its names' 0 'cg2wg -q --print=callgrind "$given/clocks" >out
     for event in cpu-clock:k task-clock:ppp cpu-clock/period=9/u Time "Time_(1ns)" cpu-clock; do for input in "$given/clocks" out; do
         cg2wg -q -e "$event" --print=json "$input" | tr -d " " | sed -n "2,6p" | tr "\n" " "; done; echo; done; rm out' \
     out='"event":"cpu-clock:k", "unit":"ns", "divisor":1, "runs":1, "total":40, "event":"cpu-clock:k", "unit":"ns", "divisor":1, "runs":1, "total":40, 
"event":"task-clock:ppp", "unit":"ns", "divisor":1, "runs":1, "total":80, "event":"task-clock:ppp", "unit":"ns", "divisor":1, "runs":1, "total":80, 
"event":"cpu-clock/period=9/u", "unit":"ns", "divisor":1, "runs":1, "total":160, "event":"cpu-clock/period=9/u", "unit":"ns", "divisor":1, "runs":1, "total":160, 
"event":"cpu-clock", "unit":"ns", "divisor":1, "runs":1, "total":10, "event":"cpu-clock", "unit":"ns", "divisor":1, "runs":1, "total":10, 
"event":"cpu-clock", "unit":"ns", "divisor":1, "runs":1, "total":10, "event":"cpu-clock", "unit":"ns", "divisor":1, "runs":1, "total":10, 
"event":"cpu-clock", "unit":"ns", "divisor":1, "runs":1, "total":10, "event":"cpu-clock", "unit":"ns", "divisor":1, "runs":1, "total":10, '
# Those of any input, as a sum of each.
run 'merged inputs have their events together' 0 '. "$given/everywhere"; sum() { cg2wg -q --print=callgrind "$@" | sed -n "s/^events: //p; s/^summary: //p"; cg2wg -q --print=html "$@" | sed -n "s/^\"event\"://p; s/^\"total\"://p" | tr -d "\n"; echo; cg2wg -q -e all --print=csv "$@" | awk -F, "NR > 1 { for (i = 5; i <= NF; i += 2) sum[i] += \$i } END { for (i = 5; i <= NF; i += 2) printf \"%d \", sum[i]; print NF }"; }
     cp "$given/clocks" again; sum "$given/clocks" again
     for events in "Ir Dr 1 2" "Ir Bc 4 8" "Bc Ir Dw 16 32 64"; do set -- $events; printf "events: %s\nfl=a\nfn=f\n1 %s\n" "$(echo $events | tr -d 0-9)" "$(echo $events | tr -d A-Za-z)" >$#-$1$2; done
     sum 4-IrDr 4-IrBc; sum 4-IrDr 4-IrBc 6-BcIr; sum 4-IrBc 6-BcIr; rm again 4-* 6-*' out='cpu-clock cpu-clock:u cpu-clock:k task-clock:ppp cpu-clock/period=9/u page-faults:u sched:b sched:u
20 40 80 160 320 10 12 14
"cpu-clock",20,"cpu-clock:u",40,"cpu-clock:k",80,"task-clock:ppp",160,"cpu-clock/period=9/u",320,"page-faults:u",10,"sched:b",12,"sched:u",14,
20 40 80 160 320 10 12 14 20
Ir Dr Bc
5 2 8
"Ir",5,"Dr",2,"Bc",8,
5 2 8 10
Ir Dr Bc Dw
37 2 24 64
"Ir",37,"Dr",2,"Bc",24,"Dw",64,
37 2 24 64 12
Ir Bc Dw
36 24 64
"Ir",36,"Bc",24,"Dw",64,
36 24 64 10'
# 3 us and 50 times 10 ns are 350 times 10 ns, in either order; another input of either kind adds its own 300 or 50.
run 'events that count the same are one, in a unit that has both' 0 '. "$given/everywhere"; printf "events: Time Ir\nfl=a\nfn=f\n1 3 7\n" >one; printf "events: Time_(10ns) Dr\nfl=a\nfn=f\n1 50 9\n" >other
     for order in "one other" "other one" "one other one" "other one other"; do cg2wg -q --print=callgrind $order | sed -n "s/^events: //p; /^1 /p; s/^summary: //p"; cg2wg -q --print=html $order | sed -n "s/^\"event\"://p; s/^\"total\"://p" | tr -d "\n"; echo; done; rm one other' out='Time_(10ns) Ir Dr
350 7 9
1 350 7 9
"Time_(10ns)",350,"Ir",7,"Dr",9,
Time_(10ns) Dr Ir
350 9 7
1 350 9 7
"Time_(10ns)",350,"Dr",9,"Ir",7,
Time_(10ns) Ir Dr
650 14 9
1 650 14 9
"Time_(10ns)",650,"Ir",14,"Dr",9,
Time_(10ns) Dr Ir
400 18 7
1 400 18 7
"Time_(10ns)",400,"Dr",18,"Ir",7,'
# The same of two runs in one file: 300 and 50, 7 and 9.
run 'runs by two versions of Xdebug have the events of one' 0 '. "$given/everywhere"; printf "creator: xdebug 2.9.8\nevents: Time Memory\nfl=a\nfn=f\n1 3 7\n" >two
     printf "creator: xdebug 3.2.0\nevents: Time_(10ns) Memory_(bytes)\nfl=a\nfn=f\n1 50 9\n" >three; echo "==== NEW PROFILING FILE ====" >-
     for order in "two three" "three two"; do set -- $order; cat $1 ./- $2 >both; cg2wg -q --print=callgrind both | sed -n "s/^events: //p; /^1 /p"
         cg2wg -q -e all --print=csv both | tr -d "\r"; cg2wg -q --print=html both | sed -n "s/^\"event\"://p; s/^\"total\"://p" | tr -d "\n"; echo; done; rm two three both ./-' out='Time_(10ns) Memory
1 350 16
name,file,line,object,"Time_(10ns)","Time_(10ns) %","Time_(10ns) inclusive","Time_(10ns) inclusive %","Memory","Memory %","Memory inclusive","Memory inclusive %",calls
"f","a",1,"",350,100.00,350,100.00,16,100.00,16,100.00,2
"Time_(10ns)",350,"Memory",16,
Time_(10ns) Memory_(bytes)
1 350 16
name,file,line,object,"Time_(10ns)","Time_(10ns) %","Time_(10ns) inclusive","Time_(10ns) inclusive %","Memory_(bytes)","Memory_(bytes) %","Memory_(bytes) inclusive","Memory_(bytes) inclusive %",calls
"f","a",1,"",350,100.00,350,100.00,16,100.00,16,100.00,2
"Time_(10ns)",350,"Memory_(bytes)",16,'
# Xdebug 2 calls Memory what is Memory_(bytes) in Xdebug 3: 7 and 9 bytes are 16. Go calls a heap inuse_space(bytes).
run 'memory is that of any Xdebug, and in bytes for pprof' 0 'printf "creator: xdebug 2.9.8\nevents: Time Memory\nfl=a\nfn=f\n1 3 7\n" >two; printf "creator: xdebug 3.2.0\nevents: Time_(10ns) Memory_(bytes)\nfl=a\nfn=f\n1 50 9\n" >three
    for order in "two three" "three two"; do cg2wg -q --print=callgrind $order | sed -n "s/^events: //p; /^1 /p"; cg2wg -q -e Memory $order | grep ^total; cg2wg -q --print=html $order | sed -n "s/^\"event\"://p; s/^\"total\"://p" | tr -d "\n"; echo; done
    cg2wg -q -e Memory --base=two three | grep ^total; cg2wg -q -e all --print=csv --base=two three | cut -d, -f2,5,6,11,12 | tr -d "\r"; sed "s/Time Memory/inuse_space(bytes)/; s/ 7//" two >go
    for input in "two -e Memory" "three -e Memory" go; do cg2wg -q --print=pprof $input | tr -c "A-Za-z_" "\n" | grep -x "Memory\|inuse.*\|bytes\|count" | LC_ALL=C sort -u | tr "\n" " "; done; rm two three go' out='Time_(10ns) Memory
1 350 16
total:   16 in 2 runs
"Time_(10ns)",350,"Memory",16,
Time_(10ns) Memory_(bytes)
1 350 16
total:   16 in 2 runs
"Time_(10ns)",350,"Memory_(bytes)",16,
total:   7 -> 9  (+28.57 %)
file,"old Time_(10ns)","Time_(10ns)","old Memory_(bytes)","Memory_(bytes)"
"a",300,50,7,9
Memory bytes Memory bytes bytes inuse_space '
run 'the costs of an input that names no event are of the first one alone' 0 'printf "events: Ir Dr\nfl=a\nfn=f\n1 3 7\n" >one; printf "fl=a\nfn=f\n1 5\n" >none
     for order in "one none" "none one" "one none one"; do cg2wg -q -e all --print=csv $order | tr -d "\r"; cg2wg -q --print=callgrind $order | sed -n "s/^events: //p; /^1 /p; s/^summary: //p"; done; rm one none' out='name,file,line,object,"Ir","Ir %","Dr","Dr %"
"f","a",1,"",8,100.00,7,100.00
Ir Dr
8 7
1 8 7
name,file,line,object,"Ir","Ir %","Dr","Dr %"
"f","a",1,"",8,100.00,7,100.00
Ir Dr
8 7
1 8 7
name,file,line,object,"Ir","Ir %","Dr","Dr %"
"f","a",1,"",11,100.00,14,100.00
Ir Dr
11 14
1 11 14'
# a costs 100, of which b costs 60 and 5; the first b is said to call c for 70, so that its own cost is 0.
run 'what a report of aprof does not say is computed before the formula' 0 'printf "v 1\nr \"a\" \"o\" 1\nq 1 0 0 0 100 0 1\nr \"b\" \"o\" 2\nq 2 0 0 0 60 0 1\nq 4 0 0 0 5 0 1\nr \"c\" \"o\" 3\nq 3 0 0 0 70 0 1\nx 1 1 -1\nx 2 2 1\nx 3 3 2\nx 2 4 1\n" >in
     for event in bb-count "X = -2 bb-count"; do cg2wg -q -e "$event" --print=csv --sort=none in | cut -d , -f 1,5,7 | tr -d "\r"; done; rm in' out='name,self,inclusive
"a",35,100
"b",5,65
"c",70,70
name,self,inclusive
"a",-70,-200
"b",-10,-130
"c",-140,-140'
# fact(3) calls fact(2), which calls fact(1): 10 of the first event and 1 of the second in each. The outermost call of
# {main} costs 30 and 3, that of fact 20 and 2; the inner one runs inside it. Functions have their self costs.
printf 'version: 1\ncreator: xdebug 3.2.0\npositions: line\nevents: Time_(10ns) Foo\n\n' >"$given/fact"
printf 'fl=/a\nfn=fact\n4 10 1\n\nfl=/a\nfn=fact\n4 10 1\ncfl=/a\ncfn=fact\ncalls=1 0 0\n5 10 1\n\n' >>"$given/fact"
printf 'fl=/a\nfn=fact\n4 10 1\ncfl=/a\ncfn=fact\ncalls=1 0 0\n5 20 2\n\n' >>"$given/fact"
printf 'fl=/a\nfn={main}\n1 7 0\ncfl=/a\ncfn=fact\ncalls=1 0 0\n2 30 3\n\nsummary: 37 3\n' >>"$given/fact"
run 'outermost costs of all events in the callgrind format, of one input and of two' 0 'cd "$given"
    for inputs in fact "fact fact"; do cg2wg -q --inclusive=outermost --print=callgrind $inputs | grep "^[0-9]\|^fn\|^calls"; done' out='fn=(1) fact
4 30 3
calls=2 0
5 20 2
fn=(2) {main}
1 7
calls=1 0
2 30 3
fn=(1) fact
4 60 6
calls=4 0
5 40 4
fn=(2) {main}
1 14
calls=2 0
2 60 6'
# 64392298 + 100300900 of one event, and 382 and 461 of two that --list-events has
run 'recordings, and callgrind files of them, keep all events' 0 'cd "$top/testdata/perf"; cg2wg -q --print=callgrind group.data >"$OLDPWD/made"; cg2wg -q --print=callgrind two.data >"$OLDPWD/made2"
     for first in group.data "$OLDPWD/made"; do for second in two.data "$OLDPWD/made2"; do cg2wg -q --print=callgrind "$first" "$second" | sed -n "s/^events: //p; s/^summary: //p"; cg2wg -q --print=html "$first" "$second" | sed -n "s/^\"event\"://p; s/^\"total\"://p" | tr -d "\n"; echo; done; done | sort | uniq -c | sed "s/^ *//"; rm "$OLDPWD/made" "$OLDPWD/made2"' out='4 "cpu-clock:u",164693198,"page-faults:u",382,"page-faults/period=1/u",461,
4 164693198 382 461
4 cpu-clock:u page-faults:u page-faults/period=1/u'
# They count different things, which is found after the first event.
run 'a page is printed only if all of its events can be' 1 'cd "$top/testdata/perf"; cg2wg -q -e cpu-clock,page-faults --print=html group.data two.data | wc -c; cg2wg -q -e cpu-clock,page-faults --print=html group.data two.data' out=0 err='cg2wg: two.data: found costs in page-faults/period=1/u, expected page-faults:u
cg2wg: two.data: found costs in page-faults/period=1/u, expected page-faults:u'
# Of each event: title, parts and their calls; functions, their files (the first of these is 1), lines and calls. One input has time only, the first or last.
run 'an event that some inputs lack costs nothing there, and has the same functions, calls and parts' 0 'printf "version: 1\ncreator: xdebug 3\ncmd: /a.php\npositions: line\nevents: Time_(10ns)\nfl=/a.php\nfn=f\n4 5\n\nfl=/a.php\nfn={main}\n2 7\ncfl=/a.php\ncfn=f\ncalls=1 0 0\n3 5\n" >a
     sed "s,a.php,b.php,; s/ns)/& Memory_(bytes)/; s/^[0-9] [57]/& 16/" a >b; sed "s/fn=f$/fn=g/; s/5/6/" b >c; cg2wg -q a v7
     show() { cg2wg -q --print=html "$@" | page_rows | tr -d "\"[]" | awk -F, "/^event:/ { kind++ } /^title:/ { print \$0 >(\"facts\" kind + 1) } /^functions:/, /^groups:/ { if (/^0,[a-z{}]+,/ && NF > 6) print \$2, \$3, \$4, \$7 >(\"facts\" kind) } /^parts:/ { for (i = 1; i < NF; i += 6) print \$i, \$(i + 3) >(\"facts\" kind) }"; diff facts1 facts2; cat facts1; rm facts?; }
     for inputs in "a b c" "c b a" "v7 c"; do show $inputs; done; rm a b c v7' out='title:3 profiles of /a.php and /b.php,
f /a.php 4 2
g /b.php 4 1
{main} 1 2 3
parts:a 2
b 2
c 2
title:3 profiles of /b.php and /a.php,
f /b.php 4 2
g 1 4 1
{main} 1 2 3
parts:c 2
b 2
a 2
title:2 profiles of /a.php and /b.php,
f /a.php 4 1
g /b.php 4 1
{main} 1 2 2
parts:v7 2
c 2'
# The second event of the first input is shown first. Its costs are 1 each, and the times 0 to 99999, in records of more than 1 MB.
run 'the first event that all have may be the last one of an input' 0 'awk "BEGIN { print \"version: 1\ncreator: xdebug 3\npositions: line\nevents: Time_(10ns) Foo\n\"; for (i = 0; i < 100000; i++) printf \"fl=/x\nfn=f\n3 %d 1\n\n\", i; print \"fl=/x\nfn={main}\n1 1 1\"; for (i = 0; i < 100000; i++) printf \"cfl=/x\ncfn=f\ncalls=1 0 0\n%d %d 1\n\", i, i }" >one
     printf "version: 1\ncreator: xdebug 3\nevents: Foo\nfl=/x\nfn=f\n3 1\n" >other; cg2wg -q --print=csv -e all one other | sed 1d | cut -d, -f1,5,7,9,11,13 | tr -d "\r"; rm one other' out='"f",100001,100001,4999950000,4999950000,100001
"{main}",1,100001,1,4999950001,1'
run 'inputs without an event that all have' 0 'printf "events: Ir\nfn=f\n1 3\n" >one; printf "events: Dr\nfn=f\n1 3\n" >other; cg2wg -q -e all --print one other; echo $?; rm one other' out=1 err='cg2wg: other: no event is in all inputs and all of their parts'
run 'a clock that there is not is no other clock' 1 'cg2wg -q -e cpu-clock:k --print "$top/testdata/perf/two.data"' err='cg2wg: *no event cpu-clock:k; there are: *'
# Valgrind's time, whose unit its long name says
printf 'creator: callgrind-3.19.0\nevent: sysTime : sysTime (elapsed us)\nevent: Two = 2 Ir : Twice\nevents: Ir sysTime Dr\n\nfl=a.c\nfn=f\n1 5 6 7\n\ntotals: 5 6 7\n' >"$given/times"
run 'a time has the same name everywhere' 0 'cg2wg -q --print=callgrind -e all "$given/times" | grep "^event: "; sed -i /Two/d "$given/times"; . "$given/everywhere"; everywhere "$given/times"
     for event in sysTime Time "sysTime(us)" sysTime+0Ir; do cg2wg -q -e "$event" --print=json "$given/times" | sed -n "2,4p" | tr -d "\n"; done' out='event: sysTime(us) : sysTime (elapsed us)
event: Two = 2 Ir : Twice
Ir 5
sysTime(us) 6
Dr 7
  "event": "sysTime(us)",  "unit": "ns",  "divisor": 1000,  "event": "sysTime(us)",  "unit": "ns",  "divisor": 1000,  "event": "sysTime(us)",  "unit": "ns",  "divisor": 1000,  "event": "sysTime+0Ir",  "unit": "sysTime+0Ir",  "divisor": 1,'
run 'columns of one name are events of their own' 0 'printf "events: Ir Dr Ir Ir~2 Ir\nfn=f\n1 1 2 4 8 16\n" >in; cg2wg -q --list-events in | tr -s " "; cg2wg -q --print=callgrind in | grep "^events\|^summary"
     cg2wg -q -e Ir~2,Ir,Dr --print=csv in | cut -d, -f5,7,9; rm in' out='Ir 1
Dr 2
Ir~2 4
Ir~2~2 8
Ir~3 16
events: Ir Dr Ir~2 Ir~2~2 Ir~3
summary: 1 2 4 8 16
"Ir~2","Ir","Dr"
4,1,2'
recording="$top/testdata/perf/two.data"
# The periods of both events by function, as perf script -F event,period,sym prints them
run 'of a recording, each function of any event' 0 'cg2wg -q -e all --symfs="$symfs" "$recording" >file; tail -n +4 file | sed -n "1,4p;/ spin/p;/ touch/p;/ _start/p;/ main/p"
    grep -c "^ .*  [^ ]* *(" file; cat "$recording" | cg2wg -q -e all --symfs="$symfs" - | cmp - file; rm file' \
    out='total:   100300900 cpu-clock:u
         461 page-faults/period=1/u

 cpu-clock:u       % page-faults/period=1/u       %  function
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
# By hand: a costs 4 and 2, b 1 in g; x is twice a from its definition on, which 3 lines of f follow, y three times, from 1.
run 'events that are defined between lines, or in a later part' 0 'printf "events: a\nfn=f\n1 1\nevent: x = 2 a\n1 1\n2 1\nevent: y = 3 a\nevent: x = 2 a\n1 1\n\nevents: b a\nevent: w = a + b\nfn=g\n1 1 2\n" >in; cg2wg -q -e all --print=csv in | cut -d, -f5,7,9,11,13; rm in' out='"a","x","y","b","w"
4,6,3,0,0
2,4,6,1,3'
# f's record is open when x is defined, twice its later cost of 1; what the calls before cost is none of it.
run 'an event that is defined within a record' 0 'printf "events: a\nfn=g\n1 5\ncfn=f\ncalls=1 1\n1 7\ncfn=f\ncalls=1 1\n2 9\nfn=f\n1 1\nevent: x = 2 a\n1 1\n" >in; cg2wg -q -e all --print=csv in | cut -d, -f1,5,9; rm in' out='name,"a","x"
"g",5,0
"f",2,2'
# The calls of f, 1 and 7, wait for g and h when b is defined: these cost 5 + 7 and 3 + 1, twice 5 and 3 of which are in b.
run 'an event that is defined while a call of a proxy waits' 0 'printf "creator: xdebug 3.2.0\nevents: a\n" >header; for cost in 1 7; do
        printf "\nfl=x\nfn=f\n1 %s\n\nfl=x\nfn=p\n1 1\ncfl=x\ncfn=f\ncalls=1 0 0\n2 %s\n" $cost $cost
    done | cat header - >in
    printf "\nevent: b = 2 a\nfl=x\nfn=g\n1 5\ncfl=x\ncfn=p\ncalls=1 0 0\n2 8\n\nfl=x\nfn=h\n1 3\ncfl=x\ncfn=p\ncalls=1 0 0\n2 2\n\n" >>in
    cg2wg -q -e all -p p --inclusive=sum --print=csv in | cut -d, -f1,7,11; rm in header' out='name,"a inclusive","b inclusive"
"f",8,0
"g",12,10
"h",4,6
"p",2,0'
# By hand: f costs 2 and 1, its second level 3 and 1, and g 4 and 0. The call of the second level is inside that of the first.
run 'levels of recursion are folded for each event' 0 'printf "creator: callgrind-3.19.0\nevents: a b\nfn=main\n1 1 1\ncfn=f\ncalls=1 0\n2 9 2\n\nfn=f\n1 2 1\ncfn=f'"'2"'\ncalls=1 0\n2 7 1\n\nfn=f'"'2"'\n1 3 1\ncfn=g\ncalls=1 0\n3 4\n\nfn=g\n1 4\n" >in
    cg2wg -q -e all --print=csv in | cut -d, -f1,5,7,9,11; for event in a b; do cg2wg -q -e $event --print=csv in | cut -d, -f1,5,7; done; rm in' out='name,"a","a inclusive","b","b inclusive"
"f",5,9,2,2
"g",4,4,0,0
"main",1,10,1,3
name,self,inclusive
"f",5,9
"g",4,4
"main",1,10
name,self,inclusive
"f",2,2
"main",1,3
"g",0,0'
if ! on_windows; then
    mkdir "$given/readable"
    printf '%s\n' '#!/bin/sh' 'echo started >>"$STARTED"; exec sed "s/^_Z\(.*\)v$/f\1()/"' >"$given/readable/c++filt"
    chmod +x "$given/readable/c++filt"
    run 'names become readable once for all events' 0 'printf "events: a b c\nfn=_Z1v\n1 1 2 3\n" >in
        STARTED=$PWD/started PATH=$given/readable:$PATH cg2wg -q -e all --print=csv in | cut -d, -f1,5,7,9; cat started; rm in started' out='name,"a","b","c"
"f1()",1,2,3
started'
    # Functions of recordings are made for each event, and parts one after the other.
    run 'names become readable once for all events of a recording, and for all parts' 0 \
        'printf "prog 1 1.0: 5 cycles: \n\t400 _Z1v+0x0 (/bin/x)\n\nprog 1 1.1: 7 instructions: \n\t400 _Z1v+0x0 (/bin/x)\n\t700 _Z2wv+0x0 (/bin/x)\n\n" >in
        printf "events: a\npid: 1\nfn=_Z1v\n1 1\ntotals: 1\npid: 2\nfn=_Z1v\n1 2\ntotals: 2\n" >parts
        for options in "-e all --print=csv in" "--print=csv --group=process --function=f1() parts"; do
            STARTED=$PWD/started PATH=$given/readable:$PATH cg2wg -q $options | cut -d, -f1,5,9 | tr -d "\r"; done; cat started; rm in parts started' out='name,"cycles","instructions inclusive"
"f1()",5,7
"f2w()",0,7
name,self,calls
"pid 2",2,
"pid 1",1,
started
started'
fi
# The format has letters and digits in names. A conversion writes `_`, so that what is read of it is the same.
run 'control bytes in the name of an event are _, whatever reads it first' 0 \
    'printf "creator: xdebug 3\nevents: Time\000(10ns) a\001b\nevent: c = 2 a\001b\nfn=f\n1 1500 2\n" >in; cg2wg -q in v7; cg2wg -q --print=callgrind in >again
     for in in in v7 again; do cg2wg -q --print=json $in | sed -n "s/.*\"\(event\|unit\|divisor\)\": //p" | tr -d "\n"; echo; done
     cg2wg -q --print=csv -e c,all in | cut -d , -f 5,9,13; sed -n "/^events/p" again; tr -d "\000" <v7 | grep -a "^events"; rm in v7 again' out='"Time_(10ns)","ns",10,
"Time_(10ns)","ns",10,
"Time_(10ns)","ns",10,
"c","Time_(10ns)","a_b"
4,1500,2
events: Time_(10ns) a_b
events: Time_(10ns)'
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

# The self cost of each record is a sum of its own: f costs 100 in the first one, and MAX - MAX in the second one, with a
# call between the two.
max=9223372036854775807
for head in 'creator: xdebug 3.2.0 (PHP 8.2.0)
cmd: /x.php
part: 1
positions: line
events: A B' 'events: A B'; do
    printf '%s\n\nfl=x\nfn=f\n1 100 1\n\nfn=f\n1 %s 1\ncfn=g\ncalls=1 1\n1 0 1\n2 -%s 1\n' "$head" $max $max >"$given/past"
    for event in A A,B; do
        for option in --inclusive=sum --inclusive=outermost --proxy=p; do
            run "costs that cancel each other beyond 64 bits: ${head%%:*}, $event, $option" 0 \
                "cg2wg -q --print=csv -e $event $option"' "$given/past" | grep "^.f" | cut -d , -f 1,5,7' out='"f",100,100'
        done
    done
done

# As memcheck's --xtree-leak=yes writes it: each stack by itself. `leak` lost 8 bytes, and 16 that `main` had it allocate.
cat >"$given/leaks" <<'PROFILE'
# callgrind format
version: 1
creator: xtree-1
cmd: ./m

positions: line
event: RB : Reachable Bytes
event: DB : Definitely lost Bytes (direct plus indirect)
events: RB DB
fl=(1) m.c
fn=(1) main
8
cfi=(1)
cfn=(2) leak
calls=0 7
8 0 16
fl=(1)
fn=(2)
7 0 16

fl=(2) clone.S
fn=(3) clone
100
cfi=(1)
cfn=(2)
calls=0 7
100 0 8
fl=(1)
fn=(2)
7 0 8

totals: 0 24
PROFILE
run 'a first event without costs draws a note that there are others' 0 'for o in --raw -eRB -eDB -eall --group=run
    do cg2wg $o "$given/leaks" 2>&1 | tr -s " " | grep "leak"; done' out='cg2wg: *leaks: all costs of the first event are 0; another one may have some, as the argument of --event
 0 - 0 - 0 leak (m.c:7)
 0 - 0 - 0 leak (m.c:7)
 24 100.00 24 100.00 0 leak (m.c:7)
 24 100.00 24 100.00 0 leak (m.c:7)
 0 - 2 *leaks'

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
        for f in a b c d; do : <>$f; rm $f; done; wait' out=some # opened so, none waits for the other end
done

finish
