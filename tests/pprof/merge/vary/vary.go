// SPDX-License-Identifier: Apache-2.0

// vary writes profiles that differ, such as those of many processes of one program, out of some
// real ones: each has samples of theirs by chance, in any order, with other values, and only the
// locations, functions and strings that these need, so that all ids differ.
//
//	vary SIZE_MB COUNT FOLDER PROFILE...
//
// SIZE_MB is about how large each is uncompressed; they are compressed as Go's runtime does. They
// are the same in each run.
package main

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"strconv"

	"github.com/google/pprof/profile"
)

func read(path string) (*profile.Profile, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return profile.Parse(file)
}

func readAll(paths []string) (*profile.Profile, error) {
	var all []*profile.Profile
	for _, path := range paths {
		p, err := read(path)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
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

func write(path string, data []byte) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	defer file.Close()
	w, err := gzip.NewWriterLevel(file, gzip.BestSpeed)
	if err != nil {
		return err
	}
	if _, err := w.Write(data); err != nil {
		return err
	}
	return w.Close()
}

func run(megabytes float64, count int, folder string, paths []string) error {
	base, err := readAll(paths)
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
		if err := write(filepath.Join(folder, fmt.Sprintf("%05d.pb.gz", i)), data); err != nil {
			return err
		}
	}
	fmt.Printf("%d profiles of %.2f MB, with %.0f %% of %d samples each\n",
		count, float64(total)/float64(count)/1e6, 100*share, len(base.Sample))
	return nil
}

func main() {
	if len(os.Args) < 5 {
		fmt.Fprintln(os.Stderr, "usage: vary SIZE_MB COUNT FOLDER PROFILE...")
		os.Exit(2)
	}
	megabytes, err := strconv.ParseFloat(os.Args[1], 64)
	if err != nil || !(megabytes > 0) {
		fmt.Fprintln(os.Stderr, "vary: SIZE_MB is no size")
		os.Exit(2)
	}
	count, err := strconv.Atoi(os.Args[2])
	if err != nil || count < 1 {
		fmt.Fprintln(os.Stderr, "vary: COUNT is no number of profiles")
		os.Exit(2)
	}
	if err := run(megabytes, count, os.Args[3], os.Args[4:]); err != nil {
		fmt.Fprintln(os.Stderr, "vary:", err)
		os.Exit(1)
	}
}
