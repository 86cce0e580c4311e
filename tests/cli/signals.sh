#!/bin/sh
# SPDX-License-Identifier: MIT
# signals.sh PROGRAM: a signal leaves either the old output or the new one, and nothing else.
#
# ROUNDS: how many signals come at random times (60); SEED: which ones they are (1).
. "$(dirname "$0")/suite.inc"

# A program that counts what of it is run must not be killed while it adds that to other counts.
GCOV_PREFIX=$scratch/gcov
export GCOV_PREFIX

rounds=${ROUNDS:-60}
seed=${SEED:-1}

large 60000 7 >"$given/large"
for version in 4 7; do
    cg2wg -f "$version" "$given/large" "$given/large$version" || exit 2
done

# What a shell starts in the background ignores SIGINT and SIGQUIT; this undoes it, if it can.
default_signals=
if env --default-signal=INT,QUIT,HUP,TERM true 2>/dev/null; then
    default_signals='env --default-signal=INT,QUIT,HUP,TERM'
fi

# whole_or_old FILE NEW STATUS NUMBER: is it what a program that ended with STATUS may leave?
whole_or_old() {
    case $3 in
    0) cmp -s "$1" "$2" || echo "status 0 without the new output" ;;
    $((128 + $4)))
        # The signal may have come when the file had its name already.
        cmp -s "$1" "$given/old" || cmp -s "$1" "$2" ||
            echo "status $3 with half an output"
        ;;
    *) echo "status $3" ;;
    esac
}

# A program that has ended can't be distinguished from one that runs, so looking has an end. It comes later each time,
# because the program may be slow to begin.
most_looks=20000
[ -z "${RUNNER:-}" ] || most_looks=400000

# while_writing SIGNAL PID: sends the signal as soon as there is a temporary file. Fails if none was.
while_writing() {
    looks=0
    while kill -0 "$2" 2>/dev/null && [ $looks -lt $most_looks ]; do
        looks=$((looks + 1))
        for temporary in .[!.]*; do
            [ -e "$temporary" ] || continue
            kill "-$1" "$2" 2>/dev/null
            return
        done
    done
    [ $most_looks -ge 400000 ] || most_looks=$((2 * most_looks))
    return 1
}

# On a busy machine the writing may be over before anybody looks: so there are many tries, and the output
# is one of version 4, which is large.
many_tries=$(seq -s ' ' 60)

for signal in TERM:15 HUP:1 INT:2 QUIT:3 USR1:10 USR2:12 ALRM:14 VTALRM:26 IO:29 PWR:30 ABRT:6 40:40 RTMAX:64; do
    name=${signal%:*}
    number=${signal#*:}
    case $name in
    INT | QUIT)
        [ -n "$default_signals" ] || { skip "SIG$name" 'env knows no --default-signal'; continue; } ;;
    40) # a real-time one with any libc
        [ "$(uname)" = Linux ] || { skip "SIG$name" 'not here'; continue; } ;;
    IO | PWR | RT*)
        [ "$(kill -l "$number" 2>/dev/null)" = "$name" ] || { skip "SIG$name" 'not here'; continue; } ;;
    esac
    run "SIG$name while the output is written" 0 \
        'hits=0
         ulimit -c 0
         for try in $many_tries; do
             put_old out
             $default_signals "$program" -f 4 "$given/large" out 2>/dev/null &
             while_writing $name $! && hits=$((hits + 1))
             wait $! 2>/dev/null
             whole_or_old out "$given/large4" $? $number
             [ "$(ls -A | tr "\n" " ")" = "out profile " ] || { ls -A; break; }
             [ $hits -lt 3 ] || break
         done 2>/dev/null
         [ $hits -gt 0 ] || echo "never saw a temporary file"' files='out profile'
done

run 'SIGTERM where no output was leaves none, or the whole' 0 \
    '"$program" "$given/large" out & while_writing TERM $!; wait $! 2>/dev/null
     [ ! -e out ] || cmp out "$given/large7"; rm -f out' err='*'
run 'SIGTERM before anything is written ends the program at once' 143 \
    'mkfifo pipe; exec 3<>pipe; echo "events: Ir" >&3
     put_old out
     "$program" pipe out &
     # A signal between fork and exec may get lost.
     for try in $many_tries; do sleep 0.05; kill $! 2>/dev/null || break; done
     wait $! 2>/dev/null; s=$?
     rm pipe; shows_old out; exit $s' out=old err='*' files='out profile'
if have zstd && ! on_windows; then
    zstd -q -c "$given/large" >"$given/large.zst"
    mkdir "$scratch/bin"
    printf '#!/bin/sh\n: >started\nexec "%s" "$@"\n' "$(command -v zstd)" >"$scratch/bin/zstd"
    chmod 755 "$scratch/bin/zstd"
    run 'SIGTERM while a decoder waits for input: nobody holds standard output any more' 0 \
        'mkfifo pipe; exec 3<>pipe; head -c 20000 "$given/large.zst" >&3
         { PATH=$scratch/bin:$PATH "$program" - - <&3 3>&- &
           await [ -e started ]
           exec >/dev/null
           for try in $many_tries; do kill $! 2>/dev/null || break; sleep 0.05; done
         } | timeout 60 cat 3>&-
         s=$?; rm pipe started; exit $s' err='*'
