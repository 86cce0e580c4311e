#!/bin/sh
# SPDX-License-Identifier: MIT
# options.sh PROGRAM: the options, the operands, and wrong usage.
. "$(dirname "$0")/suite.inc"

for version in 4 5 6 7; do
    cg2wg -f "$version" "$given/profile" "$given/v$version" || exit 2
done
cg2wg "$given/profile" "$given/stepped" f || exit 2
sed 's/ f$/ -f/' "$given/profile" >"$given/dashed"

rows_plain='5 5 1 php::strlen  (php:internal)
10 15 1 f  (/t.php:3)
20 35 1 {main}  (/t.php:1)'
rows_stepped='5 5 1 php::strlen  (php:internal)
10 10 1 f  (/t.php:3)
20 25 1 {main}  (/t.php:1)'

# ---- the two forms, and where options may be

run 'INPUT OUTPUT converts to version 7' 0 \
    'cg2wg profile out && version out && rows out' "out=7$newline$rows_plain" files='out profile'
# same EXPECTED WORDS...: with each of these command lines, the output is that
same() {
    expected=$1
    shift
    for words; do
        run "the same as $expected: $words" 0 "cg2wg $words && cmp out '$given/$expected'" files='out profile'
    done
}
same v7 '-o out profile' '-oout profile' '--output=out profile' '--output out profile' 'profile -o out' '-qo out profile' \
    'profile -- out' '-j 1 profile out' '-j2 profile out' '--threads 3 profile out' '--threads=4294967295 profile out' \
    '--strict profile out' '-q profile out' '--quiet profile out' '--input=auto profile out' '--input callgrind profile out' \
    '--input=callgrind profile out' '--input=preprocessed --input=auto profile out' '--input=preprocessed "$given/v7" out'
same v5 '-f 5 profile out' 'profile -f 5 out' 'profile out -f 5' '-qvf5 profile out'
same v6 '-f 4 --format=6 profile out'
same stepped 'profile out f' '-p f profile out' '-pf profile out' 'profile out -p f' '--proxy f profile out' \
    '--proxy=f profile out' '-o out -p f profile' '-q --proxy=nothing -p f profile out' 'profile out nothing f' \
    '-p f profile out nothing' 'profile out x -f7 f --quiet y' '-p "?" profile out' 'profile out "f*"'
run 'f is stepped over' 0 'rows "$given/stepped"' out="$rows_stepped"
run '-- ends the options: operands may begin with a dash' 0 \
    'cp -- profile -in && cg2wg -f 5 -- -in -out && cmp -- -out "$given/v5"' files='-in -out profile'
run '-- ends the options: a proxy may look like one' 0 \
    'cg2wg "$given/dashed" out -- -f && rows out' files='out profile' \
    out='5 5 1 php::strlen *
10 10 1 -f *
20 25 1 {main} *'
run 'a second -- is an operand' 0 \
    'cg2wg -- profile -- && cmp -- -- "$given/v7"' files='-- profile'
run 'the word after an option with an argument is its argument, dash or not' 0 \
    'cg2wg -o -q profile && cmp -- -q "$given/v7"' files='-q profile'

# ---- the options one by one

printf 'creator: x\nevents: A B\nfl=a\nfn=f\n1 3 5\nsummary: 3 5\n' >"$given/two-events"
run '-e converts that event' 0 'cg2wg -e B "$given/two-events" out && rows out' \
    files='out profile' out='5 - - f *'
run '--event converts a formula' 0 'cg2wg --event="A + 10 B" "$given/two-events" out && rows out' \
    files='out profile' out='53 - - f *'
run '--event of none that is there is an error' 1 'cg2wg --event=C "$given/two-events" out' \
    err='cg2wg: *: no event C; there are: A, B*'
run 'the letters that an event begins with, of a profile and of what it became' 0 \
    'printf "events: Time_(10ns) Memory_(bytes)\nsummary: 5 6\nfn=f\n1 5 6\n" >in
     cg2wg -e mem in out && for file in in out; do cg2wg -e MEMORY_ "$file" | grep -c -e " Memory_(bytes)$" -e "total:   6"; done
     cg2wg -e mem out twice; cg2wg -e time out third 2>&1; true' files='in out profile twice' out='2
