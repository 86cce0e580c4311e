#!/bin/sh
# SPDX-License-Identifier: MIT
# groups.sh PROGRAM: --group, and sums of the rows that are chosen.
. "$(dirname "$0")/suite.inc"

# rows OPTION...: the rows of the table, and what follows them, without its head
rows() {
    cg2wg -q --print "$@" | sed '1,/^$/d' | tr -s ' '
}

# ---- names

# Each function costs 1; a class has as many as there are functions with it.
names() {
    printf 'events: Ir\n'
    while IFS='|' read -r class name; do
        printf 'fn=%s\n1 1\n' "$name"
        printf '%s\n' "$class" >>classes
    done
}
cat >"$given/names" <<'NAMES'
std::vector<a::b>|std::vector<a::b>::push_back(c::d&&)
std::vector<a::b>|std::vector<a::b>::~vector()
a::b<int, x::y>(int)|void a::b<int, x::y>(int)::operator()(int) const
a|a::operator->() const
std|std::ostream& std::operator<< <std::char_traits<char> >(int)
(anonymous namespace)|(anonymous namespace)::f(int)
shop::Ptr<a::b>|shop::Ptr<a::b>::operator bool() const
A|non-virtual thunk to A::f()
core::fmt|core::fmt::write
<fn(u8) -> u8 as core::ops::FnOnce>|<fn(u8) -> u8 as core::ops::FnOnce>::call_once
core::ptr|core::ptr::drop_in_place<alloc::vec::Vec<u8>>
a::b|a::b::{{closure}}
<T as core::fmt::Display>|<T as core::fmt::Display>::fmt
a::{closure#0}|a::{closure#0}::call
Composer\Autoload\ClassLoader|Composer\Autoload\ClassLoader->loadClass
Shop\Util|Shop\Util\{closure:/srv/a.b/c.php:12-12}
Shop\Cart|Shop\Cart->Shop\{closure:/srv/a.b/c.php:12-14}
Shop\Cart|Shop\Cart::Shop\{closure:/srv/a.b/c.php:16-18}
Shop\Cart|Shop\Cart->{closure:Shop\Cart::total():12}
class@anonymous/srv/a.php:3$0|class@anonymous/srv/a.php:3$0->run
PHP itself|php::str_replace
included files (require_once)|require_once::/srv/a.php
functions|{main}
functions|main
functions|msort_with_tmp.part.0
functions|f.cold
functions|f.localalias
functions|counter.1234
a::operators|a::operators::f
a::my_operator|a::my_operator::f
a|a::f.constprop.0.isra.1
net/http.(*conn)|net/http.(*conn).serve
main|main.Map[go.shape.int]
Shop::Cart|Shop::Cart#total
Item|Item.value /srv/shop.d/shop.py:6
functions|fib /srv/my shop.d/shop.py:14
app.cli|run app.cli:729
functions|<method 'append' of 'list' objects>
java.lang.String|java.lang.String.length
OpenTK.Vector3|OpenTK.Vector3.Dot(float32)
OpenTK.Vector3|OpenTK.Vector3..ctor(float32,float32)
functions|fib'2
a|a::f'2
functions|f'std::sort
functions|0x0000000000401136
functions|(below main)
functions|.plt
functions|/srv/shop/ex.php
functions|/srv/shop/ex.php(4)_:_eval()'d_code
NAMES
run 'the class of a function is a part of its name' 0 'names <"$given/names" >in; cg2wg -q --no-demangle --group=class --print=csv in | tr -d "\r" |
    sed -n "s/^\"\([^\"]*\)\".*,\([0-9]*\),[0-9.]*,[0-9]*,[0-9.]*,[0-9]*\$/\2 \1/p; s/^\"\([^\"]*\)\",\"\",0,\"\",\([0-9]*\),.*/\2 \1/p" | sort -u >ours
    sort classes | uniq -c | sed "s/^ *//" | sort -u >theirs; diff ours theirs; wc -l <theirs; rm in classes ours theirs' out='29'

# ---- sums

# As in view.sh: self costs 60, 25, 10 and 5 of 100. libc.so is called three times, from both other files.
cat >"$given/sums" <<'PROFILE'
creator: callgrind-3.19.0
events: Ir Dr
summary: 100 10
ob=/bin/app
fl=app.c
fn=main
1 60 6
cob=/bin/app
cfi=lib/b.c
cfn=beta
calls=1 5
2 30 3
cob=/lib/libc.so
cfi=str.c
cfn=strlen
calls=1 9
3 10 1
fl=lib/b.c
fn=beta
5 25 2
cob=/lib/libc.so
cfi=mem.c
cfn=free
calls=2 7
6 5 1
ob=/lib/libc.so
fl=str.c
fn=strlen
9 10 1
fl=mem.c
fn=free
7 5 1
PROFILE
run 'objects: self costs, and calls into them' 0 'rows --group=object "$given/sums"' out=' self % inclusive % calls object
 85 85.00 100 100.00 1 /bin/app
 15 15.00 15 15.00 3 /lib/libc.so'
run 'files' 0 'rows --group=file --sort=name "$given/sums"' out=' self % inclusive % calls file
 60 60.00 100 100.00 1 app.c
 25 25.00 30 30.00 1 lib/b.c
 5 5.00 5 5.00 2 mem.c
 10 10.00 10 10.00 1 str.c'
# /x/y has what is in its files, not what is below it; a path of Windows is one, too.
run 'folders' 0 'printf "events: Ir\n" >in
    for i in /x/y/a.c:1 /x/y/b.c:2 /x/y/z/c.c:4 d.c:8 /e.c:16 "C:\\w\\f.c:32" lib/g.c:64; do printf "fl=%s\nfn=f%s\n1 %s\n" "${i%:*}" "${i##*:}" "${i##*:}"; done >>in
    rows --group=folder in | cut -d " " -f 2,7-; rm in' out='self folder
64 lib
32 C:\\w
16 /
8 no folder
4 /x/y/z
3 /x/y'
run 'lines are rows, as in their table' 0 'for f in "" --function=beta --base="$given/sums"; do
        cg2wg --print=lines $f "$given/sums" >a; cg2wg --group=line $f "$given/sums" | diff a -; done; rm a
    rows --group=line "$given/sums" | tail -n 4
    cg2wg --group=line --print=csv "$given/sums" | tr -d "\r" | sed 1,2d
    cg2wg --group=line --print=json --top=2 "$given/sums" | tr -d " \n" | grep -o "\"group\":[^,]*\|\"functions\":.*"' out=' 5 5.00 0 mem.c:7 free
 0 0.00 30 app.c:2 main
 0 0.00 10 app.c:3 main
 0 0.00 5 lib/b.c:6 beta
"beta","lib/b.c",5,"/bin/app",25,25.00,0
"strlen","str.c",9,"/lib/libc.so",10,10.00,0
"free","mem.c",7,"/lib/libc.so",5,5.00,0
"main","app.c",2,"/bin/app",0,0.00,30
"main","app.c",3,"/bin/app",0,0.00,10
"beta","lib/b.c",6,"/bin/app",0,0.00,5
"group":"line"
"functions":5,"cost":15,"percent":15.00},"functions":\[{"number":0,"name":"main","file":"app.c","line":1,"object":"/bin/app","self":60,"calls":0},{"number":3,"name":"beta","file":"lib/b.c","line":5,"object":"/bin/app","self":25,"calls":0}\],"other_functions":\[\]}'
run 'lines are no groups of stacks' 2 'cg2wg --group=line --print=stacks "$given/sums"' err='*--print=stacks shows groups of functions*'
run 'groups of several events' 0 'rows --group=object -e all "$given/sums" | tail -n 2' \
    out=' 85 85.00 8 80.00 1 /bin/app
 15 15.00 2 20.00 3 /lib/libc.so'
