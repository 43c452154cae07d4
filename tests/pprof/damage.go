// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"

	"github.com/google/pprof/profile"
)

// spare are ids that no profile here has.
const spare = 1 << 30

// damage tells whether there was something to damage.
type damage struct {
	name string
	do   func(*profile.Profile) bool
}

// always is a damage that needs no more than a sample and a function.
func always(do func(*profile.Profile)) func(*profile.Profile) bool {
	return func(p *profile.Profile) bool {
		do(p)
		return true
	}
}

// damages are what the checks must notice in a delta and in a sum.
var damages = []damage{
	{"value", always(func(p *profile.Profile) { p.Sample[0].Value[0]++ })},
	{"dropped sample", always(func(p *profile.Profile) { p.Sample = p.Sample[1:] })},
	{"repeated sample", always(func(p *profile.Profile) {
		p.Sample = append(p.Sample, p.Sample[0])
	})},
	{"split sample", always(func(p *profile.Profile) {
		part := *p.Sample[0]
		part.Value = make([]int64, len(part.Value))
		part.Value[0] = 1 << 40
		p.Sample[0].Value[0] -= 1 << 40
		p.Sample = append(p.Sample, &part)
	})},
	{"zero sample", always(func(p *profile.Profile) {
		zero := *p.Sample[0]
		zero.Value = make([]int64, len(zero.Value))
		p.Sample = append(p.Sample, &zero)
	})},
	{"doubled values", always(func(p *profile.Profile) {
		for _, s := range p.Sample {
			add(s.Value, s.Value, 1)
		}
	})},
	{"label", always(func(p *profile.Profile) {
		p.Sample[0].Label = map[string][]string{"key": {"value"}}
	})},
	{"unit", func(p *profile.Profile) bool {
		for _, s := range p.Sample {
			for key, values := range s.NumLabel {
				s.NumUnit = map[string][]string{key: make([]string, len(values))}
				s.NumUnit[key][0] = "x"
				return true
			}
		}
		return false
	}},
	{"address", always(func(p *profile.Profile) { p.Location[0].Address++ })},
	{"folded", always(func(p *profile.Profile) {
		p.Location[0].IsFolded = !p.Location[0].IsFolded
	})},
	{"line", always(func(p *profile.Profile) {
		l := p.Location[0]
		l.Line = append(l.Line, profile.Line{Function: p.Function[0]})
	})},
	{"start line", always(func(p *profile.Profile) { p.Function[0].StartLine++ })},
	{"system name", always(func(p *profile.Profile) { p.Function[0].SystemName += "x" })},
	{"mapping's file", func(p *profile.Profile) bool {
		if len(p.Mapping) > 0 {
			p.Mapping[0].File += "x"
		}
		return len(p.Mapping) > 0
	}},
	{"main program", func(p *profile.Profile) bool {
		if len(p.Mapping) > 1 {
			p.Mapping[0], p.Mapping[1] = p.Mapping[1], p.Mapping[0]
		}
		return len(p.Mapping) > 1
	}},
	{"sample type", always(func(p *profile.Profile) { p.SampleType[0].Unit += "x" })},
	{"default sample type", always(func(p *profile.Profile) { p.DefaultSampleType += "x" })},
	{"period type", always(func(p *profile.Profile) {
		p.PeriodType = &profile.ValueType{Type: "x", Unit: "y"}
	})},
	{"period", always(func(p *profile.Profile) { p.Period++ })},
	{"time", always(func(p *profile.Profile) { p.TimeNanos++ })},
	{"duration", always(func(p *profile.Profile) { p.DurationNanos++ })},
	{"comment", always(func(p *profile.Profile) { p.Comments = append(p.Comments, "x") })},
	{"drop frames", always(func(p *profile.Profile) { p.DropFrames += "x" })},
	{"keep frames", always(func(p *profile.Profile) { p.KeepFrames += "x" })},
}

// wastes are what nothing refers to, or is there twice.
var wastes = []damage{
	{"unused location", always(func(p *profile.Profile) {
		p.Location = append(p.Location, &profile.Location{ID: spare})
	})},
	{"unused function", always(func(p *profile.Profile) {
		p.Function = append(p.Function, &profile.Function{ID: spare})
	})},
	{"unused mapping", always(func(p *profile.Profile) {
		p.Mapping = append(p.Mapping, &profile.Mapping{ID: spare})
		// It must not be the first, which needs no reference.
		p.Mapping = append(p.Mapping, &profile.Mapping{ID: spare + 1})
	})},
	{"location twice", always(func(p *profile.Profile) {
		twin := *p.Location[0]
		twin.ID = spare
		use(p, &twin)
	})},
	{"function twice", always(func(p *profile.Profile) {
		twin := *p.Function[0]
		twin.ID = spare
		p.Function = append(p.Function, &twin)
		use(p, &profile.Location{ID: spare, Line: []profile.Line{{Function: &twin}}})
	})},
	{"mapping twice", func(p *profile.Profile) bool {
		if len(p.Mapping) == 0 {
			return false
		}
		twin := *p.Mapping[0]
		twin.ID = spare
		p.Mapping = append(p.Mapping, &twin)
		use(p, &profile.Location{ID: spare, Mapping: &twin})
		return true
	}},
}

// use adds a location and a sample that needs it.
func use(p *profile.Profile, l *profile.Location) {
	p.Location = append(p.Location, l)
	p.Sample = append(p.Sample,
		&profile.Sample{Location: []*profile.Location{l}, Value: p.Sample[0].Value})
}

var errUnnoticed = errors.New("it goes unnoticed")

// damage does each damage to a right profile, and demands that the check of the file notices it.
func (t *tally) damage(name string, right *profile.Profile, path string, damages []damage,
	check func() error) {
	for _, d := range damages {
		damaged := right.Copy()
		if !d.do(damaged) {
			continue
		}
		err := writeProfile(path, damaged)
		if err == nil && check() == nil {
			err = errUnnoticed
		}
		t.report(name+": "+d.name, err)
	}
}
