#!/bin/sh
# SPDX-License-Identifier: MIT
# runs.sh PROGRAM: several inputs that are compared are runs; several events are compared side by side.
. "$(dirname "$0")/suite.inc"

if have python3; then
    run 'margins are those of another implementation, which integrates' 0 \
        'mkdir runs; python3 "$top/tests/cli/runs.py" "$program" runs; rm -r runs' out='7[0-9]'
else
    skip 'margins are those of another implementation, which integrates' 'no python3'
fi

# run_of F G: main costs 10 and calls f and g.
run_of() {
    printf 'events: Ir\nsummary: %s\nfl=a.c\nfn=main\n1 10\ncfn=f\ncalls=1 1\n2 %s\ncfn=g\ncalls=1 1\n3 %s\n' \
        $((10 + $1 + $2)) "$1" "$2"
    printf 'fn=f\n5 %s\nfn=g\n6 %s\n' "$1" "$2"
}
for values in old1:100:50 old2:110:50 old3:120:50 new1:120:51 new2:130:51 new3:140:51 far1:220:50 far2:230:50 far3:240:50; do
    IFS=: read -r name f g <<VALUES
$values
VALUES
    run_of "$f" "$g" >"$given/$name"
done
old='--base="$given/old1" --base="$given/old2" --base="$given/old3"'
head='base:    */old1 and 2 more  (Ir, 3 runs, 3 functions)
now:     */new1 and 2 more  (Ir, 3 runs, 3 functions)
'
# f costs 110 and 130, with a variance of 100 on both sides: a standard error of sqrt(200 / 3) = 8.16, 4 degrees of
# freedom, t = 2.776, so a margin of 22.67. g always costs 50, and then 51. The total is 170 and 191.
run 'what lies within the spread of the runs is the same; what does not vary has changed' 0 \
    "cg2wg $old"' "$given/new1" "$given/new2" "$given/new3"' out="${head}total:   170 -> 191 per run  (+12.35 %), within +/- 22
same:    2 functions, which changed less than the runs spread

    old self         self        %       +/- old inclusive    inclusive        %       +/-       calls change  function
          50           51    +2.00         0            50           51    +2.00         0           0 grew    g  (a.c:6)
          10           10    +0.00         0           170          191   +12.35        22           0 same    main  (a.c:1)
         110          130   +18.18        22           110          130   +18.18        22           0 same    f  (a.c:5)"
run 'what lies within the spread of the runs is marked, and the changes are exact' 0 \
    "cg2wg --color=always $old"' "$given/new1" "$given/new2" "$given/new3" | tail -n 3 | tr -s " " | tr "\\033" "#"
    '"cg2wg --print=json $old"' "$given/new1" "$given/new2" "$given/new3" |
        grep -o "^  \"[cpmw][a-z_]*\": [a-z0-9.]*\|\"name\": \"[a-z]*\|^ *\"self\": .*, .inc\|within_margin\": [a-z]*" | tr -d " \"\n"' \
    out='#\[31m 50 51 +2.00 0 50 51 +2.00 0 0 grew #\[0m g (a.c:6)
#\[2m 10#\[22m #\[2m 10#\[22m #\[2m +0.00#\[22m #\[2m 0#\[22m #\[2m 170#\[22m #\[2m 191#\[22m #\[2m +12.35#\[22m #\[2m 22#\[22m 0 same main (a.c:1)
#\[2m 110#\[22m #\[2m 130#\[22m #\[2m +18.18#\[22m #\[2m 22#\[22m #\[2m 110#\[22m #\[2m 130#\[22m #\[2m +18.18#\[22m #\[2m 22#\[22m 0 same f (a.c:5)
per_run:truechange:21percent:12.35margin:22within_margin:truename:gself:1,self_percent:0.59,inclusive:1,incwithin_margin:falsename:mainself:0,self_percent:0.00,inclusive:21,incwithin_margin:truename:fself:20,self_percent:11.76,inclusive:20,incwithin_margin:true'
# Of 1000 each, 840, 830 and 820 are outside of functions.
run 'heads of several runs have means' 0 'for i in 1 2 3; do sed "s/^summary:.*/summary: 1000/" "$given/old$i" >$i; done
    for i in "--base=1 --base=2 --base=3 3 3" "--base=3 --base=3 1 2 3"; do cg2wg $i | sed -n "/outside/s/.*functions)//p;/total/p"; done
    cg2wg --print=html --base=1 --base=2 --base=3 3 | grep "notes\":"; rm 1 2 3' out=', and 830 outside of functions
