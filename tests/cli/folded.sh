#!/bin/sh
# SPDX-License-Identifier: MIT
# folded.sh PROGRAM: collapsed stacks as an input.
. "$(dirname "$0")/suite.inc"

# figures OPTION... FILE: NAME OBJECT SELF INCLUSIVE of each function, by name
figures() {
    cg2wg -q --print=csv --sort=name "$@" | tr -d '"' | awk -F, 'NR > 1 { print $1, $4 "|", $5, $7 }'
}

# ---- what a line says

cat >"$given/stacks" <<'END'
# a comment
main;f;g 3
main;f 4

main;f;f;g 5
END
# f itself has 4, and what is below it counts once: 3 + 4 + 5; g has 3 + 5 of its own.
run 'recursion counts once' 0 'figures "$given/stacks"' out='f | 4 12
g | 8 8
main | 0 12'
run 'the same stacks are printed again' 0 'cg2wg --print=stacks "$given/stacks"' out='main;f 4
main;f;f;g 5
main;f;g 3'
run 'without a newline at the end, with carriage returns' 0 \
    'printf "a;b 1\r\na;c 2" >text; figures text' out='a | 0 3
b | 1 1
c | 2 2' files='profile text'
run 'names with blanks, and a count of several digits after several blanks' 0 \
    'printf "main;operator new(unsigned long)  12\nmain;a b\t3\n" >text; figures text' out='a b | 3 3
main | 0 15
operator new(unsigned long) | 12 12' files='profile text'
run 'empty frames are unknown; one at the end is none' 0 \
    'printf "a;;b 1\na;c; 2\n" >text; figures text' out='\[unknown] | 0 1
a | 0 3
b | 1 1
c | 2 2' files='profile text'
# py-spy prints " 4" for threads without a frame; flamegraph.pl draws their samples as part of all: 4 + 1 + 2.
run 'a stack without a frame is unknown' 0 \
    'printf " 4\na;b 1\na;c 2\n" >text; figures text; cg2wg --print --raw text | grep total' out='\[unknown] | 4 4
a | 0 3
b | 1 1
c | 2 2
total:   7' files='profile text'
run 'a number alone is no stack, nor is a count without a blank' 0 \
    'printf "a;b 1\na;b 1\n4\na;b 1\na;c2\n" >text; figures --input=folded text' out='a | 0 3
b | 3 3' files='profile text'
# flamegraph.pl draws counts with fractions, too: 1 + 3 + 4 of 1.4, 2.5 and 4.
run 'counts with fractions are rounded' 0 \
    'printf "a;b 1.4\na;c 2.5\na;d 4.\na;e 0.49\n" >text; figures text' out='a | 0 8
b | 1 1
c | 3 3
d | 4 4
e | 0 0' files='profile text'
run '... with a warning, or not with --strict' 1 \
    'printf "a;b 1.4\n" >text; cg2wg text >/dev/null; cg2wg --strict text' \
    err='cg2wg: text:1: warning: a count has a fraction; it is rounded
cg2wg: text:1: a count has a fraction; it is rounded' files='profile text'

# ---- what producers add to names

run 'annotations' 0 \
    'printf "a_[j];read_[k] 1\na_[i];read 2\na_[0] 4\na_[1] 8\na_[x] 16\nb;_[k] 32\n" >text; figures text' \
    out='_\[k] | 32 32
a | 12 15
a_\[x] | 16 16
b | 0 32
read \[kernel.kallsyms]| 1 1
read | 2 2' files='profile text'
run 'stacks without lines: what would have them' 0 'echo "a;b 1" >in; cg2wg --print=lines in >/dev/null; rm in' \
    err='cg2wg: in: warning: found no lines of source, expected NAME (FILE:LINE) in frames; all lines are 0'
run 'py-spy: a file and a line' 0 \
    'printf "<module> (app.py:3);run (lib/a b.py:7) 2\n<module> (app.py:4) 1\nrun (lib.py) 4\nf(int) (a.cpp) 8\n" >text
    figures text; cg2wg -q --print=lines --raw text | tail -n 5 | tr -s " "' out='<module> app.py| 1 3
f(int) (a.cpp) | 8 8
run lib/a b.py| 2 2
run lib.py| 4 4
 8 53.33 0 ???:? f(int) (a.cpp)
 4 26.67 0 ???:? run
 2 13.33 0 lib/a b.py:7 run
 1 6.67 0 app.py:4 <module>
 0 0.00 2 app.py:3 <module>' files='profile text'
run 'rbspy: a file and a line' 0 \
    'printf "<main> - app.rb:3;a - b - lib.rb:7 2\nc - d 1\n" >text; figures text' out='<main> app.rb| 0 2
a - b lib.rb| 2 2
c - d | 1 1' files='profile text'
run 'dtrace: an object and an offset' 0 \
    'printf "libc.so.1\`main+0x1f;libc.so.1\`read+0xA 2\n\`a+0x;b+c12 1\n" >text; figures text' out='\`a+0x | 0 1
