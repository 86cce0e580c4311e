#!/bin/sh
# run.sh PROGRAM TEST...: runs the test programs and the command-line suite; says how many failed.
set -u
cd "$(dirname "$0")/.." || exit 1
program=$1
shift

passed=0
failed=0
failures=
count() { # NAME STATUS
    if [ "$2" -eq 0 ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        failures="$failures $1"
    fi
}

for test in "$@"; do
    "$test"
    count "$(basename "$test")" $?
done
for suite in tests/cli/*.sh; do
    [ -e "$suite" ] || continue
    "$suite" "$program"
    count "$(basename "$suite")" $?
done

[ -z "$failures" ] || echo "failed:$failures"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