run 'groups of sums, twice the same input' 0 'rows --group=object "$given/sums" "$given/sums" | tail -n 2' \
    out=' 170 85.00 200 100.00 2 /bin/app
 30 15.00 30 15.00 6 /lib/libc.so'
run 'groups are chosen by their names, and added up' 0 'rows --group=file --only=lib --only=str "$given/sums" | tail -n 4
    rows --group=file --min=11 --top=1 "$given/sums" | tail -n 2' out=' 25 25.00 30 30.00 1 lib/b.c
 10 10.00 10 10.00 1 str.c
2 of 4: self costs of 35, 35.00 %
... and 2 more, with 65.00 % of the total
2 of 4: self costs of 85, 85.00 %
... and 3 more, with 40.00 % of the total'
run 'groups as JSON and CSV' 0 'cg2wg --group=object --print=json --only=libc "$given/sums" | tr -d " \n" | grep -o "\"group\":[^,]*\|\"matching.*"
    cg2wg --group=object --print=csv "$given/sums" | tail -n 1 | tr -d "\r"' \
    out='"group":"object"
"matching":{"functions":1,"cost":15,"percent":15.00},"left_out":{"functions":1,"cost":85,"percent":85.00},"functions":\[{"number":1,"name":"/lib/libc.so","file":"","line":0,"self":15,"inclusive":15,"invocations":3,"called_from":\[{"function":0,"line":0,"count":3,"cost":15}],"sub_calls":\[\]}],"other_functions":\[{"number":0,"name":"/bin/app","file":"","line":0}]}
"/lib/libc.so","",0,"",15,15.00,15,15.00,3'
run 'groups of several events as CSV' 0 'cg2wg --group=object --print=csv -e all "$given/sums" | tr -d "\r"' \
    out='name,file,line,object,"Ir","Ir %","Ir inclusive","Ir inclusive %","Dr","Dr %","Dr inclusive","Dr inclusive %",calls
"/bin/app","",0,"",85,85.00,100,100.00,8,80.00,10,100.00,1
"/lib/libc.so","",0,"",15,15.00,15,15.00,2,20.00,2,20.00,3'
run 'callers and callees of a group' 0 'rows --group=object --function=app "$given/sums" | sed -n "/callee/,\$p"' out=' cost % calls share line callee
 15 15.00 3 15.00 - /lib/libc.so'
run 'differences of groups' 0 'sed "s/^7 5 1/7 9 1/;s/^6 5 1/6 9 1/;s/^2 30/2 34/;s/: 100/: 104/" "$given/sums" >new
    cg2wg --print=json --group=object --base="$given/sums" new | tr -d " \n" | grep -o "\"/lib[^}]*}[^}]*}"; rm new' \
    out='"/lib/libc.so",*"base":{"self":15,"inclusive":15,"invocations":3},"now":{"self":19,"inclusive":19,"invocations":3}'
run 'a preprocessed file of version 4 has groups' 0 'cg2wg -f 4 "$top/testdata/xdebug/3.2-events.out" v4; rows --group=class v4 | cut -d " " -f 2-3,6- >a
    rows --group=class "$top/testdata/xdebug/3.2-events.out" | cut -d " " -f 2-3,6- | diff - a; wc -l <a; rm v4 a' out=5

# main calls libc's qsort, which calls back compare, which calls libc's strcmp. Selfs are 10, 20, 30 and 40. Invocations
# of app are the 5 calls of compare, and main, which nobody called.
run 'calls back: of sums, an upper bound' 0 'printf "events: Ir\nob=app\nfn=main\n1 10\ncob=libc\ncfn=qsort\ncalls=1 0\n1 90\nfn=compare\n1 30\ncob=libc\ncfn=strcmp\ncalls=5 0\n1 40\nob=libc\nfn=qsort\n1 20\ncob=app\ncfn=compare\ncalls=5 0\n1 70\nfn=strcmp\n1 40\n" >in
    rows --group=object in; rows --group=object --inclusive=sum in | tail -n 2; rm in' out=' self % inclusive % calls object
 60 60.00 100 100.00 6 libc
 40 40.00 100 100.00 6 app
 60 60.00 130 130.00 6 libc
 40 40.00 170 170.00 6 app'
run 'calls back: of invocations, what libc costs with all below' 0 'printf "version: 1\ncreator: xdebug 3.0\nevents: Time\n\nfl=c\nfn=libc::strcmp\n1 40\n\nfl=a\nfn=app::compare\n1 30\ncfl=c\ncfn=libc::strcmp\ncalls=1 0\n1 40\n\nfl=c\nfn=libc::qsort\n1 20\ncfl=a\ncfn=app::compare\ncalls=1 0\n1 70\n\nfl=a\nfn=app::main\n1 10\ncfl=c\ncfn=libc::qsort\ncalls=1 0\n1 90\n\nsummary: 100\n" >in
    rows --raw --group=class in; cg2wg --group=class --print=stacks in; rm in' out=' self % inclusive % calls class
 60 60.00 90 90.00 1 libc
 40 40.00 100 100.00 1 app
