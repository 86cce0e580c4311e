#!/bin/sh
# SPDX-License-Identifier: MIT
# by_line.sh PROGRAM: costs by line.
. "$(dirname "$0")/suite.inc"

# Each profile by an independent reader. cachegrind has no calls, and parts would need its knowledge of threads.
if have python3; then
    cat >"$given/compare" <<'SCRIPT'
for profile in "$top"/testdata/valgrind/*.out; do
    case $profile in *cachegrind*|*/merged.*|*/parts.*|*/callers.*|*/no-line.*) continue ;; esac
    cg2wg --no-demangle --inclusive=sum --print=lines "$profile" 2>/dev/null | sed '1,/line and function/d' |
        awk '$1 != 0 || $3 != 0 { sub(/^ *[0-9]+ +[0-9.]+/, $1); $1 = $1; print }' | sort >ours
    python3 "$top/tests/cli/by_line.py" "$profile" | awk '$1 != 0 || $2 != 0 { $1 = $1; print }' | sort >theirs
    cmp ours theirs || echo "$profile"
    wc -l <ours
done | awk '{ sum += $1 } !/^[0-9]+$/ { print } END { print (NR > 12 && sum > 5000) }'
rm ours theirs
SCRIPT
    run 'lines of real profiles are those of an independent reader' 0 'export top; . "$given/compare"' out='1'
else
    skip 'lines of real profiles are those of an independent reader' 'no python3'
fi

# f has 10 at line 2 and, inlined from h.h, 30 at line 7, from where it calls g for 5; g has 5 in all.
printf %b 'creator: callgrind-3.19.0\npositions: line\nevents: Ir\nsummary: 45\n' \
    'fl=a.c\nfn=f\n2 10\nfi=h.h\n7 30\ncfi=b.c\ncfn=g\ncalls=1 1\n* 5\n' \
    'fl=b.c\nfn=g\n1 5\n' >"$given/sums"
run 'lines are in the file of their code' 0 'cg2wg --print=lines "$given/sums" | sed "1,/^\$/d" | tr -s " "' out=' self % callees line and function
 30 66.67 5 h.h:7 f
 10 22.22 0 a.c:2 f
 5 11.11 0 b.c:1 g'
run 'lines of some functions' 0 'cg2wg --print=lines --function=g --sort=name "$given/sums" | tail -n 1 | tr -s " "
    cg2wg --print=lines --only=file:h.h --sort=inclusive "$given/sums" | sed -n "/h.h/p;/more/p" | tr -s " "' out=' 5 11.11 0 b.c:1 g
 30 66.67 5 h.h:7 f
... and 2 more, with 33.33 % of the total'
run 'lines are compared by their numbers' 0 'sed "s/^7 30/8 31/" "$given/sums" >old
    cg2wg --print=lines --base=old "$given/sums" | sed "1,/^\$/d" | tr -s " "; rm old' out=' old self self % old callees callees % change line and function
 31 0 -100.00 5 0 -100.00 gone h.h:8 f
 0 30 - 0 5 - new h.h:7 f'
# Each line has many calls, so that there are more costs than lines. f0, which is in both, is the only one that changed.
run 'lines of many calls are compared' 0 'calls() { awk "BEGIN { print \"events: Ir\\nsummary: 1\\nfn=m\"
        for (l = 1; l <= 9; l++) for (i = 0; i < 900; i++) print \"cfn=f\" i \"\\ncalls=1 0\\n\" l \" 1\"
        for (i = 0; i < 900; i++) print \"fn=f\" i \"\\n\" 1 + i \" \" (i ? 9 : $1) }"; }
    calls 9 >old; calls 8 >new; cg2wg -q --print=lines --base=old new | sed 1,3d | tr -s " "; rm old new' out='same: 908 lines

 old self self % old callees callees % change line and function
 9 8 -11.11 0 0 - shrank *:1 f0'
# The rows of either input have its own copy of the path.
run 'paths of lines that are new and gone are shortened' 0 'printf "events: Ir\nfl=/s/x/a.c\nfn=f\n1 9\n" >old
    sed "s/^1/2/" old >new; cg2wg -q --print=lines --base=old --width=90 new | grep -o " a.c:.*" | sort; rm old new' out=' a.c:1  f
 a.c:2  f'
# Of each path, the end that no other file has: of y/a.c and x/a.c a folder, too, of aa.c nothing else, also where one
# path is the end of another. A pipe has them whole.
run 'paths of lines are shortened to what differs' 0 'for file in /s/x/a.c /s/y/a.c /s/y/aa.c /t/b.c b.c d/ /s/x/a.c; do
        printf "fl=%s\nfn=f%d\n1 %d\n" "$file" $((i = ${i:-0} + 1)) $((9 - i)); done | sed "1i events: Ir" >in
    cg2wg -q --print=lines --width=60 in | sed "1,/line and/d; s/.* -  //"; cg2wg -q --print=lines in | grep -c "/s/[xy]/.*.c:1  f"
    cg2wg -q --print=lines --base=in --width=90 in | wc -l; rm in' out='x/a.c:1  f1
y/a.c:1  f2
aa.c:1  f3
t/b.c:1  f4
b.c:1  f5
d/:1  f6
x/a.c:1  f7
4
6'
# Numbers are whole; paths and names are shortened.
if has_terminal; then
    run 'lines fit a terminal' 0 'sed "s/h\.h/\/a\/long\/path\/of\/folders\/which\/does\/not\/fit\/the\/line\/h.h/;s/fn=f/fn=f_$(printf %090d 1)/" "$given/sums" >in
        PROGRAM=$program timeout 60 script -qec "stty cols 60; \"\$PROGRAM\" --print=lines in" /dev/null | tr -d "\r" >out
        awk "length > 64" out; grep -c "30 .*67 .*5 .*h.h:7 .*f_0*" out; rm in out' out=1
