#!/bin/sh
# SPDX-License-Identifier: MIT
# install.sh PROGRAM: make install puts the right files into the right places, make uninstall removes
# them; the output of make, and its variables.
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
unset BUILD CC AR CFLAGS LDFLAGS WERROR HARDENING HARDENING_LDFLAGS

# The libraries are beside the program, unless the program is a script that starts it.
version=$(sed -n 's/^#define CG2WG_VERSION "\(.*\)"$/\1/p' "$top/include/cg2wg.h")
library=$top/$build/lib/libcg2wg.a shared=$top/$build/lib/libcg2wg.so.$version
[ -e "$shared" ] || { library=$given/libcg2wg.a shared=$given/libcg2wg.so && echo stand-in | tee "$library" >"$shared"; }

# made TARGET VARIABLE...: runs make on the program as it is
made() {
    make -s --no-print-directory -C "$top" -o "$target" -o "${library#"$top"/}" -o "${shared#"$top"/}" "$@" \
        RUNNER= BUILD="$build" STATIC_LIBRARY="${library#"$top"/}" SHARED_LIBRARY="${shared#"$top"/}"
}

# tree FOLDER: every file with its permissions
tree() {
    (cd "$1" && find . ! -type d -exec stat -c '%a %N' {} + | tr -d "'" | sort -k 2)
}

if ! have make; then
    skip 'make install' 'no make'
    finish
fi
run 'make help lists the targets that are needed most, and the variables' 0 \
    'made help >help; grep -c "^make [a-z-]*: .* .* " help
     for word in "make test" "make demo" "make check" "make install" "make uninstall" "make help-all" \
         CC CFLAGS CPPFLAGS LDFLAGS BUILD PREFIX DESTDIR; do
         grep -q "$word" help || echo "no $word"
     done; rm help' out=11
run 'make help-all lists all the others, and the variables for packagers' 0 \
    '{ made help; made help-all; } | sed -n "s/^make \([a-z_.-]*\):.*/\1/p" | sort -u >listed
     sed -n "s/^\.PHONY: //p" "$top/Makefile" "$top/tests/tests.mk" | tr " " "\n" | sort -u >all
     comm -13 listed all | tr "\n" " "; made help-all >listed; for word in LIBRARIES COMPLETIONS DEBUGDIR HOMEPAGE BASHCOMPDIR; do
         grep -q "$word" listed || echo "no $word"
     done; rm listed all' out='$(BUILD)/flags all fuzzers run-quick run-tests verify-built walk '
run 'make deb says what it needs' 2 'mkdir bin; printf "#!/bin/sh\nexit 1\n" >bin/dpkg-query; chmod +x bin/dpkg-query
    PATH=$PWD/bin:$PATH made -s deb BUILD=deb 2>&1 | grep -o "make deb needs.*"; rm -r bin; exit 2' \
    out="make deb needs, in Debian's names: build-essential debhelper"

installed='755 ./BIN/cg2wg
644 ./INCLUDE/cg2wg.h
644 ./INCLUDE/cg2wg_print.h
644 ./LIB/libcg2wg.a
777 ./LIB/libcg2wg.so -> libcg2wg.so.VERSION
777 ./LIB/libcg2wg.so.1 -> libcg2wg.so.VERSION
755 ./LIB/libcg2wg.so.VERSION
644 ./LIB/pkgconfig/cg2wg.pc
644 ./SHARE/bash-completion/completions/cg2wg
644 ./SHARE/fish/vendor_completions.d/cg2wg.fish
644 ./SHARE/man/man1/cg2wg.1
644 ./SHARE/zsh/site-functions/_cg2wg'

# expected PREFIX [LIB]: the files that must be there
expected() {
    echo "$installed" | sort -k 2 |
        sed "s,VERSION,$version,; s,BIN,$1/bin,; s,INCLUDE,$1/include,; s,LIB,${2:-$1/lib},; s,SHARE,$1/share,"
}

run 'DESTDIR and PREFIX say where it goes' 0 \
    'made install DESTDIR="$PWD/root" PREFIX=/usr >/dev/null && tree root' out="$(expected usr)" \
    files='profile root'
run 'PREFIX is /usr/local' 0 \
    'made install DESTDIR="$PWD/root" >/dev/null && tree root' out="$(expected usr/local)" \
    files='profile root'
