#!/bin/sh
# SPDX-License-Identifier: MIT
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
    err='cg2wg: in: this profile has no call stacks; use *'

# ---- recordings of perf

data=$top/testdata/perf
symbols="--symfs='$symfs'"
for file in time group two pipe; do
    run "a recording: stacks add up to self costs ($file)" 0 "adds_up $symbols '$data/$file.data'"
done

# ---- profiles of Xdebug

# xdebug LINE...: a profile of one run: NAME COST is a record, and `> NAME COST` a call that it made.
xdebug() {
    printf '%s\n' 'creator: xdebug 3.1.0' 'events: Time' ''
    for line; do
        case $line in
        '> '*)
            line=${line#> }
            printf '%s\n' "cfn=${line% *}" 'calls=1 0 0' "2 ${line##* }"
            ;;
        *) printf '%s\n' "fn=${line% *}" "1 ${line##* }" ;;
        esac
    done
}
# stacks OPTION... LINE...: those of such a profile
stacks() {
    stacks_options=
    while [ "${1#--}" != "$1" ]; do
        stacks_options="$stacks_options $1"
        shift
    done
    xdebug "$@" >in
    # shellcheck disable=SC2086
    cg2wg --print=stacks --summary=computed $stacks_options in
    stacks_status=$?
    rm in
    return $stacks_status
}
run 'a profile: invocations become stacks' 0 'cg2wg --print=stacks profile' out='{main} 20
{main};f 10
{main};f;php::strlen 5'
run 'a call belongs to the last invocation that no record has claimed' 0 \
    'stacks "g 1" "f 10" "> g 1" "f 30" "h 5" "> f 30" "{main} 2" "> f 11" "> h 35"' out='{main} 2
{main};f 10
{main};f;g 1
{main};h 5
{main};h;f 30'
run 'records in another order than that of a call stack' 0 \
    'stacks "a 1" "b 2" "x 10" "> a 1" "y 20" "> b 2" "{main} 3" "> x 11" "> y 22"' out='{main} 3
{main};x 10
{main};x;a 1
{main};y 20
{main};y;b 2'
run 'a recursion repeats its frames' 0 \
    'stacks "f 1" "f 2" "> f 1" "f 4" "> f 3" "{main} 8" "> f 7"' out='{main} 8
{main};f 4
{main};f;f 2
{main};f;f;f 1'
run 'equal stacks are one line' 0 \
    'stacks "f 1" "f 2" "{main} 8" "> f 1" "> f 2"' out='{main} 8
{main};f 3'
run 'of a call whose record is missing, the self cost is unknown' 0 \
    'stacks "{main} 8" "> lost 4" "> f 2"' out='{main} 8'
run 'what nobody called is a root' 0 'stacks "g 1" "f 10" "> g 1" "{main} 2"' out='f 10
f;g 1
{main} 2'
run 'runs are merged in one unit, but no call leads from one to another' 0 \
    '{ cat profile; echo "==== NEW PROFILING FILE ====="; xdebug "{main} 1" "> php::strlen 5"; } >in
     cg2wg --print=stacks --summary=computed in; rm in' out='{main} 120
{main};f 10
{main};f;php::strlen 5'
run 'proxies are stepped over' 0 \
    'stacks --proxy=p "f 1" "p 10" "> f 1" "f 2" "p 20" "> f 2" "{main} 8" "> p 11" "> p 22"' out='p 30
{main} 8
{main};f 3'
run 'proxies of proxies are stepped over' 0 \
    'stacks --proxy=? "f 1" "p 10" "> f 1" "q 20" "> p 11" "{main} 8" "> q 31"' out='p 10
q 20
{main} 8
{main};f 1'
run 'proxies that made no call or several stay' 0 \
    'stacks --proxy=p "p 10" "f 1" "f 2" "p 20" "> f 1" "> f 2" "{main} 8" "> p 10" "> p 23"' out='{main} 8
{main};p 30
{main};p;f 3'
run 'a proxy that nobody called stays' 0 'stacks --proxy=p "f 1" "p 10" "> f 1" "{main} 8"' out='p 10
p;f 1
{main} 8'
run '--event chooses the costs' 0 \
    'sed "s/^\([134] [25]0*\) 0/\1 7/; s/^\([347] 1[05]\) 0/\1 9/" profile >in
     cg2wg --print=stacks --event=Memory_\(bytes\) --summary=computed in; rm in' out='{main} 7
{main};f 9
{main};f;php::strlen 7'
run '--records=sums leaves none' 1 'cg2wg --print=stacks --records=sums profile' \
    err='cg2wg: profile: this profile has no call stacks; use *'
run 'costs are 64 bits and not divided' 0 'stacks "f 4000000000000000000" "{main} 4294967297" "> f 4000000000000000000"' \
    out='{main} 4294967297
{main};f 4000000000000000000'
run 'negative costs are left out, and said to be' 0 \
    'stacks "f -5" "g -6" "f 7" "{main} 1" "> g -6" "> f 7" "> f -5"' out='{main} 1
{main};f 2' err='cg2wg: in: warning: left out 1 stacks with negative costs, -6 in total, which *'
# {main} calls g, which calls itself and h: inclusive costs are 12 of h and g below g (12 - 8), less 2, and 10.
xdebug 'h -8' 'g 12' 'g -2' '> g 12' '> h -8' '{main} 10' '> g 2' >"$given/negative"
run 'a tree has negative costs, and sums as in tables; a picture says that it has not' 0 \
    'cg2wg -q --summary=computed --print=tree "$given/negative" | sed 1,3d | tr -s " "
     cg2wg --summary=computed --print=svg "$given/negative" | grep -o "<title>[^,]*"' out=' 10 50.00 12 60.00 {main}
 -2 -10.00 2 10.00 g
 12 60.00 12 60.00 g
 -8 -40.00 -8 -40.00 h