else
    skip 'lines fit a terminal' "$no_terminal"
fi
# Xdebug writes a self cost at the line of the function, and calls at theirs.
run 'lines of PHP' 0 'printf "version: 1\ncreator: xdebug 3\ncmd: a\npart: 1\npositions: line\n\nevents: Time\n\nfl=a.php\nfn=f\n3 7\n\nfl=a.php\nfn=f\n3 8\n\nfl=a.php\nfn={main}\n1 2\ncfl=a.php\ncfn=f\ncalls=1 0 0\n9 7\ncfl=a.php\ncfn=f\ncalls=1 0 0\n12 8\n\nsummary: 17\n" >in
    cg2wg --print=lines --raw in | sed "1,/^\$/d" | tr -s " "; rm in' out=' self % callees line and function
 15 88.24 0 a.php:3 f
 2 11.76 0 a.php:1 {main}
 0 0.00 7 a.php:9 {main}
 0 0.00 8 a.php:12 {main}'
# With functions of php:internal, Xdebug writes the lines where they were called; s calls h.
cat >"$given/internal" <<'PROFILE'
version: 1
creator: xdebug 3.2
cmd: a
part: 1
positions: line

events: Time

fl=a.php
fn=h
1 4

fl=php:internal
fn=s
9 7
cfl=a.php
cfn=h
calls=1 0 0
9 4

fl=php:internal
fn=s
12 8

fl=a.php
fn={main}
1 2
cfl=php:internal
cfn=s
calls=1 0 0
9 11
cfl=php:internal
cfn=s
calls=1 0 0
12 8

summary: 21
PROFILE
run 'functions of PHP itself have no lines' 0 'cd "$given"; cg2wg --print=lines --raw internal | grep internal | tr -s " "
    cg2wg --function==h internal | grep "  s " | tr -s " "; cg2wg --print=json --lines internal | sed -n "/php:internal/,/}]/p" | grep -o "\"line\": 0.*"
    cg2wg --print=html internal | page_rows | grep "^[0-9],\"s\""' out=' 15 71.43 4 php:internal:[?] s
 4 19.05 1 100.00 - s (php:internal)
"line": 0,
"line": 0, "self": 15, "calls": 4}\],
0,"s","php:internal",0,15,19,2,*'
# {main} calls s (9), which calls h, which calls s (2), which calls h (3); s is in php:internal. What it calls inside of
# that call does not count again, though it was called in another line. A preprocessed file has both calls, 9 and 3.
cat >"$given/nested" <<'PROFILE'
version: 1
creator: xdebug 3.2
events: Time

fl=a.php
fn=h
3 3

fl=php:internal
fn=s
12 2
cfl=a.php
cfn=h
calls=1 0 0
12 3

fl=a.php
fn=h
3 4
cfl=php:internal
cfn=s
calls=1 0 0
5 5

fl=php:internal
fn=s
20 7
cfl=a.php
cfn=h
calls=1 0 0
20 9

fl=a.php
fn={main}
1 1
cfl=php:internal
cfn=s
calls=1 0 0
20 16

summary: 17
PROFILE
run 'calls that functions of PHP itself make of one function are one' 0 'cd "$given"; cg2wg nested nested.webgrind
    for i in nested nested.webgrind; do cg2wg --function==s $i | tail -n 1 | tr -s " "
    cg2wg --print=json --function==s $i | grep -A 1 sub_calls | tail -n 1; done; rm nested.webgrind' out=' 9 52.94 2 56.25 - h (a.php:3)
      {"function": 0, "line": 0, "count": 2, "cost": 9}\]}
 12 70.59 2 57.14 - h (a.php:3)
      {"function": 0, "line": 0, "count": 2, "cost": 12}\]}'
run 'the lines of a proxy that is stepped over are its own' 0 'cg2wg --print=lines --proxy=php::call_user_func \
    "$top/testdata/xdebug/2.1.0-single.out" | tr -s " " | sed -n "/call_user_func/p;/:7 net/p;/single.php:17/p"' out=' 8 7.02 0 php:internal:[?] php::call_user_func'

run 'JSON with lines: of each function' 1 'cg2wg --print=json --lines "$given/sums" | grep -o "\"name\": \"[fg]\"\|{\"\(file\|line\).*calls.*}"
    cg2wg --print=json "$given/sums" | grep -c "\"lines\""' out='"name": "f"
{"line": 2, "self": 10, "calls": 0}
{"file": "h.h", "line": 7, "self": 30, "calls": 5}
"name": "g"
{"line": 1, "self": 5, "calls": 0}
0'

# ---- source

mkdir -p "$given/code/sub" "$given/outside"
printf 'one\n\ttwo\r\nthree \377\n' >"$given/code/a.c"
i=0
while [ "$i" -lt 30 ]; do
    i=$((i + 1))
    echo "line $i" >>"$given/code/sub/h.h"
done
touch -d '2020-01-01' "$given/code/a.c" "$given/code/sub/h.h"
printf %b 'creator: callgrind-3.19.0\npositions: line\nevents: Ir\nsummary: 46\n' \
    'fl=/build/a.c\nfn=f\n2 10\n9 1\nfi=/build/x/sub/h.h\n7 20\n27 10\ncfi=b.c\ncfn=g\ncalls=3 1\n* 5\n' >"$given/source"
run 'the source of a function, with what its lines call' 0 \
    'cg2wg -q --function=f --source="$given/code" "$given/source" | sed -n "/line  /,/no callers/p" | sed "/no callers/,\$d" | sed "s/ *\$//" | cat -A | sed "/^\\$\$/d"' out='        self       %      callees    line  /build/a.c$
          10   24.39            0       2          two$
                                        3  three ?$
           1    2.44            0       9  (the file has 3 lines)$
        self       %      callees    line  /build/x/sub/h.h$
          20   48.78            0       7  line 7$
                                        8  line 8$
                                        9  line 9$
                                       10  line 10$
                                      ...$
                                       24  line 24$
                                       25  line 25$
                                       26  line 26$
          10   24.39            5      27  line 27$
                                5            => 3x g  (b.c)$'
