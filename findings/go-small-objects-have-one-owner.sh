#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Go's heap profile is exact with MemProfileRate = 1: each object counts where it is allocated.
# Expected of two functions that allocate a number of 8 bytes each, in turn: the same number of
# objects in both, and as many in all as allocs/op of a benchmark says.
#
# Seen: the first has all the bytes, and the second is not in the profile. Objects below 16 bytes
# that hold no pointers share a block of 16, and only who opens a block is seen; the block counts
# as one object of his. If the first allocates no more, the second has 8 bytes a round, from
# nothing. If the second keeps its numbers, and the first does not, all that is in use is the
# first's. The default rate samples the same blocks, so no number of samples shows the second. A
# garbage collection begins with a new block, so the two may change places there.
#
# Why it matters: small strings and numbers are what leaks by the million. The leak is in a
# function that keeps nothing, and what one function saves, another seems to have lost. Up to 15
# objects of 16 are in no count of objects, so they do not add up to allocs/op.
#
# Debian sid's golang-1.27-go 1.27.3-1; 1.24.4 does the same; November 2026

source "$(dirname "$0")/support.bash"
debian_packages sid golang-1.27-go=1.27.3-1 golang-1.27-src=1.27.3-1

cat >"$work/small.go" <<'END'
package main

import (
	"fmt"
	"os"
	"runtime"
	"strings"
)

const rounds = 100000

var kept [rounds]*int64
var last *int64

//go:noinline
func first() { last = new(int64) }

//go:noinline
func second(i int) { kept[i] = new(int64) }

func main() {
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	for i := range rounds {
		if os.Args[1] == "both" {
			first()
		}
		second(i)
	}
	runtime.ReadMemStats(&after)
	fmt.Printf("a round: %.1f objects\n", float64(after.Mallocs-before.Mallocs)/rounds)
	last = nil
	runtime.GC()
	records := make([]runtime.MemProfileRecord, 1000)
	count, _ := runtime.MemProfile(records, true)
	for _, name := range []string{"first", "second"} {
		var objects, bytes, inUse float64
		for _, record := range records[:count] {
			frame, _ := runtime.CallersFrames(record.Stack()).Next()
			if strings.HasSuffix(frame.Function, "."+name) {
				objects += float64(record.AllocObjects)
				bytes += float64(record.AllocBytes)
				inUse += float64(record.InUseBytes())
			}
		}
		fmt.Printf("%s: %.1f objects, %.0f bytes, %.0f in use\n",
			name, objects/rounds, bytes/rounds, inUse/rounds)
	}
}
END
(cd "$work" && GOCACHE=$work/cache GOPATH=$work/go GO111MODULE=off GOTOOLCHAIN=local \
    root/usr/lib/go-1.27/bin/go build -o small small.go >log 2>&1)

# usage: rounds WHO RATE
# No collection but those that are asked for, and all on one processor.
rounds() {
    GODEBUG=memprofilerate=$2 GOGC=off GOMAXPROCS=1 "$work/small" "$1"
}
shows "both allocate, the second keeps" "$(rounds both 1)" \
"a round: 2.0 objects
first: 1.0 objects, 16 bytes, 16 in use
second: 0.0 objects, 0 bytes, 0 in use"
shows "only the second allocates" "$(rounds second 1)" \
"a round: 1.0 objects
first: 0.0 objects, 0 bytes, 0 in use
second: 0.5 objects, 8 bytes, 8 in use"
shows "both allocate, and one of 4096 bytes is sampled: the second" \
    "$(rounds both 4096 | grep second)" "second: 0.0 objects, 0 bytes, 0 in use"
