#!/bin/sh
# SPDX-License-Identifier: MIT
# input.sh PROGRAM: files, standard input, compressed input, and inputs that are not profiles.
. "$(dirname "$0")/suite.inc"

cg2wg "$given/profile" "$given/v7" || exit 2
cp "$given/profile" "$scratch/small"
large 3000 7 >"$given/large"
cg2wg "$given/large" "$given/large7" || exit 2
few=$scratch/few # a PATH without any decoder
mkdir "$few"

# ---- files and standard input

run '- is standard input' 0 'cg2wg - out <profile && cmp out "$given/v7"' files='out profile'
run '- is standard output' 0 'cg2wg profile - | cmp - "$given/v7"'
run 'both at once, in a pipe' 0 'cat profile | cg2wg - - | cat | cmp - "$given/v7"'
run '-o - is standard output' 0 'cg2wg -o - profile | cmp - "$given/v7"'
run '--output=- with - as INPUT' 0 'cat profile | cg2wg --output=- - | cmp - "$given/v7"'
run '- after -- still is standard input' 0 'cg2wg -- - - <profile | cmp - "$given/v7"'
run './- is a file' 0 'cp profile ./- && cg2wg ./- out && cmp out "$given/v7"' \
    files='- out profile'
for version in 4 5 6; do
    run "a pipe takes version $version as a file does" 0 \
        "cg2wg -f $version profile out && cat profile | cg2wg -f $version - - | cmp - out" \
        files='out profile'
done
run 'standard input may come in pieces' 0 \
    '{ head -c 1 profile; sleep 0.05; tail -c +2 profile; } | cg2wg - out && cmp out "$given/v7"' \
    files='out profile'
run 'standard input is read from where it is' 0 \
    '{ echo 12345; cat profile; } >in
     { dd bs=1 count=6 of=/dev/null 2>/dev/null; cg2wg - out; } <in && cmp out "$given/v7"' \
    files='in out profile'
run '/dev/stdin is standard input' 0 'cat profile | cg2wg /dev/stdin out && cmp out "$given/v7"' \
    files='out profile'
run 'a FIFO can be read' 0 \
    'mkfifo pipe && { cat profile >pipe & cg2wg pipe out; } && wait && cmp out "$given/v7"' \
    files='out pipe profile'
run 'a link to a file can be read' 0 'ln -s profile link && cg2wg link out && cmp out "$given/v7"' \
    files='link out profile'
run 'a file in another folder can be read' 0 \
    'mkdir folder && cd folder && cg2wg ../profile ../out && cmp ../out "$given/v7"' \
    files='folder out profile'
run 'a missing INPUT is an error' 1 'cg2wg missing out' err='cg2wg: missing: *No such file*'
run 'an empty name of INPUT is an error' 1 'cg2wg "" out' err='cg2wg: *No such file*'
run 'a folder as INPUT is an error' 1 'cg2wg . out' err='cg2wg: .: *directory*'
run 'a folder as standard input is an error' 1 'cg2wg - out <.' \
    err='cg2wg: (standard input): *directory*'
run 'a path through a file is an error' 1 'cg2wg profile/in out' \
    err='cg2wg: profile/in: *Not a directory*'
run 'closed standard input is an error' 1 'cg2wg - out <&-' err='cg2wg: (standard input): *'
run 'a dangling link as INPUT is an error' 1 'ln -s missing link; cg2wg link out' \
    err='cg2wg: link: *No such file*' files='link profile'
if user_program; then
    run 'an INPUT that may not be read is an error' 1 \
        'chmod 777 .; cp profile secret; chmod 000 secret; as_user "$scratch/for-all" secret out' \
        err='cg2wg: secret: *Permission denied*' files='profile secret'
else
    skip 'an INPUT that may not be read is an error' 'needs setpriv or an ordinary user'
fi

# name TITLE NAME: INPUT and OUTPUT of that name
name() {
    input=$2
    run "a name $1" 0 \
        'mkdir a b && cp profile "a/$input" && cg2wg "a/$input" "b/$input" &&
         cmp "b/$input" "$given/v7" && [ "$(ls -A b | wc -l)" -ge 1 ]' files='a b profile'
    run "a missing INPUT with a name $1" 1 'cg2wg "$input" out' err='cg2wg: *No such file*'
}
name 'with a blank' 'a b'
name 'with quotes' "it's \"so\" \`true\`"
name 'with a dollar and a semicolon' '$(touch made);touch made;$HOME'
name 'with a backslash' 'a\n\\b'
name 'with a percent sign' '%s%n%d'
name 'with stars' '*?[a]'
name 'with a newline' "a${newline}b"
name 'with control bytes' "$(printf 'a\001\033[31m\177b')"
name 'that is not UTF-8' "$(printf 'a\377\376\200b')"
name 'in UTF-8' "$(printf '\303\244\342\202\254')"
name 'of 255 bytes' "$(printf '%0255d' 0)"
run 'a name of 256 bytes cannot be' 1 'cg2wg profile "$(printf %0256d 0)"' err='cg2wg: *too long*'

run 'a profile may begin with a long comment' 0 \
    '{ printf "# "; head -c 1000000 /dev/zero | tr "\000" x; echo; cat profile; } >in
     cg2wg in out && cmp out "$given/v7"' files='in out profile'
run 'a profile may begin with many comments and blank lines' 0 \
    '{ yes "# a comment
" | head -n 50000; cat profile; } >in && cg2wg in out && cmp out "$given/v7"' \
    files='in out profile'

# ---- compressed input

head -n 6000 "$given/large" >"$scratch/half1"
tail -n +6001 "$given/large" >"$scratch/half2"
printf 'no profile\n' >"$scratch/none"
: >"$scratch/empty"

# overwrite FILE OFFSET: other bytes there
overwrite() {
    printf '\125\252\125\252' | dd of="$1" bs=1 seek="$2" conv=notrunc 2>/dev/null
}

# as_unpacked COMPRESSED OPTION...: prints where results (exit status, messages, output) differ between truncated gzip
# data and the bytes that gzip can unpack of them, from a file and from a pipe.
as_unpacked() {
    gzip -dc <"$1" >unpacked 2>/dev/null
    compressed=$1
    shift
    cg2wg "$@" - expected <unpacked 2>expected.err
    expected_status=$?
    for way in file pipe; do
        rm -f got
        if [ "$way" = file ]; then
            cg2wg "$@" - got <"$compressed" 2>got.err
        else
            cat "$compressed" | cg2wg "$@" - got 2>got.err
        fi
        got_status=$?
        [ "$got_status" = "$expected_status" ] || echo "$way: status $got_status, not $expected_status"
        cmp expected.err got.err
        [ ! -e expected ] && [ ! -e got ] || cmp expected got
    done
    rm -f unpacked expected expected.err got got.err
    return $expected_status
}

