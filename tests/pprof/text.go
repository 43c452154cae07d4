// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"go/build"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strconv"
	"strings"

	"github.com/google/pprof/profile"
)

const randomTexts = 100 // of each format

// One of google/pprof's own texts was cut short: its header says more than it has.
const cutText = "gobench.heap"

// conversions compares each text as pprofdelta and as google/pprof convert it.
type conversions struct {
	tally
	convert string
}

// ours is what pprofdelta makes of a text.
func (c *conversions) ours(text []byte) (*profile.Profile, error) {
	out, err := run(text, c.convert)
	if err != nil {
		return nil, err
	}
	return profile.ParseData(out)
}

// mended is a text with a header that says no more than there is.
func mended(name string, text []byte) []byte {
	if filepath.Base(name) != cutText {
		return text
	}
	return header.ReplaceAll(text, []byte("heap profile: 0: 0 [0: 0] @ $5"))
}

func (c *conversions) checkText(name string, text []byte) error {
	theirs, err := readLikeGoogle(text)
	if err != nil {
		return err
	}
	if filepath.Base(name) == cutText {
		if _, err := c.ours(text); err == nil || !strings.Contains(err.Error(), "cut off") {
			return fmt.Errorf("it was cut off, and that is: %v", err)
		}
	}
	text = mended(name, text)
	ours, err := c.ours(text)
	if err != nil {
		return err
	}
	return same(theirs, ours)
}

func (c *conversions) checkFiles(paths []string, check func(name string, text []byte) error) {
	for _, path := range paths {
		text, err := inflated(path)
		if err == nil {
			err = check(path, text)
		}
		c.report(path, err)
	}
}

// texts has each text read by either, and compares sample by sample. Random texts are added.
func texts(args []string) error {
	c := &conversions{convert: args[0]}
	paths := googleTexts()
	for _, pattern := range []string{"*.heap", "*.prof", "*.txt", "*.txt.gz"} {
		found, err := filepath.Glob(filepath.Join(args[1], pattern))
		if err != nil {
			return err
		}
		paths = append(paths, found...)
	}
	c.checkFiles(paths, c.checkText)
	for _, f := range randomFormats {
		for seed := int64(1); seed <= randomTexts; seed++ {
			text := f.make(seed)
			err := c.checkText(f.name, text)
			if err != nil {
				err = fmt.Errorf("%w in\n%s", err, text)
			}
			c.report(fmt.Sprintf("random %s %d", f.name, seed), err)
		}
	}
	return c.outcome()
}

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
//   - waits for mutexes that Go has scaled already, and those of any text with a period of 0,
//   - the mapping of the whole address space for addresses in none,
//   - frames of the runtime before the first one that has a comment, in heaps of Go.
func readLikeGoogle(text []byte) (*profile.Profile, error) {
	plain := string(text)
	isJemalloc := strings.HasPrefix(plain, "heap_v2/")
	plain = withAllocations(likeGperftools(plain))
	plain, period := withoutScaling(plain)
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
	if period != nil {
		p.Period = *period
	}
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
	if m != nil && m[5] == "heap" {
		dropRuntime(p, plain)
	}
	return p.Copy(), nil // serialized and read again, as ours is: a label of 0 gets lost on the way
}

var rowOrComment = regexp.MustCompile(`(?m)^(#\t0x([0-9a-f]+)|.*@ 0x)`)

// dropRuntime removes the frames of each sample before the first one that has a comment.
func dropRuntime(p *profile.Profile, text string) {
	first := map[int]uint64{} // by number of the sample
	samples := 0
	for _, m := range rowOrComment.FindAllStringSubmatch(text, -1) {
		if m[2] == "" {
			samples++
		} else if _, known := first[samples-1]; !known {
			first[samples-1], _ = strconv.ParseUint(m[2], 16, 64)
		}
	}
	for i, s := range p.Sample {
		for at, l := range s.Location {
			if l.Address == first[i] && first[i] != 0 {
				s.Location = s.Location[at:]
				break
			}
		}
	}
}

var (
	mutexPeriod = regexp.MustCompile(`(?m)^sampling period *= *(-?\d+) *$`)
	mutexCount  = regexp.MustCompile(`(?m)^ *-?\d+ +(-?\d+) *@`)
)

