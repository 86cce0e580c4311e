#!/bin/sh
# SPDX-License-Identifier: MIT
# progress.sh PROGRAM: the progress bar on a terminal, and --stats.
. "$(dirname "$0")/suite.inc"

cg2wg "$given/profile" "$given/v7" || exit 2
size=$(wc -c <"$given/profile")
seen=$scratch/seen # what the slow commands have written to standard error or a terminal
mkdir "$seen" "$scratch/slow"

# ---- Nothing is drawn in the first second, so all commands that take longer run at once.

# The two halves of the profile, with more than a second between them, even if the program starts late.
cat >"$scratch/slowly" <<SLOWLY
#!/bin/sh
head -n 9 '$given/profile'
sleep 1.8
sed 1,9d '$given/profile'
SLOWLY
chmod 755 "$scratch/slowly"

# slow NAME OPTION...: converts them.
slow() {
    slow_name=$1
    shift
    "$scratch/slowly" | cg2wg "$@" - "$seen/$slow_name.out" 2>"$seen/$slow_name"
}

# slow_message: the same, with something to say at the end
slow_message() {
    { "$scratch/slowly"; sleep 0.2; echo 'what?'; } |
        cg2wg --progress - "$seen/message.out" 2>"$seen/message"
}

# A slow decoder makes a file slow whose size is known.
has_xz=no
if have xz; then
    has_xz=yes
    printf '#!/bin/sh\nsleep 1.8\nexec %s "$@"\n' "$(command -v xz)" >"$scratch/slow/xz"
    chmod 755 "$scratch/slow/xz"
    xz -c "$given/profile" >"$given/profile.xz"
fi

export scratch program given seen # for commands on terminals
# on_terminal NAME COLUMNS COMMAND
on_terminal() {
    SHELL=/bin/sh script -qec "stty cols $2; PATH=\$scratch/slow:\$PATH; $3" /dev/null \
        >"$seen/$1" </dev/null
}

slow plain &
slow forced --progress &
slow quiet -q --progress &
slow off --progress --no-progress &
slow on --no-progress --progress &
slow_message &
"$scratch/slowly" | cg2wg --list-events --progress - >"$seen/events.out" 2>"$seen/events" &
{ printf 'fn=f\n1 5\n'; sleep 1.8; echo 'summary: 5'; } |
    cg2wg --list-events --progress - >"$seen/nothing.out" 2>"$seen/nothing" &
if [ $has_xz = yes ]; then
    PATH=$scratch/slow:$PATH cg2wg --progress "$given/profile.xz" "$seen/file.out" 2>"$seen/file" &
    mkdir "$seen/storage"
    cp "$given/profile" "$given/second"
    touch -d '1 hour ago' "$given/profile" "$given/profile.xz" "$given/second"
    PATH=$scratch/slow:$PATH cg2wg -q -j1 --progress --storage="$seen/storage" "$given/profile" "$given/profile.xz" \
        "$given/second" 2>"$seen/batch" &
fi
if has_terminal; then
    on_terminal terminal 80 '"$scratch/slowly" | "$program" - "$seen/terminal.out"' &
    on_terminal terminal-off 80 '"$scratch/slowly" | "$program" --no-progress - "$seen/off.out"' &
    on_terminal terminal-quiet 80 '"$scratch/slowly" | "$program" -q - "$seen/quiet.out"' &
    on_terminal background 80 'set -m; "$scratch/slowly" | "$program" - "$seen/background.out" & wait' &
    on_terminal narrow 18 '"$scratch/slowly" | "$program" - "$seen/narrow.out"' &
    on_terminal listing 80 '"$scratch/slowly" | "$program" --list-events -' &
    if [ $has_xz = yes ]; then
        on_terminal wide 110 '"$program" "$given/profile.xz" "$seen/wide.out"' &
    fi
fi
wait

# drawn NAME: what was drawn last, without the blanks that have overwritten it
drawn() {
    tr '\r' '\n' <"$seen/$1" | sed 's/ *$//' | grep . | tail -n 1
}

