#!/bin/sh
# SPDX-License-Identifier: MIT
# messages.sh PROGRAM: warnings and errors, how many are shown, and how they look.
. "$(dirname "$0")/suite.inc"

cg2wg "$given/profile" "$given/v7" || exit 2

# nonsense COUNT: so many lines in front of the profile
nonsense() {
    awk -v count="$1" 'BEGIN { for (i = 1; i <= count; i++) print "nonsense, line " i }'
    cat profile
}

run 'a malformed line is skipped with a warning' 0 \
    'nonsense 1 >in; cg2wg in out && cmp out "$given/v7"' files='in out profile' \
    err='cg2wg: in:1: warning: *nonsense, line 1*'
run 'the message is one line, with file and line' 0 \
    '{ sed -n 1,9p profile; echo "what?"; sed "1,9d" profile; } >in
     cg2wg in out 2>messages; wc -l <messages; grep -c "^cg2wg: in:10: warning: ..*" messages' \
    out='1
1' files='in messages out profile'
run 'the line counts in files with CRLF, a comment, blank lines and a byte-order mark' 0 \
    '{ printf "\357\273\277# a comment\r\n\r\n"; sed "s/$/\r/" profile; printf "what?"; } >in
     lines=$(wc -l <in); cg2wg in out 2>messages && grep -c "^cg2wg: in:$((lines + 1)): " messages' \
    out=1 files='in messages out profile'
run 'standard input has a name, too' 0 \
    'nonsense 1 | cg2wg - out' err='cg2wg: (standard input):1: warning: *' files='out profile'
if have gzip; then
    run 'the line is that of the decoded input' 0 \
        '{ cat profile; echo "what?"; } | gzip -c >in.gz
         lines=$(wc -l <profile); cg2wg in.gz out 2>messages
         grep -c "^cg2wg: in.gz:$((lines + 1)): warning: " messages' \
        out=1 files='in.gz messages out profile'
fi
run 'the file is named as on the command line' 0 \
    'mkdir a; nonsense 1 >a/in; cg2wg ./a/../a/in out' \
    err='cg2wg: ./a/../a/in:1: warning: *' files='a out profile'
run 'messages go to standard error, so that standard output holds the output only' 0 \
    'nonsense 3 >in; cg2wg in - 2>/dev/null | cmp - "$given/v7"' files='in profile'

run 'what is said of two inputs together names neither' 0 \
    'for i in 1 2; do
         printf "creator: xdebug 3.1.0\nevents: Time\n\nfl=/a\nfn=f\n1 300000000$i\n\nsummary: 300000000$i\n" >in$i
     done
     cg2wg --scale=none -o out in1 in2' err='cg2wg: warning: a cost of function f *' files='in1 in2 out profile'
