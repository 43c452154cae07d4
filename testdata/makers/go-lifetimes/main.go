// SPDX-License-Identifier: Apache-2.0

// Allocates memory that lives as long as the names of the functions say, and writes two heap
// profiles, 4 seconds apart:
//
//	go-lifetimes RATE PREV CUR
package main

import (
	"log"
	"os"
	"runtime"
	"runtime/pprof"
	"strconv"
	"time"
)

const size = 8 << 10

// Filled in at all times: what a place held lived for as long as it takes to come round.
type ring struct {
	places   [][]byte
	next     int
	allocate func() []byte
	count    int // in each tick
}

func (r *ring) tick() {
	for i := 0; i < r.count; i++ {
		r.places[r.next] = r.allocate()
		r.next = (r.next + 1) % len(r.places)
	}
}

//go:noinline
func twoSeconds() []byte { return make([]byte, size) }

//go:noinline
func threeTenths() []byte { return make([]byte, size) }

//go:noinline
func garbage() []byte { return make([]byte, size) }

//go:noinline
func kept() []byte { return make([]byte, size) }

var sink []byte

func write(name string) {
	f, err := os.Create(name)
	if err != nil {
		log.Fatal(err)
	}
	runtime.GC() // so that what is dead counts as freed
	if err := pprof.WriteHeapProfile(f); err != nil {
		log.Fatal(err)
	}
	if err := f.Close(); err != nil {
		log.Fatal(err)
	}
}

func main() {
	if len(os.Args) != 4 {
		log.Fatal("usage: go-lifetimes RATE PREV CUR")
	}
	rate, err := strconv.Atoi(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	runtime.MemProfileRate = rate
	const tick = 10 * time.Millisecond
	of := func(lifetime time.Duration, count int, allocate func() []byte) *ring {
		return &ring{make([][]byte, int(lifetime/tick)*count), 0, allocate, count}
	}
	rings := []*ring{of(2*time.Second, 8, twoSeconds), of(300*time.Millisecond, 40, threeTenths)}
	var all [][]byte
	start := time.Now()
	for i := 1; i <= 700; i++ {
		for _, r := range rings {
			r.tick()
		}
		sink = garbage()
		sink = nil
		if i%10 == 0 {
			all = append(all, kept())
		}
		switch i {
		case 300:
			write(os.Args[2])
		case 700:
			write(os.Args[3])
		}
		time.Sleep(time.Until(start.Add(time.Duration(i) * tick)))
	}
	runtime.KeepAlive(all)
	runtime.KeepAlive(rings)
}