, and 820 outside of functions
total:   170 -> 180 per run  (+5.88 %), within +/- 24
, and 820 outside of functions
, and 830 outside of functions
total:   180 -> 170 per run  (-5.56 %), within +/- 24
"notes":\[\[", and ",820," outside of functions"]],
"base_notes":\[\[", and ",830," outside of functions"]],'
run 'with runs, a function that is called more often, and costs what it did, is the same' 0 \
    'for i in 1 2 3; do sed "s/^calls=1/calls=2/" "$given/old$i" >more$i; done; cg2wg '"$old"' more1 more2 more3 >seen
     sed -n 4p seen; grep -c " f " seen; cg2wg --base="$given/old1" more1 | grep -c " f "; rm more? seen' \
    out='same:    3 functions, which changed less than the runs spread
0
1'
run 'what changed by more than the spread is shown, the largest excess first' 0 \
    "cg2wg $old"' "$given/far1" "$given/far2" "$given/far3" | sed 1,6d | tr -s " "
    sed "s/^3 50/3 150/;s/^6 50/6 150/;s/: .../: 999/" "$given/far2" >far; '"cg2wg -q $old"' "$given/far1" far "$given/far3" |
        sed 1,6d | tr -s " "; rm far' out=' 110 230 +109.09 22 110 230 +109.09 22 0 grew f (a.c:5)
 10 10 +0.00 0 170 290 +70.59 22 0 grew main (a.c:1)
 110 230 +109.09 22 110 230 +109.09 22 0 grew f (a.c:5)*'
# One run: sqrt(100) * sqrt(1 + 1 / 3) = 11.55, 2 degrees of freedom, t = 4.303, so a margin of 49.69.
run 'one run against several: it may be as far off as they are' 0 \
    "cg2wg --print=json $old"' "$given/new3" | grep -o "\"name\": \"f.*\|\"[a-z_]*margin.*"; '"cg2wg --print=json $old"' "$given/far1" |
        tr -d "\n" | grep -o "\"name\": \"f\"[^{]*{[^}]*}[^{]*{[^}]*}"
    cg2wg --base="$given/old2" "$given/new3" | sed -n "/ g /s/  */ /gp"' \
    out='"margin": 49,
"within_margin": true,
"self_margin": 0, "inclusive_margin": 0, "within_margin": false,
"self_margin": 0, "inclusive_margin": 49, "within_margin": true,
"name": "f", "file": "a.c", "line": 5,
"self_margin": 49, "inclusive_margin": 49, "within_margin": true,
"name": "f",*"self_margin": 49,*"base": {"self": 110, "inclusive": 110, "invocations": 1, "self_deviation": 10, "inclusive_deviation": 10}*"now": {"self": 220, "inclusive": 220, "invocations": 1}
 50 51 +2.00 50 51 +2.00 0 grew g (a.c:6)'
run 'the total has grown only if it is beyond the spread' 0 \
    "cg2wg $old"' --fail-above=1 "$given/new1" "$given/new2" "$given/new3" >out; echo $?
    '"cg2wg $old"' --fail-above=1 "$given/far1" "$given/far2" "$given/far3" >out; echo $?; rm out' out='0
3'
run 'merged runs are compared with inputs' 0 '"$program" -q -o two.webgrind "$given/old1" "$given/old3"
    cg2wg -q --base=two.webgrind "$given/old2" "$given/old2" | grep total; rm two.webgrind' out='total:   170 -> 170 per run  (+0.00 %), within +/- 0'
