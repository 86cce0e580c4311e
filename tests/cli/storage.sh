#!/bin/sh
# SPDX-License-Identifier: MIT
# storage.sh PROGRAM: many profiles are converted into webgrind's directory, each where it is not up to date.
. "$(dirname "$0")/suite.inc"

# A profile that changed within the last second makes the program wait. So these are old.
long_ago=202001010000
earlier=201901010000
touch -t $long_ago "$given/profile"
for version in 4 5 6 7; do
    cg2wg -f $version "$given/profile" "$given/v$version" || exit 2
done
sed 's/20 0/21 0/; s/35 0/36 0/' "$given/profile" >"$given/other"
cg2wg "$given/other" "$given/other7" || exit 2

# profiles NAME...: old copies of the profile, and a directory for what is made of them
profiles() {
    mkdir -p s
    for name; do
        cp "$given/profile" "$name" && touch -t $long_ago "$name" || return
    done
}

# stored: the names in the directory, and what is not the profile in version 7
stored() {
    (cd s && for name in .[!.]* *; do
        [ ! -e "$name" ] || { echo "$name"; cmp "$name" "$given/v7"; }
    done)
}

# store WORD...: into that directory; the lines in the order of names
store() {
    cg2wg --storage=s "$@" 2>said
    stored_status=$?
    sort said
    rm said
    return $stored_status
}

# ---- what is converted

run 'each profile becomes NAME.webgrind' 0 \
    'profiles cachegrind.out.1 cachegrind.out.2.gz "cachegrind.out.a b"
     gzip <"$given/profile" >cachegrind.out.2.gz; touch -t $long_ago cachegrind.out.2.gz
     store cachegrind.out.*; stored; rm -r s cachegrind.*' \
    out='cg2wg: cachegrind.out.1: converted
cg2wg: cachegrind.out.2.gz: converted
cg2wg: cachegrind.out.a b: converted
cachegrind.out.1.webgrind
cachegrind.out.2.gz.webgrind
cachegrind.out.a b.webgrind'
run 'the name of a profile in another directory, and a slash after that of the storage' 0 \
    'mkdir a; profiles a/cachegrind.out.1 cachegrind.out.2
     cg2wg --storage s/ a/cachegrind.out.1 "$PWD/cachegrind.out.2"; stored; ls a; rm -r s a cachegrind.*' \
    out='cachegrind.out.1.webgrind
cachegrind.out.2.webgrind
cachegrind.out.1' err='cg2wg: */cachegrind.out.*: converted
cg2wg: *cachegrind.out.*: converted'
run 'the directory of the profiles' 0 \
    'profiles cachegrind.out.1; cg2wg -q --storage=. cachegrind.out.* && cmp cachegrind.out.1.webgrind "$given/v7"
     cg2wg --storage="$PWD" cachegrind.out.*; rm -r s cachegrind.*' \
    err='cg2wg: cachegrind.out.1: up to date
cg2wg: 1 preprocessed file (\*.webgrind) left out'
run 'what is up to date is left alone' 0 \
    'profiles cachegrind.out.1; store cachegrind.out.1; ls -i s >before; store cachegrind.out.1
     ls -i s | cmp - before; rm -r s before cachegrind.*' \
    out='cg2wg: cachegrind.out.1: converted
cg2wg: cachegrind.out.1: up to date'

# renewed NAME COMMAND LINE: what COMMAND makes of s/cachegrind.out.1.webgrind, which is up to date before
renewed() {
    run "$1" 0 "profiles cachegrind.out.1; cg2wg -q --storage=s cachegrind.out.1; $2
        store cachegrind.out.1; stored; rm -r s cachegrind.*" out="cg2wg: cachegrind.out.1: $3
cachegrind.out.1.webgrind"
}
renewed 'what is older than its profile is converted anew' \
    'put_old s/cachegrind.out.1.webgrind; touch -t $earlier s/*' converted
renewed 'what is as old as its profile is up to date, as in webgrind' \
    'touch -t $long_ago s/*' 'up to date'
for version in 4 5 6; do
    renewed "what is of version $version is converted anew" \
        "cp '$given/v$version' s/cachegrind.out.1.webgrind" converted
done
for part in 'head -c "$(number "$given/v7" 4)" "$given/v7"' 'printf "\7\0\0"' 'printf "\7\0\0\0"' 'head -c 100 "$given/v7"' :; do
    renewed "what is not whole is converted anew: $part" "$part >s/cachegrind.out.1.webgrind" converted
done
for version in 4 5 6; do
    run "--format=$version decides what is up to date" 0 \
        'profiles cachegrind.out.1; cg2wg --storage=s cachegrind.out.1; for i in 1 2; do
            store -f $version cachegrind.out.1; cmp s/* "$given/v$version"; done; rm -r s cachegrind.*' \
        out='cg2wg: cachegrind.out.1: converted
cg2wg: cachegrind.out.1: up to date' err='cg2wg: cachegrind.out.1: converted'
done
run 'options of a conversion apply' 0 \
    'profiles cachegrind.out.1
     for options in "--event=Memory_(bytes)" --scale=5 --inclusive=outermost --proxy=f --title=T --identity=file \
         --summary=computed --records=sums --input=callgrind --strict; do
         rm -f s/*
         cg2wg -q "$options" --storage=s cachegrind.out.1
         cg2wg -q "$options" profile expected && cmp s/* expected
     done; cmp -s "$given/v7" expected; rm -r s expected cachegrind.*'
run 'every kind of input' 0 \
    'mkdir s; elsewhere "$top/testdata/perf/time.data" >cachegrind.out.perf; cp "$given/v5" cachegrind.out.pre
     cp "$top/testdata/aprof/v6-contexts.aprof" cachegrind.out.aprof; cp "$top/testdata/valgrind/default.out" cachegrind.out.v
     touch -t $long_ago cachegrind.*; cg2wg -q --storage=s cachegrind.*
     for kind in perf pre aprof v; do
         cg2wg -q cachegrind.out.$kind expected; cmp expected s/cachegrind.out.$kind.webgrind
     done; rm -r s expected cachegrind.*'
run 'a proxy need not be in each profile' 0 \
    'profiles cachegrind.out.1; cg2wg --proxy=none --storage=s cachegrind.out.1; rm -r s cachegrind.*' \
    err='cg2wg: cachegrind.out.1: converted'

# ---- links, which others may make in a directory like /tmp

for there in nothing empty old "$given/v7" profile; do
    run "a link is replaced, and not what it leads to, though newer than the profile: ${there##*/}" 0 \
        'profiles cachegrind.out.1; : >empty; put_old old; [ "$there" = nothing ] || cp "$there" target
         [ "$there" = nothing ] || cp target copy; ln -s ../target s/cachegrind.out.1.webgrind; store cachegrind.out.1
         stored; [ ! -L s/cachegrind.out.1.webgrind ] || echo link
         [ "$there" = nothing ] || cmp target copy; rm -r s empty old cachegrind.*; rm -f target copy' \
        out='cg2wg: cachegrind.out.1: converted
