// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"hash/fnv"
	"path/filepath"
	"strconv"

	"github.com/google/pprof/profile"
)

// steps writes profiles as a process might have had them on its way from one real capture to
// another: values grow evenly, samples that are new in the second turn up one after the other, and
// some small ones are missing at times. The first and the last are the captures themselves.
func steps(args []string) error {
	count, err := strconv.Atoi(args[2])
	if err != nil {
		return err
	}
	prev, err := combine([]string{"+" + args[0]})
	if err != nil {
		return err
	}
	for step := 0; step < count; step++ {
		p, err := readProfile(args[1])
		if err != nil {
			return err
		}
		end := count - 1
		p.TimeNanos += int64(step-end) * 1e9
		at, _ := columns(p)
		totals := make([]int64, len(at))
		for _, s := range p.Sample {
			for i, place := range at {
				totals[i] += s.Value[place]
			}
		}
		kept := p.Sample[:0]
		for _, s := range p.Sample {
			before := prev.rows[sampleKey(s)]
			if step < end && isMissing(s, before, step, end, at, totals) {
				continue
			}
			for i, place := range at {
				var from int64
				if before != nil {
					from = before.values[i]
				}
				s.Value[place] = from + (s.Value[place]-from)*int64(step)/int64(end)
			}
			kept = append(kept, s)
		}
		p.Sample = kept
		path := filepath.Join(args[3], fmt.Sprintf("%03d.pb.gz", step))
		if err := writeProfile(path, p.Compact()); err != nil {
			return err
		}
	}
	return nil
}

func isMissing(s *profile.Sample, before *combinedRow, step, end int, at []int,
	totals []int64) bool {
	hash := fnv.New32a()
	hash.Write([]byte(sampleKey(s)))
	draw := int(hash.Sum32() >> 1)
	if before == nil && step <= draw%end {
		return true
	}
	for i, place := range at {
		if s.Value[place] > totals[i]/100 {
			return false // without it the rest would look like counters that started over
		}
	}
	return step > 0 && draw%3 == 0 && (step+draw/3)%4 == 0
}
