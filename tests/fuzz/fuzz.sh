#!/bin/sh
# SPDX-License-Identifier: MIT
# fuzz.sh run|minimise PROGRAM BUILD SECONDS TARGET...
#
# run: fuzzes each target for SECONDS, starting with the corpus, the findings of earlier runs
# (BUILD/corpus/TARGET) and the real profiles in testdata/, and prints the result. BUILD/findings keeps
# inputs that crash. minimise: adds inputs that cover more to tests/fuzz/corpus.
set -eu
cd "$(dirname "$0")/../.."
action=$1
program=$2
build=$3
seconds=$4
shift 4

longest=4096    # bytes of an input
longest_kept=512

TMPDIR=$(mktemp -d "$([ -w /dev/shm ] && echo /dev/shm || echo /tmp)/cg2wg-fuzz-XXXXXX")
export TMPDIR
trap 'rm -rf "$TMPDIR"' EXIT
trap 'exit 1' HUP INT TERM

# The profiles, cut off where they are long; after each is room for the bytes that choose options.
seed_profiles() { # FOLDER
    for profile in testdata/*/*.out testdata/*/*.out-*; do
        { head -c $((longest - 3)) "$profile"; printf '\n\n\n'; } >"$1/$(basename "$profile")"
    done
}

seed_aprof() { # FOLDER
    for report in testdata/aprof/*.aprof; do
        { head -c $((longest - 3)) "$report"; printf '\n\n\n'; } >"$1/$(basename "$report")"
    done
    # A report of each version, with all kinds of lines.
    for version in 0 1 2 3 4 5 6; do
        printf 'c -----\nv %s\na /bin/app\nk 90\nu 1\nr "f" "/bin/app" 1 1\nd "f(int)" 1\nx 0 1 1 1\np 1 8 80 2 30 50 20 10 4000\np 1 3 10 1 10 10 5 5 100\nq 1 1 1 1 1\n' \
            $version >"$1/version-$version"
    done
}

# Room for one byte more: it chooses which samples count, and whose symbols.
seed_perf() { # FOLDER
    for recording in testdata/perf/*.data; do
        for bytes in 600 2000 $((longest - 4)); do
            { head -c $bytes "$recording"; printf '\n\n\n\n'; } >"$1/$(basename "$recording").$bytes"
        done
    done
    for text in testdata/perf/*.script; do
        { sed /^#/d "$text" | head -c 2000; printf '\n\n\n\n'; } >"$1/$(basename "$text")"
    done
}

# The last byte says what it is: an ELF file, a map of JIT code, a table of the kernel's.
seed_symbols() { # FOLDER
    printf '1000 20 f\n0x1010 8 g h\n1018 0 i\nnonsense\n\013' >"$1/map"
    printf '1000 T _text\n1000 t f\n2000 D d\n3000 W g\t[m]\n\014' >"$1/kernel"
    printf 'int f(int x) { return x; }\nint main(void) { return f(0); }\n' >"$TMPDIR/seed.c"
    for options in '-m64' '-m64 -s' '-m32'; do
        # shellcheck disable=SC2086
        cc $options -nostdlib -nostartfiles -static -e main -Wl,--build-id -Wl,-z,noseparate-code \
            -o "$TMPDIR/seed" "$TMPDIR/seed.c" 2>/dev/null || continue
        { cat "$TMPDIR/seed"; printf '\n'; } >"$1/elf$options"
    done
}

seed_preprocessed() { # FOLDER
    for profile in testdata/*/*.out; do
        for format in 4 5 6 7; do
            name=$(basename "$profile").$format
            "$program" -q -f "$format" "$profile" "$TMPDIR/seed" 2>/dev/null || continue
            { cat "$TMPDIR/seed"; printf '\n\n\n\n'; } >"$1/$name"
            [ "$(wc -c <"$1/$name")" -le "$longest" ] || rm "$1/$name"
        done
    done
}

