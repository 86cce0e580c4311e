#!/bin/sh
# SPDX-License-Identifier: MIT
# fleet.sh PROGRAM [COUNT]: generates COUNT (100000) profiles of 100 KB as Xdebug writes them, merges them in a tree by
# make and by GNU parallel, and prints time, memory and sizes: see docs/merging.md. It needs 110 KB a profile in TMPDIR.
set -eu
program=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
count=${2:-100000}
LC_ALL=C
export LC_ALL
scratch=$(mktemp -d "${TMPDIR:-/tmp}/cg2wg-fleet.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
gnu_time=$(command -v time || true)
case $("${gnu_time:-false}" --version 2>&1 || true) in
*GNU*) ;;
*) echo "fleet.sh: GNU time is missing" >&2; exit 1 ;;
esac
mkdir "$scratch/bin"
ln -s "$program" "$scratch/bin/cg2wg"
PATH=$scratch/bin:$PATH
mkdir "$scratch/site"
cd "$scratch/site"

# 100 different requests to a site of 600 functions, each of 1400 calls or so
awk -v count="$count" '
    BEGIN {
        srand(1)
        for (k = 0; k < 100; k++) {
            text = main = ""; sum = 0
            split("", met)
            for (i = 0; length(text) + length(main) < 99000; i++) {
                f = 1 + int(rand() * rand() * 400); g = 401 + int(rand() * 200); cost = 1 + int(rand() * 5000); own = 1 + int(rand() * 900)
                text = text "fl=(" f ")" (f in met ? "" : " /srv/site/src/Unit" f ".php") "\nfn=(" f ")" (f in met ? "" : " Site\\Unit" f "->run") "\n" 10 + f % 90 " " cost "\n\n"
                met[f]
                text = text "fl=(" g ")" (g in met ? "" : " /srv/site/src/Page" g ".php") "\nfn=(" g ")" (g in met ? "" : " Site\\Page" g "->show") "\n" 5 + g % 70 " " own "\ncfl=(" f ")\ncfn=(" f ")\ncalls=1 0 0\n" 6 + g % 70 " " cost "\n\n"
                met[g]
                main = main "cfl=(" g ")\ncfn=(" g ")\ncalls=1 0 0\n" 3 + i % 50 " " cost + own "\n"
                sum += cost + own
            }
            bodies[k] = text "fl=(1000) /srv/site/index.php\nfn=(1000) {main}\n1 4000\n" main "\nsummary: " sum + 4000 "\n"
        }
        for (n = 1; n <= count; n++) {
            name = sprintf("cachegrind.out.%07d", n)
            printf "version: 1\ncreator: xdebug 3.2.0 (PHP 8.2.0)\ncmd: /srv/site/page%d.php\npart: 1\npositions: line\n\nevents: Time_(10ns)\n\n%s", n % 1000, bodies[n % 100] >name
            close(name)
        }
    }'

# The commands of docs/merging.md
measured() { # NAME COMMAND
    "$gnu_time" -f '%e %U %S %M' -o "$scratch/usage" sh -c "$2"
    awk -v name="$1" '{ printf "%-28s %8.1f s %8.1f s of processors %8.1f MB\n", name, $1, $2 + $3, $4 / 1024 }' "$scratch/usage"
}
bytes() { # PATTERN: of the files that match
    find . -name "$1" -printf '%s\n' | awk '{ sum += $1 } END { printf "%d files, %.1f MB", NR, sum / 1e6 }'
}
echo "profiles: $(bytes 'cachegrind.out.*')"
if [ "$count" -le 10000 ]; then
    measured 'at once' 'cg2wg -q -o once.webgrind cachegrind.out.*[0-9z]'
fi
printf '%s\n' cachegrind.out.*[0-9z] | split -l 300 -a 3 - list.
printf '%s\n' 'all.webgrind: $(addsuffix .webgrind,$(sort $(filter-out %.webgrind,$(wildcard list.*))))' \
    '	cg2wg -q -o $@ $^' 'list.%.webgrind: list.%' '	cg2wg -q -o $@ $$(cat $<)' >Makefile
measured 'make -j, a tree' "make -s -j $(nproc)"
echo "parts: $(bytes 'list.*.webgrind'); result: $(bytes all.webgrind)"
gzip -k list.*.webgrind
echo "parts, compressed: $(bytes 'list.*.webgrind.gz')"
measured '  of these, one part' 'cg2wg -q -o one.webgrind $(cat list.aaa)'
measured '  and the last step' 'cg2wg -q -o last.webgrind list.*.webgrind'
cmp all.webgrind last.webgrind
! [ -e once.webgrind ] || cmp all.webgrind once.webgrind
if command -v parallel >/dev/null; then
    rm list.*.webgrind
    measured 'parallel, a tree' "parallel 'cg2wg -q -o {}.webgrind \$(cat {})' ::: list.??? && cg2wg -q -o other.webgrind list.*.webgrind"
    cmp all.webgrind other.webgrind
fi
