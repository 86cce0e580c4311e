#!/bin/sh
# SPDX-License-Identifier: MIT
# deb.sh VERSION FOLDER: builds Debian packages of this source, with debhelper: FOLDER/*.deb.
#
# The folder debian/ that debhelper needs is made here, because version, date and maintainer come from
# elsewhere: the maintainer from DEBFULLNAME and DEBEMAIL, as with debchange, or from the last commit; the
# date from SOURCE_DATE_EPOCH or from that commit. With the same ones, packages have the same bytes.
set -eu
unset MAKEFLAGS MFLAGS MAKELEVEL MAKEOVERRIDES GNUMAKEFLAGS # of the make that runs this script
[ $# -eq 2 ] || { echo "usage: $0 VERSION FOLDER" >&2; exit 2; }
version=$1
folder=$2
cd "$(dirname "$0")/../.."
missing=
for package in build-essential debhelper; do # the former depends on dpkg-dev
    dpkg-query -W -f '${Status}\n' $package 2>/dev/null | grep -q ' installed$' || missing="$missing $package"
done
[ -z "$missing" ] || { echo "make deb needs, in Debian's names:$missing" >&2; exit 1; }

# The top directory of another repository is not asked.
from_git() { # FORMAT
    [ ! -e .git ] || git log -1 --format="$1" 2>/dev/null || true
}
name=${DEBFULLNAME:-$(from_git %cn)}
email=${DEBEMAIL:-$(from_git %ce)}
maintainer="${name:-The cg2wg authors} <${email:-$(id -un)@$(uname -n)}>"
seconds=${SOURCE_DATE_EPOCH:-$(from_git %ct)}
date=$(LC_ALL=C date -u -R ${seconds:+-d "@$seconds"})

rm -rf "$folder"
mkdir -p "$folder/cg2wg-$version"
tar -cf - --exclude=./build --exclude='./build-*' --exclude=./.git --exclude=./cg2wg . |
    tar -xf - -C "$folder/cg2wg-$version"
cd "$folder/cg2wg-$version"
cp -R src/packaging/debian debian
homepage=${HOMEPAGE:+s|@HOMEPAGE@|$HOMEPAGE|}
sed "s|@MAINTAINER@|$maintainer|; ${homepage:-/@HOMEPAGE@/d}" debian/control.in >debian/control
rm debian/control.in
sed -n '/^Permission/,$ { s/^$/./; s/^/ /; p; }' LICENSE >>debian/copyright
cat >debian/changelog <<CHANGELOG
cg2wg ($version) unstable; urgency=medium

  * Version $version of cg2wg. CHANGELOG.md lists the changes.

 -- $maintainer  $date
CHANGELOG
# Whoever makes a package from this source has run the tests; without these words, the package runs them.
DEB_BUILD_OPTIONS="nocheck ${DEB_BUILD_OPTIONS:-}" dpkg-buildpackage -b -us -uc -Pnocheck
