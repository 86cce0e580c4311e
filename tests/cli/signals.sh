#!/bin/sh
# signals.sh PROGRAM: a signal leaves either the old output or the new one, and nothing else.
. "$(dirname "$0")/suite.inc"

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
        [ "$(head -c 4 "$1" | tr -d '\000')" = old ] || cmp -s "$1" "$2" ||
            echo "status $3 with half an output"
        ;;
    *) echo "status $3" ;;
    esac
}

# while_writing SIGNAL PID: sends the signal as soon as there is a temporary file. Fails if none was.
while_writing() {
    looks=0
    while kill -0 "$2" 2>/dev/null && [ $looks -lt 100000 ]; do
        looks=$((looks + 1))
        for temporary in .[!.]*; do
            [ -e "$temporary" ] || continue
            kill "-$1" "$2" 2>/dev/null
            return
        done
    done
    return 1
}

for signal in TERM:15 HUP:1 INT:2 QUIT:3 USR1:10 USR2:12 ALRM:14; do
    name=${signal%:*}
    number=${signal#*:}
    case $name in
    INT | QUIT)
        [ -n "$default_signals" ] || { skip "SIG$name" 'env knows no --default-signal'; continue; } ;;
    esac
    run "SIG$name while the output is written" 0 \
        'hits=0
         ulimit -c 0
         for try in 1 2 3 4 5 6; do
             echo old >out
             $default_signals "$program" "$given/large" out 2>/dev/null &
             while_writing $name $! && hits=$((hits + 1))
             wait $! 2>/dev/null
             whole_or_old out "$given/large7" $? $number
             [ "$(ls -A | tr "\n" " ")" = "out profile " ] || { ls -A; break; }
         done 2>/dev/null
         [ $hits -gt 0 ] || echo "never saw a temporary file"' files='out profile'
done

for delay in 0.001 0.005 0.01 0.02 0.03 0.05; do
    for version in 4 7; do
        run "SIGTERM after $delay seconds, version $version" 0 \
            "echo old >out
             \"\$program\" -f $version '$given/large' out 2>/dev/null & sleep $delay
             kill \$! 2>/dev/null; wait \$! 2>/dev/null
             whole_or_old out '$given/large$version' \$? 15" files='out profile'
    done
done
if [ -n "$default_signals" ] && have timeout; then
    for delay in 0.005 0.02 0.04; do
        run "SIGINT after $delay seconds" 0 \
            "echo old >out
             \$default_signals timeout --preserve-status -s INT $delay \"\$program\" '$given/large' out \
                 2>/dev/null
             whole_or_old out '$given/large7' \$? 2" files='out profile'
    done
fi
run 'SIGTERM where no output was leaves none, or the whole' 0 \
    '"$program" "$given/large" out & while_writing TERM $!; wait $! 2>/dev/null
     [ ! -e out ] || cmp out "$given/large7"; rm -f out' err='*'
run 'SIGTERM before anything is written ends the program at once' 143 \
    'mkfifo pipe; exec 3<>pipe; echo "events: Ir" >&3
     echo old >out
     "$program" pipe out & sleep 0.05; kill $!; wait $! 2>/dev/null; s=$?
     rm pipe; cat out; exit $s' out=old err='*' files='out profile'
run 'an ignored signal does not stop the writing' 0 \
    '(trap "" HUP TERM; exec "$program" "$given/large" out) &
     while_writing HUP $!; kill -TERM $! 2>/dev/null; wait $! && cmp out "$given/large7"' \
    files='out profile'
run 'a stopped program goes on' 0 \
    '"$program" "$given/large" out & while_writing STOP $!; sleep 0.02; kill -CONT $!
     wait $! && cmp out "$given/large7"' files='out profile'
run 'a program that is stopped while it writes has not touched the old output' 0 \
    'echo old >out
     for try in 1 2 3 4 5 6; do
         "$program" "$given/large" out & while_writing STOP $! && break
         wait $!; echo old >out
     done
     sleep 0.05
     for temporary in .[!.]*; do
         [ ! -e "$temporary" ] || cat out
     done
     kill -TERM $!; kill -CONT $!; wait $! 2>/dev/null
     whole_or_old out "$given/large7" $? 15' out='*' err='*' files='out profile'
if have gzip; then
    gzip -1 -c "$given/large" >"$given/large.gz"
    for delay in 0.005 0.02 0.05 0.1; do
        run "SIGTERM after $delay seconds, compressed input" 0 \
            "echo old >out
             \"\$program\" '$given/large.gz' out 2>/dev/null & sleep $delay
             kill \$! 2>/dev/null; wait \$! 2>/dev/null
             whole_or_old out '$given/large7' \$? 15" files='out profile'
    done
fi

finish