# Of 4 runs, f costs (100 + 120 + 2 * 120) / 4 = 115; the inputs' means of 110 and 120 have a deviation of sqrt(50) = 7.07,
# 1 degree of freedom, t = 12.706, so a margin of 12.706 * 7.07 * sqrt(1 + 1 / 2) = 110.03.
run 'each of several inputs may be a sum of runs' 0 '"$program" -q -o two "$given/old1" "$given/old3"; "$program" -q -o three "$given/old3" "$given/old3"
    cg2wg -q --print=json --base=two --base=three "$given/old2" | tr -d "\n" | grep -o "\"runs\": [0-9]*\|\"name\": \"f\".*"
    for i in --base=two "--base=two --base=two"; do cg2wg -q $i two | grep total; done; rm two three' \
    out='"runs": 4
"runs": 1
"name": "f",*"self_margin": 110,*"base": {"self": 115, "inclusive": 115, "invocations": 1, "self_deviation": 7,*
total:   170 -> 170 per run  (+0.00 %)
total:   170 -> 170 per run  (+0.00 %), within +/- 0'
run 'runs from pipes, and a page of them' 0 "cat \"\$given/new1\" | cg2wg $old"' - "$given/new2" "$given/new3" | sed -n "/ g /p" | tr -s " "
    cg2wg --print=html --base="$given/old1" --base="$given/old2" "$given/new1" | grep -E "^.(base|base_total|change|per_run).:"' \
    out=' 50 51 +2.00 0 50 51 +2.00 0 0 grew g (a.c:6)
"base":"*/old1 and 1 more",
"base_total":165,
"change":16,
"per_run":1,'
run 'runs of groups, of lines, and as CSV' 0 "cg2wg --group=file $old"' "$given/far1" "$given/far2" "$given/far3" | tail -n 1 | tr -s " "
    '"cg2wg --print=lines $old"' "$given/far1" "$given/far2" "$given/far3" | grep "a.c:5" | tr -s " "
    '"cg2wg --print=csv $old"' "$given/new1" "$given/new2" "$given/new3" | tr -d "\r"' out=' 170 290 +70.59 22 170 290 +70.59 22 0 grew a.c
 110 230 +109.09 0 0 - grew a.c:5 f
name,file,line,object,old self,self,self %,self +/-,old inclusive,inclusive,inclusive %,inclusive +/-,calls,change
"g","a.c",6,"",50,51,2.00,0,50,51,2.00,0,0,grew
"main","a.c",1,"",10,10,0.00,0,170,191,12.35,22,0,same
"f","a.c",5,"",110,130,18.18,22,110,130,18.18,22,0,same'

# ---- several events

printf 'events: Ir Dr\nfl=a.c\nfn=f\n1 10 4\nfn=g\n2 5 5\n' >"$given/a"
printf 'events: Ir Dr\nfl=a.c\nfn=f\n1 12 2\nfn=h\n2 5 6\n' >"$given/b"
run 'events of both inputs side by side' 0 'cg2wg -q -e all --base="$given/a" "$given/b" | tail -n 4 | tr -s " "
    cg2wg -q -e Dr,Ir --print=csv --base="$given/a" "$given/b" | tr -d "\r"
    cg2wg -q -e Ir,Dr --print=json --base="$given/a" "$given/b" | tr -d " \n" | grep -o "\"events\".*\"functions\":\|\"costs\":[^]]*]"' \
    out=' old Ir Ir % old Dr Dr % change function
 0 5 - 0 6 - new h (a.c:2)
 5 0 -100.00 5 0 -100.00 gone g (a.c:2)
 10 12 +20.00 4 2 -50.00 grew f (a.c:1)
name,file,line,object,"old Dr","Dr","Dr %","old Dr inclusive","Dr inclusive","Dr inclusive %","old Ir","Ir","Ir %","old Ir inclusive","Ir inclusive","Ir inclusive %",change
"h","a.c",2,"",0,6,,,,,0,5,,,,,new
"g","a.c",2,"",5,0,-100.00,,,,5,0,-100.00,,,,gone
"f","a.c",1,"",4,2,-50.00,,,,10,12,20.00,,,,shrank
"events":\[{"event":"Ir","unit":"Ir","divisor":1},{"event":"Dr","unit":"Dr","divisor":1}],"unchanged":0,*
"costs":\[{"base_self":0,"now_self":5,"base_inclusive":null,"now_inclusive":null},{"base_self":0,"now_self":6,*
"costs":*
"costs":*"base_self":4,"now_self":2,*'

finish
