#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Captures testdata/ anew, but for what README.md says: testdata/makers/make.sh [OUTPUT_DIR]
#
# The programs are copied to, built in and run from one neutral folder, so that no path of the
# machine that made them gets into the profiles.
set -euo pipefail

makers=$(cd "$(dirname "$0")" && pwd)
out=$(realpath -m "${1:-$makers/..}")
work=/tmp/pprofdelta-testdata

rm -rf "$work"
mkdir -p "$work" "$out"
cp -r "$makers"/*/ "$work"
cd "$work"

go_build() { # SOURCE_DIR PROGRAM
    (cd "$1" && GO111MODULE=off go build -trimpath -o "../bin/$2" .)
}

go_build go-service go-service
bin/go-service heap "90:$out/go-heap.prev.pb.gz" "60:$out/go-heap.cur.pb.gz"
bin/go-service mutex "90:$out/go-mutex.prev.pb.gz" "60:$out/go-mutex.cur.pb.gz"
bin/go-service block "90:$out/go-block.prev.pb.gz" "60:$out/go-block.cur.pb.gz"
bin/go-service goroutine "10:$out/go-goroutine.pb.gz"
bin/go-service cpu "400:$out/go-cpu.pb.gz"

# The second capture is that of a new process.
bin/go-service heap "150:$out/go-heap-restart.prev.pb.gz"
bin/go-service heap "20:$out/go-heap-restart.cur.pb.gz"

go_build go-lifetimes go-lifetimes
bin/go-lifetimes 65536 "$out/go-lifetimes.prev.pb.gz" "$out/go-lifetimes.cur.pb.gz"

go_build go-builds go-builds
bin/go-builds "$out/go-heap-build-a.pb.gz"
patch -s go-builds/main.go go-builds/regression.patch
go_build go-builds go-builds
bin/go-builds "$out/go-heap-build-b.pb.gz"

# Eight runs of two revisions, in turn, of a benchmark that tests/deploy/recipes has.
cp -r "$makers/../../tests/deploy/recipes/wordindex" "$work/wordindex"
go_bench() { # PROGRAM
    (cd wordindex && GO111MODULE=on GOFLAGS=-mod=mod go test -trimpath -c -o "../bin/$1" .)
}
go_bench base.test
patch -s wordindex/index.go "$makers/../../tests/deploy/recipes/regression.patch"
go_bench head.test
mkdir -p "$out"/captures/{base,head}
for run in {1..8}; do
    for side in base head; do
        "bin/$side.test" -test.run '^$' -test.bench . -test.benchtime 300x -test.cpu 1 \
            -test.memprofilerate 16384 -test.memprofile "$out/captures/$side/$run.pb.gz"
    done
done

node node-heap/main.js "$out/node-heap.prev.pb.gz" "$out/node-heap.cur.pb.gz"

g++ -std=c++20 -O1 -g -fno-omit-frame-pointer -ffile-prefix-map="$work/=" -o bin/cpp-work \
    cpp-work/main.cpp -ltcmalloc_and_profiler
bin/cpp-work heap cpp
go tool pprof -proto -output "$out/cpp-heap.prev.pb.gz" bin/cpp-work cpp.0001.heap
go tool pprof -proto -output "$out/cpp-heap.cur.pb.gz" bin/cpp-work cpp.0002.heap
bin/cpp-work cpu cpp.cpu
go tool pprof -proto -output "$out/cpp-cpu.pb.gz" bin/cpp-work cpp.cpu

# Text profiles.
cpp_text() { # PROFILER LIBRARY
    g++ -std=c++20 -O1 -g -fno-omit-frame-pointer -ffile-prefix-map="$work/=" -o "bin/cpp-text-$1" \
        cpp-text/main.cpp "cpp-text/$1.cpp" "-l$2"
}
mkdir -p "$out/text"
cpp_text gperftools tcmalloc
TCMALLOC_SAMPLE_PARAMETER=65536 bin/cpp-text-gperftools "$out/text/gperftools"
cpp_text jemalloc jemalloc
MALLOC_CONF=prof:true,prof_accum:true,lg_prof_sample:14 bin/cpp-text-jemalloc "$out/text/jemalloc"
go_build go-text go-text
bin/go-text "$out/text"
# Of the start only what shows that nothing was freed yet is of interest.
rm "$out"/text/{gperftools-{sampled,growth},jemalloc}.start.heap
gzip -9n -f "$out"/text/go-text-heap.*.txt
