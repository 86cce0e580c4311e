#!/bin/sh
# SPDX-License-Identifier: MIT
# view.sh PROGRAM: what --print chooses of a profile.
. "$(dirname "$0")/suite.inc"

for version in 4 5 6 7; do
    cg2wg -f "$version" "$given/profile" "$given/v$version" || exit 2
done

# Self costs 60, 25, 10 and 5 of 100; inclusive costs 100, 30, 10 and 5.
printf %b 'creator: callgrind-3.19.0\nevents: Ir\nsummary: 100\nob=/bin/app\nfl=app.c\nfn=main\n1 60\n' \
    'cob=/bin/app\ncfi=lib/b.c\ncfn=beta\ncalls=1 5\n2 30\ncob=/lib/libc.so\ncfi=str.c\ncfn=strlen\n' \
    'calls=1 9\n3 10\nfl=lib/b.c\nfn=beta\n5 25\ncob=/lib/libc.so\ncfi=mem.c\ncfn=free\ncalls=2 7\n6 5\n' \
    'ob=/lib/libc.so\nfl=str.c\nfn=strlen\n9 10\nfl=mem.c\nfn=free\n7 5\n' >"$given/sums"
cg2wg "$given/sums" "$given/sums7" || exit 2
printf 'v 4\nk 100\nr "f" "lib/o" 1\np 1 1 60 60 60 0 1 60 60 60 60 0\nr "g" "o" 2\np 2 1 40 40 40 0 1 40 40 40 40 0\n' \
    >"$given/report"

# ---- names that are shortened

iterator='std::__loop<__gnu_cxx::__iterator<%s*, std::vector<%s, std::allocator<%s> > >, long, %s>(%s*, %s*)'
{
    printf 'events: Ir\nfl=a.cpp\n'
    # shellcheck disable=SC2059
    {
        printf "fn=$iterator\n1 90\n" int int int Less int int double double double Less double double double double double More double double
        printf 'fn=std::vector<%s, std::allocator<%s> >::push_back(%s&&)\n1 50\n' int int int long long long
        printf 'fn=%s\\Console\\Command->runThisOneAfterTheOther\n1 20\n' Symfony Composer
    }
} >"$given/templates"
run 'names that are shortened stay different' 0 'for width in 46 50 60 80 100 200; do
        cg2wg -q --width=$width --print "$given/templates" | sed "1,/function\$/d; s/^[-0-9., ]*//" | sort -u | wc -l; done | tr -d " \n"
    cg2wg -q --width=50 --print "$given/templates" | grep -o "std::v.*"' out='777777std::vector<int, …>::push_back(…)
std::vector<long, …>::push_back(…)'
run 'they do so in pictures and trees' 0 'printf "main;std::vector<%s, std::allocator<%s> >::push_back(%s&&) 10\n" int int int long long long >in; echo "main;f 80" >>in
    cg2wg -q --print=svg in | sed -n "s/.*<text[^>]*>\(std.*\)<.text>.*/\1/p" | grep -o "int\|long"; cg2wg -q --print=tree --width=60 in | grep -o "<.*>"; rm in' out='int
long
<int, …>
<long, …>'

# ---- --only, --hide, --min, --top

# names OPTION...: the names of the functions that are shown, and what is said of the others
names() {
    cg2wg --print "$@" >"$scratch/table" || return
    sed -n '1,/ function$/d; s/^[-0-9. ]*  \([^ ]*\).*/\1/p; /^\.\.\./p' "$scratch/table" | tr '\n' ' '
}
# chosen NAMES OPTIONS: of the profile and of its preprocessed file, in the table and in JSON
chosen() {
    expected=$1
    options=$2
    for input in sums sums7; do
        run "chosen from $input: $options" 0 "names $options '$given/$input'" out="$expected "
        run "chosen as JSON from $input: $options" 0 \
            "cg2wg --print=json $options '$given/$input' >json
             sed -n '/other_functions/q; s/.*\"name\": \"\([^\"]*\).*/\1/p' json | tr '\n' ' '
             sed -n 's/.*\"left_out\": {\"functions\": \(.*\), \"cost\": \(.*\), \"percent\": \(.*\)},/\1 \2 \3/p' json |
             sed '/^0 0 0.00\$/d; s/\(.*\) \(.*\) \(.*\)/... and \1 more, with \3 % of the total (\2)/
                  s/\([0-9]*\)\(\..* % .*\) (\1)/\1\2/' |
             tr '\n' ' '; rm json" out="$expected "
    done
}
chosen 'main beta strlen free' ''
chosen 'beta ... and 3 more, with 75.00 % of the total' --only=beta
chosen 'beta free ... and 2 more, with 70.00 % of the total' '--only=beta --only free'
chosen 'strlen ... and 3 more, with 90.00 % of the total' "--only='s*l?n'"
chosen 'beta ... and 3 more, with 75.00 % of the total' --only=ET
chosen 'main free ... and 2 more, with 35.00 % of the total' '--only=name:AI --only=Fr?e'
chosen 'beta ... and 3 more, with 75.00 % of the total' --only=file:LIB/
chosen 'main beta free ... and 1 more, with 10.00 % of the total' --hide=strlen
chosen 'main ... and 3 more, with 40.00 % of the total' "--hide='*e*'"
chosen 'beta ... and 3 more, with 75.00 % of the total' "--only='*e*' --hide='*r*e*'"
chosen 'beta ... and 3 more, with 75.00 % of the total' "--only='file:lib/*'"
chosen 'strlen free ... and 2 more, with 85.00 % of the total' "--only='object:*libc*'"
chosen 'main beta ... and 2 more, with 15.00 % of the total' "--hide='object:/lib/libc.so'"
chosen 'main beta ... and 2 more, with 15.00 % of the total' "--only='file:*.c' --hide=object:*libc*"
chosen 'main free ... and 2 more, with 35.00 % of the total' '--only=name:main --only=name:free'
chosen 'main ... and 3 more, with 40.00 % of the total' --only==main
chosen 'main free ... and 2 more, with 35.00 % of the total' "--only='file:=app.c' --only=name:=free"
chosen 'main strlen free ... and 1 more, with 25.00 % of the total' --hide=name:=beta
chosen 'main beta strlen ... and 1 more, with 5.00 % of the total' --min=10
chosen 'main beta ... and 2 more, with 15.00 % of the total' --min=10.000001%
chosen 'main beta strlen free' --min=5
chosen 'main beta strlen free' --min=0
chosen 'main ... and 3 more, with 40.00 % of the total' --min=100
chosen 'main ... and 3 more, with 40.00 % of the total' '--min=10 --top=1'
chosen 'free strlen ... and 2 more, with 85.00 % of the total' "--hide='*a*' --sort=name"
chosen 'strlen ... and 3 more, with 90.00 % of the total' "--hide='*a*' --sort=name --top=1 --only='s*'"

for version in 4 5 6 7; do
    run "chosen from version $version" 0 "names --only='file:/t*' --hide=f '$given/v$version'" \
        out='{main} ... and 2 more, with 42.86 % of the total '
done
# Names that contain main, have capital letters, match it as a pattern, or begin with =
run 'a name is exactly that' 0 'printf "events: Ir\nfn=main\n1 1\nfn=dl_main\n1 2\nfn=MAIN\n1 3\nfn=a*c\n1 4\nfn=abc\n1 5\nfn==x\n1 6\n" >in
    for option in --function==main --only==main "--function==a*c" --function===x --only=name:==x; do
        cg2wg -q "$option" in | sed "1,/function$/d" | grep -o "^  .*[0-9]  .*" | tr -s " "; done; rm in' out=' 1 4.76 - - - main
 1 4.76 - - - main
 4 19.05 - - - a\*c
 6 28.57 - - - =x
 6 28.57 - - - =x'
run 'a part of a name is not exactly that' 1 'cg2wg --only==mai "$given/sums"' err='cg2wg: */sums: no function matches =mai; there is main'
run 'objects are chosen only where there are some' 1 'cg2wg --print --hide=f --only="object:*" profile' \
    err='cg2wg: profile: this input has no object names, so object:\* cannot match'
