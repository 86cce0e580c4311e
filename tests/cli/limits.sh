#!/bin/sh
# SPDX-License-Identifier: MIT
# limits.sh PROGRAM: hostile input takes no more memory than a small multiple of its own size. Each
# conversion has a limit on its address space: that of an ordinary profile, and a multiple of the size
# of the input.
. "$(dirname "$0")/suite.inc"

times=20
slack=1024 # KB

if [ -n "${RUNNER:-}" ]; then
    skip 'all of it' 'what runs the program has an address space of its own'
    finish
fi
if ! (ulimit -v 1000000 && cg2wg --version) >/dev/null 2>&1; then
    skip 'all of it' 'no limit on the address space, or the program reserves all of it'
    finish
fi

# An ordinary profile, so large that cg2wg sets up all that it needs for large ones. One thread, because helpers take
# what memory there is, and cg2wg goes on without them if there is none.
many_calls 400000 >"$given/ordinary"
cg2wg "$given/profile" "$given/v7" || exit 2
have gzip && gzip -c "$given/ordinary" >"$given/ordinary.gz"

# fits KB COMMAND...: does it do within so much address space?
fits() {
    (ulimit -v "$1" && shift && "$@" >/dev/null 2>&1)
}

# need COMMAND...: the address space in KB that it takes, by halves
need() {
    low=0 high=$enough
    while [ $((high - low)) -gt 512 ]; do
        middle=$(((low + high) / 2))
        if fits $middle "$@"; then high=$middle; else low=$middle; fi
    done
    echo $high
}

enough=1000000 # KB, more than any of these may take
ordinary=$(need cg2wg -j1 "$given/ordinary" "$scratch/ordinary.out")
preprocessed=$(need cg2wg -j1 "$given/v7" "$scratch/ordinary.out")
[ ! -e "$given/ordinary.gz" ] ||
    compressed=$(need cg2wg -j1 "$given/ordinary.gz" "$scratch/ordinary.out")
outermost=$(need cg2wg -j1 --inclusive=outermost "$given/ordinary" "$scratch/ordinary.out")
invocations=$(need cg2wg -j1 -f4 "$given/profile" "$scratch/ordinary.out")
printed=$(need cg2wg -j1 --print "$given/v7")
stacks=$((ordinary + 66 * 64)) # the buffers of records, which an ordinary conversion does not need

for found in "$ordinary" "$preprocessed" "${compressed:-1000}" "$outermost" "$invocations" "$printed"; do
    [ "$found" -ge 1000 ] && [ "$found" -lt $((enough / 4)) ] ||
        { echo "limits: an ordinary input takes $found KB: these are no limits"; exit 2; }
done

# within KB STATUS COMMAND...: COMMAND, whose input is $given/hostile, ends with that status.
within() {
    limit=$(($1 + slack + times * $(wc -c <"$given/hostile") / 1024))
    expected=$2
    shift 2
    (ulimit -v $limit && timeout 60 "$@") >"$scratch/shown" 2>"$scratch/messages"
    found=$?
    [ $found = "$expected" ] || { echo "status $found within $limit KB"; cat "$scratch/messages"; }
    # A program that does nothing takes no memory either.
    case $expected in
    0) [ -s "$scratch/shown" ] || [ -s out ] || echo "no output" ;;
    1) [ -s "$scratch/messages" ] || echo "no message" ;;
    esac
    ! grep -E 'out of memory|unavailable|terminated' "$scratch/messages"
}

# hostile NAME STATUS [STATUS-OF-STACKS]: $given/hostile, in each way of reading that has its own sizes. A list of events
# keeps more than others for an event with few letters.
hostile() {
    run "$1" 0 "within $ordinary $2 \"\$program\" -j1 '$given/hostile' out; rm -f out"
    run "$1, to the outermost" 0 \
        "within $outermost $2 \"\$program\" -j1 --inclusive=outermost '$given/hostile' out; rm -f out"
    run "$1, to version 4" 0 \
        "within $((ordinary > invocations ? ordinary : invocations)) $2 \
             \"\$program\" -j1 -f4 -p 'f*' '$given/hostile' out; rm -f out"
    run "$1, to stacks" 0 \
        "within $stacks ${3:-$2} \"\$program\" -j1 --print=stacks --records=invocations '$given/hostile'"
    run "$1, to pprof" 0 "within $stacks $2 \"\$program\" -j1 --print=pprof --records=invocations '$given/hostile'"
    run "$1, its events" 0 "(times=40; within $ordinary $2 \"\$program\" -j1 --list-events '$given/hostile')"
}

xdebug='version: 1
creator: xdebug 3.1.0
events: Time

fl=(1) /a
fn=(1) f
1 1
'
sums='creator: other
events: Time
fl=(1) a
fn=(1) f
1 1'

