#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Go's mutex profile says how long others waited for a mutex, at the place that unlocked it; the
# block profile says the same at the place that waited. Expected: with every wait profiled, as with
# a fraction and a rate of 1, both have the same total.
#
# Seen: they do where all come at once, or at even distances. An unlock counts the longest wait, and
# for each other one the mean of the longest and the shortest. A mutex is held for a second, and 99
# come for it after 0.9 s: both have 10 s. With one more that has been there from the start, all
# have waited for 11 s, and for 55 s by the mutex profile. Where 99 were there from the start, and
# one comes late, it is 55 s of 99 s.
#
# Why it matters: one more wait of a second adds 45 s, and one more of 0.1 s takes 44 s away, where
# the block profile has what they waited. Requests come in bursts, as these do. A difference of two
# mutex profiles says at which unlock, but not how much; the contentions are right.
#
# Debian sid's golang-1.27-go 1.27.3-1; November 2026

source "$(dirname "$0")/support.bash"
debian_packages sid golang-1.27-go=1.27.3-1 golang-1.27-src=1.27.3-1

cat >"$work/waits.go" <<'END'
package main

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"runtime"
	"runtime/pprof"
	"strings"
	"sync"
	"time"
)

// How often, and how many seconds, by a profile's text: cycles and contentions of each stack.
func total(name, function string) (count int, seconds float64) {
	var text bytes.Buffer
	pprof.Lookup(name).WriteTo(&text, 1)
	var perSecond, stackCycles float64
	var stackCount int
	for lines := bufio.NewScanner(&text); lines.Scan(); {
		line := lines.Text()
		fmt.Sscanf(line, "cycles/second=%g", &perSecond)
		if strings.Contains(line, " @ ") {
			fmt.Sscanf(line, "%g %d", &stackCycles, &stackCount)
		} else if strings.Contains(line, function) {
			count += stackCount
			seconds += stackCycles / perSecond
		}
	}
	return
}

// Early ones wait for a second, late ones for 0.1 s.
func wait(early, late int) {
	blocks, blocked := total("block", "sync.(*Mutex).Lock")
	unlocks, unlocked := total("mutex", "sync.(*Mutex).Unlock")
	var mutex sync.Mutex
	var all sync.WaitGroup
	come := func(number int) {
		for range number {
			all.Go(func() {
				mutex.Lock()
				mutex.Unlock()
			})
		}
	}
	mutex.Lock()
	come(early)
	time.Sleep(900 * time.Millisecond)
	come(late)
	time.Sleep(100 * time.Millisecond)
	mutex.Unlock()
	all.Wait()
	blocksAfter, blockedAfter := total("block", "sync.(*Mutex).Lock")
	unlocksAfter, unlockedAfter := total("mutex", "sync.(*Mutex).Unlock")
	ratio := (unlockedAfter - unlocked) / (blockedAfter - blocked)
	delay := "as long"
	if ratio > 3 {
		delay = "more than three times as long"
	} else if ratio < 0.7 {
		delay = "less than two thirds as long"
	} else if ratio < 0.9 || ratio > 1.1 {
		delay = fmt.Sprintf("%.2f times as long", ratio)
	}
	fmt.Fprintf(os.Stderr, "%d early, %d late: block %.1f s, mutex %.1f s\n", early, late,
		blockedAfter-blocked, unlockedAfter-unlocked)
	fmt.Printf("%d early, %d late: block %d waits, mutex %d waits, %s\n", early, late,
		blocksAfter-blocks, unlocksAfter-unlocks, delay)
}

func main() {
	runtime.SetMutexProfileFraction(1)
	runtime.SetBlockProfileRate(1)
	wait(99, 0)
	wait(0, 99)
	wait(1, 99)
	wait(99, 1)
}
END
(cd "$work" && GOCACHE=$work/cache GOPATH=$work/go GO111MODULE=off GOTOOLCHAIN=local \
    root/usr/lib/go-1.27/bin/go build -o waits waits.go >log 2>&1)
shows "waits for a mutex, by both profiles" "$("$work/waits")" \
"99 early, 0 late: block 99 waits, mutex 99 waits, as long
0 early, 99 late: block 99 waits, mutex 99 waits, as long
1 early, 99 late: block 100 waits, mutex 100 waits, more than three times as long
99 early, 1 late: block 100 waits, mutex 100 waits, less than two thirds as long"