else
    skip 'SIGTERM while a decoder waits for input' 'no zstd'
fi
run 'an ignored signal does not stop the writing' 0 \
    '(trap "" HUP TERM; exec "$program" "$given/large" out) &
     while_writing HUP $!; kill -TERM $! 2>/dev/null; wait $! && cmp out "$given/large7"' \
    files='out profile'
run 'a stopped program goes on' 0 \
    '"$program" "$given/large" out & while_writing STOP $!; sleep 0.02; kill -CONT $! 2>/dev/null
     wait $! && cmp out "$given/large7"' files='out profile'
run 'a program that is stopped while it writes has not touched the old output' 0 \
    'looked=no
     for try in $many_tries; do
         put_old out
         "$program" "$given/large" out &
         if while_writing STOP $!; then
             sleep 0.05
             cmp -s out "$given/old" && content=old || content=
             # As long as there is that file, it has not been renamed.
             if [ -e "$temporary" ]; then
                 looked=yes
                 [ "$content" = old ] || echo "touched"
             fi
         fi
         kill -TERM $! 2>/dev/null; kill -CONT $! 2>/dev/null; wait $! 2>/dev/null
         whole_or_old out "$given/large7" $? 15
         [ $looked = no ] || break
     done
     [ $looked = yes ] || echo "never saw a temporary file"' err='*' files='out profile'

# ---- any signal at any time

cg2wg --inclusive=outermost "$given/large" "$given/large-outermost" || exit 2
cp "$given/large7" "$given/large-7"
cp "$given/large4" "$given/large--f4"
inputs=large
have gzip && gzip -1 -c "$given/large" >"$given/large.gz" && inputs="$inputs large.gz"
have zstd && zstd -q -1 -c "$given/large" >"$given/large.zst" 2>/dev/null && inputs="$inputs large.zst"

# Lines of: signal, its number, option, how the input is given, input, delay in seconds.
storm_rounds() {
    before=$(date +%s%N)
    cg2wg "$given/large" "$scratch/timed" || exit 2
    after=$(date +%s%N)
    case $before in
    *N) nanoseconds=100000000 ;; # this date knows no nanoseconds
    *) nanoseconds=$((after - before)) ;;
    esac
    awk -v rounds="$rounds" -v seed="$seed" -v inputs="$inputs" -v time="$nanoseconds" 'BEGIN {
        srand(seed)
        split("TERM:15 INT:2 PIPE:13 KILL:9 KILL:9 HUP:1", signals, " ")
        split("-7 --f4 -outermost", options, " ")
        input_count = split(inputs, names, " ")
        split("file pipe", ways, " ")
        for (i = 0; i < rounds; i++) {
            split(signals[1 + int(rand() * 6)], signal, ":")
            print signal[1], signal[2], options[1 + int(rand() * 3)], ways[1 + int(rand() * 2)],
                names[1 + int(rand() * input_count)], rand() * 1.3 * time / 1e9
        }
    }'
}

# storm: one round after the other; says what is wrong.
storm() {
    temporaries=0
    while read -r name number option way input delay; do
        what="$name after $delay s, $input by $way, $option"
        words='' feeder=
        case $option in
        --f4) words=-f4 ;;
        -outermost) words=--inclusive=outermost ;;
        esac
        put_old out
        case $way in
        file)
            $default_signals "$program" $words "$given/$input" out 2>messages & ;;
        pipe)
            # A reader that gets its input by and by
            mkfifo pipe
            cat "$given/$input" 2>/dev/null >pipe &
            feeder=$!
            $default_signals "$program" $words - out <pipe 2>messages & ;;
        esac
        sleep "$delay"
        kill "-$name" $! 2>/dev/null
        wait $! 2>/dev/null
        status=$?
        # If the program ended before it opened the pipe, that is waited for.
        [ -z "$feeder" ] || kill -KILL $feeder 2>/dev/null
        rm -f pipe
        problem=$(whole_or_old out "$given/large$option" $status "$number")
        [ -z "$problem" ] || { echo "$what: $problem"; cat messages; }
        found=$(find . -maxdepth 1 | sed 's,^./,,' | grep -c '^\.out')
        [ "$name" != KILL ] || [ $found -le $((temporaries + 1)) ] || echo "$what: two files are left"
        [ "$name" = KILL ] || [ $found -le $temporaries ] || echo "$what: a file is left"
        temporaries=$found
    done
    wait
    # What killed programs have left disturbs nobody.
    cg2wg "$given/large" out && cmp out "$given/large7"
    rm -rf .out.*.tmp messages
}

if [ -n "$default_signals" ]; then
    storm_rounds >"$scratch/rounds"
    run "$rounds signals at random times, seed $seed" 0 'storm 2>/dev/null <"$scratch/rounds"' \
        files='out profile'
else
    skip "signals at random times" 'env knows no --default-signal'
fi

finish
