#!/bin/sh
# make-other.sh OUTPUT_FOLDER: profiles the programs in src/other, which have to stand in
# /srv/shop/other (`cp -r other /srv/shop`), with the profilers whose Debian packages are named here.
# $PHPSPY is phpspy's program, built from its source (https://github.com/adsr/phpspy).
set -eu
folder=$1
work=/srv/shop/other
cd "$work"

# google-perftools and libgoogle-perftools-dev
cc -O1 -g -o sample sample.c -Wl,--no-as-needed -lprofiler
CPUPROFILE="$work/sample.prof" CPUPROFILE_FREQUENCY=1000 ./sample 2>/dev/null
google-pprof --callgrind ./sample sample.prof 2>/dev/null >"$folder/gperftools.out"

# golang-go
(cd go && { [ -e go.mod ] || go mod init shop 2>/dev/null; } && go build -o shop . && ./shop cpu.prof >/dev/null)
(cd go && go tool pprof -callgrind -output "$folder/go-pprof.out" shop cpu.prof >/dev/null 2>&1)

# libdevel-nytprof-perl
NYTPROF=file=nytprof.out perl -d:NYTProf shop.pl >/dev/null
nytprofcg --file nytprof.out --out "$folder/nytprof.out" >/dev/null

# python3-yappi
/usr/bin/python3 -c "
import yappi, shop
yappi.set_clock_type('cpu')
yappi.start()
shop.main()
yappi.stop()
yappi.get_func_stats().save('$folder/yappi.out', type='callgrind')"

# pyprof2calltree
/usr/bin/python3 -m cProfile -o python.prof shop.py
/usr/bin/pyprof2calltree -i python.prof -o "$folder/pyprof2calltree.out" >/dev/null

# ruby-stackprof
ruby -I. -e "
require 'stackprof'
require 'shop'
StackProf.run(mode: :cpu, interval: 200, out: 'stackprof.dump', raw: true) { 600.times { main(8) } }"
stackprof --callgrind stackprof.dump >"$folder/stackprof.out"

# ruby-prof (a gem)
ruby -I. -e "
require 'ruby-prof'
require 'shop'
result = RubyProf::Profile.profile(measure_mode: RubyProf::WALL_TIME) { main(0) }
RubyProf::CallTreePrinter.new(result).print(path: '$work')"
cp "$(ls -S callgrind.out.* | head -1)" "$folder/ruby-prof.out"

# brz; Valgrind slows it down, so that something takes a millisecond, its unit
HOME=$work valgrind -q --tool=none --trace-children=yes brz --no-plugins --lsprof-file "$work/brz.callgrind" rocks \
    >/dev/null 2>&1
cp brz.callgrind "$folder/breezy.out"

# phpspy; reli ($RELI is its program, from https://github.com/reliforp/reli-prof) reads its traces.
if [ -n "${PHPSPY:-}" ]; then
    "$PHPSPY" -j callgrind -o "$folder/phpspy.out" -H 999 -S -- php -n shop.php 3 >/dev/null 2>&1
    if [ -n "${RELI:-}" ]; then
        "$PHPSPY" -o shop.trace -H 999 -S -- php -n shop.php 3 >/dev/null 2>&1
        "$RELI" converter:callgrind <shop.trace >"$folder/reli.out"
    fi
fi
