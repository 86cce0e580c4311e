#!/bin/sh
# SPDX-License-Identifier: MIT
# completion.sh PROGRAM: what bash, zsh and fish offer for cg2wg, in the real shells.
. "$(dirname "$0")/suite.inc"

for shell in bash zsh fish; do
    sh "$top/src/cli/completions/generate.sh" $shell "$program" >"$given/cg2wg.$shell" || exit 2
done
cg2wg --help=all | sed -n 's/^  \(-.\), \(--[a-z-]*\).*/\1\n\2/p; s/^      \(--[a-z-]*\).*/\1/p' |
    sort >"$given/options"

run 'the list of options has those that the help shows, and no other' 0 \
    'cg2wg --list-options | awk -F "\t" "{ if (\$1 != \"-\") print \"-\" \$1; print \"--\" \$2 }" |
     sort | diff "$given/options" -'
run 'each row of the list has a letter, a name, an argument and a help' 0 \
    'cg2wg --list-options |
     awk -F "\t" "NF != 4 || \$1 !~ /^[-A-Za-z]\$/ || \$2 !~ /^[a-z-]+\$/ || \$3 == \"\" || \$4 == \"\""'

# ---- what is typed

# A profile with events and a name that have to be quoted
sed 's,^events:.*,& \nevent: Sum : all = Time_(10ns) + Memory_(bytes),' "$given/profile" >"$given/my prof(1)"
cp "$top/testdata/valgrind/parts.out" "$given/threads"

# Commands as they are typed, @ for the tab key, and the arguments that the program has to get.
cat >"$given/typed" <<'TYPED'
cg2wg --str@
[--strict]
cg2wg --overw@ my
[--overwrite][my]
cg2wg --inclusive=o@
[--inclusive=outermost]
cg2wg --inclusive o@
[--inclusive][outermost]
cg2wg --input 'pre@
[--input][preprocessed]
cg2wg --scale n@
[--scale][none]
cg2wg -f 7 --prog@
[-f][7][--progress]
cg2wg --print=j@
[--print=json]
cg2wg --print my@
[--print][my prof(1)]
cg2wg my@ -e Mem@
[my prof(1)][-e][Memory_(bytes)]
cg2wg 'my@ -e M@
[my prof(1)][-e][Memory_(bytes)]
cg2wg "my@ -e M@
[my prof(1)][-e][Memory_(bytes)]
cg2wg my\ prof\(1\) -e Mem@
[my prof(1)][-e][Memory_(bytes)]
cg2wg "my prof(1)" -e 'Mem@
[my prof(1)][-e][Memory_(bytes)]
cg2wg 'my prof(1)' -e "Mem@
[my prof(1)][-e][Memory_(bytes)]
cg2wg 'my prof(1)' -e Memory_\(b@
[my prof(1)][-e][Memory_(bytes)]
cg2wg 'my prof(1)' --event=Su@
[my prof(1)][--event=Sum]
cg2wg 'my prof(1)' --event=Mem@
[my prof(1)][--event=Memory_(bytes)]
cg2wg 'my prof(1)' --event='Memory_(@
[my prof(1)][--event=Memory_(bytes)]
cg2wg 'my prof(1)' --event "Tim@ -f 6
[my prof(1)][--event][Time_(10ns)][-f][6]
cg2wg my@ -e Sum,Mem@
[my prof(1)][-e][Sum,Memory_(bytes)]
cg2wg my@ -e Time_\(10ns\),Su@
[my prof(1)][-e][Time_(10ns),Sum]
cg2wg 'my prof(1)' -e 'Sum,Tim@
[my prof(1)][-e][Sum,Time_(10ns)]
cg2wg 'my prof(1)' --event=Sum,Mem@
[my prof(1)][--event=Sum,Memory_(bytes)]
cg2wg 'my prof(1)' --event=Sum,Memory_\(bytes\),Ti@
[my prof(1)][--event=Sum,Memory_(bytes),Time_(10ns)]
cg2wg threads -e p@
[threads][-e][p]
cg2wg --group=cl@
[--group=class]
cg2wg --group o@
[--group][object]
cg2wg --color=n@
[--color=never]
cg2wg -o my@
[-o][my prof(1)]
cg2wg --output=my@
[--output=my prof(1)]
cg2wg --print --base=my@
[--print][--base=my prof(1)]
cg2wg --kallsyms my@
[--kallsyms][my prof(1)]
cg2wg --output='my@
[--output=my prof(1)]
cg2wg -- my@
[--][my prof(1)]
cg2wg --storage=st@
[--storage=stored (7)]
cg2wg --storage st@
[--storage][stored (7)]
cg2wg --symfs='st@
[--symfs=stored (7)]
TYPED
sed -n 'p;n' "$given/typed" >"$given/keys"
sed -n 'n;p' "$given/typed" >"$given/arguments"

# Instead of converting, the program notes its arguments.
mkdir "$scratch/bin"
cat >"$scratch/bin/cg2wg" <<SCRIPT
#!/bin/sh
case "\$*" in
*--list-events*) exec "$program" "\$@" ;;
esac
{ printf '[%s]' "\$@"; echo; } >>"$scratch/arguments"
SCRIPT
chmod 755 "$scratch/bin/cg2wg"
mkdir "$scratch/functions" "$scratch/home"
cp "$given/cg2wg.zsh" "$scratch/functions/_cg2wg"
cat >"$scratch/bashrc" <<SCRIPT
PATH='$scratch/bin':\$PATH
. "$given/cg2wg.bash"
bind 'set bell-style none'
: >"$scratch/ready"
SCRIPT
cat >"$scratch/.zshrc" <<SCRIPT
PATH='$scratch/bin':\$PATH
fpath=('$scratch/functions' \$fpath)
autoload -Uz compinit
compinit -u -D
: >"$scratch/ready"
SCRIPT
cat >"$scratch/fishrc" <<SCRIPT
set -x PATH '$scratch/bin' \$PATH
source '$given/cg2wg.fish'
: >'$scratch/ready'
SCRIPT
start_bash="bash --noprofile --rcfile '$scratch/bashrc' -i"
start_zsh="ZDOTDIR='$scratch' zsh -d -i"
start_fish="HOME='$scratch/home' fish --no-config -i -C \"source '$scratch/fishrc'\""

