// SPDX-License-Identifier: Apache-2.0

package main

import (
	"compress/gzip"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"

	"github.com/google/pprof/profile"
)

// muchToDamage is a number of samples with which damage takes long, and would show no more.
const muchToDamage = 5000

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

// damages are what the checks must notice in a sum.
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
	{"mapping's flag", func(p *profile.Profile) bool {
		if len(p.Mapping) > 0 {
			p.Mapping[0].HasInlineFrames = !p.Mapping[0].HasInlineFrames
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

// wastes are what checkCompact must notice by itself.
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

// selfTest lets google/pprof compute a sum, which must pass, and damages it.
func selfTest(t *tally, folder string, one set) {
	s := sum{name: one.name, inputs: one.paths, match: "exact"}
	path := filepath.Join(folder, "damaged.pb.gz")
	want, err := s.expected()
	if err == nil {
		err = writeProfile(path, want.merged)
	}
	if err == nil && want.docURL != "" {
		err = errors.New("google/pprof writes no doc_url, so it cannot stand in")
	}
	if err == nil {
		err = s.check(want, path)
	}
	t.report(s.name, err)
	if want.moved {
		t.moved++
	}
	if err != nil || len(want.merged.Sample) == 0 || len(want.merged.Function) == 0 {
		return // nothing, or too little, to damage
	}
	if len(want.merged.Sample) > muchToDamage {
		return
	}
	unnoticed := errors.New("it goes unnoticed")
	for _, d := range damages {
		damaged := want.merged.Copy()
		if !d.do(damaged) {
			continue
		}
		err := writeProfile(path, damaged)
		if err == nil && s.check(want, path) == nil {
			err = unnoticed
		}
		t.report(s.name+": "+d.name, err)
	}
	for _, d := range wastes {
		damaged := want.merged.Copy()
		if !d.do(damaged) {
			continue
		}
		err := writeProfile(path, damaged)
		if err == nil && checkCompact(path) == nil {
			err = unnoticed
		}
		t.report(s.name+": "+d.name, err)
	}
	for _, a := range additions {
		err := writeProfile(path, want.merged)
		if err == nil {
			err = a.appendTo(path)
		}
		if err == nil && a.check(s, want, path) == nil {
			err = unnoticed
		}
		t.report(s.name+": "+a.name, err)
	}
}

// addition is what google/pprof itself does not write: strings, and a field that refers to each.
type addition struct {
	name    string
	strings []string
	field   uint64 // or 0
	check   func(s sum, want result, path string) error
}

func compactAlone(_ sum, _ result, path string) error { return checkCompact(path) }

var additions = []addition{
	{"unused string", []string{"unused"}, 0, compactAlone},
	{"string twice", []string{"twice", "twice"}, profileComment, compactAlone},
	{"doc url", []string{"url"}, profileDocURL, sum.check},
}

// appendTo adds to the profile in a file.
func (a addition) appendTo(path string) error {
	data, err := inflated(path)
	if err != nil {
		return err
	}
	number := uint64(0)
	err = eachField(data, func(field, _ uint64, _ []byte) error {
		if field == profileString {
			number++
		}
		return nil
	})
	if err != nil {
		return err
	}
	for _, text := range a.strings {
		data = append(data, profileString<<3|2, byte(len(text)))
		data = append(data, text...)
		if a.field != 0 {
			data = append(data, byte(a.field<<3))
			data = binary.AppendUvarint(data, number)
		}
		number++
	}
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	defer file.Close()
	w := gzip.NewWriter(file)
	if _, err := w.Write(data); err != nil {
		return err
	}
	return w.Close()
}
