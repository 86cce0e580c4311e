#!/bin/sh
# SPDX-License-Identifier: MIT
# print.sh PROGRAM: --print reads what the writers have written, and nothing that is damaged.
. "$(dirname "$0")/suite.inc"

for version in 4 5 6 7; do
    cg2wg -f "$version" "$given/profile" "$given/v$version" || exit 2
done

# ---- the table

# Xdebug writes lines of callers for functions of php:internal, which has none.
table() { # PLACE_OF_MAIN PLACE_OF_F
    echo "20 57.14 35 100.00 1 {main} (/t.php$1)"
    echo "10 28.57 15 42.86 1 f (/t.php$2)"
    echo "5 14.29 5 14.29 1 php::strlen (php:internal)"
}
for version in 4 5 6; do
    table '' '' >"$given/table$version"
done
table :1 :3 >"$given/table7"
for version in 4 5 6 7; do
    for form in --print --print=table; do
        run "$form of version $version" 0 \
            "cg2wg $form '$given/v$version' | tr -s ' ' | sed 's/^ //' >table
             sed '1,/^self/d' table | cmp - '$given/table$version' && head -n 1 table" \
            out="format: $version, 3 functions" files='profile table'
    done
done
run 'the table has a head' 0 'cg2wg --print "$given/v7"' \
    out='*format: *7*cmd: */t.php*creator: *xdebug 3.1.0*events: *Time_(10ns) Memory_(bytes)*total: *35*self *% *inclusive *% *calls *function*'
run '--print writes no file and changes none' 0 \
    'cp "$given/v7" pre; cg2wg --print pre >/dev/null && cmp pre "$given/v7"' files='pre profile'
run 'a long name is cut between two characters' 0 \
    '{ printf "events: Ir\nfn="; yes ä | head -n 3000 | tr -d "\n"; printf "\n1 1\nsummary: 1\n"; } >in
     cg2wg --print=json in | grep -c "ä\.\.\.[0-9a-f]*\"" ; cg2wg --print=json in | grep -c name_bytes; rm in; true' out='1
0'
run 'percentages are of the sum over the runs' 0 \
    '{ cat profile; echo "==== NEW PROFILING FILE ====="; cat profile; } >in; cg2wg in pre
     cg2wg --print pre | tr -s " " | grep -e total -e main' \
    out='total: 70 in 2 runs
 40 57.14 70 100.00 2 {main} (/t.php:1)' files='in pre profile'
run 'headers of several runs are shown once, commands with their number' 0 \
    '{ cat profile; sed s,/t.php,/u.php, profile; cat profile profile; } >in; cg2wg in pre
     cg2wg --print pre | sed -n "1,/^$/{ /^format/d; /^$/d; p; }" >head; cat head | tr -s " "' \
    out='cmd: /t.php (3 runs)
cmd: /u.php
creator: xdebug 3.1.0
events: Time_(10ns) Memory_(bytes)
total: 140 in 4 runs' files='head in pre profile'
run 'profiles whose number is malformed are one' 0 \
    'cg2wg -q -o in profile profile; LC_ALL=C sed "s/^cg2wg-cmd: 2/cg2wg-cmd: 0/" in >pre
     cg2wg --print=json pre | grep "\"runs\""; rm in pre' out='  "runs": 1,'
run 'many runs with headers of their own do not take long' 0 \
    'awk "BEGIN { for (i = 0; i < 40000; i++)
         printf \"version: 1\\ncreator: xdebug 3.1.0\\ncmd: /%d.php\\nevents: Time\\n\\nfl=a\\nfn=f\\n1 1\\n\\nsummary: 1\\n\\n\", i % 30000 }" >in
     timeout 60 "$program" --print in | grep -c "^cmd:.*  (2 runs)"' out=10000 files='in profile'
run 'without a total there are no percentages' 0 \
    'printf "events: Ir\nsummary: 0\nfl=a.c\nfn=main\n3 0\n" >in; cg2wg in pre
     cg2wg --print pre | tr -s " " | grep main' out=' 0 - - - - main (a.c:3)' files='in pre profile'

# ---- the page for browsers; test_page.c is about its data, tests/check/page.sh opens it

# Lines of the data of a page: about functions and what is left out of them; about stacks.
functions_of() { # ARGUMENT...
    cg2wg --print=html "$@" | page_rows | sed -n '1,/^"groups"/{ /^"left"/p; /^\([0-9]\|\[\[\)/p; }'
}
stacks_of() { # ARGUMENT...
    cg2wg --print=html "$@" | sed -n '/^"frame_limit"/p; /^"negative/p; /^"stacks"/p'
}
for version in 4 5 6 7; do
    file=0 line=0
    [ "$version" != 7 ] || file=3 line=1
    run "a page of version $version" 0 'functions_of "$given/v$version"' out='"left":{"functions":0,"self":0,"invocations":0},
0,"f","/t.php",'$file',10,15,1,0,0,
0,"php::strlen","php:internal",0,5,5,1,"php",0,
0,"{main}",1,'$line',20,35,1,0,0],
\[\[1,4,1,5],\[]],
\[\[],\[]],
\[\[0,7,1,15],\[]]],'
done
run 'a page of a profile' 0 'functions_of profile; cg2wg --print=html profile | tail -n 1' out='*"{main}",1,1,20,35,1,0,0]*</html>'
run 'a page has the stacks of invocations' 0 'stacks_of profile' out='"frame_limit":0,
"negative_stacks":0,
"stacks":\[0,-1,35,0,0,2,35,20,1,0,15,10,2,1,5,5],'
# A stack of 1000030, and one of -999945, which --print=stacks leaves out.
printf %b 'creator: xdebug 3.2.0\nevents: Memory_(bytes)\n\nfl=a\nfn=take\n1 1000030\n\n' \
    'fl=a\nfn=free\n2 -999945\n\nfl=a\nfn={main}\n1 0\ncfn=take\ncalls=1 0\n3 1000030\ncfn=free\ncalls=1 0\n' \
    '4 -999945\n\nsummary: 500\n' >"$given/freed"
run 'the frames are those of --print=stacks, also where costs are negative' 0 \
    'stacks_of -q "$given/freed"; cg2wg -q --print=stacks "$given/freed"' out='"frame_limit":0,
"negative_stacks":0,
"stacks":\[0,-1,1000030,0,0,2,1000030,0,1,1,1000030,1000030],
{main};take 1000030'
run 'frames of functions that are left out stay, without a name' 0 'stacks_of --hide=f profile' \
    out='*"stacks":\[0,-1,35,0,0,1,35,20,1,-1,15,10,2,0,5,5],'
run 'what a page leaves out is added up: self costs, invocations, and calls from and to it' 0 'functions_of --hide=f profile' \
    out='"left":{"functions":1,"self":10,"invocations":1},
0,"php::strlen","php:internal",0,5,5,1,"php",0,
0,"{main}","/t.php",1,20,35,1,0,0],
\[\[],\[1,5]],
\[\[1,15],\[]]],'
run 'frames below the limit are left out' 0 'stacks_of --min=20 profile' out='"frame_limit":20,
"negative_stacks":0,
"stacks":\[0,-1,35,0,0,1,35,20,1,0,15,10],'
# f costs 15 with php::strlen below it, which is left out, too.
run 'what is below a frame that is left out is part of its cost' 0 \
    'cg2wg --print=html --min=50 profile | grep -o "\"frames_left.*"' out='"frames_left":2,
"frames_left_cost":15}'
run 'a page of sums has estimated stacks: the same if each function has one caller' 0 \
    'stacks_of profile | tail -n 1 >exact; stacks_of "$given/v7" | tail -n 1 | cmp - exact; rm exact
     for inputs in profile "$given/v7"; do cg2wg --print=html "$inputs" | grep "^\"estimated"; done' out='"estimated":0,
"estimated":1,'
cp "$given/profile" "$given/other"
run 'if the stacks of one input are estimated, so is their sum' 0 'for inputs in "$given/other" "$given/v7"; do
        cg2wg -q --print=html -e Time profile "$inputs" | grep "^\"estimated"; cg2wg -q --print=html -e Time "$inputs" profile | grep "^\"estimated"
    done' out='"estimated":0,
"estimated":0,
"estimated":1,
"estimated":1,'
run 'a page takes nothing from elsewhere' 0 \
    'cg2wg --print=html profile | sed "s/URL\.[a-z]*ObjectURL(//" >page; grep -ciE "https?:|url\(|@import|src=|onclick=|style=" page; rm page' out=0