# type_in SHELL: types the commands there, and compares what the program was given.
type_in() {
    rm -f "$scratch/ready" "$scratch/arguments"
    : >"$scratch/arguments"
    cp "$given/my prof(1)" "$given/threads" .
    mkdir "stored (7)" && : >"store" # which is no directory
    eval "start=\$start_$1"
    {
        for try in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
            [ ! -e "$scratch/ready" ] || break
            sleep 0.2
        done
        sleep 0.3
        lines=0
        while IFS= read -r keys; do
            printf '%s\n' "$keys" | tr @ '\t'
            lines=$((lines + 1))
            for try in 1 2 3 4 5 6 7 8 9 10; do
                [ "$(wc -l <"$scratch/arguments")" -lt $lines ] || break
                sleep 0.1
            done
        done <"$given/keys"
        printf 'exit\n'
        sleep 0.2
    } | TERM=xterm timeout 100 script -qec "$start" /dev/null >"$scratch/typescript" 2>&1
    rm -r threads "my prof(1)" "stored (7)" store
    sed 's,/\],],g' "$scratch/arguments" | diff "$given/arguments" - # some shells end a directory with a slash
}
for shell in bash zsh fish; do
    eval "start=\$start_$shell"
    if ! have "$shell" || ! has_terminal || on_windows; then
        skip "what is typed in $shell" "no $shell, or $no_terminal"
    else
        run "what is typed in $shell" 0 "type_in $shell"
    fi
done

# ---- all that is offered

long_options() {
    grep '^--' "$given/options"
}

# offered_by_bash WORD...: what it offers after `cg2wg WORD...`, the last of which may be incomplete
cat >"$scratch/offered" <<'BASH'
. "$1" || exit
shift
COMP_WORDS=("$@")
COMP_CWORD=$(($# - 1))
compopt() { :; }
_cg2wg "$1"
[ ${#COMPREPLY[@]} -eq 0 ] || printf '%s\n' "${COMPREPLY[@]}"
BASH
offered_by_bash() {
    bash "$scratch/offered" "$given/cg2wg.bash" "$program" "$@"
}
if have bash; then
    run 'bash offers every long option, and no other' 0 \
        'offered_by_bash -- | tr -d = | sort >offered; long_options | diff - offered' files='offered profile'
    run 'bash offers every option, and no other' 0 \
        'offered_by_bash - | tr -d = | sort >offered; diff "$given/options" offered' files='offered profile'
    run 'bash offers an option with = if it takes a value' 0 \
        'offered_by_bash --form; offered_by_bash --strict; offered_by_bash --pri' out='--format=
--strict
--print'
    run 'bash offers every value' 0 \
        'offered_by_bash --sort = | tr "\n" " "; offered_by_bash -f ""; offered_by_bash --format=' \
        out='self inclusive calls name none time 4
5
6
7
--format=4
--format=5
--format=6
--format=7'
    run 'bash offers every event, of the first file' 0 \
        'offered_by_bash missing profile -e ""' out="Time_(10ns)${newline}Memory_(bytes)"
    run 'bash offers no event that is none' 0 'offered_by_bash missing -e ""; offered_by_bash profile -e X'
    run 'bash offers no option after --, nor as a value' 0 \
        'offered_by_bash -- -; offered_by_bash -p --; offered_by_bash --top --'
else
    skip 'bash offers every option' 'no bash'
fi
if have fish; then
    # offered_by_fish LINE: what it offers at the end of it
    offered_by_fish() {
        HOME=$scratch/home fish --no-config -c "set -x PATH '$scratch/bin' \$PATH; source '$given/cg2wg.fish'
            complete -C \"\$argv[1]\"" -- "$1" | sed 's/\t.*//'
    }
    run 'fish offers every option, and no other' 0 \
        '{ offered_by_fish "cg2wg --"; offered_by_fish "cg2wg -" | grep "^-.$"; } | tr -d = | sort -u >offered
         diff "$given/options" offered' files='offered profile'
    run 'fish offers every value' 0 'offered_by_fish "cg2wg --sort " | sort | tr "\n" " "' \
        out='calls inclusive name none self '
    run 'fish offers every event, of the first file' 0 \
        'offered_by_fish "cg2wg missing profile -e " | sort' out="Memory_(bytes)${newline}Time_(10ns)"
    run 'fish offers files for OUTPUT' 0 'offered_by_fish "cg2wg -o pro"' out=profile
else
    skip 'fish offers every option' 'no fish'
fi
if have zsh; then
    run 'zsh is given every option, and no other' 0 \
        "sed -n \"/^    '/s/\\[.*//p\" \"$given/cg2wg.zsh\" | grep -o -e '--[a-z-]*[a-z]' -e '-[a-zA-Z]' | sort -u |
         diff \"$given/options\" -"
    run 'zsh offers an option again if it may be repeated' 0 \
        'cg2wg --list-options | sed -n "/may be repeated/s/^.	\([a-z]*\)	.*/--\1/p" >repeated; [ -s repeated ]
         sed -n "s/^    .\*.*\(--[a-z]*\)=.*/\1/p" "$given/cg2wg.zsh" | diff repeated -; rm repeated'
else
    skip 'zsh is given every option' 'no zsh'
fi

finish