# A profile as two files: of another version, divided
seed_view() { # FOLDER
    for profile in testdata/*/*.out; do
        "$program" -q -f 5 "$profile" "$TMPDIR/first" 2>/dev/null &&
            "$program" -q --overwrite --scale=7 "$profile" "$TMPDIR/second" 2>/dev/null || continue
        length=$(wc -c <"$TMPDIR/first")
        {
            # shellcheck disable=SC2059
            printf "\\141*a*\\000file:*s*\\000main\\000\\$(printf %03o $((length % 256)))\\$(printf %03o $((length / 256)))"
            cat "$TMPDIR/first" "$TMPDIR/second"
        } >"$1/$(basename "$profile")"
        [ "$(wc -c <"$1/$(basename "$profile")")" -le "$longest" ] || rm "$1/$(basename "$profile")"
    done
}

seed_inflate() { # FOLDER
    for profile in testdata/*/*.out; do
        for level in 1 9; do
            name=$(basename "$profile").$level
            head -c 6000 "$profile" | gzip -n -$level >"$1/$name"
            printf '\n\n' >>"$1/$name"
        done
    done
}

seed_options() { # FOLDER
    number=0
    while read -r line; do
        number=$((number + 1))
        printf '%s' "$line" | tr ' ' '\0' >"$1/$number"
    done <<LINES
in out
in out php::call_user_func php::array_map
-f 4 -o out in in2 -
--format=5 --event=Ir --proxy=f* --proxy g in out
--identity=file --records=sums --summary=computed --scale=auto in out
--inclusive=outermost --strict -q -- -in -out
--print=json --sort=self --top=10 in
--print --only=f* --only object:x --hide=file:y --min=1.5 in
--print --base=old --fail-over=2% in
--print --function=f --function=*g in
--list-events --verbose in
--help --version
LINES
}

seed() { # TARGET FOLDER
    mkdir -p "$2"
    case $1 in
    callgrind | differential) seed_profiles "$2" ;;
    *) "seed_$1" "$2" ;;
    esac
}

dictionary() { # TARGET
    words=tests/fuzz/$1.dict
    [ "$1" != differential ] || words=tests/fuzz/callgrind.dict
    [ ! -e "$words" ] || echo "-dict=$words"
}

run() { # TARGET
    seed "$1" "$TMPDIR/seeds"
    mkdir -p "$build/corpus/$1" "$build/findings" "tests/fuzz/corpus/$1"
    log=$build/$1.log
    status=0
    "$build/tests/fuzz/fuzz_$1-libfuzzer" -max_total_time="$seconds" -max_len=$longest \
        -timeout=10 -rss_limit_mb=2048 -malloc_limit_mb=512 -print_final_stats=1 $(dictionary "$1") \
        -artifact_prefix="$build/findings/$1-" \
        "$build/corpus/$1" "tests/fuzz/corpus/$1" "$TMPDIR/seeds" >"$log" 2>&1 || status=$?
    rm -rf "$TMPDIR/seeds"
    awk -v target="$1" -v status="$status" '
        /^#/ { for (i = 1; i < NF; i++) { if ($i == "cov:") cov = $(i + 1)
                                          if ($i == "corp:") corpus = $(i + 1) } }
        /number_of_executed_units/ { runs = $2 }
        END { print target ": " runs " executions, " cov " edges covered, corpus " corpus \
                    (status == 0 ? ", no finding" : ", FINDING") }' "$log"
    [ $status -eq 0 ] || { echo "see $log and $build/findings" >&2; return 1; }
}

# The corpus as it is stays: it may hold what has once crashed. What is longer is cut off, and may crash.
minimise() { # TARGET
    seed "$1" "$TMPDIR/seeds"
    mkdir -p "$build/corpus/$1" "$build/findings" "tests/fuzz/corpus/$1"
    "$build/tests/fuzz/fuzz_$1-libfuzzer" -merge=1 -use_counters=0 -max_len=$longest_kept \
        -artifact_prefix="$build/findings/$1-" \
        "tests/fuzz/corpus/$1" "$build/corpus/$1" "$TMPDIR/seeds" >"$build/$1.merge.log" 2>&1
    rm -rf "$TMPDIR/seeds"
    ! grep -q '^artifact_prefix=' "$build/$1.merge.log" ||
        { echo "see $build/$1.merge.log and $build/findings" >&2; return 1; }
    echo "$1: $(find "tests/fuzz/corpus/$1" -type f | wc -l) inputs," \
        "$(cat "tests/fuzz/corpus/$1"/* | wc -c) bytes"
}

failed=
for target; do
    "$action" "$target" || failed="$failed $target"
done
[ -z "$failed" ] || { echo "failed:$failed" >&2; exit 1; }
