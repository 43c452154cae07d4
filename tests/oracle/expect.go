// SPDX-License-Identifier: Apache-2.0

package main

import "github.com/google/pprof/profile"

// settings say how a delta was made.
type settings struct {
	cumulative []string // types to subtract besides those known to be cumulative, as type/unit
	diff       bool     // subtract every type
	match      string   // exact, line or function
}

// expected computes what the delta of prev and cur must hold.
func expected(prev, cur *profile.Profile, set settings) table {
	subtracted, _ := subtractedTypes(cur, set)
	before, _ := aggregate(prev, set.match)
	want, _ := aggregate(cur, set.match)
	if set.diff || !isReset(before, want, subtracted) {
		subtract(want, before, subtracted, set.diff)
	}
	want.dropZeros()
	return want
}

// subtractedTypes tells for each sample type of p whether it is subtracted.
func subtractedTypes(p *profile.Profile, set settings) (subtracted []bool, any bool) {
	known := map[string]bool{"alloc_objects/count": true, "alloc_space/bytes": true}
	// With this period type it is a recording of Java's, which does not go on from the last one.
	if p.PeriodType == nil || p.PeriodType.Type != "mutex" || p.PeriodType.Unit != "count" {
		known["contentions/count"] = true
		known["delay/nanoseconds"] = true
	}
	for _, name := range set.cumulative {
		known[name] = true
	}
	for _, t := range p.SampleType {
		yes := set.diff || known[t.Type+"/"+t.Unit]
		subtracted = append(subtracted, yes)
		any = any || yes
	}
	return subtracted, any
}

// needsOptions lists the types of the profile in a file if none of them is known to be cumulative.
// The node-heap profiles are such: they go through pprofdelta with all of their types named.
func needsOptions(path string) ([]string, error) {
	p, err := readProfile(path)
	if err != nil {
		return nil, err
	}
	if _, any := subtractedTypes(p, settings{}); any {
		return nil, nil
	}
	return types(p.SampleType...), nil
}

// isReset tells whether some counter lost more than half of what it had: its process restarted.
func isReset(before, after table, subtracted []bool) bool {
	for i, yes := range subtracted {
		var lost, total int64
		for key, old := range before {
			now := int64(0)
			if values, ok := after[key]; ok {
				now = values[i]
			}
			total += old[i]
			if now < old[i] {
				lost += old[i] - now
			}
		}
		if yes && lost > total/2 {
			return true
		}
	}
	return false
}

// subtract takes before's values from want's. What only before has counts in a diff alone.
func subtract(want, before table, subtracted []bool, diff bool) {
	for key, old := range before {
		values, ok := want[key]
		if !ok {
			if !diff {
				continue
			}
			values = make([]int64, len(old))
			want[key] = values
		}
		for i, yes := range subtracted {
			if yes {
				values[i] -= old[i]
			}
		}
	}
}