for tool in gzip zstd xz bzip2; do
    if ! have "$tool" || ! "$tool" -c <"$scratch/small" >"$given/small.$tool" 2>/dev/null; then
        skip "input compressed by $tool" "no $tool"
        continue
    fi
    small=$given/small.$tool
    large=$given/large.$tool
    cut=$given/cut.$tool
    "$tool" -c <"$given/large" >"$large" 2>/dev/null
    size=$(wc -c <"$large")

    run "$tool: a file" 0 'cg2wg "$small" out && cmp out "$given/v7"' files='out profile'
    run "$tool: a large file" 0 'cg2wg "$large" out && cmp out "$given/large7"' \
        files='out profile'
    run "$tool: a file as standard input" 0 'cg2wg - out <"$large" && cmp out "$given/large7"' \
        files='out profile'
    run "$tool: a pipe" 0 'cat "$large" | cg2wg - - | cmp - "$given/large7"; cat "$small" | cg2wg - - | cmp - "$given/v7"'
    run "$tool: a pipe in pieces" 0 \
        '{ head -c 1 "$large"; sleep 0.02; tail -c +2 "$large"; } | cg2wg - out &&
         cmp out "$given/large7"' files='out profile'
    run "$tool: a FIFO" 0 \
        'mkfifo pipe && { cat "$large" >pipe & cg2wg pipe out; } && wait &&
         cmp out "$given/large7"' files='out pipe profile'
    run "$tool: standard input is read from where it is" 0 \
        '{ echo 12345; cat "$small"; } >in
         { dd bs=1 count=6 of=/dev/null 2>/dev/null; cg2wg - out; } <in && cmp out "$given/v7"' \
        files='in out profile'
    run "$tool: names do not matter" 0 \
        'for name in in.txt in.zip -dc; do
             cp -- "$small" "$name"; rm -f out; cg2wg -- "$name" out && cmp out "$given/v7"; rm -- "$name"
         done' files='out profile'
    run "$tool: all of several members" 0 \
        '{ "$tool" -c <"$scratch/half1"; "$tool" -c <"$scratch/half2"; } >in &&
         cg2wg in out && cmp out "$given/large7" &&
         cat in | cg2wg - - | cmp - "$given/large7"' files='in out profile'
    run "$tool: closed standard input or output does not matter" 0 \
        'cg2wg "$small" out <&- && cmp out "$given/v7"; rm out; cg2wg "$small" out >&- && cmp out "$given/v7"' \
        files='out profile'
    run "$tool: nor do all of the three closed" 0 \
        '(cg2wg "$small" out <&- >&- 2>&-) && cmp out "$given/v7"' files='out profile'
    run "$tool: no input as itself" 2 \
        'cp "$small" in; cg2wg -f7 in in; s=$?; cmp in "$small" || s=9; exit $s' \
        err='cg2wg: in: *' files='in profile'

    if [ "$tool" != gzip ]; then # see below
        for part in 1 2 3 4; do
            bytes=$((size * part / 5))
            head -c "$bytes" "$large" >"$cut"
            run "$tool: cut off after $part fifths" 1 'keeps_old out cg2wg "$cut" out' \
                err="cg2wg: *cut.$tool: *$tool*" files='out profile'
        done
        run "$tool: cut off by one byte" 1 \
            'head -c $((size - 1)) "$large" >"$cut"; cg2wg "$cut" out' err="cg2wg: *$tool*"
        run "$tool: cut off after the first bytes" 1 \
            'head -c 7 "$large" >"$cut"; cg2wg "$cut" out' err="cg2wg: *$tool*"
        run "$tool: a pipe that is cut off" 1 'head -c $((size / 2)) "$large" | keeps_old out cg2wg - out' \
            err="cg2wg: (standard input):*$tool*" files='out profile'
        run "$tool: a cut off second member" 1 \
            '{ "$tool" -c <"$scratch/half1"; "$tool" -c <"$scratch/half2" | head -c 99; } >in
             cg2wg in out' err="cg2wg: in:*$tool*" files='in profile'
    fi
    for part in 1 2 3 4; do
        run "$tool: damaged after $part fifths" 1 \
            'cp "$large" in; overwrite in $((size * part / 5)); keeps_old out cg2wg in out' \
            err="cg2wg: in:*$tool*" files='in out profile'
    done
    run "$tool: damaged in its head" 1 \
        'cp "$large" in; overwrite in 7; cg2wg in out' err="cg2wg: in:*$tool*" files='in profile'
    run "$tool: damaged in a pipe" 1 \
        'cp "$large" in; overwrite in $((size / 2)); cat in | cg2wg - out' \
        err="cg2wg: (standard input):*$tool*" files='in profile'
    if env --block-signal=PIPE true 2>/dev/null; then
        run "$tool: damaged in a pipe, where SIGPIPE is blocked" 1 \
            'cp "$large" in; overwrite in 7; head -c 1000000 /dev/zero >>in
             cat in 2>/dev/null | env --block-signal=PIPE "$program" - out' \
            err="cg2wg: (standard input): *$tool*decode*" files='in profile'
    else
        skip "$tool: damaged in a pipe, where SIGPIPE is blocked" 'env knows no --block-signal'
    fi
    run "$tool: no output of damaged input on standard output either" 1 \
        'cp "$large" in; overwrite in $((size / 2)); cg2wg in -' \
        err="cg2wg: in:*$tool*" files='in profile'
    for row in none: empty:*empty*; do
        run "$tool: what was compressed is no profile: ${row%:*}" 1 \
            '"$tool" -c <"$scratch/${row%:*}" >in; cg2wg in out' err="cg2wg: in: ${row#*:}*" files='in profile'
    done
    run "$tool: an early end of the reading leaves no hanging decoder" 1 \
        '{ echo "a word too many"; cat "$given/large"; } | "$tool" -c >in
         timeout 60 "$program" --strict in out' err='cg2wg: in:1: *' files='in profile'
    run "$tool: nor where SIGPIPE is ignored" 1 \
        '{ echo "a word too many"; cat "$given/large"; } | "$tool" -c >in
         trap "" PIPE; cat in 2>/dev/null | timeout 60 "$program" --strict - out' \
        err='cg2wg: (standard input):1: *' files='in profile'

    if env --ignore-signal=CHLD true 2>/dev/null; then
        run "$tool: where SIGCHLD is ignored" 0 \
            'env --ignore-signal=CHLD "$program" "$large" out && cmp out "$given/large7" &&
             cat "$large" | env --ignore-signal=CHLD "$program" - - | cmp - "$given/large7"' \
            files='out profile'
        [ "$tool" = gzip ] || run "$tool: cut off, where SIGCHLD is ignored" 1 \
            'head -c $((size * 4 / 5)) "$large" >"$cut"
             keeps_old out env --ignore-signal=CHLD "$program" "$cut" out' \
            err="cg2wg: *cut.$tool: *$tool*" files='out profile'
    else
        skip "$tool: where SIGCHLD is ignored" 'env knows no --ignore-signal'
    fi

    if [ "$tool" = gzip ]; then
        run 'gzip needs no program' 0 'PATH=$few "$program" "$small" out && cmp out "$given/v7"' \
            files='out profile'
        run 'gzip needs no program, and no file' 0 \
            'cat "$small" | PATH=$few "$program" - out && cmp out "$given/v7"' \
            files='out profile'
        continue
    fi
    run "$tool: the program is missing" 1 \
        'put_old out; PATH=$few; "$program" "$small" out' \
        err="cg2wg: *small.$tool: *$tool*" files='out profile'
    run "$tool: the program is missing, and the input a pipe" 1 \
        'cat "$large" 2>/dev/null | { PATH=$few; "$program" - out; }' \
        err="cg2wg: (standard input):*$tool*"
    run "$tool: plain input needs no program" 0 'PATH=$few "$program" profile out' \
        files='out profile'

    # A program of that name that is not what it should be.
    mkdir "$scratch/false-$tool"
    run "$tool: the program cannot be executed" 1 \
        'echo nothing >"$scratch/false-$tool/$tool"; chmod 644 "$scratch/false-$tool/$tool"
         PATH=$scratch/false-$tool; "$program" "$small" out' err="cg2wg: *small.$tool: *$tool*"
    if [ -d /proc/self/fd ]; then
        run "$tool: the program inherits nothing" 0 \
            'printf "#!/bin/sh\nls /proc/self/fd >\"%s\"\nexec %s \"\$@\"\n" "$scratch/inherited" \
                 "$(command -v "$tool")" >"$scratch/false-$tool/$tool"
             chmod 755 "$scratch/false-$tool/$tool"
             ls /proc/self/fd >"$scratch/own"
             cat "$small" | PATH=$scratch/false-$tool:$PATH "$program" -j 3 - out && cmp out "$given/v7" &&
             cmp "$scratch/own" "$scratch/inherited"' files='out profile'
    else
        skip "$tool: the program inherits nothing" 'no /proc'
    fi
    run "$tool: the program fails after good data" 1 \
        'cat >"$scratch/false-$tool/$tool" <<END
