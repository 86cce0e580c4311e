#!/bin/sh
# SPDX-License-Identifier: MIT
# bare.sh PROGRAM TEST...: lists files of this machine that tests let the program look at: libraries, debug data, symbols
# of the kernel, maps of JIT code. Another machine has others, so no test may depend on them. It needs strace, and fails
# if it finds one; whether the tests pass under strace does not matter here.
set -u
cd "$(dirname "$0")/../.." || exit 1
command -v strace >/dev/null || { echo "strace is missing: what tests look at is not checked"; exit 0; }
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
trap 'exit 130' HUP INT TERM

RUNNER="strace --seccomp-bpf -ff -A -qq -e trace=%file -o $folder/of" tests/run.sh "$@" >"$folder/said"
tail -n 1 "$folder/said"
ls "$folder"/of.* >/dev/null 2>&1 || { cat "$folder/said"; echo "strace has recorded nothing"; exit 1; }

# The program asks for the kind of a file before it opens it; the loader of programs does not.
cat "$folder"/of.* | sed -n '
    s|^[a-z]*stat[a-z0-9]*([^"]*"\(/usr/lib[^"]*\)".*|\1|p
    s|^[a-z]*stat[a-z0-9]*([^"]*"\(/lib[^"]*\)".*|\1|p
    s|^[a-z0-9]*([^"]*"\(/[^"]*/\.debug/\.build-id/[^"]*\)".*|\1|p
    s|^[a-z0-9]*([^"]*"\(/tmp/perf-[0-9]*\.map\)".*|\1|p
    s|^[a-z0-9]*([^"]*"\(/proc/kallsyms\)".*|\1|p
    s|^[a-z0-9]*([^"]*"\(/sys/kernel/notes\)".*|\1|p' | grep -v "/cg2wg-[^/]*/" | sort | uniq -c >"$folder/looks"
[ -s "$folder/looks" ] || exit 0
echo "tests let cg2wg look at files of this machine:"
cat "$folder/looks"
exit 1