run 'without a total, a share is not known' 0 \
    'printf "events: Ir\nsummary: 0\nfl=a.c\nfn=main\n3 0\n" >in; names --min=50 --hide="ma*" in
     cg2wg --print=json --top=1 --hide=main in | grep left_out' files='in profile' \
    out='... and 1 more   "left_out": {"functions": 1, "cost": 0, "percent": null},'
run 'chosen from a report of costs by size' 0 'cg2wg --print --only=f "$given/report" | tr -s " " | tail -n 4' \
    out=' 60 60.00 60 60.00 1 1 - - f (lib/o)
 1 1 60 60.0 60 60 60
1 of 2: self costs of 60, 60.00 %
... and 1 more, with 40.00 % of the total'
run 'chosen from a report, as plots' 0 'cg2wg --print=plot --hide="file:lib*" "$given/report" | grep -A1 -e "^[fg] " -e more' \
    out='g  (o)
  self 40, inclusive 40, 1 call, 1 size
--
... and 1 more, with 60.00 % of the total'
run 'a report has no objects' 1 'cg2wg --print --only=object:o "$given/report"' \
    err='cg2wg: */report: this input has no object names, *'
run 'chosen from a recording' 0 \
    'cg2wg -q --print --top=1 --only="object:*" --symfs "$symfs" "$top/testdata/perf/time.data" |
     tail -n 1' out='... and * more, with *.* % of the total'

# ---- --function

head='cmd:     /t.php
creator: xdebug 3.1.0
events:  Time_(10ns) Memory_(bytes)
total:   35
'
run 'a function has callers and callees' 0 'cg2wg --print --function=f profile' out="$head
        self       %    inclusive       %       calls  function
          10   28.57           15   42.86           1  f  (/t.php:3)

        cost       %        calls   share        line  caller
          15   42.86            1  100.00           7  {main}  (/t.php:1)

        cost       %        calls   share        line  callee
           5   14.29            1   33.33           4  php::strlen  (php:internal)"
run 'a function without callers, one without callees' 0 \
    'cg2wg --print --function="?main}" --function="php::*" profile | sed 1,5d | tr -s " "' \
    out=' self % inclusive % calls function
 20 57.14 35 100.00 1 {main} (/t.php:1)

no callers

 cost % calls share line callee
 15 42.86 1 42.86 7 f (/t.php:3)


 self % inclusive % calls function
 5 14.29 5 14.29 1 php::strlen (php:internal)

 cost % calls share line caller
 5 14.29 1 100.00 4 f (/t.php:3)

no callees'
for version in 4 5 6; do
    run "calls of version $version are those of version 7" 0 \
        "for version in 7 $version; do
             cg2wg --print --function='*' \"\$given/v\$version\" | sed '1d; s/\(php\):[0-9]*)/\1)/; s/internal:1/internal/' >calls\$version
         done; cmp calls7 calls$version && grep -c caller calls7; rm calls*" out=3
done
run 'a function as JSON' 0 \
    'cg2wg --print=json --function=f profile | tr -d " \n" | sed "s/.*\"total\"/\"total\"/"' \
    out='"total":35,"percent_of":35,*"left_out":{"functions":0,"cost":0,"percent":0.00},"functions":\[{"number":1,"name":"f","file":"/t.php","line":3,"self":10,"inclusive":15,"invocations":1,"called_from":\[{"function":2,"line":7,"count":1,"cost":15}],"sub_calls":\[{"function":0,"line":4,"count":1,"cost":5}]}],"other_functions":\[{"number":0,"name":"php::strlen","file":"php:internal","line":0},{"number":2,"name":"{main}","file":"/t.php","line":1}]}'

# {main} calls f from three lines, with costs 30, 50 and 20, and 1, 2 and 9 calls; f costs nothing itself.
printf %b 'events: Ir\nsummary: 200\nfl=a.c\nfn=main\n1 100\ncfn=f\ncalls=1 0\n11 30\ncalls=2 0\n12 50\ncfn=g\n' \
    'calls=9 0\n13 20\nfn=f\n2 80\nfn=g\n3 20\n' >"$given/lines"
# calls OPTION...: line, cost and calls of the calls of main, and what is said of the others
calls() {
    cg2wg --print --function=main "$@" "$given/lines" | sed '1,/ callee$/d' |
        sed 's/^ *\([0-9]*\)  *[^ ]*  *\([0-9]*\)  *[^ ]*  *\([0-9]*\) .*/\3:\1x\2/' | tr '\n' ' '
}
run 'calls are sorted by cost' 0 calls out='12:50x2 11:30x1 13:20x9 '
run 'calls are sorted by cost with --sort=inclusive' 0 'calls --sort=inclusive' out='12:50x2 11:30x1 13:20x9 '
run 'calls are sorted by number' 0 'calls --sort=calls' out='13:20x9 12:50x2 11:30x1 '
run 'calls are sorted by name, and then as the file has them' 0 'calls --sort=name' out='11:30x1 12:50x2 13:20x9 '
run 'the first calls' 0 'calls --top=1' out='12:50x2 ... and 2 more, with 25.00 % of the total '
run 'the larger calls' 0 'calls --min=15' out='12:50x2 11:30x1 ... and 1 more, with 10.00 % of the total '
run 'calls of some functions' 0 'calls --only=g' out='13:20x9 ... and 2 more, with 40.00 % of the total '
run 'calls of other functions' 0 'calls --hide=g' out='12:50x2 11:30x1 ... and 1 more, with 10.00 % of the total '
run 'the first functions' 0 \
    'cg2wg --print --function="*" --top=2 --sort=name "$given/lines" | sed -n "s/.*  \([a-z]*\)  (a.c.*/\1/p; /^\.\./p" |
     tr "\n" " "' out='f main main g main ... and 1 more, with 50.00 % of the total '
run 'a blank line comes before what is left out' 0 \
    'cg2wg --print --function="*" --top=2 "$given/lines" | tail -n 2' out='
... and 1 more, with *'
run 'no function matches: near names' 1 'cg2wg --print --function=MIAN profile' \
    err='cg2wg: profile: no function matches MIAN; there is {main}'
run 'no function matches: parts of names, the shortest first' 1 'cg2wg --print --function="f" --function="re?" "$given/sums"' \
    err='cg2wg: */sums: no function matches re?; there is free'
run 'no function matches: three near names' 1 \
    'printf "events: Ir\nsummary: 5\nfn=a::run\n1 1\nfn=run2\n1 1\nfn=rum_run_run\n1 1\nfn=run()\n1 1\nfn=other\n1 1\n" >in
     cg2wg --print --function="*rnu" in' files='in profile' \
    err='cg2wg: in: no function matches \*rnu; there is run2, run() and a::run'
run 'no function matches: two near names' 1 \
    'printf "events: Ir\nsummary: 2\nfn=run22\n1 1\nfn=run1\n1 1\n" >in; cg2wg --print --function="rum*" in' files='in profile' \
    err='cg2wg: in: no function matches rum\*; there is run1 and run22'
run 'a function that costs nothing has no shares' 0 \
    'printf "events: Ir\nsummary: 5\nfn=f\n1 0\ncfn=g\ncalls=1 0\n2 0\nfn=g\n1 5\n" >in
     cg2wg --print --function=f in | tail -n 1 | tr -s " "' files='in profile' out=' 0 0.00 1 - 2 g'
run 'no function matches: nothing is near' 1 'cg2wg --print --function=f --function="xyz*" profile' \
    err='cg2wg: profile: no function matches xyz\*'
for style in table json html; do
    run "--only matches nothing, as $style" 1 "cg2wg --print=$style --only=f --only=nothing profile" \
        err='cg2wg: profile: no function matches nothing'
    run "--hide matches nothing, as $style" 0 "cg2wg --print=$style profile >shown
        cg2wg --print=$style --hide=file:nothing profile | grep -vxcFf shown; rm shown" out="[01]" \
        err='cg2wg: profile: warning: no function matches file:nothing, so --hide has no effect'