<title>{main}: 100.00 %
<title>g: 54.55 %
<title>g: 54.55 %' err='cg2wg: *negative: warning: left out 2 stacks with negative costs, -10 in total, which have no width'
run 'no cost, no line' 0 'stacks "f 0" "{main} 0" "> f 0"' \
    err='cg2wg: in: warning: no stack has a self cost, so nothing is printed'
run 'names stay within their frame and their line' 0 \
    "{ xdebug 'a;b 12 1'; printf 'fn=c\\001d\\377\342\200\250\\n1 2\\n'; xdebug 'e  1.5 3' '{main} 4' '> a;b 12 1' '> e  1.5 3' | sed 1,3d
       printf 'cfn=c\\001d\\377\342\200\250\\ncalls=1 0 0\\n1 2\\nfn=12 x\\n1 9\\n'; } >in
     cg2wg --print=stacks --summary=computed in | tr '\\000' @; rm in" out='12 x 9
{main} 4
{main};a:b_12 1
{main};c\?d\?\? 2
{main};e _1.5 3'

run 'a line end of JavaScript, and no name at all' 0 \
    'stacks "a$(printf "\342\200\251")b 1" " 2" "{main} 4" "> a$(printf "\342\200\251")b 1" ">  2"' out='{main} 4
{main};\[unknown\] 2
{main};a\?b 1'
run 'functions of one name are one frame' 0 \
    '{ xdebug; printf "fl=a.php\nfn=f\n1 1\nfl=b.php\nfn=f\n1 2\nfn={main}\n1 4\ncfl=a.php\ncfn=f\ncalls=1 0\n2 1\n"
       printf "cfl=b.php\ncfn=f\ncalls=1 0\n2 2\n"; } >in
     cg2wg --print --identity=file --summary=computed in | grep -c " f "
     cg2wg --print=stacks --identity=file --summary=computed in; rm in' out='2
{main} 4
{main};f 3'

# A recursion of 3,000 invocations, each of which costs 1; at its end, one of g.
{
    xdebug 'g 5' | sed '$!b'
    awk 'BEGIN { for (i = 1; i <= 3000; i++)
        printf "fn=f\n1 1\ncfn=%s\ncalls=1 0 0\n2 %d\n", i == 1 ? "g" : "f", i + 4 }'
} >"$given/deep"
run 'below 1024 frames, costs are added up' 0 \
    'cg2wg --print=stacks --summary=computed "$given/deep" >shown; wc -l <shown
     sed -n "s/f;//g; 1p; 1024p; 1025,\$p" shown; rm shown' out='1026
f 1
f 1
\[deeper\];f 1976
\[deeper\];g 5' err='cg2wg: *deep: warning: stacks have more than 1024 functions; *'
run 'they add up to the self costs' 0 'adds_up --summary=computed "$given/deep"'

for file in 2.1.0-single 2.5-append 3.2-append-aliases 3.2-release 3.2-killed 3.2-workers; do
    run "stacks add up to self costs ($file)" 0 "adds_up '$top/testdata/xdebug/$file.out'"
done
many_calls 480000 >"$given/many"
run 'any number of threads prints the same' 0 \
    'cg2wg --print=stacks --summary=computed -j1 "$given/many" >shown
     for j in 2 3; do cg2wg --print=stacks --summary=computed -j$j "$given/many" | cmp - shown; done
     cat shown; rm shown' out='f 1
g 80000
g;f 40000'
run 'from standard input, compressed' 0 'gzip -c profile | cg2wg --print=stacks - | head -n 1' out='{main} 20'
if [ -w /dev/full ]; then
    run '--print=stacks fails where it cannot write' 1 'cg2wg --print=stacks profile >/dev/full' \
        err='cg2wg: *No space left on device'
else
    skip '--print=stacks fails where it cannot write' 'no /dev/full'
fi

# ---- preprocessed files of version 4

# same_stacks OPTION... FILE: are the stacks of the file those of what version 4 makes of it?
same_stacks() {
    cg2wg -q -f4 --scale=none "$@" pre && cg2wg -q --print=stacks "$@" >stacks && cg2wg --print=stacks pre | cmp - stacks
    same_stacks_status=$?
    rm -f pre stacks
    return $same_stacks_status
}
for file in xdebug/2.1.0-single.out xdebug/2.2-single.out; do
    run "version 4 from webgrind itself ($file)" 0 \
        'cg2wg --print=stacks "$top/testdata/$file" >stacks; wc -l <stacks
         cg2wg --print=stacks "$top/testdata/$file.webgrind4" | cmp - stacks; rm stacks' out=22
done
for file in xdebug/2.5-append.out xdebug/3.2-append-aliases.out xdebug/3.2-release.out xdebug/3.2-nested-events.out \
            xdebug/3.2-killed.out aprof/v6-contexts.aprof "perf/group.data $symbols"; do
    run "version 4 has the same stacks ($file)" 0 "same_stacks '$top/testdata/'$file"
done
run 'version 4 has the same stacks, with proxies' 0 "same_stacks -p 'php::call_user_func:*' '$top/testdata/xdebug/3.2-nested-events.out'"
run 'version 4 has the same stacks, with its missing records' 0 \
    'xdebug "f 1" "g 2" "> lost 4" "> f 1" "{main} 8" "> g 7" "> lost 5" >in; same_stacks --summary=computed in; rm in'
for file in valgrind/default.out other/stackprof.out; do
    run "version 4 from sums has none: $file" 1 "cg2wg -f4 -q '$top/testdata/$file' pre; cg2wg --print=stacks pre || { rm pre; false; }" \
        err='cg2wg: pre: this profile has no call stacks; use *'
done
for version in 5 6 7; do
    run "version $version has none" 1 "cg2wg -f$version profile pre; cg2wg --print=stacks pre || { rm pre; false; }" \
        err='cg2wg: pre: this profile has no call stacks; use *'
