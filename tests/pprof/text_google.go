// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"go/build"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/google/pprof/profile"
)

var (
	header = regexp.MustCompile(`^heap profile: *(\d+): *(\d+) *\[ *(\d+): *(\d+) *\] *@ *(\w+)`)
	totals = regexp.MustCompile(`^ *t\*: (.*)`)
	thread = regexp.MustCompile(`^ *t\d+: `)
)

// likeGperftools rewrites jemalloc's format, which google/pprof does not know, into the one that it
// resembles: figures and stack on one line. Allocations are there if the header differs from what
// is in use.
func likeGperftools(text string) string {
	if !strings.HasPrefix(text, "heap_v2/") {
		return text
	}
	var out strings.Builder
	kind, text, _ := strings.Cut(text, "\n")
	stack, isMap := "", false
	for _, line := range strings.Split(text, "\n") {
		match := totals.FindStringSubmatch(line)
		isMap = isMap || strings.Contains(line, "MAPPED_LIBRARIES")
		switch {
		case isMap:
			fmt.Fprintln(&out, line)
		case match != nil && stack == "":
			fmt.Fprintf(&out, "heap profile: %s @ %s\n", match[1], kind)
		case match != nil:
			fmt.Fprintf(&out, "%s %s\n", match[1], stack)
		case strings.HasPrefix(line, "@"):
			stack = line
		case !thread.MatchString(line):
			fmt.Fprintln(&out, line)
		}
	}
	return out.String()
}

// withAllocations changes the totals in the header, which tell google/pprof whether allocations are
// counted, where it cannot know: if all is still in use. pprofdelta takes the word of profilers
// that do count them.
func withAllocations(text string) string {
	m := header.FindStringSubmatch(text)
	if m == nil || (m[5] != "heap" && m[5] != "heapprofile") {
		return text
	}
	if m[3] == "0" && m[4] == "0" && m[1] != "0" {
		return text
	}
	return strings.Replace(text, m[0], fmt.Sprintf("heap profile: 1: 1 [2: 2] @ %s", m[5]), 1)
}

// readLikeGoogle is what google/pprof reads, but for the differences that are meant:
//   - jemalloc's format,
//   - allocations that are counted though nothing has been freed,
//   - the label "bytes" where it is a mean, which changes from capture to capture,
//   - the time since counting began, which is no duration,
//   - the mapping of the whole address space for addresses in none.
func readLikeGoogle(text []byte) (*profile.Profile, error) {
	plain := string(text)
	isJemalloc := strings.HasPrefix(plain, "heap_v2/")
	plain = withAllocations(likeGperftools(plain))
	p, err := profile.ParseData([]byte(plain))
	if err != nil {
		return nil, fmt.Errorf("google/pprof: %w", err)
	}
	m := header.FindStringSubmatch(plain)
	if isJemalloc || (m != nil && m[5] != "heap") {
		for _, s := range p.Sample {
			s.NumLabel, s.NumUnit = nil, nil
		}
	}
	p.DurationNanos = 0
	if last := len(p.Mapping) - 1; last >= 0 {
		whole := p.Mapping[last]
		if whole.Start == 0 && whole.Limit == math.MaxUint64 && whole.File == "" {
			p.Mapping = p.Mapping[:last]
			for _, l := range p.Location {
				if l.Mapping == whole {
					l.Mapping = nil
				}
			}
		}
	}
	return p.Copy(), nil // serialized and read again, as ours is: a label of 0 gets lost on the way
}

// googleTexts are those among google/pprof's own test data.
func googleTexts() []string {
	found, err := build.Default.Import("github.com/google/pprof/profile", "", build.FindOnly)
	if err != nil {
		return nil
	}
	var paths []string
	for _, name := range []string{
		"cppbench.heap", "cppbench.growth", "cppbench.contention", "gobench.heap"} {
		path := filepath.Join(found.Dir, "testdata", name)
		if _, err := os.Stat(path); err == nil {
			paths = append(paths, path)
		}
	}
	return paths
}
