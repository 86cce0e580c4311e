#!/bin/sh
# SPDX-License-Identifier: MIT
# perf.sh PROGRAM: recordings of Linux's perf as input; testdata/README.md says how they were made.
. "$(dirname "$0")/suite.inc"

data=$top/testdata/perf
symbols="--symfs='$symfs'"
cg2wg --symfs="$symfs" "$data/time.data" "$given/time" 2>/dev/null || exit 2

# only PATTERN: those rows, sorted
only() {
    grep -e "$1" | sort
}
lacking="cg2wg: *warning: no symbols for *libc.so.6*: each is one row; *"

# ---- as input

run 'a recording is recognised' 0 \
    'cg2wg -q --symfs="$symfs" "$data/time.data" out && cmp out "$given/time"' files='out profile'
run 'objects without symbols are named' 0 \
    "cg2wg $symbols '$data/time.data' out && cmp out '$given/time'" files='out profile' err="$lacking"
for form in --input=perf '--input perf' --input=auto; do
    run "$form reads it" 0 "cg2wg -q $form $symbols '$data/time.data' out && cmp out '$given/time'" \
        files='out profile'
done
run '--input=callgrind does not' 1 'cg2wg -q --input=callgrind "$data/time.data" out' \
    err='cg2wg: *time.data: *'
run '--input=perf reads nothing else' 1 'cg2wg --input=perf profile out' \
    err='cg2wg: profile: found no PERFILE2 at its start, expected a recording of perf'
run 'from standard input, in pieces' 0 \
    "{ head -c 99 '$data/time.data'; sleep 0.05; tail -c +100 '$data/time.data'; } |
     cg2wg -q $symbols - out && cmp out '$given/time'" files='out profile'
packers='gzip zstd xz bzip2'
! on_windows || packers=gzip
for packer in $packers; do
    if have $packer; then
        run "compressed by $packer" 0 \
            "$packer -c <'$data/time.data' >in && cg2wg -q $symbols in out && cmp out '$given/time'" \
            files='in out profile'
    else
        skip "compressed by $packer" "no $packer"
    fi
done
run 'the title is the command that was recorded' 0 \
    'while IFS="|" read -r line title; do
         printf "# cmdline : %s\napp 7 1.0: 1 cycles: 1 main (/app)\n" "$line" | cg2wg -q - | grep -cFx "cmd:     $title" || echo "$line"
     done <<END | sort | uniq -c | tr -s " "
/usr/bin/perf record -g ./app -o 2|./app -o 2
perf record -F 99 -agF99 --call-graph dwarf --call-graph=fp -- perf record x|perf record x
perf record -e cycles -go file -z -z9 -I -p5 app --|app --
perf record --event v --filter v --pid v --tid v --realtime v --cpu v --count v --output v --freq v --group x y|x y
perf record --mmap-pages v --call-graph v --delay v --clockid v --cgroup v --branch-filter v --uid v --affinity v --control v --group x y|x y
perf record --max-size v --mmap-flush v --proc-map-timeout v --switch-max-files v --num-thread-synthesize v --synth v --clang-path v --clang-opt v --vmlinux v --group x y|x y
perf --debug x record -gc 7 --all-user make all|make all
perf record -a|perf record -a
perf record -p 7 --|perf record -p 7 --
perf stat x|perf stat x
./superf record x|./superf record x
END' out=' 11 1'
run 'headers' 0 'cg2wg --print "$given/time" | sed -n 1,5p' out='format:  7, 10 functions
cmd:     ./app
creator: perf 6.1.*
events:  Time_(10ns)
total:   11334002'
run 'two libraries at one address, one after the other' 0 'rows "$given/time" | only "turn_"' \
    out='1905717 1905717 19 turn_one  (/srv/shop/perf/libone.so)
1905717 1905717 19 turn_two  (/srv/shop/perf/libtwo.so)'
run 'without symbols there is a row for each object' 0 \
    'mkdir nothing && cg2wg -q --symfs=nothing "$data/time.data" out && rm -r nothing &&
     rows out | sort -n' files='out profile' \
    out='0 11334002 113 \[libc.so.6]  (/usr/lib/x86_64-linux-gnu/libc.so.6)