app 10
app;libc 20
app;libc;app 30
app;libc;app;libc 40'

# ---- runs, threads, processes

# Run 1: main costs 10 and calls f, which costs 30, twice. Run 2: main alone, with 5. No record is in the third run.
printf 'version: 1\ncreator: xdebug 3.2.0\nevents: Time\n\nfl=/a\nfn=f\n2 10\n\nfl=/a\nfn=f\n2 20\n\nfl=/a\nfn={main}\n1 10\ncfl=/a\ncfn=f\ncalls=1 0 0\n3 10\ncfl=/a\ncfn=f\ncalls=1 0 0\n3 20\n\nsummary: 40\n' >"$given/first"
printf 'version: 1\ncreator: xdebug 3.2.0\nevents: Time\n\nfl=/a\nfn={main}\n1 5\n\nsummary: 5\n' >"$given/second"
separator='==== NEW PROFILING FILE ===='
{ cat "$given/first"; echo "$separator"; cat "$given/second"; printf '%s\nversion: 1\n' "$separator"; } >"$given/appended"
run 'a row for each run that Xdebug appended, also for one without a record' 0 'cd "$given"; rows --raw --group=run appended' out=' cost % calls run
 40 88.89 3 appended, run 1 (f)
 5 11.11 1 appended, run 2 ({main})
 0 0.00 - appended, run 3'
run 'a row for each input, and what a function costs in it' 0 'cd "$given"; rows --raw --group=run first second | tail -n 2
    rows --raw --group=run --function=main first second; rows --raw --group=run --function=f --only=first appended first | tail -n 2' \
    out=' 40 88.89 3 first (f)
 5 11.11 1 second ({main})
 self % inclusive % calls run
 10 22.22 40 88.89 1 first
 5 11.11 5 11.11 1 second
1 of 4: self costs of 30, 35.29 %
... and 3 more, with 35.29 % of the total'
run 'runs as CSV and JSON' 0 'cd "$given"; cg2wg --group=run --print=csv first second | tr -d "\r"
    cg2wg --group=run --print=json second | tr -d "\n " | grep -o "\"group.*event\":\|\"functions\":\[.*"' out='name,function,line,object,cost,cost %,calls
"first","f",0,"",40,88.89,3
"second","{main}",0,"",5,11.11,1
"group":"run","event":
"functions":\[{"number":0,"name":"second","function":"{main}","self":5,"invocations":1}\],"other_functions":\[\]}'
run 'what was merged has the totals of its runs' 0 'cg2wg -q -o merged "$given/first" "$given/second"; rows --raw --group=run merged
    rows --raw --group=run --function=f merged; rm merged' out=' cost % calls run
 40 88.89 - merged, run 1
 5 11.11 - merged, run 2
 self % inclusive % calls run
 30 66.67 30 66.67 2 merged'
run 'runs in other units have one' 0 'sed "s/events: Time/events: Time_(10ns)/" "$given/second" >ns; rows --raw --group=run "$given/first" ns | tail -n 2 | cut -d " " -f 2
    { cat "$given/first"; echo "$separator"; cat ns; } >in; rows --raw --group=run in | tail -n 2 | cut -d " " -f 2; rm ns in' out='4000
5
4000
5'
run 'no function, in any run' 1 'cg2wg --group=run --function=none "$given/first"' err='*no function matches none*'
if have python3; then
    run 'runs are what was written' 0 'mkdir runs; python3 "$top/tests/cli/parts.py" "$program" runs; rm -r runs' out=258
else
    skip 'runs are what was written' 'no python3'
fi

# Process 7: thread 1 has parts that cost 8 + 2 and 5; thread 2 costs 30, 20 of them in g. Process 8 costs 4.
cat >"$given/threads" <<'PROFILE'
version: 1
creator: callgrind-3.19.0
pid: 7
part: 1
thread: 1
events: Ir
fn=f
1 8
fn=g
1 2
part: 2
thread: 1
fn=g
1 5
part: 2
thread: 2
fn=f
1 10
cfn=g
calls=1 0
2 20
fn=g
1 20
pid: 8
part: 1
thread: 1
fn=h
1 4
PROFILE
run 'a row for each thread and process of a callgrind file' 0 'for by in thread process "thread --function=f"; do rows -q --group=$by "$given/threads"; done' \
    out=' cost % calls thread
 30 61.22 2 pid 7, thread 2 (g)
 15 30.61 - pid 7, thread 1 (f)
 4 8.16 - pid 8, thread 1 (h)
 cost % calls process
 45 91.84 5 pid 7 (g)
 4 8.16 - pid 8 (h)
 self % inclusive % calls thread
 10 20.41 30 61.22 1 pid 7, thread 2
 8 16.33 8 16.33 - pid 7, thread 1
 0 0.00 0 0.00 0 pid 8, thread 1'
if ! on_windows; then
    mkdir "$given/readable"
    printf '%s\n' '#!/bin/sh' 'exec sed "s/^_Z\(.*\)v$/f\1()/"' >"$given/readable/c++filt"
    chmod +x "$given/readable/c++filt"
    awk 'BEGIN { print "creator: callgrind-3\nevents: Ir\npid: 1"
                 for (t = 1; t <= 3; t++) { print "thread: " t; for (i = 0; i < 3000; i++) print "fn=_Z" i "v\n1 " t "\n" } }' \
        >"$given/mangled"
    run 'thousands of names in each thread become readable' 0 \
        'PATH=$given/readable:$PATH cg2wg -q --group=thread "$given/mangled" | tail -n 3 | tr -s " "' \
        out=' 9000 50.00 - pid 1, thread 3 (f0())
 6000 33.33 - pid 1, thread 2 (f0())
 3000 16.67 - pid 1, thread 1 (f0())'
fi
run 'threads of several inputs are theirs' 0 'cd "$given"; cp threads others; rows -q --group=process threads others | tail -n 4; rm others' out=' 45 45.92 5 threads: pid 7 (g)
 45 45.92 5 others: pid 7 (g)
 4 4.08 - threads: pid 8 (h)
 4 4.08 - others: pid 8 (h)'