done
run 'callers and callees from a report' 0 \
    'printf "v 6\nk 100\ni rms\nr \"main\" \"/opt/p\" 1\nq 10 1 100 100 100 10000 1 100 35 35 35 1225\nr \"b\" \"/opt/p\" 2\nq 12 1 25 25 25 625 1 25 5 5 5 25\nr \"a\" \"/opt/p\" 3\nq 11 1 20 20 40 800 2 40 40 20 20 800\nq 13 1 20 20 20 400 1 20 20 20 20 400\nx 3 13 12\nx 1 10 -1\nx 2 12 10\nx 3 11 10\n" >in
     cg2wg --print --function="a*" in | sed 1,3d | tr -s " "' files='in profile' out='
 self % inclusive % calls function
 60 60.00 60 60.00 3 a (/opt/p)

 cost % calls share line caller
 40 40.00 2 66.67 - main (/opt/p)
 20 20.00 1 33.33 - b (/opt/p)

no callees'
run 'callers and callees from a recording' 0 \
    'cg2wg -q --print --function=spin --top=1 --symfs "$symfs" "$top/testdata/perf/time.data" | tr -s " " |
     grep -A1 caller' out=' cost % samples share line caller
 * main (/srv/shop/perf/app)'
# m calls f, twice after f's list, once after m's.
printf '\007\000\000\000l\000\000\000\002\000\000\000\024\000\000\000@\000\000\000\005\000\000\000\006\000\000\000\006\000\000\000\002\000\000\000\001\000\000\000\000\000\000\000\001\000\000\000\004\000\000\000\002\000\000\000\006\000\000\000a\nf\n\001\000\000\000\002\000\000\000\010\000\000\000\001\000\000\000\000\000\000\000\001\000\000\000\000\000\000\000\004\000\000\000\001\000\000\000\006\000\000\000b\nm\nevents: Ir\nsummary: 8\n' \
    >"$given/contradicts"
differently='cg2wg: */contradicts: *found 1 call that caller and callee list differently, expected one list; *'
run 'lists that contradict each other' 0 \
    'cg2wg --print --function=m "$given/contradicts" | tr -s " " | tail -n 1' err="$differently" \
    out=' 6 75.00 2 75.00 4 f (a:5)'
run 'lists that contradict each other, with --strict' 1 'cg2wg --strict --print --function=m "$given/contradicts"' \
    err="$differently"

# ---- --base

# As `sums`, but beta costs 15 more, main 10 less, fresh is new, and free is gone.
printf %b 'creator: callgrind-3.19.0\nevents: Ir\nsummary: 107\nob=/bin/app\nfl=app.c\nfn=main\n1 50\n' \
    'cob=/bin/app\ncfi=lib/b.c\ncfn=beta\ncalls=1 5\n2 40\ncob=/lib/libc.so\ncfi=str.c\ncfn=strlen\n' \
    'calls=1 9\n3 10\ncob=/bin/app\ncfi=app.c\ncfn=fresh\ncalls=3 20\n4 7\n' \
    'fn=fresh\n20 7\nfl=lib/b.c\nfn=beta\n5 40\nob=/lib/libc.so\nfl=str.c\nfn=strlen\n9 10\n' >"$given/changed"
changes='    old self         self        % old inclusive    inclusive        %       calls change  function
          25           40   +60.00            30           40   +33.33           0 grew    beta  (lib/b.c:5)
          60           50   -16.67           100          107    +7.00           0 shrank  main  (app.c:1)
           0            7        -             0            7        -          +3 new     fresh  (app.c:20)
           5            0  -100.00             5            0  -100.00          -2 gone    free  (mem.c:7)'
cg2wg "$given/changed" "$given/changed7" || exit 2
for base in sums sums7; do
    for now in changed changed7; do
        run "differences of $base and $now" 0 "cg2wg --print --base='$given/$base' '$given/$now'" \
            out="base:    */$base  (Ir, 1 run, 4 functions)
now:     */$now  (Ir, 1 run, 4 functions)
total:   100 -> 107  (+7.00 %)
same:    1 function

$changes"
    done
done
for version in 4 5 6; do
    run "differences from version $version, without lines and objects" 0 \
        "cg2wg -f $version '$given/sums' old && cg2wg --print --base=old '$given/changed' | sed 1,5d >shown; rm old
         cg2wg --print --base='$given/sums' '$given/changed' | sed '1,5d; s/ -2 gone/\$/' >expected
         sed 's/(mem.c)/(mem.c:7)/; s/(mem.c:7).*/(mem.c:7)/; s/ -[12] gone/\$/' shown | tr -s ' ' >a; tr -s ' ' <expected >b
         [ $version -eq 4 ] || cmp a b; grep -c ' grew ' shown; rm a b expected shown" out=1
done
run 'differences the other way round' 0 \
    'cg2wg --print --base="$given/changed" "$given/sums" | sed 1,6d | tr -s " "' \
    out=' 40 25 -37.50 40 30 -25.00 0 shrank beta (lib/b.c:5)
 50 60 +20.00 107 100 -6.54 0 grew main (app.c:1)
 7 0 -100.00 7 0 -100.00 -3 gone fresh (app.c:20)
 0 5 - 0 5 - +2 new free (mem.c:7)'
run 'no differences' 0 'cg2wg --print --base="$given/sums" "$given/sums7" | sed 1,2d' \
    out='total:   100 -> 100  (+0.00 %)
same:    4 functions

    old self         self        % old inclusive    inclusive        %       calls change  function'
# differ OPTION...: changes, and names of the functions
differ() {
    cg2wg --print --base="$given/sums" "$@" "$given/changed" | sed '1,/  function$/d' |
        sed 's/.* \(grew\|shrank\|new\|gone\)  *\([a-z]*\) .*/\1 \2/' | tr '\n' ','
}
run 'differences by inclusive cost' 0 'differ --sort=inclusive' out='grew beta,grew main,new fresh,gone free,'
run 'differences by calls' 0 'differ --sort=calls' out='new fresh,gone free,shrank main,grew beta,'
run 'differences by name' 0 'differ --sort=name' out='grew beta,gone free,new fresh,shrank main,'
run 'differences in the order of the input, then of what is gone' 0 'differ --sort=none' \
    out='shrank main,grew beta,new fresh,gone free,'
run 'the largest difference' 0 'differ --top=1' out='grew beta,... and 3 more, with changes of 22.00 % of the total,'
run 'large differences' 0 'differ --min=6' out='grew beta,shrank main,new fresh,... and 1 more, with changes of 5.00 % of the total,'
run 'differences of some functions' 0 'differ --only="f*" --hide=fresh' \
    out='gone free,... and 3 more, with changes of 32.00 % of the total,'
run 'differences of no function' 1 'cg2wg --print --only="x*" --base="$given/sums" "$given/changed"' \
    err='cg2wg: */changed: no function matches x\**'
run 'differences of a library' 0 'differ --only="object:*libc*"' \
    out='gone free,... and 3 more, with changes of 32.00 % of the total,'
run 'differences as JSON' 0 'cg2wg --print=json --base="$given/sums" --top=1 --sort=name --hide=beta "$given/changed" | tr -d " \n"' \
    out='{"base":{"input":"*/sums","event":"Ir","unit":"Ir","divisor":1,"factor":1,"runs":1,"functions":4,"total":100},"now":{"input":"*/changed","event":"Ir","unit":"Ir","divisor":1,"factor":1,"runs":1,"functions":4,"total":107},"per_run":false,"change":7,"percent":7.00,"rounding":0,"unchanged":1,"left_out":{"functions":3,"cost":32,"percent":32.00},"functions":\[{"change":"gone","name":"free","file":"mem.c","line":7,"object":"/lib/libc.so","self":-5,"self_percent":-5.00,"inclusive":-5,"inclusive_percent":-5.00,"invocations":-2,"self_change_percent":-100.00,"inclusive_change_percent":-100.00,"base":{"self":5,"inclusive":5,"invocations":2},"now":null}]}'
run 'differences as a page' 0 'cg2wg --print=html --base="$given/sums" "$given/changed" | page_rows | sed -n "/^\"base_total/,/^\"stacks/p"' \
    out='"base_total":100,
