// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"math/rand"
	"net/http"
	"strings"
	"sync"
	"time"
)

type service struct {
	pages    *cache
	sessions *sessions
	notes    *journal
	log      *ring
	pageSize int
}

type item struct {
	Title string    `json:"title"`
	Tags  []string  `json:"tags"`
	Marks []float64 `json:"marks"`
}

// render makes a page of no certain size: most are small, and some are far larger.
func render(id string, meanSize int) []byte {
	const bytesPerItem = 160
	var items []item
	for n := 1 + int(rand.ExpFloat64()*float64(meanSize)/bytesPerItem); n > 0; n-- {
		items = append(items, item{
			Title: fmt.Sprintf("%s-%d", id, n),
			Tags:  []string{"red", "green", "blue"}[:rand.Intn(4)],
			Marks: []float64{rand.Float64(), rand.Float64(), rand.Float64(), rand.Float64()},
		})
	}
	page, err := json.Marshal(items)
	if err != nil {
		panic(err) // The value is not of these types.
	}
	return page
}

var compressors = sync.Pool{New: func() any { return gzip.NewWriter(io.Discard) }}

func (s *service) page(w http.ResponseWriter, r *http.Request) {
	id := r.FormValue("id")
	s.sessions.remember(r.FormValue("session"), id, time.Now())
	page := s.pages.get(id, time.Now())
	if page == nil {
		page = render(id, s.pageSize)
		s.pages.put(id, page, time.Now())
	}
	s.log.add(fmt.Sprintf("%s %s %s %d", time.Now().Format(time.RFC3339), r.RemoteAddr, id, len(page)))
	if !strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
		_, _ = w.Write(page)
		return
	}
	w.Header().Set("Content-Encoding", "gzip")
	compressor := compressors.Get().(*gzip.Writer)
	defer compressors.Put(compressor)
	compressor.Reset(w)
	_, _ = compressor.Write(page)
	_ = compressor.Close()
}

func (s *service) note(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 1<<20))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	s.notes.add(body)
	counts := map[string]int{}
	for _, word := range bytes.Fields(body) {
		counts[string(word)]++
	}
	_ = json.NewEncoder(w).Encode(counts)
}
