#!/bin/sh
# SPDX-License-Identifier: MIT
# perf_lines.sh PROGRAM: lines of source in recordings of Linux's perf; testdata/README.md says how one was made.
. "$(dirname "$0")/suite.inc"

data=$top/testdata/perf/lines.data
object=srv/shop/perf/lines
# shellcheck disable=SC2120
lines() { # [SYMFS]: the table of lines, without its head
    cg2wg --print=lines --symfs="${1:-$symfs}" "$data" | sed '1,/line and function/d' | tr -s ' '
}

# Self costs are those of `perf script -F period,ip,sym,srcline`. Each call is at the line that addr2line finds for the
# return address - 1, and counts once for a sample that holds it several times (down, line 18).
cat >"$given/lines" <<'TABLE'
 14042126 29.17 0 /srv/shop/perf/lines.c:10 spin
 13039117 27.08 0 /srv/shop/perf/lines.h:5 spin
 12036108 25.00 0 /srv/shop/perf/lines.h:6 spin
 7021063 14.58 0 /srv/shop/perf/lines.c:11 spin
 1003009 2.08 0 /srv/shop/perf/lines.h:7 spin
 1003009 2.08 0 /srv/shop/perf/lines.h:4 spin
 0 0.00 48144432 ???:? [libc.so.6]
 0 0.00 30090270 /srv/shop/perf/lines.c:31 main
 0 0.00 10030090 /srv/shop/perf/lines.c:23 both
 0 0.00 20060180 /srv/shop/perf/lines.c:24 both
 0 0.00 18054162 /srv/shop/perf/lines.c:32 main
 0 0.00 18054162 /srv/shop/perf/lines.c:16 down
 0 0.00 15045135 /srv/shop/perf/lines.c:18 down
TABLE
cat >"$given/unknown" <<'TABLE'
 48144432 100.00 0 ???:? spin
 0 0.00 48144432 ???:? [libc.so.6]
 0 0.00 48144432 ???:? main
 0 0.00 30090270 ???:? both
 0 0.00 33099297 ???:? down
TABLE
libc="cg2wg: *lines.data: warning: no symbols for /usr/lib/x86_64-linux-gnu/libc.so.6: *"

# sums: in JSON, what the lines of a function call is what its arcs have, whether recursion counts once or not
cat >"$given/sums" <<'SCRIPT'
import json, sys
for function in json.load(sys.stdin)["functions"]:
    lines, calls = function["lines"], function["sub_calls"]
    print(function["name"], sum(line["self"] for line in lines) - function["self"],
          sum(line["calls"] for line in lines) - sum(call["cost"] for call in calls))
SCRIPT
if ! on_windows && have addr2line; then
    run 'lines of a recording' 0 'lines | cmp - "$given/lines"' err="$libc"
    if have python3; then
        run 'the costs of calls by line are those of the arcs' 0 \
            'for how in sum outermost; do
                 cg2wg -q --print=json --lines --inclusive=$how --symfs="$symfs" "$data" | python3 "$given/sums" | grep -v " 0 0$"
                 cg2wg -q --print=json --lines --inclusive=$how --symfs="$symfs" "$data" | grep -o "\"name\": \"down\"\|\"line\": 18, \"self.*" | tr "\n" " "
             done' out='"name": "down" "line": 18, "self": 0, "calls": 45135405}], "name": "down" "line": 18, "self": 0, "calls": 15045135}], '
    else
        skip 'the costs of calls by line are those of the arcs' 'no python3'
    fi
    # A page asks addr2line only with --lines; its lines of spin are then those of JSON.
    run 'a page of a recording has lines with --lines' 0 \
        'cg2wg -q --print=html --symfs="$symfs" "$data" | grep -c "^\"lines"
         cg2wg -q --print=html --lines --min=0 --symfs="$symfs" "$data" | sed -n "/^\"lines/,/^\"stacks/p" | grep -o ",18,0,15045135]"' \
        out='0