b+c12 | 1 1
main libc.so.1| 0 2
read libc.so.1| 2 2' files='profile text'
# The example in stackcollapse-bpftrace.pl, and another stack through other places of the same functions.
run 'bpftrace: a decimal offset' 0 \
    'printf "entry_SYSCALL_64_after_hwframe+61;do_syscall_64+115;sys_read+85;tcp_recvmsg+808;_raw_spin_lock_bh+0 3\ndo_syscall_64+91;tcp_recvmsg+52 4\n+1;a+b1 5\n" >text; figures text' \
    out='?+1 | 0 5
_raw_spin_lock_bh | 3 3
a+b1 | 5 5
do_syscall_64 | 0 7
entry_SYSCALL_64_after_hwframe | 0 3
sys_read | 0 3
tcp_recvmsg | 4 7' files='profile text'
run '.NET: the number of types that a generic type has is no function, an address of dtrace is one' 0 \
    'printf "M.For(class Action\`1<int32>);List\`1.get_Count() 2\nunix\`0xfffffffffb8001d6;Map\`2..ctor() 1\n" >text
    figures text' out='0xfffffffffb8001d6 unix| 0 1
List\`1.get_Count() | 2 2
M.For(class Action\`1<int32>) | 0 2
Map\`2..ctor() | 1 1' files='profile text'

# ---- what is no stack

run 'two counts in each line are a comparison' 1 'printf "a;b 1 2\na;c 3 4\n" >text; cg2wg text' \
    err='cg2wg: text: each stack has two counts, as difffolded.pl writes them; give cg2wg both of its inputs: --base=OLD NEW' \
    files='profile text'
run 'names that end in a number, if others do not' 0 'printf "a;b 1 2\na;c 3\n" >text; figures text' out='a | 0 5
b 1 | 2 2
c | 3 3' files='profile text'
for prose in 'I came; I saw; I conquered 3' 'a list, 12' 'name;value' 'a;b 1
a;b' '; 12x' '12' ' 12' 'a;b 1.x' 'a;b .' 'a;b -1' 'a;b 99999999999999999999'; do
    run "no profile: $(printf %s "$prose" | head -n 1)" 1 "printf '%s\n' '$prose' >text; cg2wg text" \
        err='cg2wg: text: not a profile: *' files='profile text'
done
run 'lines that are no stacks, if the format is given' 0 'printf "a;b 1\nnothing\na;b 2\n" >text; cg2wg --print=stacks --input=folded text' \
    out='a;b 3' err='cg2wg: text:2: warning: found another line, expected a stack (FRAME;FRAME;... COUNT)' files='profile text'
# flamegraph.pl and speedscope leave out such lines, too; Xdebug's flame graphs of memory have costs below 0.
run 'messages and negative costs between stacks' 0 \
    'printf "started\na;b 1\na;b -5\na;c 2\nc 7\n" >text; figures text; cg2wg text 2>&1 | grep -c warning' \
    out='a | 0 3
b | 1 1
c | 9 9
2' files='profile text'
run 'as many such lines as stacks' 1 'printf "started\na;b 1\nend\na;b 2\n" >text; cg2wg text' \
    err='cg2wg: text: not a profile: *' files='profile text'
run "stacks in another program's file" 1 \
    'printf "TRACE START [2023-03-03]\n1\t0\t1\ta;b 0\n2\t0\t1\tc;d 0\n" >text; cg2wg text' \
    err='cg2wg: text: this is a trace by Xdebug*' files='profile text'
run 'more such lines than stacks' 1 'printf "a;b 1\nnothing\n" >text; cg2wg -q --input=folded text' \
    err='cg2wg: text: 1 lines are stacks (FRAME;FRAME;... COUNT), and 1 are not' files='profile text'
run 'a long first line' 0 '{ printf a; seq -f ";frame_%g" 9000 | tr -d "\n"; echo " 7"; } >text; cg2wg -q --print=csv --top=1 text | tr -d "\r" | tail -n 1' \
    out='"frame_9000","",0,"",7,100.00,7,100.00,7' files='profile text'

# ---- beside others

# FlameGraph's stackcollapse-perf.pl made the stacks of the text of perf script; it adds the command and drops objects.
run 'the same figures as the recording' 0 \
    'for i in folded script; do figures "$top/testdata/perf/time.$i" | grep -v "^app " | sed "s/ [^ ]*|/ |/" >$i; done
    cmp folded script && wc -l <folded' out='10' files='folded profile script'
run 'a comparison, and the sum of two' 0 \
    'printf "a;b 1\n" >old; printf "a;b 3\na;c 1\n" >new; cg2wg -q --print=csv --base=old new | cut -d, -f1,5-7; figures old new' out='*
"b",1,3,*
"c",0,1,*
a | 0 5
b | 4 4
c | 1 1' files='new old profile'
run 'converted for webgrind and read again' 0 \
    'cg2wg -q -o result "$given/stacks" && cg2wg -q --print=csv --sort=name result | cut -d, -f1,5,7' out='name,self,inclusive
"f",4,12
"g",8,8
"main",0,12' files='profile result'
run 'compressed, from a pipe, listed' 0 'gzip -c "$given/stacks" | cg2wg --list-events -' out='*Samples*12*'

finish