cachegrind.out.1.webgrind'
done
if [ "$(id -u)" -eq 0 ] && ! on_windows; then
    # Linux forbids it, too, if fs.protected_symlinks is set.
    for row in 1777:65534:failed:*Permission?denied 1777:0:converted 777:65534:converted 1755:65534:converted; do
        mode=${row%%:*} rest=${row#*:} said=${row#*:*:}
        run "a profile that is a link of user ${rest%%:*} in a directory of mode $mode: ${said%%:*}" "$(case $said in
            f*) echo 1 ;; *) echo 0 ;; esac)" \
            'profiles cachegrind.out.2; mkdir t; chmod $mode t; cp "$given/other" secret; touch -t $long_ago secret
             ln -s ../secret t/cachegrind.out.1; chown -h "${rest%%:*}" t/cachegrind.out.1
             store t/cachegrind.out.1 cachegrind.out.2; s=$?; cmp s/cachegrind.out.2.webgrind "$given/v7"
             rm -r s t secret cachegrind.*; exit $s' \
            out="cg2wg: cachegrind.out.2: converted
cg2wg: t/cachegrind.out.1: $(echo "$said" | sed 's/:/: */')"
    done
    run "another user's link to a result does not keep the profile of that from being converted" 1 \
        'profiles cachegrind.out.1; mkdir -m 1777 t; cp "$given/v4" s/cachegrind.out.1.webgrind
         ln -s ../s/cachegrind.out.1.webgrind t/x; chown -h 65534 t/x
         store cachegrind.out.1 t/x; s=$?; stored; rm -r s t cachegrind.*; exit $s' \
        out='cg2wg: cachegrind.out.1: converted
