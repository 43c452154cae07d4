// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"

	"github.com/google/pprof/profile"
)

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

// checkSamples compares the samples of what was written, which is in a file as well.
func checkSamples(want table, got *profile.Profile, path, match string) error {
	for i, s := range got.Sample {
		if isZero(s.Value) {
			return fmt.Errorf("sample %d is all zero", i)
		}
	}
	sums, repeated := aggregate(got, match)
	if repeated > 0 {
		hidden, err := hasHiddenParts(path)
		if err != nil {
			return err
		}
		if !hidden {
			return fmt.Errorf("%d samples repeat another one", repeated)
		}
	}
	sums.dropZeros()
	if text := difference(want, sums); text != "" {
		return errors.New(text)
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