,18,0,15045135]'
    # spin: as in the table, from main's two callees; the costs of the calls are those of their lines
    run 'calls differ by their lines' 0 \
        'cg2wg -q --print=json --lines --symfs="$symfs" "$data" | tr -d "\n " | grep -o "\"name\":\"spin.*\"sub_calls\":\[\]" |
             grep -o "\"line\":[0-9]*,\"count\":[0-9]*,\"cost\":[0-9]*" | sort' \
        out='"line":16,"count":18,"cost":18054162
"line":23,"count":10,"cost":10030090
"line":24,"count":20,"cost":20060180'
    run 'other views of a recording have no lines, and start nothing' 0 \
        'mkdir bin; printf "#!/bin/sh\necho started >>\"$PWD/started\"\n" >bin/addr2line; chmod +x bin/addr2line
         for style in json table stacks pprof; do PATH=$PWD/bin:$PATH cg2wg -q --print=$style --symfs="$symfs" "$data" >out; done
         PATH=$PWD/bin:$PATH cg2wg -q --symfs="$symfs" "$data" wg; cat started; rm -r bin out wg' err='cat: started: *'
else
    skip 'lines of a recording' 'no addr2line'
fi
case ${RUNNER:-} in
*qemu*) missing='posix_spawnp of qemu does not fail' ;;
*) missing= ;;
esac
if [ -z "$missing" ] && ! on_windows && have eu-addr2line; then
    run 'lines by eu-addr2line' 0 \
        'mkdir bin; ln -s "$(command -v eu-addr2line)" bin; PATH=$PWD/bin "$program" --print=lines --symfs="$symfs" "$data" >out
         rm -r bin; sed "1,/line and function/d" out | tr -s " " | cmp - "$given/lines"; rm out' err="$libc"
else
    skip 'lines by eu-addr2line' "${missing:-no eu-addr2line}"
fi
[ -n "$missing" ] || run 'without a program, all lines are 0, and a message says what to install' 0 \
    'PATH=/nonexistent "$program" --strict --print=lines --symfs="$symfs" "$data" >out; sed "1,/line and function/d" out | tr -s " " | cmp - "$given/unknown"; rm out' \
    err="cg2wg: *lines.data: warning: found no program that knows lines of source, expected addr2line (install binutils) or eu-addr2line (install elfutils); all lines are 0
$libc"

# ---- where debug information is

