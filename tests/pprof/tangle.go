// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"math/rand"
	"path/filepath"
	"strconv"

	"github.com/google/pprof/profile"
)

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
