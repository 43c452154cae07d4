// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"math/rand"
	"strings"
)

// randomFormats make texts of each format; the same seed gives the same text.
var randomFormats = []struct {
	name string
	make func(seed int64) []byte
}{
	{"heap", func(seed int64) []byte { return randomHeap(seed, "heap/1048576") }},
	{"heap without a rate", func(seed int64) []byte { return randomHeap(seed, "heap") }},
	{"heap_v2", func(seed int64) []byte { return randomHeap(seed, "heap_v2/524288") }},
	{"heapz_v2", func(seed int64) []byte { return randomHeap(seed, "heapz_v2/1") }},
	{"heapprofile", func(seed int64) []byte { return randomHeap(seed, "heapprofile") }},
	{"growth", func(seed int64) []byte { return randomHeap(seed, "growth") }},
	{"growthz", func(seed int64) []byte { return randomHeap(seed, "growthz") }},
	{"fragmentationz", func(seed int64) []byte { return randomHeap(seed, "fragmentationz") }},
	{"jemalloc", randomJemalloc},
	{"mutex", func(seed int64) []byte { return randomContention(seed, "--- mutex:") }},
	{"contention", func(seed int64) []byte { return randomContention(seed, "--- contention:") }},
	{"contentionz", func(seed int64) []byte { return randomContention(seed, "--- contentionz 1") }},
}

func oneOf(r *rand.Rand, texts ...string) string { return texts[r.Intn(len(texts))] }

// number is of any magnitude up to most.
func number(r *rand.Rand, most int) int64 { return r.Int63n(int64(1) << uint(1+r.Intn(most))) }

// Code may lie in these; some of it is in no mapping.
var regions = []uint64{0x401000, 0x55d0c0001000, 0x7f47a542f000, 0x7f47a9000000, 0}

func stack(r *rand.Rand) string {
	text := "@"
	for depth := r.Intn(6); depth > 0; depth-- {
		text += fmt.Sprintf(" 0x%0*x", r.Intn(12), regions[r.Intn(len(regions))]+uint64(r.Intn(0x3000)))
	}
	return text
}

// figures are blocks and their bytes.
type figures struct{ count, size int64 }

func countAndSize(r *rand.Rand) figures {
	count := number(r, 20)
	size := int64(0)
	if count != 0 {
		size = count * number(r, 30)
	}
	return figures{count, size}
}

func (f figures) text(r *rand.Rand) string {
	return fmt.Sprintf("%*d: %*d", r.Intn(8), f.count, r.Intn(8), f.size)
}

func (f *figures) add(other figures) {
	f.count += other.count
	f.size += other.size
}

func noise(r *rand.Rand) string { return oneOf(r, "", "", "", "\n", "# comment 1: 2\n", "  \n") }

const libraries, memory = "MAPPED_LIBRARIES:", "--- Memory map: ---"

// memoryMap is left out at times in what Go writes, unless there are no samples: it shows all other
// texts to be whole.
func memoryMap(r *rand.Rand, isOfGo bool, samples int, starts ...string) string {
	if r.Intn(4) == 0 && isOfGo && samples != 0 {
		return ""
	}
	lines := []string{
		"00400000-00401000 r--p 00000000 fe:00 131 /usr/bin/server",
		"00401000-00403000 r-xp 00001000 fe:00 131                  /usr/bin/server",
		"00403000-00404000 r-xp 00003000 fe:00 131 /usr/bin/server",
		"55d0c0001000-55d0c0002000 r-xp 00000000 fe:00 17 /opt/main",
		"  55d0c0002000-55d0c0003000: /opt/other",
		"  7f47a542f000-7f47a5431000: /lib/libc.so.6 (@22000) 87c4d547f895cfd6",
		"0x7f47a9000000 0x7f47a9001000 r-xp libm.so 01ab",
		"7ffd1b5f0000-7ffd1b5f2000 r-xp 00000000 00:00 0      [vdso]",
		"where=/opt", "55d0c0003000-55d0c0004000: $where/third", "nothing of interest", "",
	}
	prefix := oneOf(r, "", "", "I0102 15:04:05.0 8272 logger.cc:36] ")
	text := noise(r) + oneOf(r, starts...) + "\n"
	for _, line := range lines { // some of them, by their addresses, as they are in real lists
		if r.Intn(3) != 0 {
			text += prefix + line + "\n"
		}
	}
	return text
}