# apart FOLDER [OPTION...]: a system in `in`, where the object has what objcopy leaves, and its debug file is in FOLDER
apart() {
    debug=in/$1
    shift
    mkdir -p in/srv/shop/perf "$debug"
    cp "$symfs/srv/shop/perf/lines" in/whole
    objcopy --only-keep-debug in/whole "$debug/lines.debug"
    objcopy "$@" --add-gnu-debuglink="$debug/lines.debug" in/whole "in/$object"
    rm in/whole
}
if ! on_windows && have addr2line && have objcopy; then
    for folder in srv/shop/perf srv/shop/perf/.debug usr/lib/debug/srv/shop/perf; do
        run "lines of a debug file in $folder" 0 "apart $folder --strip-all; lines in | cmp - '$given/lines'; rm -r in" err="$libc"
    done
    run 'lines of a debug file of an object that has its symbols' 0 \
        'apart srv/shop/perf --strip-debug; lines in | cmp - "$given/lines"; rm -r in' err="$libc"
    run 'a debug file that has only symbols is passed over' 0 \
        'apart usr/lib/debug/srv/shop/perf --strip-debug; cp "in/$object" in/srv/shop/perf/lines.debug
         lines in | cmp - "$given/lines"; rm -r in' err="$libc"
    run 'lines of a debug file by build-id' 0 \
        'apart usr/lib/debug/.build-id --strip-all --remove-section=.gnu_debuglink
         id=$(readelf -n "in/$object" | sed -n "s/.*Build ID: //p"); mkdir in/usr/lib/debug/.build-id/${id%"${id#??}"}
         mv in/usr/lib/debug/.build-id/lines.debug in/usr/lib/debug/.build-id/${id%"${id#??}"}/${id#??}.debug
         lines in | cmp - "$given/lines"; rm -r in' err="$libc"
    run 'no lines of a debug file that is another one' 0 \
        'apart srv/shop/perf --strip-debug; objcopy --remove-section=.note.gnu.build-id in/srv/shop/perf/lines.debug
         lines in | cmp - "$given/unknown"; rm -r in' \
        err="cg2wg: *lines.data: warning: found no lines of source, expected debug information (compile with -g, *
$libc"
    # prelink moves the segments of an object, whose debug file stays. The headers of segments begin at byte 64.
    if have python3; then
        cat >"$given/prelink" <<'SCRIPT'
import struct, sys
with open(sys.argv[1], "r+b") as file:
    elf = bytearray(file.read())
    for at in range(64, 64 + 56 * struct.unpack_from("<H", elf, 56)[0], 56):
        for field in (at + 16, at + 24):
            struct.pack_into("<Q", elf, field, struct.unpack_from("<Q", elf, field)[0] + 0x3000000)
    file.seek(0)
    file.write(elf)
SCRIPT
        run 'lines of a debug file of an object that was prelinked' 0 \
            'apart srv/shop/perf --strip-all; python3 "$given/prelink" "in/$object"; lines in | cmp - "$given/lines"; rm -r in' \
            err="$libc"
    else
        skip 'lines of a debug file of an object that was prelinked' 'no python3'
    fi
    # An object whose .debug_line is without .debug_info names a debug file, in $1, that addr2line would open from /dev/fd
    # upwards. The checksum is that of the file; each name has a NUL and is padded.
    leads_to() {
        mkdir -p in/srv/shop/perf
        printf "../../../../../../../../..$1\\0" >"link"
        while [ $(($(wc -c <"link") % 4)) -ne 0 ]; do printf '\0' >>"link"; done
        if [ -p "$1" ]; then printf 'crc.' >>"link"; else gzip -c "$1" | tail -c 8 | head -c 4 >>"link"; fi
        objcopy --remove-section=.debug_info --add-section=.gnu_debuglink=link "$symfs/$object" "in/$object"
        rm link
    }
    run 'a debug file outside of --symfs is not read' 0 \
        'cp "$symfs/$object" debug; leads_to "$PWD/debug"; lines in | cmp - "$given/unknown"; rm -r in debug' \
        err="cg2wg: *lines.data: warning: found no lines of source, *
$libc"
    run 'a FIFO that an object names is not opened' 0 \
        'mkfifo fifo; leads_to "$PWD/fifo"; { echo >fifo; echo opened >opened; } & lines in | cmp - "$given/unknown"
         cat opened 2>/dev/null || cat fifo >/dev/null; wait; rm -r in fifo opened' \
        err="cg2wg: *lines.data: warning: found no lines of source, *
$libc"
else
    skip 'lines of debug files' 'no addr2line or objcopy'
fi

# ---- what addr2line may do

# with_fake SCRIPT [SYMFS]: the table, and how long it took in tens of seconds, by an addr2line of /bin/sh
with_fake() {
    mkdir fake
    printf '#!/bin/sh\n%s\n' "$1" >fake/addr2line
    chmod +x fake/addr2line
    began=$(date +%s)
    # shellcheck disable=SC2086
    PATH=$PWD/fake:$PATH lines ${2:-}
    [ $(($(date +%s) - began)) -lt 200 ] || echo slow # a few seconds of processor time, on any machine
    rm -r fake
}
failed_one() {
    echo "cg2wg: *lines.data: warning: found lines of source for $1 addresses, expected 19: addr2line has failed, or was stopped because it took too much; the others are 0
$libc"
}
if [ "$(uname)" = Linux ] && ! on_windows; then
    run 'an addr2line that crashes' 0 'with_fake "echo a.c:1; echo a.c:1; kill -9 \$\$" | grep -c "a.c:1 "' out=[12] err="$(failed_one 2)"
    run 'an addr2line that never ends' 0 'with_fake "while :; do :; done" | cmp - "$given/unknown"' err="$(failed_one 0)"
    run 'an addr2line that answers for ever' 0 'with_fake "while :; do echo a.c:1; done" | cmp - "$given/unknown"' err="$(failed_one 0)"
    # A name with a newline: it is not known to which addresses the later answers belong.
    run 'an answer of two lines' 0 'with_fake "echo a:1; while read n; do echo b.c:1; done" | cmp - "$given/unknown"' err="$(failed_one 0)"
    run 'an addr2line that returns garbage' 0 \
        'with_fake "cat /dev/urandom | head -c 1000000 | tr : x" | cmp - "$given/unknown"' err="$(failed_one 0)"
    run 'an addr2line that knows nothing' 0 'with_fake "while read n; do echo ??:0; done" | cmp - "$given/unknown"' \
        err="cg2wg: *lines.data: warning: found no lines of source, *
$libc"
    run 'forms of answers' 0 \
        'with_fake "for a in \"/a b(1).c:7 (discriminator 3)\" a.c:8:3 a.c:? :9 ??:? a.c:99999999999999999999 \"	a:b.c:10\"; do read n; echo \"\$a\"; done
             while read n; do echo x:1; done" |
             grep -o -e "/a b(1).c:7 " -e " a.c:8 " -e ":9 .*" -e "a:b.c:10 " -e "a.c:[?9].*" | sort' \
        out=' a.c:8 
/a b(1).c:7 
a:b.c:10 ' err="$libc"
    run 'a file name of 100 kB is unknown' 1 \
        'with_fake "head -c 100000 /dev/zero | tr \"\\\\0\" n; echo .c:5; read n; while read n; do echo x:1; done" | grep -c nnn' out=0 err="$(failed_one 18)"
    # qemu does not limit the memory of another process.
    case ${RUNNER:-} in
    *qemu*) memory_limit= ;;
    *) memory_limit="262144:1$newline" ;;
    esac
    run 'addr2line has little memory and time, and the object as a descriptor' 0 \
        'with_fake "sleep 0.3; echo \$(ulimit -v):1; echo \$(ulimit -t)x:1; cmp /dev/fd/3 \"$symfs/$object\" && echo same:1; echo \$#\$1:1" |
             grep -o -e "26[0-9]*:1" -e "[0-9]*x:1" -e same:1 -e "[^ ]*fd/3:1" | sort -u' \
        out="1-e/dev/fd/3:1