"base_percent_of":100,
"change":7,
"rounding":0,
"per_run":0,
"left":{"functions":0,"self":0,"invocations":0},
"functions":\[
0,"beta","lib/b.c",5,40,40,1,15,10,0,0,25,30,1,0,"/bin/app",
0,"free","mem.c",7,0,0,0,-5,-5,-2,-1,5,5,2,0,"/lib/libc.so",
3,"sh","app.c",20,7,7,3,7,7,3,1,0,0,0,0,1,
0,"main",3,1,50,107,1,-10,7,0,0,60,100,1,0,1,
0,"strlen","str.c",9,10,10,1,0,0,0,0,10,10,1,0,2],
"calls":\[
\[\[],\[],\[1,6,2,5],\[]],
\[\[],\[],\[],\[]],
\[\[],\[],\[],\[]],
\[\[0,2,1,40,4,3,1,10,2,4,3,7],\[],\[0,2,1,30,4,3,1,10],\[]],
\[\[],\[],\[],\[]]],
"groups":\[
\[3,57,107,1,60,100,1,1,40,40,1,25,30,1,4,10,10,1,10,10,1,2,0,0,0,5,5,2,0,0,0,0],
\[0,107,107,1,100,100,1,0,0,0,0],
\[1,97,107,1,85,100,1,2,10,10,1,15,15,3,0,0,0,0],
\["",67,107,1,75,100,3,"lib",40,40,1,25,30,1,0,0,0,0]],
"lines":\[
\[0,5,40,0,25,0,0,6,0,0,0,5],
\[0,7,0,0,5,0],
\[0,20,7,0,0,0],
\[0,1,50,0,60,0,0,2,0,40,0,30,0,3,0,10,0,10,0,4,0,7,0,0],
\[0,9,10,0,10,0]],
"stacks":\[0,-1,107,0,100,0,0,3,107,50,100,60,1,0,40,40,30,25,1,4,10,10,10,10,1,2,7,7,0,0,2,1,0,0,5,5],'
run 'a page of the largest difference' 0 \
    'cg2wg --print=html --top=1 --base="$given/sums" "$given/changed" | page_rows | sed -n "/^\"left/,/^\"stacks/p"' \
    out='"left":{"functions":4,"self":67,"invocations":5},
"functions":\[
0,"beta","lib/b.c",5,40,40,1,15,10,0,0,25,30,1,0,"/bin/app"],
"calls":\[
\[\[],\[1,40],\[2,5],\[1,30]]],
"groups":\[
\[1,40,40,1,25,30,1,2,67,3,75],
\[0,107,107,1,100,100,1,0,0,0,0],
\[1,97,107,1,85,100,1,1,10,1,15],
\["lib",40,40,1,25,30,1,1,67,1,75]],
"lines":\[
\[0,5,40,0,25,0,0,6,0,0,0,5]],
"stacks":\[0,-1,107,0,100,0,0,-1,107,50,100,60,1,0,40,40,30,25,1,-1,10,10,10,10,1,-1,7,7,0,0,2,-1,0,0,5,5],'
# php COST_OF_F OTHER COST_OF_OTHER: {main} calls f and the other function.
php() {
    printf 'version: 1\ncreator: xdebug 3.2.0\nevents: Time_(10ns)\n\nfl=t\nfn=f\n1 %s\n\nfl=t\nfn=%s\n1 %s\n\n' "$@"
    printf 'fl=t\nfn={main}\n1 20\ncfn=f\ncalls=1 0\n4 %s\ncfn=%s\ncalls=1 0\n5 %s\n\nsummary: %s\n\n' "$@" $(($1 + $3 + 20))
}
run 'a page of differences has the stacks of both' 0 \
    'php 10 g 30 >old; php 16 h 30 >new; cg2wg --print=html --base=old new | grep ^.stacks
     cg2wg old old7; cg2wg -q --print=html --base=old7 new | grep ^.stacks; rm old old7 new' \
    out='"stacks":\[0,-1,66,0,60,0,0,3,66,20,60,20,1,2,30,30,0,0,1,0,16,16,10,10,1,1,0,0,30,30],
"stacks":\[0,-1,66,0,60,0,0,3,66,20,60,20,1,2,30,30,0,0,1,0,16,16,10,10,1,1,0,0,30,30],'
if have python3; then
    run 'single calls on a page are what was written' 0 'mkdir calls; python3 "$top/tests/cli/calls.py" "$program" calls; rm -r calls' \
        out='39 True'
else
    skip 'single calls on a page are what was written' 'no python3'
fi
run 'a page of differences has less than 20 MB, also if its base has many calls' 0 \
    'awk "BEGIN { print \"events: Ir\nsummary: 1500001\nfn=f\n1 1500001\nfn=main\"
                  for (i = 1; i <= 1500000; i++) print \"cfn=f\ncalls=1 0\n\" i \" 1\" }" >old
     cg2wg -q --print=html --base=old "$given/lines" | wc -c | awk "{ print (\$1 < 20000000) }"; rm old' out=1
run 'a page of differences per run, in one unit' 0 \
    'for i in 1 2; do php 10 g 30 | sed "s/_(10ns)//"; done >old; for i in 1 2 3; do php 1000 h 320; done >new
     for base in old new; do
         cg2wg --print=html --base=$base $(echo oldnew | sed "s/$base//") |
             grep -E "^.(factor|total|base_total|rounding|per_run|stacks).:"
     done; rm old new' \
    out='"factor":10,
"total":1340,
"base_total":6000,
"rounding":25,
"per_run":1,
"stacks":\[0,-1,1340,0,6000,0,0,3,1340,20,6000,2000,1,2,320,320,0,0,1,0,1000,1000,1000,1000,1,1,0,0,3000,3000],
"factor":10,
"total":6000,
"base_total":1340,
"rounding":25,
"per_run":1,
"stacks":\[0,-1,6000,0,1340,0,0,3,6000,2000,1340,20,1,1,3000,3000,0,0,1,0,1000,1000,1000,1000,1,2,0,0,320,320],'