for row in 5:5: 6:6:'1 more warning;' 8:6:'3 more warnings;' 20:6:'15 more warnings;'; do
    count=${row%%:*} shown=${row#*:} more=${row##*:}
    # shellcheck disable=SC3057
    run "of $count warnings the first five are shown, and the number of the others" 0 \
        'nonsense $count >in; cg2wg in out 2>messages; wc -l <messages; grep -c "in:[1-5]: warning:" messages
         sed -n "6s/ use --verbose to see them//p" messages' out="${shown%:*}
5${more:+
cg2wg: $more}" files='in messages out profile'
done
run '--verbose shows all warnings' 0 \
    'nonsense 8 >in; cg2wg -v in out 2>messages; grep -c "in:[1-8]: warning:" messages; grep "more warn" messages; :' \
    out=8 files='in messages out profile'
run '--quiet shows none' 0 'nonsense 8 >in; cg2wg -q in out && cmp out "$given/v7"' files='in out profile'
run '--quiet shows errors' 1 'cg2wg -q missing out' err='cg2wg: missing: *'
run '--quiet shows errors of the input' 1 'cg2wg -q /dev/null out' err='cg2wg: /dev/null: *'

run '--strict makes it an error' 1 'nonsense 8 >in; keeps_old out cg2wg --strict in out' \
    err='cg2wg: in:1: *nonsense, line 1*' files='in out profile'
run '--strict stops at the first, and says no warning' 1 \
    'nonsense 8 >in; cg2wg --strict in out 2>messages; s=$?; wc -l <messages; grep -c warning messages; exit $s' \
    out='1
0' files='in messages profile'
run '--strict and --quiet: the error is shown' 1 'nonsense 1 >in; cg2wg -q --strict in out' \
    err='cg2wg: in:1: *' files='in profile'
run '--strict: in the middle of a large input' 1 \
    '{ large 5000 3; echo "what?"; large 5000 3; } >in; keeps_old out cg2wg --strict in out' \
    err='cg2wg: in:35004: *what?*' files='in out profile'

# warned NAME SED_SCRIPT PATTERN: the profile with an edit, and the warning for it; with --strict
# an error
warned() {
    edit=$2
    run "a warning: $1" 0 'sed "$edit" profile >in; cg2wg in out' \
        err="cg2wg: in:*: warning: *$3*" files='in out profile'
    run "an error with --strict: $1" 1 'sed "$edit" profile >in; cg2wg --strict in out' \
        err="cg2wg: in:*: *$3*" files='in profile'
}
warned 'an alias that was never defined' 's/^cfn=(1)/cfn=(9)/' '(9)'
warned 'a version above 1' 's/^version: 1/version: 2/' 2
warned 'more costs than events' 's/^3 10 0/3 10 0 1/' 3
warned 'a cost that is no number' 's/^4 5 0/&\n6 x/' '6 x'
warned 'calls= that is no number' 's/^calls=1 0 0/calls=one/' 'one'
run 'an alias that was never defined is shown as written' 0 \
    'sed "s/^fn=(2) f/fn=(9)/" profile >in; cg2wg -q in out; rows out' files='in out profile' \
    out='*10 15 1 (9) *'
run 'a warning: no summary' 0 'grep -v ^summary profile >in; cg2wg in out' \
    err='cg2wg: in:*: warning: *summary*' files='in out profile'
run 'a warning: a cost above 32 bits' 0 'sed "s/^3 10/3 9999999999/; s/^summary.*/summary: 10000000000 0/" profile >in
     sed "s/summary: 10000000000/summary: 20000000000/" in >tmp && mv tmp in
     cg2wg --scale=none in out' err='cg2wg: in: warning: *4294967295*' files='in out profile'
run 'a warning with closed standard error does not get into the output' 0 \
    'sed "s/^3 10/3 9999999999/" profile >in; cg2wg -q in quiet; cg2wg in out 2>&-; cmp out quiet' \
    files='in out profile quiet'
run 'standard error that cannot be written to does no harm' 0 \
    '[ -c /dev/full ] || exit 0; nonsense 2 >in; cg2wg in out 2>/dev/full; cmp out "$given/v7"; rm in out'

run 'control bytes of the input do not reach the terminal' 0 \
    '{ printf "what\033[31m\007\tis\001this?\n"; cat profile; } >in; cg2wg in out 2>messages
     wc -l <messages; tr -d "[:print:]\n" <messages | wc -c' \
    out='1
0' files='in messages out profile'
# garbling COMMAND...: how many bytes it says that are no printable ASCII. U+009B begins a sequence, as
# \033[ does; so does the bare byte on some terminals.
csi=$(printf '\302\23331m')
byte=$(printf '\23331m')
garbling() {
    "$@" 2>messages
    tr -d "[:print:]\n" <messages | wc -c
}
run 'nor do those above 127 and bytes that are not UTF-8' 0 \
    '{ printf "what%sis%sthis?\n" "$csi" "$byte"; cat profile; } >in; garbling cg2wg in out
     cat messages' out='0
cg2wg: in:1: warning: *what??31mis?31mthis?*' files='in messages out profile'
run 'letters of any script do' 0 \
    '{ printf "\303\244\342\202\254\360\237\230\200\n"; cat profile; } >in; cg2wg in out' \
    err="cg2wg: in:1: warning: *$(printf '\303\244\342\202\254\360\237\230\200')*" files='in out profile'
if on_windows; then
    skip 'nor do those of arguments' 'they are Unicode'
else
    for odd in "$csi" "$byte"; do
        run 'nor do those of a missing file' 0 'garbling cg2wg "$odd" out; cat messages' \
            out='0
cg2wg: *31m: *' files='messages profile'
        run 'nor do those of an output, with --verbose' 0 \
            'garbling cg2wg -v profile "$odd"; cat messages; rm "$odd"' out='0
cg2wg: *31m: format 7, *' files='messages profile'
        for wrong in "--$odd" "-$odd" "--print=$odd" "--help=$odd"; do
            run 'nor do those of a wrong option' 0 'garbling cg2wg "$wrong"; cat messages' \
                out='0
cg2wg: *31m*
cg2wg: try cg2wg --help' files='messages profile'
        done
        run 'nor do those of an operand too many' 0 'garbling cg2wg --list-events a "$odd"; cat messages' \
            out='0
cg2wg: one input is taken here; "*31m" is *' files='messages profile'
    done
fi
run 'a line of a megabyte makes no message of a megabyte' 0 \
    '{ cat profile; head -c 1000000 /dev/zero | tr "\000" x; } >in; cg2wg in out 2>messages &&
     [ "$(wc -c <messages)" -lt 2000 ] && cmp out "$given/v7"' files='in messages out profile'
run 'a percent sign in the input is one in the message' 0 \
    '{ echo "%s%n%d"; cat profile; } >in; cg2wg in out' err='cg2wg: in:1: *%s%n%d*' \
    files='in out profile'
run 'a percent sign in a name is one in the message' 1 'cg2wg "%s%n%d" out' \
    err='cg2wg: %s%n%d: *'

# ---- totals of real profiles

for input in "$top"/testdata/xdebug/*.out "$top"/testdata/xdebug/*.gz "$top"/testdata/issues/*.out; do
    grep -q '^fn=' "$input" || [ "$input" != "${input%.out}.out" ] || continue # it is not a profile
    run "no complaint about the totals of $(basename "$input")" 0 \
        'cg2wg --list-events "$input" 2>/dev/null | cut -d " " -f 1 >events && [ -s events ] || exit 9
         while read -r event; do
             cg2wg -v -e "$event" "$input" out 2>messages || exit 8
             grep "found a total" messages
         done <events; rm events messages out'
done

# A program with threads and a signal handler, whose cost Valgrind leaves out of its summary.
if have valgrind && have cc && ! on_windows && cc -g -o "$scratch/program" -pthread -x c - 2>/dev/null <<'SOURCE'
#include <pthread.h>
#include <signal.h>
static volatile long sum;
__attribute__((noinline)) static void work(int n) { while (n-- > 0) sum += n; }
static void handle(int number) { (void)number; work(500); }
__attribute__((noinline)) static void step(int n) { work(n); raise(SIGUSR1); }
static void *run(void *n) { for (int i = 0; i < 3; i++) step(100); return n; }
int main(void)
{
    pthread_t threads[2];
    signal(SIGUSR1, handle);
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], 0, run, 0);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
    run(0);
    return 0;
}
SOURCE
then
    for options in --separate-threads=yes --dump-after=work --zero-before=step '--toggle-collect=step --dump-before=handle'; do
        run "Valgrind's totals are what was written: $options" 0 \
            "valgrind -q --tool=callgrind --callgrind-out-file=dump $options \"\$scratch/program\" || exit
             for dump in dump*; do
                 grep -q '^fn=' \"\$dump\" || continue
                 cg2wg \"\$dump\" out 2>&1 | grep total
                 cg2wg --print=json out | sed -n 's/.*\"summary\", \"value\": \"\([0-9]*\).*/\1/p' >total
                 sed -n 's/^totals: //p' \"\$dump\" | cmp - total
                 cg2wg -q --list-events \"\$dump\" | tr -dc '0-9\n' | cmp - total
             done; rm -f dump* out total"
    done
else
    skip "Valgrind's totals are what was written" 'needs valgrind and cc'
fi

finish