#!/bin/sh
cat "$given/profile"
echo the disk is on fire >&2
exit 7
END
         chmod 755 "$scratch/false-$tool/$tool"
         PATH=$scratch/false-$tool:$PATH; keeps_old out "$program" "$small" out' \
        err="cg2wg: *small.$tool: *$tool*fire*" files='out profile'
    run "$tool: the program is killed" 1 \
        'cat >"$scratch/false-$tool/$tool" <<END
#!/bin/sh
cat "$given/profile"
kill -9 \$\$
END
         PATH=$scratch/false-$tool:$PATH; keeps_old out "$program" "$small" out' \
        err="cg2wg: *small.$tool: *$tool*" files='out profile'
    run "$tool: the program says by its status that it could not be started" 1 \
        'printf "#!/bin/sh\nexit 127\n" >"$scratch/false-$tool/$tool"
         PATH=$scratch/false-$tool:$PATH; "$program" "$small" out' \
        err="cg2wg: *small.$tool: *$tool cannot be started*"
    run "$tool: the program is killed from outside, in the middle" 1 \
        'cat >"$scratch/false-$tool/$tool" <<END
#!/bin/sh
echo \$\$ >"$scratch/decoder"
exec $(command -v "$tool") "\$@"
END
         mkfifo pipe; rm -f "$scratch/decoder"; exec 3<>pipe
         head -c $((size / 2)) "$large" >&3 &
         PATH=$scratch/false-$tool:$PATH keeps_old out "$program" pipe out &
         await [ -s "$scratch/decoder" ]
         sleep 0.05; kill -9 $(cat "$scratch/decoder")
         wait $!; s=$?; exec 3>&-; rm pipe; exit $s' \
        err="cg2wg: pipe: $tool was killed by signal 9*" files='out profile'
    run "$tool: the program talks without end" 1 \
        'cat >"$scratch/false-$tool/$tool" <<END
#!/bin/sh
head -c 300000 /dev/zero | tr "\\000" x >&2
exit 7
END
         PATH=$scratch/false-$tool:$PATH; timeout 60 "$program" "$small" out' \
        err="cg2wg: *small.$tool: *$tool*"
done

# A decoder's message is reported once, whichever thread reads it.
if [ -e "$given/small.zstd" ]; then
    many_calls 450000 | zstd -c >"$given/many.zstd" 2>/dev/null
    size=$(wc -c <"$given/many.zstd")
    for threads in 1 2 3; do
        run "zstd: cut off, in blocks, threads: $threads" 1 \
            'head -c $((size - 50)) "$given/many.zstd" >in; cg2wg -j "$threads" in out 2>err
             s=$?; wc -l <err; cat err >&2; rm err; exit $s' \
            out='*1' err='cg2wg: in: zstd cannot decode it *' files='in profile'
        # The real one reads 128 KB before it writes any; this one passes on what follows the magic.
        run "zstd: an early end in blocks, while more is awaited, threads: $threads" 1 \
            'printf "#!/bin/sh\ndd bs=4 count=1 2>/dev/null >/dev/null; exec cat\n" >"$scratch/false-zstd/zstd"
             chmod +x "$scratch/false-zstd/zstd"
             { printf "\050\265\057\375"; many_calls 450000; echo "a word too many"; many_calls 450000; } >in
             mkfifo pipe; exec 3<>pipe; cat in >&3 &
             PATH=$scratch/false-zstd:$PATH timeout 60 "$program" --strict -j "$threads" pipe out
             s=$?; kill $! 2>/dev/null; exec 3>&-; rm pipe; exit $s' \
            err='cg2wg: pipe:450009: *' files='in profile'
    done
fi
if [ -e "$given/small.xz" ]; then
    printf '#!/bin/sh\ncat "%s"\necho a warning >&2\nexit 2\n' "$given/profile" >"$scratch/false-xz/xz"
    run 'xz: a warning is one' 0 \
        'PATH=$scratch/false-xz:$PATH; "$program" "$given/small.xz" out && cmp out "$given/v7"' \
        err='cg2wg: *small.xz: warning: xz decoded it with a warning: a warning*' files='out profile'
    run 'xz: a warning is an error with --strict' 1 \
        'PATH=$scratch/false-xz:$PATH; "$program" --strict "$given/small.xz" out' \
        err='cg2wg: *small.xz: xz decoded it with a warning: a warning*'
