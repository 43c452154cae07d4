#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Go's metric /sync/mutex/wait/total:seconds is the time that goroutines have waited for mutexes;
# its description calls it approximate. Expected: each wait has the same chance to be sampled, so
# that many of them add up to about the time that they took.
#
# Seen: for a worker that waits in turn for a mutex and for a channel, it is nothing or twice the
# time, however long it runs. Every eighth stop of a goroutine counts eight times, from a first one
# that is drawn when it starts, so with two kinds of waits in turn it is always the same kind. With
# three others between two waits for the mutex, it is nothing or four times the time; with two, it
# is right. /sched/latencies:seconds comes from the same stops, but multiplies nothing: of 10,000
# waits for a processor, it has an eighth.
#
# Why it matters: a service with few workers draws its figure when it starts, so that a restart
# changes it as a release would, and the difference of two builds is that of two draws. It averages
# out over many goroutines only. A sum or a rate of the latencies is eight times too small.
#
# Debian sid's golang-1.27-go 1.27.3-1; November 2026

source "$(dirname "$0")/support.bash"
debian_packages sid golang-1.27-go=1.27.3-1 golang-1.27-src=1.27.3-1

cat >"$work/waits.go" <<'END'
package main

import (
	"math"
	"runtime"
	"runtime/metrics"
	"sync"
	"time"
)

func read(name string) metrics.Value {
	sample := []metrics.Sample{{Name: name}}
	metrics.Read(sample)
	return sample[0].Value
}

func mutexSeconds() float64 { return read("/sync/mutex/wait/total:seconds").Float64() }

// With one processor, the worker runs until it waits.
func yield() {
	for range 3 {
		runtime.Gosched()
	}
}

// The mean of how many times each of a worker's 8 waits for a mutex counts, to a power of two; it
// waits some times for a channel after each.
func multiple(others int) (mean float64) {
	const rounds = 8
	var mutex sync.Mutex
	var waited time.Duration
	next := make(chan bool)
	mutex.Lock()
	go func() {
		for range rounds {
			start := time.Now()
			mutex.Lock()
			waited = time.Since(start)
			mutex.Unlock()
			for range others {
				<-next
			}
		}
	}()
	for range rounds {
		before := mutexSeconds()
		time.Sleep(2 * time.Millisecond)
		mutex.Unlock()
		yield()
		times := (mutexSeconds() - before) / waited.Seconds()
		mean += math.Exp2(math.Round(math.Log2(times))) / rounds
		mutex.Lock()
		for range others {
			next <- true
			yield()
		}
	}
	return
}

// Waits for the only processor in the histogram.
func latencies() (count uint64) {
	for _, each := range read("/sched/latencies:seconds").Float64Histogram().Counts {
		count += each
	}
	return
}

func main() {
	runtime.GOMAXPROCS(1)
	for others := 1; others < 4; others++ {
		var workers [9]int
		for range 40 {
			workers[int(math.Round(multiple(others)))]++
		}
		for times, count := range workers {
			if count > 2 { // fewer: it was interrupted
				println(others, "between:", times, "times")
			}
		}
	}
	before := latencies()
	var yielding sync.WaitGroup
	for range 100 {
		yielding.Go(func() {
			for range 99 {
				runtime.Gosched()
			}
		})
	}
	yielding.Wait()
	println("latencies: 1 in", int(math.Round(10000/float64(latencies()-before))))
}
END
(cd "$work" && GOCACHE=$work/cache GOPATH=$work/go GO111MODULE=off GOTOOLCHAIN=local CGO_ENABLED=0 \
    root/usr/lib/go-1.27/bin/go build -gcflags=all=-l -ldflags="-s -w" -o waits waits.go >log 2>&1)
shows "time by the metric for 40 workers, by number of waits between" "$("$work/waits" 2>&1)" \
"1 between: 0 times
1 between: 2 times
2 between: 1 times
3 between: 0 times
3 between: 4 times
latencies: 1 in 8"