done
run 'an invocation that runs inside itself is an error' 1 \
    'printf "fn=f\n1 5\ncfn=f\ncalls=1 1\n1 3\n" >in; cg2wg -qf4 in pre; cg2wg --print=stacks pre || { rm in pre; false; }' \
    err='cg2wg: pre: function 0: found an invocation that runs inside itself, expected *'
# The first function is g; the 15th number of the file says which invocation of f called it.
run 'a sub call of another invocation than the caller is one of sums' 1 \
    'xdebug "g 1" "f 1" "> g 1" "f 2" "{main} 3" "> f 2" "> f 2" >in; cg2wg -f4 --summary=computed in pre
     cg2wg --print=stacks pre | tail -n 1; printf "\1" | dd of=pre bs=1 seek=56 conv=notrunc 2>dd
     cg2wg --print=stacks pre || { rm in pre dd; false; }' \
    out='{main};f;g 1' err='cg2wg: pre: this profile has no call stacks; *'
run 'a damaged file is an error' 1 'cg2wg -f4 profile pre; head -c 100 pre >cut; cg2wg --print=stacks cut || { rm pre cut; false; }' \
    err='cg2wg: cut: *'

# ---- what has none

for file in valgrind/default.out valgrind/cachegrind.out other/stackprof.out; do
    run "a profile of sums has none: $file" 1 "cg2wg --print=stacks '$top/testdata/$file'" \
        err="cg2wg: *$file: this profile has no call stacks; use *"
done
run 'options for tables do not apply' 2 'cg2wg --print=stacks --top=3 "$given/report"' \
    err='cg2wg: --top cannot be used with --print=stacks, *'

# A chain of 400 functions, whose names of 5000 bytes begin alike; only the last one costs anything. 255 names of
# 4096 bytes are less than 1 MB.
if have sha256sum; then
    awk -v start="$(head -c 4996 /dev/zero | tr '\0' x)" 'BEGIN {
        printf "creator: xdebug 3\nevents: Time\n\n"
        for (i = 1400; i > 1000; i--) {
            printf "fl=a\nfn=%s%d\n1 %d\n", start, i, i == 1400
            if (i < 1400)
                printf "cfl=a\ncfn=%s%d\ncalls=1 0\n2 1\n", start, i + 1
            print ""
        }
        print "summary: 1"
    }' >"$given/long"
    run 'a line of more than 1 MB ends, and long names differ by their hash' 0 \
        'cg2wg --print=stacks "$given/long" >stacks; wc -l <stacks; tr ";" "\n" <stacks >names; rm stacks; grep -c "^xxx" names
         head -n 1 names | cut -c 4076-; sed -n "2s/.*\(.\{16\}\)/\1/p" names; tail -n 1 names; rm names' out="1
255
xx...$(printf %s1001 "$(head -c 4996 /dev/zero | tr '\0' x)" | sha256sum | cut -c 1-16)
$(printf %s1002 "$(head -c 4996 /dev/zero | tr '\0' x)" | sha256sum | cut -c 1-16)
\[deeper] 1"
else
    skip 'a line of more than 1 MB ends' 'no sha256sum'
fi

# ---- estimates

# c is called by a for 20 and by b for 5 of its 25, of which d has 10. So a has 4/5 of it, and of d.
printf %b 'events: Ir\nsummary: 42\nfn=main\n1 2\ncfn=a\ncalls=1 1\n2 30\ncfn=b\ncalls=1 1\n3 10\n' \
    'fn=a\n4 10\ncfn=c\ncalls=2 1\n5 20\nfn=b\n6 5\ncfn=c\ncalls=1 1\n7 5\n' \
    'fn=c\n8 15\ncfn=d\ncalls=3 1\n9 10\nfn=d\n10 10\n' >"$given/diamond"
run 'the cost of a function is divided among its callers' 0 'cg2wg --print=stacks --estimate "$given/diamond"
    cg2wg -q -o x.folded --estimate "$given/diamond"; cg2wg --print=stacks --estimate "$given/diamond" | cmp - x.folded; rm x.folded' out='main 2
main;a 10
main;a;c 12
main;a;c;d 8
main;b 5
main;b;c 3
main;b;c;d 2'
run 'without --estimate, sums have no stacks' 1 'cg2wg --print=stacks "$given/diamond"' err='cg2wg: *this profile has no call stacks*'
run '--estimate changes no stacks that are known' 0 'cg2wg --print=stacks profile >known; cg2wg --print=stacks --estimate profile | cmp - known; rm known'
quote="'"
# f is called by main, and by g, which main calls. A quote in Rust's lifetime, and one before what does not call, remain.
run 'callers that callgrind has appended to names are frames' 0 '{ echo "creator: callgrind-3.19.0"; echo "events: Ir"
        printf "fn=main\n1 1\ncfn=f%smain\ncalls=1 0\n1 10\ncfn=g%smain\ncalls=1 0\n1 35\ncfn=x%sy\ncalls=1 0\n1 2\nfn=f%smain\n1 10\nfn=g%smain\n1 5\n" "$quote" "$quote" "$quote" "$quote" "$quote"
        printf "cfn=f%sg%smain\ncalls=1 0\n1 30\nfn=f%sg%smain\n1 23\ncfn=<T<%sa>>::h%sf%sg\ncalls=1 0\n1 7\nfn=<T<%sa>>::h%sf%sg\n1 7\n" "$quote" "$quote" "$quote" "$quote" "$quote" "$quote" "$quote" "$quote" "$quote" "$quote"
        printf "fn=x%sy\n1 2\n" "$quote"; } >in
    cg2wg -q --no-demangle --print=stacks --estimate in; sed "s/callgrind/other/" in >other; cg2wg -q --no-demangle --print=stacks --estimate other | head -n 2; rm in other' out="main 1
