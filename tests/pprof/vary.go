// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"math/rand"
	"path/filepath"
	"strconv"

	"github.com/google/pprof/profile"
)

func readAll(paths []string) (*profile.Profile, error) {
	var all []*profile.Profile
	for _, path := range paths {
		p, err := readProfile(path)
		if err != nil {
			return nil, err
		}
		all = append(all, p)
	}
	return profile.Merge(all)
}

// some is a profile of a share of the samples of base.
func some(base *profile.Profile, share float64, r *rand.Rand) (*profile.Profile, error) {
	part := &profile.Profile{
		SampleType:        base.SampleType,
		DefaultSampleType: base.DefaultSampleType,
		PeriodType:        base.PeriodType,
		Period:            base.Period,
		DurationNanos:     base.DurationNanos,
		TimeNanos:         base.TimeNanos + r.Int63n(3600e9),
		Mapping:           base.Mapping,
		Location:          base.Location,
		Function:          base.Function,
	}
	count := int(share*float64(len(base.Sample)) + 1)
	for _, number := range r.Perm(len(base.Sample)) {
		if len(part.Sample) == count {
			break
		}
		s := *base.Sample[number]
		s.Value = append([]int64(nil), s.Value...)
		factor := 1 + r.Int63n(20)
		for i := range s.Value {
			s.Value[i] *= factor
		}
		part.Sample = append(part.Sample, &s)
	}
	return profile.Merge([]*profile.Profile{part})
}

func serialized(p *profile.Profile) ([]byte, error) {
	var data bytes.Buffer
	err := p.WriteUncompressed(&data)
	return data.Bytes(), err
}

// shareFor finds how many of the samples of base make about so many bytes.
func shareFor(base *profile.Profile, size float64) (float64, error) {
	low, high := 0.0, 1.0
	for high-low > 0.01 {
		middle := (low + high) / 2
		p, err := some(base, middle, rand.New(rand.NewSource(0)))
		if err != nil {
			return 0, err
		}
		data, err := serialized(p)
		if err != nil {
			return 0, err
		}
		if float64(len(data)) < size {
			low = middle
		} else {
			high = middle
		}
	}
	return high, nil
}

// vary writes profiles that differ, such as those of many processes of one program, out of some
// real ones: each has samples of theirs by chance, in any order, with other values, and only the
// locations, functions and strings that these need, so that all ids differ. The size is about that
// of each uncompressed; they are compressed as Go's runtime does, and the same in each run.
func vary(args []string) error {
	megabytes, err := strconv.ParseFloat(args[0], 64)
	if err != nil {
		return err
	}
	count, err := strconv.Atoi(args[1])
	if err != nil {
		return err
	}
	base, err := readAll(args[3:])
	if err != nil {
		return err
	}
	share, err := shareFor(base, megabytes*1e6)
	if err != nil {
		return err
	}
	total := 0
	for i := 0; i < count; i++ {
		p, err := some(base, share, rand.New(rand.NewSource(int64(i))))
		if err != nil {
			return err
		}
		data, err := serialized(p)
		if err != nil {
			return err
		}
		total += len(data)
		path := filepath.Join(args[2], fmt.Sprintf("%05d.pb.gz", i))
		if err := writeGzip(path, data, gzip.BestSpeed); err != nil {
			return err
		}
	}
	fmt.Printf("%d profiles of %.2f MB, with %.0f %% of %d samples each\n",
		count, float64(total)/float64(count)/1e6, 100*share, len(base.Sample))
	return nil
}
