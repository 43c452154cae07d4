#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Go samples one of N waits for mutexes, N being SetMutexProfileFraction. /debug/pprof/mutex has the
# profile as protobuf, and with debug=1 as text, which go tool pprof reads, too. Expected: both have
# the same values, each sample times N.
#
# Seen: the text has N times as much. Go multiplies by N when it counts, since 1.20; before, it did
# when it wrote protobuf. The text still begins with "sampling period=N", by which go tool pprof
# multiplies what has been multiplied already. Where a service has turned the profile off again
# before it is read, N is 0, and then pprof takes cycles of the clock for nanoseconds. In block
# profiles there is no such line, and both agree.
#
# Why it matters: a service whose fraction was 5 and is 10 waits twice as long in its texts, and a
# text against a protobuf of the same service has grown N times. The numbers in the text itself
# are right, in cycles.
#
# Debian sid's golang-1.27-go 1.27.3-1, golang-github-google-pprof-dev 0.0~git20260202.cb029da-2;
# November 2026

source "$(dirname "$0")/support.bash"
debian_packages sid golang-1.27-go=1.27.3-1 golang-1.27-src=1.27.3-1 \
    golang-github-google-pprof-dev=0.0~git20260202.cb029da-2

cat >"$work/mutex.go" <<'END'
package main

import (
	"bytes"
	"fmt"
	"math"
	"runtime"
	"runtime/pprof"
	"sync"
	"time"

	"github.com/google/pprof/profile"
)

// Contentions and delay of a profile, which is protobuf, or text with debug=1.
func total(name string, debug int) (contentions, delay float64) {
	var written bytes.Buffer
	pprof.Lookup(name).WriteTo(&written, debug)
	read, err := profile.Parse(&written)
	if err != nil {
		panic(err)
	}
	for _, sample := range read.Sample {
		contentions += float64(sample.Value[0])
		delay += float64(sample.Value[1])
	}
	return
}

func compare(name string, on bool) {
	contentions, delay := total(name, 0)
	textContentions, textDelay := total(name, 1)
	factor := textDelay / delay
	delays := fmt.Sprintf("%.0f times the delay", factor)
	if !on && math.Abs(factor-1) > 0.01 {
		delays = "a delay in other units"
	}
	fmt.Printf("%s: %.0f times the contentions, %s\n", name, textContentions/contentions, delays)
}

func main() {
	runtime.SetBlockProfileRate(1)
	var mutex sync.Mutex
	for _, fraction := range []int{1, 5, 10} {
		runtime.SetMutexProfileFraction(fraction)
		var threads sync.WaitGroup
		for range 4 {
			threads.Go(func() {
				for range 200 {
					mutex.Lock()
					time.Sleep(time.Millisecond)
					mutex.Unlock()
				}
			})
		}
		threads.Wait()
		fmt.Printf("fraction %d, ", fraction)
		compare("mutex", true)
	}
	runtime.SetMutexProfileFraction(0)
	fmt.Print("turned off, ")
	compare("mutex", false)
	compare("block", true)
}
END
(cd "$work" && GOCACHE=$work/cache GOPATH=$work/root/usr/share/gocode GO111MODULE=off \
    GOTOOLCHAIN=local root/usr/lib/go-1.27/bin/go build -o mutex mutex.go >log 2>&1)
shows "what the text has, of what the protobuf has" "$("$work/mutex")" \
"fraction 1, mutex: 1 times the contentions, 1 times the delay
fraction 5, mutex: 5 times the contentions, 5 times the delay
fraction 10, mutex: 10 times the contentions, 10 times the delay
turned off, mutex: 1 times the contentions, a delay in other units
block: 1 times the contentions, 1 times the delay"
