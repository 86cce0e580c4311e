#!/bin/sh
# SPDX-License-Identifier: MIT
# deb.sh FOLDER: the Debian packages in FOLDER, as `make deb` builds them: what lintian says of them; their
# versions and files; and, as root and with debootstrap, whether they can be installed, used and removed in a
# bare Debian. DEBIAN names its release (bookworm), MIRROR where it comes from; WITHOUT_BARE=yes leaves that out.
set -eu
[ $# -eq 1 ] || { echo "usage: $0 FOLDER" >&2; exit 2; }
packages=$(cd "$1" && pwd)
cd "$(dirname "$0")/../.."
release=${DEBIAN:-bookworm}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM

fail() {
    echo "tests/check/deb.sh: $1" >&2
    exit 1
}

version=$(sed -n 's/^#define CG2WG_VERSION "\(.*\)"$/\1/p' include/cg2wg.h)
program=$(echo "$packages"/cg2wg_"$version"_*.deb)
library=$(echo "$packages"/libcg2wg-dev_"$version"_*.deb)
shared=$(echo "$packages"/libcg2wg1_"$version"_*.deb)
for package in "$program" "$library" "$shared"; do
    [ -e "$package" ] || fail "there is no $package"
    [ "$(dpkg-deb -f "$package" Version)" = "$version" ] || fail "$package has another version"
done

if command -v lintian >/dev/null; then
    lintian --allow-root --fail-on error,warning "$program" "$library" "$shared" || fail 'lintian complains'
else
    echo "lintian is missing: its checks are skipped"
fi

# What make install installs, in the places that it gets as an argument, and documents
for package in "$program" "$library" "$shared"; do
    dpkg-deb -x "$package" "$scratch/tree"
done
(cd "$scratch/tree" && find . ! -type d | grep -v '^./usr/share/doc/cg2wg/docs/' |
    sed 's,/lib/[^/]*-linux-[^/]*/,/lib/,' | LC_ALL=C sort) >"$scratch/files"
diff - "$scratch/files" <<'FILES' || fail 'other files than expected'
./usr/bin/cg2wg
./usr/include/cg2wg.h
./usr/include/cg2wg_print.h
./usr/lib/libcg2wg.a
./usr/lib/libcg2wg.so
./usr/lib/libcg2wg.so.1
./usr/lib/libcg2wg.so.1.0.0
./usr/lib/pkgconfig/cg2wg.pc
./usr/share/bash-completion/completions/cg2wg
./usr/share/doc/cg2wg/CHANGELOG.md
./usr/share/doc/cg2wg/CONTRIBUTING.md
./usr/share/doc/cg2wg/README.md
./usr/share/doc/cg2wg/SECURITY.md
./usr/share/doc/cg2wg/changelog.gz
./usr/share/doc/cg2wg/copyright
./usr/share/doc/libcg2wg-dev/changelog.gz
./usr/share/doc/libcg2wg-dev/copyright
./usr/share/doc/libcg2wg1/changelog.gz
./usr/share/doc/libcg2wg1/copyright
./usr/share/fish/vendor_completions.d/cg2wg.fish
./usr/share/man/man1/cg2wg.1.gz
./usr/share/zsh/site-functions/_cg2wg
FILES

# Whoever reads the README there can follow its links.
grep -o '](\([^):]*\))' "$scratch/tree/usr/share/doc/cg2wg/README.md" | sed 's/^](//; s/)$//; s/#.*//' | sort -u >"$scratch/links"
[ "$(wc -l <"$scratch/links")" -gt 10 ] || fail 'the README has no links'
while read -r link; do
    [ -e "$scratch/tree/usr/share/doc/cg2wg/$link" ] || fail "the README links to $link, which is not there"
done <"$scratch/links"

if [ "$(id -u)" -ne 0 ] || ! command -v debootstrap >/dev/null || [ -n "${WITHOUT_BARE:-}" ]; then
    echo "a bare Debian needs root, debootstrap and time: skipped"
    exit 0
fi
root=$scratch/root
debootstrap --variant=minbase "$release" "$root" "${MIRROR:-http://deb.debian.org/debian}" >"$scratch/log" 2>&1 ||
    { tail -n 5 "$scratch/log"; echo "a bare Debian is not to be had: skipped"; exit 0; }
cp "$program" "$library" "$shared" "$root/tmp"
cp testdata/xdebug/3.2-cron.out "$root/tmp/cachegrind.out.1"

# What the packages add, without what dpkg and apt write about any package
everything() {
    (cd "$root" && find . -path ./tmp -prune -o -path ./var/lib/dpkg -prune -o -path ./var/cache -prune -o \
        -path ./var/lib/apt -prune -o -path ./var/log -prune -o -path ./proc -prune -o -path ./dev -prune -o -print |
        LC_ALL=C sort)
}
everything >"$scratch/before"
chroot "$root" dpkg -i "/tmp/${program##*/}" >"$scratch/log" 2>&1 || { cat "$scratch/log"; fail 'cannot be installed'; }
[ "$(chroot "$root" cg2wg --version)" = "cg2wg $version" ] || fail 'the installed program has another version'
chroot "$root" cg2wg -q --storage=/tmp /tmp/cachegrind.out.1 || fail 'the installed program does not convert'
cmp testdata/xdebug/3.2-cron.out.webgrind7 "$root/tmp/cachegrind.out.1.webgrind" || fail 'the result is wrong'
chroot "$root" dpkg -P cg2wg >"$scratch/log" 2>&1 || { cat "$scratch/log"; fail 'cannot be removed'; }
! grep -v '^(Reading\|^Removing\|^Purging' "$scratch/log" || fail 'says something while it is removed'
everything | diff "$scratch/before" - || fail 'leaves files'

chroot "$root" apt-get install -y -qq --no-install-recommends gcc pkg-config "/tmp/${shared##*/}" \
    "/tmp/${library##*/}" >"$scratch/log" 2>&1 ||
    { tail -n 5 "$scratch/log"; fail 'the library cannot be installed'; }
cat >"$root/tmp/user.c" <<'USER'
#include <cg2wg.h>

int main(void)
{
    struct cg2wg_options options;
    cg2wg_options_init(&options, sizeof options);
    return cg2wg_convert("/tmp/cachegrind.out.1", "/tmp/out", &options, 0) == CG2WG_OK ? 0 : 1;
}
USER
# shellcheck disable=SC2016
chroot "$root" sh -c 'cc -o /tmp/user /tmp/user.c $(pkg-config --cflags --libs cg2wg) && /tmp/user' ||
    fail 'no program can be built with the library'
cmp testdata/xdebug/3.2-cron.out.webgrind7 "$root/tmp/out" || fail 'the result of the library is wrong'
chroot "$root" dpkg -P libcg2wg-dev libcg2wg1 >"$scratch/log" 2>&1 || { cat "$scratch/log"; fail 'the library cannot be removed'; }
[ ! -e "$root/usr/include/cg2wg.h" ] || fail 'the library is still there'
echo "deb: the packages are good"