# listed DIR ...: which of the two files are found in these folders
listed() { echo 'cg2wg -q --function=f '"$(printf -- ' --source="$given/%s"' "$@")"' "$given/source" | grep "line  .*\.[ch]" | grep -c -v "not found"'; }
run 'a shorter end of a path is found' 0 "$(listed code)" out=2
run 'source is in several folders' 0 "$(listed outside code)" out=2
run 'no folder, no source' 1 "$(listed outside)" out=0
ln -s "$given/code/a.c" "$given/outside/a.c"
run 'a link that leads out of the folder is not followed' 1 "$(listed outside)" out=0
run 'a path that leads out of the folder is not followed' 1 'sed "s/^fi=.*/fi=..\/code\/a.c/;s/^fl=.*/fl=..\/code\/sub\/h.h/" "$given/source" >in
    cg2wg -q --function=f --source="$given/outside" in | grep "line  .*\.[ch]" | grep -c -v "not found"; test -z "$(rm in)" && false' out=0
mkdir "$given/outside-too"
cp "$given/code/a.c" "$given/outside-too/a.c"
ln -sf ../outside-too/a.c "$given/outside/a.c"
run '... nor one to a folder whose name begins like it' 1 "$(listed outside)" out=0
rm "$given/outside/a.c"
# with_file NAME: the same profile, where a.c has another name; by way of printf
with_file() { sed '/^fl=/,$d' "$given/source"; printf "fl=$1\n"; sed '1,/^fl=/d' "$given/source"; }
run 'the whole path comes before its ends' 0 'mkdir -p more/code; sed "s/two/another/" "$given/code/a.c" >more/code/a.c; with_file "$given/code/a.c" >in
    for folder in "$given" /; do cg2wg -q --function=f --source=more --source="$folder" in | grep -c "two"; done; rm -r in more' out='1
1'
run 'a name with a zero byte is no path' 1 'with_file "/build/a.c\\0" >in; cg2wg -q --function=f --source="$given/code" in >out; rm in
    grep -c two out; s=$?; rm out; exit $s' out=0
run 'of a path that is too long, the end is found' 0 'with_file "/%04088d/a.c" >in; cg2wg -q --function=f --source="$given/code" in | grep -c two; rm in' out=1
run 'of a path with . and .., what they make of it is found' 0 'mkdir -p more/x/y; printf "one\nthe two\n" >more/x/y/a.c
    for name in /build/x/z/../y/a.c ../../x/./y//a.c /../../x/w/../y/a.c q/../../x/q/r/../../y/a.c; do
        with_file "$name" >in; cg2wg -q --function=f --source=more in | grep -c "the two"; done; rm -r in more' out='1
1
1
1'
if on_windows; then
    skip 'an output has no more readers than the source in it' 'no permissions'
else
    # The permission to write source says nothing of the output. Files that are not shown do not count.
    run 'an output has no more readers than the source in it' 0 'with_file sub/h.h >in; umask 0; chmod 644 in
        for mode in 600:600 440:640 444:644 404:604 666:644; do chmod ${mode%:*} "$given/code/a.c"; chmod 644 "$given/source"
            for style in html "table --function=f" "csv"; do
            cg2wg -q -o a --print=$style $([ "$style" = csv ] || echo --source="$given/code") "$given/source"
            [ "$(stat -c %a a)" = "${mode#*:}" ] || echo "$mode $style $(stat -c %a a)"; rm a; done
            cg2wg -q -o a --print=html --source="$given/code" in; [ $(stat -c %a a) = 644 ] || echo other; rm a; done; rm in' out='600:600 csv 644
440:640 csv 644
404:604 csv 644'
fi
mkfifo "$given/outside/a.c"
dd if=/dev/zero of="$given/outside/h.h" bs=1 count=1 seek=16777216 2>/dev/null
run 'a pipe, or a file of more than 16 MB, is no source' 1 "$(listed outside)" out=0
run 'without --source, no file that the profile names is opened' 0 'sed "s,^fl=.*,fl=$given/outside/a.c," "$given/source" >in
    timeout 60 "$program" -q --function=f in | grep -c "caller"; timeout 60 "$program" -q --print=lines in | grep -c "a.c:"; rm in' out='1
2'
run 'a source that is newer than the profile' 0 'touch -d "2019-01-01" old; cat "$given/source" >in; touch -d "2019-01-01" in
    cg2wg --function=f --source="$given/code" in >/dev/null; touch -d "2020-01-01" in; cg2wg --function=f --source="$given/code" in >/dev/null; rm in old' err='cg2wg: in: warning: */code/a.c is newer than the profile, so its lines may have other numbers there
cg2wg: in: warning: */code/sub/h.h is newer than the profile, so its lines may have other numbers there'
# The dearest line first, as without --source; line 9 is not in the file, which has three.
run 'lines, each with its code' 0 'cg2wg -q --print=lines --source="$given/code" "$given/source" | sed "1,/function\$/d;s/ *\$//" | tr -s " "' out=' 20 48.78 0 /build/x/sub/h.h:7 f
 7 line 7
 10 24.39 0 /build/a.c:2 f
 2 two
 10 24.39 5 /build/x/sub/h.h:27 f
 27 line 27
 1 2.44 0 /build/a.c:9 f
 9 (the file has 3 lines)'
run 'lines that are compared have no code' 2 'cg2wg --print=lines --source="$given/code" --base="$given/source" "$given/source"' err='cg2wg: --source and --base need --print=html*'
run 'long lines of code are cut' 0 'printf "\n%0100000d\n" 7 >"$given/code/a.c"; touch -d "2018-01-01" "$given/code/a.c"
    cg2wg --function=f --source="$given/code" "$given/source" | awk "length > 1100 { long++ } /0000/ { print (length < 1100) } END { print long + 0 }"' out='1