func randomHeap(seed int64, kind string) []byte {
	r := rand.New(rand.NewSource(seed))
	var rows strings.Builder
	var allUsed, allAllocated figures
	isSame := r.Intn(3) == 0
	samples := r.Intn(20)
	for i := samples; i > 0; i-- {
		used, allocated := countAndSize(r), countAndSize(r)
		if isSame || r.Intn(2) == 0 {
			allocated = used
		}
		allUsed.add(used)
		allAllocated.add(allocated)
		fmt.Fprintf(&rows, "%s%s [%s] %s\n", noise(r), used.text(r), allocated.text(r), stack(r))
	}
	header := fmt.Sprintf("heap profile: %s [%s] @ %s\n", allUsed.text(r),
		oneOf(r, allAllocated.text(r), allAllocated.text(r), "0: 0"), kind)
	isOfGo := strings.HasPrefix(kind, "heap/") || kind == "heap"
	return []byte(header + rows.String() + memoryMap(r, isOfGo, samples, libraries, memory))
}

func randomJemalloc(seed int64) []byte {
	r := rand.New(rand.NewSource(seed))
	var rows strings.Builder
	counts := r.Intn(2) == 0
	var allUsed, allAllocated figures
	write := func(out *strings.Builder, used, allocated figures) {
		fmt.Fprintf(out, "  t*: %s [%s]\n", used.text(r), allocated.text(r))
		for i := r.Intn(3); i > 0; i-- {
			fmt.Fprintf(out, "  t%d: %s [%s]%s\n", i, used.text(r), allocated.text(r),
				oneOf(r, "", " main thread"))
		}
	}
	samples := r.Intn(20)
	for i := samples; i > 0; i-- {
		used, allocated := countAndSize(r), figures{}
		if counts {
			allocated = countAndSize(r)
		}
		allUsed.add(used)
		allAllocated.add(allocated)
		fmt.Fprintf(&rows, "%s%s\n", noise(r), stack(r))
		write(&rows, used, allocated)
	}
	var out strings.Builder
	fmt.Fprintf(&out, "heap_v2/%d\n", int64(1)<<uint(r.Intn(24)))
	write(&out, allUsed, allAllocated)
	out.WriteString(rows.String())
	out.WriteString(memoryMap(r, false, samples, libraries, memory))
	return []byte(out.String())
}

func randomContention(seed int64, start string) []byte {
	r := rand.New(rand.NewSource(seed))
	var out strings.Builder
	fmt.Fprintln(&out, start)
	blank := oneOf(r, "", " ")
	attribute := func(name string, value int64) {
		if r.Intn(3) != 0 {
			fmt.Fprintf(&out, "%s%s%s=%s%d\n", noise(r), name, blank, blank, value)
		}
	}
	attribute("cycles/second", 1000000+number(r, 35)) // no nanoseconds that do not fit
	attribute("sampling period", number(r, 10))
	attribute("ms since reset", number(r, 20))
	attribute("discarded samples", number(r, 20))
	samples := r.Intn(20)
	for i := samples; i > 0; i-- {
		fmt.Fprintf(&out, "%s%*d %*d %s\n", noise(r), r.Intn(9), number(r, 35), r.Intn(5),
			number(r, 15), stack(r))
	}
	if r.Intn(4) == 0 {
		fmt.Fprintln(&out, "--- another section ---")
	}
	isOfGo := !strings.HasPrefix(start, "--- contentionz")
	// google/pprof does not look for the other start here.
	out.WriteString(memoryMap(r, isOfGo, samples, memory))
	return []byte(out.String())
}
