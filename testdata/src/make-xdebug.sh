#!/bin/sh
# PHP=COMMAND make-xdebug.sh OUTPUT [-d OPTION=VALUE...] SCRIPT...
#
# Profiles programs of src/php, which have to stand in /srv/shop (`cp -r php/. /srv/shop`, so that the
# profiles name neutral paths). PHP is the command, with -d zend_extension=... where that is needed;
# works with Xdebug 2 and 3. Several scripts are appended to one profile.
set -eu
output=$1
shift
options=
while [ "$1" = -d ]; do
    options="$options -d $2"
    shift 2
done
folder=$(dirname "$output")
name=$(basename "$output")
rm -f "$output"
[ $# -eq 1 ] || options="$options -d xdebug.profiler_append=1"
for script in "$@"; do
    ${PHP:-php} -d date.timezone=UTC -d xdebug.mode=profile -d xdebug.start_with_request=yes \
        -d xdebug.profiler_enable=1 -d xdebug.output_dir="$folder" \
        -d xdebug.profiler_output_dir="$folder" -d xdebug.profiler_output_name="$name" \
        $options "/srv/shop/$script" >/dev/null 2>&1 </dev/null || echo "$script: exit status $?"
done