# perf counts samples; its key `pid` is the thread.
run 'threads of a recording are those of its text, and of perf report' 0 'for i in data script; do rows --group=thread "$top/testdata/perf/time.$i" | sed "s/pid [0-9]*, //" >$i; done; diff data script
    cg2wg -q --list-events "$top/testdata/perf/time.script" | sed -n "s/thread \([0-9]*\): \([0-9]*\)  (app)/ \2 app, thread \1/p"
    ! perf report --sort pid --stdio -n -g none -f -i "$top/testdata/perf/time.data" 2>/dev/null | sed -n "s/^ *\([0-9.]*\)% *\([0-9]*\) *\([0-9]*\):app *$/ \1 \2 app, thread \3 (spin)/p" >theirs ||
        [ ! -s theirs ] || tail -n 4 data | cut -d " " -f 1,3- | diff - theirs
    rows --group=process "$top/testdata/perf/time.data"; rm -f data script theirs' out=' 70210630 app, thread 23959
 14042126 app, thread 24152
 14042126 app, thread 24153
 15045135 app, thread 24156
 cost % samples process
 85255765 75.22 85 app, pid 23959 (spin)
 14042126 12.39 14 app, pid 24152 (spin)
 14042126 12.39 14 app, pid 24153 (spin)'
run 'what knows no threads' 1 'cg2wg --group=process "$top/testdata/perf/time.script"' err='*samples do not name their process*'
run 'what has no threads' 1 'cg2wg --group=thread "$given/first"' err='*no part names its process or thread*'
run 'a format without threads' 1 'cg2wg --group=thread "$top/testdata/perf/time.folded"' err='*folded format, which knows no threads*'
run 'parts are not compared' 2 'cg2wg --group=run --base="$given/first" "$given/second"' err='*--base cannot be used with --group=run*'
run 'parts have one event' 2 'cg2wg --group=run -e all "$given/first"' err='*found several events*'

# On a page: name, kind, cost, calls, the function that costs most (by its place), and whether inclusive costs are known.
# Then what functions cost in them: part, function, self and inclusive. The order of functions is that of their names.
on_page() {
    cg2wg -q --print=html "$@" | page_rows | tr -d '\n' | sed -n 's/.*<div id="data"//; s/"stacks".*//; s/,"parts_left.*"part_costs":/ /; s/,$//; s/.*"parts":/"parts":/p'; echo
}
run 'a page has the runs that Xdebug appended, with what functions cost in them' 0 'cd "$given"; on_page appended; on_page first second' \
    out='"parts":\[\["appended, run 1",0,40,3,0,1\],\["appended, run 2",0,5,1,1,1\],\["appended, run 3",0,0,0,-1,1\]\] \[0,1,10,40,0,0,30,30,1,1,5,5\]
"parts":\[\["first",0,40,3,0,1\],\["second",0,5,1,1,1\]\] \[0,0,30,30,0,1,10,40,1,1,5,5\]'
# Valgrind's totals of what it wrote in one file, and in a file for each thread.
run 'parts of one process in a preprocessed file are one run' 0 'threads="$top/testdata/valgrind/threads-combined.out" parts="$top/testdata/valgrind/parts.out"
    cg2wg -q -o one "$threads"; cg2wg -q -o both "$threads" "$parts"; cp "$top/testdata/valgrind/default.out" other; cg2wg -q -o alike "$top/testdata/valgrind/default.out" other
    cp "$threads" other; cg2wg -q -o again "$threads" other
    sed -n "s/^totals: //p" "$threads" "$parts" | paste -s -d +; for i in one both; do rows --group=run $i | cut -d " " -f 2,5- | sed 1d; on_page --group=run $i; done
    for i in alike again; do rows --group=run $i | cut -d " " -f 2,5- | sed 1d; done; rm one both other alike again' \
    out='20987+3801+4229+9613+3945
