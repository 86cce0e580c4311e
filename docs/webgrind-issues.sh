#!/bin/sh
# SPDX-License-Identifier: MIT
# webgrind-issues.sh CG2WG [WEBGRIND_FOLDER]: prints the table of webgrind-issues.md.
#
# CG2WG is the program. WEBGRIND_FOLDER is an unpacked release of webgrind 1.2 to 1.9.4
# (https://github.com/jokkedk/webgrind); its preprocessors, the one in PHP and the one in C++ (compiled
# anew), and its reader are run with php and c++. With it, cg2wg's files too are read by webgrind's
# reader, and what it shows is compared with cg2wg --print; the exit status is 1 if they differ. Without
# it, webgrind's columns stay empty.
set -u
[ $# -eq 1 ] || [ $# -eq 2 ] || { sed -n '2s/# //p' "$0" >&2 && exit 2; }
case $1 in */*) program=$(cd "$(dirname "$1")" && pwd)/$(basename "$1") ;; *) program=$(command -v "$1") ;; esac
webgrind=
[ $# -eq 1 ] || webgrind=$(cd "$2" && pwd) || exit 2
cd "$(dirname "$0")/../testdata" || exit 2
[ -x "$program" ] || { echo "$1: no such program" >&2 && exit 2; }
[ -z "$webgrind" ] || [ -f "$webgrind/library/Reader.php" ] || { echo "$2: no webgrind" >&2 && exit 2; }
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
trap 'exit 1' HUP INT TERM
status=0

# Has webgrind convert or show a file: one line `ROWS EVENT SELF% INCLUSIVE% MILLISECONDS` for a function,
# or what it died of.
cat >"$scratch/driver.php" <<'PHP'
<?php
class Webgrind_Config
{
    public static $proxyFunctions = ['php::call_user_func', 'php::call_user_func_array'];
    static function getBinaryPreprocessor() { return ''; }
}
error_reporting(0);
[, $folder, $action, $file, $argument] = $argv;
try {
    require "$folder/library/Preprocessor.php";
    require "$folder/library/Reader.php";
    if ($action === 'convert') {
        Webgrind_Preprocessor::parse($file, $argument);
        exit;
    }
    $percent = new Webgrind_Reader($file, 'percent');
    $times = new Webgrind_Reader($file, 'msec');
    $rows = $percent->getFunctionCount();
    for ($i = 0; $i < $rows; $i++) {
        $function = $percent->getFunctionInfo($i);
        if ($function['functionName'] === $argument) {
            $event = strtok($percent->getHeader('events'), ' ');
            echo "$rows $event $function[summedSelfCost] $function[summedInclusiveCost] ",
                $times->getFunctionInfo($i)['summedInclusiveCost'], "\n";
            exit;
        }
    }
    echo "none of $rows\n";
} catch (Throwable $error) {
    echo 'fails: ', $error->getMessage(), "\n";
}
PHP

# The same line from cg2wg --print, whose percentages are not relative to a total that is less than the self costs.
shown_by_cg2wg() { # FILE FUNCTION
    "$program" --print --sort=none "$1" | FUNCTION=$2 awk '
        /^format:/ { rows = $3 }
        /^events:/ { event = $2 }
        /^total:/ { total = $2 + 0 }
        /  function$/ { in_table = 1; next }
        !in_table { next }
        {
            name = $0
            sub(/^ *[0-9]+ +[0-9.]+ +[0-9]+ +[0-9.]+ +[-0-9]+  /, "", name)
            sub(/  \([^()]*(\([^()]*\))*[^()]*\)$/, "", name)
            if (name != ENVIRON["FUNCTION"])
                next
            unit = event == "Time_(10ns)" ? 100 : 1
            printf "%d %s %.2f %.2f %.0f\n", rows, event, $1 * 100 / total, $3 * 100 / total, int($3 / unit / 1000 + 0.5)
            found = 1
            exit
        }
        END { if (!found) printf "none of %d\n", rows }'
}

# The same line of what webgrind's own preprocessor makes of a file.
shown_by_webgrind() { # php|c++ FILE FUNCTION
    rm -f "$scratch/theirs"
    if [ "$1" = php ]; then
        said=$(php "$scratch/driver.php" "$webgrind" convert "$2" "$scratch/theirs")
    elif [ -x "$scratch/preprocessor" ]; then
        said=$("$scratch/preprocessor" "$2" "$scratch/theirs" php::call_user_func \
            php::call_user_func_array 2>&1) || said="fails: exit status $?"
    else
        said='fails: not compiled'
    fi
    if [ -n "$said" ]; then
        echo "$said"
    else
        php "$scratch/driver.php" "$webgrind" show "$scratch/theirs" "$3"
    fi
}

# Makes such a line readable.
in_words() { # WHAT ROWS EVENT SELF INCLUSIVE MILLISECONDS
    case $2 in
    none) echo "no such function, $4 rows" && return ;;
    fails:) shift; echo "$*" && return ;;
    esac
    case $1 in
    percent) echo "$5 %" ;;
    both) echo "self $4 %, inclusive $5 %" ;;
    time) case $3 in
        Time*\(x*) echo "$5 %, $6 ms (event $3)" ;;
        *) echo "$5 %, $6 ms" ;;
        esac ;;
    event) echo "$3: $5 %" ;;
    esac
}

row() { # ISSUES ABOUT FILE FUNCTION WHAT [OPTION]
    issues=$1 about=$2 file=$3 function=$4 what=$5 option=${6-}
    php='' cxx=''
    if [ -n "$webgrind" ]; then
        # shellcheck disable=SC2046 # the words of the line
        php=$(in_words "$what" $(shown_by_webgrind php "$file" "$function"))
        # shellcheck disable=SC2046
        cxx=$(in_words "$what" $(shown_by_webgrind c++ "$file" "$function"))
    fi
    rm -f "$scratch/ours"
    if "$program" ${option:+"$option"} "$file" "$scratch/ours" 2>"$scratch/messages"; then
        line=$(shown_by_cg2wg "$scratch/ours" "$function")
        # shellcheck disable=SC2086
        ours=$(in_words "$what" $line)
        if [ -n "$webgrind" ]; then
            read_back=$(php "$scratch/driver.php" "$webgrind" show "$scratch/ours" "$function")
            [ "$read_back" = "$line" ] || {
                echo "$file: cg2wg --print says '$line', webgrind '$read_back'" >&2
                status=1
            }
        fi
    else
        ours="exit status $?: $(sed "s|^cg2wg: $file: ||; q" "$scratch/messages")"
    fi
    case $option in
    *[\ \(]*) option="${option%%=*}='${option#*=}'" ;; # as a shell wants it
    esac
    [ -z "$option" ] || ours="$ours with \`$option\`"
    [ -z "$function" ] || about="$about: \`$function\`"
    for cell in "$issues" "$about" "\`$file\`" "$php" "$cxx" "$ours"; do
        printf '| %s ' "$(printf '%s\n' "$cell" | sed 's/|/\\|/g')"
    done
    echo '|'
}

[ -z "$webgrind" ] ||
    ${CXX:-c++} -O2 -w -o "$scratch/preprocessor" "$webgrind/library/preprocessor.cpp" 2>"$scratch/messages" ||
    echo "webgrind's preprocessor in C++ cannot be compiled" >&2

echo '| issue | what the figures are of | input (in testdata/) | webgrind, PHP | webgrind, C++ | cg2wg |'
echo '| --- | --- | --- | --- | --- | --- |'
row '10, 132' '50 s, in units of 10 ns' issues/132-nightly.out '{main}' time
row '10, 141' '83 min, in units of 10 ns' issues/141-nightly-x100.out '{main}' time
row 10 '4.6 billion instructions (Valgrind)' issues/10-accounts.out checksum percent
row 33 'a function that calls itself' issues/33-categories.out show percent --inclusive=outermost
row 142 'three functions that call each other in a cycle' issues/142-discounts.out orderPrice percent --inclusive=outermost
row 177 "PHP-Parser's pretty printer" issues/177-pretty.out 'PhpParser\PrettyPrinterAbstract->p' percent \
    --inclusive=outermost
row 177 'recursion in C (Valgrind)' issues/151-tree.out walk percent --inclusive=outermost
row 9 'memory, Xdebug 3.2' issues/9-memory.out php::explode event '--event=Memory_(bytes)'
row 51 'memory, Xdebug 2.9' issues/51-memory.out php::str_repeat event --event=Memory
row 111 'memory, Xdebug 2.6' issues/111-memory.out php::explode event --event=Memory
row 9 'an event of Valgrind' issues/151-tree.out calloc event --event=DLmw
row 9 'a formula over events' issues/151-tree.out calloc event \
    '--event=CEst = Ir + 10 I1mr + 10 D1mr + 10 D1mw + 100 ILmr + 100 DLmr + 100 DLmw'
row 8 'negative times, written as 2^64 minus something' issues/8-stock.out countStock both
row 8 'the same' issues/8-stock.out inStock both
row 8 'the same' issues/8-stock.out php::function_exists both
row 97 'a summary that is too small' issues/97-after.out writeLog percent
row 118 'no summary: the process was killed' issues/118-timeout.out page percent
row 156 'no function' issues/156-at-once.out '' percent
row 42 'any callgrind file: phpspy' other/phpspy.out md5 both
row 42 'any callgrind file: ruby-prof' other/ruby-prof.out Object::fib both --inclusive=outermost
row 151 'callgrind files of Valgrind' issues/151-tree.out main both
row 151 'callgrind files of Valgrind' issues/151-tree.out insert both --inclusive=outermost
exit $status