1905717 1905717 19 \[libone.so]  (/srv/shop/perf/libone.so)
1905717 1905717 19 \[libtwo.so]  (/srv/shop/perf/libtwo.so)
7522568 11334002 113 \[app]  (/srv/shop/perf/app)'
run 'by file name, below --symfs' 0 \
    "mkdir flat && cp '$symfs'/srv/shop/perf/* flat && cg2wg -q --symfs=flat '$data/time.data' out &&
     rm -r flat && cmp out '$given/time'" files='out profile'
run 'a folder that is none' 1 'cg2wg --symfs=profile "$data/time.data" out' \
    err='cg2wg: profile: is no folder, expected one *'
run 'a folder that is not there' 1 'cg2wg --symfs=absent "$data/time.data" out' \
    err='cg2wg: absent: cannot open: No such file or directory'
run 'nothing outside of --symfs is read' 0 \
    "mkdir -p in/srv/shop/perf && ln -s '$symfs/srv/shop/perf/app' in/srv/shop/perf/app &&
     cg2wg -q --symfs=in '$data/time.data' out && rm -r in && rows out | only ' .app.  '" \
    files='out profile' out='7522568 11334002 113 \[app]  (/srv/shop/perf/app)'
if on_windows; then
    skip 'an output has no more readers than the files of its symbols' 'no permissions'
else
    # libtwo.so is not looked at if the recording has no sample in it.
    run 'an output has no more readers than the files of its symbols' 0 \
        'cp -r "$symfs" in; cp "$data/time.data" a; cp "$data/lines.data" b; chmod 644 a b
         for mode in 600:600 740:640 755:644 555:644; do chmod ${mode%:*} in/srv/shop/perf/libtwo.so; for i in a b; do
             cg2wg -q --symfs=in --overwrite $i out; cg2wg -q --symfs=in --print=json -o out.json $i
             [ "$i $(stat -c %a out out.json | uniq)" = "$i ${mode#*:}" ] || echo "$i $mode $(stat -c %a out out.json | uniq)"
             rm out out.json; done; done; rm -r in a b' out='b 600:600 644
b 740:640 644'
fi

# ---- perf record -z

if have zstd && ! on_windows; then
    cg2wg -q --symfs="$symfs" "$data/compressed.data" "$given/decoded"
    run 'compressed records, from standard input' 0 \
        "cg2wg -q $symbols - out <'$data/compressed.data' && cmp out '$given/decoded'" files='out profile'
    run 'compressed records, in a recording from a pipe' 0 \
        "cat '$data/compressed-pipe.data' | cg2wg -q $symbols - out && rows out | only '/app) *$' | wc -l" \
        files='out profile' out='*[1-9]*'
else
    skip 'compressed records' 'no zstd'
fi
on_windows || run 'compressed records without zstd' 1 \
    "PATH=/nonexistent '$program' $symbols '$data/compressed.data' out" \
    err='cg2wg: *compressed.data: found records compressed by perf record -z (record without -z, or convert the text of perf script), but the program zstd cannot be started*'

# ---- debug files

# objects_apart DEBUG [OPTION...]: makes the folder `in`, like $symfs, but with symbols in debug files, in DEBUG. OPTIONs
# are objcopy's, for the objects before that. (objcopy prints warnings about sections without bytes.)
objects_apart() {
    debug=in/$1
    shift
    mkdir -p in/srv/shop/perf "$debug"
    for object in app libone.so libtwo.so; do
        objcopy "$@" "$symfs/srv/shop/perf/$object" in/whole &&
            objcopy --only-keep-debug in/whole "$debug/$object.debug" &&
            objcopy --strip-all --add-gnu-debuglink="$debug/$object.debug" in/whole "in/srv/shop/perf/$object"
    done 2>/dev/null
    rm in/whole
}
cg2wg -q --symfs="$symfs" "$data/pipe.data" "$given/pipe"
if have objcopy; then
    for debug in srv/shop/perf srv/shop/perf/.debug usr/lib/debug/srv/shop/perf; do
        run "a debug file in $debug" 0 \
            "objects_apart $debug && cg2wg -q --symfs=in '$data/time.data' out && rm -r in && cmp out '$given/time'" \
            files='out profile'
    done
    run 'a debug file with another build-id' 0 \
        "objects_apart srv/shop/perf && cp in/srv/shop/perf/libone.so.debug in/srv/shop/perf/app.debug &&
         cg2wg -q --symfs=in '$data/time.data' out && rm -r in && rows out | only '/app)'" files='out profile' \
        out='7522568 11334002 113 \[app]  (/srv/shop/perf/app)'
    no_id='--remove-section=.note.gnu.build-id'
    run 'without build-ids, checksums decide' 0 \
        "objects_apart srv/shop/perf $no_id && cg2wg -q --symfs=in '$data/pipe.data' out && rm -r in &&
         cmp out '$given/pipe'" files='out profile'
    run 'a debug file with another checksum' 0 \
        "objects_apart srv/shop/perf $no_id && echo >>in/srv/shop/perf/app.debug &&
         cg2wg -q --symfs=in '$data/pipe.data' out && rm -r in && rows out | only '/app)'" files='out profile' \
        out='* \[app]  (/srv/shop/perf/app)'