29017 one (*
"parts":\[\["one",0,29017,*\]\] *
29017 both, run 1
13558 both, run 2
"parts":\[\["both, run 1",0,29017,0,-1,0\],\["both, run 2",0,13558,0,-1,0\]\] \[\]
29017 alike, run 1
29017 alike, run 2
29017 again, run 1
29017 again, run 2'
run 'files of the threads of one run are one profile after cat' 0 'cat "$top"/testdata/valgrind/threads.out-0[1-3] | cg2wg -q --print=csv - | sort >one
    cg2wg -q --print=csv "$top/testdata/valgrind/threads-combined.out" | sort | cmp - one; wc -l <one; rm one' out=77
run 'one run is a row if it is asked for' 0 'cd "$given"; on_page first; on_page --group=run first' out='
"parts":\[\["first",0,40,3,0,1\]\] \[0,0,30,30,0,1,10,40\]'
run 'runs of sums, in other units, and of what was merged' 0 'cd "$given"; on_page --records=sums appended; sed "s/events: Time/events: Time_(10ns)/" second >ns
    { cat first; echo "$separator"; cat ns; } >in; on_page in; on_page first ns; cg2wg -q -o merged first second; on_page merged; on_page merged second; rm ns in merged' \
    out='"parts":\[\["appended, run 1",0,40,0,0,0\],\["appended, run 2",0,5,0,1,0\],\["appended, run 3",0,0,0,-1,0\]\] \[0,0,30,0,0,1,10,0,1,1,5,0\]
"parts":\[\["in, run 1",0,4000,3,0,1\],\["in, run 2",0,5,1,1,1\]\] \[0,1,1000,4000,0,0,3000,3000,1,1,5,5\]
"parts":\[\["first",0,4000,3,0,1\],\["ns",0,5,1,1,1\]\] \[0,0,3000,3000,0,1,1000,4000,1,1,5,5\]
"parts":\[\["merged, run 1",0,40,0,-1,0\],\["merged, run 2",0,5,0,-1,0\]\] \[\]
"parts":\[\["merged, run 1",0,40,0,-1,0\],\["merged, run 2",0,5,0,-1,0\],\["second",0,5,1,1,1\]\] \[2,1,5,5\]'
run 'threads and processes of a callgrind file on a page' 0 'on_page "$given/threads"; on_page --part=2 "$given/threads"; on_page "$given/threads" "$given/threads" | grep -o "threads: pid 8.,[^]]*"' \
    out='"parts":\[\["pid 7, thread 1",1,15,0,0,0\],\["pid 7, thread 2",1,30,0,1,0\],\["pid 8, thread 1",1,4,0,2,0\],\["pid 7",2,45,0,1,0\],\["pid 8",2,4,0,2,0\]\] \[0,0,8,0,0,1,7,0,1,0,10,0,1,1,20,0,2,2,4,0,3,0,18,0,3,1,27,0,4,2,4,0\]
"parts":\[\["pid 7, thread 1",1,5,0,1,0\],\["pid 7, thread 2",1,30,0,1,0\]\] \[0,1,5,0,1,0,10,0,1,1,20,0\]
threads: pid 8",2,4,0,2,0
threads: pid 8",2,4,0,2,0'
# As --group=thread --function=NAME says for each function and thread.
if have python3; then
    run 'what functions cost in the threads of a page' 0 'for by in thread process; do python3 "$top/tests/cli/parts.py" "$program" . "$top/testdata/perf/time.data" $by; done' \
        out='40
30' # ten functions in each of four threads and three processes
else
    skip 'what functions cost in the threads of a page' 'no python3'
fi
run 'levels of recursion that become one function are one in threads' 0 'printf "version: 1\ncreator: callgrind-3.19.0\npid: 1\npart: 1\nthread: 1\nevents: Ir\nfn=f\n1 8\ncfn=f%s2\ncalls=1 0\n1 3\nfn=f%s2\n1 3\npart: 1\nthread: 2\nfn=h\n1 4\n" "'"'"'" "'"'"'" >in; on_page in; rm in' \
    out='"parts":\[\["pid 1, thread 1",1,11,0,0,0\],\["pid 1, thread 2",1,4,0,1,0\]\] \[0,0,11,0,1,1,4,0\]'
run 'what a page opens with' 0 'for by in file folder class object line run thread process "call --function=g" "run --function=f"; do cg2wg -q --print=html --group=$by "$given/threads" | sed -n "s/^.opens.*\":/ /p" | tr -d "\n"; echo; done' \
    out=' "&by=file", -1,
 "&by=folder", -1,
 "&by=class", -1,
 "&by=object", -1,
 "l", -1,
 "r", -1,
 "h", -1,
 "p", -1,
 "", 1,
 "r", 0,'
run 'a page without threads' 1 'cg2wg --print=html --group=thread "$given/first"' err='*no part names its process or thread*'
run 'a page of samples without processes' 1 'cg2wg --print=html --group=process "$top/testdata/perf/time.script"' err='*no part names its process or thread*'
run 'a page that is to open with no function' 1 'cg2wg --print=html --function=none "$given/first"' err='*no function matches none*'
# All but the 10,000 largest: 500 * 501 / 2 = 125,250 us; of 10,500 that cost 7 us each, the last 500.
run 'a page of too many runs has the largest, and says so' 0 'mkdir many; for cost in i 7; do awk "BEGIN { for (i = 1; i <= 10500; i++) { if (i > 1) print \"'"$separator"'\"; print \"version: 1\ncreator: xdebug 3.2.0\nevents: Time\n\nfl=/a\nfn=f\n1 \" $cost \"\n\nsummary: \" $cost \"\n\" } }" >many/in
    cg2wg -q --print=html many/in | grep -o "run 10000\",0,7[^]]*..\|\"parts_left[^]]*.\|\"least_part[^,]*"; done; rm -r many' out='"parts_left":\[500,125250,0,0,0,0]
"least_part_cost":0
run 10000",0,7,1,0,1\]\]
"parts_left":\[500,3500,0,0,0,0]
"least_part_cost":0'

# ---- single calls

run 'a row for each call, the costliest first, of equal ones one; above it how they spread' 0 'cd "$given"; cg2wg -q --raw --group=call --function=f first appended |
        sed "1,/^total/d" | tr -s " "' out='calls: 4; minimum 10, median 10, 90 % 20, 99 % 20, maximum 20

 self % inclusive % calls call
 20 23.53 20 23.53 1 {main}:3 > f (first)
 20 23.53 20 23.53 1 {main}:3 > f (appended, run 1)
 10 11.76 10 11.76 1 {main}:3 > f (first)
 10 11.76 10 11.76 1 {main}:3 > f (appended, run 1)'
run 'equal calls are one row' 0 'cd "$given"; rows --raw --group=call --function=f first first | tail -n 2; rows --raw --group=call --function=f --top=1 first first | tail -n 1' \
    out=' 20 25.00 20 25.00 2 {main}:3 > f (first)
 10 12.50 10 12.50 2 {main}:3 > f (first)
... and 2 more, with 25.00 % of the total'
run 'single calls as JSON, CSV and Markdown' 0 'cd "$given"; cg2wg --group=call --function=f --top=1 --print=json first | tr -d "\n" | grep -o "\"calls\":[^}]*}\|\"left_out.*"
    cg2wg --group=call --function=f --print=csv first | tr -d "\r"; cg2wg -q --group=call --function=f --print=markdown first' \
    out='"calls": {"minimum": 10, "median": 10, "percentile_90": 20, "percentile_99": 20, "maximum": 20, "count": 2}
"left_out": {"functions": 1, "cost": 10, "percent": 25.00},  "functions": \[    {"number": 0, "name": "{main}:3 > f", "run": "first",     "self": 20, "inclusive": 20, "invocations": 1}  \],  "other_functions": \[  \]}
name,run,line,object,self,self %,inclusive,inclusive %,calls
"{main}:3 > f","first",0,"",20,50.00,20,50.00,1
"{main}:3 > f","first",0,"",10,25.00,10,25.00,1
Total: 40

Calls: 2; minimum 10, median 10, 90 % 20, 99 % 20, maximum 20

