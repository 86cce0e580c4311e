#!/bin/sh
# make.sh OUTPUT_FOLDER: makes the profiles of ../README.md anew. The programs beside this script have to
# stand in /srv/shop (`mkdir -p /srv/shop && cp *.php *.c /srv/shop`). Takes a minute and a half.
#
# PHP: PHP 8.2 with Xdebug 3.2, PHP-Parser 4.15 in /usr/share/php and posix. PHP73, PHP72, PHP53, PHP52:
# PHP with Xdebug 2.9.8, 2.6.1, 2.2.7 and 2.0.5, each with -d zend_extension=... where that is needed; what
# is not set is left out. PHP52's Xdebug has to call gettimeofdaz instead of gettimeofday, see clock.c:
# `sed 's/gettimeofday/gettimeofdaz/g' xdebug.so` makes one that does.
set -eu
folder=$(cd "$1" && pwd)
cd /srv/shop

profile() { # PHP_COMMAND NAME SCRIPT OPTION...
    [ -n "$1" ] || return 0
    command=$1 name=$2 script=$3
    shift 3
    rm -f "$folder/$name.out"
    $command -d date.timezone=UTC -d xdebug.mode=profile -d xdebug.start_with_request=yes \
        -d xdebug.use_compression=0 -d xdebug.profiler_enable=1 -d xdebug.output_dir="$folder" \
        -d xdebug.profiler_output_dir="$folder" -d xdebug.profiler_output_name="$name.out" "$@" \
        "/srv/shop/$script" >/dev/null || echo "$script: exit status $?"
}
php=${PHP:-php}
profile "$php" 132-nightly nightly.php
awk '/^summary: / || /^[0-9]+ -?[0-9]+( |$)/ { $2 *= 100 } { print }' OFMT=%.0f CONVFMT=%.0f \
    "$folder/132-nightly.out" >"$folder/141-nightly-x100.out"
profile "$php" 33-categories categories.php
profile "$php" 142-discounts discounts.php
# From a cache of compiled files, the second time; else nearly all of the time goes into compiling.
cache=$(mktemp -d)
for _ in first second; do
    profile "$php" 177-pretty pretty.php -d opcache.enable_cli=1 -d opcache.file_cache="$cache" \
        -d opcache.file_cache_only=1
done
rm -r "$cache"
profile "$php" 9-memory memory.php
profile "${PHP73-}" 51-memory memory.php
profile "${PHP72-}" 111-memory memory.php
profile "$php" 118-timeout timeout.php
profile "$php" 156-at-once at-once.php
profile "${PHP53-}" 97-after after.php
cc -O1 -shared -fPIC -o clock.so clock.c
[ -z "${PHP52-}" ] || profile "env LD_PRELOAD=/srv/shop/clock.so CLOCK_GLITCH=10 $PHP52" 8-stock stock.php

callgrind() { # NAME OPTION...
    name=$1
    shift
    valgrind -q --tool=callgrind --callgrind-out-file="$folder/$name.out" --toggle-collect=main "$@"
}
cc -O1 -g -o accounts accounts.c
callgrind 10-accounts ./accounts
cc -O0 -g -o tree tree.c
callgrind 151-tree --cache-sim=yes ./tree
chmod 644 "$folder"/*.out
