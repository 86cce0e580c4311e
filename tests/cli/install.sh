#!/bin/sh
# install.sh PROGRAM: make install puts the right files into the right place, make uninstall takes
# them away.
. "$(dirname "$0")/suite.inc"

# The build folder that the program comes from; nothing is to be built here.
case $program in
"$top"/cg2wg) build=build target=cg2wg ;;
*) build=$(dirname "$program") target=$program ;;
esac
case $target in
"$top"/*)
    build=${build#"$top"/}
    target=${target#"$top"/}
    ;;
esac
unset MAKEFLAGS MFLAGS MAKELEVEL MAKEOVERRIDES GNUMAKEFLAGS DESTDIR PREFIX

# made TARGET VARIABLE...: runs make on the program as it is
made() {
    make -s --no-print-directory -C "$top" -o "$target" "$@" BUILD="$build"
}

# tree FOLDER: every file with its permissions
tree() {
    (cd "$1" && find . ! -type d -exec stat -c '%a %n' {} + | sort -k 2)
}

if ! have make; then
    skip 'make install' 'no make'
    finish
fi
run 'make help lists what can be made, and the variables' 0 \
    'made help >help; for word in "make test" "make demo" "make check" "make bench" "make install" \
         "make uninstall" "make help" CC CFLAGS BUILD PREFIX DESTDIR; do
         grep -q "$word" help || echo "no $word"
     done; rm help'

if [ ! -e "$top/docs/cg2wg.1" ] || [ ! -e "$top/docs/cg2wg.bash" ]; then
    skip 'make install' 'no docs/cg2wg.1 or docs/cg2wg.bash'
    finish
fi

installed='755 ./BIN/cg2wg
644 ./SHARE/bash-completion/completions/cg2wg
644 ./SHARE/man/man1/cg2wg.1'

# expected PREFIX: what has to be there
expected() {
    echo "$installed" | sed "s,BIN,$1/bin,; s,SHARE,$1/share,"
}

run 'DESTDIR and PREFIX say where it goes' 0 \
    'made install DESTDIR="$PWD/root" PREFIX=/usr >/dev/null && tree root' out="$(expected usr)" \
    files='profile root'
run 'PREFIX is /usr/local' 0 \
    'made install DESTDIR="$PWD/root" >/dev/null && tree root' out="$(expected usr/local)" \
    files='profile root'
run 'PREFIX alone' 0 \
    'made install PREFIX="$PWD/home" >/dev/null && tree .' \
    out="755 ./home/bin/cg2wg
644 ./home/share/bash-completion/completions/cg2wg
644 ./home/share/man/man1/cg2wg.1
644 ./profile" files='home profile'
run 'the umask does not matter' 0 \
    '(umask 077; made install DESTDIR="$PWD/root" PREFIX=/usr >/dev/null) && tree root' \
    out="$(expected usr)" files='profile root'
run 'what is installed is what was built' 0 \
    'made install DESTDIR="$PWD/root" PREFIX=/usr >/dev/null && cmp root/usr/bin/cg2wg "$program" &&
     cmp root/usr/share/man/man1/cg2wg.1 "$top/docs/cg2wg.1" &&
     cmp root/usr/share/bash-completion/completions/cg2wg "$top/docs/cg2wg.bash"' \
    files='profile root'
run 'the installed program runs' 0 \
    'made install DESTDIR="$PWD/root" PREFIX=/usr >/dev/null
     root/usr/bin/cg2wg profile out && root/usr/bin/cg2wg --print out | grep -c main' out=1 \
    files='out profile root'
run 'it can be installed twice' 0 \
    'for i in 1 2; do made install DESTDIR="$PWD/root" PREFIX=/usr >/dev/null || echo failed; done
     tree root' out="$(expected usr)" files='profile root'
run 'make uninstall leaves no file' 0 \
    'made install DESTDIR="$PWD/root" PREFIX=/usr >/dev/null
     made uninstall DESTDIR="$PWD/root" PREFIX=/usr >/dev/null && tree root' files='profile root'
run "make uninstall leaves other people's files" 0 \
    'mkdir -p root/usr/bin; echo other >root/usr/bin/other
     made install DESTDIR="$PWD/root" PREFIX=/usr >/dev/null
     made uninstall DESTDIR="$PWD/root" PREFIX=/usr >/dev/null && tree root' \
    out='644 ./usr/bin/other' files='profile root'
run 'make uninstall where nothing is' 0 \
    'made uninstall DESTDIR="$PWD/root" PREFIX=/usr >/dev/null'
run 'make install builds nothing new' 0 \
    'made install DESTDIR="$PWD/root" PREFIX=/usr | grep -e " -c " -e " -o "; true' files='profile root'

finish
