#!/bin/sh
# SPDX-License-Identifier: MIT
# windows.sh PROGRAM NATIVE [PATTERN]: checks that the program for Windows does the same as the native one.
# PROGRAM is a script that starts it with wine.
[ $# -ge 2 ] || { echo "usage: $0 PROGRAM NATIVE [PATTERN]" >&2; exit 2; }
native=$(cd "$(dirname "$2")" && pwd)/$(basename "$2")
pattern=${3:-*}
set -- "$1" "$pattern"
. "$(dirname "$0")/../cli/suite.inc"

native() {
    "$native" "$@"
}

native "$given/profile" "$given/v7" || exit 2
echo nonsense >"$given/nonsense"
large 60000 7 >"$given/large"
native "$given/large" "$given/large7" || exit 2
native -f 4 "$given/large" "$given/large4" || exit 2
large 300000 7 >"$given/larger"
gzip -c "$given/large" >"$given/large.gz"
size=$(wc -c <"$given/large.gz")
head -c $((size / 2)) "$given/large.gz" >"$given/cut.gz"
{ cat "$given/large.gz"; printf '\037\213\011\0\0\0\0\0\0\003'; } >"$given/bad.gz"
# Many chunks of records for --inclusive=outermost
many_calls 4000000 >"$given/many"

# ---- the same as the native program: status, messages, every byte

# same ARGUMENT...: both programs make `out` of it, or fail, with the same words; these may be in another order, because
# streams are flushed at other times.
same() { # without the names that c++filt makes, which cannot be started on Windows
    set -- --no-demangle "$@"
    rm -f out
    native "$@" >native-said 2>native-errors
    native_status=$?
    rm -f native-out
    [ ! -e out ] || mv out native-out
    cg2wg "$@" >said 2>errors
    same_status=$?
    echo compared >>"$scratch/compared"
    [ $same_status -eq $native_status ] || echo "$*: exit status $same_status, natively $native_status"
    cmp native-said said
    cmp native-errors errors
    if [ -e native-out ]; then
        echo converted >>"$scratch/converted"
        cmp native-out out
    elif [ -e out ]; then
        echo "$*: there is an output, natively none"
    fi
    rm -f said native-said errors native-errors native-out out
}

for folder in xdebug valgrind other aprof issues; do
    for version in 4 5 6 7; do
        run "$folder: all files, version $version" 0 \
            'for file in "$top/testdata/$folder"/*; do
                 case $file in
                 */src | *.expected | *.md) ;;
                 *) same -f $version "$file" out ;;
                 esac
             done'
    done
    run "$folder: --inclusive=outermost, strict, listed, stacks" 0 \
        'for file in "$top/testdata/$folder"/*.out; do
             [ -e "$file" ] || continue
             same --inclusive=outermost "$file" out
             same --strict "$file" out
             same --list-events "$file"
             same --print=stacks "$file"
         done'
done
for version in 4 5 6 7; do
    run "recordings of perf, version $version" 0 \
        'for file in "$top/testdata/perf"/*.data; do
             case $file in */compressed*) continue ;; esac
             same -f $version --symfs="$top/testdata/perf/symfs" "$file" out
             same -f $version --symfs="$top/testdata" "$file" out
         done'
done
run 'recordings of perf, listed and chosen from' 0 \
    'for file in "$top/testdata/perf"/*.data; do
         case $file in */compressed*) continue ;; esac # on Windows, no program decodes them
         same --list-events "$file"
         same -e page-faults --symfs="$top/testdata/perf/symfs" "$file" out
         same --comm=app --inclusive=sum --symfs="$top/testdata/perf/symfs" "$file" out
         same --print --symfs="$top/testdata/perf/symfs" "$file"
         same --print=stacks --symfs="$top/testdata/perf/symfs" "$file"
     done'
for version in 4 5 6 7; do
    for threads in 1 3; do
        run "large, version $version, threads: $threads" 0 'same -j $threads -f $version "$given/large" out'
    done
    run "large and compressed, version $version" 0 'same -f $version "$given/large.gz" out'
done
run 'large, --inclusive=outermost' 0 'same --inclusive=outermost "$given/many" out'
run 'large, --print=stacks' 0 'same --print=stacks "$given/many"'
for style in table json; do
    run "--print=$style" 0 'same --print=$style "$given/v7"'
done
run '--print=plot of a report of aprof' 0 \
    'same --print=plot "$top/testdata/aprof/v6-contexts.aprof"'
run 'several inputs' 0 'same -o out "$given/profile" "$given/large" profile'

# ---- streams

run 'a pipe in, a pipe out: no byte is changed' 0 'cat profile | cg2wg - - | cmp - "$given/v7"'
run 'a file in, a file out, by redirection' 0 'cg2wg - - <profile >out; cmp out "$given/v7"' \
    files='out profile'
run 'gzip through a pipe' 0 'cat "$given/large.gz" | cg2wg - - | cmp - "$given/large7"'
run 'half a gzip file through a pipe' 0 'cat "$given/cut.gz" | cg2wg - out' \
    err='cg2wg: (standard input):*: warning: *' files='out profile'
run 'a damaged gzip file through a pipe' 1 'cat "$given/bad.gz" | cg2wg - out' \
    err='cg2wg: (standard input): *gzip*'
run 'lines that end in CR LF' 0 \
    'sed "s/\$/\r/" profile >in; native in native-out && cg2wg in out && cmp out native-out
     cat in | cg2wg - - | cmp - native-out' files='in native-out out profile'