fi
if [ -e "$given/small.gzip" ]; then
    run 'gzip: an early end while more is awaited' 1 \
        '{ echo "a word too many"; cat "$given/large" "$given/large" "$given/large"; } | gzip -9 -c >in
         mkfifo pipe; exec 3<>pipe; cat in >&3 &
         timeout 60 "$program" --strict pipe out; s=$?; kill $! 2>/dev/null; exec 3>&-; rm pipe; exit $s' \
        err='cg2wg: pipe:1: *' files='in profile'
    for threads in 1 2 3; do
        run "gzip: an early end in blocks, while more is awaited, threads: $threads" 1 \
            '{ many_calls 450000; echo "a word too many"; many_calls 450000; } | gzip -c >in
             mkfifo pipe; exec 3<>pipe; cat in >&3
             timeout 60 "$program" --strict -j "$threads" pipe out; s=$?; exec 3>&-; rm pipe; exit $s' \
            err='cg2wg: pipe:450009: *' files='in profile'
    done
    # A killed request leaves a truncated file. The real one has every record closed, the other one is long
    # enough for several threads; 0 and 1 are the statuses of what is cut off within a record or the magic.
    zcat "$top/testdata/xdebug/3.4-orders.out.gz" | gzip -c >"$given/real.gz" # without a file's name
    many_calls 450000 | gzip -c >"$given/blocks.gz"
    for packed in real blocks; do
        size=$(wc -c <"$given/$packed.gz")
        for left in 19 $((size / 5)) $((size / 2)) $((size * 4 / 5)) $((size - 8)) $((size - 1)); do
            for options in -j1 -j3 '-j2 --strict'; do
                expected=0
                case $left,$options in
                19,*) expected=1 ;;
                $((size - 8)),* | $((size - 1)),*) ;;
                *strict) expected=1 ;;
                esac
                run "gzip: $packed, of which $left bytes are left: $options" $expected \
                    "head -c $left '$given/$packed.gz' >in; as_unpacked in $options" files='in profile'
            done
        done
    done
    for options in -j1 -j3; do
        run "gzip: a second member that is cut off: $options" 0 \
            '{ gzip -c "$scratch/half1"; gzip -c "$scratch/half2" | head -c 99; } >in; as_unpacked in $options' \
            files='in profile'
    done
    run 'gzip: a cut off profile converts up to its last whole record' 0 \
        'head -c $(($(wc -c <"$given/real.gz") / 2)) "$given/real.gz" >in; cg2wg in out 2>err
         grep -c "warning: .*record.*" err
         gzip -dc <in 2>/dev/null |
             awk -F"[()]" "/^fn=/ { alias = \$2 } /^\$/ && alias { print alias; alias = 0 }" | sort -u | wc -l >expected
         rows out | wc -l | cmp - expected; rm err expected' \
        out=1 files='in out profile'
    for options in -j1 -j3; do
        run "gzip: a cut off profile with a wrong checksum is no whole one: $options" 1 \
            '{ gzip -c "$scratch/half1" >in; overwrite in $(($(wc -c <in) - 8))
               gzip -c "$scratch/half2" | head -c 500; } >>in
             keeps_old out cg2wg $options in out' err='cg2wg: in: *gzip*' files='in out profile'
        run "gzip: a cut off profile with impossible codes is no whole one: $options" 1 \
            '{ gzip -c "$scratch/half1"; printf "\037\213\010\0\0\0\0\0\0\003\007"; } >in
             keeps_old out cg2wg $options in out' err='cg2wg: in: *gzip*' files='in out profile'
    done
    run 'gzip: something else after it is left out' 0 \
        '{ cat "$given/small.gzip"; echo something else; } >in; cg2wg in out && cmp out "$given/v7"' \
        err='cg2wg: in: warning: *other data follow*' files='in out profile'
    run 'gzip: something else after it is an error with --strict' 1 \
        '{ cat "$given/small.gzip"; echo something else; } >in; cg2wg --strict in out' \
        err='cg2wg: in: *other data follow*' files='in profile'
    run 'gzip: that is reported once, also of what is no profile' 1 \
        '{ gzip -c "$scratch/none"; echo something else; } >in; cg2wg in out 2>err; s=$?
         grep -c "other data follow" err; rm err; exit $s' out=1 files='in profile'
    run 'a plain file may be named like a compressed one' 0 \
        'cp profile in.gz && cg2wg in.gz out && cmp out "$given/v7"' files='in.gz out profile'
    run 'compressed twice is no profile' 1 'gzip -c "$given/small.gzip" >in; cg2wg in out' \
        err='cg2wg: in: *' files='in profile'
    run 'damaged input that does not end is reported at once' 1 \
        'mkfifo pipe
         { printf "\037\213 no gzip at all"; head -c 600000 /dev/zero; exec sleep 120; } >pipe &
         timeout 60 "$program" pipe out; s=$?; kill $! 2>/dev/null; rm pipe; exit $s' \
        err='cg2wg: pipe: *gzip*'
fi

# ---- the same costs twice

# twice NAME FILE OTHER COMMAND: COMMAND warns that FILE and OTHER have the same costs; with --strict it fails.
twice() {
    run "twice: $1" 0 "$4" err="cg2wg: $2: warning: *$3*count twice" files="$5"
    run "twice, with --strict: $1" 1 "$(printf '%s\n' "$4" | sed 's/cg2wg -o/cg2wg --strict -o/')" \
        err="cg2wg: $2: is the *$3*count twice" files="${5#all }"
}
twice 'the same name' profile profile 'cg2wg -o all profile profile' 'all profile'
twice 'two names of one file' ./profile profile 'cg2wg -o all profile ./profile' 'all profile'
twice 'a link' link profile 'ln -s profile link; cg2wg -o all profile link' 'all link profile'
twice 'another name of the file' zwei profile 'ln profile zwei; cg2wg -o all profile zwei' 'all profile zwei'
twice 'after others' link other 'cp profile other; ln -s other link; cg2wg -o all profile other - link <"$given/large"' \
    'all link other profile'
twice 'standard input' profile '(standard input)' 'cg2wg -o all - profile <profile' 'all profile'
twice 'what was made of it' profile.webgrind profile \
    'cp "$given/v7" profile.webgrind; cg2wg -o all profile*' 'all profile profile.webgrind'
twice 'what was made of it first, in another folder' ./z/x.webgrind z/x \
    'mkdir z; cp profile z/x; cp "$given/v7" z/x.webgrind; cg2wg -o all ./z/x.webgrind z/x' 'all profile z'
run 'three times is reported twice' 0 'cg2wg -o all profile profile profile 2>err; grep -c "count twice" err; rm err' \
    out=2 files='all profile'
run 'equal bytes in two files are two runs' 0 'cp profile other; cg2wg -o all profile other' \
    files='all other profile'
