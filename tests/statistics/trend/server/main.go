// SPDX-License-Identifier: Apache-2.0

// server is a small HTTP server whose memory in use is some 5 MB that rise and fall, with
// net/http/pprof. It prints its address, and serves until it is killed.
//
//	GET  /page?id=N   a page, rendered unless the cache has it
//	POST /notes       counts words, and keeps what was sent until there is a batch of it
//
// Its memory is in pages in the cache, which forgets a page some time after it was rendered;
// sessions, which end in the same way; a batch of notes; the last lines of a log; and writers that
// compress, which come and go. Some of what sessions remember is never forgotten with -leak.
package main

import (
	"flag"
	"fmt"
	"log"
	"math/rand"
	"net"
	"net/http"
	_ "net/http/pprof"
	"runtime"
	"time"
)

func main() {
	listen := flag.String("listen", "127.0.0.1:0", "address and port; port 0 is any free one")
	leak := flag.Int("leak", 0, "`bytes` that leak in each minute")
	lifetime := flag.Duration("lifetime", time.Minute, "mean time that pages and sessions are kept")
	pageSize := flag.Int("page-size", 12<<10, "mean size of a page in `bytes`")
	batch := flag.Int("batch", 64<<10, "`bytes` of notes that make a batch")
	rate := flag.Int("sample-every", runtime.MemProfileRate, "mean `bytes` between samples")
	flag.Parse()
	runtime.MemProfileRate = *rate
	rand.Seed(time.Now().UnixNano()) // All servers would otherwise have pages of the same sizes.

	service := &service{
		pages:    newCache(8<<20, *lifetime),
		sessions: newSessions(*lifetime, *leak),
		notes:    &journal{limit: *batch},
		log:      newRing(2000),
		pageSize: *pageSize,
	}
	http.HandleFunc("/page", service.page)
	http.HandleFunc("/notes", service.note)

	listener, err := net.Listen("tcp", *listen)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("http://%s\n", listener.Addr())
	log.Fatal(http.Serve(listener, nil))
}