else
    skip 'debug files' 'no objcopy'
fi

# ---- events

run '--list-events' 0 'cg2wg --list-events "$data/two.data" | tr -s " "' \
    out='cpu-clock:u 100300900
page-faults/period=1/u 461
pid 25061, thread 25061: 67201603 (app)
pid 25236, thread 25236: 11033099 (app)
pid 25241, thread 25241: 11033099 (app)
pid 25061, thread 25242: 11033099 (app)'
run 'the first event with samples is taken' 0 \
    "cg2wg -q $symbols '$data/two.data' out && cg2wg -q -e cpu-clock:u $symbols '$data/two.data' same &&
     cmp out same && cg2wg --print out | grep events" files='out profile same' out='events:  Time_(10ns)'
for event in page-faults/period=1/u page-faults; do
    run "--event=$event" 0 \
        "cg2wg -q -e $event $symbols '$data/two.data' out && rows out | only ' touch  '
         cg2wg --print out | grep -e events -e total" files='out profile' \
        out='299 299 299 touch  (/srv/shop/perf/app)
events:  page-faults/period=1/u
total:   461'
done
run 'an unknown event' 1 'cg2wg -e cycles --symfs="$symfs" "$data/two.data" out' \
    err='cg2wg: *two.data: no event cycles; there are: cpu-clock:u, page-faults/period=1/u'
run 'a group counts for each of its events' 0 \
    "cg2wg -q -e page-faults $symbols '$data/group.data' out && cg2wg --print out | grep -e events -e total" \
    files='out profile' out='events:  page-faults:u
total:   *'

# ---- processes and threads

run '--comm' 0 \
    "cg2wg -q --comm=nobody --comm=app $symbols '$data/time.data' out && cmp out '$given/time'" \
    files='out profile'
for option in --comm=nobody --pid=1 --tid=1; do
    run "$option leaves nothing" 1 "cg2wg $option $symbols '$data/time.data' out" \
        err='cg2wg: *time.data: no sample belongs to the chosen threads and processes*'
done
run 'which thread there is' 1 'printf "app-1 7/8 1.0: 5 cycles:\n\t10 f+0x0 (/a)\n\napp-2 9 1.0: 5 cycles:\n\t10 f+0x0 (/a)\n\n" |
    cg2wg --comm=x -' err='cg2wg: (standard input): no sample belongs to the chosen threads and processes; the first one is of app-1, pid 7, thread 8'
for option in --pid=x --tid=-1 --pid=; do
    run "$option is wrong" 2 "cg2wg $option '$data/time.data' out" err='cg2wg: --?id: found "*", expected N
*'
done

# ---- inclusive costs, versions

run '--inclusive=outermost is the default' 0 \
    "cg2wg -q --inclusive=outermost $symbols '$data/time.data' out && cmp out '$given/time'" \
    files='out profile'
run '--inclusive=sum counts recursion again' 0 \
    "cg2wg -q --inclusive=sum $symbols '$data/time.data' out && rows out | only ' fold  '" \
    files='out profile' out='0 9628886 96 fold  (/srv/shop/perf/app)'
run 'version 4 has an invocation for each path' 0 \
    "cg2wg -q -f 4 $symbols '$data/time.data' out && cg2wg --print out | grep -e ' fold '" \
    files='out profile' out=' *0 * 6  fold  (/srv/shop/perf/app)'
