#!/bin/sh
# SPDX-License-Identifier: MIT
# platforms.sh [NAME...]: builds and tests on each platform, or on the named ones; `list` lists them.
# Installs what they need from Debian. The log of each is build-platforms/NAME/log.
#
# The platform windows differs: see test_windows.
#
# A platform is a line: name | packages | compiler | CFLAGS | LDFLAGS | ar | runner of programs.
# With another libc or processor, programs are static, so that none of its libraries must be installed. There, and
# where MemorySanitizer has to see what it writes, cmocka is compiled from Debian's sources.
set -eu
cd "$(dirname "$0")/../.."
build="build-platforms"
MSAN_OPTIONS=exitcode=99 # otherwise 1, like that of an input that fails
export MSAN_OPTIONS

platforms() {
    for level in 0 1 2 3; do
        echo "gcc-O$level | gcc | gcc | -O$level -g"
        echo "clang-O$level | clang | clang | -O$level -g"
    done
    cat <<'LINES'
gcc-lto     | gcc             | gcc   | -O2 -flto=auto | -flto=auto | gcc-ar
clang-lto   | clang lld llvm  | clang | -O2 -flto | -flto -fuse-ld=lld | llvm-ar
musl        | musl-tools      | musl-gcc | -O2 -g | -static
i686        | gcc-i686-linux-gnu libc6-dev-i386-cross qemu-user | i686-linux-gnu-gcc | -O2 -g | -static | | qemu-i386
s390x       | gcc-s390x-linux-gnu libc6-dev-s390x-cross qemu-user | s390x-linux-gnu-gcc | -O2 -g | -static | | qemu-s390x
aarch64     | gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user | aarch64-linux-gnu-gcc | -O2 -g | -static | | qemu-aarch64
threads     | clang           | clang | -O1 -g -fsanitize=thread | -fsanitize=thread
windows     | gcc-mingw-w64-x86-64-posix wine wine64 | x86_64-w64-mingw32-gcc | | | | wine
memory      | clang-16 libclang-rt-16-dev | clang-16 | -O1 -g -fsanitize=memory | -fsanitize=memory
LINES
}

sudo=
[ "$(id -u)" -eq 0 ] || sudo=sudo

# Those that are there are left as they are.
install_packages() { # PACKAGE...
    missing=
    for package; do
        dpkg-query -W -f '${Status}\n' "$package" 2>/dev/null | grep -q ' installed$' ||
            missing="$missing $package"
    done
    [ -n "$missing" ] || return 0
    # None is removed for another: what is on the machine may be in use.
    $sudo apt-get install -y -q --no-remove $missing ||
        { $sudo apt-get update -q && $sudo apt-get install -y -q --no-remove $missing; }
}

# The sources of cmocka, in $build/cmocka, without a change to the lists of packages of this machine.
get_cmocka() {
    [ ! -e $build/cmocka/src/cmocka.c ] || return 0
    install_packages dpkg-dev xz-utils || return
    rm -rf $build/apt
    mkdir -p $build/apt/parts $build/apt/lists/partial
    . /etc/os-release
    cat >$build/apt/parts/sources.sources <<LINES
Types: deb-src
URIs: http://deb.debian.org/debian
Suites: $VERSION_CODENAME
Components: main
Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg
LINES
    (
        cd $build/apt
        options="-o Dir::Etc::sourcelist=/dev/null -o Dir::Etc::sourceparts=$PWD/parts
            -o Dir::State::lists=$PWD/lists"
        apt-get $options update -q && apt-get $options source -q cmocka
    ) || return
    rm -rf $build/cmocka
    mv $build/apt/cmocka-*/ $build/cmocka
}

# Tests are linked with the cmocka of the machine, or with one in $folder for this platform alone.
make_cmocka() { # COMPILER CFLAGS
    mkdir -p "$folder/include" && cp $build/cmocka/include/cmocka.h "$folder/include/" || return
    $1 $2 -w -D_GNU_SOURCE -DHAVE_SIGNAL_H -DHAVE_STRSIGNAL -DHAVE_STRUCT_TIMESPEC \
        -DHAVE_CLOCK_REALTIME -DHAVE_INTTYPES_H -DHAVE_STRINGS_H -DHAVE_MALLOC_H -DHAVE_SIGLONGJMP \
        -I$build/cmocka/include -c -o "$folder/cmocka.o" $build/cmocka/src/cmocka.c &&
        ar rcs "$folder/libcmocka.a" "$folder/cmocka.o"
}

