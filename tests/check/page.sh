#!/bin/sh
# SPDX-License-Identifier: MIT
# page.sh PROGRAM: the page of --print=html: its HTML by html-validate, its script by eslint, both from npm,
# and what it shows and does in headless Chromium and Firefox. What is not installed is skipped by name.
# PICTURE names a PNG file to write a picture of a page to, PROFILE the profile that it shows.
# page.php drives Chromium and compares; firefox.mjs tries what may differ there.
set -u
[ $# -eq 1 ] || { echo "usage: $0 PROGRAM" >&2; exit 2; }
program=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
here=$(cd "$(dirname "$0")" && pwd)
top=$here/../..

scratch=$(mktemp -d "${TMPDIR:-/tmp}/cg2wg-page.XXXXXX") || exit 2
driver=''
finish() {
    [ -z "$driver" ] || kill "$driver" 2>/dev/null
    wait
    rm -rf "$scratch"
}
trap finish EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
status=0

# ---- the browser

browse() {
    for tool in php chromedriver chromium; do
        command -v $tool >/dev/null || { echo "page: the browser is skipped (needs $tool)"; return; }
    done
    # A port that is free now.
    # shellcheck disable=SC2016
    port=$(php -n -r '$s = stream_socket_server("tcp://127.0.0.1:0"); echo substr(strrchr(stream_socket_get_name($s, false), ":"), 1);')
    chromedriver --port="$port" >"$scratch/driver.log" 2>&1 &
    driver=$!
    if ! php -n "$here/page.php" "$port" "$scratch" "$program"; then
        tail -n 5 "$scratch/driver.log" >&2
        status=1
    fi
}
browse

# ---- Firefox, by puppeteer-core

in_firefox() {
    firefox=$(command -v firefox || command -v firefox-esr)
    if [ -z "$firefox" ] || ! command -v npm >/dev/null; then
        echo 'page: Firefox is skipped (needs firefox and npm)'
        return 0
    fi
    mkdir "$scratch/puppeteer" && cd "$scratch/puppeteer" || return
    if ! npm install --silent --no-audit --no-fund puppeteer-core@24 >npm.log 2>&1; then
        echo 'page: Firefox is skipped (npm cannot install puppeteer-core)'
        return 0
    fi
    cp "$here/firefox.mjs" . && node firefox.mjs "$program" "$scratch" "$firefox"
}
(in_firefox) || { echo 'page: FAILED: Firefox'; status=1; }

# ---- html-validate and eslint

lint() {
    mkdir "$scratch/lint" && cd "$scratch/lint" || return
    if ! command -v npm >/dev/null; then
        echo 'page: html-validate and eslint are skipped (needs npm)'
        return
    fi
    if ! npm install --silent --no-audit --no-fund html-validate@10 eslint@9 @eslint/js@9 >npm.log 2>&1; then
        echo 'page: html-validate and eslint are skipped (npm cannot install them)'
        return
    fi
    cp "$top/src/view/page/page.js" .
    cat >eslint.config.mjs <<'END'
import js from '@eslint/js';
export default [js.configs.recommended, {
    languageOptions: { ecmaVersion: 2022, sourceType: 'script',
        globals: { document: 'readonly', setTimeout: 'readonly', window: 'readonly', getComputedStyle: 'readonly', matchMedia: 'readonly',
            scrollTo: 'readonly', scrollBy: 'readonly', scrollY: 'readonly', innerWidth: 'readonly', innerHeight: 'readonly', location: 'readonly', history: 'readonly',
            URL: 'readonly', Blob: 'readonly' } },
    rules: { eqeqeq: 'error', 'no-var': 'error', 'prefer-const': 'error', 'no-eval': 'error', 'no-implied-eval': 'error',
        'no-restricted-properties': ['error', ...['innerHTML', 'outerHTML', 'insertAdjacentHTML', 'write'].map((property) =>
            ({ property, message: 'names are text' }))] } }];
END
    echo '{"extends": ["html-validate:recommended"]}' >.htmlvalidate.json
    "$program" --print=html "$top/testdata/xdebug/3.2-cron.out" >page.html || return
    # What the script has made of the page, as the browser writes it. Lengths of bars are styles of elements.
    mkdir shown
    for shown in "$scratch"/shown-*.html; do
        [ ! -e "$shown" ] || cp "$shown" shown
    done
    echo '{"root": true, "extends": ["html-validate:recommended"], "rules": {"no-inline-style": "off",
        "attribute-boolean-style": "off", "attribute-empty-style": "off", "input-missing-label": "error"}}' >shown/.htmlvalidate.json
    ./node_modules/.bin/html-validate page.html &&
        { ! [ -e shown/shown-table.html ] || ./node_modules/.bin/html-validate shown/*.html; } &&
        ./node_modules/.bin/eslint page.js && echo 'page: html-validate, eslint: good'
}
(lint) || { echo 'page: FAILED: html-validate or eslint'; status=1; }
exit $status
