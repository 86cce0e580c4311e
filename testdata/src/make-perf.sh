#!/bin/sh
# make-perf.sh OUTPUT_FOLDER: records the program in src/perf, which has to stand in /srv/shop/perf
# (`cp -r perf /srv/shop`), with perf's software events; and copies what holds symbols to symfs/.
set -eu
folder=$1
cd /srv/shop/perf
build='cc -O1 -fno-omit-frame-pointer -no-pie'
$build -o app app.c -ldl -pthread
$build -shared -fPIC -o libone.so one.c
$build -shared -fPIC -o libtwo.so two.c
c++ -O1 -fno-omit-frame-pointer -no-pie -nodefaultlibs -o cpp cpp.cpp -lc
for file in app libone.so libtwo.so cpp; do
    strip --strip-debug $file
done
cc -O0 -g -o lines lines.c # which keeps its lines, and is position-independent
mkdir -p "$folder/symfs/srv/shop/perf"
cp app libone.so libtwo.so cpp lines "$folder/symfs/srv/shop/perf"

perf record -q -e cpu-clock:u -F 997 -g -o time.data ./app
perf record -q -e cpu-clock:u -e page-faults/period=1/u -F 997 -g -o two.data ./app
perf record -q -e '{cpu-clock:u,page-faults:u}:S' -F 997 -g -o group.data ./app
perf record -q -e task-clock:u -F 997 -g -o - ./app >pipe.data
perf record -q -e cpu-clock:u -F 997 -g -o cpp.data ./cpp
perf record -q -e cpu-clock:u -F 997 -g -o lines.data ./lines 3
perf record -q -z -e cpu-clock:u -F 997 -g -o compressed.data ./app
perf record -q -z -e cpu-clock:u -F 997 -g -o - ./app >compressed-pipe.data
mv time.data two.data group.data pipe.data cpp.data lines.data compressed.data compressed-pipe.data "$folder"