2
cg2wg: out: no event time; there is: Memory_(bytes)'
run '--scale divides' 0 'cg2wg --scale=2 "$given/two-events" out && rows out' \
    files='out profile' out='2 - - f *' err='cg2wg: *'
printf 'event: A : The first\nevent: Both = A + 2 B : A, and B twice\nevents: A B a_name_of_17_chars\nfn=f\n1 3 4 5\ntotals: 3 4 5\n' \
    >"$given/described"
run '--list-events shows totals, formulas and long names, in columns' 0 'cg2wg --list-events "$given/described"' \
    out="$(printf '%-18s %18d%s\n' A 3 '  (The first)' B 4 '' a_name_of_17_chars 5 '' \
        Both 11 '  = A + 2 B  (A, and B twice)')"
run '--help after --version wins, and the other way round' 0 \
    'cg2wg --version --help | sed -n "1s/:.*//p"; cg2wg --help --version | sed -n "1s/:.*//p"' out='usage
usage'

for version in 4 5 6 7; do
    for form in "-f $version" "-f$version" "--format $version" "--format=$version"; do
        run "$form writes version $version" 0 \
            "cg2wg $form profile out && version out && cmp out '$given/v$version'" \
            out="$version" files='out profile'
    done
done
run '-p that matches nothing is warned about, in the whole of the inputs' 0 \
    'cg2wg -p nothing -p f profile out nobody && cmp out "$given/stepped"
     sed "s/ f$/ nothing/" profile >other; cg2wg -o out -p nothing -p "*ing" profile other' \
    err='cg2wg: profile: warning: no function is named nothing, so --proxy has no effect' \
    files='other out profile'
run '-p without the place that Xdebug adds to a name gets a message' 0 \
    'sed "s, f$, php::call_user_func:{/t.php:3}," profile >in; cg2wg -p php::call_user_func in out' \
    err='cg2wg: in: warning: no function is named php::call_user_func, only some that the pattern php::call_user_func:\* matches, so --proxy has no effect' files='in out profile'
run 'a long option may have = in its argument' 0 \
    'sed "s/ f$/ a=b/" profile >in && cg2wg --proxy=a=b in out && rows out' \
    out='5 5 1 *
10 10 1 a=b *
20 25 1 *' files='in out profile'

printf %b 'creator: callgrind-3.19.0\nevents: Ir\nob=app\nfl=box.cc\nfn=(1) _ZN3BoxD0Ev\n1 10\n' \
    'cfn=(2) _ZN3BoxD1Ev\ncalls=1 2\n1 20\n\nfn=(2)\n2 20\n\nfn=_ZN3BoxD1Ev.cold\n3 7\n\n' \
    'fn=_Zebra\n4 3\n\ntotals: 40\n' >"$given/mangled"
if have c++filt && ! on_windows; then
    # Valgrind without --demangle=no writes what c++filt makes of its file with it; and all its functions have one name.
    c++filt <"$given/mangled" | sed 's/^cfn=(2) .*/cfn=(1)/; s/^fn=(2).*/fn=(1)/' >"$given/readable"
    run 'functions with one readable name are one, as in the files of Valgrind' 0 \
        'cg2wg "$given/mangled" out; cg2wg -o twice "$given/mangled" out
         for style in csv json "stacks --estimate" lines "csv --inclusive=sum"; do for file in mangled readable; do
             cg2wg -q --print=$style "$given/$file" >$file; done; cmp mangled readable; done; rm mangled readable
         rows out; rows twice; cg2wg --print "$given/mangled" | tail -n 3 | cut -c 35-' \
        files='out profile twice' out='30 50 1 Box::~Box()  (box.cc:1)