run 'standard input is read from where it is' 0 \
    '{ echo head; cat profile; } >in; { read -r head; cg2wg - out; } <in; cmp out "$given/v7"' \
    files='in out profile'
run 'a reader that goes is an error' 0 \
    '{ "$program" "$given/large" -; echo $? >status; } | head -c 1 | wc -c; cat status' out='1
1' err='cg2wg: (standard output): cannot write: Broken pipe' files='profile status'
run '/dev/full is an error' 1 'cg2wg profile - >/dev/full' err='cg2wg: (standard output): cannot write: *'

# ---- outputs

run 'an old file is replaced' 0 'put_old out; cg2wg profile out; cmp out "$given/v7"' \
    files='out profile'
run 'who has the old file open keeps reading it' 0 \
    'put_old out; exec 3<out; cg2wg profile out; cmp - "$given/old" <&3' files='out profile'
run 'a link stays, the file that it leads to is replaced' 0 \
    'mkdir a; put_old a/file; ln -s a/file out; cg2wg profile out; [ -L out ] && cmp a/file "$given/v7"
     ls -A a; rm -r a out' out=file
run 'a file in another folder, with a slash' 0 'mkdir a; cg2wg profile a/out; cmp a/out "$given/v7"; rm -r a'
run 'a file in another folder, with a backslash' 0 \
    'mkdir a; cg2wg profile "a\\out"; cmp a/out "$given/v7"; ls -A a; rm -r a' out=out
run 'a failure leaves the old output' 1 'keeps_old out cg2wg "$given/nonsense" out' \
    err='cg2wg: *nonsense: not a profile: *' files='out profile'
run 'a damaged input leaves the old output' 1 'keeps_old out cg2wg "$given/bad.gz" out' \
    err='cg2wg: *gzip*' files='out profile'
run 'a failure makes no output' 1 'cg2wg "$given/nonsense" out' err='cg2wg: *'
run 'a missing input' 1 'cg2wg missing out' err='cg2wg: missing: cannot open: No such file*'
run 'a pattern that nobody expands' 1 'cg2wg "missing*" out' err='cg2wg: missing*: cannot open: No such file*'
run 'a folder as input' 1 'mkdir in; cg2wg in out; s=$?; rmdir in; exit $s' \
    err='cg2wg: in: is a directory, expected a file*'
run 'a folder as output' 1 'mkdir out; cg2wg profile out; s=$?; rmdir out; exit $s' \
    err='cg2wg: out: cannot write: Is a directory*'
run 'a missing folder' 1 'cg2wg profile missing/out' err='cg2wg: missing/out: *No such file*'
run 'the input as output' 2 'cg2wg profile profile' err='cg2wg: profile: is also an input*'
run 'wrong usage' 2 'cg2wg --nonsense profile out' err='cg2wg: *'
run 'one program after the other on one file, at once' 0 \
    'for i in 1 2 3 4; do cg2wg "$given/large" out & done; wait; cmp out "$given/large7"' \
    files='out profile'

# killed: kills the program when its temporary file is there, and says so.
killed() {
    put_old out
    "$program" -f 4 "$given/larger" out &
    pid=$!
    while kill -0 $pid 2>/dev/null; do
        for name in .out.*.tmp; do
            [ -e "$name" ] && kill -KILL $pid && echo killed && break 2
        done
    done
    wait $pid 2>/dev/null
    for tenths in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do # wine's server removes the file
        ls .out.*.tmp >/dev/null 2>&1 || break
        sleep 0.1
    done
}
run 'killed while it writes: the old output, and no temporary file' 0 \
    'for turn in 1 2 3 4 5 6 7 8 9 10; do
         case $(killed 2>/dev/null) in
         killed) break ;;
         esac
     done
     [ $turn -lt 10 ] && shows_old out' out=old files='out profile'

for tool in zstd xz bzip2; do
    have $tool || continue
    run "compressed by $tool is an error that says why" 1 \
        '$tool -c <profile >in; keeps_old out cg2wg in out' files='in out profile' \
        err="cg2wg: in: is compressed with $tool, but the program $tool is not available on Windows"
done
run 'an output to be compressed is an error that says why' 1 'cg2wg -o out.pb.gz profile' files=profile \
    err='cg2wg: *the output is to be compressed, but the program gzip is not available on Windows'

# ---- names

LC_ALL=C.UTF-8 run 'names of any script' 0 \
    'cp profile "Zürich 日本 Ω.out" && cg2wg "Zürich 日本 Ω.out" "Ж.webgrind" && cmp Ж.webgrind "$given/v7" &&
     rm Ж.webgrind "Zürich 日本 Ω.out"'
LC_ALL=C.UTF-8 run 'names of any script in messages' 1 'cg2wg "Ω.out" out' err='cg2wg: Ω.out: cannot open: *'
run 'a name with blanks and marks' 0 \
    'cp profile "a %b% & (c) ^!.out"; cg2wg "a %b% & (c) ^!.out" out; cmp out "$given/v7"
     rm "a %b% & (c) ^!.out"' files='out profile'
run 'stars are not expanded' 1 'cg2wg "pro*" out' err='cg2wg: pro[*]: cannot open: *'
run 'called as webgrind calls it, with proxies' 0 \
    'native profile native-out php::call_user_func php::call_user_func_array &&
     cg2wg profile out php::call_user_func php::call_user_func_array && cmp out native-out' \
    files='native-out out profile'

[ ! -e "$scratch/compared" ] || echo "$suite: compared with the native program: \
$(wc -l <"$scratch/compared") runs, $(wc -l <"$scratch/converted") of them conversions"
finish