# Functions that moved: to another object, to another file, to both. Addresses are not names.
moved() { # OBJECT FILE NAME COST...
    total=0
    printf 'creator: x\nevents: Ir\n'
    while [ $# -ge 4 ]; do
        total=$((total + $4))
        printf 'ob=%s\nfl=%s\nfn=%s\n1 %s\n' "$1" "$2" "$3" "$4"
        shift 4
    done
    echo "summary: $total"
}
run 'functions are the same in another object, file, or both' 0 \
    'moved a.so a.c f 1 a.so a.c g 2 a.so a.c h 3 a.so a.c 0x12 5 a.so a.c i 1 b.so a.c i 1 >old
     moved b.so a.c f 1 a.so b.c g 2 b.so b.c h 4 b.so a.c 0x12 5 c.so a.c i 1 b.so a.c i 1 >new
     cg2wg --print --base=old new | sed 1,3d | tr -s " "; rm old new' out='same: 4 functions

 old self self % old inclusive inclusive % change function
 0 5 - - - - new 0x12 (a.c:1)
 5 0 -100.00 - - - gone 0x12 (a.c:1)
 3 4 +33.33 - - - grew h (b.c:1)'
run 'a function in the same file is preferred' 0 \
    'moved a.so a.c f 1 a.so b.c f 5 >old; moved b.so b.c f 5 >new
     cg2wg --print --base=old new | sed "1,/  function/d" | tr -s " "; rm old new' out=' 1 0 -100.00 - - - gone f (a.c:1)'
run 'a function in the same place is preferred' 0 \
    'moved a.so a.c f 1 b.so b.c f 5 >old; moved b.so b.c f 5 c.so c.c f 2 >new
     cg2wg --print --base=old new | sed "1,/  function/d" | tr -s " "; rm old new' out=' 1 2 +100.00 - - - grew f (c.c:1)'

# Units: 1000 instructions, microseconds and tens of nanoseconds
run 'a divided file is compared in the smaller unit, and rounding is no change' 0 \
    'moved o a.c f 12300 o a.c g 800 o a.c h 500 >old
     moved o a.c f 12300 o a.c g 9000 o a.c h 500 >new
     cg2wg -q --scale=1000 old coarse; cg2wg --print --base=coarse new; cg2wg --print --base=new coarse | tail -n 1
     rm old new coarse' \
    out='base:    coarse  (Ir_(x1000), 1 run, 3 functions, costs multiplied by 1000)
now:     new  (Ir, 1 run, 3 functions)
total:   14000 -> 21800  (+55.71 %)
same:    2 functions, where changes of up to 500 may come from rounding

    old self         self        % old inclusive    inclusive        % change  function
        1000         9000  +800.00             -            -        - grew    g  (a.c:1)
        9000         1000   -88.89             -            -        - shrank  g  (a.c:1)'
run 'microseconds and tens of nanoseconds are times' 0 \
    'moved "" a.c f 9 | sed s/Ir/Time/ >old; moved "" a.c f 1200 | sed "s/Ir/Time_(10ns)/" >new
     cg2wg --print --base=old new | tr -s " "; rm old new' \
    out='base: old (Time, 1 run, 1 functions, costs multiplied by 100)
now: new (Time_(10ns), 1 run, 1 functions)
total: 900 -> 1200 (+33.33 %)
same: 0 functions, where changes of up to 50 may come from rounding

 old self self % old inclusive inclusive % change function
 900 1200 +33.33 - - - grew f (a.c:1)'
for names in 'with without' 'without with'; do
    run "an event of one input only ($names)" 0 \
        "cg2wg '$given/sums' with; LC_ALL=C sed 's/^events: /other: : /' with >without
         set -- $names; cg2wg --print --base=\$1 \$2 | grep ^same; rm with without" out='same:    4 functions' \
        err='cg2wg: without: warning: found no events: line, expected one; the costs of both files are taken to be in the same unit'
done
run 'instructions are no times' 1 'cg2wg --print --base="$given/sums" profile' \
    err='cg2wg: profile: found costs in Time_(10ns), expected Ir as in */sums'
run 'units that are too far apart' 1 \
    'moved o a.c f 1 >new; sed "s/Ir/Ir_(x4294967295)/" new >old; cg2wg --print --base=old new; s=$?; rm new old; exit $s' \
    err='cg2wg: new: Ir and Ir_(x4294967295) (old) are units too far apart to compare exactly'
run 'an event of both' 0 'cg2wg --print -e "Memory_(bytes)" --base=profile profile | sed -n 1p' \
    out='base:    profile  (Memory_(bytes), 1 run, 3 functions)'
run 'a report and a recording can be compared' 0 \
    'cg2wg --print --base="$given/report" "$given/report" | sed -n 4p
     cg2wg -q --print --base="$top/testdata/perf/time.data" "$top/testdata/perf/time.data" | sed -n 4p' \
    out='same:    2 functions
same:    * functions'
run 'from standard input' 0 'cg2wg --print --base=- "$given/changed" <"$given/sums" | sed -n 1p' \
    out='base:    (standard input)  (Ir, 1 run, 4 functions)'
run 'from standard input without a FILE' 2 'cg2wg --print --base=- <"$given/sums"' err='cg2wg: no FILE to compare with -, *
*'
run 'a base that is missing' 1 'cg2wg --print --base=none profile' err='cg2wg: none: cannot open*'
run 'a base that is no profile' 1 'echo hello >in; cg2wg --print --base=in profile' files='in profile' \
    err='cg2wg: in: not a profile: *'
run 'a base that is cut' 1 'head -c 100 "$given/v7" >in; cg2wg --print --base=in profile' files='in profile' err='cg2wg: in: found *'

run 'a page of what costs nothing has no lines, also of a comparison' 0 'printf "events: Ir\nfl=a\nfn=f\n1 0\n" >in; for i in "" --base=in; do
    cg2wg -q --print=html $i in | grep -c "^\"lines\":"; done; rm in' out='0
0'

# ---- several runs, and rounded costs

# request FILE COST: f costs COST and is called twice; {main} costs 40.
request() {
    printf 'creator: xdebug 3.2.0\nevents: Time_(10ns)\ncmd: /shop.php\n\nfl=a\nfn=f\n1 %s\n\nfl=a\nfn=f\n1 1\n\n' $(($2 - 1)) >"$1"
    printf 'fl=a\nfn={main}\n1 40\ncfn=f\ncalls=1 0\n2 %s\ncfn=f\ncalls=1 0\n2 1\n\nsummary: %s\n' $(($2 - 1)) $(($2 + 40)) >>"$1"
}
run 'merged inputs of the same runs differ in nothing' 0 \
    'request in 60; cp in in2; cp in in3; cg2wg -o two in in2; cg2wg -o three in in2 in3; cat in in in >four; cat in >>four
     for now in three four; do cg2wg --print --base=two --fail-above=0 $now | sed 1d; done; rm in in2 in3 two three four' \
    out='now:     three  (Time_(10ns), 3 runs, 2 functions)
total:   100 -> 100 per run  (+0.00 %)
same:    2 functions

    old self         self        % old inclusive    inclusive        %       calls change  function
now:     four  (Time_(10ns), 4 runs, 2 functions)
total:   100 -> 100 per run  (+0.00 %)
same:    2 functions

    old self         self        % old inclusive    inclusive        %       calls change  function'
# 60 on average, and then (60 + 70 + 80) / 3 = 70
run 'changes per run' 0 \
    'request in 60; request in2 70; request in3 80; cp in in1; cg2wg -o two in in1; cg2wg -o three in in2 in3
     cg2wg --print --base=two three | sed 1,2d | tr -s " "
     cg2wg --print=json --base=two three | tr -d " \n"; rm in in1 in2 in3 two three' out='total: 100 -> 110 per run (+10.00 %)
same: 0 functions

 old self self % old inclusive inclusive % calls change function
 60 70 +16.67 60 70 +16.67 0 grew f (a:1)
 40 40 +0.00 100 110 +10.00 0 grew {main} (a:1)
{"base":*"runs":2,"functions":2,"total":100},"now":*"runs":3,"functions":2,"total":110},"per_run":true,"change":10,"percent":10.00,*"base":{"self":60,"inclusive":60,"invocations":2},"now":{"self":70,"inclusive":70,"invocations":2}},*'
run 'half a unit of an average is rounded up' 0 \
    'request in 60; request in1 61; request in2 90; cp in2 in3; cg2wg -o two in in1; cg2wg -o other in2 in3
     cg2wg --print=json --base=two other | grep "^ *.base.: {.self.*61"; rm in in1 in2 in3 two other' \
    out=' *"base": {"self": 61,*'
run 'samples are not compared with calls' 0 \
    'cg2wg -q --print=json --base="$top/testdata/perf/time.script" profile | grep self_percent |
         grep -o "invocations.: [^,]*" | sort -u' out='invocations": null'
run 'one run is not compared with an average' 0 \
    'request in 60; cp in in2; cg2wg -o two in in2; cg2wg --print --base=in two | sed -n "1,3p"; rm in in2 two' \
    out='base:    in  (Time_(10ns), 1 run, 2 functions)
now:     two  (Time_(10ns), 2 runs, 2 functions)
total:   100 -> 200  (+100.00 %)'
run 'the parts of a profile of Valgrind are one run' 0 \
    'cg2wg --print --base="$top/testdata/valgrind/parts.out" "$top/testdata/valgrind/parts.out" | sed -n "1p;3p"' \
    out='base:    */parts.out  (Ir, 1 run, * functions)
total:   13558 -> 13558  (+0.00 %)'
run 'dumps of one process are no runs, those that Xdebug appends are' 0 'for i in valgrind/parts.out xdebug/3.2-append.out; do
        cg2wg -q "$top/testdata/$i" | grep ^total; cg2wg -q --print=html "$top/testdata/$i" | grep "^.runs" | sort -u
        cg2wg -q --print=json "$top/testdata/$i" | grep \"runs; cg2wg -q --print --base="$top/testdata/$i" "$top/testdata/$i" | sed -n "1s/.*, \([0-9]* runs*\),.*/\1/p"
        cg2wg -q "$top/testdata/$i" out; cg2wg out | grep -c "^total.* runs"; rm out
    done' out='total:   13558
"runs":1,
  "runs": 1,
1 run
0
total:   235491 in 3 runs, and 8754 outside of functions
"runs":3,
  "runs": 3,
3 runs
1'
# Valgrind with --separate-threads=yes --combine-dumps=yes: each thread has a whole header, of the same process.
for i in 1 2; do
    printf 'version: 1\ncreator: callgrind-3.19.0\npid: 7\ncmd: ./app\npart: 1\nthread: %d\nevents: Ir Dr\n\nfl=a\nfn=f\n1 5 2\n\ntotals: 5 2\n' $i
done >"$given/threads"
run 'threads of one process are no runs either; other processes, and other files, are' 0 'cg2wg -q -o out --format=7 "$given/threads"
    for i in "$given/threads" "-e all $given/threads" "--group=thread $given/threads" out; do cg2wg -q $i | grep -e ^cmd -e ^total; done
    cg2wg -q --print=json "$given/threads" | grep \"runs; cg2wg -q out "$given/threads" | grep -e ^cmd -e ^total
    sed "12,\$s/^pid: 7/pid: 8/" "$given/threads" >out; cg2wg -q out | grep -e ^cmd -e ^total; rm out' out='cmd:     ./app
total:   10
cmd:     ./app
total:   10 Ir
cmd:     ./app
total:   10
cmd:     ./app
total:   10
  "runs": 1,
cmd:     2 profiles of ./app
total:   20 in 2 runs
cmd:     ./app  (2 runs)
total:   10 in 2 runs'
# 299 becomes 150 * 2 or 100 * 3, and 1 becomes 1 * 2 or 0 * 3.
run 'the same costs, divided by 2 and by 3, differ in nothing' 0 \
    'moved o a.c f 700 o a.c g 299 o a.c h 1 >in; for n in 2 3; do cg2wg -q --scale=$n in by$n; done
     for base in 2 3; do cg2wg --print --base=by$base --fail-above=0 by$((5 - base)) | sed 1,2d; done
     cg2wg --print=json --base=by2 by3 | grep -E "change\"|rounding"; rm in by2 by3' out='total:   1002 -> 999  (+0.00 %)
same:    3 functions, where changes of up to 2 may come from rounding

    old self         self        % old inclusive    inclusive        % change  function
total:   999 -> 1002  (+0.00 %)
same:    3 functions, where changes of up to 2 may come from rounding

    old self         self        % old inclusive    inclusive        % change  function
  "change": 0,
  "rounding": 2,'
run 'differences of costs without calls' 0 \
    'moved o a.c f 70 o a.c g 30 >old; moved o a.c f 70 >new; cg2wg --print --base=old new | tail -n 1 | tr -s " "
     cg2wg --print=json --base=old new | grep -c "\"invocations\": null"; rm old new' out=' 30 0 -100.00 - - - gone g (a.c:1)
2'

# ---- totals

# 2^53 + 1 and 2: their sum is no double
run 'a total is exact' 0 \
    'printf "events: Ir\nsummary: 9007199254740995\nfn=a\n1 9007199254740993\nfn=b\n2 2\n" >in
     cg2wg --print in | grep total; cg2wg --print=json in | grep -e total -e percent_of
     cg2wg --print=html in | grep -e "^.total" -e "^.percent_of"; rm in' out='total:   9007199254740995
  "total": 9007199254740995,
  "percent_of": 9007199254740995,
"total":9007199254740995,
"percent_of":9007199254740995,'
run 'a sum that is more than an exact total is exact' 0 \
    'printf "events: Ir\nsummary: 5\nfn=a\n1 9007199254740993\n" | cg2wg -q --print - | grep total' \
    out='total:   9007199254740993; the input says 5'

# ---- a total that is less than the self costs

# As an old file has Xdebug's peak of memory: 80 in all, but 60, 25, 10 and 5.
LC_ALL=C sed 's/^summary: 100$/summary: 80/' "$given/sums7" >"$given/less7"
less='; the input says 80'
run 'a total that is less than the self costs' 0 \
    'cg2wg --print --top=1 "$given/less7" | tail -n 5; cg2wg --print=json "$given/less7" | grep -E "total|percent_of"' out="total:   100$less

        self       %    inclusive       %       calls  function
          60   60.00          100  100.00           1  main  (app.c:1)
... and 3 more, with 40.00 % of the total
  \"total\": 80,
  \"percent_of\": 100,"
run 'a total that is less: callers and callees' 0 'cg2wg --print --function=strlen "$given/less7" | grep -E "total|strlen|main" | tr -s " "' \
    out="total: 100$less
 10 10.00 10 10.00 1 strlen (str.c:9)
 10 10.00 1 100.00 3 main (app.c:1)"
run 'a total that is less: differences' 0 'cg2wg --print --base="$given/less7" --top=1 "$given/changed" | sed "2d; 4,6d"' \
    out="base:    */less7  (Ir, 1 run, 4 functions)$less
total:   100 -> 107  (+7.00 %)
          25           40   +60.00            30           40   +33.33           0 grew    beta  (lib/b.c:5)
*"
run 'a total that is less: the page' 0 'cg2wg --print=html "$given/less7" | grep -E "^\"(total|percent_of)"' out='"total":100,
"percent_of":100,'
# 100 in all, of which the self costs are 90; or, of 120 and -30, 90.
run 'a total that is more than the self costs' 0 \
    'moved o a.c f 70 o a.c g 20 | sed "s/^summary:.*/summary: 100/" >in; cg2wg --print in | grep total; cg2wg --list-events in; cg2wg --print=html in | grep "^.notes"
     cg2wg --summary=file in | sed -n "/total/p;/ f  /p"; cg2wg --print=json in | grep -E "total|percent_of"; rm in' \
    out='total:   90, and 10 outside of functions
Ir                                 90
"notes":\[\[", and ",10," outside of functions"]],
total:   100; the self costs are 90
          70   70.00            -       -           -  f  (a.c:1)
  "total": 100,
  "percent_of": 90,'
run 'a total that is more than the self costs: the page of differences' 0 \
    'moved o a.c f 70 o a.c g 20 | sed "s/^summary:.*/summary: 100/" >in; moved o a.c f 40 o a.c g 20 | sed "s/^summary:.*/summary: 90/" >new
     cg2wg --print=html --base=in new | grep "^.[a-z_]*notes"; cg2wg --print --base=in new | sed -n 1,2p; rm in new' \
    out='"notes":\[\[", and ",30," outside of functions"]],
"base_notes":\[\[", and ",10," outside of functions"]],
base:    in  (Ir, 1 run, 2 functions), and 10 outside of functions
now:     new  (Ir, 1 run, 2 functions), and 30 outside of functions'
# The self costs shrink from 90 to 60, what is outside of functions grows from 10 to 900; and the other way round.
run 'a cost outside of functions is no growth' 0 \
    'moved o a.c f 70 o a.c g 20 | sed "s/^summary:.*/summary: 100/" >in; moved o a.c f 40 o a.c g 20 | sed "s/^summary:.*/summary: 960/" >new
     for option in "" --summary=file; do
         cg2wg --base=in --fail-above=1 $option new | grep total; cg2wg -q --base=in --fail-above=1 $option --print=json new >shown; echo $?
         cg2wg -q --base=new --fail-above=1 $option --print=json in >shown; echo $?
     done; rm in new shown' out='total:   90 -> 60  (-33.33 %)
0
3
total:   100 -> 960  (+860.00 %)
3
0'
run 'negative costs are not called more than the total' 0 \
    'for t in 90 60 100 120 130; do
         moved o a.c f 80 o a.c g 40 o a.c h -30 | sed "s/^summary:.*/summary: $t/" | cg2wg -q --print - | grep -E "total| f  "
     done | tr -s " "' \
    out='total: 90; percentages are of the positive self costs, 120
 80 66.67 - - - f (a.c:1)
total: 90; the input says 60; percentages are of the positive self costs, 120
 80 66.67 - - - f (a.c:1)
total: 90, and 10 outside of functions; percentages are of the positive self costs, 120
 80 66.67 - - - f (a.c:1)
total: 90; percentages are of the positive self costs, 120
 80 66.67 - - - f (a.c:1)
total: 90, and 40 outside of functions; percentages are of the positive self costs, 120
 80 66.67 - - - f (a.c:1)'
# As cg_diff writes it of a program that costs less: cg_annotate says -20, PROGRAM TOTALS.
run 'a total below zero is what the input says, or its sum' 0 \
    'totals() {
         { cg2wg "$@"; cg2wg --print=json "$@"; cg2wg --print=html "$@"; cg2wg --print=callgrind "$@"; } |
             sed -n "s/^total: *\([-0-9]*\).*/\1/p; s/^ *\"total\": *\([-0-9]*\),/\1/p; s/^\"total\"://p; s/summary: //p; s/^.*\"summary\", \"value\": \(.*\)}.*/\1/p" | tr -d "\"," | tr "\n" " "
     }
     for summary in "summary: -20 5" "summary: 18446744073709551596 5" none; do
         { echo "events: Ir Dr"; printf "fl=a.c\nfn=f\n1 -30 2\nfn=g\n2 10 3\n"; echo "$summary" | grep -v none; } >in
         for event in Ir "Dr - Ir" "Ir - Dr" Dr; do totals -q -e "$event" in; done
         echo $(cg2wg -q --list-events in)
     done
     cp in other; cg2wg -q --print in other | grep -o "^total: *[-0-9]*"; cg2wg -q --group=file in | grep -o "^total: *[-0-9]*"; rm in other' \
     out='-20 -20 -20 -20 -20 25 25 25 25 25 -25 -25 -25 -25 -25 5 5 5 5 5 Ir -20 Dr 5