7 7 1 Box::~Box() \[clone .cold]  (box.cc:3)
3 3 1 _Zebra  (box.cc:4)
60 100 2 Box::~Box()  (box.cc:1)
14 14 2 Box::~Box() \[clone .cold]  (box.cc:3)
6 6 2 _Zebra  (box.cc:4)
*75.00*Box::~Box()  (box.cc:1)
*Box::~Box() \[clone .cold]  (box.cc:3)
*_Zebra  (box.cc:4)'
    printf '%s\n' _ZN3foo3bar17h0123456789abcdefE _ZN3foo3bar17hfedcba9876543210E _ZN3foo3new17h0123456789abcdefE \
        _RINvCsabc_3foo3barSdE | awk 'BEGIN { print "events: Ir" } { print "fn=" $0; print NR, NR } END { print "totals: 10" }' \
        >"$given/rust"
    run 'names of Rust lose their hashes' 0 'cg2wg "$given/rust" out && rows out | cut -d" " -f1,4-' \
        files='out profile' out='3 foo::bar
3 foo::new
4 foo::bar::<\[f64]>'
else
    skip 'names of C++ and Rust are readable' 'no c++filt'
fi
# A function keeps its name and row whatever else its profile has: the destructors of a class, of which one profile has
# the first, and another one both; events that were not sampled in both.
if ! on_windows; then
    mkdir "$given/names"
    printf '%s\n' '#!/bin/sh' 'echo started >>"$STARTED"; exec sed "s/^_ZN\(.*\)D[0-2]Ev$/f\1()/"' >"$given/names/c++filt"
    chmod +x "$given/names/c++filt"
    named() { STARTED=$work/started PATH=$given/names:$PATH cg2wg -q "$@"; }
    printf 'creator: callgrind-3\nevents: Ir\nfl=a.c\nfn=_ZN1AD1Ev\n1 5\n\ntotals: 5\n' >"$given/one"
    printf 'creator: callgrind-3\nevents: Ir\nfl=a.c\nfn=_ZN1AD1Ev\n1 5\nfn=_ZN1AD2Ev\n2 4\n\ntotals: 9\n' >"$given/both"
    run 'a readable name does not depend on other functions of a profile, and is asked for once' 0 \
        'named --print=csv "$given/both" "$given/one" | tail -n 1; cat started; rm started
         named --base="$given/one" "$given/both" | tail -n 1 | tr -s " "; cat started; rm started
         named -o out "$given/one" "$given/both"; cg2wg -q --no-demangle --print=csv out | tail -n +2; rm out started' \
        out='"f1A()","a.c",1,"",14,100.00,,,?
started
 5 9 +80.00 - - - grew f1A() (a.c:1)
started
"f1A()","a.c",1,"",14,100.00,,,?'
    for of in '1 D1 cycles' '2 D2 cycles' '4 D1 cycles' '7 D1 instructions'; do
        echo "$of" | sed 's/\(.*\) \(.*\) \(.*\)/app 1 1.000001: \1 \3:\n\t1 _ZN1A\2Ev+0x1 (a)\n\t2 main+0x1 (a)\n/'
    done >"$given/events"
    run '... nor on the event of a recording' 0 'named -e all --print=csv "$given/events" | cut -d, -f1,5,7,9,11; cat started; rm started' \
        out='name,"cycles","cycles inclusive","instructions","instructions inclusive"
"f1A()",7,7,7,7
"main",0,7,0,7
started'
    awk 'BEGIN { print "creator: callgrind-3\nevents: Ir\npid: 1"
                 for (t = 1; t <= 2000; t++) print "thread: " t "\nfn=_ZN" t "D1Ev\n1 2\nfn=main\n2 3\nfn=_ZN" t "D2Ev\n1 2\n" }' >"$given/threads"
    run 'names are asked for once for all threads' 0 \
        'named --group=thread "$given/threads" | tail -n 1 | tr -s " "; cat started
         named --group=thread --function="f77*" --print=csv "$given/threads" | grep -c ",4,.*,4,"; rm started' \
        out=' 7 0.05 - pid 1, thread 2000 (f2000())
started
11'
fi
run '--no-demangle keeps the names' 0 'cg2wg --no-demangle "$given/mangled" out && cg2wg --print --no-demangle out | grep -c _Z' \
    out=4 files='out profile'