run 'a preprocessed file without its profile is nothing to warn of' 0 \
    'cp "$given/v7" other.webgrind; cg2wg -o all profile other.webgrind' files='all other.webgrind profile'
run 'nor is a profile that is named like a preprocessed file' 0 \
    'cp "$given/large" profile.webgrind; cg2wg -o all -e Time profile profile.webgrind' \
    files='all profile profile.webgrind'
run 'pipes cannot be compared' 0 \
    'mkfifo pipe; cat profile >pipe & cg2wg -o all pipe profile; wait; rm pipe' files='all profile'

# ---- what is no profile

# refused NAME FILE
refused() {
    input=$2
    run "no profile: $1" 1 'keeps_old out cg2wg "$input" out' err="cg2wg: *$(basename "$2"):*" \
        files='out profile'
    run "no profile, from a pipe: $1" 1 'cat "$input" 2>/dev/null | cg2wg - -' \
        err='cg2wg: (standard input):*'
}

: >"$given/nothing"
refused 'nothing' "$given/nothing"
run 'no profile: nothing, and so it is said' 1 'cg2wg /dev/null out' err='cg2wg: /dev/null: *empty*'
echo >"$given/newline"
refused 'a newline' "$given/newline"
printf 'x' >"$given/byte"
refused 'one byte' "$given/byte"
printf '\357\273\277' >"$given/mark"
refused 'a byte-order mark' "$given/mark"
head -c 5000 /dev/zero >"$given/zeros"
refused 'zeros' "$given/zeros"
for seed in 1 2 3; do
    awk -v seed="$seed" 'BEGIN { srand(seed); for (i = 0; i < 4000; i++)
        printf "\\%03o", int(rand() * 256) }' >"$scratch/octal"
    # shellcheck disable=SC2059
    printf "$(cat "$scratch/octal")" >"$given/random$seed"
    refused "random bytes, $seed" "$given/random$seed"
done
{ awk 'BEGIN { for (i = 0; i < 30000; i++) print "some text of no use", i }'; cat "$given/profile"; } >"$given/after"
for how in '"$given/after"' '-'; do
    run "a profile after 0.7 MB of other lines is one: $how" 1 \
        'cat "$given/after" | { cg2wg --strict '"$how"' out; s=$?; cat >/dev/null; exit $s; }' \
        err='cg2wg: *:1: found "some text of no use 0", expected *'
done
run 'no profile: zeros without end' 1 'timeout 60 "$program" /dev/zero out' err='cg2wg: /dev/zero: *'
cp "$program" "$given/elf"
refused 'an ELF file' "$given/elf"
printf '\211PNG\r\n\032\n\000\000\000\015IHDR\000\000\000\001\000\000\000\001\010\006\000\000\000' >"$given/image.png"
refused 'an image' "$given/image.png"
cat >"$given/prose" <<'TEXT'
It was a dark and stormy night; the rain fell in torrents, except at occasional intervals.

Note: nothing here is a profile.
1984 is a number, and so is
42
TEXT
refused 'prose' "$given/prose"
cat >"$given/code.php" <<'TEXT'
<?php
namespace App;
/* calls a function */
function f($a) { return strlen($a); }
$fn = 'f';
echo f("x=1"), "\n";
TEXT
refused 'a program' "$given/code.php"
printf '<!DOCTYPE html>\n<html><head><title>fn=1</title></head>\n<body>events: 1</body></html>\n' >"$given/page.html"
refused 'a page' "$given/page.html"
printf '{"events": "Time", "fn": "main",\n "calls": 1}\n' >"$given/data.json"
refused 'JSON' "$given/data.json"
printf 'TRACE START [2020-01-01 00:00:00]\n    0.0003     389280   -> {main}() /t.php:0\n    0.0005 389280\nTRACE END\n' >"$given/trace.xt"
refused "Xdebug's trace" "$given/trace.xt"
sed '/^fl/,$d' "$given/profile" >"$given/header"
refused 'only a header' "$given/header"
printf 'events: Time\n1 5\n2 6\n' >"$given/costs"
refused 'a header and costs of no function' "$given/costs"
cg2wg -f 4 "$given/profile" "$given/pre4" || exit 2
refused 'a preprocessed file of version 4' "$given/pre4"
for version in 5 6 7; do
    cg2wg -f "$version" "$given/profile" "$given/pre$version" || exit 2
    run "a preprocessed file of version $version is an input" 0 \
        "cg2wg -f $version '$given/pre$version' out && cmp out '$given/pre$version'" files='out profile'
    head -c 60 "$given/pre$version" >"$given/cut$version"
    refused "a preprocessed file of version $version that is cut off" "$given/cut$version"
done
sed 's/./&\x0/g' "$given/profile" 2>/dev/null | tr '\n' '\r' >"$given/wide"
refused 'text of two bytes a letter' "$given/wide"

# ---- files of other programs, by their first bytes

while IFS='|' read -r start found; do
    run "other programs' files are named: $found" 1 'printf -- "$start" >in; cg2wg in out; cg2wg --print in' \
        err="cg2wg: in: this is *$found*; *${newline}cg2wg: in: this is *$found*; *" files='in profile'