main;f 10
main;g 5
main;g;f 23
main;g;f;<T<'a>>::h 7
main;x'y 2
main 1
main;f'main 10"
# estimated TEXT: the estimated stacks of sums, of which `f 5` is a record and `> f 5` a call for that cost
estimated() {
    printf '%s\n' 'events: Ir' "$@" | sed 's/^> \(.*\) \(.*\)/cfn=\1\ncalls=1 1\n2 \2/;t;s/^\([a-z]*\) \(.*\)/fn=\1\n1 \2/' >in
    cg2wg -q --print=stacks --estimate in | sort | tr '\n' ','
    rm in
}
# f (5) calls itself, and g (3), which calls f: what recursion adds stays in f and g, which occur once.
run 'in a cycle, a function occurs once on a path' 0 'estimated "main 1" "> f 8" "f 5" "> f 20" "> g 9" "g 3" "> f 6"' \
    out='main 1,main;f 5,main;f;g 3,'
# g is entered for 2000 and f for 200, so calls of f by g count, and none of g by f: f's 300 are divided as 200 to 1200.
run 'a cycle begins where it is entered for most' 0 \
    'estimated "main 100" "> f 200" "> g 2000" "f 300" "> g 500" "g 700" "> f 1200"' \
    out='main 100,main;f 43,main;g 700,main;g;f 257,'
# From g, h is the more expensive way: so h's call of f counts (50 of f's 150), and not f's of h.
run '... and goes on along its most expensive calls' 0 \
    'estimated "main 5" "> g 1109" "g 10" "> f 100" "> h 1000" "f 60" "> h 50" "h 900" "> f 50" "> g 1"' \
    out='main 5,main;g 10,main;g;f 40,main;g;h 900,main;g;h;f 20,'
run 'in a cycle, a function without calls that count is a stack of its own' 0 \
    'estimated "main 1" "> g 20" "f 5" "> g 10" "g 7" "> h 0" "h 9" "> f 50"' out='f 5,h 9,main 1,main;g 7,'
# The sample main;r;f;g;r;f;h of 10, in which each call counts once: f calls for 20 and is called for 10.
run 'what samples count once is called in a cycle, not outside of all calls' 0 \
    'estimated "main 0" "> r 10" "r 0" "> f 10" "f 0" "> g 10" "> h 10" "g 0" "> r 10" "h 10"' out='main;r;f;h 10,'
run 'what a function costs outside of its calls is a stack' 0 'estimated "main 1" "> f 100" "f 130"' out='f 30,main 1,main;f 100,'
run '... unless that is less than 1/200 of them' 0 \
    'estimated "main 1" "> f 1000" "f 1004"; estimated "main 1" "> f 1000" "f 1006"' out='main 1,main;f 1004,f 6,main 1,main;f 1000,'
# Of f's 50, g has 7: for 20 and for 10, that is 2.8 and 1.4.
run 'parts of costs are rounded so that they add up' 0 \
    'estimated "a 1" "> f 20" "b 1" "> f 10" "c 1" "> f 20" "f 43" "> g 7" "g 7"' \
    out='a 1,a;f 17,a;f;g 3,b 1,b;f 9,b;f;g 1,c 1,c;f 17,c;f;g 3,'
run 'what a function has given back is no stack' 0 'estimated "main 10" "> f 1" "f -5"' out='main 10,'
# g and what it calls cost 10 - 3, of which main called 5; so g is called for 2 outside, and has 10 * 2/7 there.
run '... nor if it has called what gives back' 0 'estimated "main 1" "> g 5" "g 10" "> f -3" "f 2"' out='f 2,g 3,main 1,main;g 7,'
run 'a call that has given back is on no stack' 0 'estimated "main 1" "> f 5" "> g 1" "f 2" "g 1" "> f -3"' out='main 1,main;f 2,main;g 1,'
# Of each function there is one caller, so the estimate is the tree of the records. f gives back 60 for main, 30 for g, and 10 outside.
run 'an estimated tree has what was given back' 0 'in=$top/tests/combinations/inputs/negative.out
    sed "s/Memory_(bytes)/Net/" "$in" >in; tree() { cg2wg -q --print=tree --min=0 -e Net "$@" | sed 1,3d; }
    tree in >known; tree --estimate --records=sums in | diff known -; tree --estimate --records=sums in in | awk "{ print \$1 / 2, \$3 / 2, \$5 }"
    for style in stacks svg; do cg2wg --print=$style --estimate --records=sums -e Net in 2>&1 >out; done; cg2wg -q --print=html --records=sums in | grep ^.negative
    printf "%s\n" "events: Ir" fn=main "1 1" cfn=f calls=1 "2 -60" fn=g "1 1" cfn=f calls=1 "2 -30" fn=f "1 -100" >in; tree -e Ir --estimate in | awk "{ print \$1, \$3, \$5 }"; rm in out known' out='-50 150 {main}
400 200 A->f
-200 -200 php::free
cg2wg: in: warning: left out 2 stacks with negative costs, -250 in total, which readers of collapsed stacks reject
cg2wg: in: warning: left out 2 stacks with negative costs, -250 in total, which have no width
"negative_stacks":0,
"negative_stacks":2,
-10 -10 f
1 -29 g
-30 -30 f
1 -59 main
-60 -60 f'
run 'what a function itself has given back takes nothing from what it calls' 0 \
    'estimated "main 1" "> f 5" "> h 10" "f -5" "> g 10" "g 10" "h 10"' out='main 1,main;f;g 10,main;h 10,'
# f has 3, of which q called 2, that is 2/3 of each of its three; of 1/3, none is on a stack.
run 'what is rounded to nothing is no stack' 0 'printf "%s\n" "events: Ir" fn=p "1 1" cfn=f "calls=1 1" "2 1" fn=q "1 1" cfn=f "calls=1 1" "2 2" fn=f "1 0" cfn=a "calls=1 1" "2 1" cfn=b "calls=1 1" "3 1" \
    cfn=c "calls=1 1" "4 1" fn=a "1 1" fn=b "1 1" fn=c "1 1" >in; cg2wg -q --print=tree --estimate --min=0 in | sed 1,3d | awk "{ print \$1, \$3, \$5 }" | sort | tr "\n" ","; rm in' out='0 3 f,1 1 a,1 1 b,1 1 c,1 1 p,1 4 q,'