printf %b 'events: Ir\nob=one\nfl=a.c\nfn=twin\n1 1\nfl=b.c\nfn=twin\n1 2\n' \
    'ob=two\nfn=twin\n1 4\nfn=twin\n1 8\nsummary: 15\n' >"$given/twins"
run 'functions are distinguished by object, file and name' 0 \
    'cg2wg "$given/twins" out && rows out' files='out profile' \
    out='1 - - twin *
2 - - twin *
12 - - twin *'
run '--identity name: by name' 0 'cg2wg --identity name "$given/twins" out && rows out' files='out profile' \
    out='15 - - twin *'
run '--identity=file: by file and name' 0 'cg2wg --identity=file "$given/twins" out && rows out' \
    files='out profile' out='1 - - twin *
14 - - twin *'
run '--identity=object: by all three, in profiles of Xdebug too' 0 \
    'sed "s/^events/creator: xdebug 3.1.0\n&/" "$given/twins" >in &&
     cg2wg --identity=object in out && rows out | wc -l &&
     cg2wg in out && rows out | wc -l' out='3
1' files='in out profile'
run '--records=invocations: each record is an invocation' 0 \
    'cg2wg --records=invocations "$given/twins" out && rows out' files='out profile' out='1 - 1 twin *
2 - 1 twin *
12 - 2 twin *'
run '--records sums: records are parts of sums' 0 \
    'sed s/calls=1/calls=9/ profile >in && cg2wg --records sums in out && rows out' \
    files='in out profile' out='5 5 9 php::strlen *
10 15 9 f *
20 35 1 {main} *'

run '--input=preprocessed reads nothing else' 1 'cg2wg --input=preprocessed profile out' \
    err='cg2wg: profile: *'
run '--input=callgrind reads nothing else' 1 'cg2wg --input=callgrind "$given/v7" out' \
    err='cg2wg: */v7: *callgrind profile*'
run '--input holds for every input' 1 'cg2wg --input=callgrind -o out profile "$given/v7"' \
    err='cg2wg: */v7: *callgrind profile*'
run '--input holds for --list-events' 1 'cg2wg --input=preprocessed --list-events profile' \
    err='cg2wg: profile: *'

for form in -h --help; do
    run "$form shows how to call the program, on standard output" 0 "cg2wg $form" \
        out='usage: cg2wg *INPUT OUTPUT*--output*--print*--min*--source*--estimate*--base*--format*--help*=all*'
done
run '--help has groups of options, by task' 0 'cg2wg --help=all | awk "BEGIN { RS = \"\" } { print \$1 }"' out='usage:
Show
Show:
Compare:
Convert
Read:
Other:
Exit'
run '--help does nothing else' 0 'cg2wg profile out --help' out='usage: *'
for form in -V --version; do
    run "$form shows the version, nothing else" 0 "cg2wg $form" out='cg2wg [0-9]*.[0-9]*'
done
run '--version is one line' 0 'cg2wg --version | wc -l' out=1
run '--version is that of the header' 0 \
    "cg2wg --version | grep -Fxq \"cg2wg \$(sed -n 's/^#define CG2WG_VERSION \"\\(.*\\)\"/\\1/p' \
        '$top/include/cg2wg.h')\""
run 'a conversion that goes well says nothing' 0 'cg2wg profile out' files='out profile'
for form in -v --verbose; do
    run "$form says what was converted" 0 "cg2wg $form profile out" \
        err='cg2wg: out: *3 functions*' files='out profile'
done
if [ -c /dev/full ]; then
    for form in --help --version; do
        run "$form fails where it cannot write" 1 "cg2wg $form >/dev/full" \
            err='cg2wg: *No space left on device'
    done
else
    skip '--help fails where it cannot write' 'no /dev/full'
fi

# ---- wrong usage: status 2, a message, nothing written

run 'wrong usage: nothing at all, which shows how to call the program in three lines' 2 \
    'cg2wg 2>message; s=$?; wc -l <message; sed "s/ .*//" message | head -n 1
     grep -o -e "INPUT OUTPUT" -e "-o OUTPUT" -e --help message; rm message; exit $s' \
    out='3
