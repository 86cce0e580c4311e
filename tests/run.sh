#!/bin/sh
# SPDX-License-Identifier: MIT
# run.sh PROGRAM TEST...: runs tests, $JOBS of them at once (default: one per core), and prints how many passed. Beside
# several runs one more, as some of them wait. A TEST is a program, or a suite of the command line, NAME.sh, which gets
# PROGRAM.
#
# Each test gets one line when it ends, followed by its output if it fails. Skipped cases are listed
# at the end. The last line is "N passed, N failed[, N skipped]": unit tests, cases of
# suites and inputs of fuzz targets. A test that has checked nothing counts as failed.
#
# $RUNNER, if it is set, is a command that runs programs, such as an emulator.
set -u
cd "${0%/*}/.." || exit 1

# run.sh --one TEST: as xargs calls it
if [ "$1" = --one ]; then
    test=$2
    name=${test##*/}
    name=${name%.sh}
    start=$(date +%s)
    case $test in
    *.sh) "$test" "$program" ;;
    *) $RUNNER "$test" ;;
    esac >"$folder/$name.log" 2>&1 </dev/null
    status=$?
    seconds=$(($(date +%s) - start))

    # cmocka: "[  PASSED  ] 3 test(s).", and twice "[  SKIPPED ] NAME"; a suite: "options: 238 passed, 0 failed";
    # a fuzz target: "fuzz_aprof: replayed 137 inputs"
    counts=$(awk -v name="$name" -v status=$status -v skips="$folder/$name.skipped" '
        /^\[  PASSED  \] [0-9]+ test/ { passed += $4 }
        /^\[  FAILED  \] [0-9]+ test/ { failed += $4 }
        $1 == name ":" && $3 ~ /^passed/ && $5 == "failed" { passed += $2; failed += $4 }
        $1 == name ":" && $2 == "replayed" { passed += $3 }
        sub(/^\[  SKIPPED \] [^0-9]/, name ": skipped: &") { sub(/\[  SKIPPED \] /, "") }
        $1 == name ":" && $2 == "skipped:" && !seen[$0]++ { skipped++; print >skips }
        END {
            if (status != 0 && failed == 0)
                failed = 1
            print passed + 0, failed + 0, skipped + 0
        }' "$folder/$name.log")
    set -- $counts
    line="$name: $1 passed"
    [ $2 -eq 0 ] || line="$line, $2 FAILED"
    [ $3 -eq 0 ] || line="$line, $3 skipped"
    [ $seconds -lt 1 ] || line="$line, $seconds s"
    if [ $2 -eq 0 ] && [ $(($1 + $3)) -eq 0 ]; then
        line="$name: FAILED: it has checked nothing"
        set -- 0 1 0
    fi
    if [ $2 -gt 0 ]; then # written at once, so that what two tests say is not mixed
        {
            echo "$line"
            { [ $status -eq 0 ] || echo "exit status $status"; cat "$folder/$name.log"; } | sed 's/^/    /'
        } >"$folder/$name.said"
        cat "$folder/$name.said"
    else
        echo "$line"
    fi
    echo "$name $1 $2 $3" >"$folder/$name.counts"
    exit 0
fi

# A make that a test calls has nothing to do with the one that called this.
unset WERROR MAKEFLAGS MFLAGS MAKELEVEL MAKEOVERRIDES GNUMAKEFLAGS

program=$1
shift
RUNNER=${RUNNER:-}
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
trap 'exit 130' HUP INT TERM

# The suites start the program as any other, also where PATH leads nowhere: so one that takes a command
# to be run is a script.
if [ -n "$RUNNER" ]; then
    command=$(command -v "${RUNNER%% *}") || { echo "${RUNNER%% *} is missing" >&2; exit 1; }
    case $RUNNER in
    *' '*) RUNNER="$command ${RUNNER#* }" ;;
    *) RUNNER=$command ;;
    esac
    case $program in
    /*) ;;
    *) program=$PWD/${program#./} ;;
    esac
    printf '#!/bin/sh\nexec %s %s "$@"\n' "$RUNNER" "$program" >"$folder/cg2wg"
    chmod +x "$folder/cg2wg"
    program=$folder/cg2wg
fi
export program folder RUNNER

jobs=${JOBS:-$(nproc 2>/dev/null || getconf _NPROCESSORS_ONLN)}
jobs=$((jobs + (jobs > 1)))
if ! echo | xargs -P 1 true 2>/dev/null; then
    jobs=
fi
# What a shell starts in the background ignores some signals; what xargs starts does not.
printf '%s\n' "$@" | xargs ${jobs:+-P "$jobs"} -n 1 tests/run.sh --one

cat "$folder"/*.skipped 2>/dev/null
awk -v tests=$# '
    { ended++; passed += $2; failed += $3; skipped += $4 }
    $3 > 0 { names = names " " $1 }
    END {
        if (ended != tests) {
            print tests - ended " tests have not ended"
            failed += tests - ended
        }
        if (names != "")
            print "failed:" names
        print passed + 0 " passed, " failed + 0 " failed" (skipped > 0 ? ", " skipped " skipped" : "")
        exit failed > 0
    }' "$folder"/*.counts