-20 -20 -20 -20 -20 25 25 25 25 25 -25 -25 -25 -25 -25 5 5 5 5 5 Ir -20 Dr 5
-20 -20 -20 -20 -20 25 25 25 25 25 -25 -25 -25 -25 -25 5 5 5 5 5 Ir -20 Dr 5
total:   -40
total:   -20'
run 'a total of rounded costs need not be their sum' 0 \
    'moved o a.c f 5 o a.c g 5 o a.c h 5 >in; cg2wg -q --scale=10 in by10; cg2wg --print by10 | tail -n 6; rm in by10' \
    out='total:   3

        self       %    inclusive       %       calls  function
           1   33.33            -       -           -  f  (a.c:1)
           1   33.33            -       -           -  g  (a.c:1)
           1   33.33            -       -           -  h  (a.c:1)'
# 24.25 and 59.25 ms, 8.625 KiB, and 0.125 % of 800: halves go up, as in a browser.
run 'halves are rounded away from zero' 0 \
    'printf "creator: xdebug 3\nevents: Time_(1ns)\n\nfl=a\nfn=f\n1 24250000\n\nfl=a\nfn={main}\n1 35000000\ncfn=f\ncalls=1 0 0\n1 24250000\n" >time
     sed "s/Time_(1ns)/Memory_(bytes)/;s/24250000/8832/;s/35000000/1000/" time >memory
     for i in time memory; do cg2wg -q --print=svg $i | grep -o "<title>[^<]*"; rm $i; done
     moved o a.c f 1 o a.c g 799 >in; cg2wg in | tail -n 2 | tr -s " "; moved o a.c f 800 o a.c g 800 >old
     moved o a.c f 799 o a.c g 801 | cg2wg -q --base=old --print=csv - | tr -d "\r" | tail -n 2; rm in old' out='<title>{main}: 100.00 %, 59.3 ms