usage:
INPUT OUTPUT
-o OUTPUT
--help'
run 'one input is printed' 0 'cg2wg profile >shown; cg2wg --print profile | cmp - shown; rm shown'
# misuses PATTERN WORDS...: what the message for each of these command lines holds
misuses() {
    said=$1
    shift
    for words; do
        run "wrong usage: $words" 2 "cg2wg $words" err="cg2wg: *$said*"
    done
}
misuses INPUT '-o out' '-f 7 -q' --
misuses OUTPUT '-f 7 profile' 'profile ""' '-o "" profile'
misuses 'no FILE is given' --print --list-events
misuses 'needs a value*' 'profile out -f' 'profile out -o' 'profile out -p'
misuses 'expected*' '-j "" profile out'
misuses --nonsense '--nonsense=7 profile out' 'profile out --nonsense'
misuses -x '-x profile out'
misuses x '-qx profile out'
misuses --- '--- profile out'
misuses --=7 '--=7 profile out'
misuses --Format '--Format=7 profile out'
misuses --formats '--formats=7 profile out'
misuses '-F7*--format?' '-F7 profile out'
misuses '--pro,*--proxy or --progress' '--pro profile out'
misuses '7x*' '-f 7x profile out' '-f7x profile out'
misuses '9*' '-f 7 -f 9 profile out'
misuses event '-e "" profile out'
misuses output '--list-events -o out profile'
misuses '--list-events cannot be used with --print' '--print --list-events profile' '--list-events --print=json profile'
# Swapped letters, at the end or at the start; letters that are missing or too many; capitals; more after it
for row in evnet=Ir:event pdi=7:pid ipd=7:pid fomat=7:format identy=name:identity striict:strict STRICT:strict \
    output-file=out:output; do
    misuses "--${row%:*}*--${row#*:}?" "--${row%:*} profile out" # the nearest option is named
done
for word in nonsense pxi=7 pdx=7 xpd=7; do
    run "wrong usage: --$word, at most one letter in its place: none is named" 2 \
        "cg2wg --$word profile out" err="cg2wg: unknown option --$word
cg2wg: try cg2wg --help"
done
run 'a prefix of one option means it, with a value in the same word or the next' 0 \
    'cg2wg --form=5 profile out && version out && cg2wg --form 6 profile out && version out
     cg2wg --vers' out='5
