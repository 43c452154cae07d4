// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"os"
	"sort"
	"strconv"
	"strings"

	"github.com/google/pprof/profile"
)

// table maps the identity of a sample, as the numbers of its frames, each in a line, and its
// labels, to its values.
type table map[string][]int64

// Frames are many times as long as their numbers, and each is in many samples.
var (
	frameNumbers = map[string]string{}
	frameTexts   []string
)

func numberOf(frame string) string {
	number, ok := frameNumbers[frame]
	if !ok {
		number = strconv.Itoa(len(frameTexts))
		frameNumbers[frame] = number
		frameTexts = append(frameTexts, frame)
	}
	return number
}

// inWords is the key of a table with the frames themselves.
func inWords(key string) string {
	parts := strings.Split(key, "\n")
	for i := range parts[:len(parts)-1] {
		if number, err := strconv.Atoi(parts[i]); err == nil {
			parts[i] = frameTexts[number]
		}
	}
	return strings.Join(parts, "\n")
}

func add(to, values []int64, factor int64) {
	for i, v := range values {
		to[i] += factor * v
	}
}

func isZero(values []int64) bool {
	for _, v := range values {
		if v != 0 {
			return false
		}
	}
	return true
}

func (t table) dropZeros() {
	for key, values := range t {
		if isZero(values) {
			delete(t, key)
		}
	}
}

// difference describes the first place where got is not want; it is empty if there is none.
func difference(want, got table) string {
	missing, wrong, extra := 0, 0, 0
	example := ""
	note := func(key string) {
		if example == "" || key < example {
			example = key
		}
	}
	for key, values := range want {
		have, ok := got[key]
		switch {
		case !ok:
			missing++
			note(key)
		case fmt.Sprint(values) != fmt.Sprint(have):
			wrong++
			note(key)
		}
	}
	for key := range got {
		if _, ok := want[key]; !ok {
			extra++
			note(key)
		}
	}
	if missing+wrong+extra == 0 {
		return ""
	}
	return fmt.Sprintf("of %d samples %d are missing, %d wrong, %d too many; "+
		"such as want %v, got %v: %.300q",
		len(want), missing, wrong, extra, want[example], got[example], inWords(example))
}

// aggregate adds up the samples of p that are the same under match, and counts those that repeat
// an earlier one.
func aggregate(p *profile.Profile, match string) (sums table, repeated int) {
	sums = table{}
	frames := make(map[*profile.Location]string, len(p.Location))
	for _, l := range p.Location {
		frames[l] = numberOf(frameKey(l, match))
	}
	for _, s := range p.Sample {
		var b strings.Builder
		for _, l := range s.Location {
			b.WriteString(frames[l])
			b.WriteByte('\n')
		}
		b.WriteString(labelKey(s))
		key := b.String()
		if have, ok := sums[key]; ok {
			repeated++
			add(have, s.Value, 1)
		} else {
			sums[key] = append([]int64(nil), s.Value...)
		}
	}
	return sums, repeated
}

// frameKey is all that makes l the same frame in another profile. A match by line or function
// leaves a frame without lines as it is: there is no name to go by.
func frameKey(l *profile.Location, match string) string {
	var b strings.Builder
	if match != "exact" && len(l.Line) > 0 {
		for _, line := range l.Line {
			fmt.Fprintf(&b, " %q %q", line.Function.Name, line.Function.Filename)
			if match == "line" {
				fmt.Fprintf(&b, ":%d", line.Line)
			}
		}
		return b.String()
	}
	address := l.Address
	if m := l.Mapping; m != nil {
		object := m.BuildID
		if object == "" {
			object = m.File
		}
		pages := (m.Limit - m.Start + 0xfff) / 0x1000
		fmt.Fprintf(&b, "%q %d pages @%#x ", object, pages, m.Offset)
		if address != 0 { // 0 is no address; frames of interpreted code have none
			address -= m.Start
		}
	}
	fmt.Fprintf(&b, "+%#x folded=%t", address, l.IsFolded)
	for _, line := range l.Line {
		f := line.Function
		fmt.Fprintf(&b, " %q %q %q:%d:%d", f.Name, f.SystemName, f.Filename, f.StartLine, line.Line)
	}
	return b.String()
}