| self | % | inclusive | % | calls | call |
| ---: | ---: | ---: | ---: | ---: | --- |
| 20 | 50.00 | 20 | 50.00 | 1 | `{main}:3 > f` (`first`) |
| 10 | 25.00 | 10 | 25.00 | 1 | `{main}:3 > f` (`first`) |'
# Of 52, f costs 11 and 1 + 2 + 5 + 7 = 15 itself; these calls, which all cost 10, are added up.
run 'what is left out of single calls is exact' 0 '{ printf "version: 1\ncreator: xdebug 3.2.0\nevents: Time\n\n"; for i in "1 9" "2 8" "5 5" "7 3"; do printf "fl=/a\nfn=g\n3 %s\n\nfl=/a\nfn=f\n2 %s\ncfl=/a\ncfn=g\ncalls=1 0 0\n3 %s\n\n" ${i#* } ${i% *} ${i#* }; done
    printf "fl=/a\nfn=f\n2 11\n\nfl=/a\nfn={main}\n1 1\n"; for i in 10 10 10 10 11; do printf "cfl=/a\ncfn=f\ncalls=1 0 0\n3 %s\n" $i; done; } >in; cg2wg -q --raw --group=call --function=f --top=1 in | tail -n 2 | tr -s " "
    cg2wg -q --print=json --group=call --function=f --top=1 in | grep "left_out"; rm in' \
    out=' 11 21.15 11 21.15 1 {main}:3 > f (in)
... and 4 more, with 28.85 % of the total
  "left_out": {"functions": 4, "cost": 15, "percent": 28.85},'
run 'filters choose among single calls' 0 'cd "$given"; rows --raw --group=call --function=f --only="file:*run 1" first appended | tail -n 4
    cg2wg -q --raw --group=call --function=f --min=20 first appended | grep "^calls"' out=' 20 23.53 20 23.53 1 {main}:3 > f (appended, run 1)
 10 11.76 10 11.76 1 {main}:3 > f (appended, run 1)
2 of 4: self costs of 30, 35.29 %
... and 2 more, with 35.29 % of the total
calls:   2; minimum 20, median 20, 90 % 20, 99 % 20, maximum 20'
run 'single calls in other units have one' 0 'cd "$given"; sed "s/events: Time/events: Time_(10ns)/" first >ns; for i in "first ns" "ns first"; do
    rows --raw --group=call --function=f $i | tail -n 4 | cut -d " " -f 2 | paste -s -d " "; done; cg2wg -q --group=call --function=f --raw --top=1 first ns | grep "^calls"; rm ns' \
    out='2000 1000 20 10
2000 1000 20 10
calls:   4; minimum 10, median 20, 90 % 2000, 99 % 2000, maximum 2000'
run 'single calls through pipes, compressed and in preprocessed files of version 4' 0 'cd "$given"; for i in "cat first" "gzip -c first"; do $i | rows --group=call --function=f - | tail -n 2 | cut -d " " -f 2-7; done
    cg2wg -f 4 -q first v4; rows --group=call --function=f v4 | tail -n 2 | cut -d " " -f 2-9; rm v4' out='20 50.00 20 50.00 1 {main}:3
10 25.00 10 25.00 1 {main}:3
20 50.00 20 50.00 1 {main}:3
10 25.00 10 25.00 1 {main}:3
20 50.00 20 50.00 1 {main}:3 > f
10 25.00 10 25.00 1 {main}:3 > f'

# f is called from a function of PHP itself, whose lines are those of its callers.
run 'a path has the same lines in a preprocessed file of version 4' 0 'file="$top/testdata/xdebug/3.2-calls.out"; cg2wg -q -f 4 "$file" v4
    for i in "$file" v4; do rows --group=call --function=price "$i" | sed "s/ (.*//"; done | sort | uniq -c | tr -s " " | cut -d " " -f 2 | sort | uniq -c; rm v4' \
    out='     10 2'
# Each call of `price` in microseconds, by the trace that Xdebug wrote of the same run (3.2-calls.out): the time between
# entry and exit, which the trace itself makes 4 to 8 us longer.
run 'single calls are those of a trace of the same run' 0 'calls="--group=call --function=price $top/testdata/xdebug/3.2-calls.out"
    cg2wg -q --print=csv $calls | cut -d , -f 7 | sed 1d >ours; printf "%s\n" 1361 586 295 206 192 184 171 143 17 | paste - ours | awk "{ print (\$1 - \$2 / 100 > 4 && \$1 - \$2 / 100 < 8) }" | sort | uniq -c
    rows $calls | sed "1d; s/ (.*//; s/Shop.Desk->//g" | cut -d " " -f 7- | sort | uniq -c | tr -s " "; rm ours' out='      9 1
 3 {main}:27 > order:22 > price
 2 {main}:28 > order:22 > price
 1 {main}:29 > price
 1 {main}:29 > price:11 > tax:16 > price
 2 {main}:30 > php::array_map > price'
# What callers say that each call cost, and where it was made. Xdebug rounds that and the cost of the record by itself.
called() {
    name=$1 awk 'BEGIN { name = ENVIRON["name"] } /^c*fn=/ { split($0, part, "[()]"); if ($2 != "") names[part[2]] = $2; if (/^f/) fn = part[2]; else cfn = part[2] }
        /^calls=/ { getline; if (names[cfn] == name) print names[fn] (names[fn] ~ /^php::/ ? "" : ":" $1), $2 }' "$2" | sort
}
kept() {
    cg2wg -q --print=csv --group=call --function="=$1" "$2" | tr -d '\r' | sed '1d; s/^"//; s/ > [^>]*",".*",/,/; s/.* > //' |
        awk -F , '{ for (i = 0; i < $NF; i++) print $1, $(NF - 2) }' | sort
}
for function in fire:15 notify:34; do # and how many such lines there are
    run "single calls are what their callers say (${function%:*})" 0 'file=$top/testdata/xdebug/3.2-events.out; called "Shop\\'${function%:*}'" "$file" >theirs; kept "Shop\\'${function%:*}'" "$file" >ours
        wc -l <theirs; paste -d " " theirs ours | awk "\$1 != \$3 || (\$2 - \$4) ^ 2 > 1"; rm theirs ours' out=${function#*:}
done

# f costs 1 to 1000 in a call each, which are read in no order: of 1000, the 500th, 900th and 990th.
spread() {
    printf 'version: 1\ncreator: xdebug 3.2.0\nevents: Time\n\n'
    awk -v n="$1" 'BEGIN { for (i = 0; i < n; i++) printf "fl=/a\nfn=f\n2 %d\n\n", i * 7 % n + 1
        print "fl=/a\nfn={main}\n1 5"; for (i = 0; i < n; i++) printf "cfl=/a\ncfn=f\ncalls=1 0 0\n3 %d\n", i * 7 % n + 1 }'
}
run 'paths of single calls are cut at their start, and long names in them at theirs' 0 'x=$(printf "%0600d" 0); { printf "creator: xdebug 3.2.0\nevents: Time\n"
     for n in A B; do printf "\nfl=/a\nfn=%s%s\n2 5\n" $x $n; done; printf "\nfl=/a\nfn={main}\n1 1\n"
     for n in A B; do printf "cfl=/a\ncfn=%s%s\ncalls=1 0 0\n3 5\n" $x $n; done; } >in
     cg2wg -q --group=call --function="0*" --print=csv in | sed "1d; s/\",.*//; s/0000*/-/"; cg2wg -q --group=call --function="0*" --print=csv in | head -n 2 | tail -n 1 | cut -d , -f 1 | wc -c; rm in' out='"{main}:3 > ...-B
