#!/bin/sh
# SPDX-License-Identifier: MIT
# examples.sh PROGRAM: the examples of the README, of the pages in docs and of the manual page run as they are, one
# after the other, in one directory, and webgrind finds what they write for it.
. "$(dirname "$0")/suite.inc"

# The pages whose examples run, in this order. A list in a page may indent its blocks.
pages='README.md docs/webgrind.md docs/terminal.md docs/page.md docs/perf.md docs/pipelines.md'
manual=$top/docs/cg2wg.1
mkdir "$scratch/bin" "$scratch/blocks"
ln -s "$program" "$scratch/bin/cg2wg"

# page_blocks LANGUAGE PREFIX: each code block of that language becomes a file PREFIX.NUMBER.PAGE.
page_blocks() {
    (cd "$top" && awk -v language="$1" -v prefix="$2" '
        $1 == "```" { inside = 0 }
        inside { print substr($0, indented + 1) >file }
        $1 == "```" language {
            inside = 1; indented = index($0, "`") - 1; page = FILENAME; gsub(/.*\/|\.md/, "", page)
            file = sprintf("%s.%02d.%s", prefix, ++count, page)
        }
    ' $pages)
}

# The lines after a prompt, and those that continue them.
manual_examples() {
    sed -n '/^\.Sh EXAMPLES/,/^\.Sh [^E]/p' "$manual" | awk '
        { sub(/^\.Dl /, "") }
        continued || sub(/^\$ /, "") { continued = /\\e$/; gsub(/\\e/, "\\"); gsub(/\\&/, ""); print }'
}

page_blocks sh "$scratch/blocks/page"
page_blocks make "$scratch/blocks/makefile"
manual_examples >"$scratch/blocks/manual"
run 'there are examples' 0 \
    'cat "$scratch"/blocks/page.* | grep -c "cg2wg " >in-pages
     grep -c "^cg2wg " "$scratch/blocks/manual" >in-manual
     cat "$scratch"/blocks/makefile.* | grep -c "cg2wg " >in-makefiles
     [ "$(cat in-pages)" -ge 30 ] && [ "$(cat in-manual)" -ge 7 ] && [ "$(cat in-makefiles)" -ge 1 ] &&
         rm in-*'

# example FILE: runs it in the one directory of all examples. It must not fail, nor complain.
examples=$scratch/examples
mkdir "$examples"
cp "$top/testdata/xdebug/3.2-events.out" "$examples/cachegrind.out.123"
elsewhere "$top/testdata/valgrind/default.out" >"$examples/cachegrind.out.app"
cp "$top/testdata/xdebug/3.2-invoice.out" "$examples/cachegrind.out.invoice"
elsewhere "$top/testdata/perf/two.data" >"$examples/perf.data"
cp "$top/testdata/perf/time.script" "$examples/perf.script"
cp -R "$top/testdata/perf/symfs" "$examples/sysroot"
echo '0000000000000000 T _text' >"$examples/kallsyms"
cp -p "$top/testdata/src/c/stock.c" "$examples"
touch -d 2020-01-01 "$examples/stock.c" # older than the profile
cp "$top/testdata/valgrind/cachegrind-O0.out" "$examples/cachegrind.out.O0"
cp "$top/testdata/valgrind/cachegrind.out" "$examples/cachegrind.out.O2"
(cd "$examples" && cksum cachegrind.out.* perf.data) >"$scratch/profiles"
example() {
    (cd "$examples" && PATH=$scratch/bin:$PATH sh -e "$1" >"$scratch/said" 2>"$scratch/complaints")
    example_status=$?
    grep '^cg2wg: .*\(warning\|found\)\|^sh: ' "$scratch/complaints" | grep -v 'no symbols for'
    return $example_status
}
# made: the outputs that webgrind would not find. It looks for one beside the profile of the same name,
# which must not be newer; a profile must be readable, or be a placeholder.
not_found_by_webgrind() {
    for made in "$examples"/*; do
        name=${made%.webgrind}
        case ${made##*/} in
        Makefile | perf.* | sysroot | kallsyms | *.html | *.json | *.csv | *.svg | *.dot | *.folded | *.pb.gz | *.callgrind | *.c) ;;
        cachegrind.out.*.webgrind)
            [ -e "$name" ] && [ -z "$(find -H "$name" -newer "$made")" ] || echo "${made##*/}"
            cg2wg --print "$made" >/dev/null || echo "${made##*/} is broken" ;;
        cachegrind.out.*.gz) ;;
        cachegrind.out.*) [ -e "$made" ] || echo "${made##*/} leads nowhere" ;;
        *) echo "${made##*/}" ;;
        esac
    done
}

for block in "$scratch"/blocks/page.*; do
    run "the examples in ${block##*/page.}" 0 'example "$block"; s=$?; not_found_by_webgrind; exit $s'