run 'recordings are merged' 0 \
    "cg2wg -q -o out $symbols '$data/time.data' '$data/pipe.data' && rows out | only ' turn_one '
     cg2wg --print out | grep total" files='out profile' \
    out='* turn_one  (/srv/shop/perf/libone.so)
total:   * in 2 runs'
if have c++filt && ! on_windows; then
    run 'names of C++ are readable' 0 \
        "cg2wg -q $symbols '$data/cpp.data' out && rows out | grep '/cpp)' | cut -d' ' -f3- | sort" \
        files='out profile' \
        out='2 long shop::Basket::total<char>(char) const  (/srv/shop/perf/cpp)
2 long shop::Basket::total<long>(long) const  (/srv/shop/perf/cpp)
2 shop::(anonymous namespace)::count(shop::Basket const&)  (/srv/shop/perf/cpp)
2 shop::Basket::operator()(long) const  (/srv/shop/perf/cpp)
4 main  (/srv/shop/perf/cpp)
4 shop::count(shop::Basket const&, shop::Basket const&)  (/srv/shop/perf/cpp)
4 shop::count(*)::{lambda(shop::Basket const&)#1}::operator()(shop::Basket const&) const  (/srv/shop/perf/cpp)'
    run 'names of C++ in collapsed stacks' 0 "cg2wg --print=stacks $symbols '$data/cpp.data' | grep -c ';shop::Basket::operator()(long) const;'" \
        out=1 err='*'
    run 'an older conversion is shown with readable names, too, so that it can be compared' 0 \
        "cg2wg -q --no-demangle $symbols '$data/cpp.data' out && cg2wg --print out | grep -c ' shop::'
         cg2wg --print --base=out $symbols '$data/cpp.data' 2>/dev/null | grep -c -e new -e gone; true" files='out profile' out='6
0'
else
    for name in readable 'in collapsed stacks' 'of an older conversion'; do
        skip "names of C++: $name" 'no c++filt'
    done
fi
run '--no-demangle leaves names of C++ as they are' 0 \
    "cg2wg -q --demangle --no-demangle $symbols '$data/cpp.data' out && cg2wg --print --no-demangle out | grep -c ' _Z'" \
    files='out profile' out=6
if ! on_windows; then
    mkdir -p "$given/bin"
    printf '#!/bin/sh\necho started >>"$STARTED"\necho readable\necho half\nkill -9 $$\n' >"$given/bin/c++filt"
    chmod +x "$given/bin/c++filt"
    export STARTED="$work/started"
    run 'a c++filt that fails costs only readable names, also with --strict' 0 \
        "PATH=\$given/bin:\$PATH '$program' --strict $symbols '$data/cpp.data' out && rows out | grep -c -e readable -e half
         wc -l <started; rm started" files='out profile' out='2
1' err="$lacking
cg2wg: *cpp.data: warning: found 2 readable names, expected *: c++filt has failed, *"
    if [ "$(uname)" = Linux ]; then
        mkdir "$given/limited" # it has 256 MB and 1 second, once it has begun
        printf '#!/bin/sh\nsleep 0.3; ulimit -v; ulimit -t; cat >/dev/null\n' >"$given/limited/c++filt"
        chmod +x "$given/limited/c++filt"
        case ${RUNNER:-} in
        *qemu*) memory_limit= ;; # qemu does not limit the memory of another process
        *) memory_limit="262144$newline" ;;
        esac
        run 'c++filt has little memory and time' 0 \
            "PATH=\$given/limited:\$PATH '$program' -q $symbols '$data/cpp.data' out; rows out | grep -o -e '262144' -e ' 1 '" \
            files='out profile' out="$memory_limit 1 "
    fi
    run 'c++filt is not started for other names, nor for those of Xdebug' 0 \
        "sed 's/ f\$/ _Z1fv/; 1i creator: xdebug 3.4.0' profile >in
         elsewhere '$data/time.data' >time; for input in time profile in; do
             PATH=\$given/bin:\$PATH '$program' -q --demangle \$input out; done; cat started; rm in time" files='out profile' err='cat: started: *'
    run 'c++filt is started for names of Rust' 0 \
        "printf 'events: Ir\nfn=_RNvC1a1b\n1 5\n' >in; PATH=\$given/bin:\$PATH '$program' -q in out; cat started; rm in started" \
        files='out profile' out=started
    run 'a c++filt that fails, with --strict' 1 \
        "PATH=\$given/bin:\$PATH '$program' --strict --demangle --symfs='$symfs' '$data/cpp.data' out; rm started; exit 1" \
        err='cg2wg: *cpp.data: found 2 readable names, expected *: c++filt has failed, *'
    run 'names stay as they are without c++filt' 0 \
        "PATH=/nonexistent '$program' -q --symfs='$symfs' '$data/cpp.data' out &&
         cg2wg --print --no-demangle out | grep -c ' _Z'" files='out profile' out=6
    case ${RUNNER:-} in
    *qemu*) skip '--demangle without c++filt' 'posix_spawnp of qemu does not fail' ;;
    *)
        run '--demangle without c++filt' 1 \
            "PATH=/nonexistent '$program' --demangle $symbols '$data/cpp.data' out" \
            err='cg2wg: *names are to be demangled, but the program c++filt cannot be started*'
        ;;
    esac