6
cg2wg *' files='out profile'
run 'other words for an option or a value' 0 'cg2wg profile >whole
    for words in "-n 1=--top=1" "-n2=--top=2" "--filter=f=--only=f" "--compare=whole.out=--base=whole.out" \
        "--sort=invocations=--sort=calls" "--group=namespace=--group=class"; do
        [ "$words" != "${words#--compare}" ] && cp profile whole.out
        meant=${words#*=} meant=--${meant##*--} word=${words%"=$meant"}
        cg2wg $word profile >a && cg2wg $meant profile >b && cmp a b && ! cmp -s a whole && echo same
    done | uniq -c | tr -s " "; rm a b whole whole.out' out=' 6 same'
run 'a whole name is no prefix of a longer one' 0 'cg2wg --demang --prog=never profile out' files='out profile'
for option in format output proxy identity records input sort top threads; do
    misuses "$option" "profile out --$option"
done
for option in strict quiet verbose stats progress no-progress demangle no-demangle help version; do
    misuses "$option" "--$option=yes profile out" "--$option= profile out"
done
# refused OPTION WORDS VALUE...: with these words, none of the values can be the option's
refused() {
    option=$1 rest=$2
    shift 2
    for value; do
        misuses "$option" "--$option='$value' $rest"
    done
}
refused format 'profile out' '' 3 8 0 77 -7 7x x7 7.0 '7,' ' 7' '7 ' +7 '7
' seven 4294967303 18446744073709551623 99999999999999999999999999999999
cp "$given/v7" "$given/pre"
refused top '--print "$given/pre"' '' 0 -1 +1 1x x1 ' 1' '1 ' 1.5 ten 18446744073709551617
refused sort '--print "$given/pre"' '' cost Self selfish self,name 'self|inclusive'
refused print '"$given/pre"' '' xml Table tabl tables 'table|json' 'json,'
refused threads 'profile out' '' 0 -1 +1 1x 1.5 two 4294967296 18446744073709551617
refused identity 'profile out' '' names auto 'name|file' line
refused records 'profile out' '' sum both auto
refused input 'profile out' '' webgrind Callgrind 'auto|callgrind' cachegrind
refused inclusive 'profile out' '' names min 'sum|outermost' outermost,
refused summary 'profile out' '' files 'file|computed' Computed
refused scale 'profile out' '' 0 -1 1.5 4294967296 Auto nothing
refused event 'profile out' ''
# ---- --link: a URL that runs no script

for link in 'vscode://file/%f:%l' 'https://example.org/%f#L%l' 'x-y.z+1:%f' 'javascripts:%f' 'http:%f' 'viewsource:%f'; do
    run "--link=$link" 0 "cg2wg --print=html --link='$link' profile | grep -c '^.link.:.$link.,'" out=1 files=profile
done
tab=$(printf '\t')
for link in javascript:%f JavaScript:%f " javascript:%f" "${tab}javascript:%f" "java${tab}script:%f" "javascript${newline}:%f" data:text/html,%f \
    DATA:%f VBScript:%f vbscript:%f blob:%f \
    feed:javascript:%f FEED:%f view-source:javascript:%f 'jar:javascript:%f!/' '%f' '//host/%f' 'javascrip%f:x' ':%f' 'a b:%f' 'x: %f' '1:%f' 'x:' 'x:%l' 'x:%F' ''; do
    run "wrong usage: --link='$link'" 2 "cg2wg --print=html --link='$link' profile" err='cg2wg: *link: found*' files=profile
done
run 'wrong usage: --link without a page' 2 'cg2wg --link=x: profile' err='cg2wg: --link cannot be used with --print=table, only with --print=html*' files=profile

run 'wrong usage: a page in the order of the file' 2 'cg2wg --print=html --sort=none profile' \
    err='cg2wg: --sort=none cannot be used with --print=html, *' files=profile

run 'wrong usage leaves the old output' 2 'keeps_old out cg2wg -f 9 profile out; s=$?; rm out; exit $s' err='cg2wg: *format*'

# ---- operands

printf 'events: Ir\nfn=f\n1 3\n' >"$given/other"
for option in '' --group=file --top=1 '--raw --sort=name' -j1; do
    run "several profiles are shown, merged: $option" 0 "cp profile second; cg2wg -q $option profile second profile | grep -c '^total: .*in 3 runs'; rm second" out=1
done
run 'a profile is not replaced, whatever its name is' 0 \
    'for name in x.folded x.callgrind x.txt; do cp "$given/other" $name; cg2wg -q --print=csv --sort=name $name $name 2>&1 | grep -c "^\"f\".*,6,"; cmp $name "$given/other" && rm $name; done' \
    out='1
1
1'
run 'OUTPUT is missing, empty, or a preprocessed file' 0 \
    'cg2wg -q profile out && cp out first && cg2wg -q profile out && cmp out first && : >out && cg2wg -q profile out && cmp out first' \
    files='first out profile'
for option in '-f 7' '-p f' '--title=x' '--scale=none'; do
    run "with $option, the second operand is OUTPUT" 2 "cg2wg $option profile \"\$given/other\"" err='cg2wg: */other: is a file in callgrind format, *'
done
run 'a page or a text of somebody is not replaced' 2 \
    'echo "<html>" >x.html; echo text >x.txt; cg2wg profile x.html; cg2wg profile x.txt' \
    err='cg2wg: x.html: is a file in an unknown format, *
cg2wg: x.txt: is a file in an unknown format, *' files='profile x.html x.txt'
if [ -z "${RUNNER:-}" ]; then
    run 'webgrind calls its preprocessor as before' 2 'ln -s "$program" preprocessor; cp profile second; ./preprocessor profile second; s=$?; rm preprocessor; exit $s' \
        err='cg2wg: second: is a file in callgrind format, *' files='profile second'
else
    skip 'webgrind calls its preprocessor as before' 'what runs the program names it'
fi

finish