if have openssl; then
    run 'a page permits its own script and style, by their hashes' 0 \
        'cg2wg --print=html profile >page
         for part in script style; do
             hash=$(awk -v start="<$part>" -v end="</$part>" "index(\$0, start) == 1 { on = 1; \$0 = substr(\$0, length(start) + 1) }
                        index(\$0, end) == 1 { on = 0 } on" page | openssl dgst -sha256 -binary | openssl base64)
             grep -c -F "$part-src '\''sha256-$hash'\''" page
         done; rm page' out='1
1'
else
    skip 'a page permits its own script and style, by their hashes' 'needs openssl'
fi
run 'a page cannot be made of what is damaged' 1 'head -c 100 "$given/v7" >in; cg2wg --print=html in' \
    err='cg2wg: in: *' files='in profile'

# ---- on a terminal

printf %b 'creator: x\n' \
    'cmd: /usr/bin/something with so many arguments that they do not fit into a line of any terminal that is used\n' \
    'events: Ir\nsummary: 1234567890\n' \
    'fl=/a/path/that/is/far/too/long/for/a/terminal/of/usual/width/file.cpp\n' \
    'fn=a_namespace::a_class_of_some_length::a_method_with_a_long_name(int, char const*)\n123456 1234567890\n' \
    'fl=b.c\nfn=main\n7 0\ncfl=/a/path/that/is/far/too/long/for/a/terminal/of/usual/width/file.cpp\n' \
    'cfn=a_namespace::a_class_of_some_length::a_method_with_a_long_name(int, char const*)\ncalls=1 123456\n' \
    '8 1234567890\n' >"$given/wide"
if has_terminal; then
    run 'on a terminal: thousands are grouped, a name loses its namespaces, the path its folders' 0 \
        'on_terminal 80 "\"\$PROGRAM\" --print \"$given/wide\""' out='cmd:     /usr/bin/something with so many arg~a line of any terminal that is used
creator: x
events:  Ir
total:   1,234,567,890

         self      %     inclusive  function
1,234,567,890 100.00 1,234,567,890  a_method_with_a_long_name  (file.cpp:123456)
            0   0.00 1,234,567,890  main  (b.c:7)'
    # The last arguments go first, and only as many as need be; `operator<` has none of its own.
    printf 'creator: x\nevents: Ir\nob=/usr/lib/libz.so.1.2\nfl=/src/v.h\nfn=std::vector<int, std::allocator<int> >::push_back(int&&)\n7 10\nfn=bool ns::operator< <int>(int const&, int const&)\n7 9\nfn=main::{lambda(int)#1}::operator()(int) const\n9 8\nfl=???\nfn=0x0000000000401a20\n0 7\nfn=0x0000000000000000\n0 3\ncfn=0x0000000000401a20\ncalls=1 0\n0 5\nfn=0x0000000000401a20'"'"'0x0000000000000000'"'"'2\n0 2\n' >"$given/short"
    run 'on a terminal: a name of C++ loses its arguments, an address or one of a caller its zeros; without a file, there is its object' 0 \
        'for columns in 60 100; do on_terminal $columns "\"\$PROGRAM\" -q \"$given/short\"" | sed -E "1,/function\$/d; s/^( *[0-9.]+ +)+//"; done' out='std::vector<~>::push_back(~)  (/src/v.h:7)
bool ns::operator< <int>(~)  (/src/v.h:7)
~::operator()(~) const  (/src/v.h:9)
0x401a20  (libz.so.1.2)
0x0  (libz.so.1.2)
0x401a20'"'"'0x0'"'"'2  (libz.so.1.2)
std::vector<int, std::allocator<int> >::push_back(int&&)  (v.h:7)
bool ns::operator< <int>(int const&, int const&)  (/src/v.h:7)
main::{lambda(int)#1}::operator()(int) const  (/src/v.h:9)
0x401a20  (libz.so.1.2)
0x0  (libz.so.1.2)
0x401a20'"'"'0x0'"'"'2  (libz.so.1.2)'
    run 'on a terminal: no line is wider than it, and numbers are whole' 0 \
        'for columns in 65 70 79 80 81 100 120 131 200; do
             on_terminal $columns "\"\$PROGRAM\" --print \"$given/wide\"" >shown
             awk -v columns=$columns "length > columns" shown; grep -c "1,234,567,890 .*1,234,567,890 " shown
             [ $columns -lt 100 ] || grep -c ":123456)" shown
         done | sort | uniq -c | tr -s " "; rm shown' out=' 13 1'
    run 'on a terminal: a script keeps its end' 0 \
        'sed "s,^cmd: .*,cmd: /srv/www/a/$(printf %080d 0)/of/the/shop/index.php," profile >in
         on_terminal 80 "\"\$PROGRAM\" --print in" | sed -n "s/^cmd: *//p"; rm in' \
        out='~000000000000000000000000000000000000000000000000/of/the/shop/index.php'
    run 'on a terminal: names are whole where they fit' 0 \
        'on_terminal 250 "\"\$PROGRAM\" --print \"$given/wide\"" | grep -c "const\*)  (/a/path.*:123456)"' out=1
    run 'on a terminal: JSON is whole' 0 \
        'on_terminal 80 "\"\$PROGRAM\" --print=json \"$given/wide\"" >shown
         cg2wg --print=json "$given/wide" | cmp - shown; grep -c "^{" shown; rm shown' out=1
    # An argument is never broken; the longest one ends in column 64.
    run '--help fits a terminal' 0 \
        'for columns in 72 80 90 100; do
             on_terminal $columns "\"\$PROGRAM\" --help=all" >shown
             awk -v columns=$columns "length > columns" shown; wc -l <shown
         done | sort -rnuc; rm shown'
    run 'on a terminal: a line of the usage takes all of its width' 0 \
        'for columns in 56 57; do
             on_terminal $columns "\"\$PROGRAM\" --help" | awk "/INPUT OUTPUT/ { print NF }"
         done' out='4
5'
    run 'on a terminal: a report fits it' 0 \
        'for style in table plot; do
             on_terminal 80 "\"\$PROGRAM\" --print=$style \"$top/testdata/aprof/v6-contexts.aprof\"" >shown
             awk "length > 80" shown; grep -c 103,254 shown
         done; rm shown' out='1
1'
    run 'on a terminal: a plot is as wide as it' 0 \
        'on_terminal 50 "\"\$PROGRAM\" --print=plot \"$top/testdata/aprof/v6-contexts.aprof\"" >shown
         awk "length > 50" shown; grep -q "+----------------------------------$" shown && echo some
         rm shown' out=some
else
    skip 'on a terminal: thousands are grouped' "$no_terminal"
fi
run 'elsewhere everything is whole, and no number is grouped' 0 \
    'cg2wg --print "$given/wide" | grep -c -e "a_name.*const\*)  (/a/path.*:123456)" -e "cmd:.*is used$" -e " 1234567890$"' \
    out=3

# order NAMES OPTIONS...: the functions in the order in which they are shown
printf %b 'events: Ir\nfl=b.c\nfn=delta\n1 10\ncfn=alpha\ncalls=7 1\n2 1\n' \
    'fn=alpha\n5 1\ncfn=beta\ncalls=2 1\n3 100\nfn=gamma\n1 30\nfn=beta\n1 2\nsummary: 43\n' >"$given/orders"
cg2wg "$given/orders" "$given/orders7" || exit 2
order() {
    names=$1
    shift
    for options; do
        run "the order is $names: --print $options" 0 \
            'cg2wg --print $options "$given/orders7" | sed -n "s/.* \([a-z]*\)  (b.c.*/\1/p" |
             tr "\n" " "' out="$names "
        run "the order is $names: --print=json $options" 0 \
            'cg2wg --print=json $options "$given/orders7" | sed -n "1,/other_functions/s/.*\"name\": \"\([a-z]*\)\".*/\1/p" |
             tr "\n" " "' out="$names "
    done
}
order 'gamma delta beta alpha' '' --sort=self '--sort self' '--sort=name --sort=self' --top=4 \
    --top=99 --top=4294967295
order 'alpha gamma delta beta' --sort=inclusive
order 'alpha beta delta gamma' --sort=invocations --sort=name
order 'delta alpha beta gamma' --sort=none
order 'gamma delta' --top=2 '--top 2' '--top=1 --top 2'
order 'alpha' '--top=1 --sort=name' '--sort=inclusive --top=1'
run 'the table says how many it does not show' 0 'cg2wg --print --top=1 "$given/orders7" | tail -n 1' \
    out='*3 more, with 30.23 % of the total'
run 'options may follow the file' 0 \
    'cg2wg "$given/orders7" --top 1 --print | grep -c "(b.c"' out=1

events_of() { # ARGUMENT...
    cg2wg -q --print=html "$@" | sed -n 's/^"event":"\(.*\)",$/\1/p' | tr '\n' ' '
}
run 'a page has all events of a profile whose parts have the same' 0 \
    'p=$top/testdata/xdebug/3.0-import.out; events_of "$p"; events_of -e Memory "$p"; events_of - <"$p"; gzip -c "$p" >in.gz
     events_of in.gz; cg2wg -q "$p" out; events_of out; { cat "$p"; sed "s/ Memory_(bytes)//" "$p"; } >in; events_of in; rm in in.gz' \
    files='out profile' \
    out='Time_(10ns) Memory_(bytes) Memory_(bytes) Time_(10ns) Memory_(bytes) Time_(10ns) Memory_(bytes) Time_(10ns) Time_(10ns) '
run 'events without costs, and those after the thirty-second, are not in a page' 0 \
    '{ printf "events:"; for i in $(seq 40); do printf " e$i"; done; printf "\nfl=a\nfn=f\n1 1 0"; for i in $(seq 38); do printf " $i"; done; echo; } >in
     events_of in; rm in' files='profile' out='e1 e3 e4 e5 e6 e7 e8 e9 e10 e11 e12 e13 e14 e15 e16 e17 e18 e19 e20 e21 e22 e23 e24 e25 e26 e27 e28 e29 e30 e31 e32 '
run 'events whose self costs add up to 0, or that only calls have, are in a page' 0 \
    'printf "events: Ir Net Calls None\nfn=f\n1 5 300 0 0\nfn=main\n2 4 -300 0 0\ncfn=f\ncalls=1 1\n2 5 300 7 0\n" >in
     events_of in; rm in' files='profile' out='Ir Net Calls '
run 'each event of a page is what it is alone; what was reported is not repeated' 0 \
    '{ cat "$top/testdata/xdebug/3.0-import.out"; echo nonsense; } >in; cg2wg --print=html in 2>err >all; cg2wg -q --print=html -e Memory in >one; wc -l <err
     sed -n "/\"Memory_/,/^\"stacks/p" all >a; sed -n "/\"Memory_/,/^\"stacks/p" one | diff - a; rm a all err in one' \
    files='profile' out='*1'

# ---- JSON

headers='"headers":[{"key":"version","value":"1"},{"key":"creator","value":"xdebug3.1.0"},{"key":"cmd","value":"/t.php"},{"key":"part","value":"1"},{"key":"positions","value":"line"},{"key":"events","value":"Time_(10ns)Memory_(bytes)"},{"key":"summary","value":"350"}]'
facts='"event":"Time_(10ns)","unit":"ns","divisor":10,"runs":1,"total":35,"percent_of":35'
all='"left_out":{"functions":0,"cost":0,"percent":0.00}'
main='"number":2,"name":"{main}","file":"/t.php"'
f='"number":1,"name":"f","file":"/t.php"'
strlen='"number":0,"name":"php::strlen","file":"php:internal"'
main_sums='"self":20,"inclusive":35,"invocations":1'
f_sums='"self":10,"inclusive":15,"invocations":1'
strlen_sums='"self":5,"inclusive":5,"invocations":1'
from_main='{"function":2,"line":7,"count":1,"cost":15}'
to_f='{"function":1,"line":7,"count":1,"cost":15}'
from_f='{"function":1,"line":4,"count":1,"cost":5}'
to_strlen='{"function":0,"line":4,"count":1,"cost":5}'

cat >"$given/json7" <<JSON
{"version":7,$facts,$headers,$all,"functions":[
{$main,"line":1,$main_sums,"called_from":[],"sub_calls":[$to_f]},
{$f,"line":3,$f_sums,"called_from":[$from_main],"sub_calls":[$to_strlen]},
{$strlen,"line":0,$strlen_sums,"called_from":[$from_f],"sub_calls":[]}],"other_functions":[]}
JSON
sed 's/,"line":[0-9]*,"self/,"self/; s/"version":7/"version":6/' "$given/json7" >"$given/json6"
sed 's/"version":6/"version":5/' "$given/json6" >"$given/json5"
cat >"$given/json4" <<JSON
{"version":4,$facts,$headers,$all,"functions":[
{$main,$main_sums,"call_cost":0,"invocation_records":[{"self":20,"inclusive":35,"called_from":null,
"sub_calls":[{"function":1,"invocation":0,"line":7,"cost":15}]}],"called_from":[],"sub_calls":[$to_f]},
{$f,$f_sums,"call_cost":15,"invocation_records":[{"self":10,"inclusive":15,
"called_from":{"function":2,"invocation":0,"line":7,"cost":15},
"sub_calls":[{"function":0,"invocation":0,"line":4,"cost":5}]}],"called_from":[$from_main],"sub_calls":[$to_strlen]},
{$strlen,$strlen_sums,"call_cost":5,"invocation_records":[{"self":5,"inclusive":5,
"called_from":{"function":1,"invocation":0,"line":4,"cost":5},"sub_calls":[]}],"called_from":[$from_f],"sub_calls":[]}],
"other_functions":[]}
JSON

# Is a file JSON? By any program that this machine has.
echo '{"a": [1, "b"]}' >"$given/good.json"
json_checker=
for candidate in \
    'python3 -c "import json,sys;json.loads(open(sys.argv[1],\"rb\").read().decode())"' \
    'node -e "JSON.parse(new TextDecoder(\"utf-8\",{fatal:true}).decode(require(\"fs\").readFileSync(process.argv[1])))"' \
    'perl -MJSON::PP -e "local \$/;open(F,\$ARGV[0]);JSON::PP->new->utf8->decode(<F>)"' \
    'jq -e .'; do
    if eval "$candidate \"\$given/good.json\"" >/dev/null 2>&1; then
        json_checker=$candidate
        break
    fi
done
[ -n "$json_checker" ] || skip 'JSON is valid' 'no python3, node, perl or jq'

is_json() { # FILE
    [ -n "$json_checker" ] || return 0
    eval "$json_checker \"\$1\"" >/dev/null 2>"$scratch/json-errors" || cat "$scratch/json-errors"
}

for version in 4 5 6 7; do
    run "--print=json shows everything in version $version" 0 \
        "cg2wg --print=json '$given/v$version' >json && is_json json && tr -d ' \n' <json >squeezed
         tr -d '\n' <'$given/json$version' | cmp - squeezed" files='json profile squeezed'
    for options in --top=1 --sort=name '--top=2 --sort=none'; do
        run "it is JSON: version $version with $options" 0 \
            "cg2wg --print=json $options '$given/v$version' >json && is_json json" \
            files='json profile'
    done
done
run 'the last --print holds' 0 'cg2wg --print=json --print=table "$given/v7" | sed -n 1p' \
    out='format: *'

# ---- names with everything in them

# Limits of UTF-8: U+0800 and a sequence too long for its number, U+FFFF, U+10000, U+10FFFF and numbers
# beyond, continuation bytes alone, and sequences without one.
{
    printf 'creator: x\nevents: Ir\nsummary: 9\nfl=a\n'
    printf 'fn=a\340\240\200\n1 1\nfn=b\340\237\277\n1 1\nfn=c\357\277\277\n1 1\nfn=d\360\220\200\200\n1 1\n'
    printf 'fn=e\364\217\277\277\n1 1\nfn=f\364\220\200\200\n1 1\nfn=g\342\050\241\n1 1\nfn=h\342\202\050\n1 1\n'
    printf 'fn=i\342\202\300\n1 1\n'
} >"$given/utf8"
run 'UTF-8 to its ends in JSON' 0 \
    'cg2wg "$given/utf8" pre && cg2wg --print=json --sort=none pre >json && is_json json &&
     sed -n "s/.*\"name\": \(\".*\"\), \"file.*/\1/p" json >names
     printf "\"a\340\240\200\"\n%s\n\"c\\\\uffff\"\n\"d\360\220\200\200\"\n\"e\364\217\277\277\"\n" \
         "\"b\\ufffd\\ufffd\\ufffd\", \"name_bytes\": \"62e09fbf\"" >expected
     cat >>expected <<"END"
"f\ufffd\ufffd\ufffd\ufffd", "name_bytes": "66f4908080"
"g\ufffd(\ufffd", "name_bytes": "67e228a1"
"h\ufffd\ufffd(", "name_bytes": "68e28228"
"i\ufffd\ufffd\ufffd", "name_bytes": "69e282c0"
END
     cat expected | sort >sorted; sort names | cmp - sorted' files='expected json names pre profile sorted'
run 'times that webgrind does not know are shown as they are, and converted to those that it knows' 0 \
    'printf "events: ms\nsummary: 3\nfn=f\n1 3\n" >in; cg2wg in out; for file in in out; do
         cg2wg $file | sed -n "s/^ *\([0-9]*\) .*  f\( .*\)*$/\1/p; /^[et]/p"
     done; rm out' out='events:  ms
total:   3
3
events:  Time
total:   3000
3000' files='in profile'
run 'without calls, more invocations than one in each run are shown, also if only the first function has them' 0 \
    'printf "events: Ir\nsummary: 3\nfn=f\n1 1\nfn=g\n1 1\nfn=f\n1 1\n" >in
     cg2wg --records=invocations in | sed -n "s/.* \([-0-9]*  [fg]\)$/\1/p"' out='2  f
1  g' files='in profile'
run 'functions of one name, sorted by it, stay in order; one may have no file' 0 \
    'printf "creator: x\nevents: Ir\nsummary: 6\nfn=g\n1 1\nfl=a\nfn=f\n1 2\nfl=b\nfn=f\n1 3\n" >in
     cg2wg in pre && cg2wg --print --sort=name pre | sed -n "s/^ *\([0-9][0-9]*\) .*  \([fg]\)\(.*\)/\1 \2\3/p"' \
    out='2 f  (a:1)
3 f  (b:1)
1 g' files='in pre profile'

awk 'BEGIN {
    print "events: Ir\ncmd: a \"quoted\" \\ word\t and \001 \377\nfl=C:\\dir\\\"f\".php"
    printf "fn=quo\"te\\\n1 1\nfn=tab\there\n1 1\nfn=esc\033[31m\177\302\233\n1 1\nfn=bad\377\300\200\355\240\200\n1 1\n"
    printf "fn=\303\244\342\202\254\360\237\230\200\n1 1\nfn=cut\342\202\n1 1\nfn=/*</script>*/ %%s\n1 1\nsummary: 8\n"
}' >"$given/odd"
printf 'fn=zero\000byte\n1 1\n' >>"$given/odd"
for version in 4 5 6 7; do
    run "names of all kinds are JSON: version $version" 0 \
        "cg2wg -f $version '$given/odd' pre && cg2wg --print=json pre >json && is_json json &&
         grep -c '\"name\"' json" out=8 files='json pre profile'
done
run 'names of all kinds in JSON' 0 \
    'cg2wg "$given/odd" pre && cg2wg --print=json --sort=none pre |
     sed -n "s/.*\"name\": \(\".*\"\), \"file.*/\1/p" >names
     cat >expected <<"END"
"quo\"te\\"
"tab\u0009here"
"esc\u001b[31m\u007f\u009b"
"bad\ufffd\ufffd\ufffd\ufffd\ufffd\ufffd", "name_bytes": "626164ffc080eda080"
"ä€😀"
"cut\ufffd\ufffd", "name_bytes": "637574e282"
"/*</script>*/ %s"
"zero\u0000byte"
END
     cmp names expected' files='expected names pre profile'
run 'the table has a line for each, without control bytes' 0 \
    'cg2wg "$given/odd" pre && cg2wg --print pre >table && wc -l <table &&
     tr -d "[:print:]\n\200-\377" <table | wc -c' out='14
0' files='pre profile table'
run 'the table holds nothing that would garble a terminal' 0 \
    'printf "fn=a\302\23331m\2331m\n1 1\nfn=\303\244\n1 1\nsummary: 2\n" >in; cg2wg -q in pre
     cg2wg --print pre | sed -n "s/.* -  //p" >names; printf "a??31m?1m\n\303\244\n" | cmp - names' \
    files='in names pre profile'
# All of Unicode's Bidi_Control, two ends of lines, and two numbers that XML forbids, in all that a profile may name
mkdir "$given/signs"
printf '\330\234\n' >"$given/signs/all"
for last in 200\\216 200\\217 200\\250 200\\251 200\\252 200\\253 200\\254 200\\255 200\\256 201\\246 201\\247 201\\250 201\\251; do
    printf "\\342\\$last\\n"
done >>"$given/signs/all"
printf '\357\277\276\n\357\277\277\n' >>"$given/signs/all"
while read -r sign; do
    printf 'a%sz\n' "$sign" >"$given/signs/f${sign}g.c"
    printf 'version: 1\ncreator: xdebug 3\ncmd: x%sy\nevents: Time_(10ns) E%sF\n\nfl=f%sg.c\nfn=ab%scd\n1 5 5\ncfn=ef%sgh\ncalls=1 0 0\n1 1 1\n\nsummary: 9 5\n\n' \
        "$sign" "$sign" "$sign" "$sign" "$sign"
done <"$given/signs/all" >"$given/signs/in"
run 'no sign that turns text around is shown, nor one that XML forbids' 0 'cd "$given/signs"
    for style in table plot lines tree svg stacks csv json html "table -e all" "csv -e all" "json -e all" "table --all --function=*" "json --lines" \
        "html --source=."  "table --source=. --function=*"; do
        cg2wg --print=$style in 2>&1 | grep -a -F -c -f all | sed "s/^0$//"
    done | tr -d "\n"
    { cg2wg --list-events in; cg2wg --function=abc in; cg2wg -e E in; cg2wg "$(cat all)"; } 2>&1 | grep -a -F -c -f all
    cg2wg -q --print=json --title="$(cat all)" in | grep -o "\"ab[^\"]*" | tr "\n" " "' out='0
"ab\\u061ccd "ab\\u200ecd "ab\\u200fcd "ab\\u2028cd "ab\\u2029cd "ab\\u202acd "ab\\u202bcd "ab\\u202ccd "ab\\u202dcd "ab\\u202ecd "ab\\u2066cd "ab\\u2067cd "ab\\u2068cd "ab\\u2069cd "ab\\ufffecd "ab\\uffffcd '
run 'CSV: a sign of a formula may be a full-width one' 0 'printf "events: Ir\nsummary: 5\n" >in
    for sign in = + - @ "\357\274\235" "\357\274\213" "\357\274\215" "\357\274\240" "\357\274\234" "#"; do printf "fn=${sign}x\n1 1\n" >>in; done
    cg2wg -q --sort=none --print=csv in | sed "1d; s/x.*/x/"' out="\"'=x
\"'+x
\"'-x
\"'@x
\"'$(printf '\357\274\235')x
\"'$(printf '\357\274\213')x
\"'$(printf '\357\274\215')x
\"'$(printf '\357\274\240')x
\"$(printf '\357\274\234')x
\"#x" files='in profile'
input=$(printf 'a"b\\c\377\nd')
! on_windows || input='a (b), c.%d%'
run 'a file of any name' 0 'cp "$given/v7" "$input"; cg2wg --print "$input" >/dev/null; rm "$input"'

if have python3 && python3 -c 'import jsonschema' 2>/dev/null; then
    run 'JSON is what docs/json-schema.json says, and names all functions' 0 \
        'number=0
         for options in "" -f4 --top=2 "--function=*a*" "-f4 --function=*" "--base=$top/testdata/issues/151-tree.out" \
             "--group=line --base=$top/testdata/issues/151-tree.out" "--group=call --function=*" --group=run --group=line; do
             for input in "$top"/testdata/xdebug/3*.out "$top"/testdata/valgrind/*.out "$top"/testdata/aprof/*.aprof \
                 "$top"/testdata/perf/*.data "$top"/testdata/xdebug/2.*.webgrind? "$given/utf8"; do
                 number=$((number + 1))
                 cg2wg -q --print=json -o $number.json $options "$input" 2>/dev/null
             done
         done
         python3 "$top/tests/cli/schema.py" "$top/docs/json-schema.json" *.json; ls *.json | awk "END { print (NR > 150) }"
         sed "s/\"other_functions\"/\"others\"/" 1.json >broken
         python3 "$top/tests/cli/schema.py" "$top/docs/json-schema.json" broken | wc -l
         rm *.json broken' out="1
1"
else
    skip 'JSON is what docs/json-schema.json says' 'no python3 with jsonschema'
fi

# ---- where the file comes from, and where the output goes

run 'from standard input' 0 'cg2wg --print - <"$given/v7" | grep -c main' out=1
run 'from a pipe' 0 'cat "$given/v7" | cg2wg --print=json - | grep -c main' out=1
run 'straight from a conversion' 0 'cg2wg profile - | cg2wg --print - | grep -c main' out=1
if have gzip; then
    run 'a compressed file' 0 'gzip -c "$given/v7" >pre; cg2wg --print pre | grep -c main' out=1 \
        files='pre profile'
fi
if [ -c /dev/full ]; then
    for style in table json; do
        run "--print=$style fails where it cannot write" 1 "cg2wg --print=$style '$given/v7' >/dev/full" \
            err='cg2wg: *No space left on device'
    done
else
    skip '--print fails where it cannot write' 'no /dev/full'
fi
run '--print fails with closed standard output' 1 'cg2wg --print "$given/v7" >&-' err='cg2wg: *'

# ---- to a file

for ending in html:html json:json folded:stacks pb:pprof; do
    run "-o FILE.${ending%:*} writes what --print=${ending#*:} does" 0 \
        "cg2wg -o out.${ending%:*} profile && cg2wg --print=${ending#*:} profile | cmp - out.${ending%:*}; rm out.*"
done
run '--print writes to any name' 0 'cg2wg --print -o table.txt profile && cg2wg profile | cmp - table.txt; rm table.txt'
run '-o - is standard output' 0 'cg2wg --print=json -o - profile >shown; cg2wg --print=json profile | cmp - shown; rm shown'
if have gzip && ! on_windows; then
    run '-o FILE.pb.gz is compressed' 0 \
        'cg2wg -o out.pb.gz profile && gzip -dc out.pb.gz >shown && cg2wg --print=pprof profile | cmp - shown; rm out.* shown'
    # Bytes 4 to 7 of a gzip file are a time.
    run 'a compressed output is the same at any time' 0 \
        'cg2wg --print -o out.gz profile && dd if=out.gz bs=4 skip=1 count=1 2>/dev/null | od -A n -t x1; rm out.gz' \
        out=' 00 00 00 00'
    # As gzip's manual says: exit status 2 is a warning.
    run 'a warning of gzip is one' 0 'mkdir bin; printf "#!/bin/sh\necho packed\necho beware >&2\nexit 2\n" >bin/gzip; chmod +x bin/gzip
        PATH=$PWD/bin:$PATH cg2wg --print -o out.gz profile; cat out.gz; rm -r bin out.gz' \
        out=packed err='cg2wg: profile: warning: gzip compressed it with a warning: beware'
fi
run 'with a format, an ending means nothing' 0 'cg2wg -f 7 -o pre.json profile; cg2wg profile pre; cmp pre pre.json; rm pre pre.json'
run 'a page replaces an older one, or nothing' 0 \
    'cg2wg -o out.html profile; echo old >>out.html; cg2wg -o out.html profile; cg2wg --print=html profile | cmp - out.html
     head -c 100 "$given/v7" >bad; for file in out.html new.html; do cg2wg -o $file bad 2>/dev/null && echo done; done
     cg2wg --print=html profile | cmp - out.html; rm bad out.html'
run 'what is printed does not replace a profile' 1 'cp profile other.json; cg2wg -o other.json profile; cmp profile other.json
     rm other.json; exit 1' err='cg2wg: other.json: *'
run 'what is printed does not replace its input' 1 'cp profile in.json; cg2wg -o in.json in.json; cmp profile in.json
     rm in.json; exit 1' err='cg2wg: in.json: *'
if has_terminal; then
    for style in html pprof; do
        run "on a terminal: --print=$style is refused" 0 \
            "on_terminal 80 '\"\$PROGRAM\" --print=$style profile'" out='cg2wg: standard output is a terminal, expected a file; add -o *
cg2wg: try cg2wg --help'
    done
    run 'on a terminal: as many functions as fit, or --top, or all' 0 \
        'for i in 1 2 3 4 5 6 7 8 9; do printf "fn=f%d\n%d 1\n" $i $i; done >in; echo summary: 9 >>in
         for options in "" --top=7 --all; do
             on_terminal 80 "stty rows 16; \"\$PROGRAM\" $options in" | grep -c -e "f[0-9]"; done
         on_terminal 80 "stty rows 16; \"\$PROGRAM\" in" | tail -n 1' files='in profile' \
        out='6
7
9
... and 3 more, with 33.33 % of the total'
    run 'on a terminal: messages leave less room for functions, by the lines that they take' 0 \
        'for i in 1 2 3 4 5 6 7 8 9; do printf "fn=f%d\n%d 1\n" $i $i; done >in
         for columns in 80 200; do on_terminal $columns "stty rows 18; \"\$PROGRAM\" in" | grep -c -e " f[0-9]"; done' \
        files='in profile' out='6
7'
else
    for name in 'what is no text is refused' 'as many functions as fit, or --top, or all' \
        'messages leave less room for functions, by the lines that they take'; do
        skip "on a terminal: $name" "$no_terminal"
    done
fi

# ---- what Xdebug's memory is: allocated, and kept

# f is called twice: one call allocates 100 (200 in another profile) and the other one frees 60 of them.
run 'memory is allocated and kept, in table, stacks and JSON' 0 \
    'printf "creator: xdebug 3\nevents: Memory_(bytes)\n\nfl=m.php\nfn=f\n2 100\n\nfl=m.php\nfn=f\n2 -60\n\nfl=m.php
fn={main}\n1 10\ncfn=f\ncalls=1 0 0\n5 100\ncfn=f\ncalls=1 0 0\n6 -60\n\nsummary: 120\n" >in
     cg2wg in | sed -n "/total/,\$p" | tr -s " "; cg2wg --print=stacks in; cg2wg --print=json in | grep -o "\"allocated\": [0-9]*, \"inclusive\": [0-9]*"
     cg2wg --print=html in | grep "^\"allocated\|^\"notes\"" | cut -c 1-80; cg2wg -q in out; cg2wg out | sed -n "/total/p"
     sed "s/2 100/2 200/" in >out; cg2wg --print=json --base out in | grep -o "{\"self.*, \"inc"; rm out' files='in profile' \
    out='total: 110 allocated; kept: 50; PHP'\''s peak: 120

 self % allocated % kept % calls function
 40 36.36 100 90.91 40 36.36 2 f (m.php:2)
 10 9.09 110 100.00 50 45.45 1 {main} (m.php:1)
{main} 10
{main};f 100
"allocated": 100, "inclusive": 40
"allocated": 110, "inclusive": 50
"notes":\[\[" allocated; kept: ",50,""],\["; PHP'\''s peak: ",120,""]],
"allocated":\[100,110],
total:   50
{"self": 140, "allocated": 200, "inc
{"self": 40, "allocated": 100, "inc'

# Of 110 that are allocated, f allocates 100, and there is nothing that recursion could count twice.
run 'memory is allocated and kept however recursion counts' 0 'cd "$given"; printf "creator: xdebug 3\nevents: Memory\n\nfl=m.php\nfn=f\n2 100\n\nfl=m.php\nfn=f\n2 -60\n\nfl=m.php
fn={main}\n1 10\ncfn=f\ncalls=1 0 0\n5 100\ncfn=f\ncalls=1 0 0\n6 -60\n" >in; for inclusive in "" --inclusive=sum --inclusive=outermost; do for i in table json csv markdown lines html tree svg stacks "table --group=file" "table --group=run"; do
         cg2wg -q --print=$i $inclusive in | tr -d "\n" | grep -o "l[\"]*:  *110[ ,].*\|\"total\":110,\|,100,90.91,\|100   90.91  *f\| 100.00 %, 110 B\|f 100" | head -n 1 | wc -l; done; done | sort | uniq -c | tr -d " "; rm in' out='331'
# Two profiles: f allocates 100 and frees 60, or allocates 200 and frees 60; main adds g with 7.
run 'what several inputs have allocated is added up' 0 \
    'for n in 100 200; do printf "creator: xdebug 3\nevents: Memory_(bytes)\n\nfl=m.php\nfn=f\n2 $n\n\nfl=m.php\nfn=f\n2 -60\n\n"; [ $n = 100 ] || printf "fl=m.php\nfn=g\n3 7\n\n"
         printf "fl=m.php\nfn={main}\n1 10\ncfn=f\ncalls=1 0 0\n5 $n\ncfn=f\ncalls=1 0 0\n6 -60\n"; [ $n = 100 ] || printf "cfn=g\ncalls=1 0 0\n7 7\n"; printf "\nsummary: 1\n"; done |
     awk "/^creator/ { n++ } { print >(\"in\" n) }"; cg2wg -q --raw in1 in2 | sed "1,/^\$/d" | tr -s " "; cg2wg -q -o x.html in1 in2; grep "^\"allocated" x.html; rm in1 in2 x.html' out=' self % allocated % kept % calls function
 180 55.05 300 91.74 180 55.05 4 f (m.php:2)
 20 6.12 327 100.00 207 63.30 2 {main} (m.php:1)
 7 2.14 7 2.14 7 2.14 1 g (m.php:3)
"allocated":\[300,7,327],'

# ---- colour

printf 'creator: callgrind-3\nevents: Ir\nsummary: 100\nfn=hot\n1 90\nfn=warm\n1 9\nfn=cold\n1 1\n' >"$given/warm"
run 'the costs of hot rows have a colour if it is wanted' 0 'cg2wg --color=always "$given/warm" | sed 1,3d | cat -v | tr -s " "; cg2wg "$given/warm" | grep -c "$(printf "\033")"
    sed "s/^1 90/1 80/;s/^1 1\$/1 2/" "$given/warm" >old; cg2wg --color=always --base=old "$given/warm" | grep -o "$(printf "\033")\[3[0-9]m.*\(hot\|cold\)" | cat -v | tr -s " "; rm old' out='
 self % inclusive % calls function
^\[\[31m 90 90.00 - - -^\[\[0m hot
^\[\[33m 9 9.00 - - -^\[\[0m warm
 1 1.00 - - - cold
0
^\[\[31m 80 90 +12.50 *^\[\[0m hot
^\[\[32m 2 1 -50.00 *^\[\[0m cold'
if has_terminal; then
    run 'a terminal has colours, unless NO_COLOR is set or it is dumb' 0 'for environment in TERM=xterm "TERM=xterm NO_COLOR=1" TERM=dumb; do
        env -u NO_COLOR $environment PROGRAM="$program" timeout 60 script -qec "\"\$PROGRAM\" \"$given/warm\"" /dev/null | grep -c "$(printf "\033")"; done; true' out='2
0
0'
else
    skip 'a terminal has colours, unless NO_COLOR is set or it is dumb' "$no_terminal"
fi

# ---- CSV

run 'CSV: a line for each function, with all columns' 0 'printf "creator: callgrind-3\nevents: Ir\nsummary: 9\nob=@o,p\nfl=+a \"b\".c\nfn==SUM(1)\n3 4\ncfn=-x\"\ncalls=2 1\n4 5\nfn=-x\"\n5 5\nfn=\ry\n6 0\n" >in
    cg2wg --print=csv in | cat -A; cg2wg -o x.csv in; cg2wg --print=csv in | cmp - x.csv; rm in x.csv' out='name,file,line,object,self,self %,inclusive,inclusive %,calls^M$
"'"'"'-x""","'"'"'+a ""b"".c",5,"'"'"'@o,p",5,55.56,5,55.56,2^M$
"'"'"'=SUM(1)","'"'"'+a ""b"".c",3,"'"'"'@o,p",4,44.44,9,100.00,1^M$
"'"'"'?y","'"'"'+a ""b"".c",6,"'"'"'@o,p",0,0.00,0,0.00,1^M$'
if have python3; then
    run 'CSV has what JSON has' 0 'for options in "" --base=profile --group=class "--group=file --base=profile"; do
            for style in csv json; do cg2wg --print=$style $options "$top/testdata/xdebug/3.2-pages.out" >x.$style; done
            python3 -c "
import csv, json
rows, data = list(csv.DictReader(open(\"x.csv\", newline=\"\"))), json.load(open(\"x.json\"))[\"functions\"]
costs = lambda f, side, key: (f[side] or {key: 0})[key] if \"now\" in f else f[key]
print(len(rows) > 2, [(r[\"name\"], r[\"file\"], int(r[\"line\"]), *(int(r.get(\"old \" + k, r[k])) for k in (\"self\", \"inclusive\")),
                       int(r[\"self\"]), int(r[\"inclusive\"]), int(r[\"calls\"])) for r in rows]
      == [(f[\"name\"], f[\"file\"], f[\"line\"], costs(f, \"base\", \"self\"), costs(f, \"base\", \"inclusive\"),
           costs(f, \"now\", \"self\"), costs(f, \"now\", \"inclusive\"), f[\"invocations\"]) for f in data])"
        done; rm x.csv x.json' out='True True
True True
True True
True True'
else
    skip 'CSV has what JSON has' 'no python3'
fi
run 'CSV has the functions that are asked for, without callers' 0 'cg2wg --print=csv --function==f profile | cut -d, -f1,5,9' \
    out='name,self,calls?
"f",10,1?'

# ---- names of outputs

# by_name NAME STYLE: both forms make what --print=STYLE prints
by_name() {
    run "$1 is for --print=$2" 0 \
        "cg2wg --print=$2 profile >shown; cg2wg -o '$1' profile; cmp shown '$1'; rm '$1'; cg2wg profile '$1'; cmp shown '$1'
         rm '$1' shown"
}
by_name page.htm html
by_name PAGE.HTML html
by_name data.Json json
by_name table.txt table
by_name s.folded stacks
by_name x.html.gz.pb pprof
if have gzip && ! on_windows; then
    run 'a compressed page, in both forms' 0 \
        'cg2wg --print=html profile >shown; cg2wg -o x.html.gz profile; gzip -dc x.html.gz | cmp - shown
         cg2wg --print=csv profile >shown; cg2wg -o x.csv.gz profile; gzip -dc x.csv.gz | cmp - shown; cg2wg --print=html profile >shown
         rm x.html.gz x.csv.gz; cg2wg profile X.HTM.GZ; gzip -dc <X.HTM.GZ | cmp - shown; rm X.HTM.GZ shown'
fi
for name in x.png x.PNG x.pdf x.tsv x.tsv.gz x.json.zst x.pre.gz; do
    run "-o $name is wrong usage" 2 "cg2wg -o $name profile" err="cg2wg: $name: cannot *; *FILE.*"
    run "so it is after the input: $name" 2 "cg2wg profile $name" err="cg2wg: $name: cannot *; *FILE.*"
done
run 'webgrind may name its files as it likes' 0 \
    'cg2wg profile x.svg.webgrind; cmp x.svg.webgrind "$given/v7"; rm x.svg.webgrind'

# ---- what is replaced

# kept NAME MAKE OPTIONS: what the command MAKE has made is of another kind than what is written
kept() {
    run "not replaced: $1, made by $2" 2 "$2 >$1; cp $1 before; cg2wg $3 -o $1 profile; s=\$?; cmp $1 before
        rm $1 before; exit \$s" err="cg2wg: $1: is a file in *, and only * is replaced; *--overwrite*"
}
kept index.html 'echo my site' ''
kept page.html "echo '<!DOCTYPE html><meta name=\"generator\" content=\"other\">'" ''
kept my.json "echo '{\"my\": \"data\"}'" ''
kept package.json "printf '{\n  \"name\": \"my-app\"\n}\n'" ''
kept note.folded 'printf "a text without an end"' ''
# Two types of samples, as Go writes, and many others
kept go.pb 'printf "\12\4\10\1\20\2\12\4\10\3\20\4\22\2"' ''
kept list.txt 'printf "total: 5 apples\n"' ''
kept s.folded 'printf "main;f 5\nmain and so on\n"' ''
kept list.folded 'printf "buy eggs 12\nbuy milk 2\n"' ''
kept bill.txt 'printf "eggs: 5\ntotal:   5\n"' --print
kept note.txt 'echo "two stacks with at least one book each"' --print=tree
kept x.pb 'printf "\177ELF"' ''
kept table.txt 'cg2wg --print=html profile' --print
kept profile.txt 'printf "cmd: x\ntotal:   5\nfn=f\n1 5\n"' --print
if have gzip && ! on_windows; then
    kept index.html.gz 'echo my site | gzip' ''
    kept x.html.gz 'cg2wg --print=html profile' ''
    kept note.folded.gz 'echo my note' ''
    kept cut.folded.gz 'echo "f 5" | gzip | head -c 12' ''
    run 'replaced: a compressed page by a newer one' 0 \
        'cg2wg -o x.html.gz profile; cp x.html.gz old; cg2wg -o x.html.gz profile; cmp old x.html.gz; rm old x.html.gz'
fi
for name in x.html x.json x.txt x.folded x.pb; do
    run "replaced: $name by a newer one, an empty file, and anything with --overwrite" 0 \
        "cg2wg -o $name profile; cp $name old; cg2wg -o $name profile; cmp old $name; : >$name; cg2wg -o $name profile
         cmp old $name; echo other >$name; cg2wg --overwrite -o $name profile; cmp old $name; rm old $name"
done
run 'replaced: a table of differences, or of callers, by another table' 0 \
    'for options in --base=profile --function=main --list; do
         cg2wg $options -o x.txt profile 2>/dev/null || cg2wg -o x.txt profile; cg2wg -o x.txt profile; done; rm x.txt'
run 'replaced: a tree by time, and an estimated one, by another one' 0 'for options in --sort=time --estimate --min=0; do
         cg2wg -q --print=tree $options -o x.txt "$top/testdata/xdebug/3.2-pages.out"; done; rm x.txt'
# As a profile, whose costs count recursion each time; only version 7 knows where functions begin.
run 'preprocessed files of version 4 are shown with others, and compared' 0 'pages="$top/testdata/xdebug/3.2-pages.out"; cg2wg -q -f 4 "$pages" v4; for i in "$pages" v4; do
    cg2wg -q --print=csv --inclusive=sum profile "$i" | cut -d , -f 1,2,5- | sort
    cg2wg -q --print=csv --inclusive=sum --base=profile --base="$i" "$i" | cut -d , -f 1,2,5- | sort; done >all; rm v4
    lines=$(wc -l <all); head -n $((lines / 2)) all >first; tail -n $((lines / 2)) all | diff - first; wc -l <first; rm all first' out=34
run 'version 4, wherever nothing is converted' 0 'v4=$given/v4; cg2wg --list-events "$v4" | tr -s " "
    for style in callgrind csv; do cg2wg -q --print=$style "$v4" "$v4" | grep -c main; done' out='Time_(10ns) 35
1
1'
run 'an event that a preprocessed file lacks, in each style' 0 'for style in table csv html dot json; do
        cg2wg --print=$style -e Nonsense "$given/v7" 2>>message; done; grep -c "no event Nonsense; there is: " message; rm message' out=5
run 'several inputs are merged, in each style' 0 'cg2wg -o merged profile "$top/testdata/xdebug/3.2-pages.out"
     for style in table json html lines; do
         cg2wg --print=$style profile "$top/testdata/xdebug/3.2-pages.out" >out; grep -c "pages.php" out | grep -v "^0"
     done | wc -l
     cp "$top/testdata/xdebug/3.2-pages.out" pages; for all in "profile pages" merged; do
         cg2wg -q --inclusive=sum --print=json --sort=name $all |
             sed -n "s/.*\(\"name\": .*\), \"file\".*/\1/p;s/.*\(\"self\": .*\), \"inclusive\".*/\1/p;/^  \"total/p" >"${all##* }.sums"
     done
     cmp pages.sums merged.sums && wc -l <merged.sums | awk "{ print (\$1 > 20) }"; rm merged out pages *.sums' out='4
1'
run 'a base without a FILE' 2 'cg2wg --base profile' err='cg2wg: no FILE to compare with profile*'
run 'a warning is not said if the head says the same' 0 \
    'printf "events: Ir\nfn=f\n1 70\nfn=g\n2 9\nsummary: 20\n" >in; cg2wg in | grep total; cg2wg --print=json in >shown 2>message
     grep -c "less than the sum" message; rm in shown message' out='total:   79; the input says 20
1'

# ---- profiles

# as_converted OPTIONS INPUT: printing a profile shows what its conversion holds, which has no files of inlined code
as_converted() {
    for style in table json; do
        run "a profile is printed as it is converted, as $style: $*" 0 \
            "cg2wg -q --print=$style $1 $2 >all && sed 's/\(\"function\": [0-9]*\), \"file\": \"[^\"]*\"/\1/' all >shown && cg2wg -q --inclusive=outermost $1 $2 out &&
             cg2wg --print=$style out | sed '/^format:/d; /^  \"version\":/d; s/ \[costs in [^]]*]//' | cmp - shown; rm all" \
            files='out profile shown'
    done
}
as_converted '' profile
run 'a profile is printed with all that is known, whatever the version' 0 \
    'cg2wg -q --print=json profile >shown; for v in 4 5 6 7; do cg2wg -q --print=json -f$v profile | cmp - shown; done' \
    files='profile shown'
as_converted "-e 'Memory_(bytes)'" profile
as_converted '-p f' profile
as_converted '' '"$top/testdata/issues/151-tree.out"'
run '--print counts recursion once; with --inclusive=sum, or of a file, as webgrind does, and a file says so' 0 \
    'tree=$top/testdata/issues/151-tree.out; cg2wg -q "$tree" out
     shown() { cg2wg -q --print=json "$@" | tr -d " \n" | grep -o "\"inclusive\":[0-9]*" | sort -t: -k2 -rn | head -n 2 | tail -n 1; }
     [ "$(shown "$tree")" != "$(shown --inclusive=sum "$tree")" ] && echo differ
     [ "$(shown out)" = "$(shown --inclusive=sum "$tree")" ] && echo same
     cg2wg -q --print out | grep -c "count recursion more than once"
     cg2wg -q --print "$tree" | grep -c "count recursion more than once"
     cg2wg -q --print --base out "$tree" >now; cg2wg -q --print --base out --inclusive=sum "$tree" | cmp - now && echo sums
     rm now' files='out profile' out='differ
same
1
0
sums'
# As in docs/recursion.md, a calls b, b c, and c a: sums count the inner a in the outer one, so that a has 80, more than
# the 70 of all three. Outermost costs do not.
mutual='creator: xdebug 3.2.0\nevents: Time_(10ns)\n\nfl=x\nfn=a\n1 10\n\nfl=x\nfn=c\n1 30\ncfn=a\ncalls=1 0\n2 10\n\nfl=x\nfn=b\n1 20\ncfn=c\ncalls=1 0\n2 40\n\nfl=x\nfn=a\n1 10\ncfn=b\ncalls=1 0\n2 60\n\nfl=x\nfn={main}\n1 50\ncfn=a\ncalls=1 0\n2 70\n\nsummary: 120\n'
for version in 4 5 6 7; do
    run "a preprocessed file, a comparison and a page say that recursion counts more than once: version $version" 0 \
        'printf "$mutual" | sed "s/ \([0-9]*\)$/ \1000/" >in; cg2wg -f '$version' in sum; cg2wg -f '$version' --inclusive=outermost in once
         for view in sum once in "--base=sum in" "--base=once in" "--base=in in"; do
             cg2wg --print $view | grep -c "count recursion more than once"; cg2wg --print=html $view | grep "^\"repeats"
         done | paste -s -d " "' files='in once profile sum' \
        out='1 "repeats":1, 0 "repeats":0, 0 "repeats":0, 1 "repeats":1, 0 "repeats":0, 0 "repeats":0,'
done
# A preprocessed file is not seen before others are read if it comes through a pipe, or after many others.
run 'a comparison with a preprocessed file has sums on both sides, or fails' 1 \
    'printf "$mutual" | sed "s/ \([0-9]*\)$/ \1000/" >in; sed "s/ \([0-9]*\)$/ \10/" in >ten; cg2wg ten sum
     for view in "--base=in sum" "--base=in -" "--base=sum in" "--base=- in"; do
         cg2wg --print=csv $view <sum 2>&1 | sed -n "s/^.a.*,\([0-9]*,[0-9]*\),[^,]*,0,.*/\1/p;/sums/p"
         cg2wg -q --print=html $view <sum >out 2>&1; echo $?
     done
     for how in outermost sum; do cg2wg --inclusive=$how --base=in $(yes in | head -n 16) sum >out 2>&1 || cat out; done
     cg2wg --base=in $(yes in | head -n 16) sum' \
    files='in out profile sum ten' err='cg2wg: sum: is a preprocessed file, whose*' out='80000,800000
0
80000,800000
0
800000,80000
0
cg2wg: (standard input): is a preprocessed file, whose inclusive costs are sums; those read before are not; --inclusive=sum makes sums of all
1'
as_converted --identity=file '"$top/testdata/issues/151-tree.out"'
as_converted --summary=computed '"$top/testdata/valgrind/callers.out"'
# Xdebug has rounded the costs of calls. The sums of self costs are computed here from the collapsed stacks.
cat >"$scratch/sums.awk" <<'AWK'
{ cost = $NF; sub(/ [0-9]+$/, ""); count = split($0, frames, ";"); split("", seen)
  for (i = 1; i <= count; i++) if (!seen[frames[i]]++) sum[frames[i]] += cost }
END { for (name in sum) print sum[name], name }
AWK
cat >"$scratch/inclusive.awk" <<'AWK'
/"number".*"file"/ { split($0, parts, "\""); name = parts[6]; gsub(/\\\\/, "\\", name) }
/"inclusive": [1-9]/ { sub(/.*"inclusive": /, ""); print $0 + 0, name }
AWK
for name in 118-timeout 97-after; do
    run "inclusive costs are those of the stacks: $name" 0 \
        "cg2wg -q --print=stacks '$top/testdata/issues/$name.out' | awk -f '$scratch/sums.awk' | sort >stacks
         cg2wg -q --print=json '$top/testdata/issues/$name.out' | awk -f '$scratch/inclusive.awk' | sort | cmp - stacks; rm stacks"
done
missing=${RUNNER:+/tmp} # wine needs one
run 'a profile that is printed leaves no file, and needs none' 0 \
    'mkdir a; cd a; TMPDIR=${missing:-$PWD/missing} cg2wg --print ../profile | grep -c "(/t.php"; ls -A
     (unset TMPDIR; cg2wg -o a.json ../profile) && rm a.json; cd ..; rmdir a' \
    out=2
run '--print of a profile: figures, and no other file needed' 0 \
    'cg2wg --print --top=1 profile | tail -n 2 | tr -s " "' out=' 20 57.14 35 100.00 1 {main} (/t.php:1)
... and 2 more, with 42.86 % of the total'
run '--print of a profile from a pipe, compressed' 0 \
    'gzip -c profile | cg2wg --print=json - | tr -d " \n" >squeezed; tr -d "\n" <"$given/json7" | sed "s/\"version\":7,//" | cmp - squeezed' \
    files='profile squeezed'
run '--print of a damaged profile reports bad lines, and --strict refuses it' 1 \
    '{ cat profile; echo "?"; } >in; cg2wg --print in | tail -n 1 | grep -c strlen; cg2wg --print --strict in' \
    out=1 err='cg2wg: in:30: warning: *
cg2wg: in:30: *' files='in profile'
run '--print of what is no profile says so, not a version' 1 \
    'echo "<?php echo 1;" >in; cg2wg --print in' err='cg2wg: in: not a profile: *' files='in profile'
run '--print -v says nothing of an output' 0 'cg2wg -v --print profile | sed -n 1p' out='cmd: *'
run 'a text in place of a version is shown as it is' 1 \
    'for style in table json; do cg2wg --input=preprocessed --print=$style profile; done' \
    err='cg2wg: profile: found the text "vers", expected *
cg2wg: profile: found the text "vers", expected *'

# ---- what is no preprocessed file

# bytes NUMBER...: little endian
numbers() {
    for number; do
        # shellcheck disable=SC2059
        printf "$(printf '\\%03o\\%03o\\%03o\\%03o' $((number & 255)) $((number >> 8 & 255)) \
            $((number >> 16 & 255)) $((number >> 24 & 255)))"
    done
}

# patch FILE OFFSET NUMBER: writes a number into a file
patch() {
    numbers "$3" | dd of="$1" bs=1 seek="$2" conv=notrunc 2>/dev/null
}

# damaged NAME COMMAND_THAT_MAKES_IT
damaged() {
    run "damaged: $1" 1 "$2"'
        cg2wg --print pre; s=$?; cg2wg --print=json pre; [ $? = "$s" ] && exit $s' \
        err='cg2wg: pre: *cg2wg: pre: *' files='pre profile'
}
damaged 'empty' ': >pre'
damaged 'a byte' 'printf x >pre'
damaged 'a version and nothing else' 'numbers 7 >pre'
damaged 'a text' 'echo text >pre'
damaged 'a program' 'head -c 1000 "$program" >pre'
damaged 'zeros' 'head -c 1000 /dev/zero >pre'
damaged 'all bits set' 'head -c 1000 /dev/zero | tr "\000" "\377" >pre'
for version in 0 1 3 8 1792 117440512; do
    damaged "version $version" "cp '$given/v7' pre; patch pre 0 $version"
done
run 'a missing file' 1 'cg2wg --print missing' err='cg2wg: missing: *No such file*'
run 'a folder' 1 'cg2wg --print .' err='cg2wg: .: *directory*'
damaged_number() {
    run "a damaged number is shown: $1" 1 "cp '$given/v7' pre; patch pre 0 $1; cg2wg --print pre" \
        err="cg2wg: pre: found version $1, expected *" files='pre profile'
}
damaged_number 8
damaged_number 1792
run 'damaged, from standard input' 1 'head -c 40 "$given/v7" | cg2wg --print -' err='cg2wg: (standard input): *'

for version in 4 5 6 7; do
    pre=$given/v$version
    copy="cp '$pre' pre; "
    size=$(wc -c <"$pre")
    one=$(number "$pre" 12)   # address of a function
    two=$(number "$pre" 16)
    three=$(number "$pre" 20)
    damaged "version $version: headers past the end" "$copy patch pre 4 $((size + 1))"
    damaged "version $version: headers far past the end" "$copy patch pre 4 4294967295"
    damaged "version $version: more functions than bytes" "$copy patch pre 8 $((size / 4))"
    damaged "version $version: very many functions" "$copy patch pre 8 4294967295"
    damaged "version $version: as many as wrap around" "$copy patch pre 8 1073741824"
    damaged "version $version: a function at address 0" "$copy patch pre 12 0"
    damaged "version $version: a function at the end" "$copy patch pre 12 $size"
    damaged "version $version: a function past the end" "$copy patch pre 20 $((size + 7))"
    damaged "version $version: a function far past the end" "$copy patch pre 20 4294967295"
    damaged "version $version: two functions at one address" "$copy patch pre 16 $one"
    damaged "version $version: a function in another" "$copy patch pre 16 $((one + 4))"
    damaged "version $version: functions in each other's place" \
        "$copy patch pre 12 $two; patch pre 16 $one"
    # Where the count of records is, and the first record, in a function's head
    case $version in
    4) count=12 record=$((two + 16)) ;;
    5) count=12 record=$((two + 16)) ;;
    6) count=12 record=$((two + 20)) ;;
    7) count=16 record=$((two + 24)) ;;
    esac
    damaged "version $version: more records than bytes" "$copy patch pre $((two + count)) 1000"
    damaged "version $version: very many records" "$copy patch pre $((two + count)) 4294967295"
    damaged "version $version: as many as wrap around" "$copy patch pre $((two + count)) 268435456"
    if [ "$version" -ge 5 ]; then
        damaged "version $version: a call of no function" "$copy patch pre $record 3"
        damaged "version $version: a call of far from any function" "$copy patch pre $record 4294967295"
    else
        damaged 'version 4: a caller that is no function' "$copy patch pre $((record + 12)) 3"
        damaged 'version 4: a caller that is no invocation' "$copy patch pre $((record + 16)) 1"
        damaged 'version 4: sub calls past the end' "$copy patch pre $((record + 28)) $((size - 3))"
        damaged 'version 4: sub calls far past the end' "$copy patch pre $((record + 28)) 4294967295"
        damaged 'version 4: very many sub calls' "$copy patch pre $((record + 24)) 4294967295"
        sub_call=$(number "$pre" $((record + 28)))
        damaged 'version 4: a sub call of no function' "$copy patch pre $sub_call 3"
        damaged 'version 4: a sub call of no invocation' "$copy patch pre $((sub_call + 4)) 1"
    fi
    if [ "$version" -ge 6 ]; then
        damaged "version $version: more sub calls than bytes" \
            "$copy patch pre $((two + count + 4)) 1000"
    fi
    damaged "version $version: no newline after a name" \
        "$copy head -c $((three + 12)) pre >cut; tr '\\n' x <'$pre' >pre; rm cut
         head -c 4 '$pre' | dd of=pre conv=notrunc 2>/dev/null"
    run "version $version cut off anywhere before its headers is refused" 0 \
        "bytes=0
         while [ \$bytes -lt $(number "$pre" 4) ]; do
             head -c \$bytes '$pre' | \"\$program\" --print - >shown 2>message
             status=\$?
             [ \$status = 1 ] && [ ! -s shown ] && [ -s message ] ||
                 echo \"\$bytes bytes: exit status \$status\"
             bytes=\$((bytes + 5))
         done; rm shown message"
    case $version in
    5 | 6) continue ;; # a part of 7
    esac
    run "version $version with any number changed ends in an orderly way" 0 \
        "at=0
         while [ \$at -lt $(number "$pre" 4) ]; do
             { head -c \$at '$pre'; printf '\\377\\377\\377\\377'; tail -c +\$((at + 5)) '$pre'; } |
                 \"\$program\" --print=json - >/dev/null 2>&1
             status=\$?
             [ \$status -le 1 ] || echo \"at \$at: exit status \$status\"
             at=\$((at + 4))
         done"
done

finish