1x:1
${memory_limit}same:1" err="$(failed_one 4)"
fi
if [ "$(uname)" = Linux ] && ! on_windows && have objcopy; then
    # A name begins at any place of a block: there are 10000 of 18 bytes. Nothing else is changed.
    run 'what addr2line gets names no other files' 0 \
        'yes .gnu_debugaltlink | head -n 10000 >links; mkdir -p in/srv/shop/perf
         objcopy --add-section=.gnu_debuglink=links --add-section=.gnu_debugaltlink=links --add-section=.pad=links "$symfs/$object" "in/$object"
         with_fake "cat /dev/fd/3 >$PWD/copy; while read n; do echo a.c:7; done" in >/dev/null
         tr -d "\000-\011\013-\037" <copy | grep -o "[.?]gnu_debug[a-z]*" | sort | uniq -c | tr -s " "; cmp -l copy "in/$object" | awk "{ print \$2, \$3 }" | sort -u
         ls -l copy "in/$object" | tr -s " " | cut -d " " -f 5 | uniq | wc -l; rm -r in copy links' err="$libc" \
        out=' 30001 ?gnu_debugaltlink
 1 ?gnu_debuglink
77 56
1'
    # A program has begun when it gets its limits.
    run 'a hole gives addr2line no time, and is one in what it gets' 0 \
        'mkdir -p in/srv/shop/perf; cp "$symfs/$object" in/$object; truncate -s 1G in/$object
         with_fake "while [ \$(ulimit -t) = unlimited ]; do :; done; echo limit-\$(ulimit -t):1; echo blocks-\$((\$(stat -Lc %b /dev/fd/3) / 1000)):1; stat -Lc size-%s:1 /dev/fd/3" in | grep -o "limit-[0-9]*:\|blocks-[0-9]*:\|size-[0-9]*:" | sort -u; rm -r in' \
        err="$(failed_one 3)" out='blocks-0:
limit-1:
size-1073741824:'
    run 'an object with holes of many gigabytes has no lines' 0 \
        'mkdir -p in/srv/shop/perf; cp "$symfs/$object" in/$object; truncate -s 8G in/$object; timeout 60 "$program" -q --print=lines --symfs=in "$data" | grep -c "???:?"; rm -r in' out=5
    run 'a program that finds lines asks no server' 0 \
        'DEBUGINFOD_URLS=http://localhost:1 with_fake "echo is-\${DEBUGINFOD_URLS-unset}:1" | grep -o "is-[^:]*:"' err="$(failed_one 1)" out=is-unset:
fi

# While addr2line is asked about the first of three files, another file takes the place of each of the others.
if [ "$(uname)" = Linux ] && ! on_windows && have objcopy; then
    run 'lines are only of files whose symbols were read' 0 \
        'mkdir -p in/srv/shop/perf fake; for object in app libone.so libtwo.so; do
             objcopy --add-section=.debug_info=profile --add-section=.debug_line=profile "$symfs/srv/shop/perf/$object" in/srv/shop/perf/$object
         done 2>/dev/null
         printf "#!/bin/sh\n[ ! -e in/first ] || for f in in/srv/shop/perf/*; do cp \$f in/new; mv in/new \$f; done; rm -f in/first\n" >fake/addr2line
         echo "while read n; do echo a.c:1; done" >>fake/addr2line; chmod +x fake/addr2line
         for first in "" in/first; do
             [ -z "$first" ] || : >$first
             PATH=$PWD/fake:$PATH cg2wg -q --print=lines --symfs=in "$top/testdata/perf/time.data" | grep -c "a.c:1  \(call\|one\|two\)\$"
         done; rm -r in fake' out='3
1'
else
    skip 'lines are only of files whose symbols were read' 'no objcopy'
fi

# ---- perf script -F +srcline

# As perf prints them; of inlined code also its frames.
printf 'app 5 1.0: 7 cpu-clock:u: \n\t 1136 g\n  /a/g.h:3 (inlined)\n\t 1136 f (/bin/app)\n  f.c:12\n\t 1150 main (/bin/app)\n  f.c:20\n\t 2000 [unknown] (/lib/c.so)\n  c.so[2000]\n
app 5 1.1: 5 cpu-clock:u: \n\t 1136 f (/bin/app)\n  f.c:12\n\t 1160 main (/bin/app)\n  f.c:21\n\t 2000 [unknown] (/lib/c.so)\n  ??:0\n\n' >"$given/text"
run 'lines of the text of perf script' 0 'cg2wg --print=lines --raw "$given/text" | sed "1,/line and function/d" | tr -s " "' \
    out=' 7 58.33 0 /a/g.h:3 g
 5 41.67 7 f.c:12 f
 0 0.00 12 ???:? \[c.so]
 0 0.00 7 f.c:20 main
 0 0.00 5 f.c:21 main'
run 'conversions do not see these lines' 0 'cg2wg -q "$given/text" a; sed "/^  [^ ]*$/d" "$given/text" >in; cg2wg -q in b; cmp a b
    cg2wg --print=json "$given/text" >a; cg2wg --print=json in >b; cmp a b; rm a b in'
run 'a sample without a chain has its line, too' 0 \
    'printf "app 5 1.0: 7 cycles:  1136 f (/bin/app)\n  f.c:12\n" | cg2wg --print=lines - | tail -n 1 | tr -s " "' out=' 7 100.00 - f.c:12 f'
run 'lines in the text are only of samples that are wanted' 0 \
    'sed "s/app 5 1.1/app 6 1.1/" "$given/text" | cg2wg --print=lines --raw --tid=6 - | grep -c "f.c:12  f\|f.c:21  main"' out=2
run 'a million lines, and a file name of 100 kB' 0 \
    'awk "BEGIN { s = \"n\"; while (length(s) < 100000) s = s s; for (i = 1; i <= 300000; i++)
         print \"app 5 1.0: 1 e:  1136 f (/bin/app)\n  \" (i == 7 ? s : \"f.c\") \":\" i * 3 \"\n\" }" >in
     timeout 60 "$program" --print=lines --top=1 in | tail -n 1; rm in' out='... and 299999 more, with *'
finish
