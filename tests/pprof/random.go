// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"math/rand"
	"path/filepath"
	"strconv"

	"github.com/google/pprof/profile"
)

var (
	typeSets = [][]*profile.ValueType{
		{{Type: "alloc_objects", Unit: "count"}, {Type: "alloc_space", Unit: "bytes"},
			{Type: "inuse_objects", Unit: "count"}, {Type: "inuse_space", Unit: "bytes"}},
		{{Type: "contentions", Unit: "count"}, {Type: "delay", Unit: "nanoseconds"}},
		{{Type: "samples", Unit: "count"}},
	}
	periodTypes = []*profile.ValueType{
		nil, {Type: "space", Unit: "bytes"}, {Type: "mutex", Unit: "count"},
	}
)

// counter is a stack, as numbers of locations, and how often it was seen so far.
type counter struct {
	stack []int
	count int64
}

// randomPair writes a pair of profiles with much of what the captured ones lack: programs that
// were loaded elsewhere, frames that differ in one part, labels of all kinds, all header fields.
func randomPair(folder string, seed int64) (pair, error) {
	name := fmt.Sprintf("random-%d", seed)
	stem := filepath.Join(folder, name)
	p := pair{name, stem + ".prev.pb.gz", stem + ".cur.pb.gz"}
	r := rand.New(rand.NewSource(seed))
	counters := make([]counter, r.Intn(200))
	for i := range counters {
		counters[i] = counter{r.Perm(40)[:r.Intn(5)], r.Int63n(1000)}
	}
	sampleTypes, periodType := typeSets[r.Intn(len(typeSets))], periodTypes[r.Intn(len(periodTypes))]
	// Two periods scale differently, and a first profile with a duration has nothing to subtract.
	now, period, duration := int64(0), r.Int63n(1000), int64(0)
	for _, path := range []string{p.prev, p.cur} {
		now += r.Int63n(1000)
		made := &profile.Profile{
			SampleType:        sampleTypes,
			DefaultSampleType: sampleTypes[r.Intn(len(sampleTypes))].Type,
			PeriodType:        periodType,
			Period:            period,
			TimeNanos:         now,
			DurationNanos:     duration,
			Comments:          []string{path}[:r.Intn(2)],
			DropFrames:        "f1",
			KeepFrames:        "f2",
		}
		addProgram(made, uint64(r.Intn(1000)+1)<<12)
		addSamples(made, r, counters)
		if err := writeProfile(path, made); err != nil {
			return p, err
		}
		duration = r.Int63n(2) * 77
		restarted := r.Intn(5) == 0
		for i := range counters {
			if restarted {
				counters[i].count /= 4
			}
			counters[i].count += r.Int63n(100) * r.Int63n(2)
		}
	}
	return p, nil
}

// addSamples gives p most of the counters, in any order, and some of them more than once.
func addSamples(p *profile.Profile, r *rand.Rand, counters []counter) {
	for i, c := range counters {
		if r.Intn(5) == 0 {
			continue
		}
		s := &profile.Sample{}
		for factor := range p.SampleType {
			s.Value = append(s.Value, c.count*int64(factor+1))
		}
		for _, location := range c.stack {
			s.Location = append(s.Location, p.Location[location])
		}
		switch i % 4 {
		case 1:
			s.Label = map[string][]string{"k": []string{"v", "w"}[:1+i%3/2], "l": {"v"}}
		case 2:
			s.NumLabel = map[string][]int64{"bytes": {8, 16}, "k": {int64(i%3 + 1)}}
			s.NumUnit = map[string][]string{"bytes": {"kb", "kb"}}
		}
		for copies := r.Intn(3); copies >= 0; copies-- {
			p.Sample = append(p.Sample, s)
		}
	}
	r.Shuffle(len(p.Sample), func(i, j int) { p.Sample[i], p.Sample[j] = p.Sample[j], p.Sample[i] })
}

