// SPDX-License-Identifier: Apache-2.0

// go-text allocates, waits, and writes its profiles as text and as protobuf, of the same moment:
//
//	go-text FOLDER    writes go-text-{heap,mutex,block}.{prev,cur}.txt and .pb.gz
//
// A heap profile is that of the last collection, so with the collector off, what writes one does
// not show in the next.
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"runtime/pprof"
	"sync"
	"time"
)

var kept [][]byte

//go:noinline
func keepMessages(count, size int) {
	for i := 0; i < count; i++ {
		kept = append(kept, make([]byte, size))
	}
}

//go:noinline
func churnBuffers(count int) {
	for i := 0; i < count; i++ {
		kept = append(kept, make([]byte, 5000+i%3*1000))
		kept = kept[:len(kept)-1]
	}
}

//go:noinline
func holdLock(mu *sync.Mutex) {
	mu.Lock()
	time.Sleep(2 * time.Millisecond)
	mu.Unlock()
}

//go:noinline
func contend(count int) {
	var mu sync.Mutex
	var all sync.WaitGroup
	for i := 0; i < count; i++ {
		all.Add(1)
		go func() {
			defer all.Done()
			holdLock(&mu)
		}()
	}
	all.Wait()
}

func write(folder, moment string) {
	runtime.GC()
	runtime.GC() // the first publishes what was allocated, the second what that freed
	for _, name := range []string{"heap", "mutex", "block"} {
		for debugLevel, ending := range []string{".pb.gz", ".txt"} {
			path := filepath.Join(folder, fmt.Sprintf("go-text-%s.%s%s", name, moment, ending))
			file, err := os.Create(path)
			if err == nil {
				err = pprof.Lookup(name).WriteTo(file, debugLevel)
			}
			if err == nil {
				err = file.Close()
			}
			if err != nil {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(1)
			}
		}
	}
}

func main() {
	if len(os.Args) != 2 {
		os.Exit(2)
	}
	runtime.MemProfileRate = 4096
	runtime.SetMutexProfileFraction(1)
	runtime.SetBlockProfileRate(1)
	debug.SetGCPercent(-1)
	keepMessages(1000, 1000)
	churnBuffers(500)
	contend(5)
	write(os.Args[1], "prev")
	keepMessages(3000, 1500)
	churnBuffers(2000)
	contend(8)
	write(os.Args[1], "cur")
}