run 'PREFIX alone' 0 \
    'made install PREFIX="$PWD/home" >/dev/null && tree .' \
    out="$(expected home)${newline}644 ./profile" files='home profile'
run 'LIBDIR' 0 \
    'made install DESTDIR="$PWD/root" PREFIX=/usr LIBDIR=/usr/lib/x86_64-linux-gnu >/dev/null && tree root
     sed -n "s/^libdir=//p" root/usr/lib/x86_64-linux-gnu/pkgconfig/cg2wg.pc' \
    out="$(expected usr usr/lib/x86_64-linux-gnu)$newline/usr/lib/x86_64-linux-gnu" files='profile root'
run 'each place has a variable' 0 \
    'made install DESTDIR="$PWD/root" BINDIR=/b INCLUDEDIR=/i MANDIR=/m LIBDIR=/l BASHCOMPDIR=/c/b ZSHCOMPDIR=/c/z \
         FISHCOMPDIR=/c/f >/dev/null && (cd root && find . -type f | sort)
     sed -n "s/^includedir=//p" root/l/pkgconfig/cg2wg.pc' files='profile root' out="./b/cg2wg
./c/b/cg2wg
./c/f/cg2wg.fish
./c/z/_cg2wg
./i/cg2wg.h
./i/cg2wg_print.h
./l/libcg2wg.a
./l/libcg2wg.so.$version
./l/pkgconfig/cg2wg.pc
./m/man1/cg2wg.1
/i"
run 'without the static library' 0 \
    'made install LIBRARIES=shared DESTDIR="$PWD/root" PREFIX=/usr >/dev/null && tree root' files='profile root' \
    out="$(expected usr | grep -v libcg2wg.a)"
run 'the program alone' 0 \
    'made install LIBRARIES= COMPLETIONS= DESTDIR="$PWD/root" PREFIX=/usr >/dev/null && tree root
     made uninstall LIBRARIES= COMPLETIONS= DESTDIR="$PWD/root" PREFIX=/usr >/dev/null && tree root' files='profile root' \
    out="755 ./usr/bin/cg2wg${newline}644 ./usr/share/man/man1/cg2wg.1"
run 'paths may contain blanks' 0 \
    'made install DESTDIR="$PWD/the root" PREFIX="/my usr" >/dev/null && tree "the root" | sed "s,my usr,usr,"
     made uninstall DESTDIR="$PWD/the root" PREFIX="/my usr" >/dev/null && tree "the root"' files='profile the root' \
    out="$(expected usr)"
run 'a page of the project is named where it is known' 0 \
    'made install DESTDIR="$PWD/root" PREFIX=/usr HOMEPAGE=https://example.org/cg2wg >/dev/null
     grep -h example.org root/usr/share/man/man1/cg2wg.1 root/usr/lib/pkgconfig/cg2wg.pc
     made install DESTDIR="$PWD/root" PREFIX=/usr >/dev/null; grep -rhi homepage root; grep URL -r root/usr/lib/pkgconfig; true' \
    files='profile root' out='.Lk https://example.org/cg2wg "cg2wg" ,
URL: https://example.org/cg2wg'
if [ -z "${RUNNER:-}" ] && have readelf && readelf -S "$program" | grep -q '\.debug_info' &&
    readelf -h "$shared" >/dev/null 2>&1; then
    # with_debug FILE...: those that have debug data
    with_debug() {
        for file; do ! readelf -S "$file" 2>/dev/null | grep -q "\.debug_info" || echo "$file"; done
    }
    run 'make install-strip' 0 \
        'made install-strip DESTDIR="$PWD/root" PREFIX=/usr >/dev/null && tree root &&
         with_debug root/usr/bin/cg2wg root/usr/lib/libcg2wg.so.1 root/usr/lib/libcg2wg.a; root/usr/bin/cg2wg profile out
         printf "#include <cg2wg.h>\nint main(void) { return cg2wg_format_of(\"\", 0); }\n" >user.c
         readelf -s root/usr/lib/libcg2wg.a | grep -q "__[amt]san_" || # which needs the run time of a sanitizer
             { cc -Iroot/usr/include -o user user.c root/usr/lib/libcg2wg.a -pthread && ./user; }; rm -f user user.c' \
        out="$(expected usr)" files='out profile root'
    run 'debug data in files of their own' 0 \
        'made install DEBUGDIR=/dbg DESTDIR="$PWD/root" PREFIX=/usr >/dev/null
         with_debug root/usr/bin/cg2wg root/usr/lib/libcg2wg.so.1 $(find root/dbg -type f | sort)
         readelf -p .gnu_debuglink root/usr/bin/cg2wg | grep -o "cg2wg.debug"
         made uninstall DEBUGDIR=/dbg DESTDIR="$PWD/root" PREFIX=/usr >/dev/null; tree root' files='profile root' \
        out="root/dbg/usr/bin/cg2wg.debug