// addProgram gives p the same mappings, functions and locations each time, but loaded at base.
func addProgram(p *profile.Profile, base uint64) {
	for i := 0; i < 4; i++ {
		start := base + uint64(i)<<20
		p.Mapping = append(p.Mapping, &profile.Mapping{
			ID: uint64(i + 1), Start: start, Limit: start + 0x5000, Offset: uint64(i%2) << 12,
			File: fmt.Sprintf("/bin/p%d", i/2), BuildID: []string{"", "b1d"}[i/3],
		})
	}
	for i := 0; i < 8; i++ {
		p.Function = append(p.Function, &profile.Function{
			ID: uint64(i + 1), Name: fmt.Sprintf("f%d", i/3), SystemName: fmt.Sprintf("f%d", i/2),
			Filename: fmt.Sprintf("p%d.go", i/4), StartLine: int64(i % 2),
		})
	}
	for i := 0; i < 40; i++ {
		l := &profile.Location{ID: uint64(i + 1), IsFolded: i%11 == 0}
		if i%5 != 0 {
			l.Mapping = p.Mapping[i%4]
			l.Address = l.Mapping.Start + uint64(i/8)
		}
		for j := 0; j < i%4; j++ {
			l.Line = append(l.Line, profile.Line{Function: p.Function[(i+j)%8], Line: int64(i % 3)})
		}
		p.Location = append(p.Location, l)
	}
}

func tangled(seed int64) *profile.Profile {
	r := rand.New(rand.NewSource(seed))
	p := &profile.Profile{
		SampleType: []*profile.ValueType{
			{Type: "samples", Unit: "count"}, {Type: "cpu", Unit: "nanoseconds"}},
		PeriodType:    &profile.ValueType{Type: "cpu", Unit: "nanoseconds"},
		Period:        1e7,
		TimeNanos:     1 + r.Int63n(1000),
		DurationNanos: r.Int63n(1000),
	}
	if seed/2%3 == 0 { // as in the next, so that the two can be added up
		p.SampleType[0], p.SampleType[1] = p.SampleType[1], p.SampleType[0]
	}
	for i := 0; i < 2; i++ {
		start := uint64(i+1) << 20
		p.Mapping = append(p.Mapping, &profile.Mapping{
			ID: uint64(i + 1), Start: start, Limit: start + 0x1000, File: fmt.Sprint("/bin/p", i)})
	}
	for i := range make([]bool, 1+r.Intn(6)) {
		p.Function = append(p.Function, &profile.Function{
			ID: uint64(i + 1), Name: fmt.Sprint("f", r.Intn(4)), SystemName: fmt.Sprint("f", i),
			Filename: fmt.Sprint(i%3, ".go"), StartLine: int64(r.Intn(3))})
	}
	p.Function[0].StartLine = 1 // what has none is not of Go
	for i := range make([]bool, 1+r.Intn(12)) {
		l := &profile.Location{ID: uint64(i + 1), Address: uint64(r.Intn(4))}
		if r.Intn(3) > 0 {
			l.Mapping = p.Mapping[r.Intn(2)]
			l.Address += l.Mapping.Start
		}
		for lines := r.Intn(4); lines > 0; lines-- {
			function := p.Function[r.Intn(len(p.Function))]
			l.Line = append(l.Line, profile.Line{Function: function, Line: int64(r.Intn(4))})
		}
		p.Location = append(p.Location, l)
	}
	for range make([]bool, 1+r.Intn(30)) {
		s := &profile.Sample{Value: []int64{r.Int63n(50), r.Int63n(50) * 1e7}}
		for depth := r.Intn(7); depth > 0; depth-- {
			s.Location = append(s.Location, p.Location[r.Intn(len(p.Location))])
		}
		if r.Intn(3) == 0 {
			s.Label = map[string][]string{"key": {strconv.Itoa(r.Intn(3))}}
		}
		p.Sample = append(p.Sample, s)
	}
	return p
}

// tangle writes CPU profiles by chance that have what a compiler can trip over: recursion, inlined
// frames, frames that differ only in their address or mapping, functions of one name, types in
// another order. They are 000.pb.gz and so on, and the same in each run.
func tangle(args []string) error {
	count, err := strconv.Atoi(args[0])
	for i := 0; i < count && err == nil; i++ {
		err = writeProfile(filepath.Join(args[1], fmt.Sprintf("%03d.pb.gz", i)), tangled(int64(i)))
	}
	return err
}
