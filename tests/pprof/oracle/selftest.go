// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"path/filepath"

	"github.com/google/pprof/profile"
)

// damages are what the checks must notice in a delta.
var damages = []struct {
	name string
	do   func(*profile.Profile)
}{
	{"value", func(p *profile.Profile) { p.Sample[0].Value[0]++ }},
	{"dropped-sample", func(p *profile.Profile) { p.Sample = p.Sample[1:] }},
	{"repeated-sample", func(p *profile.Profile) { p.Sample = append(p.Sample, p.Sample[0]) }},
	{"split-sample", func(p *profile.Profile) {
		part := *p.Sample[0]
		part.Value = make([]int64, len(part.Value))
		part.Value[0] = 1
		p.Sample[0].Value[0]--
		p.Sample = append(p.Sample, &part)
	}},
	{"zero-sample", func(p *profile.Profile) {
		zero := *p.Sample[0]
		zero.Value = make([]int64, len(zero.Value))
		p.Sample = append(p.Sample, &zero)
	}},
	{"label", func(p *profile.Profile) { p.Sample[0].Label = map[string][]string{"key": {"value"}} }},
	{"address", func(p *profile.Profile) { p.Location[0].Address++ }},
	{"line", func(p *profile.Profile) {
		l := p.Location[0]
		l.Line = append(l.Line, profile.Line{Function: p.Function[0]})
	}},
	{"start-line", func(p *profile.Profile) { p.Function[0].StartLine++ }},
	{"system-name", func(p *profile.Profile) { p.Function[0].SystemName += "x" }},
	{"sample-type", func(p *profile.Profile) { p.SampleType[0].Unit += "x" }},
	{"default-sample-type", func(p *profile.Profile) { p.DefaultSampleType += "x" }},
	{"period-type", func(p *profile.Profile) { p.PeriodType = nil }},
	{"period", func(p *profile.Profile) { p.Period++ }},
	{"time", func(p *profile.Profile) { p.TimeNanos++ }},
	{"duration", func(p *profile.Profile) { p.DurationNanos++ }},
	{"comment", func(p *profile.Profile) { p.Comments = append(p.Comments, "x") }},
	{"drop-frames", func(p *profile.Profile) { p.DropFrames += "x" }},
	{"unused-location", func(p *profile.Profile) {
		p.Location = append(p.Location, &profile.Location{ID: 1 << 30})
	}},
	{"unused-function", func(p *profile.Profile) {
		p.Function = append(p.Function, &profile.Function{ID: 1 << 30})
	}},
	{"unused-mappings", func(p *profile.Profile) {
		p.Mapping = append(p.Mapping, &profile.Mapping{ID: 1 << 30}, &profile.Mapping{ID: 1 << 31})
	}},
	{"doubled-values", func(p *profile.Profile) {
		for _, s := range p.Sample {
			add(s.Value, s.Value, 1)
		}
	}},
}

// selfTest lets google/pprof compute the diff of a pair, which must pass, and damages it.
func selfTest(t *tally, folder string, p pair) {
	set := settings{diff: true, match: "exact"}
	path := filepath.Join(folder, "damaged.pb.gz")
	right, err := mergedDiff(p)
	if err == nil {
		err = writeProfile(path, right)
	}
	if err == nil {
		err = checkFiles(p.prev, p.cur, path, folder, set)
	}
	t.report(p.name, "undamaged", err)
	if err != nil || len(right.Function) == 0 {
		return // nothing, or too little, to damage
	}
	for _, d := range damages {
		damaged := right.Copy()
		d.do(damaged)
		err := writeProfile(path, damaged)
		if err == nil && checkFiles(p.prev, p.cur, path, folder, set) == nil {
			err = fmt.Errorf("it goes unnoticed")
		}
		t.report(p.name, d.name, err)
	}
	t.report(p.name, "pprof", pprofNotices(folder, path, p, right))
}

// pprofNotices damages a value and runs the checks by way of pprof, which come last in checkFiles.
func pprofNotices(folder, path string, p pair, right *profile.Profile) error {
	want, _ := aggregate(right, "exact")
	damaged := right.Copy()
	damaged.Sample[0].Value[0]++
	if err := writeProfile(path, damaged); err != nil {
		return err
	}
	if checkSums(want, path, folder) == nil {
		return fmt.Errorf("a wrong sum goes unnoticed")
	}
	if checkDiffBase(p.prev, p.cur, path, folder) == nil {
		return fmt.Errorf("a wrong difference goes unnoticed")
	}
	return nil
}

// mergedDiff is cur minus prev in every sample type.
func mergedDiff(p pair) (*profile.Profile, error) {
	prev, err := readProfile(p.prev)
	if err != nil {
		return nil, err
	}
	cur, err := readProfile(p.cur)
	if err != nil {
		return nil, err
	}
	prevTime, duration := prev.TimeNanos, cur.DurationNanos
	prev.Scale(-1)
	merged, err := profile.Merge([]*profile.Profile{cur, prev})
	if err != nil {
		return nil, err
	}
	if prevTime != 0 && cur.TimeNanos >= prevTime {
		duration = cur.TimeNanos - prevTime
	}
	merged.TimeNanos, merged.DurationNanos = cur.TimeNanos, duration
	merged.Period, merged.Comments = cur.Period, cur.Comments
	return merged, nil
}
