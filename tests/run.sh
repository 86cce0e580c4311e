#!/bin/sh
# run.sh PROGRAM TEST...: runs the test programs and the command-line suite; says how many failed.
# $RUNNER, if it is set, is a command that runs programs: an emulator, valgrind.
set -u
cd "$(dirname "$0")/.." || exit 1
program=$1
runner=${RUNNER:-}
shift

# The suites start the program as any other, also where PATH leads nowhere: so one that takes a command
# to be run is a script.
if [ -n "$runner" ]; then
    command=$(command -v "${runner%% *}") || { echo "${runner%% *} is missing" >&2; exit 1; }
    case $runner in
    *' '*) runner="$command ${runner#* }" ;;
    *) runner=$command ;;
    esac
    folder=$(mktemp -d) || exit 1
    trap 'rm -rf "$folder"' EXIT
    case $program in
    /*) ;;
    *) program=$PWD/${program#./} ;;
    esac
    printf '#!/bin/sh\nexec %s %s "$@"\n' "$runner" "$program" >"$folder/cg2wg"
    chmod +x "$folder/cg2wg"
    program=$folder/cg2wg
fi

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
    $runner "$test"
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
