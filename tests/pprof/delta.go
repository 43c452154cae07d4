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
// and compares. The self test needs no pprofdelta.
func deltas(args []string) error {
	program, folder := args[0], workFolder()
	t := &tally{}
	check := func(p pair) { checkDelta(t, program, folder, p) }
	if program == selfTest {
		check = func(p pair) { testDelta(t, folder, p) }
	}
	for _, pairsFolder := range append(args[1:], extraFolders()...) {
		pairs, err := findPairs(pairsFolder)
		if err == nil && len(pairs) == 0 {
			err = errors.New("no pairs of profiles")
		}
		if err != nil {
			t.report(pairsFolder, err)
		}
		for _, p := range pairs {
			check(p)
		}
	}
	for seed := int64(1); seed <= randomPairs && program != selfTest; seed++ {
		p, err := randomPair(folder, seed)
		if err != nil {
			t.report(p.name, err)
			continue
		}
		check(p)
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
	if err := checkSamples(want, delta, deltaPath, set.match); err != nil {
		return err
	}
	if err := checkMain(cur, delta); err != nil {
		return err
	}
	if err := checkUsed(deltaPath); err != nil {
		return err
	}
	if len(want) == 0 {
		return nil // pprof refuses an empty profile
	}
	if err := checkSums(want, deltaPath, folder); err != nil {
		return err
	}
	if set.diff && set.match == "exact" {
		return checkDiffBase(prevPath, curPath, deltaPath, folder)
	}
	return nil
}

// checkMain compares the first mappings, which are those of the main program.
func checkMain(cur, delta *profile.Profile) error {
	if len(cur.Mapping) == 0 {
		return nil
	}
	if len(delta.Mapping) == 0 || mappingText(delta.Mapping[0]) != mappingText(cur.Mapping[0]) {
		return fmt.Errorf("the first mapping is not that of the current profile, %q", cur.Mapping[0].File)
	}
	return nil
}

func mappingText(m *profile.Mapping) string {
	return fmt.Sprintf("%x %x %x %q %q", m.Start, m.Limit, m.Offset, m.File, m.BuildID)
}

// spare are ids that no profile here has.
const spare = 1 << 30

// damage tells whether there was something to damage.
type damage struct {
	name string
	do   func(*profile.Profile) bool
}

// always is a damage that needs no more than a sample and a function.
func always(do func(*profile.Profile)) func(*profile.Profile) bool {
	return func(p *profile.Profile) bool {
		do(p)
		return true
	}
}

// damages are what the checks must notice in a delta and in a sum.
var damages = []damage{
	{"value", always(func(p *profile.Profile) { p.Sample[0].Value[0]++ })},
	{"dropped sample", always(func(p *profile.Profile) { p.Sample = p.Sample[1:] })},
	{"repeated sample", always(func(p *profile.Profile) {
		p.Sample = append(p.Sample, p.Sample[0])
	})},
	{"split sample", always(func(p *profile.Profile) {
		part := *p.Sample[0]
		part.Value = make([]int64, len(part.Value))
		part.Value[0] = 1 << 40
		p.Sample[0].Value[0] -= 1 << 40
		p.Sample = append(p.Sample, &part)
	})},
	{"zero sample", always(func(p *profile.Profile) {
		zero := *p.Sample[0]
		zero.Value = make([]int64, len(zero.Value))
		p.Sample = append(p.Sample, &zero)
	})},
	{"doubled values", always(func(p *profile.Profile) {
		for _, s := range p.Sample {
			add(s.Value, s.Value, 1)
		}
	})},
	{"label", always(func(p *profile.Profile) {
		p.Sample[0].Label = map[string][]string{"key": {"value"}}
	})},
	{"unit", func(p *profile.Profile) bool {
		for _, s := range p.Sample {
			for key, values := range s.NumLabel {
				s.NumUnit = map[string][]string{key: make([]string, len(values))}
				s.NumUnit[key][0] = "x"
				return true
			}
		}
		return false
	}},
	{"address", always(func(p *profile.Profile) { p.Location[0].Address++ })},
	{"folded", always(func(p *profile.Profile) {
		p.Location[0].IsFolded = !p.Location[0].IsFolded
	})},
	{"line", always(func(p *profile.Profile) {
		l := p.Location[0]
		l.Line = append(l.Line, profile.Line{Function: p.Function[0]})
	})},
	{"start line", always(func(p *profile.Profile) { p.Function[0].StartLine++ })},
	{"system name", always(func(p *profile.Profile) { p.Function[0].SystemName += "x" })},
	{"mapping's file", func(p *profile.Profile) bool {
		if len(p.Mapping) > 0 {
			p.Mapping[0].File += "x"
		}
		return len(p.Mapping) > 0
	}},
	{"main program", func(p *profile.Profile) bool {
		if len(p.Mapping) > 1 {
			p.Mapping[0], p.Mapping[1] = p.Mapping[1], p.Mapping[0]
		}
		return len(p.Mapping) > 1
	}},
	{"sample type", always(func(p *profile.Profile) { p.SampleType[0].Unit += "x" })},
	{"default sample type", always(func(p *profile.Profile) { p.DefaultSampleType += "x" })},
	{"period type", always(func(p *profile.Profile) {
		p.PeriodType = &profile.ValueType{Type: "x", Unit: "y"}
	})},
	{"period", always(func(p *profile.Profile) { p.Period++ })},
	{"time", always(func(p *profile.Profile) { p.TimeNanos++ })},
	{"duration", always(func(p *profile.Profile) { p.DurationNanos++ })},
	{"comment", always(func(p *profile.Profile) { p.Comments = append(p.Comments, "x") })},
	{"drop frames", always(func(p *profile.Profile) { p.DropFrames += "x" })},
	{"keep frames", always(func(p *profile.Profile) { p.KeepFrames += "x" })},
}

// wastes are what nothing refers to, or is there twice.
var wastes = []damage{
	{"unused location", always(func(p *profile.Profile) {
		p.Location = append(p.Location, &profile.Location{ID: spare})
	})},
	{"unused function", always(func(p *profile.Profile) {
		p.Function = append(p.Function, &profile.Function{ID: spare})
	})},
	{"unused mapping", always(func(p *profile.Profile) {
		p.Mapping = append(p.Mapping, &profile.Mapping{ID: spare})
		// It must not be the first, which needs no reference.
		p.Mapping = append(p.Mapping, &profile.Mapping{ID: spare + 1})
	})},
	{"location twice", always(func(p *profile.Profile) {
		twin := *p.Location[0]
		twin.ID = spare
		use(p, &twin)
	})},
	{"function twice", always(func(p *profile.Profile) {
		twin := *p.Function[0]
		twin.ID = spare
		p.Function = append(p.Function, &twin)
		use(p, &profile.Location{ID: spare, Line: []profile.Line{{Function: &twin}}})
	})},
	{"mapping twice", func(p *profile.Profile) bool {
		if len(p.Mapping) == 0 {
			return false
		}
		twin := *p.Mapping[0]
		twin.ID = spare
		p.Mapping = append(p.Mapping, &twin)
		use(p, &profile.Location{ID: spare, Mapping: &twin})
		return true
	}},
}

// use adds a location and a sample that needs it.
func use(p *profile.Profile, l *profile.Location) {
	p.Location = append(p.Location, l)
	p.Sample = append(p.Sample,
		&profile.Sample{Location: []*profile.Location{l}, Value: p.Sample[0].Value})
}

var errUnnoticed = errors.New("it goes unnoticed")

// damage does each damage to a right profile, and demands that the check of the file notices it.
func (t *tally) damage(name string, right *profile.Profile, path string, damages []damage,
	check func() error) {
	for _, d := range damages {
		damaged := right.Copy()
		if !d.do(damaged) {
			continue
		}
		err := writeProfile(path, damaged)
		if err == nil && check() == nil {
			err = errUnnoticed
		}
		t.report(name+": "+d.name, err)
	}
}

// testDelta lets google/pprof compute the diff of a pair, which must pass, and damages it.
func testDelta(t *tally, folder string, p pair) {
	set := settings{diff: true, match: "exact"}
	path := filepath.Join(folder, "damaged.pb.gz")
	check := func() error { return checkDeltaFile(p.prev, p.cur, path, folder, set) }
	right, err := mergedDiff(p)
	if err == nil {
		err = writeProfile(path, right)
	}
	if err == nil {
		err = check()
	}
	t.report(p.name+" undamaged", err)
	if err != nil || len(right.Function) == 0 {
		return // nothing, or too little, to damage
	}
	t.damage(p.name, right, path, append(damages, wastes...), check)
	t.report(p.name+" pprof", pprofNotices(folder, path, p, right))
}

// pprofNotices damages a value and runs the checks by way of pprof, which come last in checkFiles.
func pprofNotices(folder, path string, p pair, right *profile.Profile) error {
	want, _ := aggregate(right, "exact")
	damaged := right.Copy()
	damaged.Sample[0].Value[0]++
	if err := writeProfile(path, damaged); err != nil {
		return err
	}
	if checkSums(want, path, folder) == nil {
		return fmt.Errorf("a wrong sum goes unnoticed")
	}
	if checkDiffBase(p.prev, p.cur, path, folder) == nil {
		return fmt.Errorf("a wrong difference goes unnoticed")
	}
	return nil
}

// mergedDiff is cur minus prev in every sample type.
func mergedDiff(p pair) (*profile.Profile, error) {
	prev, err := readProfile(p.prev)
	if err != nil {
		return nil, err
	}
	cur, err := readProfile(p.cur)
	if err != nil {
		return nil, err
	}
	prevTime, duration := prev.TimeNanos, cur.DurationNanos
	prev.Scale(-1)
	merged, err := profile.Merge([]*profile.Profile{cur, prev})
	if err != nil {
		return nil, err
	}
	if prevTime != 0 && cur.TimeNanos >= prevTime {
		duration = cur.TimeNanos - prevTime
	}
	merged.TimeNanos, merged.DurationNanos = cur.TimeNanos, duration
	merged.Period, merged.Comments = cur.Period, cur.Comments
	return merged, nil
}
