// SPDX-License-Identifier: Apache-2.0

// server is profiled over HTTP by net/http/pprof while it works at a steady rate, in steps. Each
// step allocates objectsPerStep objects in allocate and lets a goroutine wait for a mutex; every
// stepsPerStack steps the stack in which it does so becomes a new one.
//
// It prints its address, and then serves besides /debug/pprof/:
//
//	/stop   ends the work, and says how many steps were done
//	/error  an HTML page with status 500
package main

import (
	"fmt"
	"net"
	"net/http"
	_ "net/http/pprof"
	"os"
	"runtime"
	"sync"
	"time"
)

const (
	objectsPerStep = 10
	stepsPerStack  = 25
	deepest        = 20
	pause          = time.Millisecond
)

type object [32]int64

var last *object // makes objects escape to the heap

//go:noinline
func allocate() { last = new(object) }

//go:noinline
func contend(mu *sync.Mutex) {
	mu.Lock()
	done := make(chan struct{})
	go func() {
		mu.Lock()
		defer mu.Unlock()
		close(done)
	}()
	time.Sleep(pause)
	mu.Unlock()
	<-done
}

//go:noinline
func step(depth int, mu *sync.Mutex) {
	if depth > 0 {
		step(depth-1, mu)
		return
	}
	for i := 0; i < objectsPerStep; i++ {
		allocate()
	}
	contend(mu)
}

func work(stop <-chan struct{}, steps chan<- int) {
	var mu sync.Mutex
	for n := 0; ; n++ {
		select {
		case <-stop:
			steps <- n
			return
		default:
			step(n/stepsPerStack%deepest, &mu)
		}
	}
}

func main() {
	runtime.MemProfileRate = 1
	runtime.SetMutexProfileFraction(1)
	runtime.SetBlockProfileRate(1)

	stop, steps := make(chan struct{}), make(chan int)
	http.HandleFunc("/stop", func(w http.ResponseWriter, r *http.Request) {
		close(stop)
		fmt.Fprintln(w, <-steps)
	})
	http.HandleFunc("/error", func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(http.StatusInternalServerError)
		fmt.Fprintln(w, "<!DOCTYPE html>\n<html><body>out of order</body></html>")
	})
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		fmt.Fprintln(os.Stderr, "server:", err)
		os.Exit(1)
	}
	fmt.Println(listener.Addr())
	go work(stop, steps)
	fmt.Fprintln(os.Stderr, "server:", http.Serve(listener, nil))
	os.Exit(1)
}
