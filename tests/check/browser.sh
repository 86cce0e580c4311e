#!/bin/sh
# SPDX-License-Identifier: MIT
# browser.sh PROGRAM: what webgrind shows of PROGRAM's files, in headless Chromium.
# WEBGRIND names a checkout of webgrind (https://github.com/jokkedk/webgrind, tried with 1.9.4), which is
# copied, not changed. PICTURE names a PNG file to write a picture of a profile to, PROFILE that profile.
# browser.php drives the browser and compares.
set -u
[ $# -eq 1 ] || { echo "usage: $0 PROGRAM" >&2; exit 2; }
program=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
here=$(cd "$(dirname "$0")" && pwd)

skip() {
    echo "browser: skipped ($1)"
    exit 0
}
[ -n "${WEBGRIND:-}" ] || skip "set WEBGRIND to a checkout of webgrind"
[ -f "$WEBGRIND/library/Reader.php" ] || { echo "browser: no webgrind in $WEBGRIND" >&2; exit 2; }
for tool in php chromedriver chromium; do
    command -v $tool >/dev/null || skip "needs $tool"
done

scratch=$(mktemp -d "${TMPDIR:-/tmp}/cg2wg-browser.XXXXXX") || exit 2
server='' driver=''
finish() {
    [ -z "$driver" ] || kill "$driver" 2>/dev/null
    [ -z "$server" ] || kill "$server" 2>/dev/null
    wait
    rm -rf "$scratch"
}
trap finish EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

mkdir "$scratch/webgrind" "$scratch/profiles" "$scratch/storage"
cp -R "$WEBGRIND/." "$scratch/webgrind" || exit 2
rm -rf "$scratch/webgrind/bin"
mkdir "$scratch/webgrind/bin"
cp "$program" "$scratch/webgrind/bin/preprocessor" || exit 2
# Every file may be viewed, which shows most; nothing is asked of other hosts.
# shellcheck disable=SC2016
sed -e "s|\$storageDir = ''|\$storageDir = '$scratch/storage'|" \
    -e "s|\$profilerDir = '/tmp'|\$profilerDir = '$scratch/profiles'|" \
    -e 's|\$checkVersion = true|$checkVersion = false|' \
    -e 's|\$defaultFunctionPercentage = 90|$defaultFunctionPercentage = 100|' \
    -e 's|return false; // Deny all access.|return $file;|' \
    "$WEBGRIND/config.php" >"$scratch/webgrind/config.php"

# Two ports that are free now.
# shellcheck disable=SC2016
ports=$(php -n -r 'foreach ([0, 0] as $i => $p) { $s[$i] = stream_socket_server("tcp://127.0.0.1:0");
    echo substr(strrchr(stream_socket_get_name($s[$i], false), ":"), 1), " "; }')
# shellcheck disable=SC2086
set -- $ports
(cd "$scratch/webgrind" && exec php -n -d display_errors=0 \
    -S "127.0.0.1:$1") >"$scratch/server.log" 2>&1 &
server=$!
chromedriver --port="$2" >"$scratch/driver.log" 2>&1 &
driver=$!

if ! php -n "$here/browser.php" "$1" "$2" "$scratch" "$program"; then
    tail -n 5 "$scratch/server.log" "$scratch/driver.log" >&2
    exit 1
fi
