#!/bin/sh
# SPDX-License-Identifier: MIT
# output.sh PROGRAM: the output appears complete or not at all, and in the right place.
. "$(dirname "$0")/suite.inc"

cg2wg "$given/profile" "$given/v7" || exit 2
large 6000 7 >"$given/large"
large 6000 8 >"$given/larger"
cg2wg "$given/large" "$given/large7" || exit 2
cg2wg "$given/larger" "$given/larger7" || exit 2
for version in 4 5 6; do
    cg2wg -f "$version" "$given/large" "$given/large$version" || exit 2
done

# keeps FILE COMMAND...: runs COMMAND; `out`, a copy of FILE, must stay as it is.
keeps() {
    kept=$1
    shift
    cp "$kept" out
    "$@"
    kept_status=$?
    cmp "$kept" out
    return $kept_status
}

# ---- files

run 'a new file' 0 'cg2wg profile out && cmp out "$given/v7"' files='out profile'
run 'an old file is replaced' 0 'put_old out; cg2wg profile out && cmp out "$given/v7"' \
    files='out profile'
run 'a longer old file is replaced' 0 'cp "$given/large7" out; cg2wg profile out && cmp out "$given/v7"' \
    files='out profile'
if [ -d /proc/self/fd ] && ! on_windows; then
    run 'a descriptor of another process is not our own of that number' 0 \
        'mkfifo pipe; cat pipe >got & reader=$!
         sleep 60 >pipe & other=$!
         await [ -p "/proc/$other/fd/1" ]
         cg2wg --overwrite profile "/proc/$other/fd/1"; s=$?
         kill $other; wait $reader $other 2>/dev/null; rm pipe; cmp got "$given/v7"; exit $s' files='got profile'
else
    skip 'a descriptor of another process is not our own of that number' 'no /proc'
fi
run 'who has the old file open keeps reading it' 0 \
    'put_old out; exec 3<out; cg2wg profile out; cmp - "$given/old" <&3
     cmp out "$given/v7"' files='out profile'
run 'another name of the old file keeps its content' 0 \
    'put_old out; ln out other; cg2wg profile out && cmp out "$given/v7" && shows_old other' \
    out=old files='other out profile'
run 'the same output twice is the same' 0 'cg2wg profile out && cg2wg profile other && cmp out other' \
    files='other out profile'
run 'a file in another folder, whose temporary file is there' 0 \
    'mkdir a && cg2wg profile a/out && ls -A a' out=out files='a profile'
run 'an absolute path' 0 'cg2wg profile "$PWD/out" && cmp out "$given/v7"' files='out profile'
for mask in 022:644 027:640 077:600 000:666 002:664; do
    run "permissions as the umask gives: ${mask%:*}" 0 \
        "chmod 666 profile; umask ${mask%:*}; cg2wg profile out && stat -c %a out" out="${mask#*:}" files='out profile'
done
for modes in 600:600 640:640 604:604 644:644 440:440 444:444; do
    run "no more permissions than the input has: ${modes%:*}" 0 \
        'chmod ${modes%:*} profile; cg2wg profile out; cg2wg -qo a.json --print=json profile; cg2wg -qo a.gz --print profile
         cg2wg - <profile piped; cat profile | cg2wg - piped2; stat -c %a out a.json a.gz piped piped2; rm a.* piped*' \
        out="${modes#*:}