done
if have make; then
    for block in "$scratch"/blocks/makefile.*; do
        run "the Makefile in ${block##*/makefile.}" 0 \
            'cp "$block" "$examples/Makefile"
             echo "make -s" >"$scratch/make"; example "$scratch/make"; s=$?; not_found_by_webgrind; exit $s'
        run "the Makefile in ${block##*/makefile.} has nothing left to do" 0 \
            'cd "$examples" && PATH=$scratch/bin:$PATH make -q'
    done
    run "the Makefile alone makes what webgrind keeps" 0 \
        'mkdir "$scratch/alone"; cp "$examples/Makefile" "$scratch/alone"
         cp "$examples/cachegrind.out.123" "$scratch/alone/cachegrind.out.1"
         cp "$examples/cachegrind.out.123" "$scratch/alone/cachegrind.out.2"
         examples=$scratch/alone
         example "$scratch/make" && not_found_by_webgrind && rm "$examples"/cachegrind.out.today* &&
             example "$scratch/make" && not_found_by_webgrind && ls "$examples"' out='Makefile
cachegrind.out.1
cachegrind.out.2
cachegrind.out.today
cachegrind.out.today.webgrind'
else
    skip "the Makefiles" 'no make'
fi
# Blocks with prompts hold the true output, too.
page_blocks console "$scratch/blocks/console"
transcript() { # BLOCK; libraries are where they were recorded
    grep '^\$ ' "$1" | while IFS= read -r line; do
        printf '%s\n' "$line"
        (cd "$examples" && PATH=$scratch/bin:$PATH sh -c "${line#\$ }" 2>&1 </dev/null) | sed 's|/nowhere/x86|/usr/lib/x86|'
    done
}
run 'the pages show outputs' 0 'cat "$scratch"/blocks/console.* | grep -c "^\$ cg2wg " >count
    [ "$(cat count)" -ge 5 ]; rm count'
for block in "$scratch"/blocks/console.*; do
    if grep -q '^\$ ' "$block"; then
        run "the output in ${block##*/console.}" 0 'transcript "$block" >now; diff "$block" now; rm now'
    fi
done
run "the manual page's examples" 0 'example "$scratch/blocks/manual"; s=$?; not_found_by_webgrind; exit $s'
run 'no example changes a profile' 0 '(cd "$examples" && cksum $(cut -d" " -f3- <"$scratch/profiles")) | diff "$scratch/profiles" -'
run 'the merged file holds twice what its two equal inputs hold' 0 \
    'cd "$examples" && cg2wg cachegrind.out.123 "$scratch/one" && rows "$scratch/one" >"$scratch/once" &&
     awk "{ \$1 *= 2; \$2 *= 2; \$3 *= 2; print }" "$scratch/once" >"$scratch/twice" &&
     rows cachegrind.out.today.webgrind | tr -s " " | diff "$scratch/twice" -'

# ---- in webgrind's place ------------------------------------------------------------------------

# The commands of docs/webgrind.md, with these directories in the place of those that they name.
webgrind=$scratch/webgrind
storage=$scratch/storage
mkdir -p "$webgrind/bin" "$storage"
quoted() { # PATH: in a command, as sed replaces by it
    printf '%s' "$1" | sed 's/ /\\\\&/g'
}
console() { # PATTERN: the block that holds it
    sed "s|/tmp|STORAGE|g; s|/srv/webgrind|$(quoted "$webgrind")|g; s|^sudo ||; s|STORAGE|$(quoted "$storage")|g" \
        "$(grep -l -e "$1" "$scratch"/blocks/console.*)" >"$scratch/block"
    PATH=$scratch/bin:$PATH sh -e "$scratch/block"
}
run 'the files of the former preprocessor are removed, and no other' 0 \
    'for name in cachegrind.out.1 cachegrind.out.1.webgrind cachegrind.out.2 cachegrind.out.2.webgrind \
                 cachegrind.out.1-10.webgrind.svg notes.webgrind; do
         echo old >"$storage/$name"
         touch -t 202001010000 "$storage/$name"
     done
     mkdir -p "$storage/below"
     cp "$storage/cachegrind.out.1.webgrind" "$storage/below"
     echo former >"$webgrind/bin/preprocessor"
     console "ln -sf" && cg2wg profile "$storage/cachegrind.out.3.webgrind" &&
     touch -t 203001010000 "$storage/cachegrind.out.3.webgrind" && console "find " &&
     "$webgrind/bin/preprocessor" profile "$storage/cachegrind.out.4.webgrind"
     cd "$storage" && ls below/* *' out='below/cachegrind.out.1.webgrind
cachegrind.out.1
cachegrind.out.1-10.webgrind.svg
cachegrind.out.2
cachegrind.out.3.webgrind
cachegrind.out.4.webgrind
notes.webgrind

below:
cachegrind.out.1.webgrind'
run 'the wrapper sets options' 0 \
    'console "^exec" >/dev/null; "$webgrind/bin/preprocessor" profile out php::call_user_func &&
     cg2wg --inclusive=outermost profile expected && cmp out expected' files='expected out profile'
run 'cron finds the program where make install puts it' 0 \
    'storage=$scratch/minute; mkdir "$storage"
     cp profile "$storage/cachegrind.out.5"; touch -t 202001010000 "$storage/cachegrind.out.5"
     sed -n "s/^ *\(\* \)\{5\}//p" "$top/docs/webgrind.md" | sed "s|/tmp|STORAGE|g; s|/usr/local/bin|$(quoted "$scratch/bin")|; s|STORAGE|$(quoted "$storage")|g" >"$scratch/line"
     env -i HOME="$HOME" SHELL=/bin/sh PATH=/usr/bin:/bin /bin/sh -c "$(cat "$scratch/line")"
     cg2wg profile expected && cmp expected "$storage/cachegrind.out.5.webgrind"' files='expected profile'

finish