root/dbg/usr/lib/libcg2wg.so.$version.debug
cg2wg.debug"
else
    skip 'debug data in files of their own' 'no readelf, or a build without debug data'
fi
run 'the umask does not matter' 0 \
    '(umask 077; made install DESTDIR="$PWD/root" PREFIX=/usr >/dev/null) && tree root' \
    out="$(expected usr)" files='profile root'
run 'what is installed is what was built' 0 \
    'rm -f "$top/$build"/completions/*; made install DESTDIR="$PWD/root" PREFIX=/usr >/dev/null && cmp root/usr/bin/cg2wg "$program" &&
     grep -v @HOMEPAGE@ "$top/docs/cg2wg.1" | cmp root/usr/share/man/man1/cg2wg.1 - &&
     cmp root/usr/lib/libcg2wg.a "$library" && cmp root/usr/lib/libcg2wg.so.1 "$shared" && cmp root/usr/include/cg2wg.h "$top/include/cg2wg.h" &&
     cmp root/usr/include/cg2wg_print.h "$top/include/cg2wg_print.h" &&
     for shell in bash zsh fish; do sh "$top/src/cli/completions/generate.sh" $shell "$program" >cg2wg.$shell; done
     cmp root/usr/share/bash-completion/completions/cg2wg cg2wg.bash
     cmp root/usr/share/zsh/site-functions/_cg2wg cg2wg.zsh
     cmp root/usr/share/fish/vendor_completions.d/cg2wg.fish cg2wg.fish; rm cg2wg.*' \
    files='profile root'
run 'the installed program runs' 0 \
    'made install DESTDIR="$PWD/root" PREFIX=/usr >/dev/null
     root/usr/bin/cg2wg profile out && root/usr/bin/cg2wg --print out | grep -c main' out=1 \
    files='out profile root'
hottest="35 {main}, 20 at /t.php:1${newline}15 f, 10 at /t.php:3${newline}5 php::strlen, 5 at php:internal:1"
if have pkg-config && have cc && [ -z "${RUNNER:-}" ] && [ "$build" = build ]; then
    # The programs in docs/library.md: convert, list callers, walk stacks, list lines; in C++, the largest functions.
    awk -v to="$given/user" '/^```c$/ { n++; on = 1; next } /^```$/ { on = 0 } on { print >(to n ".c") }' "$top/docs/library.md"
    awk '/^```c\+\+$/ { on = 1; next } /^```$/ { on = 0 } on' "$top/docs/library.md" >"$given/functions.cc"
    run 'programs are built with the installed library' 0 \
        'made install PREFIX="$PWD/home" >/dev/null
         PKG_CONFIG_PATH=$PWD/home/lib/pkgconfig
         LD_LIBRARY_PATH=$PWD/home/lib
         export PKG_CONFIG_PATH LD_LIBRARY_PATH
         for n in 1 2 3 4; do
             eval cc -std=c11 -Wall -Wextra -Werror -o user$n "\"\$given/user$n.c\"" "$(pkg-config --cflags --libs cg2wg)" &&
                 cc -std=c11 -o static$n "$given/user$n.c" -Ihome/include home/lib/libcg2wg.a \
                     $(pkg-config --static --libs-only-other cg2wg) || exit
         done
         for n in 2 3; do ./user$n profile >expected; ./static$n profile | cmp - expected; done; rm static? expected
         ./user1 profile out && cg2wg profile expected && cmp expected out
         ./user2 profile; ./user2 out | tail -n 1; ./user3 profile; ./user3 out || echo no contexts; ./user4 profile
         [ "cg2wg $(pkg-config --modversion cg2wg)" = "$(cg2wg --version | head -n 1)" ] ||
             pkg-config --modversion cg2wg' files='expected home out profile user1 user2 user3 user4' out='php::strlen 5
    f:4 5
