// SPDX-License-Identifier: Apache-2.0

package main

import (
	"container/list"
	"math/rand"
	"sync"
	"time"
)

// randomLifetime has the given mean.
func randomLifetime(mean time.Duration) time.Duration {
	return time.Duration(rand.ExpFloat64() * float64(mean))
}

// cache keeps pages for a time, and the most recently used ones of those that it has room for.
type cache struct {
	mu       sync.Mutex
	limit    int
	lifetime time.Duration
	size     int
	byID     map[string]*list.Element
	byUse    *list.List // the last used one first
}

type cached struct {
	id      string
	page    []byte
	expires time.Time
}

func newCache(limit int, lifetime time.Duration) *cache {
	c := &cache{limit: limit, lifetime: lifetime, byID: map[string]*list.Element{}, byUse: list.New()}
	go func() {
		for now := range time.Tick(lifetime / 20) {
			c.expire(now)
		}
	}()
	return c
}

func (c *cache) get(id string, now time.Time) []byte {
	c.mu.Lock()
	defer c.mu.Unlock()
	element := c.byID[id]
	if element == nil || element.Value.(*cached).expires.Before(now) {
		return nil
	}
	c.byUse.MoveToFront(element)
	return element.Value.(*cached).page
}

func (c *cache) put(id string, page []byte, now time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if old := c.byID[id]; old != nil {
		c.remove(old)
	}
	c.byID[id] = c.byUse.PushFront(&cached{id, page, now.Add(randomLifetime(c.lifetime))})
	for c.size += len(page); c.size > c.limit; {
		c.remove(c.byUse.Back())
	}
}

func (c *cache) remove(element *list.Element) {
	entry := c.byUse.Remove(element).(*cached)
	delete(c.byID, entry.id)
	c.size -= len(entry.page)
}

func (c *cache) expire(now time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for element := c.byUse.Front(); element != nil; {
		next := element.Next()
		if element.Value.(*cached).expires.Before(now) {
			c.remove(element)
		}
		element = next
	}
}

// sessions remembers what visitors have seen until they are gone, and leaks if it is told to.
type sessions struct {
	mu            sync.Mutex
	lifetime      time.Duration
	byName        map[string]*session
	begun         time.Time
	leakPerMinute int
	leaked        int
	lost          [][]byte
}

type session struct {
	seen    [][]byte
	expires time.Time
}

func newSessions(lifetime time.Duration, leakPerMinute int) *sessions {
	s := &sessions{
		lifetime: lifetime, byName: map[string]*session{}, begun: time.Now(),
		leakPerMinute: leakPerMinute,
	}
	go func() {
		for now := range time.Tick(lifetime / 20) {
			s.expire(now)
		}
	}()
	return s
}

// remember allocates in small pieces, as a leak of records would.
func (s *sessions) remember(name, id string, now time.Time) {
	const mostSeen = 20
	s.mu.Lock()
	defer s.mu.Unlock()
	visitor := s.byName[name]
	if visitor == nil {
		visitor = &session{expires: now.Add(randomLifetime(s.lifetime))}
		s.byName[name] = visitor
	}
	if len(visitor.seen) < mostSeen {
		visitor.seen = append(visitor.seen, append(make([]byte, 0, 128), id...))
	}
	for due := int(now.Sub(s.begun).Minutes() * float64(s.leakPerMinute)); s.leaked < due; {
		record := make([]byte, 64+rand.Intn(512))
		s.lost = append(s.lost, record)
		s.leaked += len(record)
	}
}

func (s *sessions) expire(now time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for name, visitor := range s.byName {
		if visitor.expires.Before(now) {
			delete(s.byName, name)
		}
	}
}

// journal keeps notes until there are enough for a batch.
type journal struct {
	mu    sync.Mutex
	limit int
	size  int
	notes [][]byte
}

func (j *journal) add(note []byte) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.size += len(note); j.size > j.limit {
		j.notes, j.size = nil, len(note) // The batch would be written somewhere.
	}
	j.notes = append(j.notes, note)
}

// ring keeps the last lines.
type ring struct {
	mu    sync.Mutex
	lines []string
	next  int
}

func newRing(size int) *ring { return &ring{lines: make([]string, size)} }

func (r *ring) add(line string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.lines[r.next%len(r.lines)] = line
	r.next++
}