fi

# ---- the text of perf script

run 'the text of a recording, from standard input' 0 \
    'cg2wg --input=perf-script - out <"$data/time.script" && rows out >shown && rows "$given/time" | cmp - shown
     rm shown' files='out profile'
run 'the text of a recording has its events' 0 \
    "cg2wg -q -e page-faults $symbols '$data/group.data' same && rows same >shown &&
     cg2wg -q -e page-faults '$data/group.script' out && rows out | cmp - shown; rm shown
     cg2wg --list-events '$data/group.script' | tr -s ' '" files='out profile same' \
    out='cpu-clock:u *
page-faults:u *'
run 'the letters that an event of a recording begins with' 0 \
    "cg2wg -q --print -e CPU $symbols '$data/group.data' | grep events
     cg2wg -q --print -e page $symbols '$data/group.data' | grep events
     cg2wg -q --print -e CPU '$data/group.script' | grep events
     cg2wg -q --print -e page '$data/group.script' | grep events" out='events:  cpu-clock:u
events:  page-faults:u
events:  cpu-clock:u
events:  page-faults:u'
run 'a text that ends within a line' 0 'head -c 9010 "$data/time.script" | cg2wg - out' files='out profile' \
    err='cg2wg: (standard input):*: warning: ends within a sample, expected the rest of it; it is left out'

# fields: each pair of fields that perf script can print of these two recordings, without and with chains, changes
# nothing; prints how many pairs there are, and those that do. perf needs a tenth of a second for all symbols of the
# kernel, so it gets some.
fields() {
    grep -E ' [tT] (_s?text|_etext|.*(syscall|SYSCALL|execve|fault).*)$' /proc/kallsyms >symbols 2>/dev/null
    for chains in '' -g; do
        rm -f in
        perf record -q -d $chains --intr-regs=sp,ip -e page-faults -c 1 -o in sh -c 'set a b c; echo "$@"; ls /' >/dev/null 2>&1
        perf script -i in --kallsyms=symbols 2>/dev/null >text && cg2wg -q --print=json text | sed '/"version"/d' >plain
        for field in addr srcline iregs insn insnlen phys_addr misc tod data_page_size period event time; do
            for other in srcline insn data_page_size iregs "$field"; do
                perf script -i in --kallsyms=symbols -F "+$field,+$other" 2>/dev/null >text || continue
                echo tried
                cg2wg -q --print=json text 2>&1 | sed '/"version"/d' | cmp -s plain - || echo "differs: $chains +$field +$other"
            done
        done
    done | sort | uniq -c | tr -s ' '
    rm -f in text plain symbols
}
if have perf && perf record -q -e page-faults -c 1 -o "$work/in" true 2>/dev/null; then
    rm "$work/in"
    run 'the other fields of perf script change nothing' 0 fields out=' [1-9][0-9] tried'
else
    skip 'the other fields of perf script change nothing' 'no perf, or it may not record'
