// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"

	"github.com/google/pprof/profile"
)

// textDamages are what the comparison must notice.
var textDamages = []struct {
	name string
	do   func(*profile.Profile)
}{
	{"value", func(p *profile.Profile) { p.Sample[0].Value[0] += 2 + p.Sample[0].Value[0]/1000 }},
	{"dropped sample", func(p *profile.Profile) { p.Sample = p.Sample[1:] }},
	{"order of types", func(p *profile.Profile) {
		p.SampleType[0], p.SampleType[1] = p.SampleType[1], p.SampleType[0]
	}},
	{"address", func(p *profile.Profile) { p.Sample[0].Location[0].Address++ }},
	{"frame", func(p *profile.Profile) { p.Sample[0].Location = p.Sample[0].Location[1:] }},
	{"mapping", func(p *profile.Profile) {
		p.Sample[0].Location[0].Mapping = &profile.Mapping{ID: 9, Start: 1, Limit: 2}
	}},
	{"main mapping", func(p *profile.Profile) {
		p.Mapping = append([]*profile.Mapping{{ID: 9, Start: 1}}, p.Mapping...)
	}},
	{"label", func(p *profile.Profile) { p.Sample[0].NumLabel = map[string][]int64{"x": {1}} }},
	{"period", func(p *profile.Profile) { p.Period++ }},
	{"period type", func(p *profile.Profile) { p.PeriodType.Type += "x" }},
	{"time", func(p *profile.Profile) { p.TimeNanos++ }},
	{"duration", func(p *profile.Profile) { p.DurationNanos++ }},
	{"drop frames", func(p *profile.Profile) { p.DropFrames += "x" }},
	{"keep frames", func(p *profile.Profile) { p.KeepFrames += "x" }},
}

func (c *conversions) selfTest(name string, text []byte) error {
	for _, d := range textDamages {
		theirs, err := readLikeGoogle(text)
		if err != nil {
			return err
		}
		if len(theirs.Sample) == 0 {
			return nil
		}
		d.do(theirs)
		ours, err := c.ours(mended(name, text))
		if err != nil {
			return err
		}
		if same(theirs, ours) == nil {
			return fmt.Errorf("damage is not noticed: %s", d.name)
		}
	}
	return nil
}
