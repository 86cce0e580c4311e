#!/bin/sh
# SPDX-License-Identifier: MIT
# docs.sh PROGRAM: the manual page and the README have the options of --help, no more and no less.
. "$(dirname "$0")/suite.inc"

for file in README.md docs/cg2wg.1; do
    [ -s "$top/$file" ] || { echo "docs: there is no $file" >&2; exit 2; }
done
cg2wg --help=all >"$given/help" || exit 2
printf 'v 4\nk 5\nr "f" "o" 1\np 1 1 5 5 5 25 1 5 5\n' >"$given/report"

# From --help: every option with its dashes, one a line.
sed -n 's/^  \(-.\), \(--[a-z-]*\).*/\1\n\2/p; s/^      \(--[a-z-]*\).*/\1/p' "$given/help" |
    sort >"$given/options"
grep '^--' "$given/options" >"$given/long"
run 'the help lists options' 0 'grep -cx -e --format -e -f -e --print -e --help "$given/options"' out=4
run 'every option that the help lists is one' 0 \
    'cg2wg --xyz 2>&1 | grep -o "unknown option" # as it says of the others below
     while read -r option; do
         cg2wg "$option" 2>&1 | grep -e "unknown option" && echo "$option"
     done <"$given/options"; true' out='unknown option'
run 'the program has no option that the help does not list' 0 \
    'for letter in a b c d e f g h i j k l m n o p q r s t u v w x y z \
                   A B C D E F G H I J K L M N O P Q R S T U V W X Y Z 0 1 2 3 4 5 6 7 8 9 "?"; do
         cg2wg "-$letter" 2>&1 | grep -q "unknown option" ||
             grep -qxe "-$letter" "$given/options" || echo "-$letter"
     done'
run 'no line of the help is longer than a terminal is wide' 0 \
    'awk "length > 80 { print } END { print (NR > 30) }" "$given/help"' out=1
run 'explanations of options begin in one column' 0 \
    'sed -n "s/^\(  -V, --version  *\)[^ ].*/\1/p" "$given/help" | tr -d "\n" | wc -c | tr -d " " >column
     awk -v column="$(cat column)" "/^         / { match(\$0, /^ */); if (RLENGTH != column) print; else n++ }
         END { print (n > 15) }" "$given/help"; rm column' out=1
run 'the help fits a screen of 44 lines' 0 'cg2wg --help | awk "END { print (NR <= 44) }"' out=1
run 'the help says the exit statuses' 0 'tail -n 2 "$given/help" | tr "\n" " "' out='Exit status: 0 *, 1 *, 2 *, 3 *. '
run 'the values that the help shows are taken' 0 \
    'cg2wg profile pre
     sed -n "s/.*\(--[a-z]*\)=\([a-z0-9]*|[a-z0-9|]*\).*/\1 \2/p" "$given/help" |
     while read -r option values; do
         for value in $(echo "$values" | tr "|" " "); do
             case $option=$value in
             --sort=time) cg2wg -q --print=tree "$option=$value" profile ;;
             --group=call) cg2wg "$option=$value" --function=main profile ;;
             --group=*) cg2wg "$option=$value" "$top/testdata/valgrind/parts.out" ;;
             --sort=* | --color=*) cg2wg --print "$option=$value" pre ;;
             --input=*)
                 case $value in
                 preprocessed) cg2wg "$option=$value" pre out ;;
                 aprof) cg2wg "$option=$value" "$given/report" out ;;
                 perf) cg2wg -q --symfs="$symfs" "$option=$value" "$top/testdata/perf/time.data" out ;;
                 *) cg2wg "$option=$value" profile out ;;
                 esac ;;
             *) cg2wg "$option=$value" profile out ;;
             esac >/dev/null && echo "$option" || echo "not $option=$value"
         done
     done | sort -u' out='--color
--format
--group
--identity
--inclusive
--input
--records
--scale
--sort
--summary' files='out pre profile'

quote="'"
run 'the formulas of the help and the manual page are of events that Valgrind writes' 0 \
    '{ cg2wg --list-options | grep -o "$quote[^$quote]*+[^$quote]*$quote" | tr -d "$quote"
       sed -n "s/^.Ql \(.*[a-z] + [0-9].*\) [;.]$/\1/p" "$top/docs/cg2wg.1"; } |
     while read -r formula; do
         cg2wg -q -e "$formula" "$top/testdata/valgrind/cache-branch.out" out && echo "$formula"
     done | sort | uniq -c | tr -s " "' files='out profile' out=' 2 Cost = Ir + 10 Bcm
 1 Ir + 10 Bcm'