# erased NAME: says so if what was drawn last has been overwritten with as many blanks
erased() {
    tr '\r' '\n' <"$seen/$1" | tail -n 2 |
        awk '{ length_before = last; last = length } END { if (last > 0 && !/[^ ]/ && last == length_before) print "erased" }'
}

bar="reading $size B  [12]?? B/s"

run 'standard error that is no terminal shows no bar' 0 \
    'cat "$seen/plain"; cmp "$seen/plain.out" "$given/v7"'
run '--progress shows it even there' 0 'drawn forced; cmp "$seen/forced.out" "$given/v7"' out="$bar"
run '--progress shows it with --quiet, too' 0 'drawn quiet' out="$bar"
run 'the last of --progress and --no-progress counts' 0 'drawn off; drawn on' out="$bar"
run 'at the end nothing is left of it' 0 'erased forced' out=erased
run 'a message has its line for itself' 0 \
    'grep -c . "$seen/message"; grep -c reading "$seen/message"; drawn message' \
    out="1${newline}1${newline}cg2wg: (standard input):30: warning: *what*"
run '--list-events has it, too' 0 'drawn events; cat "$seen/events.out"' \
    out="$bar${newline}Time_(10ns)*Memory_(bytes)*"
run 'nothing is left of it if there is nothing to list' 0 'drawn nothing; erased nothing; cat "$seen/nothing.out"' \
    out="reading 20 B  [12]? B/s${newline}erased"
run 'work of less than a second shows none' 0 'cg2wg --progress profile out' files='out profile'
if [ $has_xz = yes ]; then
    run 'a file shows percent and time left' 0 'drawn file; cmp "$seen/file.out" "$given/v7"' \
        out='reading 100 %  [12]?? B/s  0:00 left  \[====*=\]'
    part=$(($(wc -c <"$given/profile") + $(wc -c <"$given/profile.xz")))
    percent=$((part * 100 / (part + $(wc -c <"$given/second")))) # or a little more, if the machine is slow
    run 'several files show the part of them all that has been read' 0 'drawn batch' \
        out="reading  ${percent%?}? %*"
else
    skip 'a file shows percent and time left' 'no xz'
    skip 'several files show the part of them all that has been read' 'no xz'
fi
if has_terminal; then
    run 'a terminal shows it' 0 'drawn terminal; cmp "$seen/terminal.out" "$given/v7"' out="$bar"
    run 'not with --no-progress' 0 'cat "$seen/terminal-off"; cmp "$seen/off.out" "$given/v7"'
    run 'not with --quiet' 0 'cat "$seen/terminal-quiet"; cmp "$seen/quiet.out" "$given/v7"'
    run 'not in the background' 0 \
        'grep reading "$seen/background"; cmp "$seen/background.out" "$given/v7"'
    run 'an event has its line for itself' 0 'tr "\r" "\n" <"$seen/listing" | grep -c "^Time_"' out=1
    run 'a narrow terminal shows what fits' 0 'drawn narrow' out="reading $size B"
    if [ $has_xz = yes ]; then
        run 'it is as wide as the terminal' 0 'drawn wide | awk "{ print length }"' out=109
    else
        skip 'it is as wide as the terminal' 'no xz'
    fi
else
    skip 'a terminal shows it' "$no_terminal"
fi

# ---- --stats

stats="input      $size B
lines      29
slow lines 12
functions  3
call arcs  2
time       [0-9].[0-9][0-9][0-9] s
rate       [1-9]*B/s, [0-9]*.[0-9][0-9][0-9] million lines/s"
run '--stats shows what was done' 0 'cg2wg --stats profile out' err="$stats" files='out profile'
run '--stats goes to standard error' 0 'cg2wg --stats profile - >out; cmp out "$given/v7"' \
    err="$stats" files='out profile'
run '--stats is shown with --quiet, too' 0 'cg2wg -q --stats profile out' err="$stats" \
    files='out profile'
run '--stats counts all inputs' 0 \
    'cg2wg -q --stats -o out profile profile 2>messages; sed 2q messages' \
    out="input      $((2 * size)) B${newline}lines      58" files='messages out profile'
run '--stats of what fails shows none' 1 'cg2wg --stats /dev/null out' \
    err='cg2wg: /dev/null: is empty*'

finish
