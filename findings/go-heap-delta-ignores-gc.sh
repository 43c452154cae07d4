#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# /debug/pprof/heap of a Go service collects garbage first with gc=1, and with seconds=N it is the
# difference of two heap profiles, N seconds apart. Expected: with both, a collection before each
# of the two, so that what was allocated in between is in the difference, and nothing else; and a
# difference of /debug/pprof/allocs opens as the bytes allocated.
#
# Seen: gc=1 is ignored with seconds=N. Profiles are as of the last collection, so if there was
# none in between, the difference is empty: 20 MiB that were leaked in the interval are not in it.
# If there was one, all since the one before is in it: 30 MiB that were allocated before the
# interval began. A difference of allocs has lost its default type, so go tool pprof, which goes by
# that, shows memory in use instead.
#
# Why it matters: where a heap is large, or little is allocated, there is a collection every two
# minutes. A shorter difference is nothing or a multiple of the truth, and a rate by its
# duration_nanos is wrong. Take two profiles with gc=1, and subtract these.
#
# Debian sid's golang-1.27-go 1.27.3-1, golang-github-google-pprof-dev 0.0~git20260202.cb029da-2;
# November 2026

source "$(dirname "$0")/support.bash"
debian_packages sid golang-1.27-go=1.27.3-1 golang-1.27-src=1.27.3-1 \
    golang-github-google-pprof-dev=0.0~git20260202.cb029da-2

cat >"$work/delta.go" <<'END'
package main

import (
	"fmt"
	"net/http/httptest"
	"net/http/pprof"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/google/pprof/profile"
)

var kept [][]byte

//go:noinline
func leak(mebibytes int) {
	for range mebibytes {
		kept = append(kept, make([]byte, 1<<20))
	}
}

// The profile that a service answers with, which has something else to do meanwhile.
func get(query string, meanwhile func()) *profile.Profile {
	var all sync.WaitGroup
	all.Go(func() {
		time.Sleep(300 * time.Millisecond)
		meanwhile()
	})
	name, _, _ := strings.Cut(query, "?")
	answer := httptest.NewRecorder()
	pprof.Handler(name).ServeHTTP(answer, httptest.NewRequest("GET", "/debug/pprof/"+query, nil))
	all.Wait()
	answered, err := profile.Parse(answer.Body)
	if err != nil {
		panic(err)
	}
	return answered
}

// MiB that leak() allocated.
func leaked(answered *profile.Profile) (mebibytes int64) {
	index, _ := answered.SampleIndexByName("alloc_space")
	for _, sample := range answered.Sample {
		for _, location := range sample.Location {
			for _, line := range location.Line {
				if line.Function.Name == "main.leak" {
					mebibytes += sample.Value[index] >> 20
				}
			}
		}
	}
	return
}

func main() {
	before := leaked(get("heap?gc=1", func() {}))
	fmt.Println("meanwhile 20, by heap?seconds=2&gc=1:",
		leaked(get("heap?seconds=2&gc=1", func() { leak(20) })))
	fmt.Println("meanwhile 20, by two of heap?gc=1:", leaked(get("heap?gc=1", func() {}))-before)
	leak(30)
	fmt.Println("before 30, and meanwhile a collection, by allocs?seconds=2:",
		leaked(get("allocs?seconds=2", runtime.GC)))
	for _, query := range []string{"allocs", "allocs?seconds=2"} {
		answered := get(query, func() {})
		index, _ := answered.SampleIndexByName("") // as go tool pprof does
		fmt.Println(query, "opens as", answered.SampleType[index].Type)
	}
}
END
# Without what takes long to build.
(cd "$work" && GOCACHE=$work/cache GOPATH=$work/root/usr/share/gocode GO111MODULE=off \
    GOTOOLCHAIN=local CGO_ENABLED=0 \
    root/usr/lib/go-1.27/bin/go build -gcflags=all=-l -ldflags="-s -w" -o delta delta.go >log 2>&1)
shows "MiB, and default types" "$(GODEBUG=memprofilerate=1 GOGC=off "$work/delta")" \
"meanwhile 20, by heap?seconds=2&gc=1: 0
meanwhile 20, by two of heap?gc=1: 20
before 30, and meanwhile a collection, by allocs?seconds=2: 30
allocs opens as alloc_space
allocs?seconds=2 opens as inuse_space"