fi
run 'samples without a frame among others' 0 \
    'printf "a 5 1.0: 1 page-faults: %s\n" "1 f (p)" 0 "1 f (p)" | cg2wg --print=stacks - | tail -n 1' out='f 2' \
    err='cg2wg: (standard input): warning: no frame in 1 of 3 samples; they count as ?unknown?
cg2wg: (standard input): warning: no stack has more than one function: recorded without call chains; *'

# ---- showing

# As by --call-graph dwarf: the flag of the event says that chains have no callers in programs. Then nothing is known of calls.
cp "$data/cpp.data" "$given/dwarf"
at=$(($(od -An -tu1 -j24 -N2 "$given/dwarf" | awk '{ print $1 + 256 * $2 }') + 42))
# shellcheck disable=SC2059
printf "\\$(printf %o $(($(od -An -tu1 -j$at -N1 "$given/dwarf") | 64)))" | dd of="$given/dwarf" bs=1 seek=$at conv=notrunc 2>/dev/null
run 'without the callers in programs, no inclusive costs' 0 'for file in "$data/cpp.data" "$given/dwarf"; do
        cg2wg -q --symfs="$symfs" --top=1 "$file" | awk "/^ *[0-9]/ { print \$3 }" | tr -d "0-9\n"
        cg2wg -q --symfs="$symfs" --print=json "$file" | grep -c "\"inclusive\": null" | sed "s/[1-9].*/null/"
        cg2wg -q --symfs="$symfs" --print=csv "$file" | sed -n 2p | tr -d "\r" | grep -c ",,,"
        cg2wg -q --symfs="$symfs" --print=html "$file" | grep -e "^.has_incl" -e "^.no_calls"
        cg2wg -q --symfs="$symfs" --function="*" "$file" | grep -c "^no c.*: recorded without callers in programs; the text of perf script has them" | sed "s/[1-9].*/reason/"; done' \
    out='0
0
"no_calls":"",
"has_inclusive":1,
0
-null
1
"no_calls":"recorded without callers in programs; the text of perf script has them",
"has_inclusive":0,
reason'

run '--print shows the functions' 0 "cg2wg -q --print $symbols '$data/time.data' >shown &&
     cg2wg -q --scale=none $symbols '$data/time.data' out &&
     cg2wg --print out | sed '1d; s/ \\[costs in ns]//' | cmp - shown; rm shown" files='out profile'
run '--print=json' 0 "cg2wg -q --print=json $symbols '$data/time.data' >shown &&
     cg2wg -q --scale=none $symbols '$data/time.data' out &&
     cg2wg --print=json out | sed '/^  .version.:/d; s/ \\[costs in ns]//' | cmp - shown; rm shown" files='out profile'
run '--print=plot says why not' 1 "cg2wg -q --print=plot '$data/time.data'" \
    err='cg2wg: *time.data: no costs by input size; only a report of aprof can be plotted'

# ---- options of recordings

# for_recordings INPUT OPTION...: each is an error with an input that has nothing for it
for_recordings() {
    input=$1 format=$2
    shift 2
    for option; do
        for action in --print --list-events '-o out'; do
            run "$option is not for $format: $action" 1 "cg2wg $action $option '$input'" \
                err="cg2wg: $input: this is a profile in $format format, not a recording of perf, which ${option%%=*} needs"
        done
    done
}
for_recordings "$data/time.script" perf-script --symfs=/ --kallsyms=/proc/kallsyms
for_recordings "$given/profile" callgrind --symfs=/ --kallsyms=/proc/kallsyms --comm=app
for_recordings "$given/time" preprocessed --comm=app
run 'each input that is merged has to be a recording' 1 'cg2wg -o out --comm=app "$data/time.script" profile' \
    err='cg2wg: profile: this is a profile in callgrind format, *--comm*'

run 'a folder is no recording' 1 'mkdir folder; cg2wg folder out; status=$?; rmdir folder; exit $status' \
    err='cg2wg: folder: *perf record --kcore, the file data in it*--threads*'
run 'a pipe that was cut' 0 \
    "head -c 9000 '$data/pipe.data' | cg2wg $symbols - out && cg2wg --print out | grep events" \
    files='out profile' out='events:  Time_(10ns)' \
    err='cg2wg: (standard input): warning: ends within the record at byte *, expected all of it; that is left out*'

finish