# These return what has failed: where a result is looked at, set -e has no effect.
test_platform() { # NAME PACKAGES COMPILER CFLAGS LDFLAGS AR RUNNER
    cflags=$4
    ldflags=$5
    runner=$7
    install_packages $2 make || return
    case $5 in
    *-static* | *=memory)
        get_cmocka && make_cmocka "$3" "$4" || return
        cflags="$4 -I$folder/include"
        ldflags="$5 -L$folder"
        ;;
    esac
    # Most kernels run 32-bit programs themselves, and faster.
    if [ "$1" = i686 ] && echo 'int main(void) { return 0; }' | $3 $5 -x c -o "$folder/probe" - && "$folder/probe"; then
        runner=
    fi
    hardening=
    case $cflags in
    *-fsanitize=*) hardening='HARDENING= HARDENING_LDFLAGS=' ;; # sanitizers do not know the functions of fortification
    esac
    make WERROR=-Werror BUILD="$folder" CC="$3" AR="${6:-ar}" CFLAGS="$cflags" LDFLAGS="$ldflags" RUNNER="$runner" \
        $hardening run-tests
}

# The program alone, by MinGW-w64 under wine, beside the one for this system; and the suites of the
# command line that need no POSIX but for the shell. Wine keeps its files in $folder, too.
test_windows() { # NAME PACKAGES COMPILER CFLAGS LDFLAGS AR RUNNER
    install_packages $2 make && make WERROR=-Werror WINDOWS_CC="$3" windows all || return
    WINEPREFIX=$PWD/$folder/wine
    WINEDEBUG=-all
    RUNNER=$7
    export WINEPREFIX WINEDEBUG RUNNER
    printf '#!/bin/sh\nexec %s %s "$@"\n' "$7" "$PWD/build-windows/cg2wg.exe" >"$folder/cg2wg"
    chmod +x "$folder/cg2wg"
    timeout 120 "$folder/cg2wg" --version || return # wine prepares its folder
    status=0
    for suite in tests/cli/options.sh tests/cli/messages.sh tests/cli/report.sh tests/cli/print.sh \
        tests/cli/dropin.sh tests/cli/perf.sh; do
        timeout 900 $suite "$folder/cg2wg" || status=1
    done
    timeout 900 tests/check/windows.sh "$folder/cg2wg" ./cg2wg >"$folder/compared" || status=1
    wineserver -k
    cat "$folder/compared"
    echo $(tail -2 "$folder/compared")
    [ $status -eq 0 ]
}

failed=
platforms >"${TMPDIR:-/tmp}/platforms.$$"
trap 'rm -f "${TMPDIR:-/tmp}/platforms.$$"' EXIT
exec 3<"${TMPDIR:-/tmp}/platforms.$$"
while IFS='|' read -r name packages compiler cflags ldflags archiver runner <&3; do
    name=$(echo $name)
    case " $* " in
    "  " | *" $name "*) ;;
    *" list "*) echo "$name:" $compiler $cflags $ldflags $runner && continue ;;
    *) continue ;;
    esac
    folder=$build/$name
    mkdir -p "$folder"
    start=$(date +%s)
    result=passed
    case $name in
    windows) run=test_windows ;;
    *) run=test_platform ;;
    esac
    ($run "$name" "$packages" "$(echo $compiler)" "$(echo $cflags)" "$(echo $ldflags)" \
        "$(echo $archiver)" "$(echo $runner)") >"$folder/log" 2>&1 </dev/null || result=FAILED
    echo "$name: $result: $(tail -1 "$folder/log"), $(($(date +%s) - start)) s"
    [ "$result" = passed ] || failed="$failed $name"
done
[ -z "$failed" ] || { echo "failed:$failed; see $build/NAME/log" >&2; exit 1; }
