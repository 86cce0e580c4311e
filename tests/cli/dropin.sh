#!/bin/sh
# SPDX-License-Identifier: MIT
# dropin.sh PROGRAM: called as webgrind calls its own preprocessor.
. "$(dirname "$0")/suite.inc"

# Both proxies that webgrind names: {main} calls f and g by way of them.
printf %b 'version: 1\ncreator: xdebug 3.1.0\ncmd: /t.php\npart: 1\npositions: line\n\n' \
    'events: Time_(10ns) Memory_(bytes)\n\nfl=(1) /t.php\nfn=(1) f\n3 10 0\n\n' \
    'fl=(2) php:internal\nfn=(2) php::call_user_func\n1 2 0\ncfl=(1)\ncfn=(1)\ncalls=1 0 0\n5 10 0\n\n' \
    'fl=(1)\nfn=(3) g\n9 4 0\n\nfl=(2)\nfn=(4) php::call_user_func_array\n1 3 0\ncfl=(1)\ncfn=(3)\n' \
    'calls=1 0 0\n6 4 0\n\nfl=(1)\nfn=(5) {main}\n1 20 0\ncfl=(2)\ncfn=(2)\ncalls=1 0 0\n7 12 0\ncfl=(2)\n' \
    'cfn=(4)\ncalls=1 0 0\n8 7 0\n\nsummary: 39 0\n\n' >"$given/called"
cg2wg -p php::call_user_func -p php::call_user_func_array "$given/called" "$given/called7" || exit 2
cg2wg "$given/called" "$given/plain7" || exit 2

# A webgrind folder, and a storage folder.
webgrind=$scratch/webgrind
mkdir -p "$webgrind/bin"

# preprocess INPUT OUTPUT: the command line that webgrind's exec() gives to a shell
preprocess() {
    sh -c "'$webgrind/bin/preprocessor' '$1' '$2' 'php::call_user_func' 'php::call_user_func_array'"
}

for way in 'a link' 'a hard link' 'a copy' 'a script'; do
    rm -f "$webgrind/bin/preprocessor"
    case $way in
    'a link') ln -s "$program" "$webgrind/bin/preprocessor" ;;
    'a hard link')
        ln "$program" "$webgrind/bin/preprocessor" 2>/dev/null ||
            { skip "$way" 'not possible here'; continue; } ;;
    'a copy') cp "$program" "$webgrind/bin/preprocessor" ;;
    'a script')
        printf '#!/bin/sh\nexec "%s" "$@"\n' "$program" >"$webgrind/bin/preprocessor"
        chmod 755 "$webgrind/bin/preprocessor" ;;
    esac
    run "$way: webgrind's command line" 0 \
        'preprocess "$given/called" cachegrind.out.1.webgrind &&
         cmp cachegrind.out.1.webgrind "$given/called7"' files='cachegrind.out.1.webgrind profile'
done
run 'it writes what webgrind of today reads' 0 'preprocess "$given/called" out && version out' out=7 files='out profile'
run 'with options, and without proxies' 0 \
    '"$webgrind/bin/preprocessor" "$given/called" out && cmp out "$given/plain7" &&
     "$webgrind/bin/preprocessor" -f 6 "$given/called" out && version out' out=6 files='out profile'
run 'help and version are the same' 0 \
    'for word in --help --version; do
         "$webgrind/bin/preprocessor" $word >said && cg2wg $word | cmp - said || echo $word
     done' files='profile said'
run 'an error is the same, and so is wrong usage' 1 \
    'cg2wg /dev/null out 2>message; cg2wg 2>>message; "$webgrind/bin/preprocessor" 2>usage
     [ $? = 2 ] && keeps_old out preprocess /dev/null out 2>other
     s=$?; cat usage >>other; cmp message other; exit $s' files='message other out profile usage'
run 'by way of the PATH' 0 \
    'PATH=$webgrind/bin:$PATH; preprocessor "$given/called" out && cmp out "$given/plain7"' \
    files='out profile'
run 'from another folder by a relative path' 0 \
    'cd "$webgrind" && bin/preprocessor "$given/called" out && cmp out "$given/plain7"; rm out'

run 'the proxies are stepped over' 0 'rows "$given/called7"' out='10 10 1 f  (/t.php:3)
2 2 1 php::call_user_func  (php:internal)
4 4 1 g  (/t.php:9)
3 3 1 php::call_user_func_array  (php:internal)
20 34 1 {main}  (/t.php:1)'
run 'what they called has been called by who called them' 0 \
    'squeezed cg2wg --print=json --sort=none "$given/called7" | sed "s/.*\"functions\"://"' \
    out='*"number":0,"name":"f",*"called_from":[[]{"function":4,"line":5,"count":1,"cost":10}],"sub_calls":[[]]*"number":1,"name":"php::call_user_func",*"called_from":[[]],"sub_calls":[[]]*"number":4,"name":"{main}",*"sub_calls":[[]{"function":0,"line":5,"count":1,"cost":10},{"function":2,"line":6,"count":1,"cost":4}]*'
for version in 4 5 6; do
    run "the proxies are stepped over in version $version" 0 \
        "cg2wg -f $version '$given/called' out php::call_user_func php::call_user_func_array &&
         rows out | grep main" out='20 34 1 {main} *' files='out profile'
done
run 'a proxy by a pattern with a backslash in it' 0 \
    'sed "s/php::call_user_func/App\\\\Proxy->run/" "$given/called" >in
     cg2wg in out "App\\Proxy->*" && rows out | grep main' out='20 34 1 {main} *' \
    files='in out profile'
run 'a name without * and ? is the whole name' 0 \
    'cg2wg "$given/called" out php::call_user && cmp out "$given/plain7" &&
     cg2wg "$given/called" out call_user_func && cmp out "$given/plain7"' files='out profile'
run 'a name is case sensitive' 0 \
    'cg2wg "$given/called" out PHP::call_user_func && cmp out "$given/plain7"' files='out profile'

run 'a storage folder with a blank and a quote in its name' 0 \
    'mkdir "a storage" && preprocess "$given/called" "a storage/cachegrind.out.1.webgrind" &&
     cmp "a storage/cachegrind.out.1.webgrind" "$given/called7" && ls -A "a storage"' \
    out=cachegrind.out.1.webgrind files='a storage profile'
run 'several requests at once for one profile' 0 \
    'for i in 1 2 3 4; do preprocess "$given/called" out & done; wait; cmp out "$given/called7"' \
    files='out profile'
if have gzip; then
    run "a profile that Xdebug compressed, with and without .gz" 0 \
        'gzip -c "$given/called" >cachegrind.out.1.gz; cp cachegrind.out.1.gz cachegrind.out.2
         preprocess cachegrind.out.1.gz out && cmp out "$given/called7" &&
         preprocess cachegrind.out.2 out && cmp out "$given/called7"' \
        files='cachegrind.out.1.gz cachegrind.out.2 out profile'
    run 'a damaged compressed profile gives no output: webgrind then tries its own' 1 \
        '{ gzip -c "$given/called"; printf "\037\213\011\0\0\0\0\0\0\003"; } >bad.gz; preprocess bad.gz out' \
        err='cg2wg: bad.gz:*' files='bad.gz profile'
fi
run 'an image gives no output' 1 \
    'printf "\211PNG\r\n\032\n\000\000\000\015IHDR" >image; preprocess image out' \
    err='cg2wg: image: *' files='image profile'

finish