// labelKey holds the labels of s in an order that does not depend on theirs.
func labelKey(s *profile.Sample) string {
	var labels []string
	for key, values := range s.Label {
		for _, value := range values {
			labels = append(labels, fmt.Sprintf("%q=%q", key, value))
		}
	}
	for key, values := range s.NumLabel {
		units := s.NumUnit[key]
		for i, value := range values {
			unit := ""
			if i < len(units) {
				unit = units[i]
			}
			labels = append(labels, fmt.Sprintf("%q=%d %q", key, value, unit))
		}
	}
	sort.Strings(labels)
	return strings.Join(labels, " ")
}

func checkHeader(want, got *profile.Profile, durationNanos int64) error {
	fields := []struct {
		name      string
		want, got interface{}
	}{
		{"sample_type", types(want.SampleType...), types(got.SampleType...)},
		{"default_sample_type", want.DefaultSampleType, got.DefaultSampleType},
		{"period_type", types(want.PeriodType), types(got.PeriodType)},
		{"period", want.Period, got.Period},
		{"time_nanos", want.TimeNanos, got.TimeNanos},
		{"duration_nanos", durationNanos, got.DurationNanos},
		{"comment", want.Comments, got.Comments},
		{"drop_frames", want.DropFrames, got.DropFrames},
		{"keep_frames", want.KeepFrames, got.KeepFrames},
	}
	for _, f := range fields {
		want, got := fmt.Sprintf("%#v", f.want), fmt.Sprintf("%#v", f.got)
		if want != got {
			return fmt.Errorf("%s is %s, not %s", f.name, got, want)
		}
	}
	return nil
}

// checkSamples compares the samples of what was written.
// checkSamples holds the samples of a profile against what they have to be.
// means are the totals before they were rounded, sample by sample, where each may then be one off;
// nil for exact values.
func checkSamples(want table, got *profile.Profile, match string, means []float64) error {
	for i, s := range got.Sample {
		if isZero(s.Value) {
			return fmt.Errorf("sample %d is all zero", i)
		}
	}
	sums, repeated := aggregate(got, match)
	if repeated > 0 {
		return fmt.Errorf("%d samples repeat another one", repeated)
	}
	sums.dropZeros()
	if means != nil {
		if err := takeMeans(want, sums, means); err != nil {
			return err
		}
	}
	if text := difference(want, sums); text != "" {
		return errors.New(text)
	}
	return nil
}

// takeMeans puts into want what got has of it, where that is one off, and checks the totals.
func takeMeans(want, got table, means []float64) error {
	totals := make([]float64, len(means))
	for key, have := range got {
		if want[key] == nil {
			want[key] = make([]int64, len(have)) // which was rounded to nothing
		}
		for i, v := range have {
			totals[i] += float64(v)
		}
	}
	for key, values := range want {
		have := got[key]
		if have == nil {
			have = make([]int64, len(values))
		}
		for i, v := range values {
			if difference := have[i] - v; difference == 1 || difference == -1 {
				values[i] = have[i]
			}
		}
	}
	want.dropZeros()
	for i, mean := range means {
		if math.Abs(totals[i]-mean) > 1+math.Abs(mean)*1e-12 {
			return fmt.Errorf("the total of type %d is %.0f, not %.1f", i, totals[i], mean)
		}
	}
	return nil
}

func checkCompression(path string, raw bool) error {
	data, err := os.ReadFile(path)
	if err == nil && bytes.HasPrefix(data, []byte{0x1f, 0x8b}) == raw {
		err = errors.New("it should be compressed with gzip unless told otherwise")
	}
	return err
}

// tally prints the cases that fail, and counts all.
type tally struct{ ok, failed int }

func (t *tally) report(name string, err error) {
	if err == nil {
		t.ok++
		return
	}
	t.failed++
	fmt.Printf("FAIL %s: %v\n", name, err)
}

func (t *tally) outcome() error {
	fmt.Printf("%d ok, %d failed\n", t.ok, t.failed)
	if t.failed > 0 || t.ok == 0 {
		return errors.New("not all is right")
	}
	return nil
}
