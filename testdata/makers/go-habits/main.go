// SPDX-License-Identifier: Apache-2.0

// Writes profiles in which Go has habits: stacks that it cuts off, generic functions whose type has
// another field with the tag "field", padded stacks of threads, a heap that no garbage collection
// has published, and a wait that is longer than the interval in which it ended.
package main

import (
	"os"
	"runtime"
	"runtime/pprof"
	"time"
)

type list[T any] struct{ items []T }

//go:noinline
func (l *list[T]) push(size int) {
	l.items = append(l.items, make([]T, size)...)
}

var kept [][]byte
var lists []*list[item]

//go:noinline
func walk(depth int) {
	if depth == 0 {
		kept = append(kept, make([]byte, 1000))
		return
	}
	walk(depth - 1)
	kept[0] = kept[0][:1] // so that this is no loop
}

//go:noinline
func handler() {
	for i := 0; i < 10; i++ {
		kept = append(kept, make([]byte, 100))
		walk(60)
	}
	l := &list[item]{}
	l.push(1000)
	lists = append(lists, l)
}

func write(name, path string) {
	file, err := os.Create(path)
	if err != nil {
		panic(err)
	}
	if err := pprof.Lookup(name).WriteTo(file, 0); err != nil {
		panic(err)
	}
	file.Close()
}

// A wait counts when it ends: that of the second goroutine began before the first profile.
func waits(start string) {
	runtime.SetBlockProfileRate(1)
	long := make(chan int)
	done := make(chan int)
	go func() { <-long; done <- 0 }()
	time.Sleep(400 * time.Millisecond)
	write("block", start+"-block.prev.pb.gz")
	time.Sleep(100 * time.Millisecond)
	long <- 0
	<-done
	write("block", start+"-block.cur.pb.gz")
}

func main() {
	runtime.MemProfileRate = 1
	kept = append(kept, make([]byte, 1))
	handler()
	runtime.GC()
	start := os.Args[1]
	write("heap", start+"-heap.pb.gz")
	write("heap", start+"-heap-again.pb.gz") // no garbage collection ends in between
	write("threadcreate", start+"-threadcreate.pb.gz")
	waits(start)
}