run 'the help shows the names of all input formats' 0 \
    'cg2wg "$top/LICENSE" out 2>&1 | sed "s/.* in \(.*\) format/\1/; s/ or /,/; s/ //g" | tr , "\n" >names
     [ "$(wc -l <names)" -gt 2 ] || { echo "names:"; cat names; }
     grep -vx cachegrind names | while read -r name; do # that is a part of callgrind
         grep -q -e "--input=.*|$name\([|]\|$\)" "$given/help" || echo "$name"
     done' files='names profile'

# ---- the manual page

manual=$top/docs/cg2wg.1
# mdoc writes -f as `Fl f`, --format as `Fl Fl format` or `Fl -format`.
manual_options() { # the options that list items explain
    sed -n 's/^\.It \(.*\)/\1/p' "$manual" | sed 's/\\-/-/g; s/\\&//g' | awk '{
        dashes = ""
        for (i = 1; i <= NF; i++) {
            if ($i == "Fl") {
                dashes = dashes "-"
                continue
            }
            if (dashes != "") {
                sub(/[^-A-Za-z0-9?].*/, "", $i)
                if ($i != "")
                    print dashes $i
            }
            dashes = ""
        }
    }' | sort -u
}
run 'the manual page explains every option, and no other' 0 \
    'manual_options >manual; diff "$given/options" manual' files='manual profile'
run 'the manual page says all exit statuses' 0 \
    'sed -n "/^\.Sh EXIT STATUS/,/^\.Sh [^E]/p" "$manual" >statuses
     for status in 0 1 2 3; do grep -qw "$status" statuses || echo "not $status"; done
     grep "^\.It" statuses | tr -d "\n" | grep -w "[4-9]"; rm statuses'
run 'the manual page has all parts' 0 \
    'for part in NAME SYNOPSIS DESCRIPTION "EXIT STATUS" EXAMPLES; do
         grep -q "^\.Sh $part" "$manual" || echo "no $part"
     done'
run 'every value of an option is in the manual page' 0 \
    'sed -n "s/.*--[a-z]*\[*=\([a-z0-9]*|[a-z0-9|]*\).*/\1/p" "$given/help" | tr "|" "\n" >values
     [ "$(wc -l <values)" -gt 20 ] || cat values
     while read -r value; do grep -qw -e "$value" "$manual" || echo "$value"; done <values; rm values'
run 'every style of --print, and every ending of its files, is in the manual page' 0 \
    'cg2wg --list-options | awk -F "\t" "\$2 == \"print\" { sub(/=/, \"\", \$3); print \$3 }" | tr "|" "\n" >styles
     [ "$(wc -l <styles)" -gt 10 ] || cat styles
     while read -r style; do grep -qx -e "\.It Cm $style" "$manual" || echo "no $style"; done <styles
     for ending in $(sed -n "/= STYLE(/,/\",/s/.*STYLE(\"[a-z]*\", \"\([^\"]*\)\".*/\1/p" "$top/src/styles.c"); do
         echo ending; grep -q -e "\.Pa .*\($ending\| $ending\)\b" -e "^ *\$ending\b" -e "^\.Pa \$ending$" "$manual" || echo "no $ending"
     done | sort -u; rm styles' out=ending
if have mandoc; then
    run 'the manual page is good mdoc' 0 'mandoc -T lint -W warning "$manual"'
else
    skip 'the manual page is good mdoc' 'no mandoc'
fi

# ---- the version

# It is in include/cg2wg.h alone: make, pkg-config's file and the Debian packages take it from there. CHANGELOG.md says
# what is new in it.
run 'the version is the same everywhere' 0 \
    '{ cg2wg --version; sed -n "s/^## \[\([0-9.]*\)\] - 20..-..-..$/cg2wg \1/p" "$top/CHANGELOG.md" | head -n 1
       sed -n "s/^#define CG2WG_VERSION_NUMBER \(.*\)/\1/p" "$top/include/cg2wg.h" |
           awk "{ printf \"cg2wg %d.%d.%d\n\", \$1 / 10000, \$1 / 100 % 100, \$1 % 100 }"; } >versions
     [ "$(wc -l <versions)" -eq 3 ] || cat versions; sort -u versions | wc -l | tr -d " "
     version=$(cg2wg --version | sed "s/.* //"); rm versions
     cd "$top" && grep -lF "$version" README.md $(ls docs/*.md | grep -v performance) docs/cg2wg.1 Makefile src/*.c src/*/*.c src/packaging/*.sh; true' out=1

run 'every source file names its license' 0 \
    'cd "$top" && find Makefile include src tests \( -name "*.[ch]" -o -name "*.sh" -o -name "*.inc" -o -name "*.py" \
         -o -name "*.php" -o -name "*.mk" -o -name "*.js" -o -name "*.css" -o -name Makefile \) -exec awk \
         "FNR == 1 { files++ } FNR < 4 && /SPDX-License-Identifier: MIT/ { found++ }
          END { print files - found; exit files < 50 }" {} +' out=0

# ---- the README

(cd "$top/docs" && cat ../README.md install.md webgrind.md terminal.md page.md perf.md pipelines.md comparison.md) \
    >"$given/pages"
run 'the README has at most 150 lines' 0 'awk "END { if (NR > 150) print NR }" "$top/README.md"'
# In lines that call the program, and where an option is alone in backquotes; but Valgrind
# and perf have options, too.
run 'every option in the README and the pages of docs exists' 0 \
    '{ sed "s/\`perf [^\`]*\`//g" "$given/pages" | grep -e "cg2wg.* -" | sed "s/.*cg2wg//; s/[|;&] .*//" | grep -o -e " --*[A-Za-z][a-z-]*"
       grep -iv "valgrind\|--branch-sim" "$given/pages" | grep -o -e "\`--*[A-Za-z][a-z-]*[=\`]"; } | tr -d " \`=" >named
     [ "$(wc -l <named)" -ge 5 ] || cat named
     while read -r option; do
         case $option in
         --*) ;;
         -?) ;;
         -*) option=$(echo "$option" | head -c 2) ;;
         esac
         grep -qxe "$option" "$given/options" || echo "$option"
     done <named; rm named'
