#!/bin/sh
# SPDX-License-Identifier: MIT
# mutants.sh COUNT SEED TEST...: changes the source in COUNT places, one at a time, in a copy, and runs
# the tests until one of them notices. Lists the changes that none of them notices, and fails if these
# are more than 5 %. See docs/testing.md.
#
# SEED says which places. A TEST is a program below build/ or a suite of the command line. $FILES: only
# sources whose path matches this pattern. $JOBS places are tried at once, one for each core.
#
# A changed program may do anything to files and processes. So all this runs as a user without rights,
# who sees no process of others.
set -u
cd "$(dirname "$0")/../.." || exit 1
most=5 # per cent

count=$1
seed=$2
shift 2
jobs=${JOBS:-$(nproc 2>/dev/null || getconf _NPROCESSORS_ONLN)}

alone='unshare --pid --fork --mount-proc'
if [ "$(id -u)" -eq 0 ]; then
    alone="$alone setpriv --reuid=65534 --regid=65534 --clear-groups"
else
    alone="$alone --map-current-user"
fi
for tool in timeout xargs; do
    command -v $tool >/dev/null || { echo "mutants: skipped (no $tool)"; exit 0; }
done
$alone true 2>/dev/null || { echo "mutants: skipped (no processes of our own: $alone fails)"; exit 0; }

folder=$(mktemp -d) || exit 1
# Workers end, with all their processes, when the folder of claims is gone. What was tried until then counts.
stopped=
trap 'rm -rf "$folder/claims"; wait; rm -rf "$folder"' EXIT
trap 'stopped=yes; rm -rf "$folder/claims"' HUP INT TERM

# run NUMBER...: lets these workers do their work.
run() {
    for number; do
        COUNT=$count JOBS=$jobs $alone tests/mutants/worker.sh "$folder" "$number" &
    done
    until wait; do :; done
}

# Where to change something: groups in turn, within each in an order that the seed gives
find src -name '*.c' ! -name '*_windows.c' -path "${FILES:-*}" | sort | xargs awk -f tests/mutants/sites.awk |
    awk -v seed="$seed" 'BEGIN { x = 1 + seed * 7919 % 2147483646 }
        { x = x * 16807 % 2147483647; print $0 "\t" x }' |
    sort -t "$(printf '\t')" -k 1,1 -k 7,7n | awk -F '\t' '{ print ++rank[$1] "\t" $0 }' |
    sort -t "$(printf '\t')" -k 1,1n -k 2,2 | cut -f 2-7 >"$folder/sites"
echo "$count of $(wc -l <"$folder/sites") changes, seed $seed; $jobs at once"

mkdir "$folder/results" "$folder/claims" "$folder/1"
printf '%s\n' "$@" >"$folder/tests"
for item in *; do
    case $item in
    build* | cg2wg*) ;;
    *) cp -R "$item" "$folder/1/" || exit 1 ;;
    esac
done
chmod 755 "$folder"
[ "$(id -u)" -ne 0 ] || chown -R 65534:65534 "$folder"

# The tests pass, and each gets the time that it takes.
run measure
[ -e "$folder/is_measured" ] || exit 1
worker=1
while [ $worker -lt "$jobs" ]; do
    worker=$((worker + 1))
    cp -Rp "$folder/1" "$folder/$worker" || exit 1
done
# shellcheck disable=SC2046
run $(seq "$jobs")

# The first COUNT that compile and make a difference, whichever worker was the fastest
number=0
tried=0
lives=0
while [ $tried -lt "$count" ] && number=$((number + 1)) && [ -e "$folder/results/$number" ]; do
    read -r result <"$folder/results/$number"
    case $result in
    'does not compile' | 'changes nothing') continue ;;
    lives)
        lives=$((lives + 1))
        sed 1d "$folder/results/$number"
        ;;
    esac
    tried=$((tried + 1))
done >"$folder/lives"
mkdir -p build-mutants
cat "$folder/lives"
cat "$folder"/results/* | sed -n '/^noticed by/p; /^does not compile/p; /^changes nothing/p' | sort | uniq -c | sort -rn \
    >"build-mutants/noticed-$seed"
cp "$folder/lives" "build-mutants/lives-$seed"
echo "$tried changes, $((tried - lives)) noticed, $lives live; see build-mutants"
[ -z "$stopped" ] || exit 130
[ "$tried" -gt 0 ] && [ $((lives * 100)) -le $((tried * most)) ]