done <<'OTHERS'
SIMPLEPERF\001\000X\000\000\000|samples by Android's simpleperf
Version: 3.1.6\nFile format: 4\nTRACE START [2023-03-03 10:00:00.1]\n1\t0\t|a trace by Xdebug
Garbage Collection Report\nversion: 1\ncreator: xdebug 3.1.0 (PHP 8.1.0)\n\nCollected\n|a report of garbage collections by Xdebug
desc: --massif-out-file=m\ncmd: /bin/true\ntime_unit: i\n#-----------\nsnapshot=0\n|heap snapshots by massif
{"dhatFileVersion":2,"mode":"heap"|heap data by DHAT
gmon\001\000\000\000|gmon.out for gprof
\n\004\010\001\020\002\n\004|a profile for pprof
Z\004\010\001\020\002`\200\200 \n\004\010\003\020\004\n\004|a profile for pprof
H\315\277\305\275\230\256\332\365\030\n\004\010\001\020\002\n\004|a profile for pprof
\n\006\010\254\002\020\255\002|a profile for pprof
\000\000\000\000\000\000\000\000\003\000\000\000\000\000\000\000|a profile by gperftools
NYTProf 5 0\n#Perl profile database. Generated by Devel::NYTProf|a profile by Devel::NYTProf
\004\010{\020:\014versionf\0101.2:\011mode|a profile by stackprof
\377\376v\000e\000r\000s\000i\000o\000n\000|text in UTF-16
\376\377\000v\000e\000r\000s\000i\000o\000n|text in UTF-16
heap profile:      1:  1048576 [     1:  1048576] @ heapprofile\n|a heap profile by gperftools
\373)\003\372\010<string>\351\001|a profile by Python's cProfile
a:2:{s:6:"main()";a:2:{s:2:"ct";i:1;s:2:"wt";i:2;}}|a run by XHProf
{"main()":{"ct":1,"wt":7}}|a run by XHProf
{"exporter":"x","$schema":"https://www.speedscope.app/file-format-schema.json"}|a profile for speedscope
{"version":1.2,"mode":"object","interval":1,"samples":1,"gc_samples":0,"frames":{"1":{"file":"/home/me/speedscope/a.rb"|a profile by stackprof
{"head":{"callFrame":{"functionName":"(root)"},"selfSize":0,"children":[]}}|a heap profile by Chrome or Node.js
{"head":{"functionName":"(root)","url":"","hitCount":0,"children":[]}}|a CPU profile by Chrome or Node.js
{"nodes":[{"id":1,"callFrame":{"functionName":"(root)"|a CPU profile by Chrome or Node.js
{(\003\000\000\000u\013\000\000\000/srv/app.pyi\t\000\000\000u\004\000\000\000main(\005|a profile by cProfile of Python 2
FLR\000\000\002\000\001\000\000\000\000|a recording by Java
Nettrace\024\000\000\000!FastSerialization.1|a trace by dotnet-trace
--------\nProfile data file a (creator: callgrind-3.19.0)\n--------\nEvents recorded:  Ir\nEvents shown:     Ir\n|what callgrind_annotate or cg_annotate prints
--------\n-- Metadata\n--------\nInvocation:       /usr/bin/cg_annotate a\nEvents recorded:  Ir\n|what callgrind_annotate or cg_annotate prints
# To display the perf.data header info\n#\n# Samples: 85K of event cycles\n#\n# Overhead  Command  Shared Object\n|what perf report prints
# Samples: 8 of event cycles\n#\n# Children      Self  Command  Shared Object\n|what perf report prints
     0.000 ( 0.010 ms): ls/123 openat(dfd: CWD) = 3\n|what perf trace prints
Flat profile:\n\nEach sample counts as 0.01 seconds.\n|what gprof prints
\t\t     Call graph (explanation follows)\n\n|what gprof prints
call graph profile:\n          The sum of self and descendents is the major sort\n|what gprof prints
index  %% time    self  children called     name\n[1]    100.00    0.00     1.93    0      start [1]\n|what gprof prints
\tFri Mar  3 10:00 2023 Time and Allocation Profiling Report  (Final)\n\n|a profile by GHC
Analysis of sampling app (pid 7) every 1 millisecond\nCall graph:\n|what sample prints on macOS
Attaching 1 probe...\n\n@[\n    read+0\n    main+16\n]: 12\n|stacks by bpftrace
@stacks[main, 12,\n    read+0\n    main+16\n]: 12\n|stacks by bpftrace
0 usleep <internal>:-1\n1 main /srv/a.php:12\n# - - -\n|stacks by phpspy
0 <main> <internal>:-1\n# - - -\n|stacks by phpspy
CPU     ID                    FUNCTION:NAME\n\n              libc.so.6\`read+0x10\n              ls\`main+0x80\n                1\n|stacks by DTrace
{"meta":{"interval":1,"startTime":0,"product":"app","version":27},"libs":[],"threads":[]}|a profile by Firefox or samply
{"traceEvents":[{"ph":"X","name":"callFrame"}|a trace by Chrome
[{"name":"a","cat":"b","ph":"B","ts":1}|a trace by Chrome
OTHERS
run 'a profile may name such things' 0 \
    'sed "s/^cmd: .*/cmd: gmon.out speedscope TRACE START [1]/" profile >in; cg2wg -q in out' files='in out profile'

# valgrind --tool=callgrind --instr-atstart=no, without anything that begins the measurement
run 'a profile in which nothing was measured' 1 \
    'printf "version: 1\ncreator: callgrind-3.21.0\npositions: line\nevents: Ir\nsummary: 0\n\ntotals: 0\n" >in; cg2wg in' \
    err='cg2wg: in: no function: nothing was measured, or this is not a callgrind profile' files='in profile'

# ---- parts

run 'parts are listed after the events' 0 'cg2wg --list-events "$top/testdata/valgrind/parts.out" | tr -s " "; cg2wg --list-events "$top/testdata/valgrind/default.out" | wc -l' out='Ir 13558
part 1, pid 9143: 9613 (--dump-before=stock_walk)
part 2, pid 9143: 3945 (Program termination)
1'
# Each part by itself, whose totals Valgrind has written; the second one uses names of the first.
run 'a part alone' 0 'for part in 1 2; do cg2wg --part=$part "$top/testdata/valgrind/parts.out" | grep total; done
     for part in 1 2; do cg2wg -q --print=lines --part=$part "$top/testdata/valgrind/parts.out" | awk "/function\$/ { on = 1; next } on { sum += \$1 } END { print sum }"; done
     cg2wg --part=2 --part=1 "$top/testdata/valgrind/parts.out" | grep total' out='total:   9613
total:   3945
9613
3945
total:   13558'
run 'a part that is not there' 1 'cg2wg --part=7 "$top/testdata/valgrind/parts.out"' err='cg2wg: *no part has "part: 7"; there are: 1, 2'
run 'a process is that of its own file, and each number is named once' 1 'printf "version: 1\ncreator: callgrind-3\npid: 5\nevents: Ir\n\nthread: 1\nfn=f\n1 5\n\nthread: 2\nfn=f\n1 6\n\nthread: 1\nfn=f\n1 7\n" >a
     printf "version: 1\ncreator: callgrind-3\nevents: Ir\n\nfn=g\n1 9\n" >b; cat a b >both; cg2wg -q --pid=5 both | awk "/[fg]\$/ { print \$1, \$NF }"
     cg2wg --tid=3 both; s=$?; rm a b both; exit $s' out='18 f' err='cg2wg: both: no part has "thread: 3"; there are: 1, 2'
# Valgrind wrote the same threads into one file and into three.
run 'each thread of Valgrind is as in a file of its own, however it is shown' 0 'for tid in 1 2 3; do
         for style in table lines json "json --lines" callgrind csv html "tree --estimate" "table --function=*c*"; do
             cp "$top/testdata/valgrind/threads-combined.out" in; cg2wg -q --tid=$tid --print=$style in >shown
             sed "s/^pid: .*/pid: 9140/" "$top/testdata/valgrind/threads.out-0$tid" >in; cg2wg -q --print=$style in | cmp - shown && echo "$style"; done
         cg2wg -q in a; cg2wg -q --tid=$tid "$top/testdata/valgrind/threads-combined.out" b; cmp a b; rm in shown a b
     done | sort | uniq -c | awk "{ print \$1 }" | tr "\n" " "' out='3 3 3 3 3 3 3 3 3 '
run 'parts whose costs are those of 64 bits, and less by more' 0 'printf "part: 1\nevents: Ir\nfn=f\n1 9223372036854775807\npart: 2\nfn=f\n1 -9223372036854775807\n1 -9223372036854775807\n" >in; cg2wg -q --list-events in' \
    out='*part 1: 9223372036854775807
part 2: -9223372036854775808' files='in profile' # the cost of part 2 is below what a part can cost
run 'the threads of a recording' 0 'cg2wg -q --list-events "$top/testdata/valgrind/threads-combined.out" | sed 1d | tr -s " "' out='part 1, pid 9140, thread 1: 20987 (Program termination)
part 1, pid 9140, thread 2: 3801 (Program termination)
part 1, pid 9140, thread 3: 4229 (Program termination)'
if have valgrind && ! on_windows; then
    # Without aliases, awk can cut the file: each dump has the header of the first one, up to its `part:`.
    run 'each dump of Valgrind is as in a file of its own' 0 'valgrind -q --tool=callgrind --dump-every-bb=5000 --combine-dumps=yes --compress-strings=no --callgrind-out-file=all true
         for part in $(sed -n "s/^part: //p" all); do
             for style in table json callgrind lines; do
                 cp all in; cg2wg -q --part=$part --print=$style in >shown
                 awk -v part=$part "/^part:/ { is = \$2 } !is || is == part" all >in; cg2wg -q --print=$style in >own
                 [ $style != json ] || sed -i "/\"headers\"/,/^  ]/d" shown own; cmp shown own && echo same; done
         done | sort | uniq -c | awk "{ print (\$1 > 4), \$2 }"; rm all in shown own' out='1 same'
else
    skip 'each dump of Valgrind is as in a file of its own' 'no valgrind'
fi
run 'the headers of a part are its own, and those of the file' 0 'cg2wg --print=json --part=2 "$top/testdata/valgrind/parts.out" | grep -o "\"\(pid\|cmd\|part\|summary\|totals\)\".*\|Trigger.*"' out='"pid", "value": "9143"},
"cmd", "value": " ./shop"},
"part", "value": "2"},
Trigger: Program termination"},
"summary", "value": "3945"},
"totals", "value": "3945"}'
# A file of which a part counts gives its header: a command is that of parts that count, whatever is before and after.
for name in a b c; do
    printf "version: 1\ncreator: callgrind-3\npid: 5\ncmd: $name\npart: 1\nevents: Ir\n\nfn=f\n1 5\ntotals: 5\n\npart: 2\nfn=f\n1 6\ntotals: 6\n" >"$given/part-$name"
done
sed -i 's/part: /part: 1/' "$given/part-c"
run 'the header of each appended file of which a part counts' 0 'for files in "a b" "b a" "a c" "c a" "c a c b c"; do
         for file in $files; do cat "$given/part-$file"; done >in
         for part in 1 2 12; do cg2wg -q --part=$part --print=json in 2>none | sed -n "s/.*\"\(cmd\|part\)\", \"value\": \"\(.*\)\".*/\2/p" | tr "\n" " "; echo; done
     done; rm in none' out='a 1 b 1 
a 2 b 2 

b 1 a 1 
b 2 a 2 

a 1 
a 2 
c 12 
a 1 
a 2 
c 12 
a 1 b 1 
a 2 b 2 
c 12 c 12 c 12 '
run 'headers of later parts that are left out are not those of the file' 0 \
    '{ cat "$given/part-a"; printf "\npart: 3\ndesc: third\nfn=f\n1 7\n\npart: 4\ndesc: fourth\nfn=f\n1 8\n"; } >in; cg2wg -q --part=4 --print=json in | grep -o "third\|fourth"; rm in' out=fourth
run 'a process may precede who made the file' 0 \
    'printf "pid: 5\ncreator: x\nevents: Ir\n\nfn=f\n1 5\n\nversion: 1\npid: 6\ncreator: x\nfn=f\n1 7\n" >in; for pid in 5 6; do cg2wg -q --pid=$pid in | awk "/f\$/ { print \$1 }"; done; rm in' out='5
7'
run 'a list of parts has those that are wanted' 0 'cat "$given/part-c" "$given/part-a" | cg2wg -q --list-events --part=1 --part=2 - | tr -s " "' out='Ir 11
part 1, pid 5: 5
part 2, pid 5: 6'
printf 'events: A\n\npart: 0\nfn=f\n1 1\n\npart: -1\nfn=f\n1 2\n\npart: 99999999999999999999999\nfn=f\n1 4\n\npart: 4294967295\nfn=f\n1 8\n\npart: 4294967296\nfn=f\n1 16\n\nthread: 0\nfn=f\n1 32\n\nsummary: 63\n' >"$given/numbers"
run 'numbers of parts may be any, or none' 0 'cg2wg -q --list-events "$given/numbers" | sed 1d
     for option in --part=0 --part=4294967295 --tid=0; do cg2wg -q $option "$given/numbers" | awk "/ f\$/ { print \$1 }"; done' out='part 0: 1
without a number: 2
without a number: 4
part 4294967295: 8
part 4294967296: 16
thread 0: 32
1
8
32'
run 'a number that no part has: the parts that have none are not 0' 1 'cg2wg --pid=0 "$given/numbers"' \
    err='cg2wg: */numbers: no part has a number "pid:", which --pid needs'
run 'a list of numbers has those that are numbers' 1 'cg2wg --part=7 "$given/numbers"' \
    err='cg2wg: */numbers: no part has "part: 7"; there are: 0, 4294967295, 4294967296'
run 'parts by two numbers that no part has together' 1 'cg2wg --part=0 --tid=0 "$given/numbers"' \
    err='cg2wg: */numbers: no part matches all of the given numbers together'
# As Valgrind writes them with --combine-dumps=yes --instr-atstart=no. callgrind_annotate says PROGRAM TOTALS 17 of it.
printf 'creator: callgrind-3.19.0\npid: 5\npart: 1\nthread: 1\nevents: Ir\nsummary: 0\n\n\ntotals: 0\n\npart: 2\nthread: 1\nevents: Ir\nsummary: 10\n\nfl=a.c\nfn=f\n1 10\n\ntotals: 10\n\npart: 3\nthread: 2\nevents: Ir\nsummary: 0\n\n\ntotals: 0\n\npart: 4\nthread: 1\nevents: Ir Dr\nsummary: 7 2\n\nfl=a.c\nfn=f\n1 7 2\n\ntotals: 7 2\n\npart: 5\nthread: 1\nevents: Ir\nsummary: 0\n\ntotals: 0\n' >"$given/empty"
run 'dumps without functions are parts, whose total is 0' 0 'cg2wg --list-events "$given/empty" | tr -s " "
     for option in --part=2 --part=4 --tid=1 "--tid=1 --tid=2" "--part=1 --part=2 --part=3"; do cg2wg $option "$given/empty" | sed -n "s/^total: *\([0-9]*\).*/\1/p; s/^ *[0-9]* *\([0-9.]*\) .* f .*/\1/p" | tr "\n" " "; done
     cg2wg --print=callgrind "$given/empty" | grep summary' out='Ir 17
Dr 2
part 1, pid 5, thread 1: 0
part 2, pid 5, thread 1: 10
part 3, pid 5, thread 2: 0
part 4, pid 5, thread 1: 7
part 5, pid 5, thread 1: 0
10 100.00 7 100.00 17 100.00 17 100.00 10 100.00 summary: 17 2'
run 'a dump without functions lets no build fail' 0 'sed -n "/part: 2/,/totals: 10/p" "$given/empty" >base; sed "/part: 3/,\$d" "$given/empty" >now; cg2wg --base=base --fail-above=0 now; s=$?; rm base now; exit $s' out='*'
run 'a dump without functions is no part that lacks the event' 0 'sed "/part: 2/,/totals: 10/d" "$given/empty" >in; cg2wg -e Dr in | sed -n "s/^\(total: *[0-9]*\).*/\1/p"; rm in' out='total:   2'
run 'a dump without functions has nothing to show' 1 'cg2wg --part=1 --part=3 "$given/empty"' \
    err='cg2wg: */empty: the chosen parts have no function'
# Each of 20000 numbers is looked for among 20000 parts. The message has as many as fit.
run 'many parts, and many wanted' 1 'awk "BEGIN { print \"events: A\"; for (i = 1; i <= 20000; i++) print \"\npart: \" i \"\nfn=f\n\" i \" \" i \"\ntotals: \" i }" >in
     cg2wg --part=7 --part=19999 in | awk "/ f\$/ { print \$1 }"
     awk "BEGIN { for (i = 1; i <= 20000; i++) print \"--part=\" i }" | timeout 20 xargs -s 1000000 "$program" --raw in | awk "/ f\$/ { print \$1 }"
     awk "BEGIN { for (i = 1; i <= 70; i++) print \"--part=\" i; print \"--part=20001\" }" | xargs "$program" in; s=$?; rm in; [ $s != 123 ]' \
     out='20006
200010000' err='cg2wg: in: no part has "part: 20001"; there are: 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, ...'
run 'parts are of callgrind files' 1 'cg2wg --part=1 "$top/testdata/perf/time.data"' err='cg2wg: *not one in callgrind format*--part*'
# Two processes and two threads in one file; each result is that of the file without the others. Xdebug's records, so
# many that they are added up in blocks, too.
run 'processes and threads of appended files' 0 'awk "BEGIN { print \"version: 1\ncreator: xdebug 3\ncmd: a\npart: 1\npid: 5\npositions: line\n\nevents: Time\"; for (i = 0; i < 9000; i++) print \"\nfl=(1) a.php\nfn=(1) f\n3 7\"; print \"\nfl=(1)\nfn=(2) {main}\n1 1\n\nsummary: 63001\n\" }" >a
     sed "s/pid: 5/pid: 6/;s/^3 7/4 9/;s/63001/81001/" a >b; cat a b >both
     for pid in 5 6; do cg2wg --pid=$pid -f 7 both out$pid; done; sed "/^pid/d" a >c; cg2wg a out; cmp out out5; cg2wg b out; cmp out out6
     printf "creator: callgrind-3\nevents: Ir\n\nthread: 1\nfn=(1) f\n1 5\ntotals: 5\n\nthread: 2\nfn=(1)\n1 6\ncfn=(2) g\ncalls=1 1\n2 3\nfn=(2)\n7 3\ntotals: 9\n" >threads
     for tid in 1 2; do cg2wg --tid=$tid threads | grep "total\|[fg]\$"; done; rm a b c both out* threads' out='total:   5
           5  100.00            -       -           -  f
total:   9
           6   66.67            9  100.00           1  f
           3   33.33            3   33.33           1  g'
# ---- several inputs of any kind

# f of 10 calls g of 5 in one file, h of 10 calls i of 5 in the other.
printf 'events: Ir\nfl=a\nfn=f\n1 10\ncfn=g\ncalls=1 2\n1 5\nfn=g\n2 5\nsummary: 15\n' >"$given/fg"
printf 'events: Ir\nfl=b\nfn=h\n1 10\ncfn=i\ncalls=1 2\n1 5\nfn=i\n2 5\nsummary: 15\n' >"$given/hi"
run 'two preprocessed files are shown together' 0 'cg2wg "$given/fg" fg; cg2wg "$given/hi" hi
    for style in lines callgrind html csv pprof json; do cg2wg -q --print=$style fg hi >shown || echo $style; done
    cg2wg --print fg hi | sed "1,/function/d" | tr -s " "; grep -c "\"number\": [0-9]*, \"name\"" shown; rm fg hi shown' out=' 10 33.33 15 50.00 1 f (a:1)
 10 33.33 15 50.00 1 h (b:1)
 5 16.67 5 16.67 1 g (a:2)
 5 16.67 5 16.67 1 i (b:2)
4'
run 'a preprocessed file is a base of several runs' 0 'cg2wg "$given/fg" fg; cg2wg "$given/hi" hi
    cg2wg -q --base=fg hi fg | grep -E "^(now|same):"; rm fg hi' out='now:     hi and 1 more  (Ir, 2 runs, 4 functions)
same:    4 functions, which changed less than the runs spread'
sed 's/^r "\([^"]*\)"/r "other_\1"/' "$top/testdata/aprof/v6-contexts.aprof" >"$given/other.aprof"
run 'reports of aprof are shown together, without costs by size' 0 'cp "$top/testdata/aprof/v6-contexts.aprof" one
    cg2wg -q --print=csv --all one >of_one; cg2wg -q --print=csv one "$given/other.aprof" | tee both | wc -l
    echo $((2 * $(wc -l <of_one) - 1)); head -n 1 both; cg2wg --print=plot one "$given/other.aprof"; echo $?
    cg2wg -q --print=table --all one profile >both; rm one of_one both' out='*' err='*only a report of aprof can be plotted*'
# A recording has no lines without addr2line, so its functions are the lines of its part, for its two events; in either order.
printf 'events: Time_(10ns)\nfl=a\nfn=f\n1 10\n' >"$given/time"
elsewhere "$top/testdata/perf/two.data" >"$given/two.data"
for order in '"$given/time" "$given/two.data"' '"$given/two.data" "$given/time"'; do
    run "a recording and a profile, as $order" 0 'cg2wg -q --print=pprof '"$order"' | wc -c | sed "s/....*/some/"
        cg2wg -q --print=html '"$order"' | grep -c "^.lines.:.$"' out='some
2'
done

finish