run 'every exit status in the README and the pages of docs exists' 0 \
    'grep -io -e "exit status[^.]*" "$given/pages" | grep -ow "[0-9][0-9]*" | grep -vx "[0-3]"; true'

# ---- all documents

# links FILE: its links to files here, one a line, without titles.
links() {
    sed 's/`[^`]*`//g' "$1" | grep -o '](\([^)]*\))' | sed 's/^](//; s/)$//' | grep -v '^[a-z]*:'
}
# anchors FILE: its headings, as links name them.
anchors() {
    sed -n '/^```/,/^```$/d; s/^##* //p' "$1" | tr '[:upper:]' '[:lower:]' | sed 's/[^a-z0-9 _-]//g; s/ /-/g'
}
run 'every link in the documents leads somewhere' 0 \
    'cd "$top" && for file in *.md docs/*.md testdata/*.md testdata/issues/*.md; do
         links "$file" | while read -r link; do
             case $link in
             "#"*) target=$file ;;
             *) target=$(dirname "$file")/${link%%#*} ;;
             esac
             [ -e "$target" ] || { echo "$file: $link"; continue; }
             case $link in
             *"#"*) anchors "$target" | grep -qx -e "${link#*#}" || echo "$file: $link" ;;
             esac
         done
     done'
# Each promise of testing.md has a file, and a case in it, or a target of make.
run 'every promise has a test that exists' 0 \
    'cd "$top" && sed -n "/^| promise/,/^$/p" docs/testing.md | sed 1,2d | while IFS="|" read -r _ promise files cases _; do
         [ -n "$promise" ] || continue
         echo promise
         files=$(echo "$files" | grep -o "\`[^\`]*\`" | tr -d "\`")
         [ -n "$files" ] || echo "no file: $promise"
         for file in $files; do [ -f "$file" ] || echo "no $file"; done
         echo "$cases" | grep -o "\`[^\`]*\`" | tr -d "\`" | while read -r case; do
             case $case in
             make\ *) grep -q "^${case#make }:" Makefile tests/tests.mk || [ "$case" = "make verify" ] || echo "no $case" ;;
             *) grep -qF -e "($case)" -e "run ${quote}$case$quote" $files || echo "no case $case" ;;
             esac
         done
     done | sort | uniq -c | tr -s " "' out=' [2-9]* promise'
run 'every file that the documents name exists' 0 \
    'cd "$top" && grep -oh "\`\(src\|model\|io\|os\|util\|read\|write\|view\|cli\)/[a-z_/]*\.[ch]\`" docs/*.md ./*.md | tr -d "\`" | sort -u |
     while read -r file; do [ -e "$file" ] || [ -e "src/$file" ] || echo "no $file"; echo file; done | sort | uniq -c | tr -s " "' \
    out=' [1-9]* file'
# Words with an underscore, an arrow or `struct`, and names of files without a folder.
run 'the code has what design.md and testing.md name' 0 \
    'cd "$top" && grep -oh "\`[^\`]*\`" docs/design.md docs/testing.md | tr -d "\`" | sed "s/^struct //; s/.*->//" | sort -u |
     grep -x -e "[a-z][a-z0-9]*\(_[a-z0-9]*\)\+" -e "[a-z][a-z_]*\.\(c\|h\|sh\)" | while read -r name; do
         echo name
         case $name in
         *.*) [ -n "$(find src include tests -name "$name")" ] || echo "no file $name" ;;
         *) grep -rqwF --include="*.[chsm]*" -e "$name" src include tests || echo "no $name" ;;
         esac
     done | sort | uniq -c | tr -s " "' out=' [1-9]*[0-9] name'
run 'there are links to look at' 0 'cd "$top" && [ "$(links README.md | wc -l)" -gt 10 ]'

finish