0'
run '--source is for functions' 2 'cg2wg --source="$given/code" "$given/source"' err='cg2wg: --source needs --function*'

run '--lines of JSON is for one input' 2 'cg2wg --print=json --lines --base="$given/source" "$given/source"' \
    err='cg2wg: --lines cannot be used with --base and --print=json*'
# f: line 2 of h.h is gone, 4 is new; line 2 of a.c has 3 more, and calls g for 2 less.
cat >"$given/before" <<'PROFILE'
events: Ir
summary: 19
fl=a.c
fn=f
2 5
cfn=g
calls=1 1
2 4
fi=sub/h.h
2 6
5 4
fl=a.c
fn=g
1 4
PROFILE
sed 's/^2 5/2 8/;s/^2 4/2 2/;s/^2 6/4 6/;s/^1 4/1 2/;s/19/20/' "$given/before" >"$given/after"
run 'a page of differences has the lines of both inputs, and the source of the new one' 0 'page_data() { cg2wg -q --print=html --min=0 "$@" | page_rows | sed -n "/^\"lines/,/^\"stacks/p" | sed "\$d"; }
    page_data --base="$given/before" --source="$given/code" "$given/after"' out='"lines":\[
\[0,2,8,2,5,4,"sub/h.h",2,0,0,6,0,2,4,6,0,0,0,2,5,4,0,4,0],
\[0,1,2,0,4,0]],
"code":\[
\["a.c",1,"","000*"],
\["sub/h.h",1,"line 1",*"line 5","line 6","line 7"]],'
run 'lines of a preprocessed file are not compared with those of a profile' 1 'cg2wg -q "$given/before" old
    cg2wg -q --print=html --base=old "$given/after" | grep -c "^\"lines"; rm old; false' out=0
run 'a comparison of lines says how many there are' 0 'cg2wg -q --print=lines --base="$given/before" "$given/after" | grep "^[bns]" | grep -o "[0-9]* lines*"' out='4 lines
4 lines
1 line'
run 'a page has the lines of functions, and their source with --source: also between them' 0 'printf "one\n<two>\n" >"$given/code/a.c"
    page_data() { cg2wg -q --print=html "$@" "$given/source" | page_rows | sed -n "/^\"lines/,/^\"stacks/p" | sed "\$d"; }
    page_data --source="$given/code"; page_data' out='"lines":\[
\[0,2,10,0,0,9,1,0,"/build/x/sub/h.h",7,20,0,3,27,10,5],
\[]],
"code":\[
\["/build/a.c",2,"<two>"],
\["/build/x/sub/h.h",7,"line 7","line 8","line 9","line 10",24,"line 24","line 25","line 26","line 27"]],
"lines":\[
\[0,2,10,0,0,9,1,0,"/build/x/sub/h.h",7,20,0,3,27,10,5],
\[]],'
run 'a page has each source once, under all names of its file' 0 'sed "s/^9 1/fi=sub\/h.h\n8 1/" "$given/source" >in
    cg2wg -q --print=html --source="$given/code" in | page_rows | sed -n "/^\"code/,/^\"stacks/p" | sed "1d;\$d" | cut -c 1-60; rm in' out='\["/build/a.c",2,"<two>"],
\["sub/h.h",7,"line 7","line 8","line 9","line 10",24,"line *
\["/build/x/sub/h.h",2]],'
run 'a page leaves out lines below its limit, and adds them up' 0 'cg2wg -q --print=html --min=30 "$given/source" | page_rows | sed -n "/^\"lines/,/^\"stacks/p" | sed "1d;\$d"' out='\["/build/x/sub/h.h",7,20,0,3,21]],'

# main of a.c calls g in line 5 of h.h, which has been inlined, and in its own line 6; k in line 6 of both.
printf 'events: Ir\n\nfl=a.c\nfn=main\n1 1\nfi=/i/h.h\ncfi=b.c\ncfn=g\ncalls=1 1\n5 10\ncfi=b.c\ncfn=k\ncalls=1 1\n6 20\nfe=a.c\ncfi=b.c\ncfn=g\ncalls=1 1\n6 30\ncfi=b.c\ncfn=k\ncalls=1 1\n6 40\n\nfl=b.c\nfn=g\n1 40\nfn=k\n1 60\n' >"$given/inlined"
run 'calls in inlined code name its file' 0 'for input in "$given/inlined" "$given/inlined $given/inlined --identity=file"; do
        cg2wg -q --function=main --function=g $input | grep "[0-9]  [gm]" | tr -s " "; done' out=' 40 39.60 40 39.60 2 g (b.c:1)
 30 29.70 1 75.00 6 main (a.c:1)
 10 9.90 1 25.00 5 main (a.c:1) at /i/h.h:5
 1 0.99 101 100.00 1 main (a.c:1)
 30 29.70 1 29.70 6 g (b.c:1)
 10 9.90 1 9.90 5 g (b.c:1) at /i/h.h:5*'
run '... beside which names that are shortened stay different' 0 'push="std::vector<%, std::allocator<%> >::push_back(%\&\&)"
    sed "s/fn=g/fn=$(echo "$push" | sed s/%/int/g)/; s/fn=k/fn=$(echo "$push" | sed s/%/long/g)/" "$given/inlined" >in
    cg2wg -q --width=80 --function=main in | grep -o "int\|long"; rm in' out='long