<title>f: 40.93 %, 24.3 ms
<title>{main}: 100.00 %, 9.60 KiB
<title>f: 89.83 %, 8.63 KiB
 799 99.88 - - - g (a.c:1)
 1 0.13 - - - f (a.c:1)
"f","a.c",1,"o",800,799,-0.13,*
"g","a.c",1,"o",800,801,0.13,*'

# ---- samples, and records without calls

run 'perf counts samples' 0 \
    'for input in time.data time.script; do cg2wg -q --print "$top/testdata/perf/$input"
     done 2>&1 | grep -E "inclusive  " | tr -s " "
     cg2wg -q --print=json --top=1 "$top/testdata/perf/time.script" | grep -c "\"samples\": 75"
     cg2wg -q --print=html "$top/testdata/perf/time.script" | grep "^\"counts"' out=' self % inclusive % samples function
 self % inclusive % samples function
1
"counts":"samples",'
run 'the calls of samples are samples' 0 \
    'cg2wg -q --print --function=spin --top=1 "$top/testdata/perf/time.script" | grep share | tr -s " "' out=' cost % samples share line caller'
for input in valgrind/cachegrind.out other/go-pprof.out; do
    case $input in
    valgrind/*) counts='-,- null,null "has_inclusive":0, "counts":"nothing",' ;;
    *) counts='[0-9]*,0 [0-9]*,0 "has_inclusive":1, "counts":"calls",' ;;
    esac
    run "what is counted in $input" 0 \
        'cg2wg -q --print --top=1 "$top/testdata/$input" | awk "/function\$/ { getline; print \$3 \",\" \$5 }"
         cg2wg -q --print=json --top=1 "$top/testdata/$input" | sed -n "s/.*\"inclusive\": \(.*\), \"invocations\": \([^,]*\),/\1,\2/p"
         cg2wg -q --print=html "$top/testdata/$input" | grep -e "^\"counts" -e "^\"has_incl" | head -n 2 | cut -d, -f1 | sed s/$/,/' out="$(echo "$counts" | tr ' ' '\n')"
done
run 'without calls, merged profiles count nothing either' 0 \
    'moved o a.c f 70 >in; cp in in2; cg2wg -o both in in2; cg2wg --print both | tail -n 1 | tr -s " "; rm in in2 both' \
    out=' 140 100.00 - - - f (a.c:1)'

# ---- on a terminal

# `sums` and `changed`, each cost a thousand times as much
for file in sums changed; do
    sed '/^[0-9]* [0-9]*$/s/$/000/; /^summary/s/$/000/' "$given/$file" >"$given/$file-large"
done
narrow='
  self     % inclusive     % calls  function
25,000 25.00    30,000 30.00     1  beta  (lib/b.c:5)

  cost     % calls  share line  caller
30,000 30.00     1 100.00    2  main  (app.c:1)

 cost    % calls share line  callee
5,000 5.00     2 16.67    6  free  (mem.c:7)'
of_beta() { cg2wg --function=beta "$@" "$given/sums-large" | sed '1,/^total/d'; }
run 'in a pipe, with --width: as on a terminal of that width' 0 'of_beta --width=60' out="$narrow"
run 'in a pipe, with COLUMNS: the same' 0 'COLUMNS=60 of_beta; COLUMNS=5 of_beta --width=60' out="$narrow
$narrow"
run 'COLUMNS that is no width, or beside a file, changes nothing' 0 'of_beta >plain
    for columns in "" 0 -1 60x 99999999999; do COLUMNS=$columns of_beta | cmp - plain; done
    COLUMNS=60 cg2wg --function=beta -o x.txt "$given/sums-large"; sed "1,/^total/d" x.txt | cmp - plain; rm plain x.txt'
run 'no line is wider than --width' 0 'sed "s/beta/a_name_&_that_goes_on_and_on/" "$given/sums" >long
    for width in 30 50 90; do cg2wg -q --width=$width long | sed "s/…/~/g" | awk -v most=$width "length > most { print }"; done; rm long'
if has_terminal; then
    run 'on a terminal: a function' 0 \
        'on_terminal 60 "\"\$PROGRAM\" --print --function=beta \"$given/sums-large\"" | sed "1,/^total/d"' out="$narrow"
    run '--width counts, not the width of the terminal' 0 \
        'on_terminal 99 "\"\$PROGRAM\" --width=60 --function=beta \"$given/sums-large\"" | sed "1,/^total/d"' out="$narrow"
    run 'on a terminal: differences' 0 \
        'on_terminal 70 "\"\$PROGRAM\" --print --base=\"$given/sums-large\" --top=2 \"$given/changed-large\"" | sed "1,2s/ .*sums-l/ /; 1,2s/ .*changed-l/ /"' \
        out='base: arge  (Ir, 1 run, 4 functions)
now: arge  (Ir, 1 run, 4 functions)
total:   100,000 -> 107,000  (+7.00 %)
same:    1 function

old self   self      % old inclusive inclusive      % change  function
  25,000 40,000 +60.00        30,000    40,000 +33.33 grew    beta
  60,000 50,000 -16.67       100,000   107,000  +7.00 shrank  main
... and 2 more, with changes of 12.00 % of the total'
    run 'on a terminal: no line of differences is too long' 0 \
        'on_terminal 60 "\"\$PROGRAM\" --print --base=\"$given/sums-large\" \"$given/changed-large\"" |
         awk "length > 60 { print } END { print NR }"' out=10
else
    skip 'on a terminal' "$no_terminal"
fi

# ---- --fail-above

fails() { # STATUS PERCENT
    run "the total grew by 7 %: --fail-above=$2" "$1" \
        "cg2wg --print --base='$given/sums' --fail-above=$2 '$given/changed' >shown; s=\$?
         cg2wg --print --base='$given/sums' '$given/changed' | cmp - shown; rm shown; exit \$s"
}
fails 3 0
fails 3 6.999999
fails 0 7
fails 0 7.000001%
fails 0 100
# 0.57 has no exact binary form; 10057 is 0.57 % more than 10000.
for total in 10000 4000000000; do
    more=$((total / 10000 * 57))
    run "a growth of exactly 0.57 % of $total is not more than that" 0 \
        "for now in $total $((total + more)) $((total + more + 1)); do moved o a.c f \$now >\$now; done
         for more in 0 1; do
             cg2wg --print --base=$total --fail-above=0.57 \$(($total + $more + more)) >out
             echo \$?
         done; rm [0-9]* out" out='0
3'
done
run 'the total shrank: --fail-above=0' 0 'cg2wg --print=json --base="$given/changed" --fail-over 0 "$given/sums" | grep -c change' out='[0-9]*'
run 'the same total: --fail-above=0' 0 'cg2wg --print --base=profile --fail-over=0 profile | sed -n 3p' out='total:   35 -> 35  (+0.00 %)'
run 'rounding is no growth' 0 \
    'moved o a.c f 1300 >old; cg2wg -q --scale=1000 old coarse
     cg2wg --print --base=coarse --fail-above=0 old | sed -n 3p; rm old coarse' out='total:   1000 -> 1300  (+0.00 %)'
run 'a growth needs a total' 1 \
    'printf "events: Ir\nsummary: 0\nfl=a.c\nfn=main\n3 0\n" >in; cg2wg --print --base=in --fail-above=5 in' files='in profile' \
    err='cg2wg: in: there is no total, which --fail-above needs'

run 'totals beyond 2^53 are exact' 0 \
    'for n in 2 3; do printf "events: Ir\nsummary: 900719925474099$n\nfl=a.c\nfn=f\n1 900719925474099$n\n" >$n; done
     cg2wg --base=2 3 | grep total; cg2wg --print=json --base=2 3 | grep "total\|\"change\": [0-9]" | grep -o "\"total\": [0-9]*\|change.*"
     cg2wg --print=html --base=2 3 | grep "^.base_total.:\\|^.change.:"; rm 2 3' files='profile' \
    out='total:   9007199254740992 -> 9007199254740993  (+0.00 %)
"total": 9007199254740992
"total": 9007199254740993
change": 1,
"base_total":9007199254740992,
"change":1,'

# ---- usage

for option in --function --only --hide; do
    run "$option needs a pattern" 2 "cg2wg --print $option= profile" \
        err="cg2wg: $option: found \"\", expected [PN]A*"
done
# main grows by 4 %, f by half; g is new, h is gone.
printf 'events: Ir\nsummary: 140\nfn=main\n1 100\nfn=f|g\n2 20\nfn=h\n3 20\n' >"$given/before"
printf 'events: Ir\nsummary: 135\nfn=main\n1 104\nfn=f|g\n2 30\nfn=g`\n3 1\n' >"$given/after"
run 'functions may grow by no more than their limits' 0 'for o in =main:4 =main:3.99 "=main:9 f|g:50%" "=main:3 f|g:49" "*:100" "h:0" "g\`:999999"; do
        cg2wg --base="$given/before" $(printf " --fail-function=%s" $o) "$given/after" 2>err >shown; echo "$? $(sed "s/.*\/after: //" err)"; done; rm shown err' out='0 
3 main grew most beyond its limit: 100 -> 104 (+4.00 %)
0 
3 f|g grew most beyond its limit: 20 -> 30 (+50.00 %)
3 g\` grew most beyond its limit: 0 -> 1
0 
3 g\` grew most beyond its limit: 0 -> 1'
# f costs 10 to 30 in three runs: its mean of 20 grows to 22, which is within the margin. g does not vary.
run 'functions that grew within the margin of the runs are within their limits' 0 'for f in 10 20 30; do
        printf "events: Ir\nsummary: $((f + 50))\nfn=f\n1 $f\nfn=g\n2 50\n" >$f; printf "events: Ir\nsummary: $((f + 53))\nfn=f\n1 $((f + 2))\nfn=g\n2 51\n" >new$f; done
    for o in f g; do cg2wg -q --base=10 --base=20 --base=30 --fail-function=$o:1 new10 new20 new30 >shown 2>&1; echo $?; done; rm 10 20 30 new?? shown' out='0
3'
run 'limits of functions that there are not' 1 'cg2wg --base="$given/before" --fail-function=none:1 "$given/after"' err='*no function matches none*'
run 'limits without a percentage' 2 'cg2wg --base="$given/before" --fail-function=f "$given/after"' err='*expected PATTERN:PERCENT*'
run 'limits of functions need --base' 2 'cg2wg --fail-function=f:1 "$given/after"' err='cg2wg: --fail-function needs --base*'
run 'no name breaks a table in Markdown' 0 'printf "events: Ir\nsummary: 10\nfl=/x.php\nfn=a|b\n1 5\nfn=c\`d\n2 3\nfn=<i>_x_\n3 2\n" >in
    cg2wg --print=markdown in; sed "s/^3 2/3 4/;s/: 10/: 12/" in >new; cg2wg -o x.md --base=in new; cat x.md; cg2wg -o x.md in; tail -n 1 x.md; rm in new x.md' out='Total: 10

| self | % | inclusive | % | calls | function |
| ---: | ---: | ---: | ---: | ---: | --- |
| 5 | 50.00 |  |  |  | <code>a&#124;b</code> (\`/x.php\`:1) |
| 3 | 30.00 |  |  |  | <code>c&#96;d</code> (\`/x.php\`:2) |
| 2 | 20.00 |  |  |  | \`<i>_x_\` (\`/x.php\`:3) |
Total: 10 -> 12 (+20.00 %)

| old self | self | % | old inclusive | inclusive | % | change | function |
| ---: | ---: | ---: | ---: | ---: | ---: | --- | --- |
| 2 | 4 | 100.00 |  |  |  | grew | \`<i>_x_\` (\`/x.php\`:3) |
| 2 | 20.00 |  |  |  | \`<i>_x_\` (\`/x.php\`:3) |'
run '--fail-above needs --base' 2 'cg2wg --print --fail-over=1 profile' err='cg2wg: --fail-above needs --base*'
run 'functions to compare' 2 'cg2wg --print --function=f --base=profile profile' \
    err='cg2wg: --base cannot be used with --function; --only *'
run 'plots are not compared' 2 'cg2wg --print=plot --base=profile profile' \
    err='cg2wg: --base cannot be used with --print=*, only with --print=table, =json, *=html, *=csv*'
run 'trees are not compared' 2 'cg2wg --print=tree --base=profile profile' \
    err='cg2wg: --base cannot be used with --print=tree, *'
run 'standard input is read once' 2 'cg2wg --print --base=- - <profile' err='cg2wg: standard input cannot be both *'
run 'plots have no callers' 2 'cg2wg --print=plot --function=f "$given/report"' \
    err='cg2wg: --function cannot be used with --print=plot, *'
run 'stacks have no callers' 2 'cg2wg --print=stacks --function=f "$given/report"' \
    err='cg2wg: --function cannot be used with --print=stacks, *'
for value in '' x -1 1x 1.x .5 5. 1.2.3 1%% 1e3 1234567 1.2345678; do
    run "--min=$value is no percentage" 2 "cg2wg --print --min='$value' profile" \
        err="cg2wg: --min: found \"$value\", expected PERCENT*"
done
for value in 100.000001 101 999999%; do
    run "--min=$value is too much" 2 "cg2wg --print --min=$value profile" \
        err="cg2wg: --min: found \"$value\", expected at most 100 percent*"
done

finish
