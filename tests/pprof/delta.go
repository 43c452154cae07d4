// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/google/pprof/profile"
)

// deltaModes are the ways in which pprofdelta is run on each pair.
var deltaModes = []struct {
	name string
	args []string
	settings
}{
	{"delta", nil, settings{match: "exact"}},
	{"raw", []string{"--compress", "none"}, settings{match: "exact"}},
	{"line", []string{"--match", "line"}, settings{match: "line"}},
	{"function", []string{"--match", "function"}, settings{match: "function"}},
	{"diff", []string{"--diff"}, settings{match: "exact", diff: true}},
	{"diff-function", []string{"--diff", "--match", "function"},
		settings{match: "function", diff: true}},
}

const randomPairs = 20

// makeDelta runs pprofdelta into a file in folder.
func makeDelta(program, folder string, p pair, args []string, set settings) (string, error) {
	delta := filepath.Join(folder, "delta.pb")
	args = append([]string{"-o", delta}, args...)
	if !set.diff {
		for _, t := range set.cumulative {
			args = append(args, "--cumulative", t)
		}
	}
	return delta, write(delta, program, append(args, p.prev, p.cur)...)
}

func checkDelta(t *tally, program, folder string, p pair) {
	cumulative, err := needsOptions(p.cur)
	if err != nil {
		t.report(p.name+" types", err)
		return
	}
	for _, m := range deltaModes {
		set := m.settings
		set.cumulative = cumulative
		delta, err := makeDelta(program, folder, p, m.args, set)
		if err == nil {
			err = checkDeltaFile(p.prev, p.cur, delta, folder, set)
		}
		if err == nil {
			err = checkCompression(delta, m.name == "raw")
		}
		t.report(p.name+" "+m.name, err)
	}
}

// deltas computes what the delta of each pair in the folders, and of some random ones, must hold,
// and compares.
func deltas(args []string) error {
	program, folder := args[0], workFolder()
	t := &tally{}
	for _, pairsFolder := range append(args[1:], extraFolders()...) {
		pairs, err := findPairs(pairsFolder)
		if err == nil && len(pairs) == 0 {
			err = errors.New("no pairs of profiles")
		}
		if err != nil {
			t.report(pairsFolder, err)
		}
		for _, p := range pairs {
			checkDelta(t, program, folder, p)
		}
	}
	for seed := int64(1); seed <= randomPairs; seed++ {
		p, err := randomPair(folder, seed)
		if err != nil {
			t.report(p.name, err)
			continue
		}
		checkDelta(t, program, folder, p)
	}
	return t.outcome()
}

type pair struct{ name, prev, cur string }

// findPairs lists NAME.prev.pb.gz with NAME.cur.pb.gz, NAME-a.pb.gz with NAME-b.pb.gz, and the
// same without .gz, in the order of their names.
func findPairs(folder string) ([]pair, error) {
	var pairs []pair
	for _, ends := range [][2]string{{".prev", ".cur"}, {"-a", "-b"}} {
		for _, suffix := range []string{".pb", ".pb.gz"} {
			paths, err := filepath.Glob(filepath.Join(folder, "*"+ends[0]+suffix))
			if err != nil {
				return nil, err
			}
			for _, path := range paths {
				stem := strings.TrimSuffix(path, ends[0]+suffix)
				cur := stem + ends[1] + suffix
				pairs = append(pairs, pair{filepath.Base(stem), path, cur})
			}
		}
	}
	return pairs, nil
}

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
	if set.diff {
		duration = 0 // two processes have no interval
	}
	want.dropZeros()
	return want, duration
}

// subtractedTypes tells for each sample type of p whether it is subtracted.
func subtractedTypes(p *profile.Profile, set settings) (subtracted []bool, any bool) {
	known := map[string]bool{"alloc_objects/count": true, "alloc_space/bytes": true}
	// This period type means a recording of Java's, which does not go on from the last one.
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

// subtract takes before's values from want's. A row that only before has counts in a diff alone.
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

// checkDeltaFile holds the delta in a file against the profiles that it was made of, first by
// reading it and then with pprof, for which folder keeps temporary files.
func checkDeltaFile(prevPath, curPath, deltaPath, folder string, set settings) error {
	prev, err := readProfile(prevPath)
	if err != nil {
		return err
	}
	cur, err := readProfile(curPath)
	if err != nil {
		return err
	}
	delta, err := readProfile(deltaPath)
	if err != nil {
		return err
	}
	want, duration := expected(prev, cur, set)
	if err := checkHeader(cur, delta, duration); err != nil {
		return err
	}
	if err := checkSamples(want, delta, set.match, nil); err != nil {
		return err
	}
	if err := checkMain(cur, delta); err != nil {
		return err
	}
	if len(want) == 0 {
		return nil // pprof refuses an empty profile
	}
	if set.diff && set.match == "exact" {
		return checkDiffBase(prevPath, curPath, deltaPath, folder)
	}
	return nil
}

// checkMain compares the first mappings, which are those of the main program.
func checkMain(want, got *profile.Profile) error {
	if len(want.Mapping) == 0 {
		return nil
	}
	if len(got.Mapping) == 0 || mappingText(got.Mapping[0]) != mappingText(want.Mapping[0]) {
		return fmt.Errorf("the first mapping is not %q", want.Mapping[0].File)
	}
	return nil
}

func mappingText(m *profile.Mapping) string {
	if m == nil {
		return "none"
	}
	return fmt.Sprintf("%x %x %x %q %q", m.Start, m.Limit, m.Offset, m.File, m.BuildID)
}
