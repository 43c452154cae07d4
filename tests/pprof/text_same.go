// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"math"
	"reflect"

	"github.com/google/pprof/profile"
)

func typeName(t *profile.ValueType) string {
	if t == nil {
		return ""
	}
	return t.Type + "/" + t.Unit
}

// isClose allows for Go's exp(), which is not that of C: in the last digit of a float64, and in
// what is cut off of it.
func isClose(a, b int64) bool {
	return math.Abs(float64(a)-float64(b)) <= 1+math.Abs(float64(a))*1e-14
}

type place struct {
	start, limit, offset uint64
	file, buildID        string
}

func placeOf(m *profile.Mapping) place {
	if m == nil {
		return place{}
	}
	return place{m.Start, m.Limit, m.Offset, m.File, m.BuildID}
}

// mainOf is the first mapping, which readers take for the program's.
func mainOf(p *profile.Profile) place {
	if len(p.Mapping) == 0 {
		return place{}
	}
	return placeOf(p.Mapping[0])
}

func sameHeader(want, have *profile.Profile) error {
	wanted := []interface{}{want.Period, want.TimeNanos, want.DurationNanos, want.DropFrames,
		want.KeepFrames, want.DefaultSampleType, typeName(want.PeriodType), mainOf(want),
		len(want.SampleType), len(want.Sample), len(want.Comments)}
	had := []interface{}{have.Period, have.TimeNanos, have.DurationNanos, have.DropFrames,
		have.KeepFrames, have.DefaultSampleType, typeName(have.PeriodType), mainOf(have),
		len(have.SampleType), len(have.Sample), len(have.Comments)}
	for i := range wanted {
		if wanted[i] != had[i] {
			return fmt.Errorf("header field %d is %v, not %v", i, had[i], wanted[i])
		}
	}
	for i, t := range want.SampleType {
		if typeName(t) != typeName(have.SampleType[i]) {
			return fmt.Errorf("type %d is %s, not %s", i, typeName(have.SampleType[i]), typeName(t))
		}
	}
	return nil
}

func sameSample(want, have *profile.Sample) error {
	if len(want.Location) != len(have.Location) {
		return fmt.Errorf("%d frames, not %d", len(have.Location), len(want.Location))
	}
	for i, l := range want.Location {
		h := have.Location[i]
		// google/pprof passes over the comments with which Go names an address.
		hasOtherLines := len(l.Line) != 0 && len(h.Line) != len(l.Line)
		if l.Address != h.Address || placeOf(l.Mapping) != placeOf(h.Mapping) ||
			hasOtherLines || h.IsFolded {
			return fmt.Errorf("frame %d is %#x in %v, not %#x in %v", i, h.Address,
				placeOf(h.Mapping), l.Address, placeOf(l.Mapping))
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
	if err := sameHeader(want, have); err != nil {
		return err
	}
	for i, s := range want.Sample {
		if err := sameSample(s, have.Sample[i]); err != nil {
			return fmt.Errorf("sample %d: %w", i, err)
		}
	}
	return nil
}
