#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Go 1.27 has a profile goroutineleak, of goroutines that wait for something that nothing else in
# the program can reach. Expected: a thousand goroutines, each waiting for a mutex of its own that
# is locked and forgotten, are a thousand leaks.
#
# Seen: they are none, if a number was allocated after each mutex and is still in use. Go puts
# objects of less than 16 bytes without pointers in blocks of 16 bytes, several in each, and the
# collector keeps a block as a whole. A sync.Mutex has 8 bytes, so a live neighbor makes it
# reachable, and who waits for it may yet be woken up. With a counter beside the mutex in one
# structure, of 16 bytes, all of them are leaks; so are goroutines that wait for a sync.WaitGroup or
# a channel, which are larger. Mutexes with no other small objects are right but for the last ones,
# whose block is still being filled.
#
# Why it matters: none at all need not be none, as one small object in use hides each. In a
# difference of two builds, a thousand leaks come or go by a field that is added to a structure, or
# by what else is allocated. Compare the goroutine profile, too, which has them all.
#
# Debian sid's golang-1.27-go 1.27.3-1; November 2026

source "$(dirname "$0")/support.bash"
debian_packages sid golang-1.27-go=1.27.3-1 golang-1.27-src=1.27.3-1

cat >"$work/leak.go" <<'END'
package main

import (
	"bytes"
	"fmt"
	"runtime"
	"runtime/pprof"
	"sync"
	"time"
)

type counter struct {
	sync.Mutex
	count int64
}

var numbers []*int64

// Starts a thousand goroutines, each of which waits for a mutex that nothing else can reach.
func leak(what string, mutex func() sync.Locker, number bool) {
	before := profiled("goroutine")
	leaksBefore := profiled("goroutineleak")
	for range 1000 {
		forgotten := mutex()
		if number {
			numbers = append(numbers, new(int64))
		}
		forgotten.Lock()
		go forgotten.Lock()
	}
	time.Sleep(100 * time.Millisecond)
	leaks := profiled("goroutineleak") - leaksBefore
	found := fmt.Sprint(leaks)
	if leaks >= 990 {
		found = "nearly all, or all"
	}
	fmt.Printf("%s: %d goroutines more, leaks: %s\n", what, profiled("goroutine")-before, found)
}

// The number of goroutines in a profile.
func profiled(name string) (total int) {
	var text bytes.Buffer
	pprof.Lookup(name).WriteTo(&text, 1)
	fmt.Sscanf(text.String(), name+" profile: total %d", &total)
	return
}

func main() {
	mutex := func() sync.Locker { return new(sync.Mutex) }
	leak("mutexes beside numbers in use", mutex, true)
	leak("counters with a mutex, beside numbers", func() sync.Locker { return new(counter) }, true)
	leak("mutexes alone", mutex, false)
	runtime.KeepAlive(numbers)
}
END
(cd "$work" && GOCACHE=$work/cache GOPATH=$work/path GO111MODULE=off GOTOOLCHAIN=local \
    GOTELEMETRY=off root/usr/lib/go-1.27/bin/go build -o leak leak.go >log 2>&1)
shows "a thousand goroutines each" "$("$work/leak")" \
"mutexes beside numbers in use: 1000 goroutines more, leaks: 0
counters with a mutex, beside numbers: 1000 goroutines more, leaks: nearly all, or all
mutexes alone: 1000 goroutines more, leaks: nearly all, or all"