f 15
    {main}:7 15
{main} 35
{main} 35
{main} 20
  f 10
    php::strlen 5
no contexts
php:internal:1 5
/t.php:3 10
/t.php:4 5 in 1 calls of php::strlen
/t.php:1 20
/t.php:7 15 in 1 calls of f'
    if have c++; then
        run 'a program of C++ is built with the installed library' 1 \
            'made install PREFIX="$PWD/home" >/dev/null
             PKG_CONFIG_PATH=$PWD/home/lib/pkgconfig LD_LIBRARY_PATH=$PWD/home/lib
             export PKG_CONFIG_PATH LD_LIBRARY_PATH
             eval c++ -std=c++17 -Wall -Wextra -Werror -o functions "\"\$given/functions.cc\"" \
                 "$(pkg-config --cflags --libs cg2wg)" && ./functions profile; ./functions none' \
            err='none: cannot open: No such file or directory' \
            out="$hottest" files='functions home profile'
    else
        skip 'a program of C++ is built with the installed library' 'no c++'
    fi
    # The list is also what the Debian package promises; a function that goes needs another soname.
    list=$top/src/packaging/debian/libcg2wg1.symbols
    run 'others see only the functions that are listed' 0 \
        'sed -n "s/^ \(.*\)@Base .*/\1/p" "$list" >listed
         for file in "$library" "$shared"; do
             nm -g --defined-only "$file" | awk "NF == 3 { print \$3 }" | sort | diff - listed
         done
         grep -oh "cg2wg_[a-z_]*(" "$top"/include/*.h | grep -v _fn | tr -d "(" | sort -u | diff - listed
         head -n 1 "$list"; rm listed' out='libcg2wg.so.1 libcg2wg1 #MINVER#' files=profile
else
    skip 'programs are built with the installed library' 'no pkg-config, or a build of another kind'
fi
if have python3 && [ "$build" = build ] && [ -z "${RUNNER:-}" ]; then
    awk '/^```python$/ { on = 1; next } /^```$/ { on = 0 } on' "$top/docs/library.md" >"$given/functions.py"
    run 'a program of Python calls the shared library' 0 \
        'made install PREFIX="$PWD/home" >/dev/null
         LD_LIBRARY_PATH=$PWD/home/lib python3 "$given/functions.py" profile' \
        out="$hottest" files='home profile'
else
    skip 'a program of Python calls the shared library' 'no python3, or a build of another kind'
fi
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
    'made install V=1 DESTDIR="$PWD/root" PREFIX=/usr | grep -e " -c " -e " -o "; true' files='profile root'

# ---- what make says. Nothing is built: with -n make shows what it would do, and no recursive make is in it.

# would_make WORD...: builds all from nothing
would_make() {
    make -n --no-print-directory -C "$top" BUILD=none LDFLAGS= "$@" all
}
run 'a short line for each file' 0 \
    'would_make >lines
     sources=$(cd "$top" && find src -name "*.c" | grep -vc _windows)
     made=$(grep -c "^echo .GEN src/[a-z_/]*\.c.$" lines)
     [ "$(grep -c "^echo .CC src/[a-z_/0-9]*\.o.$" lines)" -eq $((sources + made)) ] || echo "not $sources lines"
     grep "^echo" lines | grep -v "CC src/\|GEN src/"; rm lines' out="echo 'AR libcg2wg.a'
echo 'LD cg2wg'
echo 'AR lib/libcg2wg.a'
echo 'LD lib/libcg2wg.so.$version'
echo 'GEN completions/cg2wg.bash'
echo 'GEN completions/cg2wg.zsh'
echo 'GEN completions/cg2wg.fish'"
run 'the whole command with V=1' 0 'would_make V=1 | grep -c "^echo\|^:"; true' out=0
run 'nothing with -s' 0 'would_make -s | grep -c "^echo"; true' out=0
run 'warnings are errors only if one says so' 0 \
    'would_make | grep -c -e -Werror; would_make WERROR=-Werror | grep -qe -Werror || echo no' out=0
run 'flags on the command line are added to those of the source' 0 \
    'would_make CPPFLAGS=-DX=1 CFLAGS=-O1 LDFLAGS=-Wl,-z,now V=1 >lines
     grep -c -e "-Isrc.* -DX=1 .* -O1 .*-o none/src/cli/main.o" -e "-Wl,-z,relro.* -Wl,-z,now.*-o none/cg2wg " lines; rm lines' out=2
# fortified NAME=VALUE...: how a file is compiled
fortified() {
    would_make V=1 "$@" | grep "main.o src/" | grep -o -e "-[UD]_FORTIFY_SOURCE[=0-9]*" | tr "\n" " "
}
if ! cc -O2 -dM -E -x c /dev/null | grep -q FORTIFY; then
    run 'the fortification that a distribution sets is kept' 0 \
        'fortified; fortified CFLAGS="-O2 -Wp,-D_FORTIFY_SOURCE=3"; CPPFLAGS=-D_FORTIFY_SOURCE=3 fortified; fortified CFLAGS=-O0' \
        out='-D_FORTIFY_SOURCE=2 -D_FORTIFY_SOURCE=3 -D_FORTIFY_SOURCE=3 '
else
    skip 'the fortification that a distribution sets is kept' 'the compiler sets one'
fi
run 'changed flags build again, and only they' 0 \
    'ln -s "$top/Makefile" "$top/src" "$top/include" "$top/tests" .; object=build/src/util/array.o
     make -s "$object"; make -q "$object"; echo $?; make -q "$object" CFLAGS=-O0; echo $?
     make -q "$object" WERROR=-Werror; echo $?; rm -r build Makefile src include tests' out="0${newline}1${newline}1"
run 'an archive of the source needs git' 2 \
    'ln -s "$top/Makefile" "$top/src" "$top/include" "$top/tests" .; GIT_CEILING_DIRECTORIES=/ make -s dist; s=$?
     rm Makefile src include tests; exit $s' err='make dist packs a commit*'
if have git; then
    run 'an archive of the source is made, or nothing' 2 \
        'ln -s "$top/Makefile" "$top/src" "$top/include" "$top/tests" .; git init -q .
         make -s dist; s=$?; rm -rf Makefile src include tests .git; exit $s' err='*HEAD*'
else
    skip 'an archive of the source is made, or nothing' 'no git'
fi
run 'make check installs nothing, and says what is missing' 1 '(cd "$top" && CC=false tests/install-tools.sh --needed)' \
    err="the tests need, in Debian's names: libcmocka-dev"
echo 'show:; @echo "$(filter -j%,$(MAKEFLAGS))"' >"$given/jobs.mk"
# jobs WORD...: how many jobs there are
jobs() {
    "$@" --no-print-directory -C "$top" -f Makefile -f "$given/jobs.mk" show
}
cores=$(nproc 2>/dev/null || getconf _NPROCESSORS_ONLN)
run 'as many jobs as there are cores' 0 'jobs make' out="-j$cores"
run 'as many jobs as one says' 0 'jobs make -j1; jobs make -j7; jobs make -j; jobs env MAKEFLAGS=-j9 make' \
    out="-j1$newline-j7$newline-j$newline-j9"
run 'what a make that calls this one says' 0 \
    'printf "all:\n\t+@\$(MAKE) --no-print-directory -C \"%s\" -f Makefile -f \"%s\" show\n" "$top" "$given/jobs.mk" >Makefile
     make -j5 --no-print-directory; rm Makefile' out='-j5'

if have python3; then
    run 'compile_commands.json says how each file is compiled' 0 \
        'ln -s "$top/Makefile" "$top/src" "$top/include" "$top/tests" . && make -s compile_commands.json
         python3 -c "import json; [print(c[\"file\"], c[\"directory\"], c[\"command\"], sep=\"|\") for c in json.load(open(\"compile_commands.json\"))]" >all
         { find src/ -name "*.c" ! -name "*_windows.c"; echo build/src/view/page_parts.c; } | sed "s,$,|$PWD," | sort >files
         cut -d"|" -f1,2 all | sort | cmp - files; mkdir -p build/src/cli; grep "^src/cli/main.c|" all | cut -d"|" -f3- | sh
         ls build/src/cli; rm -r build all files' out='main.d
main.o' files='Makefile compile_commands.json include profile src tests'
else
    skip 'compile_commands.json says how each file is compiled' 'no python3'
fi

finish