// withoutScaling returns a text with a period of 1 if it has 0, or if it is of Go's mutexes and all
// counts are multiples of its own, and then that.
func withoutScaling(text string) (string, *int64) {
	m := mutexPeriod.FindStringSubmatch(text)
	if m == nil {
		return text, nil
	}
	period, err := strconv.ParseInt(m[1], 10, 64)
	if err != nil || period == 1 || period > 1 && !strings.HasPrefix(text, "--- mutex") {
		return text, nil
	}
	for _, count := range mutexCount.FindAllStringSubmatch(text, -1) {
		if n, err := strconv.ParseInt(count[1], 10, 64); period > 1 && (err != nil || n%period != 0) {
			return text, nil
		}
	}
	return strings.Replace(text, m[0], "sampling period=1", 1), &period
}

// googleTexts are those among google/pprof's own test data.
func googleTexts() []string {
	found, err := build.Default.Import("github.com/google/pprof/profile", "", build.FindOnly)
	if err != nil {
		return nil
	}
	var paths []string
	for _, name := range []string{
		"cppbench.heap", "cppbench.growth", "cppbench.contention", "gobench.heap",
		"cppbench.cpu", "gobench.cpu", "go.crc32.cpu"} {
		path := filepath.Join(found.Dir, "testdata", name)
		if _, err := os.Stat(path); err == nil {
			paths = append(paths, path)
		}
	}
	return paths
}

// isClose allows for Go's exp(), which is not that of C: in the last digit of a float64, and in
// what is cut off of it.
func isClose(a, b int64) bool {
	return math.Abs(float64(a)-float64(b)) <= 1+math.Abs(float64(a))*1e-14
}

// withoutCallers is a stack of a CPU profile of gperftools as google/pprof has it: without up to
// two callers of the leaf that nearly all stacks share, wherever they are.
func withoutCallers(want, have *profile.Sample) *profile.Sample {
	removed := len(have.Location) - len(want.Location)
	if removed < 1 || removed > 2 || len(want.Location) == 0 {
		return have
	}
	left := *have
	left.Location = append([]*profile.Location{have.Location[0]}, have.Location[1+removed:]...)
	return &left
}

func sameSample(want, have *profile.Sample) error {
	if len(want.Location) != len(have.Location) {
		return fmt.Errorf("%d frames, not %d", len(have.Location), len(want.Location))
	}
	for i, l := range want.Location {
		h := have.Location[i]
		// google/pprof passes over the comments with which Go names an address.
		hasOtherLines := len(l.Line) != 0 && len(h.Line) != len(l.Line)
		wanted, had := mappingText(l.Mapping), mappingText(h.Mapping)
		if l.Address != h.Address || wanted != had || hasOtherLines || h.IsFolded {
			return fmt.Errorf("frame %d is %#x in %s, not %#x in %s", i, h.Address, had, l.Address,
				wanted)
		}
	}
	for i, v := range want.Value {
		if !isClose(v, have.Value[i]) {
			return fmt.Errorf("value %d is %d, not %d", i, have.Value[i], v)
		}
	}
	if len(want.Label)+len(have.Label) != 0 || len(want.NumLabel) != len(have.NumLabel) {
		return fmt.Errorf("labels %v, not %v", have.NumLabel, want.NumLabel)
	}
	for key, numbers := range want.NumLabel {
		if !reflect.DeepEqual(numbers, have.NumLabel[key]) || have.NumUnit[key] != nil {
			return fmt.Errorf("label %s is %v %v, not %v", key, have.NumLabel[key],
				have.NumUnit[key], numbers)
		}
	}
	return nil
}

// same compares all that two profiles say, sample by sample in their order.
func same(want, have *profile.Profile) error {
	if len(have.Comments) == 1 && strings.HasPrefix(have.Comments[0], "jemalloc: ") {
		have.Comments = nil
	}
	if err := checkHeader(want, have, want.DurationNanos); err != nil {
		return err
	}
	if err := checkMain(want, have); err != nil {
		return err
	}
	if len(have.Sample) != len(want.Sample) {
		return fmt.Errorf("%d samples, not %d", len(have.Sample), len(want.Sample))
	}
	isCPU := len(want.SampleType) == 2 && want.SampleType[1].Type == "cpu"
	for i, s := range want.Sample {
		own := have.Sample[i]
		if isCPU {
			own = withoutCallers(s, own)
		}
		if err := sameSample(s, own); err != nil {
			return fmt.Errorf("sample %d: %w", i, err)
		}
	}
	return nil
}