int
int'
run '... as they do with lines, and in JSON' 0 'for option in -q --lines; do
        cg2wg -q "$option" --print=json "$given/inlined" | grep -o "[^ ]*function\": [0-9]*, \"file\"[^}]*"; done | sort | uniq -c' out='      2 {"function": 0, "file": "/i/h.h", "line": 5, "count": 1, "cost": 10
      2 {"function": 0, "file": "/i/h.h", "line": 6, "count": 2, "cost": 60
      2 {"function": 1, "file": "/i/h.h", "line": 5, "count": 1, "cost": 10
      2 {"function": 2, "file": "/i/h.h", "line": 6, "count": 2, "cost": 60'

# pprof has no line 0 and no line without a cost; files are known by their ends.
if have go; then
    cat >"$given/pprof" <<'SCRIPT'
# go_pprof OPTION... : of p.pb
go_pprof() {
    HOME=$PWD go tool pprof -symbolize=none -unit=nanoseconds "$@" p.pb 2>/dev/null
}
# same_lines UNIT INPUT... [OPTION...]: the flat sums by line of the real pprof and of the table; UNIT: nanoseconds of 1
same_lines() {
    unit=$1
    shift
    cg2wg -q --no-demangle --print=pprof "$@" >p.pb
    go_pprof -top -lines -nodecount=10000 -nodefraction=0 |
        sed -n 's/^ *\([1-9][0-9]*\)[a-z]* .*% *\([^ ].*\) \([^ ]*:[1-9][0-9]*\)$/\1 \3 \2/p' |
        sed 's/^\([0-9]*\) [^ ]*\//\1 /' | sort >theirs
    [ "$unit" = "${unit#lines}" ] || shift # --lines is for pprof alone
    cg2wg -q --raw --no-demangle --print=lines "$@" | sed '1,/line and function/d' |
        awk -v unit="${unit#lines}" '$1 > 0 && !/:[?] / { sub(/.*\//, "", $4); $1 *= unit; $2 = $3 = ""; print }' |
        tr -s ' ' | sed 's/ *$//' | sort >ours
    comm -12 ours theirs | wc -l >common
    comm -3 ours theirs
}
SCRIPT
    # Self costs by function, of one program that callgrind ran with --separate-callers and without
    cat >"$given/leaves" <<'SCRIPT'
sums() { # of lines COST NAME, by the name without a recursion level
    awk -v level="'[0-9]+\$" '{ cost = $1; sub(/^[0-9]+ */, ""); sub(level, ""); sum[$0] += cost }
        END { for (name in sum) if (sum[name] > 0) print sum[name], name }' | sort
}
with=$top/testdata/valgrind/callers.out without=$top/testdata/valgrind/cache-branch.out
cg2wg -q --print=csv "$without" | tr -d '\r' | sed -n 's/^"\([^"]*\)",[^,]*,[0-9]*,"[^"]*",\([0-9]*\),.*/\2 \1/p' | sums >self
cg2wg -q --print=stacks --estimate "$with" | sed 's/^.*;//; s/\(.*\) \([0-9]*\)$/\2 \1/' | sums | diff self -
cg2wg -q --print=pprof --estimate "$with" >p.pb
go_pprof -top -nodecount=10000 -nodefraction=0 |
    sed '1,/flat%/d; s/^ *\([0-9]*\)[a-z]* .*% *\([^ ].*\)$/\1 \2/' | sums | diff self -
wc -l <self
SCRIPT
    run 'in stacks, names have no callers' 0 '. "$given/pprof"; . "$given/leaves"; rm -rf p.pb pprof self' out=24
    run 'go tool pprof has the same lines: of sums' 0 '. "$given/pprof"; same_lines 1 "$top/testdata/valgrind/default.out"
        awk "{ print (\$1 > 500) }" common; rm -rf p.pb pprof ours theirs common' out=1
    run '... of stacks' 0 '. "$given/pprof"; for name in 3.2-catalog 3.2-release 3.2-config 3.2-events 3.0-import; do
            same_lines 10 "$top/testdata/xdebug/$name.out"; cat common; done | awk "NF > 1 { print } { sum += \$1 } END { print (sum > 50) }"
        rm -rf p.pb pprof ours theirs common' out=1
    run '... of several inputs' 0 '. "$given/pprof"; same_lines 10 "$top/testdata/xdebug/3.2-catalog.out" "$top/testdata/xdebug/3.2-events.out"
        awk "{ print (\$1 > 15) }" common; rm -rf p.pb pprof ours theirs common' out=1
    run '... of estimated stacks' 0 '. "$given/pprof"; cg2wg --print=pprof --estimate "$given/sums" >p.pb
        go_pprof -top -lines | awk "sub(/nanoseconds/, \"\") { print \$1, \$6, \$7 }" | grep :; rm -rf p.pb pprof' out='30 f h.h:7
10 f a.c:2
5 g b.c:1'
    if have addr2line && ! on_windows; then
        run '... of a recording, with --lines' 0 '. "$given/pprof"; same_lines lines1 --lines "$top/testdata/perf/lines.data" --symfs="$symfs"
            cat common; rm -rf p.pb pprof ours theirs common' out=6
    else
        skip 'go tool pprof has the same lines: of a recording' 'no addr2line'
    fi
    # s costs 7 for line 3 of f, where main calls f at line 9, and 8 for line 5, at line 12.
    run 'stacks know the lines of calls and of costs' 0 '. "$given/pprof"
        printf "version: 1\ncreator: xdebug 3.2\nevents: Time_(10ns)\n\nfl=php:internal\nfn=s\n3 7\n\nfl=a.php\nfn=f\n2 10\ncfn=s\ncalls=1 0 0\n3 7\n\n" >in
        printf "fl=php:internal\nfn=s\n5 8\n\nfl=a.php\nfn=f\n2 20\ncfn=s\ncalls=1 0 0\n5 8\n\nfl=a.php\nfn=main\n1 2\n" >>in
        printf "cfn=f\ncalls=1 0 0\n9 17\ncfn=f\ncalls=1 0 0\n12 28\n\nsummary: 47\n" >>in
        cg2wg --print=pprof in >p.pb; go_pprof -traces -lines | awk "/^---/ { print line; line = \"\"; next } /:/ || /internal/ { line = line \$0 } END { print line }" |
            tr -s " " | grep a.php | sort; rm -rf p.pb pprof in' out=' 100ns f a.php:2 main a.php:9
 200ns f a.php:2 main a.php:12
 20ns main a.php:1
 70ns s php:internal f a.php:3 main a.php:9
 80ns s php:internal f a.php:5 main a.php:12'
    run 'inlined code has the name of its function in each file' 0 '. "$given/pprof"; sed "s/^fn=f/fn=v<int>::f(int)/" "$given/sums" >in
        cg2wg -q --print=pprof in >p.pb; HOME=$PWD go tool pprof -top p.pb 2>/dev/null | awk "\$1 ~ /^[0-9]+\$/ { print \$1, \$6, \$7 }"
        rm -rf p.pb pprof in' out='40 v::f 
5 g '
    run 'pprof lists the lines of a function before its first cost' 0 '. "$given/pprof"; printf "one\ntwo\nthree\nfour\n" >a.c
        printf "events: Ir\n\nfl=a.c\nfn=f\n4 5\n2 7\n0 1\n" >in; cg2wg -q --print=pprof in >p.pb
        go_pprof -list=f | sed 1,3d | tr -s " "; rm -rf p.pb pprof in a.c' out='7nanoseconds 7nanoseconds 2:two
 . . 3:three
5nanoseconds 5nanoseconds 4:four'
    # The object is a program that exists. Its code is not at the addresses 1 and 2, which pprof gives the lines; taken
    # for that, they make it panic, or show nothing.
    if ! on_windows; then
        printf 'events: Ir\n\nob=%s\nfl=%s/lines.c\nfn=f\n2 30\n3 5\n' "$program" "$given" >"$given/object"
        printf 'one\ntwo of f\nthree\n' >"$given/lines.c"
        run 'pprof lists the source of a program that exists' 0 '. "$given/pprof"; cg2wg -q --print=pprof "$given/object" >p.pb
            go_pprof -weblist=f -output=html && sed "s/<[^>]*>//g" html | grep "two of f" | tr -s " "
            PPROF_BINARY_PATH=${program%/*} go_pprof -weblist=f -output=html && grep -c "two of f" html
            go_pprof -top "-focus=${program##*/}" | sed -n "1p; s/^ *35[a-z]* .*/35/p"; rm -rf p.pb pprof html' out=" 2 30nanoseconds 30nanoseconds two of f 
1
File: ${program##*/}
35"
        # In place of source, a recording has the name of the program.
        run '... and takes no program for source' 0 '. "$given/pprof"; cp "$program" app
            printf "app 1 1.0: 5 cpu-clock:\n\t10 f+0x0 (%s)\n\n" "$PWD/app" >in
            cg2wg -q --print=pprof in >p.pb; HOME=$PWD go tool pprof -list=f p.pb 2>&1 | sed "s|$PWD/||; s| on path.*||" | grep -a app
            rm -rf p.pb pprof app in' out='ROUTINE =* f in \[app]
 Error: could not find file \[app]'
    fi
else
    for name in 'in stacks, names have no callers' 'go tool pprof has the same lines' \
        'stacks know the lines of calls and of costs' 'inlined code has the name of its function in each file' \
        'pprof lists the lines of a function before its first cost' \
        'pprof lists the source of a program that exists' '... and takes no program for source'; do
        skip "$name" 'no go'
    done
fi

# ---- the callgrind format

if have python3; then
    run 'a callgrind file has what the profile has, and is written again with the same bytes' 0 \
        'PYTHONDONTWRITEBYTECODE=1 python3 "$top/tests/cli/by_line_again.py" "$program" "$top"/testdata/valgrind/*.out \
            "$top"/testdata/other/*.out "$top"/testdata/xdebug/[23].*.out; ls; rm converted once twice' out='converted
once
profile
twice'
else
    skip 'a callgrind file has what the profile has' 'no python3'
fi
# What is shown of callgrind's levels of recursion and callers is one function. The reference is the profile's own table.
run 'a callgrind file of callgrind keeps the meaning of levels' 0 'for file in recursions default missing callers; do
        cg2wg -q "$top/testdata/valgrind/$file.out" | sed 1,4d | sort >before; cg2wg -q --print=callgrind "$top/testdata/valgrind/$file.out" >made
        cg2wg -q made | sed 1,4d | sort | cmp before - && echo the same; done | uniq -c | awk "{ print \$1, \$2, \$3 }"; rm before made' out='4 the same'
run 'so it is of recordings and reports' 0 'for file in "$top"/testdata/perf/*.data "$top"/testdata/perf/*.script "$top"/testdata/aprof/*.aprof; do
        case $file in *compressed*) command -v zstd >zstd || continue ;; esac
        cg2wg -q --print=callgrind "$file" >once; cg2wg -q --print=callgrind once | cmp - once && echo the same; done | sort | uniq -c | awk "{ print (\$1 > 8), \$2, \$3 }"; rm -f once zstd' out='1 the same'
# callgrind_annotate, KCachegrind and others look for a source file of each name but ???, as Valgrind writes it.
run 'a file that is not known is ???, and not the object' 0 'for file in "$top/testdata/aprof/v6-contexts.aprof" "$top/testdata/perf/time.data" "$top/testdata/perf/time.script"; do
        cg2wg -q --print=callgrind "$file" >once; grep "^fl=.* \|^cfi=.* " once; cg2wg -q --print=callgrind once | cmp - once
    done; rm once' out='fl=(1) [?][?][?]
fl=(1) [?][?][?]
fl=(1) [?][?][?]'
if have callgrind_annotate; then
    cat >"$given/annotate" <<'SCRIPT'
for profile in default cache-branch instr-jumps callers recursions; do
    cg2wg --print=callgrind "$top/testdata/valgrind/$profile.out" >ours
    for file in "$top/testdata/valgrind/$profile.out" ours; do
        callgrind_annotate --threshold=100 --inclusive=yes --tree=both --auto=no --show-percs=no $file 2>&1 |
            sed -n '/PROGRAM TOTALS/p;/file:function/,$p' | sort >"${file##*/}.annotated"
    done
    cmp "$profile.out.annotated" ours.annotated
    wc -l <ours.annotated
done | awk '{ sum += $1 } !/^[0-9]+$/ { print } END { print NR, (sum > 1000) }'
rm ours *.annotated
SCRIPT
    run 'callgrind_annotate prints the same of it' 0 'export top; . "$given/annotate"' out='5 1'
    run '... and takes no object for a file' 0 'cp "$program" app; printf "app 1 1.0: 5 cpu-clock:\n\t10 f+0x0 (%s)\n\n" "$PWD/app" >in
        cg2wg -q --print=callgrind in >out; callgrind_annotate out 2>&1 | grep -a "uninitialized\|annotated source\|:f " | sed "s|$PWD/||"
        rm in out app' out='5 (100.0%)  ???:f \[app]'
else
    skip 'callgrind_annotate prints the same of it' 'no callgrind_annotate'
fi
run 'a callgrind file has all events, with their formulas' 0 'cg2wg --print=callgrind "$top/testdata/valgrind/cache-branch.out" | sed -n "/^events/p;s/^summary: //p" >out
    sed -n "/^events/p;s/^totals: //p" "$top/testdata/valgrind/cache-branch.out" | cmp - out
    cg2wg -e "Sum = Ir + 10 Bcm" --print=callgrind "$top/testdata/valgrind/cache-branch.out" | grep "^events\|^summary"
    sed "s/^events:/event: Two = 2 Ir : Twice\n&/" "$top/testdata/valgrind/cache-branch.out" >in; cg2wg --print=callgrind in >out; cg2wg --list-events out | grep Two
    awk "/^totals:/ { print \$2 + 10 * \$12, 2 * \$2 }" in; rm in out' out='events: Sum
summary: 18518
Two                             27116  = 2 Ir  (Twice)
18518 27116'
run 'a callgrind file has 32 events at most' 1 'for n in 32 33; do printf "%s\n" "events: $(seq -s " e" $n)" "fn=f" "1 1" >in; cg2wg -q --print=callgrind in | grep -c "^events:"
    done; cg2wg -q --print=callgrind in; status=$?; rm in; exit $status' out='1
0' err='cg2wg: in: found more than 32 events, expected fewer; choose some
cg2wg: in: found more than 32 events, expected fewer; choose some'
run 'a long name of many functions is written once' 0 'name=$(printf %05000d 0); printf "events: Ir\nfl=%s\nfn=$name\n1 1\n" a b c >in; cg2wg -q --print=callgrind in >out
    grep -c "$name" out; cg2wg -q --print=csv out | wc -l; cg2wg -q --print=callgrind out | cmp - out; rm in out' out='1
4'
run 'a long file of inlined code is shortened in JSON' 0 'name=$(printf %05000d 0); printf "events: Ir\nfl=a\nfn=f\n1 1\nfi=$name\n2 1\n" >in
    cg2wg -q --print=json --lines in | grep -c "\"file\": \"0*\.\.\.[0-9a-f]*\", \"line\": 2,"; rm in' out='1'
# The sum of the calls in group.data.expected: a sample of a group is one sample of each event.
run 'calls of a recording with two events are those of one' 0 'for event in all cpu-clock; do
        cg2wg -q -e $event --print=callgrind "$top/testdata/perf/group.data" | awk -F "[= ]" "/^calls=/ { sum += \$2 } END { print sum }"
    done' out='226
226'
run 'events of a recording are read one after the other' 0 'cg2wg -q --print=callgrind "$top/testdata/perf/two.data" | sed -n "s/^summary: //p;/^events:/p"
    cg2wg -q --list-events "$top/testdata/perf/two.data" | sed "/^pid/d"' out='events: cpu-clock:u page-faults/period=1/u
100300900 461
cpu-clock:u                 100300900
page-faults/period=1/u            461'
run 'clocks of a recording are not added up' 0 'for event in page-faults:5 cpu-clock:70 task-clock:u:900; do
        printf "a 1 1.0: %10d %s:\n\t1 f (/a)\n\n" "${event##*:}" "${event%:*}"
    done >in; cg2wg -q --print=callgrind in >out; grep "^events\|^summary" out; tail -1 out
    cg2wg -q -e all --print=csv in | cut -d, -f5,7,9; cg2wg -q --print=html in | grep "^\"event\""; cg2wg -q -e task-clock out copy
    cg2wg --print copy | grep "^total"; rm in out copy' out='events: page-faults cpu-clock task-clock:u
summary: 5 70 900
0 5 70 900
"page-faults","cpu-clock","task-clock:u"
5,70,900
"event":"page-faults",
"event":"cpu-clock",
"event":"task-clock:u",
total:   90'
run 'events whose samples are counted have their own names' 0 'for event in page-faults cycles cycles branches; do
        printf "a 1 1.0: $event:\n\t1 f (/a)\n\n"
    done >in; cg2wg -q --print=callgrind in >out; grep "^events\|^summary" out; tail -1 out
    cg2wg -q -e all --print=csv in | cut -d, -f5,7,9; cg2wg -q --print=html --base=in in | grep "^\"event\""
    cg2wg -q --print=callgrind in in | grep "^summary"; cg2wg -q in in | grep ^total; sed 4q in >one; printf "g;f 5\n" >folded
    for inputs in "one one" "folded one" "one folded"; do cg2wg -q $inputs | grep ^total; done; cg2wg -q -e Samples one | grep ^total
    rm in out one folded' out='events: Samples cycles branches
summary: 1 2 1
0 1 2 1
"Samples","cycles","branches"
1,2,1
"event":"Samples",
"event":"cycles",
"event":"branches",
summary: 2 4 2
total:   2 in 2 runs
total:   2 in 2 runs
total:   6 in 2 runs
total:   6 in 2 runs
total:   1'
run 'what is read from a callgrind file is written again, without an event and with blanks around names' 0 '
    printf "version: 1\nfl=\\0a\\0\nfn=\\0\n1 10\nfn=g\\0\\0\n2 5\nsummary: 15\n" >in; printf "events: Ir\nfn=f\n1 7\nsummary: 7\n" >other
    for inputs in in "other in" "in other"; do
        cg2wg -q --print=callgrind $inputs >once; cg2wg --strict --print=callgrind once >twice && cmp once twice; sed -n "/^events/p;/^f[nl]=.*[a?]/p" once
    done; rm in other once twice' out='events: unknown
fl=(1) ?a?
fn=(1) ?
fn=(2) g ?
events: Ir*'
run 'the name of a formula is one word in a callgrind file' 0 'printf "events: A B\nfn=f\n1 10 20\n" >in
    cg2wg -q -e "A,A + 3 B" --print=callgrind in >out; grep ^events out; cg2wg --list-events out | tr -s " "
    cg2wg -q -e "A_+_3_B" --print=callgrind out | tail -1; rm in out' out='events: A A_+_3_B
A 10
A_+_3_B 70
1 70'
run 'parts with other events' 0 'printf "events: A B\nfn=f\n1 10 20\n\nevents: A C\nfn=f\n1 1 2\nfn=g\n3 3 5\n" >in
    cg2wg -q --print=callgrind in | sed -n "/^events/,\$p"; rm in' out='events: A B C
summary: 14 20 7

fl=
fn=(1) f
1 11 20 2

fl=
fn=(2) g
3 3 0 5'
run 'several profiles are merged' 0 'cg2wg --print=callgrind profile profile >out; cg2wg --print=callgrind profile | awk "/^summary/ { print 2 * \$2 }"
    sed -n "s/^summary: //p" out; cg2wg -o out.callgrind profile profile; cmp out out.callgrind; rm out out.callgrind' out='*'
# What ends a line is a blank in a name, inlined code has fi= and what follows it fe=, and the object is said when it changes.
run 'a callgrind file by the letter' 0 'printf "events: A\nob=/o\nfl=x\ry\nfn=a\0b\n1 5\nfi=i\n3 4\nfe=x\ry\n2 -2\ncfn=h\ncalls=18446744073709551615 1\n2 8\n\nob=\nfl=b\nfn=g\n2 7\ncob=/o\ncfi=b\ncfn=k\ncalls=1 1\n3 0\n" >in
    cg2wg -q --print=callgrind in | sed -n "/^ob/,\$p"; rm in' out='ob=(1) /o
fl=(1) x y
fn=(1) a b
1 5
fi=(2) i
3 4
fe=(1)
2 -2
cfi=(1)
cfn=(2) h
calls=9223372036854775807 0
2 8

fl=(1)
fn=(2)

ob=
fl=(3) b
fn=(3) g
2 7
cob=(1)
cfi=(3)
cfn=(4) k
calls=1 0
3 0

ob=(1)
fl=(3)
fn=(4)'
run 'names that the format would take for others' 0 'printf "events: A\nfl=(1) (2) x\nfn=(1) (9) y\n1 5\nfn=\n2 7\n" >in; cg2wg -q --print=callgrind in >out
    cg2wg --print=callgrind out | cmp - out; cg2wg --print=json out | grep -o "\"name\": \"[^\"]*\", \"file\": \"[^\"]*\""; rm in out' out='"name": "", "file": "(2) x"
"name": "(9) y", "file": "(2) x"'
# Calls of one arc from code of two files that free as much as they allocate: what recursion leaves, which is all.
run 'calls of both signs' 0 'printf "events: Bytes\nfl=a\nfn=main\n1 10\nfi=b\ncfi=a\ncfn=f\ncalls=1 5\n7 5\nfi=c\ncfi=a\ncfn=f\ncalls=1 5\n7 -5\n\nfn=f\n5 3\n" >in
    cg2wg -q --print=lines --sort=name in | sed "1,/function/d" | tr -s " "; rm in' out=' 3 23.08 0 a:5 f
 10 76.92 0 a:1 main
 0 0.00 5 b:7 main
 0 0.00 -5 c:7 main'
# A call of f by itself counts within the other one, so 10 of the 40 are left: -30, of which each row takes the part that
# its size is of 80, the first one rounded down.
run 'rows of an arc share what recursion takes from it' 0 'printf "events: Bytes\nfl=a\nfn=f\n1 10\nfi=b\ncfi=a\ncfn=f\ncalls=1 0\n3 60\nfi=c\ncfi=a\ncfn=f\ncalls=1 0\n3 -20\n" >in
    cg2wg -q --print=lines in | sed "1,/function/d" | tr -s " "; rm in' out=' 10 100.00 0 a:1 f
 0 0.00 37 b:3 f
 0 0.00 -27 c:3 f'

# Calls that proxies have made wait for their callers until the file ends, and then make lines, for which there must be
# room: a1 to a2000 cost 1 more than their calls, which take 1 to 2000 bytes.
run 'what proxies have called without a caller is kept by line' 0 'awk "BEGIN { print \"creator: xdebug 3\nevents: Time Memory\"; for (i = 1; i <= 2000; i++) print \"\nfl=x\nfn=b\n1 1 \" i \"\n\nfl=x\nfn=a\" i \"\n1 1 0\ncfl=x\ncfn=b\ncalls=1 0 0\n\" i \" 1 \" i; print \"\nsummary: 4000 2001000\" }" >in
    cg2wg -q --print=callgrind --proxy="a*" in | awk "calls { sum += \$3; n++ } { calls = /^calls=/ } END { print n, sum }"; rm in' out='2000 2001000'

finish
