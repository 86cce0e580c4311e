#!/bin/sh
# view.sh PROGRAM: what --print chooses of a profile.
. "$(dirname "$0")/suite.inc"

for version in 4 5 6 7; do
    cg2wg -f "$version" "$given/profile" "$given/v$version" || exit 2
done

# Self costs 60, 25, 10 and 5 of 100; inclusive costs 100, 30, 10 and 5.
cat >"$given/sums" <<'PROFILE'
creator: callgrind-3.19.0
events: Ir
summary: 100
ob=/bin/app
fl=app.c
fn=main
1 60
cob=/bin/app
cfi=lib/b.c
cfn=beta
calls=1 5
2 30
cob=/lib/libc.so
cfi=str.c
cfn=strlen
calls=1 9
3 10
fl=lib/b.c
fn=beta
5 25
cob=/lib/libc.so
cfi=mem.c
cfn=free
calls=2 7
6 5
ob=/lib/libc.so
fl=str.c
fn=strlen
9 10
fl=mem.c
fn=free
7 5
PROFILE
cg2wg "$given/sums" "$given/sums7" || exit 2
printf 'v 4\nk 100\nr "f" "lib/o" 1\np 1 1 60 60 60 0 1 60 60 60 60 0\nr "g" "o" 2\np 2 1 40 40 40 0 1 40 40 40 40 0\n' \
    >"$given/report"

# ---- --only, --hide, --min, --top

# names OPTION...: the names of the functions that are shown, and what is said of the others
names() {
    cg2wg --print "$@" >"$scratch/table" || return
    sed -n '1,/ function$/d; s/^[-0-9. ]*  \([^ ]*\).*/\1/p; /^\.\.\./p' "$scratch/table" | tr '\n' ' '
}
# chosen NAMES OPTIONS: of the profile and of its preprocessed file, in the table and in JSON
chosen() {
    expected=$1
    options=$2
    for input in sums sums7; do
        run "chosen from $input: $options" 0 "names $options '$given/$input'" out="$expected "
        run "chosen as JSON from $input: $options" 0 \
            "cg2wg --print=json $options '$given/$input' >json
             sed -n 's/.*\"name\": \"\([^\"]*\).*/\1/p' json | tr '\n' ' '
             sed -n 's/.*\"left_out\": {\"functions\": \(.*\), \"cost\": \(.*\), \"percent\": \(.*\)},/\1 \2 \3/p' json |
             sed '/^0 0 0.00\$/d; s/\(.*\) \(.*\) \(.*\)/... and \1 more, with \3 % of the total (\2)/
                  s/\([0-9]*\)\(\..* % .*\) (\1)/\1\2/' |
             tr '\n' ' '; rm json" out="$expected "
    done
}
chosen 'main beta strlen free' ''
chosen 'beta ... and 3 more, with 75.00 % of the total' --only=beta
chosen 'beta free ... and 2 more, with 70.00 % of the total' '--only=beta --only free'
chosen 'strlen ... and 3 more, with 90.00 % of the total' "--only='s*l?n'"
chosen '... and 4 more, with 100.00 % of the total' '--only=et'
chosen 'main beta free ... and 1 more, with 10.00 % of the total' --hide=strlen
chosen 'main ... and 3 more, with 40.00 % of the total' "--hide='*e*'"
chosen 'beta ... and 3 more, with 75.00 % of the total' "--only='*e*' --hide='*r*e*'"
chosen 'beta ... and 3 more, with 75.00 % of the total' "--only='file:lib/*'"
chosen 'strlen free ... and 2 more, with 85.00 % of the total' "--only='object:*libc*'"
chosen 'main beta ... and 2 more, with 15.00 % of the total' "--hide='object:/lib/libc.so'"
chosen 'main beta ... and 2 more, with 15.00 % of the total' "--only='file:*.c' --hide=object:*libc*"
chosen 'main free ... and 2 more, with 35.00 % of the total' '--only=name:main --only=name:free'
chosen 'main beta strlen ... and 1 more, with 5.00 % of the total' --min=10
chosen 'main beta ... and 2 more, with 15.00 % of the total' --min=10.000001%
chosen 'main beta strlen free' --min=5
chosen 'main ... and 3 more, with 40.00 % of the total' '--min=10 --top=1'
chosen 'free strlen ... and 2 more, with 85.00 % of the total' "--hide='*a*' --sort=name"
chosen 'strlen ... and 3 more, with 90.00 % of the total' "--hide='*a*' --sort=name --top=1 --only='s*'"

for version in 4 5 6 7; do
    run "chosen from version $version" 0 "names --only='file:/t*' --hide=f '$given/v$version'" \
        out='{main} ... and 2 more, with 42.86 % of the total '
done
run 'objects are chosen only where there are some' 1 'cg2wg --print --hide=f --only="object:*" profile' \
    err='cg2wg: profile: found no objects of functions, expected some because of object:\*'
run 'without a total, a share is not known' 0 \
    'printf "events: Ir\nsummary: 0\nfl=a.c\nfn=main\n3 0\n" >in; names --min=50 --hide="ma*" in
     cg2wg --print=json --top=1 --hide=main in | grep left_out' files='in profile' \
    out='... and 1 more   "left_out": {"functions": 1, "cost": 0, "percent": null},'
run 'chosen from a report of costs by size' 0 'cg2wg --print --only=f "$given/report" | tr -s " " | tail -n 3' \
    out=' 60 60.00 60 60.00 1 1 - - f (lib/o)
 1 1 60 60.0 60 60 60
... and 1 more, with 40.00 % of the total'
run 'chosen from a report, as plots' 0 'cg2wg --print=plot --hide="file:lib*" "$given/report" | grep -A1 -e "^[fg] " -e more' \
    out='g  (o)
  self 40, inclusive 40, 1 invocation, 1 size
--
... and 1 more, with 60.00 % of the total'
run 'a report has no objects' 1 'cg2wg --print --only=object:o "$given/report"' \
    err='cg2wg: */report: found no objects of functions, *'
run 'chosen from a recording' 0 \
    'cg2wg -q --print --top=1 --only="object:*" --symfs "$top/testdata/perf/symfs" "$top/testdata/perf/time.data" |
     tail -n 1' out='... and * more, with *.* % of the total'

# ---- usage

for option in --only=x --hide=x --min=1 --top=1 --sort=name; do
    run "$option needs --print" 2 "cg2wg $option profile out" err="cg2wg: ${option%=*} needs --print
cg2wg: try cg2wg --help"
done
for option in --only --hide; do
    run "$option needs a pattern" 2 "cg2wg --print $option= profile" \
        err="cg2wg: $option: found \"\", expected PATTERN*"
done
for value in '' x -1 1x 1.x .5 5. 1.2.3 1%% 1e3 1234567 1.2345678; do
    run "--min=$value is none" 2 "cg2wg --print --min='$value' profile" \
        err="cg2wg: --min: found \"$value\", expected PERCENT*"
done

finish
