// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"sort"
	"strings"

	"github.com/google/pprof/profile"
)

// check holds the sum in a file against the one that it has to be.
func (s sum) check(want result, path string) error {
	got, err := readProfile(path)
	if err != nil {
		return err
	}
	gotURL, err := docURL(path)
	if err != nil {
		return err
	}
	if err := checkHeader(want, got, gotURL); err != nil {
		return err
	}
	if err := checkSamples(want, got, path, s.match); err != nil {
		return err
	}
	if s.match == "exact" {
		// In other modes frames that differ are the same, and any of them may be written.
		if err := checkMappings(want.merged, got); err != nil {
			return err
		}
	}
	if err := checkCompact(path); err != nil {
		return err
	}
	return checkCompression(path, s.raw)
}

func checkHeader(want result, got *profile.Profile, gotURL string) error {
	merged := want.merged
	fields := []struct {
		name      string
		want, got interface{}
	}{
		{"sample_type", types(merged.SampleType...), types(got.SampleType...)},
		{"default_sample_type", merged.DefaultSampleType, got.DefaultSampleType},
		{"period_type", types(merged.PeriodType), types(got.PeriodType)},
		{"period", merged.Period, got.Period},
		{"time_nanos", merged.TimeNanos, got.TimeNanos},
		{"duration_nanos", merged.DurationNanos, got.DurationNanos},
		{"comment", merged.Comments, got.Comments},
		{"drop_frames", merged.DropFrames, got.DropFrames},
		{"keep_frames", merged.KeepFrames, got.KeepFrames},
		{"doc_url", want.docURL, gotURL},
	}
	for _, f := range fields {
		want, got := fmt.Sprintf("%#v", f.want), fmt.Sprintf("%#v", f.got)
		if want != got {
			return fmt.Errorf("%s is %s, not %s", f.name, got, want)
		}
	}
	return nil
}

func checkSamples(want result, got *profile.Profile, path, match string) error {
	for i, s := range got.Sample {
		if isZero(s.Value) {
			return fmt.Errorf("sample %d is all zero", i)
		}
	}
	samples, repeated := aggregate(got, match)
	if repeated > 0 {
		hidden, err := hasHiddenParts(path)
		if err != nil {
			return err
		}
		if !hidden {
			return fmt.Errorf("%d samples repeat another one", repeated)
		}
	}
	samples.dropZeros()
	if text := difference(want.samples, samples); text != "" {
		return errors.New(text)
	}
	return nil
}

// checkMappings compares what google/pprof takes for one mapping in several processes, with all
// that it holds but for the address. Which comes first counts: it is the main program.
func checkMappings(want, got *profile.Profile) error {
	wanted, gotten := mappingTexts(want), mappingTexts(got)
	if len(wanted) > 0 && (len(gotten) == 0 || wanted[0] != gotten[0]) {
		return fmt.Errorf("the first of the mappings %q is not %s", gotten, wanted[0])
	}
	sort.Strings(wanted)
	sort.Strings(gotten)
	for i := 1; i < len(gotten); i++ {
		if gotten[i] == gotten[i-1] {
			return fmt.Errorf("mapping %s is there twice", gotten[i])
		}
	}
	if strings.Join(wanted, "\n") != strings.Join(gotten, "\n") {
		return fmt.Errorf("the mappings are %q, not %q", gotten, wanted)
	}
	return nil
}

func mappingTexts(p *profile.Profile) []string {
	var texts []string
	for _, m := range p.Mapping {
		texts = append(texts, fmt.Sprintf("%d pages @%#x %q %q %t %t %t %t",
			(m.Limit-m.Start+0xfff)/0x1000, m.Offset, m.File, m.BuildID, m.HasFunctions,
			m.HasFilenames, m.HasLineNumbers, m.HasInlineFrames))
	}
	return texts
}

func checkCompression(path string, raw bool) error {
	data, err := os.ReadFile(path)
	if err == nil && bytes.HasPrefix(data, []byte{0x1f, 0x8b}) == raw {
		err = errors.New("the sum should be compressed with gzip unless told otherwise")
	}
	return err
}