${modes#*:}
${modes#*:}
644
644" files='out profile'
done
run 'no more permissions than each of several inputs allows' 0 \
    'for i in 640:644 644:640 664:600 600:644 444:664; do
         cp profile a; cp profile b; chmod ${i%:*} a; chmod ${i#*:} b; rm -f out; cg2wg -qo out a b; stat -c %a out
         rm -f out; cg2wg -qo out --print=json --base a b; stat -c %a out
     done; rm -f a b out' out="$(printf '%s\n' 640 640 640 640 600 600 600 600 444 444)"
for modes in 600:600 640:640 644:644 660:640 666:644 400:400; do
    run "a file that is replaced keeps its permissions, if the input has them: ${modes%:*}" 0 \
        'put_old out; chmod ${modes%:*} out; cg2wg profile out && stat -c %a out' out="${modes#*:}" files='out profile'
done
run 'a file that is replaced keeps its permissions, whatever the umask is' 0 \
    'put_old out; chmod 664 out profile; umask 077; cg2wg profile out && stat -c %a out' out=664 files='out profile'
if [ "$(id -u)" -eq 0 ] && user_program; then
    run 'a file that is replaced keeps its group' 0 \
        'put_old out; chmod 640 out profile; chgrp 65534 out profile; cg2wg profile out && stat -c "%a %g" out' \
        out='640 65534' files='out profile'
    # Otherwise those of one group would read what only the other may.
    run "the input's group has no meaning in another group" 0 \
        'chmod 640 profile; chgrp 65534 profile; cg2wg profile out && stat -c "%a %g" out
         for mode in 664 604; do chmod $mode profile; cg2wg profile a && stat -c "%a %g" a; rm a; done' out='600 0
644 0
600 0' files='out profile'
    run 'a directory that gives its group to files' 0 \
        'mkdir t; chgrp 65534 t; chmod 2755 t; chmod 640 profile; chgrp 65534 profile; cg2wg profile t/out
         stat -c "%a %g" t/out; rm -r t' out='640 65534'
    run "another user's file that is replaced gives no more permissions than the umask" 0 \
        'put_old out; chmod 666 out profile; chown 65534 out; cg2wg profile out && stat -c %a out
         cg2wg - <profile out && stat -c "%a %u" out' out='644
644 0' files='out profile'
    run 'who cannot keep the group keeps the other permissions' 0 \
        'mkdir -m 777 t; put_old t/out; chmod 664 t/out profile; chown 65534:0 t/out
         as_user "$scratch/for-all" profile t/out; stat -c "%a %g" t/out; rm -r t' out='644 65534'
else
    skip 'a file that is replaced keeps its group' 'needs root and setpriv'
fi

run 'a folder as OUTPUT is an error' 1 'mkdir out; cg2wg profile out; s=$?; rmdir out; exit $s' \
    err='cg2wg: out: *Is a directory*'
run 'the folder at hand as OUTPUT is an error' 1 'cg2wg profile .' err='cg2wg: .: *directory*'
run 'a missing folder is an error' 1 'cg2wg profile missing/out' \
    err='cg2wg: missing/out: *No such file*'
run 'a path through a file is an error' 1 'cg2wg profile profile/out' \
    err='cg2wg: profile/out: *Not a directory*'
run 'a name that ends in a slash is an error' 1 'cg2wg profile out/' err='cg2wg: out/: *'
if user_program; then
    run 'a folder that may not be written is an error' 1 \
        'mkdir a; chmod 555 a; as_user "$scratch/for-all" profile a/out; s=$?; chmod 755 a; ls -A a; exit $s' \
        err='cg2wg: a/out: *Permission denied*' files='a profile'
    run 'a folder that may not be written: the old file stays' 1 \
        'mkdir a; put_old a/out; chmod 666 a/out; chmod 555 a
         as_user "$scratch/for-all" profile a/out; s=$?; chmod 755 a; ls -A a; shows_old a/out; exit $s' \
        out='out
old' err='cg2wg: a/out: *Permission denied*' files='a profile'
    run 'a folder that may not be searched is an error' 1 \
        'mkdir a; chmod 000 a; as_user "$scratch/for-all" profile a/out; s=$?; chmod 755 a; ls -A a; exit $s' \
        err='cg2wg: a/out: *Permission denied*' files='a profile'
    run 'a FIFO that may not be written is an error' 1 \
        'mkfifo out; chmod 400 out; as_user "$scratch/for-all" profile out; s=$?; rm out; exit $s' \
        err='cg2wg: out: *Permission denied*'
else
    skip 'a folder that may not be written is an error' 'needs setpriv or an ordinary user'
fi

run 'a file of a temporary name is not written, nor what it leads to' 0 \
    'echo mine >other; sh -c "ln -s other .out.\$\$-0.tmp; exec \"\$0\" profile out" "$program" &&
     cmp out "$given/v7" && cat other; rm other .out.*' out=mine files='out profile'

# ---- links

run 'a link to a file stays a link' 0 \
    'put_old real; ln -s real out; cg2wg profile out && [ -L out ] && [ ! -L real ] &&
     cmp real "$given/v7"' files='out profile real'
run 'a link into another folder: the file there is replaced' 0 \
    'mkdir a; put_old a/real; ln -s a/real out; cg2wg profile out && [ -L out ] &&
     cmp a/real "$given/v7" && ls -A a' out=real files='a out profile'
run 'a link to a link' 0 \
    'put_old real; ln -s real one; ln -s one out; cg2wg profile out && [ -L out ] && [ -L one ] &&
     cmp real "$given/v7"' files='one out profile real'
run 'a link to a folder in the path' 0 \
    'mkdir a; ln -s a b; cg2wg profile b/out && cmp a/out "$given/v7" && [ -L b ]' files='a b profile'
run 'a link that fails: link and file stay' 1 \
    'put_old real; ln -s real out; cg2wg /dev/null out; s=$?; [ -L out ] && shows_old real; exit $s' \
    out=old err='cg2wg: *' files='out profile real'
run 'a link to a file that is not there yet stays a link' 0 \
    'mkdir a; ln -s a/real out; cg2wg profile out && [ -L out ] && cmp a/real "$given/v7"' \
    files='a out profile'
run 'a link by an absolute path' 0 \
    'put_old real; ln -s "$PWD/real" out; cg2wg profile out && [ -L out ] && cmp real "$given/v7"' \
    files='out profile real'
run 'a link within another folder' 0 \
    'mkdir a; put_old a/real; ln -s real a/out; cg2wg profile a/out && [ -L a/out ] &&
     cmp a/real "$given/v7" && ls -A a' out='out
real' files='a profile'
run 'links in a circle are an error' 1 'ln -s out out; cg2wg profile out; s=$?; rm out; exit $s' \
    err='cg2wg: out: *'

# shared LINK USER: makes t, where all may make files, with a link of that user to real
shared() {
    mkdir -m 1777 t && ln -s ../real t/out && chown -h "$1" t/out
}
if [ "$(id -u)" -eq 0 ] && user_program; then
    # Linux forbids it, too, if fs.protected_symlinks is set.
    for option in '' --overwrite; do
        run "another user's link in a directory for all is not followed: $option" 1 \
            'put_old real; shared 65534; cg2wg $option profile t/out; s=$?; [ -L t/out ] && shows_old real; exit $s' \
            out=old err='cg2wg: t/out: *: Permission denied' files='profile real t'
        run "another user's link in a directory for all, to nothing: $option" 1 \
            'shared 65534; cg2wg $option profile t/out' err='cg2wg: t/out: *: Permission denied' files='profile t'
    done
    run "a link to another user's link is not followed there either" 1 \
        'put_old real; shared 65534; ln -s t/out out; cg2wg profile out; s=$?; shows_old real; exit $s' \
        out=old err='cg2wg: out: *: Permission denied' files='out profile real t'
    run 'an own link in a directory for all is followed' 0 \
        'put_old real; shared 0; cg2wg profile t/out && [ -L t/out ] && cmp real "$given/v7"' files='profile real t'
    run "root's link there is followed by all" 0 \
        'mkdir -m 777 u; put_old u/real; shared 0; ln -sf ../u/real t/out
         as_user "$scratch/for-all" profile t/out && [ -L t/out ] && cmp u/real "$given/v7"' files='profile t u'
    run 'the link of who owns the directory for all is followed' 0 \
        'put_old real; shared 65534; chown 65534 t; cg2wg profile t/out && [ -L t/out ] && cmp real "$given/v7"' \
        files='profile real t'
    run "another user's link in other directories is followed" 0 \
        'put_old real; shared 65534; chmod 777 t; cg2wg profile t/out && cmp real "$given/v7"' files='profile real t'
    # fifo OWNER MODE: makes t with a FIFO of that user, and somebody who reads it
    fifo() {
        mkdir -m "$2" t && mkfifo -m 666 t/out && chown "$1" t/out && : >got && { timeout 60 cat t/out >got & }
    }
    for words in 'profile t/out' '--overwrite profile t/out' '--print=json profile -o t/out'; do
        run "another user's FIFO in a directory for all is not written to: $words" 1 \
            "fifo 65534 1777; timeout -s KILL 10 \"\$program\" $words; s=\$?
             kill \$!; wait; [ -p t/out ] && cat got; rm -r got t; exit \$s" err='cg2wg: t/out: *: Permission denied'
        run "... and nobody waits for its reader: $words" 1 \
            "mkdir -m 1777 t; mkfifo -m 666 t/out; chown 65534 t/out
             timeout -s KILL 10 \"\$program\" $words; s=\$?; rm -r t; exit \$s" \
            err='cg2wg: t/out: *: Permission denied'
    done
    for row in 0:1777 65534:777 65534:1755; do
        run "a FIFO that is written to: owner and directory are $row" 0 \
            'fifo ${row%:*} ${row#*:}; cg2wg profile t/out && wait && cmp got "$given/v7"; rm -r got t'
    done
    run "another user's link to an own FIFO is not followed" 1 \
        'mkfifo real; shared 65534; timeout -s KILL 10 "$program" profile t/out; s=$?; rm -r t real; exit $s' \
        err='cg2wg: t/out: *: Permission denied'
    run "another user's FIFO behind an own link" 1 \
        'mkdir -m 1777 t; mkfifo -m 666 t/out; chown 65534 t/out; ln -s t/out out
         timeout -s KILL 10 "$program" profile out; s=$?; rm -r t out; exit $s' err='cg2wg: out: *: Permission denied'
    # linked OWNER: makes t, where all may make files, with a link to the folder a
    linked() {
        mkdir -m 777 a && mkdir -m 1777 t && ln -s ../a t/b && chown -h "$1" t/b
    }
    for path in t/b/out c/b/out c/../t/b/out t/b/../a/out; do
        run "another user's link to a folder is not followed: $path" 1 \
            'linked 65534; ln -s t c; cg2wg profile $path; s=$?; ls -A a t; rm -r a c t; exit $s' out='a:

t:
b' err="cg2wg: $path: *: Permission denied"
        run "an own link to a folder is followed: $path" 0 \
            'linked 0; ln -s t c; cg2wg profile $path; ls -A a; rm -r a c t' out=out
    done
    run "another user's link to a folder, behind an own link" 1 \
        'linked 65534; ln -s t/b/out out; cg2wg profile out; s=$?; ls -A a; rm -r a t out; exit $s' \
        err='cg2wg: out: *: Permission denied'
    run "root's link to a folder is followed by all" 0 \
        'linked 0; as_user "$scratch/for-all" profile t/b/out; ls -A a; rm -r a t' out=out
else
    skip "another user's link in a directory for all is not followed" 'needs root and setpriv'
fi

# ---- what is replaced, and what is not

# refused NAME COMMAND FOUND [FILES]: `out` is not replaced
refused() {
    run "not replaced: $1" 2 "$2" err="cg2wg: *out: is $3*, and only *-o OUTPUT*--overwrite*" \
        files="${4:-out profile}"
}
sed 's/20 0/21 0/' "$given/profile" >"$given/other"
refused 'a profile, by -f' 'keeps "$given/other" cg2wg -f7 profile out' 'a file in callgrind format'
refused 'a profile, by -o' 'keeps "$given/other" cg2wg -o out profile' \
    'a file in callgrind format'
refused 'a report of aprof' \
    'keeps "$top/testdata/aprof/v6-contexts.aprof" cg2wg -p f profile out' 'a file in aprof format'
refused 'a compressed file' 'gzip -c <profile >zipped; keeps zipped cg2wg -f 7 profile out' \
    'a file in a compressed format' 'out profile zipped'
refused 'a text' 'echo text >text; keeps text cg2wg profile out' 'a file in an unknown format' \
    'out profile text'
refused 'what leads to a profile by a symbolic link' \
    'cp "$given/other" real; ln -s real out; cg2wg -f7 profile out; s=$?; cmp real "$given/other"; exit $s' \
    'a file in callgrind format' 'out profile real'
refused 'a profile that has another name' \
    'cp "$given/other" real; ln real out; cg2wg -f7 profile out; s=$?; cmp out "$given/other"; exit $s' \
    'a file in callgrind format' 'out profile real'
refused 'a profile, for it comes while the input is read' \
    'mkfifo pipe; cg2wg pipe out & { cat profile; cp "$given/other" out; } >pipe
     wait $!; s=$?; rm pipe; cmp out "$given/other"; exit $s' 'a file in callgrind format'
refused 'whatever a preprocessed file cannot begin with' \
    'for bytes in "\3\0\0\0" "\10\0\0\0" "\0\0\0\7" "\7\0\0\1" "\7\1" "\0"; do
         printf "$bytes" >start; keeps start cg2wg profile out 2>message
         [ $? = 2 ] && grep -q "is a file in an unknown format" message || echo "$bytes"
     done; rm message start; cg2wg profile out' 'a file in an unknown format'
run 'replaced: a preprocessed file of any version, whole or not, and an empty one' 0 \
    'for bytes in "\4\0\0\0" "\5\0\0\0" "\6\0\0\0more" "\7\0\0\0" "\7\0\0" "\4\0" "\5" ""; do
         printf "$bytes" >out; cg2wg profile out && cmp out "$given/v7" || echo "$bytes"
     done' files='out profile'
run 'replaced: anything, by --overwrite' 0 \
    'for form in "profile out --overwrite" "--overwrite -o out profile"; do
         cp "$given/other" out; cg2wg $form && cmp out "$given/v7"
     done' files='out profile'
run 'replaced: what a link leads to, by --overwrite' 0 \
    'cp "$given/other" real; ln -s real out; cg2wg --overwrite profile out && [ -L out ] &&
     cmp real "$given/v7"' files='out profile real'
run 'an input is never replaced, --overwrite or not' 2 'cg2wg --overwrite profile profile' \
    err='cg2wg: profile: *input*'
run 'profiles are shown, none is replaced' 0 \
    'for i in 1 2 3; do
         cp "$given/other" cachegrind.out.$i; cg2wg cachegrind.out.* >shown; cg2wg --print cachegrind.out.* | cmp - shown
     done; gzip -c profile >out.gz; ln -s profile link
     for second in out.gz link profile; do cg2wg profile $second | grep ^total; done; rm out.gz link shown
     for i in 1 2 3; do cmp "$given/other" cachegrind.out.$i; done; rm cachegrind.out.*' \
    out='total:   70 in 2 runs
total:   70 in 2 runs
total:   70 in 2 runs'
run 'three profiles are not an input, an output and a proxy' 2 \
    'for i in 1 2 3; do cp profile cachegrind.out.$i; done
     cg2wg -f7 cachegrind.out.*; s=$?
     for i in 1 2 3; do cmp profile cachegrind.out.$i; done; rm cachegrind.out.*; exit $s' \
    err='cg2wg: *cachegrind.out.3*cachegrind.out.2*-o OUTPUT*'
run 'a file is no proxy function, --overwrite or not' 2 \
    'cp profile f; cg2wg --overwrite profile out f' err='cg2wg: f, after the output out, is a file, *-p*' files='f profile'
run 'a link to a file is no proxy function' 2 'ln -s profile f; cg2wg profile out f' \
    err='cg2wg: f, after the output *, is a file*' files='f profile'
run '-p names a function, also if there is such a file' 0 'echo >f; cg2wg -p f profile out' \
    files='f out profile'
run "webgrind's proxies are functions, and so is the name of a folder" 0 \
    'mkdir f; cg2wg profile out php::call_user_func php::call_user_func_array f' files='f out profile'
run 'a rule of make replaces what it has made' 0 \
    'printf "%%.webgrind: %%\n\t\"$program\" \$< \$@\n" >rules; make -s -f rules profile.webgrind
     touch -d "1 hour ago" profile.webgrind; make -s -f rules profile.webgrind && cmp profile.webgrind "$given/v7"' \
    files='profile profile.webgrind rules'
# ---- failures leave the old output

printf 'events: Time\nnothing else\n' >"$given/broken"
run 'a failed conversion leaves no output' 1 'cg2wg "$given/broken" out' err='cg2wg: *'
run 'a failed conversion leaves the old output' 1 'keeps_old out cg2wg "$given/broken" out' \
    err='cg2wg: *' files='out profile'
run 'a missing input leaves the old output' 1 'keeps_old out cg2wg missing out' \
    err='cg2wg: missing: *' files='out profile'
run 'a failed conversion prints nothing on standard output' 1 'cg2wg "$given/broken" -' \
    err='cg2wg: *'
for version in 4 5 6 7; do
    run "version $version: a file that may not become large is an error" 1 \
        "cg2wg -f $version profile small; put_old out
         (ulimit -f 200; cg2wg -f $version '$given/large' out); s=\$?; shows_old out; exit \$s" \
        out=old err='cg2wg: out: *File too large*' files='out profile small'
done
run 'a file that may not become large: no output where none was' 1 \
    '(ulimit -f 200; cg2wg "$given/large" out)' err='cg2wg: out: *File too large*'
run 'a file that may not become large, and its signal ignored' 1 \
    '(trap "" XFSZ; ulimit -f 200; keeps_old out cg2wg "$given/large" out)' \
    err='cg2wg: out: *File too large*' files='out profile'
# What is shown, in each style, goes through stdio: to a temporary file, and then to FILE; or to standard output.
awk 'BEGIN { print "creator: xdebug 3.1.0\nevents: Time\n"
    for (i = 1; i <= 6000; i++) print "fl=a\nfn=some_function_with_a_longer_name_" i "\n" i " 4\n"
    print "summary: 24000" }' </dev/null >"$given/wide"
for style in table json html pprof stacks; do
    for signal in '' 'trap "" XFSZ; '; do
        run "--print=$style to a file that may not become large is an error${signal:+, its signal ignored}" 1 \
            "(${signal}ulimit -f 16; keeps_old out cg2wg --print=$style --overwrite -o out '$given/wide')" \
            err='cg2wg: cannot write a temporary file: File too large' files='out profile'
        run "--print=$style to standard output that may not become large is an error${signal:+, its signal ignored}" 1 \
            "(${signal}ulimit -f 16; cg2wg --print=$style '$given/wide' >out); s=\$?; rm out; exit \$s" \
            err='cg2wg: cannot write a temporary file: File too large' # so that nothing is half there
    done
done
if have c++filt; then
    # Names for c++filt are in a temporary file, too; without it they stay as they are.
    i=0
    while [ $i -lt 300 ]; do
        printf 'fn=_ZN4some9namespace8functionE%sv\n%d 5\n' "$(printf "%${i}s" '' | tr ' ' i)" $i
        i=$((i + 1))
    done | sed '1i events: Ir\nsummary: 1500' >"$given/cxx"
    for signal in '' 'trap "" XFSZ; '; do
        run "names that may not become a large file stay as they are, with a warning${signal:+, its signal ignored}" 0 \
            "(${signal}ulimit -f 16; cg2wg --print --top=9 '$given/cxx' >/dev/null)" \
            err='cg2wg: *cxx: warning: names cannot be handed to c++filt, and stay as they are: File too large'
        run "names that may not become a large file are an error if they are asked for${signal:+, its signal ignored}" \
            1 "(${signal}ulimit -f 16; cg2wg --demangle --print=pprof '$given/cxx' >/dev/null)" \
            err='cg2wg: names cannot be handed to c++filt: File too large'
    done
else
    skip 'names that may not become a large file stay as they are' 'no c++filt'
fi
run 'recursion and stacks need no temporary file' 0 \
    'many_calls 4000000 >many; TMPDIR=$PWD/missing; export TMPDIR
     cg2wg --inclusive=outermost many out && cg2wg --print=stacks many >stacks; s=$?
     rm -f many out stacks; exit $s' err='*'

# ---- INPUT and OUTPUT are the same file

# same NAME COMMAND FILES
same() {
    run "the same file: $1" 2 "$2" err='cg2wg: *' files="$3"
}
same 'by name' 'cg2wg -f7 profile profile' profile
same 'with -o' 'cg2wg -o profile profile' profile
same 'by another path' 'cg2wg -f7 profile ./profile' profile
same 'by an absolute path' 'cg2wg -f7 "$PWD/profile" profile' profile
same 'OUTPUT is a link to INPUT' 'ln -s profile link; cg2wg -f7 profile link' 'link profile'
same 'INPUT is a link to OUTPUT' 'ln -s profile link; cg2wg -f7 link profile' 'link profile'
same 'a hard link' 'ln profile hard; cg2wg -f7 profile hard' 'hard profile'
same 'standard input and a name' 'cg2wg -f7 - profile <profile' profile
same 'a name and standard output' 'cg2wg profile - 1<>profile' profile
same 'a name and standard output at its end' 'cg2wg profile - >>profile' profile
same 'standard input and output' 'cg2wg - - <profile 1<>profile' profile
same '/dev/stdin and a name' 'cg2wg -f7 /dev/stdin profile <profile' profile
run 'the same file: and so it is said' 2 'cg2wg -f7 profile profile' err='cg2wg: profile: *input*'
run 'two files with the same content are not the same file' 0 \
    'cp profile out;
     cg2wg --overwrite profile out && cmp out "$given/v7"' files='out profile'

# ---- what is no file

run '/dev/null' 0 'cg2wg profile /dev/null && [ -c /dev/null ]'
run '/dev/null by redirection' 0 'cg2wg profile - >/dev/null'
run '/dev/null as input and output' 1 'cg2wg /dev/null /dev/null; s=$?; [ -c /dev/null ] || s=9; exit $s' \
    err='cg2wg: /dev/null: *empty*'
if [ -c /dev/full ]; then
    run '/dev/full is an error' 1 'cg2wg profile /dev/full' \
        err='cg2wg: /dev/full: *No space left on device'
    run '/dev/full by redirection is an error' 1 'cg2wg profile - >/dev/full' \
        err='cg2wg: (standard output): *No space left on device'
    for version in 4 5 6 7; do
        run "/dev/full is an error: much output of version $version" 1 \
            "cg2wg -f $version '$given/large' - >/dev/full" \
            err='cg2wg: (standard output): *No space left on device'
    done
    run '/dev/full is an error, and is no file afterwards' 1 \
        'cg2wg profile /dev/full 2>/dev/null; s=$?; [ -c /dev/full ] || s=9; exit $s'
else
    skip '/dev/full is an error' 'no /dev/full'
fi

# A file system of 128 KB, seen by one command only, on ./small
if unshare -m sh -c 'mount -t tmpfs -o size=128k none "$1"' sh "$work" 2>/dev/null; then
    on_small() {
        small_command=$1
        PROGRAM=$program GIVEN=$given unshare -m sh -c \
            'mount -t tmpfs -o size=128k none small && eval "$1"' sh "$small_command"
    }
    for version in 4 5 6 7; do
        run "a full file system is an error, and the old file stays: version $version" 1 \
            "mkdir small
             on_small 'cat \"\$GIVEN/old\" >small/out
                 \"\$PROGRAM\" -f $version \"\$GIVEN/large\" small/out
                 s=\$?; cmp \"\$GIVEN/old\" small/out && echo old; ls -A small; exit \$s'" \
            out='old
out' err='cg2wg: small/out: *No space left on device' files='profile small'
    done
    run 'a file system that is full already' 1 \
        'mkdir small
         on_small "cat /dev/zero >small/zeros 2>/dev/null; rm -f small/out
             \"\$PROGRAM\" profile small/out; s=\$?; ls -A small; exit \$s"' \
        out=zeros err='cg2wg: small/out: *No space left on device' files='profile small'
    for style in table json html pprof stacks; do
        for name in out out.gz; do
            run "a full folder of temporary files is an error: --print=$style -o $name" 1 \
                "mkdir small; put_old $name
                 on_small 'TMPDIR=small \"\$PROGRAM\" --print=$style --overwrite -o $name \"\$GIVEN/wide\"'
                 s=\$?; shows_old $name; exit \$s" \
                out=old err='cg2wg: cannot write a temporary file: No space left on device' files="$name profile small"
        done
    done
else
    skip 'a full file system is an error' 'needs root, unshare and tmpfs'
fi
run 'closed standard output is an error' 1 'cg2wg profile - >&-' err='cg2wg: (standard output): *'
run 'closed standard output does not matter where it is not used' 0 \
    'cg2wg profile out >&- && cmp out "$given/v7"' files='out profile'
run 'a FIFO' 0 'mkfifo out; { cat out >copy & } ; cg2wg profile out && wait && [ -p out ] &&
    cmp copy "$given/v7"' files='copy out profile'
run 'a FIFO and much output' 0 'mkfifo out; { cat out >copy & } ; cg2wg "$given/large" out && wait &&
    cmp copy "$given/large7"' files='copy out profile'
for version in 4 5 6 7; do
    run "a pipe takes the very bytes of a file: version $version" 0 \
        "cg2wg -f $version '$given/large' - | cmp - '$given/large$version'"
done
run '/dev/stdout is standard output' 0 'cg2wg profile /dev/stdout | cmp - "$given/v7"'
if [ -e /proc/self/fd/0 ] && ! on_windows; then
    for name in /dev/stdout /dev/fd/1 /proc/self/fd/1; do
        { echo head; cat "$given/v7"; echo tail; } >"$given/between"
        run "$name is not replaced: between others' output" 0 \
            '{ echo head; cg2wg profile "$name"; echo tail; } >out; cmp out "$given/between"' \
            files='out profile'
        run "$name is not replaced: appended to" 0 \
            'echo head >out; cg2wg profile "$name" >>out; echo tail >>out; cmp out "$given/between"' \
            files='out profile'
        run "$name is not replaced: a link to it" 0 \
            'ln -s "$name" link; { echo head; cg2wg profile link; echo tail; } >out
             cmp out "$given/between" && [ -L link ]' files='link out profile'
        run "$name is not replaced: a file without a name" 0 \
            'exec 3>unnamed 4<unnamed; rm unnamed; cg2wg profile "$name" >&3; cmp - "$given/v7" <&4'
    done
    run 'another descriptor is not replaced either' 0 \
        '{ echo head >&5; cg2wg profile /dev/fd/5; echo tail >&5; } 5>out; cmp out "$given/between"' \
        files='out profile'
    run "nor is another process's, but it is emptied" 0 \
        'cat "$given/large7" >out; exec 7>>out; sh -c '"'"'"$1" profile /proc/$PPID/fd/7 7>&-'"'"' sh "$program"
         cmp out "$given/v7"' files='out profile'
    run "nor is another process's that holds a profile" 2 \
        'cp "$given/other" out; exec 7>>out; sh -c '"'"'"$1" -f7 profile /proc/$PPID/fd/7 7>&-'"'"' sh "$program"
         s=$?; cmp out "$given/other"; exit $s' err='cg2wg: /proc/*: is a file in callgrind *' files='out profile'
    run 'standard output may be in a file of any kind' 0 \
        'cp "$given/other" out; cg2wg profile /dev/stdout >>out
         cat "$given/other" "$given/v7" | cmp - out' files='out profile'
    for number in 0 5; do
        run "descriptor $number may be of a file of any kind" 0 \
            'cp "$given/other" out; cg2wg profile /dev/fd/$number '"$number"'>>out
             cat "$given/other" "$given/v7" | cmp - out' files='out profile'
    done
    run 'standard output that is closed, by its name' 1 'cg2wg profile /dev/stdout >&-' \
        err='cg2wg: /dev/stdout: cannot write: *'
    run 'a descriptor that cannot be written' 1 'put_old out; cg2wg profile /dev/fd/5 5<out; s=$?
         shows_old out; exit $s' out=old err='cg2wg: /dev/fd/5: cannot write: *' files='out profile'
fi
run 'a name is one, also if it is that of standard output' 0 \
    '{ cat "$given/old"; cg2wg profile out; } >out; cmp out "$given/v7"' files='out profile'
run 'a reader that goes ends the writing' 0 \
    '{ timeout 60 "$program" "$given/large" - 2>/dev/null; echo $? >status; } | head -c 1 | wc -c
     case $(cat status) in 1 | 141) ;; *) cat status ;; esac' out=1 files='profile status'
run 'a reader that goes is an error where SIGPIPE is ignored' 0 \
    'trap "" PIPE; { timeout 60 "$program" "$given/large" -; echo $? >status; } | head -c 1 | wc -c
     cat status' out='1
1' err='cg2wg: (standard output): *Broken pipe*' files='profile status'
run 'standard output in the middle of a file' 0 \
    '{ echo head; cg2wg profile -; } >out && tail -c +6 out | cmp - "$given/v7" && head -n 1 out' \
    out=head files='out profile'

# terminal NAME STATUS COMMAND PATTERN: COMMAND with a terminal as its standard output
if has_terminal; then
    terminal() {
        on_terminal=$3
        run "$1" "$2" 'PROGRAM=$program timeout 60 script -qec "$on_terminal" /dev/null' out="$4" \
            files="${5:-profile}"
    }
    terminal 'no binary to a terminal' 2 '"$PROGRAM" profile -' 'cg2wg: *terminal*'
    terminal 'no binary to a terminal by -o -' 2 '"$PROGRAM" -o - profile' 'cg2wg: *terminal*'
    terminal 'no binary to a terminal by name' 2 '"$PROGRAM" profile /dev/tty' 'cg2wg: *terminal*'
    terminal 'no binary to a terminal from a pipe' 2 'cat profile | "$PROGRAM" - -' \
        'cg2wg: *terminal*'
    terminal 'a terminal does not matter where output goes elsewhere' 0 \
        '"$PROGRAM" profile out' '' 'out profile'
    terminal 'a pipe on a terminal is a pipe' 0 '"$PROGRAM" profile - | cat >out' '' 'out profile'
    terminal '--print shows its table on a terminal' 0 '"$PROGRAM" --print "'"$given/v7"'"' \
        '*{main}*'
else
    skip 'no binary to a terminal' "$no_terminal"
fi

# ---- several at once

# converts_again NUMBER: one conversion after the other, to the same output as others do
converts_again() {
    for turn in 1 2 3 4 5; do
        case $((($1 + turn) % 3)) in
        0) cg2wg "$given/large" out ;;
        1) cg2wg "$given/larger" out ;;
        2) cg2wg -f 4 "$given/large" out ;;
        esac || echo failed >>trouble
    done
    echo >"done$1"
}
run 'ten programs convert to one file: every reader finds it complete at any time' 0 \
    'cp "$given/large7" out
     for i in 0 1 2 3 4 5 6 7 8 9; do converts_again $i & done
     reads=0
     until [ "$(echo done*)" = "done0 done1 done2 done3 done4 done5 done6 done7 done8 done9" ]; do
         cat out >copy # cp says so if it was replaced meanwhile
         cmp -s copy "$given/large7" || cmp -s copy "$given/larger7" || cmp -s copy "$given/large4" ||
             echo half >>trouble
         reads=$((reads + 1))
     done
     wait
     rm done*
     [ $reads -gt 0 ] || echo "no reads"' \
    files='copy out profile'

finish