cg2wg: t/x: failed: cannot open: Permission denied
cachegrind.out.1.webgrind'
    for row in 65534:1 0:0; do
        for options in '' --name=cachegrind.out.n; do
            run "a link to the directory in one for all, by user ${row%:*}: $options" "${row#*:}" \
                'profiles cachegrind.out.1; mkdir -m 1777 t; ln -s ../s t/s; chown -h ${row%:*} t/s
                 cg2wg -q --storage=t/s $options cachegrind.out.1; s=$?; ls -A s | wc -l | tr -d " "
                 cg2wg -q --storage=s $options cachegrind.out.1 && cg2wg -q --storage=t/s/ $options cachegrind.out.1
                 [ $s = $? ]  || s=9; rm -r s t cachegrind.*; exit $s' \
                out="$(case $row$options in 65534:1*) echo 0 ;; *name*) echo 2 ;; *) echo 1 ;; esac)" \
                err="$([ $row = 0:0 ] || printf 'cg2wg: t/s%s: *Permission denied\n' '*' '*')"
        done
    done
    # In a directory with the sticky bit, nobody else can replace it: a result of the profile's owner is one, a stranger's is not.
    for row in 65534:0:1777:1 65534:65534:1777:0 65534:0:777:0 65534:0:1755:0 0:65534:1777:0; do
        user=${row%%:*} rest=${row#*:}
        owner=${rest%%:*} mode=${rest#*:} mode=${mode%:*}
        run "a result by user $user of a profile of user $owner in a directory of mode $mode" "${row##*:}" \
            'profiles cachegrind.out.1 cachegrind.out.2; chmod $mode s; cp "$given/v7" s/cachegrind.out.1.webgrind
             chown $user s/cachegrind.out.1.webgrind; chown $owner cachegrind.out.1; touch -t 209901010000 s/cachegrind.out.1.webgrind
             store cachegrind.out.1 cachegrind.out.2; s=$?; rm -r s cachegrind.*; exit $s' \
            out="$([ "${row##*:}" = 1 ] && echo 'cg2wg: cachegrind.out.1: failed: s/cachegrind.out.1.webgrind: another user has made *' || echo 'cg2wg: cachegrind.out.1: up to date')
cg2wg: cachegrind.out.2: converted"
    done
    run "a profile in a folder that is another user's link" 1 \
        'profiles cachegrind.out.1; mkdir a; mv cachegrind.out.1 a; mkdir -m 1777 t; ln -s ../a t/a; chown -h 65534 t/a
         store t/a/cachegrind.out.1; s=$?; rm -r s a t; exit $s' \
        out='cg2wg: t/a/cachegrind.out.1: failed: cannot open: Permission denied'
else
    skip 'a profile that is a link of another user' 'needs root'
fi
if ! on_windows; then
    run 'a pipe is replaced, and nobody waits for a reader' 0 \
        'profiles cachegrind.out.1; mkfifo s/cachegrind.out.1.webgrind
         timeout -s KILL 20 "$program" --storage=s cachegrind.out.1 2>&1; [ -p s/* ] || stored; rm -r s cachegrind.*' \
        out='cg2wg: cachegrind.out.1: converted
cachegrind.out.1.webgrind'
fi
run 'a directory of the name of the result' 1 \
    'profiles cachegrind.out.1; mkdir s/cachegrind.out.1.webgrind; store cachegrind.out.1; s=$?
     ls -A s; rm -r s cachegrind.*; exit $s' \
    out='cg2wg: cachegrind.out.1: failed: s/cachegrind.out.1.webgrind: cannot *: *irectory*
cachegrind.out.1.webgrind'

# ---- what fails

run 'what fails does not keep others from being converted' 1 \
    'profiles cachegrind.out.1 cachegrind.out.9; echo text >cachegrind.out.2; mkdir cachegrind.out.3
     touch -t $long_ago cachegrind.*
     store cachegrind.out.1 cachegrind.out.2 cachegrind.out.3 cachegrind.out.4 cachegrind.out.9; s=$?
     stored; rm -r s cachegrind.*; exit $s' \
    out='cg2wg: cachegrind.out.1: converted
cg2wg: cachegrind.out.2: failed: not a profile: *
cg2wg: cachegrind.out.3: failed: is a directory; name the profiles *
cg2wg: cachegrind.out.4: failed: cannot open: No such file or directory
cg2wg: cachegrind.out.9: converted
cachegrind.out.1.webgrind
cachegrind.out.9.webgrind'
run 'what fails leaves an old result' 1 \
    'mkdir s; echo text >cachegrind.out.1; put_old s/cachegrind.out.1.webgrind; touch -t $earlier s/*
     touch -t $long_ago cachegrind.*
     cg2wg -q --storage=s cachegrind.out.1; s=$?; shows_old s/cachegrind.out.1.webgrind; ls s
     rm -r s cachegrind.*; exit $s' \
    out='old
cachegrind.out.1.webgrind' err='cg2wg: cachegrind.out.1: failed: not a profile*'
run 'a line of the profile is named' 1 \
    'profiles cachegrind.out.1; echo "fn=(7" >>cachegrind.out.1
     touch -t $long_ago cachegrind.*; cg2wg -q --strict --storage=s cachegrind.out.1
     s=$?; rm -r s cachegrind.*; exit $s' err='cg2wg: cachegrind.out.1:30: failed: *'
run 'warnings are counted for each profile' 0 \
    'profiles cachegrind.out.1 cachegrind.out.2
     for i in 1 2 3 4 5 6 7; do echo "?"; done | tee -a cachegrind.out.1 >>cachegrind.out.2
     touch -t $long_ago cachegrind.*; store cachegrind.*; rm -r s cachegrind.*' \
    out="$(for i in 1 2; do
        printf 'cg2wg: cachegrind.out.%s: 2 more warnings; use --verbose to see them\n' $i
        printf 'cg2wg: cachegrind.out.%s: converted\n' $i
        printf "cg2wg: cachegrind.out.$i:%s: warning: *\n" 30 31 32 33 34
    done)"
run 'a file that is not a preprocessed one stays' 1 \
    'profiles cachegrind.out.1 cachegrind.out.2; cp "$given/other" s/cachegrind.out.1.webgrind
     store --storage=s/ cachegrind.out.*; s=$?; cmp "$given/other" s/cachegrind.out.1.webgrind
     store --force cachegrind.out.*; stored; rm -r s cachegrind.*; exit $s' \
    out='cg2wg: cachegrind.out.1: failed: s/cachegrind.out.1.webgrind: is a file in callgrind format, *
cg2wg: cachegrind.out.2: converted
cg2wg: cachegrind.out.1: converted
cg2wg: cachegrind.out.2: converted
cachegrind.out.1.webgrind
cachegrind.out.2.webgrind'
run 'a profile that is converted, too, stays' 1 \
    'profiles x; cp "$given/other" x.webgrind; touch -t $long_ago x.webgrind
     cg2wg --overwrite --storage=. x x.webgrind; s=$?; cmp "$given/other" x.webgrind
     cmp "$given/other7" x.webgrind.webgrind; rm -r s x*; exit $s' \
    err='cg2wg: x: failed: ./x.webgrind: is also an input; name another file
cg2wg: x.webgrind: converted; webgrind does not list profiles with .webgrind in their path'
run 'a profile that the result is a link to stays, and the link is replaced' 0 \
    'profiles x y; ln -s ../y s/x.webgrind; ln -s ../y s/y.webgrind; store x y; stored; cmp "$given/profile" y
     rm -r s x y' out='cg2wg: x: converted*
cg2wg: y: converted*
x.webgrind
y.webgrind'
run 'two profiles of one name' 1 \
    'mkdir a b; profiles a/cachegrind.out.1; cp "$given/other" b/cachegrind.out.1; touch -t $long_ago b/*
     cg2wg --storage=s a/cachegrind.out.1 b/cachegrind.out.1; s=$?; stored; rm -r s a b; exit $s' \
    out=cachegrind.out.1.webgrind \
    err='cg2wg: b/cachegrind.out.1: failed: has the same name as a/cachegrind.out.1; *
cg2wg: a/cachegrind.out.1: converted'
run 'two profiles of one name that are not there' 1 \
    'mkdir s; store a/cachegrind.out.1 b/cachegrind.out.1; s=$?; rmdir s; exit $s' \
    out='cg2wg: a/cachegrind.out.1: failed: cannot open: No such file or directory
cg2wg: b/cachegrind.out.1: failed: cannot open: No such file or directory'
run 'a profile that is named twice' 0 \
    'profiles cachegrind.out.1; cg2wg --storage=s cachegrind.out.1 ./cachegrind.out.1; stored; rm -r s cachegrind.*' \
    out=cachegrind.out.1.webgrind err='cg2wg: ./cachegrind.out.1: is there twice
cg2wg: cachegrind.out.1: converted'
if ! on_windows; then
    run 'a pipe is not waited for' 1 'mkdir s; mkfifo pipe; cg2wg --storage=s pipe; s=$?; rm -r s pipe; exit $s' \
        err='cg2wg: pipe: failed: is not a regular file'
fi
run 'there is no such directory' 1 'cg2wg --storage=missing profile' \
    err='cg2wg: missing: cannot open: No such file or directory'
run 'the storage is a file' 1 'cg2wg --storage=profile profile' err='cg2wg: profile: is not a directory, *'
if user_program; then
    run 'a directory that may not be written' 1 \
        'mkdir s; chmod 555 s; touch -t $long_ago profile; as_user "$scratch/for-all" --storage=s profile; s=$?; ls -A s; chmod 755 s; rm -r s; exit $s' \
        err='cg2wg: profile: failed: s/profile.webgrind: cannot create *: Permission denied'
else
    skip 'a directory that may not be written' 'needs setpriv or an ordinary user'
fi

# ---- hints

# hinted NAME HINT: after "converted"
hinted() {
    run "a hint for $1" 0 'mkdir -p "s/$(dirname "$name")" "$(dirname "$name")"; profiles "$name"
        cg2wg --storage=s "$name"; rm -r s "${name%%/*}"' err="cg2wg: $name: converted$hint"
}
lists_only='; webgrind lists only names that begin with cachegrind.out., *'
for row in "callgrind.out.1|$lists_only" "cachegrind.out.|$lists_only" "xcachegrind.out.1|$lists_only" \
    'cachegrind.out.1|' 'a/cachegrind.out.1|' 'a.webgrind/cachegrind.out.1|; webgrind does not list *' \
    'cachegrind.out.1.webgrind.old|; webgrind does not list *'; do
    name=${row%%|*} hint=${row#*|}
    hinted "$name"
done
run 'preprocessed files are left out' 0 \
    'mkdir s; cp "$given/v7" a.webgrind; cp "$given/v4" b.webgrind; cg2wg --storage=s a.webgrind b.webgrind; rmdir s
     rm ?.webgrind' err='cg2wg: 2 preprocessed files (\*.webgrind) left out'

# ---- how it is said

run '--quiet says only what failed' 1 \
    'profiles cachegrind.out.1; cg2wg -q --storage=s cachegrind.out.1 nothing; s=$?; rm -r s cachegrind.*; exit $s' \
    err='cg2wg: nothing: failed: *'
run '--verbose says what was converted' 0 \
    'profiles cachegrind.out.1; cg2wg -v --storage=s cachegrind.out.1; rm -r s cachegrind.*' \
    err='cg2wg: cachegrind.out.1: converted: format 7, 29 lines, 3 functions, 2 call arcs'
run '--stats adds up' 1 \
    'profiles cachegrind.out.1 cachegrind.out.2 cachegrind.out.3; cg2wg -q --storage=s cachegrind.out.3
     cg2wg -q --stats --storage=s cachegrind.out.* nothing; s=$?; rm -r s cachegrind.*; exit $s' \
    err='cg2wg: nothing: failed: *
profiles   2 converted, 1 up to date, 0 still being written, 1 failed
input      578 B
lines      58
slow lines 24
functions  6
call arcs  4
time *'
run '--progress shows one bar' 0 \
    'profiles cachegrind.out.1; cg2wg --progress -q --storage=s cachegrind.out.1; rm -r s cachegrind.*'
for row in 1:7 2:7 3:7 64:7 100:80; do
    jobs=${row%:*} count=${row#*:}
    run "-j $jobs: as many results" 0 \
        'i=0 names=; while [ $i -lt $count ]; do i=$((i + 1)) names="$names cachegrind.out.$i"; done
         profiles $names; cg2wg -j $jobs --storage=s $names 2>&1 | sort -u | wc -l | tr -d " "; stored | wc -l | tr -d " "
         rm -r s cachegrind.*' out="$count
$count"
done

# misuse NAME COMMAND WORD: wrong usage; the message contains WORD
misuse() {
    run "misuse: $1" 2 "$2" err="cg2wg: *$3*
cg2wg: try cg2wg --help"
}
misuse 'no PROFILE' 'cg2wg --storage=.' PROFILE
misuse 'standard input' 'cg2wg --storage=. -' 'standard input'
misuse 'standard input, merged' 'cg2wg --storage=. --name=x -' 'standard input'
misuse '--output' 'cg2wg --storage=. -o out profile' '--output cannot be used with --storage'
misuse '--print' 'cg2wg --storage=. --print profile' '--storage cannot be used with --print'
misuse '--list-events' 'cg2wg --storage=. --list-events profile' '--storage cannot be used with --list-events'
misuse 'an empty name' 'cg2wg --storage= profile' DIR

# ---- what is still being written

left='still being written; left for the next time'
if have flock && ! on_windows; then
    run 'a profile that is locked, as Xdebug does' 0 \
        'profiles cachegrind.out.1 cachegrind.out.2
         flock cachegrind.out.1 sh -c "\"\$0\" --storage=s cachegrind.out.* 2>&1 | sort" "$program"
         store cachegrind.out.*; rm -r s cachegrind.*' \
        out="cg2wg: cachegrind.out.1: $left
cg2wg: cachegrind.out.2: converted
cg2wg: cachegrind.out.1: converted
cg2wg: cachegrind.out.2: up to date"
    run 'a lock that others share does not matter' 0 \
        'profiles cachegrind.out.1; flock -s cachegrind.out.1 "$program" --storage=s cachegrind.out.1
         rm -r s cachegrind.*' err='cg2wg: cachegrind.out.1: converted'
else
    skip 'a profile that is locked, as Xdebug does' 'no flock'
fi
run 'a profile that grows, and then does no longer; it comes last' 0 \
    'profiles cachegrind.out.1 cachegrind.out.2
     while echo >>cachegrind.out.1; do sleep 0.1; done & sleep 0.2
     cg2wg -j1 --storage=s cachegrind.out.* 2>&1; kill $!; wait; ls s; touch cachegrind.out.1
     store cachegrind.out.*; ls s; rm -r s cachegrind.*' \
    out="cg2wg: cachegrind.out.2: converted
cg2wg: cachegrind.out.1: $left
cachegrind.out.2.webgrind
cg2wg: cachegrind.out.1: converted
cg2wg: cachegrind.out.2: up to date
cachegrind.out.1.webgrind
cachegrind.out.2.webgrind"
# This zstd changes the profile while it decodes it.
if have zstd && ! on_windows; then
    mkdir "$scratch/bin"
    printf '#!/bin/sh\ncat "%s"\n[ ! -e run-by-zstd ] || . ./run-by-zstd\n' "$given/profile" >"$scratch/bin/zstd"
    chmod 755 "$scratch/bin/zstd"
    zstd -q "$given/profile" -o "$given/zst"
    touch -t $long_ago "$given/zst"
    run 'a profile that changes while it is converted' 0 \
        'mkdir s; cp "$given/zst" cachegrind.out.1; touch -t $long_ago cachegrind.out.1
         echo "echo >>cachegrind.out.1" >run-by-zstd
         PATH=$scratch/bin:$PATH store cachegrind.out.1; ls -A s
         rm run-by-zstd; touch -t $long_ago cachegrind.out.1
         PATH=$scratch/bin:$PATH store cachegrind.out.1; stored; rm -r s cachegrind.*' \
        out="cg2wg: cachegrind.out.1: $left
cg2wg: cachegrind.out.1: converted
cachegrind.out.1.webgrind"
    # Whoever runs this in the background may have made the program ignore some of them.
    default_signals='' signals=TERM:143
    if env --default-signal=INT,HUP,TERM true 2>/dev/null; then
        default_signals='env --default-signal=INT,HUP,TERM' signals='INT:130 TERM:143 HUP:129'
    fi
    for signal in $signals; do
        run "SIG${signal%:*}: no more conversions, and no temporary files" "${signal#*:}" \
            'mkdir s; for i in 1 2 3 4; do cp "$given/zst" cachegrind.out.$i; done
             touch -t $long_ago cachegrind.*
             echo "kill -${signal%:*} \$PPID; sleep 0.1" >run-by-zstd
             { PATH=$scratch/bin:$PATH $default_signals "$program" -j 2 --storage=s cachegrind.* 2>said; s=$?; } 2>/dev/null
             ls -A s; grep ^cg2wg said; rm -r s said cachegrind.* run-by-zstd; exit $s'
    done
    # One thread has a temporary file, the other waits for this zstd, which sends the signal then.
    large 60000 7 >"$given/large"
    touch -t $long_ago "$given/large"
    cat >"$given/kill-writer" <<'SCRIPT'
tries=0
until [ -e s/cachegrind.out.1.webgrind ] || [ $tries -ge 1000000 ]; do
    tries=$((tries + 1))
    for file in s/.[!.]*; do
        [ ! -e "$file" ] || { kill $PPID; sleep 0.1; exit; }
    done
done
SCRIPT
    run 'SIGTERM while one of two threads writes: no temporary files' 143 \
        'for try in 1 2 3 4 5 6 7 8 9 10; do
             mkdir s; cp "$given/large" cachegrind.out.1; cp "$given/zst" cachegrind.out.2
             touch -t $long_ago cachegrind.*; cp "$given/kill-writer" run-by-zstd
             { PATH=$scratch/bin:$PATH "$program" -f4 -j2 --storage=s cachegrind.* 2>said; s=$?; } 2>/dev/null
             [ $s = 0 ] || [ -n "$(ls s)" ] || break
             rm -r s # a conversion was faster than the signal
         done
         ls -A s; grep ^cg2wg said; rm -r s said cachegrind.* run-by-zstd; exit $s'
else
    skip 'a profile that changes while it is converted' 'no zstd'
fi

# Xdebug itself. It writes the first block at once, and the rest when the script ends.
xdebug="php -d xdebug.mode=profile -d xdebug.start_with_request=yes -d xdebug.output_dir=."
if have php && php -m 2>/dev/null | grep -qx xdebug && ! on_windows; then
    # shellcheck disable=SC2016
    echo '<?php for ($i = 0; $i < 20000; $i++) strlen("x" . $i);
        touch("begun"); while (!file_exists("go")) usleep(10000);' >"$given/slow.php"
    for compression in 0 1; do
        run "a profile that Xdebug is writing, use_compression=$compression" 0 \
            'mkdir s; $xdebug -d xdebug.use_compression=$compression "$given/slow.php" & 
             await [ -e begun ]; set -- cachegrind.out.*
             cg2wg --storage=s cachegrind.out.* 2>&1 | sed "s/out\.[0-9.gz]*:/out.N:/"; ls s
             touch go; wait; touch -t $long_ago cachegrind.out.*
             cg2wg --storage=s cachegrind.out.* 2>&1 | sed "s/out\.[0-9.gz]*:/out.N:/"
             cg2wg cachegrind.out.* expected && cmp s/* expected; rm -r s begun go expected cachegrind.*' \
            out="cg2wg: cachegrind.out.N: $left
cg2wg: cachegrind.out.N: converted"
    done
else
    skip 'a profile that Xdebug is writing' 'no PHP with Xdebug'
fi

# ---- placeholders

run '--name merges all, and makes a placeholder with the title that is not newer' 0 \
    'profiles a b; cg2wg -q --storage=s --name=cachegrind.out.all a b; cg2wg -q -o both a b; cmp both s/cachegrind.out.all.webgrind
     head -n 2 s/cachegrind.out.all; ls s; find s -type f -newer s/cachegrind.out.all.webgrind
     cg2wg -q --storage=s --name=cachegrind.out.all --title=again a; head -n 2 s/cachegrind.out.all; rm -r s a b both' \
    out='creator: cg2wg
cmd: 2 profiles of /t.php
cachegrind.out.all
cachegrind.out.all.webgrind
creator: cg2wg
cmd: again'
# The 12 calls of time.data.expected, each from both its sides
run 'a placeholder has the calls of the result, for a call graph' 0 \
    'mkdir s; cp "$top/testdata/perf/time.data" a; cg2wg -q --symfs="$symfs" --storage=s a; calls='"'"'"count": [0-9]*, "cost": [0-9]*'"'"'
     cg2wg --print=json s/a.webgrind | grep -o "$calls" | sort >result
     cg2wg -q --inclusive=sum --print=json s/a | grep -o "$calls" | sort | cmp - result && wc -l <result; rm -r s a result' out=24
run 'a placeholder has at most 1 MB, without the smallest costs' 0 \
    'mkdir s; awk "BEGIN { print \"events: Ir\\nsummary: 810000000\"; for (i = 1; i < 40000; i++) print \"fn=a_function_of_some_length_\" i \"\\n\" i % 90 \" \" i }" >a
     cg2wg -q --storage=s --name=b a; wc -c <s/b | awk "{ print (\$1 < 1000000), (\$1 > 300000) }"; grep -c "length_39999\$" s/b; grep -c "length_1\$" s/b || rm -r s a' out='1 1
1
0'
run '--name leaves another file as it is, and nothing if it fails' 1 \
    'profiles a s/n; cg2wg -q --storage=s --name=n a; cmp s/n "$given/profile"; rm s/n*
     echo text >bad; cg2wg --storage=s --name=n bad; s=$?; ls -A s; rm -r s a bad; exit $s' err='cg2wg: bad: not a profile*'
run 'a placeholder is not a profile to convert' 0 \
    'profiles a; cg2wg -q --storage=s --name=cachegrind.out.n a; store --force s/cachegrind.out.*; rm -r s a' \
    out='cg2wg: 1 preprocessed file (*.webgrind) left out'
run 'a report gets a placeholder, a profile none' 0 \
    'profiles a; cp "$top/testdata/aprof/v6-contexts.aprof" r; touch -t $long_ago r
     cg2wg -q --storage=s a r; ls s; cat s/r; rm -r s a r' out='a.webgrind
r
r.webgrind
creator: cg2wg
cmd: ./shapes*'
run '--name says that webgrind does not list it' 0 'profiles a; cg2wg --storage=s --name=n a; rm -r s a' \
    err='cg2wg: s/n.webgrind: webgrind lists only names that begin with cachegrind.out.*'
for words in '--name=n out' '--force out' '--storage=. --name=a/b'; do
    run "wrong usage: $words" 2 "cg2wg profile $words" err='cg2wg: *'
done

# What was killed between two renames is completed, whichever came first. glibc fills what is freed with other bytes.
run 'a placeholder that is missing is made, and a result' 0 \
    'profiles; cp "$top/testdata/aprof/v6-contexts.aprof" r; elsewhere "$top/testdata/perf/time.data" >p
     touch -t $long_ago r p; cg2wg -q --storage=s r p; mkdir s2; mv s/r s/p s2
     (export MALLOC_PERTURB_=165; cg2wg -q --storage=s r p); cmp s/r s2/r
     cmp s/p s2/p; mv s/*.webgrind s2; cg2wg -q --storage=s r p; for i in r p; do cmp s/$i.webgrind s2/$i.webgrind; done
     store r p; rm -r s s2 r p' out='cg2wg: p: up to date
cg2wg: r: up to date'
run 'the result of a profile elsewhere stays without a placeholder' 0 \
    'profiles a; cg2wg -q --storage=s a; cg2wg --storage=s a; ls -A s; rm -r s a' out=a.webgrind err='cg2wg: a: up to date'
run 'a file with the name of a placeholder, and a placeholder with a result, stay if the conversion fails' 1 \
    'mkdir s; echo mine >s/1; printf "creator: cg2wg\ncmd: x\n" >s/2; cp "$given/v7" s/2.webgrind; touch -t $earlier s/2.webgrind
     for i in 1 2; do echo text >$i; touch -t $long_ago $i; cg2wg -q --storage=s $i 2>/dev/null; done; ls s; cat s/1
     rm -r s 1 2; exit 1' out='1
2
2.webgrind
mine'
run 'a placeholder goes with which nothing but a folder can be a result' 1 \
    'mkdir -p s/cachegrind.out.1.webgrind; cp "$top/testdata/aprof/v6-contexts.aprof" cachegrind.out.1; touch -t $long_ago cachegrind.out.1
     cg2wg -q --storage=s cachegrind.out.1; s=$?; ls s; rm -r s cachegrind.*; exit $s' out=cachegrind.out.1.webgrind err='cg2wg: *'
run 'a placeholder without a result goes if the conversion fails' 1 \
    'mkdir s; echo text >bad; printf "creator: cg2wg\ncmd: x\n" >s/bad; cp s/bad s/n; touch -t $long_ago bad
     cg2wg -q --storage=s --name=n bad; cg2wg -q --storage=s bad; s=$?; ls s; rm -r s bad; exit $s' \
    err='cg2wg: bad: not a profile*cg2wg: bad: failed: not a profile*'
if on_windows || ! strace -o /dev/null -e trace=rename -e inject=rename:signal=SIGTERM:when=9 true 2>/dev/null; then
    skip 'a signal at each call' 'no strace'
else
    # traced CALL NUMBER SIGNAL WORD...: the program gets the signal at that call, with which strace ends, too
    traced() {
        traced_call=$1 number=$2 signal=$3
        shift 3
        strace -f -o trace -e "trace=$traced_call" -e "inject=$traced_call:signal=$signal:when=$number" \
            "$program" --storage=s "$@" 2>/dev/null
        traced_status=$?
        ! grep -q "^[0-9]* *+++ killed" trace || traced_status=killed
    }
    for row in TERM KILL; do
        for options in '' --name=r; do
            run "SIG$row at each open and rename: $options" 0 \
                'cp "$top/testdata/aprof/v6-contexts.aprof" r; touch -t $long_ago r
                 for call in openat rename,renameat; do
                     number=1
                     while :; do
                         mkdir s; traced $call $number SIG$row $options r
                         [ "$traced_status" = killed ] || break
                         [ $row = KILL ] || case $(ls -A s | tr "\n" " ") in
                         "" | "r r.webgrind ") ;;
                         *) echo "$call $number:" $(ls -A s) ;;
                         esac
                         cg2wg -q --storage=s $options r; rm -f s/.r.*.tmp s/.r.webgrind.*.tmp
                         [ "$(ls -A s | tr "\n" " ")" = "r r.webgrind " ] || echo "$call $number, then:" $(ls -A s)
                         rm -r s; number=$((number + 1))
                     done
                     [ $number -gt 2 ] || echo "$number times $call"
                     rm -r s
                 done; rm -r r trace'
        done
    done
fi

# ---- errors that stay

run 'a quiet run reports a profile that stays broken once' 1 \
    'profiles cachegrind.out.1; echo text >cachegrind.out.2; touch -t $long_ago cachegrind.out.2
     for i in 1 2 3; do cg2wg -q --storage=s cachegrind.*; done 2>&1 | wc -l; (cd s && stat -c "%a %n" .cg* cach*)
     touch -t $earlier cachegrind.out.2; cg2wg -q --storage=s cachegrind.* 2>&1 | wc -l
     cg2wg --storage=s cachegrind.out.2 2>&1 | wc -l; cg2wg -q --storage=s cachegrind.out.*; s=$?
     cp cachegrind.out.1 cachegrind.out.2; cg2wg -q --storage=s cachegrind.*; ls -A s; rm -r s cachegrind.*; exit $s' \
    out='1
600 .cg2wg-reported
644 cachegrind.out.1.webgrind
1
1
cachegrind.out.1.webgrind
cachegrind.out.2.webgrind'
run 'what was reported is not read from a link' 0 \
    'profiles; echo text >1; touch -t $long_ago 1; cg2wg -q --storage=s 1 2>&1 | wc -l; cg2wg -q --storage=s 1
     mv s/.cg2wg-reported 2; ln -s ../2 s/.cg2wg-reported; cg2wg -q --storage=s 1 2>&1 | wc -l; rm -r s 1 2' out='1
1'

run 'a quiet run reports each of many errors once' 0 \
    'mkdir s; i=0; while [ $i -lt 1200 ]; do i=$((i + 1)); : >bad$i; done; touch -t $long_ago bad*
     cg2wg -q --storage=s bad* 2>&1 | wc -l; cg2wg -q --storage=s bad*; cg2wg -q --storage=s bad*
     : >bad1200x; cg2wg -q --storage=s bad* 2>&1 | wc -l; cg2wg -q --storage=s bad*; rm -r s bad*' out='1200
1'
run 'a quiet run reports the error of a profile that is there twice once' 0 \
    'profiles; echo text >1; touch -t $long_ago 1; for i in 1 2 3; do cg2wg -q --storage=s 1 1; done 2>&1 | wc -l; rm -r s 1' \
    out=1
run 'several quiet runs, each of some of the profiles, report each error once' 0 \
    'profiles; for i in 1 2 3 4 5 6; do echo text >bad$i; done; touch -t $long_ago bad*
     for i in 1 2 3; do
         for j in 1 3 5; do cg2wg -q --storage=s bad$j bad$((j + 1)) 2>&1; done | wc -l
     done; ls -A s; profiles bad1 bad2 bad3 bad4 bad5 bad6; cg2wg -q --storage=s bad*; ls -A s | head -n 1; rm -r s bad*' \
    out='6
0
0
.cg2wg-reported
bad1.webgrind'
# day_plus N: as if the first error in s had been found so many days later; the day is the last number of its 32 bytes
day_plus() {
    # shellcheck disable=SC2046
    set -- "$1" $(od -An -tu1 -j28 -N4 s/.cg2wg-reported)
    is_reversed=$(($5 != 0)) # the highest byte is 0, and comes first where the program was compiled for that
    [ $is_reversed -eq 0 ] || set -- "$1" $5 $4 $3 $2
    day=$(($2 + 256 * $3 + 65536 * $4 + 16777216 * $5 + $1))
    set -- $((day % 256)) $((day / 256 % 256)) $((day / 65536 % 256)) $((day / 16777216))
    [ $is_reversed -eq 0 ] || set -- $4 $3 $2 $1
    printf %b "$(printf '\\0%o' "$@")" | dd of=s/.cg2wg-reported bs=1 seek=28 conv=notrunc 2>/dev/null
}
run 'an error is reported again that was found before yesterday, or in the future' 0 \
    'for days in 0 -1 -2 1 365; do
         profiles; echo text >1; echo text >2; touch -t $long_ago 1 2; cg2wg -q --storage=s 1 2>/dev/null; day_plus $days
         cg2wg -q --storage=s 2 2>/dev/null; echo $days $(cg2wg -q --storage=s 1 2>&1 | wc -l); rm -r s 1 2
     done' out='0 0
-1 0
-2 1
1 1
365 1'
run 'a profile of the future is converted once, and its result is not older' 0 \
    'profiles cachegrind.out.1; touch -t 203001010000 cachegrind.out.1; store cachegrind.out.1; store cachegrind.out.1
     [ ! cachegrind.out.1 -nt s/cachegrind.out.1.webgrind ] || echo older
     cg2wg cachegrind.out.1 out; [ ! cachegrind.out.1 -nt out ] || echo older; rm -r s out cachegrind.*' \
    out='cg2wg: cachegrind.out.1: converted
cg2wg: cachegrind.out.1: up to date'
if [ "$(id -u)" -eq 0 ] && user_program; then
    for squatting in ': >' 'mkdir ' 'mkfifo ' 'ln -s /nowhere ' 'ln -s "$given/old" ' 'echo x >'; do
        run "a stranger has made the file of what was reported: $squatting" 0 \
            "mkdir -m 1777 s; ${squatting}s/.cg2wg-reported; echo text >1; echo text >2; touch -t \$long_ago 1 2
             for i in 1 2 3; do as_user timeout 60 \"\$scratch/for-all\" -q --storage=s 1 2 2>&1; done | wc -l
             ls -A s | sed 's/-[0-9a-f]*\$/-N/'; profiles 1 2; as_user \"\$scratch/for-all\" -q --storage=s 1 2
             ls -A s; rm -r s 1 2" \
            out='2
.cg2wg-reported
.cg2wg-reported-N
.cg2wg-reported
1.webgrind
2.webgrind'
    done
    for squatting in ': >' 'mkfifo ' 'ln -s /nowhere ' 'cp "$given/v7" '; do
        run "what a stranger has made in place of a result leaves no placeholder: $squatting" 1 \
            "mkdir -m 1777 s; ${squatting}s/cachegrind.out.a.webgrind; chown -h 12345 s/*; cp \"\$top/testdata/aprof/v6-contexts.aprof\" 1
             as_user timeout 60 \"\$scratch/for-all\" -q --storage=s --force --name=cachegrind.out.a 1
             s=\$?; ls s; rm -r s 1; exit \$s" out=cachegrind.out.a.webgrind err='cg2wg: *'
    done
    # locked COMMAND...: runs it while another user has a lock on the profile: until the FIFO ends
    locked() {
        mkfifo hold
        as_user flock cachegrind.out.1 sh -c 'echo locked; cat' <hold >has_lock &
        exec 3>hold
        await test -s has_lock
        "$@"
        exec 3>&-
        wait
        rm hold has_lock
    }
    if have flock; then
        run "another user's lock does not keep a profile from being converted" 0 \
            'profiles cachegrind.out.1; locked store cachegrind.out.1; stored; rm -r s cachegrind.*' \
            out='cg2wg: cachegrind.out.1: converted
cachegrind.out.1.webgrind'
        run 'the lock of its owner does, whoever converts it' 0 \
            'profiles cachegrind.out.1; chown 65534 cachegrind.out.1
             locked cg2wg --storage=s cachegrind.out.1; rm -r s cachegrind.*' err="cg2wg: cachegrind.out.1: $left"
    else
        skip "another user's lock does not keep a profile from being converted" 'no flock'
        skip 'the lock of its owner does, whoever converts it' 'no flock'
    fi
else
    for name in 'a stranger has made the file of what was reported' 'the lock of its owner does, whoever converts it' \
        "another user's lock does not keep a profile from being converted"; do
        skip "$name" 'needs root and setpriv'
    done
fi

# ---- webgrind itself

# What webgrind's own code makes of the directories, and how many files it makes anew
if [ -n "${WEBGRIND:-}" ] && have php && ! on_windows; then
    cp -R "$WEBGRIND" "$scratch/webgrind"
    sed "s|storageDir = ''|storageDir = '$work/s'|; s|profilerDir = '/tmp'|profilerDir = '$work'|" \
        "$WEBGRIND/config.php" >"$scratch/webgrind/config.php"
    cat >"$scratch/webgrind/list.php" <<'PHP'
<?php
chdir(__DIR__);
$_SERVER['DOCUMENT_ROOT'] = '/nowhere';
class Webgrind_MasterConfig {}
require './config.php';
require './library/FileHandler.php';
function inodes() { clearstatcache(); return array_map('fileinode', glob(Webgrind_Config::storageDir() . '*')); }
$before = inodes();
$handler = Webgrind_FileHandler::getInstance();
foreach ($handler->getTraceList() as $profile)
    echo $profile['filename'], ' ', $handler->getTraceReader($profile['filename'], 'percent')->getFunctionCount(), "\n";
echo count(array_diff(inodes(), $before)), " made anew\n";
PHP
    run 'webgrind finds each result' 0 \
        'profiles cachegrind.out.1 cachegrind.out.2.gz; gzip <"$given/profile" >cachegrind.out.2.gz
         touch -t $long_ago cachegrind.*; cg2wg -q --storage=s cachegrind.*
         php -n "$scratch/webgrind/list.php" | sort; ls s; rm -r s cachegrind.*' \
        out='0 made anew
cachegrind.out.1 3
cachegrind.out.2.gz 3
cachegrind.out.1.webgrind
cachegrind.out.2.gz.webgrind'
    sed "s|profilerDir = '$work'|profilerDir = '$work/s'|" "$scratch/webgrind/config.php" >"$scratch/config.php"
    run 'webgrind lists a merged file' 0 \
        'mv "$scratch/config.php" "$scratch/webgrind"; profiles a b
         cg2wg -q --storage=s --name=cachegrind.out.all a b
         php -n "$scratch/webgrind/list.php"; ls s; rm -r s a b' \
        out='cachegrind.out.all 3
0 made anew
cachegrind.out.all
cachegrind.out.all.webgrind'
else
    skip 'webgrind finds each result' 'set WEBGRIND to a checkout of webgrind; needs php'
fi

finish
