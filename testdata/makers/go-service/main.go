// SPDX-License-Identifier: Apache-2.0

// go-service is a small imitation of a Go server, profiled by its own runtime.
//
//	go-service KIND ROUNDS:FILE...
//
// KIND is heap, mutex, block, goroutine or cpu. For each argument in turn it works ROUNDS more
// rounds and then writes the profile of that kind to FILE, so that all files but those of cpu
// hold what happened since the start. Its stacks have recursion, inlined frames, generics,
// closures, goroutines and labels.
package main

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/pprof"
	"strconv"
	"strings"
	"sync"
	"time"
)

// tree is allocated by recursion, to a depth that differs from round to round.
type tree struct {
	left, right *tree
	payload     [6]int64
}

func grow(depth int) *tree {
	if depth == 0 {
		return nil
	}
	return &tree{left: grow(depth - 1), right: grow(depth - 1)}
}

// ring is a generic container; its instances appear as ring[...] in the profile.
type ring[T any] struct {
	items []T
	next  int
}

func newRing[T any](size int) *ring[T] { return &ring[T]{items: make([]T, size)} }

func (r *ring[T]) put(item T) {
	r.items[r.next%len(r.items)] = item
	r.next++
}

func mapSlice[T, U any](in []T, f func(T) U) []U {
	out := make([]U, 0, len(in))
	for _, item := range in {
		out = append(out, f(item))
	}
	return out
}

// page is small enough to be inlined into its callers.
func page(size int) []byte { return make([]byte, size) }

// cache is what the mutex and block profiles are about.
type cache struct {
	mu      sync.Mutex
	entries map[string][]byte
}

func (c *cache) store(key string, value []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.entries[key] = value
	time.Sleep(200 * time.Microsecond) // holds the lock, so that others wait for it
}

func (c *cache) load(key string) []byte {
	c.mu.Lock()
	defer c.mu.Unlock()
	time.Sleep(200 * time.Microsecond)
	return c.entries[key]
}

func (c *cache) evict(limit int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for key := range c.entries {
		if len(c.entries) <= limit {
			return
		}
		delete(c.entries, key)
	}
}

type service struct {
	cache  cache
	recent *ring[*tree]
	names  *ring[string]
	spun   uint64
}

func newService() *service {
	return &service{
		cache:  cache{entries: map[string][]byte{}},
		recent: newRing[*tree](8),
		names:  newRing[string](64),
	}
}

// spin burns CPU time in a function of its own.
func spin(seed uint64, n int) uint64 {
	for i := 0; i < n; i++ {
		seed ^= seed << 13
		seed ^= seed >> 7
		seed ^= seed << 17
	}
	return seed
}

// retry calls itself before it does the work, so that each number of attempts is another stack.
func retry(attempts int, work func()) {
	if attempts > 0 {
		retry(attempts-1, work)
		return
	}
	work()
}

func (s *service) request(worker, round int) {
	key := strconv.Itoa(worker*1000 + round%50)
	// More attempts as time goes by: the stacks of earlier rounds stay in the profile, unchanged.
	retry(round/20, func() {
		if worker%2 == 0 {
			s.cache.store(key, page(512+worker*64))
		} else {
			_ = s.cache.load(key)
		}
	})
	words := mapSlice([]int{worker, round, worker + round}, func(n int) string {
		return strings.Repeat(strconv.Itoa(n), 20)
	})
	_ = strings.Join(words, "/")
}

// round is a batch of requests from four workers, which send their names over a channel.
func (s *service) round(n int) {
	s.recent.put(grow(3 + n%4))
	done := make(chan string)
	for worker := 0; worker < 4; worker++ {
		worker := worker
		labels := pprof.Labels("worker", strconv.Itoa(worker), "batch", "batch-"+strconv.Itoa(n%2))
		go pprof.Do(context.Background(), labels, func(context.Context) {
			s.request(worker, n)
			done <- fmt.Sprintf("worker-%d/%d", worker, n)
		})
	}
	for worker := 0; worker < 4; worker++ {
		s.names.put(<-done)
	}
	s.cache.evict(100)
	s.spun = spin(s.spun+1, 300_000)
}

// idle starts goroutines that wait, for the goroutine profile.
func (s *service) idle(n int) {
	never := make(chan struct{})
	for i := 0; i < n; i++ {
		labels := pprof.Labels("pool", "pool-"+strconv.Itoa(i%3))
		go pprof.Do(context.Background(), labels, func(context.Context) { <-never })
	}
	time.Sleep(10 * time.Millisecond)
}

func capture(kind, path string) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	defer file.Close()
	debug.FreeOSMemory() // the heap profile shows the state as of the last garbage collection
	runtime.GC()
	return pprof.Lookup(kind).WriteTo(file, 0)
}

func run(kind string, steps []string) error {
	switch kind {
	case "mutex":
		runtime.SetMutexProfileFraction(1)
	case "block":
		runtime.SetBlockProfileRate(1)
	}
	s := newService()
	done := 0
	for _, step := range steps {
		count, path, _ := strings.Cut(step, ":")
		rounds, err := strconv.Atoi(count)
		if err != nil {
			return err
		}
		if kind == "cpu" {
			file, err := os.Create(path)
			if err != nil {
				return err
			}
			defer file.Close()
			if err := pprof.StartCPUProfile(file); err != nil {
				return err
			}
		}
		for end := done + rounds; done < end; done++ {
			s.round(done)
		}
		switch kind {
		case "cpu":
			pprof.StopCPUProfile()
			continue
		case "goroutine":
			s.idle(rounds)
		}
		if err := capture(kind, path); err != nil {
			return err
		}
	}
	return nil
}

func main() {
	runtime.MemProfileRate = 1 // every allocation: short runs would hardly be sampled
	if len(os.Args) < 3 {
		fmt.Fprintln(os.Stderr, "usage: go-service heap|mutex|block|goroutine|cpu ROUNDS:FILE...")
		os.Exit(2)
	}
	if err := run(os.Args[1], os.Args[2:]); err != nil {
		fmt.Fprintln(os.Stderr, "go-service:", err)
		os.Exit(1)
	}
}