"{main}:3 > ...-A
517'
run 'how single calls spread, also of those that are not shown' 0 'spread 1000 >in; for i in "--top=1" "--sort=name" "--top=2000"; do cg2wg -q --raw --group=call --function=f $i in | grep "^calls\|more"; done; rm in' \
    out='calls:   1000; minimum 1, median 500, 90 % 900, 99 % 990, maximum 1000
... and 999 more, with 99.80 % of the total
calls:   1000; minimum 1, median 500, 90 % 900, 99 % 990, maximum 1000
calls:   1000; minimum 1, median 500, 90 % 900, 99 % 990, maximum 1000'
run 'of many, about' 0 'spread 100000 >in; cg2wg --raw --group=call --function=f --top=1 in | sed "1,/^total/d" | awk "/^calls/ { print (\$6 - 50000) ^ 2 < 25 ^ 2, (\$9 - 90000) ^ 2 < 45 ^ 2, (\$12 - 99000) ^ 2 < 50 ^ 2, \$14 } /more/"; rm in' \
    err='*found 100000 different calls; costs of those that are not shown are rounded by up to 0.05 %*' out='1 1 1 100000
... and 99999 more, with 100.00 % of the total'
# fire calls call_user_func at line 12, which calls a listener.
run 'proxies are not in the paths of single calls' 0 'rows --group=call --function="=Shop\Listener->handle" -p "*call_user_func*" "$top/testdata/xdebug/3.2-events.out" | sed -n "/handle/s/.*fire/fire/; s/ (.*//p" | sort | uniq -c | tr -s " "' \
    out=' 5 fire:12 > Shop\\Listener->handle
 1 fireArray:13 > Shop\\Listener->handle'
run 'proxies of rows that are no functions draw no warning' 0 'for i in "run --function=handle" run "call --function=handle"; do
    cg2wg --group=$i --top=1 -p "php::call_user_func:*" "$top/testdata/xdebug/3.2-events.out" | grep "^total"; done' \
    out='total:   8775, and 2910 outside of functions
total:   8775, and 2910 outside of functions
total:   8775, and 2910 outside of functions'
# Memory is what the calls of a run kept; the total is what all have allocated, as of runs.
run 'memory of single calls' 0 'file="$top/testdata/xdebug/3.2-events.out"; for i in run "run --function=fire" "call --function=fire"; do cg2wg -q -e Memory --group=$i "$file" | grep "^total"; done | uniq | wc -l' out=1
# a, b and c call each other: what a function costs in the only run is what it costs.
run 'a function in cycles costs in its run what it costs' 0 'for f in a b c; do for i in "" --group=run; do
    cg2wg -q --print=csv $i --function==$f "$top/testdata/valgrind/default.out" | tr -d "\r" | cut -d , -f 5-9 | sed -n 2p; done | uniq; done | wc -l' out=3
run 'what knows no calls has none in its runs' 0 'cg2wg -q --print=csv --group=run --function=fib "$top/testdata/valgrind/cachegrind-O0.out" | tr -d "\r" | sed 1d
    cg2wg -q -o merged "$top/testdata/perf/time.script"; for i in "" --function=spin; do rows --group=run $i merged | tail -n 1; done; rm merged' \
    out='"*.out","",0,"",1739,3.12,1739,3.12,
 * - merged (spin)
 * 75 merged'
run 'all of a function, whatever else is asked for' 0 'cd "$given"; for i in "" --summary=computed --summary=file; do cg2wg -q --group=run --function=f $i appended | grep "^total"; done | uniq' \
    out='total:   45 in 2 runs'
for i in 'Valgrind|valgrind/default.out|main' 'perf|perf/time.script|main' 'stacks|perf/time.folded|main' 'aprof|aprof/v6-contexts.aprof|main'; do
    run "sums and samples know no single calls (${i%%|*})" 1 "cg2wg -q --group=call --function=${i##*|} '$top'/testdata/$(echo "$i" | cut -d "|" -f 2)" \
        err='*found sums or samples, which know no single calls; use a profile by Xdebug, or a preprocessed file of version 4*'
done
run 'what was merged knows no single calls' 1 'cg2wg -q -o - "$given/first" "$given/second" | cg2wg --group=call --function=f -' err='*found sums or samples*'
run 'single calls are those of a function' 2 'cg2wg --group=call "$given/first"' err='*--group=call needs --function=NAME*'
run 'single calls of no function' 1 'cg2wg --group=call --function=none "$given/first"' err='*no function matches none*'
run 'single calls are not compared' 2 'cg2wg --group=call --function=f --base="$given/first" "$given/second"' err='*--base cannot be used with --group=run, thread, process or call*'
run 'single calls have one event' 2 'cg2wg --group=call --function=f -e all "$given/first"' err='*found several events*'

# The sum of an input and itself is twice the input: each group's costs and invocations, in the table and on the page.
cat >"$given/three" <<'PROFILE'
version: 1
creator: xdebug 3.2.0
events: Time

fl=/a.php
fn=A->f
1 5

fl=/a.php
fn=A->f
1 6

fl=/a.php
fn=A->f
1 7

fl=/a.php
fn={main}

summary: 28

1 10
cfn=A->f
calls=1 0 0
2 5
cfn=A->f
calls=1 0 0
2 6
cfn=A->f
calls=1 0 0
2 7