# made PROGRAM-OF-AWK: a head, and what that prints, as $given/hostile
made() {
    { printf '%s\n' "$1"; awk "BEGIN { $2 }"; } >"$given/hostile"
}

# ---- numbers

for number in 2147483647 2147483648 4294967295 18446744073709551615 99999999999999999999999; do
    { echo "$xdebug"; echo "fl=($number) /b
fn=($number) g
2 2
cfl=($number)
cfn=($number)
calls=1 0 0
3 1
"; } >"$given/hostile"
    hostile "an alias $number" 0
    { echo "$xdebug"; echo "fl=(1)
fn=(2) g
2 2
cfn=(1)
calls=$number $number $number
$number $number
cfn=(1)
calls=-$number +$number *
+$number -$number
"; } >"$given/hostile"
    hostile "counts, lines and costs of $number" 0
    { echo "$sums"; echo "fn=(2) g
calls=$number 1
1 1
cob=($number)
cfn=(1)
calls=$number $number
$number $number
part: $number
summary: $number
jump=$number $number
$number"; } >"$given/hostile"
    hostile "the same in sums: $number" 0
done
made "$xdebug" 'for (i = 1; i < 12000; i++)
    printf "fl=(%d) /a\nfn=(%d) g%d\n1 2\n\n", i * 178000, i * 178000, i'
hostile 'aliases far from each other' 0

# ---- many of them

made "$sums" 'for (i = 2; i < 40000; i++) printf "fn=(%d) %x\n1 1\n", i, i'
hostile 'functions' 0
made "$sums" 'for (i = 2; i < 40000; i++) printf "fl=(%d) %x\nfn=(1)\n1 1\n", i, i'
hostile 'files' 0
made "$sums" 'for (i = 2; i < 40000; i++) printf "fl=a%d\nfn=f%d\n1 1\n", i, i'
hostile 'names without aliases' 0
made "$xdebug" 'for (i = 2; i < 40000; i++) printf "fl=(1) %x\nfn=(1) %x\n1 1\n\n", i, i'
hostile 'the same alias, for ever other names' 0
made "$xdebug" 'print "fl=(1)\nfn=(2) g\n1 1"
    for (i = 2; i < 40000; i++) printf "cfl=(1)\ncfn=(1)\ncalls=1 0 0\n%d 1\n", i'
hostile 'calls in a record' 0
made "$sums" 'for (i = 2; i < 40000; i++) printf "cfn=(%d) %d\ncalls=1 1\n%d 1\n", i, i, i'
hostile 'call arcs' 0
made "$xdebug" 'for (i = 2; i < 30000; i++)
    printf "fl=(1)\nfn=(%d) g%d\n1 1\ncfl=(1)\ncfn=(%d)\ncalls=1 0 0\n2 5\n\n", i, i, i - 1'
hostile 'calls within calls' 0 1 # stacks of 212 MB
made "$xdebug" 'for (i = 2; i < 40000; i++)
    print "fl=(1)\nfn=(1)\n1 1\ncfl=(1)\ncfn=(1)\ncalls=1 0 0\n2 5\n"'
hostile 'recursion' 0
made "$sums" 'for (i = 2; i < 30000; i++)
    printf "fn=(%d) g%d\n1 1\ncfn=(%d) g%d\ncalls=1 0\n2 5\n", i, i, i + 1, i + 1
    print "fn=(30000)\ncfn=(1)\ncalls=1 0\n2 5"'
hostile 'a circle of functions' 0
made "$sums" 'for (i = 2; i < 40000; i++) printf "part: %d\nsummary: 1\ntotals: 1\n", i'
hostile 'headers' 0
made "$sums" 'for (i = 2; i < 10000; i++) printf "events: Time\nfn=(1)\n1 1\n\n"'
hostile 'parts' 0

# ---- events

made 'creator: other' 'printf "events:"; for (i = 0; i < 40000; i++) printf " E%d", i
    printf "\nfn=f\n1"; for (i = 0; i < 40000; i++) printf " 1"; print ""'
hostile 'events' 0
made 'creator: other' 'printf "events:"; for (i = 0; i < 400000; i++) printf " %x", i
    print "\nfn=f\n1 1"'
hostile 'events of few letters' 0
made 'creator: other' 'print "events: e0"
    for (i = 1; i < 300; i++) printf "event: e%d = e%d + e%d\n", i, i - 1, i - 1
    print "fn=f\n1 1"'
hostile 'formulas that double each other' 0
made 'creator: other' 'print "events: a b"
    for (i = 1; i < 20000; i++) printf "event: e%d = 99999999999 a + 3 b : name %d\n", i, i
    print "fn=f\n1 1"'
hostile 'formulas' 0
made 'creator: other' 'printf "events: a\nevent: e = a"; for (i = 1; i < 200000; i++) printf " + a"
    print "\nfn=f\n1 1"'
hostile 'a long formula' 0

# ---- long lines

long='for (i = 0; i < 20; i++) { s = s "##################################################" }
    for (i = 0; i < 1000; i++) printf "%s", s'
made "$xdebug" "printf \"fn=(2) \"; $long; print \"\\n1 1\\n\"
    for (i = 0; i < 1000; i++) print \"fl=(1)\\nfn=(2)\\n1 1\\n\""
hostile 'a long name' 0
made "$xdebug" "printf \"fn=(2) \"; $long"
hostile 'a long line that does not end' 0
made "$xdebug" "printf \"fl=(1)\\nfn=(1)\\n1 1\"; $(printf '%s' "$long" | tr '#' 9); print \"\\n\""
hostile 'a long number' 0
made "# $long" "$long"
hostile 'nothing but a comment' 1
yes '' | head -c 1000000 >"$given/hostile"
hostile 'nothing but newlines' 1
head -c 1000000 /dev/zero >"$given/hostile"
hostile 'nothing but zeros' 1

# ---- many inputs

: >"$given/hostile"
many=$(yes "'$given/profile'" | head -n 60 | tr '\n' ' ')
run 'of each merged input, only what it adds is kept' 0 \
    "within $((outermost + 2 * slack)) 0 \"\$program\" -q -j1 --inclusive=outermost -o out $many; rm -f out"

# takes SECONDS KB STATUS COMMAND...: the same as within, with a limit on the time of the processor, too
takes() {
    seconds=$1
    shift
    (ulimit -t "$seconds" && within "$@")
}

# Old ways to merge took a step for each header line, and each invocation, that was there before: minutes of time.
{ yes 'cmd: c' | head -n 30; echo "$xdebug"; yes "fl=(1)${newline}fn=(1)${newline}1 1$newline" | head -n 200; } \
    >"$given/hostile"
many=$(yes "$given/hostile" | head -n 10000)
# shellcheck disable=SC2016
run 'many inputs are merged in linear time' 0 \
    'takes 10 $((invocations + 100000)) 0 "$program" -q -j1 -f4 -o out $many; rm -f out'
# A step for each function of all runs with each run takes 9 seconds. One run costs 200000 and each of 10000 costs 1, so
# the mean is 20.998; their variance is 199999^2 / 10001, and the margin of a single run 1.96 times its root.
awk 'BEGIN { print "events: Ir"; for (i = 0; i < 200000; i++) print "fn=f" i "\n1 1" }' >"$given/hostile"
printf 'events: Ir\nfn=f5\n1 1\n' >"$given/run"
many=$(yes "$given/run" | head -n 10000)
# shellcheck disable=SC2016
run 'many runs are compared in linear time' 0 \
    'takes 4 $((ordinary + 100000)) 0 "$program" -q -j1 --print --base="$given/run" $many "$given/hostile"
    grep -e total -e same "$scratch/shown"' out='total:   1 -> 21 per run  (+2000.00 %), within +/- 3920
same:    200000 functions, which changed less than the runs spread'

# Each end of a name is looked for; one after the other, and each part of it and of the folder, took 20 seconds.
mkdir -p "$given/below/s"
ln -s . "$given/below/l"
for folder in s/.. l; do
    awk -v folder="$folder/" 'BEGIN { while (length(path) < 150) path = path folder
        for (i = 0; i < 6000; i++) print "fl=" path i "\nfn=f" i "\n1 1" }'
done >"$given/names"
made 'events: Ir' 'print "summary: 12000"'
cat "$given/names" >>"$given/hostile"
# shellcheck disable=SC2016
run 'names of source are looked for in linear time' 0 \
    'takes 4 $((ordinary + 100000)) 0 "$program" -q -j1 --function="*" --source="$given/below" "$given/hostile"
    grep -c "not found" "$scratch/shown"' out=12000

# Each pattern was tried with each name: 32 seconds for 4000 of them.
awk 'BEGIN { print "events: Ir"; for (i = 0; i < 60000; i++) print "fn=App\\Some\\Folder\\Class" i "->method\n1 1" }' >"$given/hostile"
some=$(awk 'BEGIN { for (i = 0; i < 4000; i++) printf " --hide=%sFolder\\Class%d%s", i % 2 ? "" : "*", i * 10, i % 2 ? "->" : "->m*d" }')
proxies=$(awk 'BEGIN { for (i = 0; i < 4000; i++) printf " -p %s%d->method", i % 2 ? "App\\Some\\Folder\\Class" : "*Class", i }')
# shellcheck disable=SC2016
run 'thousands of patterns take the time of one' 0 \
    'set -f; takes 4 $((ordinary + 100000)) 0 "$program" -q -j1 $some --top=1 "$given/hostile"
    grep " of " "$scratch/shown"
    takes 4 $((ordinary + 100000)) 0 "$program" -q -j1 $proxies --print --top=1 "$given/hostile"
    grep "more" "$scratch/shown"' out='56000 of 60000: self costs of 56000, 93.33 %
... and 59999 more, with 100.00 % of the total
... and 59999 more, with 100.00 % of the total'
awk 'BEGIN { for (i = 0; i < 60000; i++) print "app" i " 7 1.0: 1 cycles:  10 f (/bin/app)" }' >"$given/hostile"
some=$(awk 'BEGIN { for (i = 10000; i < 20000; i++) printf " --comm=app%d", i * 2 }')
# shellcheck disable=SC2016
run 'thousands of threads are chosen in the time of one' 0 \
    'takes 2 $((ordinary + 100000)) 0 "$program" -q -j1 $some --print "$given/hostile"
    grep "total:" "$scratch/shown"' out='total:   10000'
# It was measured how near 80 MB of names that are too long to be shown are to one that is misspelt.
awk 'BEGIN { x = sprintf("%4000s", ""); gsub(" ", "x", x); print "events: Ir"; for (i = 0; i < 10000; i++) print "fn=" x i "\n1 1" }' \
    >"$given/hostile"
# shellcheck disable=SC2016
run 'a pattern that matches nothing is known soon' 0 \
    'takes 2 $((ordinary + 200000)) 1 "$program" -q -j1 --only=a_function_with_a_name_of_some_60_letters_which_is_not_there "$given/hostile"
    cat "$scratch/messages"' out='*no function matches*'

# Each part took as many bytes as all parts before it have names: 1.5 GB for those of 20000, of one thread or of as many.
for thread in 1 i; do
    made 'creator: callgrind-3.19.0' "for (i = 1; i <= 20000; i++)
        printf \"thread: %d\\nevents: Ir\\nfn=f%d\\n1 3\\ntotals: 3\\n\\n\", $thread, i"
    # shellcheck disable=SC2016
    run "rows of threads, whose parts have other functions: $thread" 0 \
        'takes 4 $((ordinary + 100000)) 0 "$program" -q -j1 --group=thread "$given/hostile"
        grep total "$scratch/shown"' out='total:   60000'
done

# ---- preprocessed files

# bytes NUMBER...: little endian, 4 bytes each
bytes() {
    for number; do
        # shellcheck disable=SC2059
        printf "$(printf '\\%03o\\%03o\\%03o\\%03o' $((number & 255)) $((number >> 8 & 255)) \
            $((number >> 16 & 255)) $((number >> 24 & 255)))"
    done
}
most=4294967295
for version in 4 5 6 7; do
    tail='/a
f
events: x
'
    for what in "functions:$version 12 $most" "the address of headers:$version $most 1 16" \
        "an address of a function:$version 90 1 $most" \
        "calls:$version 90 1 16 1 2 3 $most $most $most" "invocations:$version 90 1 16 $most $most $most \
$most $most $most"; do
        # shellcheck disable=SC2086
        { bytes ${what#*:}; printf '%s' "$tail$tail$tail$tail$tail$tail"; } >"$given/hostile"
        run "preprocessed, version $version: ${what%%:*}" 0 \
            "within $preprocessed 1 \"\$program\" -j1 '$given/hostile' out"
        run "preprocessed, version $version, to print: ${what%%:*}" 0 \
            "within $printed 1 \"\$program\" -j1 --print=json '$given/hostile'"
        run "preprocessed, version $version, to stacks: ${what%%:*}" 0 \
            "within $printed 1 \"\$program\" -j1 --print=stacks '$given/hostile'"
        run "preprocessed, version $version, to compare: ${what%%:*}" 0 \
            "within $printed 1 \"\$program\" -j1 --print --base='$given/hostile' '$given/hostile'"
    done
done

# A recursion, whose stacks would be as long together as the square of its depth.
awk 'BEGIN {
    print "creator: xdebug 3\nevents: Time\n"
    for (i = 0; i < 30000; i++)
        printf "fn=f\n1 1\n%s", (i ? "cfn=f\ncalls=1 0\n2 1\n" : "")
}' >"$given/hostile"
run 'a deep recursion, to stacks' 0 "within $outermost 0 \"\$program\" -j1 --print=stacks '$given/hostile'
    [ \$(wc -c <'$scratch/shown') -lt 2000000 ] || echo too long"
cg2wg -q -f4 "$given/hostile" "$given/recursion"
mv "$given/recursion" "$given/hostile"
run 'a deep recursion in version 4, to stacks' 0 \
    "within $outermost 0 \"\$program\" -j1 --print=stacks '$given/hostile'"

# alike NAME: a preprocessed file with 20000 functions of that name, each of which calls the first one
alike() {
    awk -v name="$1" 'BEGIN {
        print "creator: x\nevents: Ir\nsummary: 20000"
        for (i = 0; i < 20000; i++)
            print "ob=" i "\nfl=f\nfn=" name "\n1 1\ncob=0\ncfn=" name "\ncalls=1 0\n" i " 1"
    }' >"$scratch/alike" && cg2wg -q --overwrite "$scratch/alike" "$given/hostile"
}
alike "$(head -c 300 /dev/zero | tr '\0' a)"
run 'functions with the same name: near ones' 0 \
    'within $printed 1 "$program" --print --function="*a*a*a*a*a*a*a*a*a*b" "$given/hostile"'
run 'functions with the same name: their calls' 0 \
    'within $printed 0 "$program" --print --function="*a*a*a*a*a*a*a*a*a*a" "$given/hostile"'
alike f >/dev/null
mv "$given/hostile" "$given/old-names"
alike g
run 'functions with the same name: compared' 0 \
    'within $printed 0 "$program" --print --base="$given/hostile" "$given/hostile"'
run 'functions without the same name: compared' 0 \
    'within $printed 0 "$program" --print --base="$given/old-names" "$given/hostile"'

# ---- recordings of perf, through a pipe: records of type, misc and words of 4 bytes, the lower ones first

# recorded PROGRAM-OF-AWK: a head, an event whose samples have address, thread and chain, and what that prints, as
# $given/hostile. Records: map(PID, ADDRESS, SIZE), with an object for each process; fork(PID, PARENT); sample(PID, CHAIN).
recorded() {
    awk 'function word(n) { printf "%c%c%c%c", n % 256, int(n / 256) % 256, int(n / 65536) % 256, int(n / 16777216) }
        function words(text,    each, count, i) {
            count = split(text, each, " ")
            for (i = 1; i <= count; i++)
                word(each[i])
        }
        function record(type, misc, text,    each) {
            word(type); word(misc + 65536 * (8 + 4 * split(text, each, " "))); words(text)
        }
        function map(pid, address, size,    name) { # a slash and three letters
            name = 47 + 256 * (97 + pid % 26 + 256 * (97 + int(pid / 26) % 26 + 256 * (97 + int(pid / 676) % 26)))
            record(1, 2, pid " " pid " " address " 0 " size " 0 0 0 " name " 0")
        }
        function fork(pid, parent) { record(7, 0, pid " " parent " " pid " " parent " 0 0") }
        function sample(pid, chain,    each) {
            record(9, 2, "4096 0 " pid " " pid " " split(chain, each, " ") / 2 " 0 " chain)
        }
        BEGIN {
            deferred = "4294966656 4294967295 77 0" # 77 is the cookie
            user = "4294966784 4294967295"
            printf "PERFILE2"; words("16 0")
            record(64, 0, "1 64 0 0 1 0 35 0 0 0 0 0 0 0 0 0")
            '"$1"'
        }' >"$given/hostile"
}
if [ "$(LC_ALL=C awk 'BEGIN { printf "%c%c", 0, 200 }' | od -An -tx1 | tr -d ' ')" != 00c8 ]; then
    skip 'recordings of perf' 'awk cannot print any byte'
else
    recorded 'for (i = 0; i < 2000; i++) map(1, 4096 * i, 4096)
        fork(2, 1)
        for (i = 0; i < 1000; i++) map(2, 10000000 + 4096 * i, 4096)
        for (i = 10; i < 2000; i++) { fork(i, 2); map(i, 4096 * i, 4096) }
        sample(1, user " 4096 0")'
    run 'perf: children of a process with many mappings' 0 \
        "takes 5 $ordinary 0 \"\$program\" -q -j1 '$given/hostile' out; rm out"
    recorded 'for (i = 0; i < 70000; i++) map(1, 4096 * (70000 - i), 4096); sample(1, user " 4096 0")'
    run 'perf: more mappings than Linux usually permits, from the last to the first' 0 \
        "takes 1 $ordinary 0 \"\$program\" -q -j1 '$given/hostile' out; rm out"
    recorded 'for (i = 1; i <= 1000; i++) { map(i, 0, 16 * 8000); sample(i, user " " deferred) }
        for (i = 0; i < 8000; i++) chain = chain " " 16 * i " 0"
        record(22, 2, "77 0 8001 0 " user chain)'
    run 'perf: a chain of many samples that comes later' 0 \
        "takes 1 $ordinary 0 \"\$program\" -q -j1 '$given/hostile' out; rm out"

    # The objects of processes 1 to 4 are stripped files, whose debug files are sparse and take no disk.
    if have objcopy && have truncate; then
        recorded 'for (i = 1; i <= 4; i++) { map(i, 0, 65536); sample(i, user " 4096 0") }'
        mkdir "$given/symfs"
        cp /bin/true "$given/symfs/elf"
        echo >"$given/symfs/zero"
        for name in baa caa daa eaa; do
            debug=elf
            [ $name != baa ] || debug=zero
            (cd "$given/symfs" && objcopy --strip-all -R .note.gnu.build-id -R .gnu_debuglink /bin/true $name &&
                objcopy --add-gnu-debuglink=$debug $name)
        done
        recorded=$(need cg2wg -q -j1 --symfs="$symfs" "$top/testdata/perf/cpp.data" "$scratch/ordinary.out")
        truncate -s 8G "$given/symfs/elf"
        truncate -s 8G "$given/symfs/zero"
        run 'perf: debug files of many gigabytes' 0 \
            "takes 2 $recorded 0 \"\$program\" -q -j1 --symfs='$given/symfs' '$given/hostile' out; rm out"
        rm -r "$given/symfs"
    else
        skip 'perf: debug files of many gigabytes' 'needs objcopy and truncate'
    fi
fi

# ---- programs that wait

# It neither answers nor works, for each of four objects. It is stopped after ten seconds, and not started again.
if [ "$(uname)" = Linux ] && ! on_windows && [ -e "$given/hostile" ]; then
    mkdir "$given/waits" "$given/objects"
    printf '#!/bin/sh\necho started >>"$STARTED"\nexec sleep 100\n' >"$given/waits/addr2line"
    chmod +x "$given/waits/addr2line"
    recorded 'for (i = 1; i <= 4; i++) { map(i, 0, 65536); sample(i, user " 4500 0") }'
    for name in baa caa daa eaa; do
        cp "$top/testdata/perf/symfs/srv/shop/perf/lines" "$given/objects/$name"
    done
    run 'addr2line that waits is started once' 0 \
        'STARTED=$PWD/started PATH=$given/waits:$PATH timeout 90 "$program" -q --print=lines --symfs="$given/objects" "$given/hostile" >out
         cat started; grep -c "???" out; rm started out' out='started
4'
fi

# ---- names that are dear to c++filt

# This one is never done. With a limit for each reading, it would be started 16 times, and 4 times.
if [ "$(uname)" = Linux ] && ! on_windows; then
    mkdir "$given/bin"
    printf '#!/bin/sh\necho started >>"$STARTED"\nwhile :; do :; done\n' >"$given/bin/c++filt"
    chmod +x "$given/bin/c++filt"
    printf 'events: A B C D E F G H I J K L M N O P\nfn=_Z1fv\n1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1\nsummary: 1\n' >"$given/dear"
    run 'c++filt has one limit for all events of a page' 0 \
        'STARTED=$PWD/started PATH=$given/bin:$PATH cg2wg -q -o x.html "$given/dear"; cat started; rm x.html started' out=started
    # One that hangs in one name gets the others, so that both sides of a comparison have the same names.
    mkdir "$given/once"
    printf '%s\n' '#!/bin/sh' 'while read n; do while [ "$n" = _Z4dear ]; do :; done; echo "readable${n#_Z}"; done' \
        >"$given/once/c++filt"
    chmod +x "$given/once/c++filt"
    printf 'events: A\nfn=_Z1a\n1 1\nfn=_Z4dear\n1 1\nfn=_Z1b\n1 1\nsummary: 3\n' >"$given/some"
    run 'c++filt goes on after a name that takes too much' 0 \
        'PATH=$given/once:$PATH cg2wg -q --print --base "$given/some" "$given/some" 2>&1 | grep -e same -e gone
         PATH=$given/once:$PATH cg2wg -q --print "$given/some" 2>&1 | grep -o -e "readable1[ab]" -e _Z4dear | sort' \
        out='same:    3 functions
_Z4dear
readable1a
readable1b'
    # Six that each take a second: three seconds are for all
    printf 'events: A\nfn=_Z1av\n1 1\nfn=_Z1bv\n1 1\nfn=_Z1cv\n1 1\nfn=_Z1dv\n1 1\nfn=_Z1ev\n1 1\nfn=_Z1fv\n1 1\nsummary: 6\n' \
        >"$given/six"
    run 'c++filt gets three seconds' 0 \
        'STARTED=$PWD/started PATH=$given/bin:$PATH cg2wg -q "$given/six" x; wc -l <started; rm x started' out=3
    # ... and one more for each megabyte of names. This one says how many; a name of more than 4096 bytes is not asked.
    mkdir "$given/says"
    printf '%s\n' '#!/bin/sh' 'sleep 0.3; { ulimit -t; wc -l; } >>"$STARTED"' >"$given/says/c++filt"
    chmod +x "$given/says/c++filt"
    awk 'BEGIN { x = sprintf("%4080s", ""); gsub(" ", "x", x); print "events: A\nsummary: 1"
                 for (i = 1000; i < 2250; i++) print "fn=_Z" i x "\n1 1"; print "fn=_Z" x x "\n1 1" }' >"$given/long"
    run 'c++filt gets a second for each megabyte, and no name of more than 4096 bytes' 0 \
        'STARTED=$PWD/started PATH=$given/says:$PATH cg2wg -q "$given/long" x; tr "\n" " " <started; rm x started' out='6 1250 '
    run 'c++filt has one limit for all profiles of a storage' 0 \
        'mkdir s; for i in 1 2 3 4; do cp "$given/dear" s/cachegrind.out.$i; touch -d "2 hours ago" s/cachegrind.out.$i; done
         STARTED=$PWD/started PATH=$given/bin:$PATH cg2wg -q -j1 --storage=s s/*; cat started; ls s | wc -l; rm -r s started' out='started
started
started
8'
fi

# ---- what is printed for people

# printed_as STATUS STYLE...: $given/hostile in each style, with 100 MB of memory more than an ordinary file takes, and
# less than 70 MB of output or one sentence
printed=$((printed + 100000))
printed_as() {
    expected=$1
    shift
    for style; do
        run "$style" 0 "within \$printed $expected \"\$program\" -q $style '$given/hostile'
            [ \$(wc -c <'$scratch/shown') -lt 70000000 ] || echo too long
            [ $expected -eq 0 ] || { [ ! -s '$scratch/shown' ] || echo half; wc -l <'$scratch/messages'; grep -o 'expected at most' '$scratch/messages'; }" \
            out="$([ "$expected" -eq 0 ] || echo "1
expected at most")"
    done
}
x40000=$(head -c 40000 /dev/zero | tr '\0' x)
# A file's name of 40 KB that 4500 functions share, which is 180 MB in a preprocessed file
awk -v name="$x40000" 'BEGIN {
    print "creator: x\nevents: Ir\nsummary: 4500\nfl=(1) " name
    for (i = 0; i < 4500; i++)
        print "fn=" i "\n1 1"
}' >"$given/hostile"
printed_as 0 --print --print=json --print=html "--print --function='*'"
run 'a long name that many functions share is compared' 0 \
    "within $printed 0 \"\$program\" --print --base='$given/hostile' '$given/hostile'"
# The same with control characters, each of which is six bytes of JSON
tr x '\001' <"$given/hostile" >"$scratch/made" && mv "$scratch/made" "$given/hostile"
printed_as 0 --print --print=html "--print=json --top=50"
printed_as 1 --print=json
# Bytes that are no UTF-8, whose hexadecimal digits are there, too
tr '\001' '\377' <"$given/hostile" >"$scratch/made" && mv "$scratch/made" "$given/hostile"
printed_as 1 --print=json
# 30000 functions of a file whose name has 4000 bytes, 120 MB; one of them calls all others
awk -v name="$x40000" 'BEGIN {
    print "creator: x\nevents: Ir\nsummary: 30000\nfl=(1) " substr(name, 1, 4000)
    for (i = 0; i < 30000; i++)
        print "fn=(" i + 1 ") f" i "\n1 1"
    for (i = 1; i < 30000; i++)
        print "cfn=(" i ")\ncalls=1 0\n" i " 1"
}' >"$given/hostile"
printed_as 0 --print=html "--print=html --min=0" --print=pprof "--print --top=9" "--print --function=f29999 --top=9" \
    "--print=json --function=f29999 --top=9" "--print --function=f29998"
printed_as 1 --print --print=json "--print=json --top=1 --sort=inclusive" "--print=json --function=f29999" "--print --function=f29999"
sed 's/^fn=/&g/' "$given/hostile" >"$given/renamed"
for style in --print --print=json; do
    run "names are compared: $style" 1 "\"\$program\" -q $style --base='$given/renamed' '$given/hostile'" \
        err='*expected at most*'
    run "the first of them: $style" 0 "within $printed 0 \"\$program\" -q $style --top=9 --base='$given/renamed' '$given/hostile'"
done
# The same name of 4000 bytes in 20000 files: a page has each name once for each function
awk -v name="$x40000" 'BEGIN {
    print "creator: x\nevents: Ir Dr\nsummary: 20000 20000\nfn=(1) " substr(name, 1, 4000)
    for (i = 0; i < 20000; i++)
        print "fl=" i "\nfn=(1)\n1 1 1"
}' >"$given/hostile"
printed_as 0 --print=html
printed_as 1 "--print=html --min=0" --print --print=json
# An event has its part of what those before it have left: all data of ten events, 1.5 MB each, are on a page of 20 MB
awk 'BEGIN {
    print "events: a b c d e f g h i j"
    for (i = 0; i < 26000; i++)
        print "fl=file" i % 1000 "\nfn=a_function_" i "\n1 " i + 1 " 7 7 7 7 7 7 7 7 7"
}' >"$given/hostile"
run 'a page of ten events has all functions of each' 0 "within $printed 0 \"\$program\" -q --print=html '$given/hostile'
    grep -o '\"left\":{\"functions\":[0-9]*' '$scratch/shown' | uniq -c | tr -d ' '" out='10"left":{"functions":0'
# Many calls at the end of a long stack
leaves() {
    awk -v depth="$1" -v count="$2" 'BEGIN {
        print "creator: xdebug 3\nevents: Time\n\nfl=(1) a"
        for (i = 0; i < count; i++)
            printf "fn=(%d) %x\n1 1\n", i + 5000, i
        print "fn=(1) a\n1 1"
        for (i = 0; i < count; i++)
            printf "cfn=(%d)\ncalls=1 1\n1 1\n", i + 5000
        for (i = 0; i < depth; i++)
            printf "fn=(%d) b%d\n1 1\ncfn=(%d)\ncalls=1 1\n1 %d\n", i + 2, i, i + 1, count + i
    }' >"$given/hostile"
}
leaves 1000 20000
run 'pprof is printed as it is made' 0 "within $stacks 0 \"\$program\" -q -j1 --print=pprof '$given/hostile'
    [ \$(wc -c <'$scratch/shown') -gt 35000000 ] || echo too short"
leaves 1000 130000
printed_as 1 --print=pprof
# A function with a name of 40 KB, which calls itself from 30000 lines
awk -v name="$x40000" 'BEGIN {
    print "creator: x\nevents: Ir\nsummary: 1\nfn=(1) " name "\n1 1"
    for (i = 0; i < 30000; i++)
        print "cfn=(1)\ncalls=1 0\n" i " 1"
}' >"$given/hostile"
printed_as 0 --print --print=json --print=html "--print --function='*' --top=5" "--print=json --function='*'"
printed_as 1 "--print --function='*'"
# A recursion of such a function: lines of up to 1024 names, or 1 MB
awk -v name="$x40000" 'BEGIN {
    print "creator: xdebug 3\nevents: Time\n\nfl=(1) a\nfn=(1) " name "\n1 1\n"
    for (i = 0; i < 3000; i++)
        print "fl=(1)\nfn=(1)\n1 1\ncfl=(1)\ncfn=(1)\ncalls=1 0\n2 1\n"
}' >"$given/hostile"
printed_as 0 --print=html
printed_as 1 --print=stacks

# ---- compressed

if [ -e "$given/ordinary.gz" ]; then
    { printf '\037\213\010\034\0\0\0\0\0\0\377\377'; head -c 1000000 /dev/zero | tr '\0' a; } \
        >"$given/hostile"
    run 'gzip: a head without end' 0 "within $compressed 1 \"\$program\" -j1 '$given/hostile' out"
    { echo "$xdebug"; head -c 30000000 /dev/zero | tr '\0' '\n'; } | gzip -9 -c >"$given/hostile"
    run 'gzip: a thousand times as much inside' 0 \
        "within $compressed 0 \"\$program\" -j1 '$given/hostile' out; rm out"
    # Lines of 68 MB in 68 KB: the first one, and one in each format that consists of lines
    for start in '# ' "$sums${newline}fn=" "v 6${newline}r " "f 1 [0] 1.0: 1 cycles:$newline 1234 "; do
        { printf '%s' "$start"; head -c 68000000 /dev/zero | tr '\0' x; printf '\n1 1\n'; } | gzip -1 -c >"$given/hostile"
        run "gzip: a line of 68 MB: ${start%%[$newline]*}" 0 "within $((compressed + 100000)) 1 \"\$program\" -j1 \
            '$given/hostile' out; cat '$scratch/messages'" out='cg2wg: *: found a line of more than 64 MB, *'
    done
    printf '' | gzip -c >"$scratch/member"
    for i in 1 2 3 4 5 6 7 8 9 10 11 12 13; do
        cat "$scratch/member" "$scratch/member" >"$scratch/members"
        mv "$scratch/members" "$scratch/member"
    done
    { cat "$scratch/member"; echo "$xdebug" | gzip -c; } >"$given/hostile"
    run 'gzip: thousands of empty members' 0 \
        "within $compressed 0 \"\$program\" -j1 '$given/hostile' out; rm out"
else
    skip 'gzip' 'no gzip'
fi

finish
