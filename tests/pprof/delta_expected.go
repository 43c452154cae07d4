// SPDX-License-Identifier: Apache-2.0

package main

import "github.com/google/pprof/profile"

// settings say how a delta was made.
type settings struct {
	cumulative []string // types to subtract besides those known to be cumulative, as type/unit
	diff       bool     // subtract every type
	match      string   // exact, line or function
}

// expected computes what the delta of prev and cur must hold, and its duration. How long counters
// count that started over is not known.
func expected(prev, cur *profile.Profile, set settings) (table, int64) {
	subtracted, _ := subtractedTypes(cur, set)
	before, _ := aggregate(prev, set.match)
	want, _ := aggregate(cur, set.match)
	duration := cur.DurationNanos
	if set.diff || !isReset(prev, cur, before, want, subtracted) {
		subtract(want, before, subtracted, set.diff)
		if prev.TimeNanos != 0 && cur.TimeNanos != 0 && cur.TimeNanos >= prev.TimeNanos {
			duration = cur.TimeNanos - prev.TimeNanos
		}
	}
	want.dropZeros()
	return want, duration
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

// vdso tells where the kernel's own code lies, which differs by process; 0 if it is not known.
func vdso(p *profile.Profile) uint64 {
	for _, m := range p.Mapping {
		if m.File == "[vdso]" {
			return m.Start
		}
	}
	return 0
}

// isReset tells whether the counters started over, as pprofdelta(7) has the rule.
func isReset(prev, cur *profile.Profile, before, after table, subtracted []bool) bool {
	isKnown := vdso(prev) != 0 && vdso(cur) != 0
	if isKnown && vdso(prev) != vdso(cur) {
		return true
	}
	keys := map[string]bool{}
	for key := range before {
		keys[key] = true
	}
	for key := range after {
		keys[key] = true
	}
	fallen := map[string]bool{}
	for i, yes := range subtracted {
		if !yes {
			continue
		}
		var lost, gained, total int64
		for key := range keys {
			var old, now int64
			if values, ok := before[key]; ok {
				old = values[i]
			}
			if values, ok := after[key]; ok {
				now = values[i]
			}
			total += max(old, 0)
			lost += max(old-now, 0)
			gained += max(now-old, 0)
			if now < old {
				fallen[key] = true
			}
		}
		if lost > total/2 || !isKnown && (lost > gained || lost > total/10) {
			return true
		}
	}
	return !isKnown && len(fallen) > 1 && len(fallen) > len(before)/50
}

func max(a, b int64) int64 {
	if a > b {
		return a
	}
	return b
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