PROFILE
run 'groups of merged inputs have the calls of all' 0 'for i in "class $given/three" "class $top/testdata/xdebug/3.2-invoice.out" "object $top/testdata/perf/time.data"; do
        cg2wg -q --raw --group="${i%% *}" --print=csv "${i#* }" "${i#* }" | tr -d "\r" | sed 1d | sort >of_two
        cg2wg -q --raw --group="${i%% *}" --print=csv "${i#* }" | tr -d "\r" | sed 1d | sort |
            awk -F , -v OFS=, "{ \$5 *= 2; \$7 *= 2; \$9 *= 2; print }" | diff - of_two
        grep -c "[1-9]\$" of_two
    done; rows --raw --group=class "$given/three" "$given/three"; rm of_two
    cg2wg --print=html "$given/three" "$given/three" | sed -n "/^.groups/{n;n;p;}"' out='2
6
4
 self % inclusive % calls class
 36 64.29 36 64.29 6 A
 20 35.71 56 100.00 2 functions
\[0,20,56,2,1,36,36,6,0,0],'

# {main} calls A->x, that calls usort, and that calls A->y back: A has one outermost invocation, but two with
# --inclusive=sum. A->x frees 4 of 24 bytes, so what is allocated is not what is kept.
cat >"$given/freed" <<'PROFILE'
version: 1
creator: xdebug 3.2.0
events: Time Memory

fl=/a.php
fn=A->y
3 100 8

fl=php:internal
fn=php::usort
4 50 16
cfl=/a.php
cfn=A->y
calls=1 0 0
4 100 8

fl=/a.php
fn=A->x
5 30 -4
cfl=php:internal
cfn=php::usort
calls=1 0 0
5 150 24

fl=/a.php
fn={main}
1 50 32
cfl=/a.php
cfn=A->x
calls=1 0 0
6 180 20

summary: 230 400
PROFILE
run 'invocations of groups are those of any event, also if memory is freed' 0 'for e in Time Memory Memory,Time Time,Memory; do
        rows --raw --group=class -e $e "$given/freed" | grep -o "[0-9]* A$"
        cg2wg -q --group=class --print=json -e $e "$given/freed" | grep -o "\"count\": [0-9]*"
    done | sort | uniq -c | tr -s " "
    cg2wg -q --print=html -e Time,Memory "$given/freed" | sed -n "/^.groups/{n;n;p;}"
    for o in outermost sum; do rows --raw --group=class -e Memory --inclusive=$o "$given/freed" | tail -n 1; done' out=' 24 "count": 1
 4 1 A
\[0,50,230,1,1,130,180,1,2,50,150,1,0,0],
\[0,32,52,1,56,1,4,20,1,24,2,16,20,1,24,0,0],
 4 7.14 24 42.86 20 35.71 1 A
 4 7.14 24 42.86 28 50.00 2 A'

# The file shop.pl has 716 of 718. It calls `made` of a string, whose self cost is 1, at a cost of 4: what that calls
# back is in shop.pl's self cost, too. Three of its functions are called by nobody.
run 'no group costs more than all' 0 'rows --group=file "$top/testdata/other/nytprof.out" | sed -n 2p
    rows --group=file --inclusive=sum "$top/testdata/other/nytprof.out" | sed -n 2p' out=' 716 99.72 718 100.00 3 /srv/shop/other/shop.pl
 716 99.72 721 100.42 3 /srv/shop/other/shop.pl'
# The summary is less than the self costs, so they are all that there is: f costs 50 and calls g, which costs 50.
run '... and all are at least the self costs' 0 \
    'printf "events: Ir\nsummary: 10\nfl=a\nfn=f\n1 50\ncfl=b\ncfn=g\ncalls=1 1\n2 50\nfl=b\nfn=g\n1 50\n" >in
     rows --group=file in | sed 1d; rm in' out=' 50 50.00 100 100.00 1 a
 50 50.00 50 50.00 1 b'

# perf's own text of the same recording, added up without cg2wg
cat >"$given/objects.py" <<'PYTHON'
import collections, re, sys
self_costs, inclusive, stack = collections.Counter(), collections.Counter(), []
for line in open(sys.argv[1]):
    head, frame = re.match(r"\S.* (\d+) +cpu-clock:u:", line), re.match(r"\s+[0-9a-f]+ .* \((.*)\)$", line)
    if head:
        period = int(head.group(1))
        stack = []
    elif frame:
        if not stack:
            self_costs[frame.group(1)] += period
        if frame.group(1) not in stack:
            inclusive[frame.group(1)] += period
        stack.append(frame.group(1))
for name in sorted(inclusive):
    print(self_costs[name], inclusive[name], name)
PYTHON
if have python3; then
    run 'objects of a recording are those of its text' 0 'rows --group=object --sort=name --symfs="$symfs" "$top/testdata/perf/time.data" | sed "1d;s/^ //" | cut -d " " -f 1,3,6 >ours
        python3 "$given/objects.py" "$top/testdata/perf/time.script" | diff - ours; wc -l <ours; rm ours' out='4'
else
    skip 'objects of a recording are those of its text' 'no python3'
fi

# The first one enters the group by main, the second one by g, which the first one calls from within.
run 'what enters a group without a caller counts, also if another input has one' 0 'printf "events: Ir\nfn=main\n1 2\ncfn=g\ncalls=3 9\n6 7\nfn=g\n9 7\n" >one; printf "events: Ir\nfn=g\n9 1\n" >other
     cg2wg -q --group=class --print=csv one other | sed 1d | tr -d "\r"; rm one other' out='"functions","",0,"",10,100.00,10,100.00,2'

# f costs 400, and main frees 50 of it: both are in one file, but percentages are of 400, as for functions.
run 'percentages of groups are of what functions cost that free nothing' 0 'printf "events: Memory\nfl=a\nfn=f\n9 400\nfn=main\n1 -50\n" >freed
     for group in "" --group=file; do cg2wg -q $group --sort=none --print=csv freed | sed 1d | tr -d "\r" | cut -d , -f 1,5,6; done; rm freed' out='"f",400,100.00
"main",-50,-12.50
"a",350,87.50'

# ---- what has no groups

run 'lines have no groups' 2 'cg2wg --print=lines --group=file profile' err='cg2wg: --group cannot be used with --print=lines, only with --print=table, =json, *'
run 'a conversion has no groups' 2 'cg2wg -f 7 --group=file profile out' err='cg2wg: --group needs --print, *'
run 'groups have no lines of their own' 2 'cg2wg --print=json --lines --group=file profile' \
    err='cg2wg: --lines cannot be used with --group; *'
run 'groups have no source' 2 'cg2wg --group=file --function=f --source=. profile' \
    err='cg2wg: --source cannot be used with --group; *'

finish