# Each of 40 functions costs 10 and calls f; of f's 16, that is 0.4, and none of g's 1.
run 'a function keeps its self cost, however small its parts are' 0 'awk "BEGIN { print \"events: Ir\"; for (i = 0; i < 40; i++) printf \"fn=p%d\n1 10\ncfn=f\ncalls=1 1\n2 %d\n\", i, i == 30 ? 41 : 40
            print \"fn=f\n1 16\ncfn=g\ncalls=1 1\n2 1\nfn=g\n3 1\" }" >in; cg2wg -q --print=stacks --estimate in | grep f; rm in
    for self in 9223372036854775807 9007199254740993; do
        estimated "f $self"; echo; estimated "f 0" "> g 4" "e 0" "> g 3" "d 0" "> g 3" "g $self" | tr "," "\n" | { sum=0; while read -r stack cost; do sum=$((sum + cost)); done; echo $sum; }
    done' out='p30;f 16
p30;f;g 1
f 9223372036854775807,
9223372036854775807
f 9007199254740993,
9007199254740993'
# 100 functions call 1,001 each, which cost 1 to 100,100 in some order; of all 100,201, the 201 of least cost are left out:
# those from 1 to 201, which add up to 20,301. Without calls, main and the 100 cost 1 each, so 1 (102 times) to 100 are.
run 'the largest stacks are there, however many may be next' 0 'awk "BEGIN { m = 100; k = 1001; n = m * k; print \"events: Ir\"; print \"fn=main\n1 1\"
            for (p = 1; p <= m; p++) { sum[p] = 1; for (i = p; i <= n; i += m) sum[p] += i * 7919 % n + 1; printf \"cfn=p%d\ncalls=1 1\n2 %d\n\", p, sum[p] }
            for (p = 1; p <= m; p++) { printf \"fn=p%d\n1 1\n\", p; for (i = p; i <= n; i += m) printf \"cfn=c%d\ncalls=1 1\n2 %d\n\", i, i * 7919 % n + 1 }
            for (i = 1; i <= n; i++) printf \"fn=c%d\n1 %d\n\", i, i * 7919 % n + 1 }" >in
    cg2wg -q --print=stacks --estimate in >out; awk "/deeper/ { sum += \$NF } END { print sum }" out; awk "/;c/ { print \$NF }" out | sort -n | sed -n "1p;\$="
    sed "/^cfn/,/^2/d" in | cg2wg -q --print=stacks --estimate - | grep deeper; rm in out' out='20301
202
99899
\[deeper\] 5151'
# 100,100 functions cost 1, 2, 3 ... in some order. With main, 100,000 of these contexts leave out 101, which cost 5151.
run 'the largest stacks are there' 0 'awk "BEGIN { n = 100100; print \"events: Ir\nfn=main\n1 1\"; for (i = 1; i <= n; i++) printf \"cfn=c%d\ncalls=1 1\n2 %d\n\", i, i * 7919 % n + 1
            for (i = 1; i <= n; i++) printf \"fn=c%d\n1 %d\n\", i, i * 7919 % n + 1 }" >in
    cg2wg -q --print=stacks --estimate in >out; grep -v ";c" out; awk "/;c/ { print \$NF }" out | sort -n | sed -n "1p;\$="
    sed "/^cfn/,/^2/d;s/^fn=main/fn=d/" in | cg2wg -q --print=stacks --estimate - | grep deeper
    for style in stacks tree svg pprof; do cg2wg --print=$style --estimate in 2>&1 >out | grep -c "than 100000 stacks; the costs of smaller ones are .deeper"; done
    cg2wg -q --print=html in | grep deeper.:; rm in out' out='main 1
main;\[deeper\] 5151
102
99999
\[deeper\] 5051
1
1
1
1
"deeper":1,'
run 'estimated stacks add up to the self cost of each function' 0 'for file in "$top"/testdata/valgrind/[!c]*.out; do
        cg2wg -q --no-demangle --print=stacks --inclusive=outermost --estimate "$file" | sed "s/.*;//;s/\(.*\) /\1\t/" |
            awk -F "\t" "{ sum[\$1] += \$2 } END { for (name in sum) printf \"%s\t%.0f\n\", name, sum[name] }" | sort >estimated
        cg2wg -q --no-demangle --print=csv "$file" | tr -d "\r" | sed "1d;s/^\"//;s/\",\".*\",\([0-9]*\),[0-9.]*,[-0-9]*,[-0-9.]*,[-0-9]*$/\t\1/" |
            awk -F "\t" "{ sum[\$1] += \$2 } END { for (name in sum) if (sum[name] > 0) printf \"%s\t%.0f\n\", name, sum[name] }" | sort | cmp - estimated
        wc -l <estimated
    done | awk "{ sum += \$1 } END { print NR, (sum > 700) }"; rm estimated' out='19 1'
run 'estimated stacks add up to the self costs' 0 'for file in "$top"/testdata/valgrind/*.out "$top"/testdata/other/*.out; do
        cg2wg -q --print=stacks --estimate "$file" | awk -v file="$file" "{ sum += \$NF } END { printf \"%.0f %s\n\", sum, file }" >>estimated
        cg2wg -q --print=json "$file" | sed -n "s/^ *\"self\": \([0-9]*\),.*/\1/p" | awk -v file="$file" "{ sum += \$1 } END { printf \"%.0f %s\n\", sum, file }" >>sums
    done; cmp estimated sums; wc -l <sums | awk "{ print (\$1 > 25) }"; rm estimated sums' out=1
# Stacks of Xdebug are known. Their costs that the estimate of the same profile's sums has at the same stacks:
run 'estimates are near to what is known' 0 'for file in pages orders prices; do
        cg2wg -q --print=callgrind "$top/testdata/xdebug/3.2-$file.out" >sums
        cg2wg -q --print=stacks --estimate sums >estimated; cg2wg -q --print=stacks "$top/testdata/xdebug/3.2-$file.out" |
            awk "{ cost = \$NF; sub(/ [0-9]*\$/, \"\") } NR == FNR { known[\$0] = cost; all += cost; next }
                 { same += cost < known[\$0] ? cost : known[\$0] } END { print (same > 0.93 * all) }" - estimated
    done; rm sums estimated' out='1
1
1'
# A chain of 15,000 functions, one that calls 100,000 others from 300 places, and a cycle of 2,000 that all call each other.
run 'estimates of large graphs take little time' 0 '{ echo "events: Ir"; awk "BEGIN { for (i = 1; i < 15000; i++) printf \"fn=f%d\n1 1\ncfn=f%d\ncalls=1 1\n2 %d\n\", i, i + 1, 15000 - i }"; } >deep
    awk "BEGIN { print \"events: Ir\"; for (i = 1; i <= 300; i++) printf \"fn=a%d\n1 1\ncfn=w\ncalls=1 1\n2 1000\n\", i
                 print \"fn=w\n1 1\"; for (i = 1; i <= 100000; i++) printf \"cfn=c%d\ncalls=1 1\n2 3\n\", i; for (i = 1; i <= 100000; i++) printf \"fn=c%d\n1 3\n\", i }" >wide
    awk "BEGIN { print \"events: Ir\"; for (i = 1; i <= 500; i++) { printf \"fn=a%d\n1 1\n\", i; for (k = 1; k <= 500; k++) printf \"cfn=a%d\ncalls=1 1\n2 9\n\", k } }" >cyclic
    for kind in deep wide cyclic; do (ulimit -t 20; cg2wg -q --print=stacks --estimate $kind) | awk "{ sum += \$NF } END { print sum }"; done; rm deep wide cyclic' out='14999
300301
500'

# ---- a tree, and a picture

run 'a tree has the largest first, down to a share or a depth' 0 'cg2wg --print=tree --estimate --min=0 "$given/diamond" | sed 1,2d | tr -s " " " "
    for options in --min=30 --depth=2 --top=1; do cg2wg --print=tree --estimate $options "$given/diamond" | sed 1,3d | awk "{ print \$5 }" | tr "\n" " "; done' out=' self % inclusive % stack
 2 4.76 42 100.00 main
 10 23.81 30 71.43 a
 12 28.57 20 47.62 c
 8 19.05 8 19.05 d
 5 11.90 10 23.81 b
 3 7.14 5 11.90 c
 2 4.76 2 4.76 d
main a c main a b main '
for style in tree svg; do
    for option in --only=a --hide=a --sort=name; do
        run "a $style does not take $option" 2 "cg2wg --print=$style --estimate $option \"\$given/diamond\"" \
            err="cg2wg: --* cannot be used with --print=$style, only with *"
    done
done
run 'a picture does not take --top' 2 'cg2wg --print=svg --estimate --top=1 "$given/diamond"' \
    err='cg2wg: --top cannot be used with --print=svg, only with *'
run 'rows of a tree are below those that call them' 0 'cg2wg --print=tree --estimate --min=0 "$given/diamond" | sed -n "s/.*[0-9]\.[0-9]*  \( *\)\([a-z]\)/\1\2/p" | tr " " .' out='main
..a
....c
......d
..b
....c
......d'
# In the profile: `fn=(12) php::range`, `10 12 135224`
run 'a tree of memory has the costs of its stacks' 0 'cg2wg -q --print=tree --event=Memory "$top/testdata/xdebug/2.6-files.out" |
    grep "stack\$\|php::range" | tr -s " "' out=' self % inclusive % stack
 135224 97.76 135224 97.76 php::range'

# ---- calls in their order

# {main} calls b, which calls a twice, and a.
printf 'creator: xdebug 3.2.0\nevents: Time Memory\nsummary: 67 0\nfl=/t.php\nfn=a\n1 1 7\nfn=a\n1 2 7\nfn=b\n2 4 7\ncfn=a\ncalls=1 0 0\n3 1 7\ncfn=a\ncalls=1 0 0\n3 2 7\nfn=a\n1 20 7\nfn={main}\n1 40 7\ncfn=b\ncalls=1 0 0\n3 7 7\ncfn=a\ncalls=1 0 0\n4 20 7\n' >"$given/ordered"
run 'calls are in their order, also where a function is called again' 0 'cg2wg -q --print=tree --sort=time --min=0 --raw "$given/ordered" |
    sed 1,3d | awk "{ sub(/^ */, \"\"); print }" | tr -s " " " " | cut -d " " -f 1,3,5
    cg2wg -q --print=tree --sort=time --depth=2 "$given/ordered" | awk "NR > 3 { print \$NF }" | tr "\n" " "' out='40 67 {main}
4 7 b
1 1 a
2 2 a
20 20 a
{main} b a '
# The call of f costs more than f did itself: 40 + 20 + 4 + 3 + 3 are 70, of 67 in functions.
run 'all calls are 100 % of the time that they take, which may be more than all self costs' 0 'sed "s/^3 7 7/3 10 7/" "$given/ordered" |
    cg2wg -q --print=tree --sort=time --min=0 - | awk "NR > 3 { print \$2, \$3, \$4, \$5 }" | sed -n "1p;2p;5p"' out='57.14 70 100.00 {main}
10.00 10 14.29 b
28.57 20 28.57 a'
run 'runs of a file follow each other' 0 '{ sed "s/fn=a/fn=x/" "$given/ordered"; echo; cat "$given/ordered"; } >two
    cg2wg -q --print=tree --sort=time --min=0 two | awk "NR > 3 { print \$NF }" | tr "\n" " "; rm two' out='{main} b x x x {main} b a a a '
# By hand: Xdebug would write the record of f before that of {main}, as in the second file.
run 'a call before the record of its callee is reported' 0 'printf "creator: xdebug 3\nevents: Time\nfl=x\n\n" >in; cp in right; printf "fn=f\n2 4\n\n" >f; printf "fn={main}\n1 2\ncfn=f\ncalls=1 0\n3 4\n\n" >main
    cat main f >>in; cat f main >>right; for input in right in; do for i in --print=tree "--print=tree --sort=time" --print=html "--group=call --function=f" --print=json "-e all --print=csv"; do cg2wg --summary=computed $i $input 2>&1 >/dev/null | cut -d : -f 2-; done; done | sort | uniq -c
    cg2wg --summary=computed --records=sums --print=csv in | cut -d , -f 1,7 | tail -n 1; rm in right f main' out='      6  in: warning: f is called before its first record, but invocations are recorded when they return: stacks, and the costs and the order of calls, are wrong, unless records are sums
"{main}",6'
run 'calls of less than a share that follow each other are one row' 0 'cg2wg -q --print=tree --sort=time --min=5 "$given/ordered" |
    awk "NR > 3 { print \$3, \$5, \$6 \$7 }"' out='67 {main} 
7 b 
3 (2 shortcalls)
20 a '
# At most 20,000 calls are kept by themselves: of 30,000, those of 1 are together.
run 'a long profile has its longest calls, and how many others there are between them' 0 'awk "BEGIN { print \"creator: xdebug 3.2.0\nevents: Time\nfl=/t.php\"
        for (i = 1; i <= 30000; i++) printf \"fn=%s\n1 %d\n\", i == 10001 ? \"long\" : \"f\", i == 10001 ? 500 : 1
        print \"fn={main}\n1 1\"
        for (i = 1; i <= 30000; i++) printf \"cfn=%s\ncalls=1 0 0\n1 %d\n\", i == 10001 ? \"long\" : \"f\", i == 10001 ? 500 : 1 }" >in
    cg2wg -q --print=tree --sort=time --min=0 in | awk "NR > 3 { print \$3, \$5, \$6 }"
    cg2wg -q --print=html in | tr "\n" " " | sed "s/.*\"time\":.\([^]]*\).*/\1/"; echo; rm in' out='30500 {main} 
10000 (10000 short
500 long 
19999 (19999 short
-1,2,0,30500,0,-10000,0,10000,0,1,10000,500,0,-19999,10500,19999'
# Of 15,000 calls of g, which cost 2 to 30,000, each calls f for half of that: 10,905 + 6,809 cost at least 8,192, and
# 12,953 + 10,905 at least 4,096. So calls that were kept become short while others are read.
run 'calls stay below those that made them when others become too short' 0 'awk "BEGIN { print \"creator: xdebug 3.2.0\nevents: Time\nfl=/t.php\"
        for (i = 1; i <= 15000; i++) printf \"fn=f\n1 %d\nfn=g\n1 %d\ncfn=f\ncalls=1 0 0\n1 %d\n\", i, i, i
        print \"fn={main}\n1 1\"
        for (i = 1; i <= 15000; i++) printf \"cfn=g\ncalls=1 0 0\n1 %d\n\", 2 * i }" >in
    cg2wg -q --print=tree --sort=time --min=0 in | awk "NR > 3 { count[\$NF == \"f\" && \$3 * 2 != last ? \"f elsewhere\" : \$NF]++; last = \$3 } END { print count[\"g\"], count[\"f\"], count[\"f elsewhere\"] + 0 }"; rm in' out='10905 6809 0'
# A sample lasts from the one before, the first one as long as most.
samples() {
    for sample in 000000:f 001000:g 002000:f 003000:f; do
        printf '%s 1.%s%s: 500 cpu-clock: \n\t1 %s (/x)\n\t2 main (/x)\n\n' "$1" "${sample%:*}" "${2-}" "${sample#*:}"
    done
}
run 'samples that perf script prints are in the order of their times' 0 'for digits in "" 000; do
        samples "app 7" $digits >in; cg2wg -q --print=tree --sort=time in | awk "NR > 3 { print \$3, \$5, \$6, \$7 }"; done
    samples 7 >in; cg2wg -q --print=tree --sort=time in | awk "NR == 4 { print \$3, \$5, \$6 }"; rm in' out='4000000 app, thread 7
4000000 main  
1000000 f  
1000000 g  
2000000 f  
4000000 app, thread 7
4000000 main  
1000000 f  
1000000 g  
2000000 f  
4000000 thread 7'
# A program that a shell has started is named so from its exec on.
run 'a thread has the last name that it gave itself' 0 'samples "sh 7" | sed "5,\$s/^sh/app/" >in; grep -c "^sh" in
    for i in "--print=tree --sort=time" --group=thread; do cg2wg -q $i in | grep -o "[a-z]*, thread 7"; done; rm in' out='1
app, thread 7
app, thread 7'
run 'without threads, their order is not known' 1 'samples app | cg2wg --print=tree --sort=time -' err='cg2wg: *the order of calls is not known; *'
for options in "$top/testdata/valgrind/default.out" '--event=Memory "$given/ordered"' '"$given/ordered" "$given/ordered"'; do
    run "the order of calls is not known of $options" 1 "cg2wg -q --print=tree --sort=time $options" \
        err='cg2wg: *the order of calls is not known; it is in one profile of time by Xdebug or one recording by perf'
done
run 'an order of calls is one of a tree of functions' 2 'for options in "" =json "=tree --group=class"; do
        cg2wg --print$options --sort=time "$given/ordered" 2>&1 | sed "/try/d; s/, only.*//; s/; .*//"; done; cg2wg --print=tree --sort=self in >&2' out='cg2wg: --sort=time cannot be used with --print=table
cg2wg: --sort=time cannot be used with --print=json
cg2wg: --sort=time cannot be used with --group' err='cg2wg: --sort cannot be used with --print=tree, only with *'
if have python3; then
    cat >"$given/frames.py" <<'SCRIPT'
import sys, xml.dom.minidom
picture = xml.dom.minidom.parse(sys.argv[1])
frames = [(float(r.getAttribute('y')), float(r.getAttribute('x')), float(r.getAttribute('width')))
          for r in picture.getElementsByTagName('rect')[1:]]
top = min(y for y, _, _ in frames)
print(len(frames) > 5, abs(sum(w for y, _, w in frames if y == top) - 1200) < 0.1,
      all(y == top or any(abs(y - 18 - v) < 0.1 and u <= x + 0.02 and x + w <= u + z + 0.03 for v, u, z in frames) for y, x, w in frames),
      sorted({e.tagName for e in picture.getElementsByTagName('*')}))
SCRIPT
    run 'a picture has each frame below the one that calls it' 0 'cg2wg -o x.svg "$top/testdata/xdebug/3.2-events.out"; cg2wg -o y.svg --estimate "$top/testdata/valgrind/default.out"
        for file in x.svg y.svg; do python3 "$given/frames.py" $file; done; rm x.svg y.svg' out="True True True \['g', 'rect', 'svg', 'text', 'title']
True True True \['g', 'rect', 'svg', 'text', 'title']"
else
    skip 'a picture has each frame below the one that calls it' 'no python3'
fi
run 'names in a picture are text' 0 'printf "creator: xdebug 3\nevents: Time\n\nfl=a\nfn=<script>\"&\n1 5\n\nsummary: 5\n" >in; cg2wg --print=svg in | grep -c "<title>&lt;script&gt;&quot;&amp;: 100.00 %, 5.00 µs</title>"; rm in' out=1
run 'what people look at estimates the stacks of sums, and says so' 0 'for style in tree svg; do
        cg2wg --print=$style "$given/diamond" >own; cg2wg --print=$style --estimate "$given/diamond" | cmp - own; grep -c "estimated stacks" own
        cg2wg --print=$style profile | grep -c estimated; done; rm own' out='1
0
1
0'
run 'what programs read does not, and names the option' 1 'cg2wg -o x.pb "$given/diamond"; rm x.pb; cg2wg -q -o x.pb "$given/diamond"; rm x.pb
    cg2wg -o x.pb --estimate "$given/diamond"; cg2wg -o y.pb profile; rm x.pb y.pb; cg2wg -o x.folded "$given/diamond"' \
    err='cg2wg: *diamond: this profile has no call stacks, so that *cum is flat; --estimate estimates them
cg2wg: *diamond: this profile has no call stacks; use *; --estimate estimates them'
# Samples of a recording without -g have no callers, and cachegrind's lines are of no calls.
printf 'app 7 1.5: 100 cycles:u: \n\t1 f (/bin/app)\n\napp 7 1.6: 50 cycles:u: 2 g (/bin/app)\n' >"$given/flat.script"
sed '/^calls=/,/^[0-9]/d; /^cf[ni]=/d' "$given/diamond" >"$given/flat.sums"
for kind in script sums; do
    run "what has no calls says why: $kind" 0 "cg2wg -q --function=* '$given/flat.$kind' | grep '^no c' | sort -u
        cg2wg --print=html '$given/flat.$kind' 2>&1 | sed -n 's/-.u002d/--/; /^.no_calls/p'; for style in tree svg 'stacks --estimate'; do cg2wg --print=\$style '$given/flat.$kind' 2>&1 >/dev/null | grep -v total; done" \
        out="$([ $kind = script ] && reason='recorded without call chains; perf record -g has them' || reason='the profile has no calls; cachegrind records none, and valgrind --tool=callgrind does'
        printf 'no callees: %s\nno callers: %s\n"no_calls":"%s",' "$reason" "$reason" "$reason"
        for i in 1 2 3; do printf '\ncg2wg: %s: warning: no stack has more than one function: %s' "$given/flat.$kind" "$reason"; done)"
done

# One call within another, more than are drawn: the deepest frame is what is deeper.
run 'a picture has as many rows as are drawn' 0 'awk "BEGIN { print \"creator: xdebug 3.2\nevents: Time_(10ns)\"
        for (i = 1030; i > 0; i--) { print \"\nfl=a\nfn=f\" i \"\n1 1\"
            if (i < 1030) print \"cfl=a\ncfn=f\" (i + 1) \"\ncalls=1 0 0\n1 \" 1030 - i } }" >in
    cg2wg -q --print=svg in | grep -c "^<g>"; rm in' out=1030

if have go; then
    run 'go tool pprof has inclusive costs of estimated stacks' 0 \
        'cg2wg --print=pprof --estimate "$given/diamond" >p.pb; HOME=$PWD go tool pprof -top p.pb 2>/dev/null | awk "\$1 ~ /^[0-9]+\$/ { print \$1, \$4, \$6 }" | sort -k 3
         rm -rf p.pb pprof' out='10 30 a
5 10 b
15 25 c
10 10 d
2 42 main' files=profile
    run 'go tool pprof opens what --print=pprof prints' 0 \
        'cg2wg --print=pprof profile >p.pb; HOME=$PWD go tool pprof -top p.pb 2>/dev/null | awk "\$1 ~ /ns$/ { print \$1, \$4, \$6 }"
         rm -rf p.pb pprof' out='200ns 350ns {main}
100ns 150ns f
50ns 50ns php::strlen' files=profile
else
    for name in 'go tool pprof has inclusive costs of estimated stacks' 'go tool pprof opens what --print=pprof prints'; do
        skip "$name" 'no go'
    done
fi

finish
