// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"math"
	"math/big"
	"os"
	"path/filepath"
	"regexp"
	"sort"
	"strconv"
	"strings"

	"github.com/google/pprof/profile"
)

// merges compares the sums of the profiles in the folders, and of some random ones, with those that
// google/pprof's own package makes.
//
// The expected result differs on purpose where expected() says so, and does what pprofdelta
// promises:
//
//   - The time is the earliest that is not 0. Merge has the last one after a 0.
//   - A profile without a period type goes with those that have one.
//   - An address of 0 is none, and so is not relative to its mapping.
//   - What has no stack has no frame to ignore.
func merges(args []string) error {
	program, folder := args[0], workFolder()
	t := &tally{}
	sets, err := findSets(append(args[1:], extraFolders()...))
	if err != nil {
		t.report("the folders", err)
	}
	random, err := randomSets(folder)
	if err != nil {
		t.report("random profiles", err)
	}
	for _, one := range append(sets, random...) {
		checkSet(t, program, folder, one)
	}
	return t.outcome()
}

// run lets the program write the sum into a file in folder.
func (s sum) run(program, folder string) (string, error) {
	path := filepath.Join(folder, "sum.pb")
	args := append([]string{"merge", "-q", "-o", path}, s.arguments()...)
	return path, write(path, program, append(args, s.inputs...)...)
}

func checkSet(t *tally, program, folder string, one set) {
	sums, err := one.sums()
	if err != nil {
		t.report(one.name, err)
		return
	}
	for _, s := range sums {
		want, err := s.expected()
		if err == nil {
			var path string
			if path, err = s.run(program, folder); err == nil {
				err = s.check(want, path)
			}
		}
		t.report(s.name, err)
	}
}

// set is profiles that can be added up.
type set struct {
	name  string
	paths []string
	brief bool // a run without options is enough
}

// findProfiles lists the profiles in a folder that google/pprof reads, in the order of their names.
//
// Text is left out: google/pprof converts some of it in another way, and tests/pprof/text compares
// that.
func findProfiles(folder string) ([]string, error) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, err
	}
	var paths []string
	for _, entry := range entries {
		if strings.HasSuffix(entry.Name(), ".pb.gz") || strings.HasSuffix(entry.Name(), ".pb") {
			paths = append(paths, filepath.Join(folder, entry.Name()))
		}
	}
	if len(paths) == 0 {
		return nil, fmt.Errorf("%s: no profiles", folder)
	}
	return paths, nil
}

// kind is what profiles that are added up have in common.
type kind struct{ name, periodType string }

// groups are the profiles of each kind. Those without a period type go with the first one of their
// sample types.
func groups(paths []string) (map[kind][]string, error) {
	found := map[kind][]string{}
	without := map[string][]string{}
	first := map[string]kind{}
	for _, path := range paths {
		p, err := readProfile(path)
		if err != nil {
			return nil, err
		}
		k := kindOf(p)
		if k.periodType == "/" {
			without[k.name] = append(without[k.name], path)
			continue
		}
		if _, ok := first[k.name]; !ok {
			first[k.name] = k
		}
		found[k] = append(found[k], path)
	}
	for name, paths := range without {
		k, ok := first[name]
		if !ok {
			k = kind{name, "/"}
		}
		found[k] = append(found[k], paths...)
	}
	return found, nil
}

func kindOf(p *profile.Profile) kind {
	return kind{strings.Join(types(p.SampleType...), ","), strings.Join(types(p.PeriodType), "")}
}

// findSets makes sets of the profiles in some folders: the pairs, each profile with itself, and all
// of one kind in a folder and in all folders.
func findSets(folders []string) ([]set, error) {
	var sets []set
	var all []string
	for _, folder := range folders {
		pairs, err := findPairs(folder)
		if err != nil {
			return nil, err
		}
		for _, p := range pairs {
			sets = append(sets, set{name: p.name, paths: []string{p.prev, p.cur}})
		}
		paths, err := findProfiles(folder)
		if err != nil {
			return nil, err
		}
		all = append(all, paths...)
		for _, path := range paths {
			sets = append(sets, set{"twice " + filepath.Base(path), []string{path, path}, true})
		}
		more, err := groupSets(filepath.Base(folder), paths)
		if err != nil {
			return nil, err
		}
		sets = append(sets, more...)
	}
	more, err := groupSets("all", all)
	return append(sets, more...), err
}

// groupSets makes a set of each group that is no pair.
func groupSets(name string, paths []string) ([]set, error) {
	grouped, err := groups(paths)
	if err != nil {
		return nil, err
	}
	var sets []set
	for k, paths := range grouped {
		if len(paths) > 2 {
			sets = append(sets, set{name: name + " of " + k.name + " " + k.periodType, paths: paths})
		}
	}
	sort.Slice(sets, func(i, j int) bool { return sets[i].name < sets[j].name })
	return sets, nil
}

// randomSets are always the same: pairs of one invented program, and of two with one minus one.
func randomSets(folder string) ([]set, error) {
	var sets []set
	for seed := int64(1); seed <= 20; seed++ {
		p, err := randomPair(folder, seed)
		if err != nil {
			return nil, err
		}
		sets = append(sets, set{name: p.name, paths: []string{p.prev, p.cur}})
		negative, err := readProfile(p.prev)
		if err != nil {
			return nil, err
		}
		negative.Scale(-1)
		path := filepath.Join(folder, fmt.Sprintf("minus-%d.pb.gz", seed))
		if err := writeProfile(path, negative); err != nil {
			return nil, err
		}
		sets = append(sets, set{name: p.name + " less prev", paths: []string{p.prev, p.cur, path}})
	}
	return sets, nil
}

// sums are the ways in which the program is run on a set.
func (s set) sums() ([]sum, error) {
	plain := sum{inputs: s.paths, match: "exact"}
	sums := []sum{}
	add := func(name string, change func(*sum)) {
		one := plain
		change(&one)
		one.name = s.name + ": " + name
		sums = append(sums, one)
	}
	add("plain", func(*sum) {})
	if s.brief {
		return sums, nil
	}
	add("raw", func(one *sum) { one.raw = true })
	add("line", func(one *sum) { one.match = "line" })
	add("function", func(one *sum) { one.match = "function" })
	add("reversed", func(one *sum) { one.inputs = reversed(s.paths) })
	add("mean", func(one *sum) { one.mean = true })
	add("weights", func(one *sum) { one.weights = weights(len(s.paths), 2, 0.5, 1) })
	add("weighted mean", func(one *sum) {
		one.weights = weights(len(s.paths), 3, 1)
		one.mean = true
	})
	add("no lines", func(one *sum) { one.dropLines = true })
	for _, levels := range []string{"last", "max", "mean"} {
		levels := levels
		add(levels+" levels", func(one *sum) { one.levels = levels })
	}

	p, err := readProfile(s.paths[len(s.paths)-1])
	if err != nil {
		return nil, err
	}
	names := types(p.SampleType...)
	if last := p.SampleType[len(names)-1]; last.Type != "" && last.Unit != "" {
		add("last type", func(one *sum) { one.keep = names[len(names)-1:] })
	}
	if p.SampleType[0].Type != "" {
		add("first type", func(one *sum) { one.keep = []string{p.SampleType[0].Type} })
	}
	if keys := labelKeys(p); len(keys) > 0 {
		add("no labels", func(one *sum) { one.dropLabel = ".+" })
		add("less a label", func(one *sum) { one.dropLabel = quoted(keys[0]) })
		add("part of a label", func(one *sum) { one.dropLabel = quoted(keys[0][1:]) })
	}
	if names := someFunctions(p); len(names) > 0 {
		add("focus", func(one *sum) { one.focus = quoted(names[0]) })
		add("ignore", func(one *sum) { one.ignore = quoted(names[len(names)-1]) })
		add("hide", func(one *sum) { one.hide = `(?i)^[m-z]` })
		add("show from", func(one *sum) { one.showFrom = `(?i)[a-m]` })
		add("focus, hide and show from", func(one *sum) {
			one.focus, one.hide, one.showFrom = `(?i)[a-m]`, quoted(names[0]), `(?i)[e-s]`
		})
		add("focus and ignore", func(one *sum) {
			one.focus, one.ignore = `(?i)[a-m]`, quoted(names[0])
		})
		add("much", func(one *sum) {
			one.ignore, one.dropLabel = quoted(names[0]), ".+"
			one.weights, one.mean = weights(len(s.paths), 0.25, 3), true
			one.keep = []string{p.SampleType[0].Type}
		})
	}
	return sums, nil
}

// quoted is a regular expression for a text as it is.
func quoted(text string) string { return regexp.QuoteMeta(text) }

func reversed(paths []string) []string {
	var turned []string
	for i := range paths {
		turned = append(turned, paths[len(paths)-1-i])
	}
	return turned
}

// weights repeats some of them for a number of inputs.
func weights(number int, some ...float64) []float64 {
	var repeated []float64
	for i := 0; i < number; i++ {
		repeated = append(repeated, some[i%len(some)])
	}
	return repeated
}

func labelKeys(p *profile.Profile) []string {
	found := map[string]bool{}
	for _, s := range p.Sample {
		for key := range s.Label {
			found[key] = true
		}
		for key := range s.NumLabel {
			found[key] = true
		}
	}
	delete(found, "")
	return sorted(found)
}

// someFunctions are those of the innermost frames of some samples.
func someFunctions(p *profile.Profile) []string {
	found := map[string]bool{}
	for i := 0; i < len(p.Sample); i += 1 + len(p.Sample)/3 {
		for _, l := range p.Sample[i].Location {
			if len(l.Line) > 0 && l.Line[0].Function.Name != "" {
				found[l.Line[0].Function.Name] = true
				break
			}
		}
	}
	return sorted(found)
}

func sorted(found map[string]bool) []string {
	var names []string
	for name := range found {
		names = append(names, name)
	}
	sort.Strings(names)
	return names
}

// sum is a run of the program, and what decides its outcome.
type sum struct {
	name   string
	inputs []string
	raw    bool
	match  string // exact, line or function

	weights   []float64 // one for each input, or none
	mean      bool
	keep      []string // types, as type or type/unit; all without
	dropLabel string   // a regular expression for whole keys
	focus     string
	ignore    string
	hide      string
	showFrom  string
	dropLines bool
	levels    string // what becomes of gauges: last, max or mean; added up without
}

func (s sum) arguments() []string {
	var args []string
	add := func(name, value, without string) {
		if value != without {
			args = append(args, name, value)
		}
	}
	if s.raw {
		add("--compress", "none", "")
	}
	add("--match", s.match, "exact")
	for _, w := range s.weights {
		add("--weight", strconv.FormatFloat(w, 'f', -1, 64), "")
	}
	if s.mean {
		args = append(args, "--mean")
	}
	for _, t := range s.keep {
		add("--keep-type", t, "")
	}
	add("--drop-label", s.dropLabel, "")
	add("--focus", s.focus, "")
	add("--ignore", s.ignore, "")
	add("--hide", s.hide, "")
	add("--show-from", s.showFrom, "")
	if s.dropLines {
		args = append(args, "--drop-lines")
	}
	add("--levels", s.levels, "")
	return args
}

// result is what a sum has to be.
type result struct {
	merged  *profile.Profile
	samples table
	means   []float64 // the totals of a mean before it is rounded
}

// expected lets google/pprof add up the inputs.
func (s sum) expected() (result, error) {
	r := result{}
	var inputs []*profile.Profile
	var periodType *profile.ValueType
	var levels []captured
	earliest := int64(0)
	for i, path := range s.inputs {
		p, err := readProfile(path)
		if err != nil {
			return r, err
		}
		// Merge takes 0 as a time if it comes first or last, and for the earliest if negative ones
		// are left out of account.
		if p.TimeNanos != 0 && (earliest == 0 || p.TimeNanos < earliest) {
			earliest = p.TimeNanos
		}
		if periodType == nil && !isEmpty(p.PeriodType) {
			periodType = p.PeriodType
		}
		moveMissingAddresses(p)
		if err := s.trim(p); err != nil {
			return r, err
		}
		if s.weights != nil {
			p.Scale(s.weights[i]) // but for the duration
			// A mean is between the least and the most.
			if s.mean {
				if p.DurationNanos, err = scaled(p.DurationNanos, s.weights[i]); err != nil {
					return r, err
				}
			}
		}
		inputs = append(inputs, p)
		own, _ := aggregate(p, s.match)
		levels = append(levels, captured{own, p.TimeNanos})
	}
	// Merge takes no period type for another one than any.
	for _, p := range inputs {
		if periodType != nil && isEmpty(p.PeriodType) {
			p.PeriodType = periodType
		}
	}
	merged, err := profile.Merge(inputs)
	if err != nil {
		return r, err
	}
	merged.TimeNanos = earliest
	if s.mean {
		r.means = totalsOf(merged, s.number())
		if err := s.divide(merged); err != nil {
			return r, err
		}
	}
	for _, p := range inputs {
		if p.DurationNanos <= 0 && len(p.Sample) != 0 && counts(inputs[0]) {
			merged.DurationNanos = 0 // nobody knows in which time
		}
	}
	if merged, err = profile.Merge([]*profile.Profile{merged}); err != nil {
		return r, err
	}
	r.merged = merged
	r.samples, _ = aggregate(merged, s.match)
	if s.levels != "" {
		if r.means == nil && s.levels == "mean" {
			r.means = totalsOf(merged, 1)
		}
		if err := s.setLevels(r.samples, levels, r.means); err != nil {
			return r, err
		}
	}
	r.samples.dropZeros()
	return r, nil
}

// captured is what a profile that is added has, and when it was taken.
type captured struct {
	samples table
	time    int64
}

// setLevels makes the gauges of sums what becomes of them, by looking at all profiles. A sample
// that a profile does not have is 0 in it.
func (s sum) setLevels(sums table, levels []captured, means []float64) error {
	first, err := readProfile(s.inputs[0])
	if err != nil {
		return err
	}
	for _, each := range levels { // what adds up to nothing is not in a sum
		for key, values := range each.samples {
			if sums[key] == nil {
				sums[key] = make([]int64, len(values))
			}
		}
	}
	for i := range means {
		if isGauge(first, i) {
			means[i] = 0
		}
	}
	for key, values := range sums {
		for i := range values {
			if !isGauge(first, i) {
				continue
			}
			if s.levels == "mean" {
				means[i] += float64(values[i]) / float64(len(levels))
				if values[i], err = quotient(values[i], float64(len(levels))); err != nil {
					return err
				}
				continue
			}
			values[i] = 0
			lastTime := int64(0)
			for _, each := range levels {
				own := int64(0)
				if found, ok := each.samples[key]; ok {
					own = found[i]
				}
				isLater := each.time == 0 || lastTime == 0 || each.time >= lastTime
				if s.levels == "max" && own > values[i] || s.levels == "last" && isLater {
					values[i], lastTime = own, each.time
				}
			}
			if means != nil {
				means[i] += float64(values[i])
			}
		}
	}
	return nil
}

func isEmpty(t *profile.ValueType) bool { return t == nil || (t.Type == "" && t.Unit == "") }

// moveMissingAddresses gives a frame without an address that of the start of its mapping, so that
// it is the same frame in another process. Merge takes it for a frame at that distance before the
// mapping.
func moveMissingAddresses(p *profile.Profile) {
	for _, l := range p.Location {
		if m := l.Mapping; m != nil && l.Address == 0 && m.Start != 0 {
			l.Address = m.Start
		}
	}
}

// trim leaves out what the options say.
func (s sum) trim(p *profile.Profile) error {
	if s.focus != "" || s.ignore != "" || s.hide != "" || s.showFrom != "" {
		var patterns [4]*regexp.Regexp
		for i, expression := range []string{s.focus, s.ignore, s.hide, s.showFrom} {
			if expression != "" {
				var err error
				if patterns[i], err = regexp.Compile(expression); err != nil {
					return err
				}
			}
		}
		stackless := samplesWithoutStack(p)
		p.FilterSamplesByName(patterns[0], patterns[1], patterns[2], nil)
		if s.showFrom != "" {
			p.ShowFrom(patterns[3])
		} else if s.focus == "" {
			p.Sample = append(p.Sample, stackless...)
		}
	}
	if s.dropLabel != "" {
		whole, err := regexp.Compile(`\A(?:` + s.dropLabel + `)\z`)
		if err != nil {
			return err
		}
		p.FilterTagsByName(nil, whole)
	}
	if s.dropLines {
		for _, l := range p.Location {
			for i := range l.Line {
				l.Line[i].Line = 0
			}
			if len(l.Line) > 0 {
				l.Address = 0
				if l.Mapping != nil {
					l.Address = l.Mapping.Start
				}
			}
		}
	}
	if s.keep != nil {
		keepTypes(p, s.keep)
	}
	return nil
}

// samplesWithoutStack are what google/pprof leaves out of a profile to show, with `ignore` or
// without. A sum has samples that nothing in `ignore` matches instead.
func samplesWithoutStack(p *profile.Profile) []*profile.Sample {
	var found []*profile.Sample
	for _, s := range p.Sample {
		if len(s.Location) == 0 {
			found = append(found, s)
		}
	}
	return found
}

func keepTypes(p *profile.Profile, names []string) {
	var kept []int
	var keptTypes []*profile.ValueType
	hasDefault := false
	for i, t := range p.SampleType {
		for _, name := range names {
			if name == t.Type || name == t.Type+"/"+t.Unit {
				kept = append(kept, i)
				keptTypes = append(keptTypes, t)
				hasDefault = hasDefault || t.Type == p.DefaultSampleType
				break
			}
		}
	}
	if !hasDefault {
		p.DefaultSampleType = ""
	}
	p.SampleType = keptTypes
	for _, s := range p.Sample {
		var values []int64
		for _, i := range kept {
			values = append(values, s.Value[i])
		}
		s.Value = values
	}
}

// totalsOf adds up all samples, and divides the totals.
func totalsOf(p *profile.Profile, number float64) []float64 {
	totals := make([]float64, len(p.SampleType))
	for _, sample := range p.Sample {
		for i, v := range sample.Value {
			totals[i] += float64(v) / number
		}
	}
	return totals
}

// number is that of the inputs, each as often as its weight says.
func (s sum) number() float64 {
	if s.weights == nil {
		return float64(len(s.inputs))
	}
	number := 0.0
	for _, w := range s.weights {
		number += w
	}
	return number
}

// divide makes the total p the mean.
func (s sum) divide(p *profile.Profile) error {
	number := s.number()
	var err error
	p.DurationNanos, err = quotient(p.DurationNanos, number)
	for _, sample := range p.Sample {
		for i, v := range sample.Value {
			if err == nil {
				sample.Value[i], err = quotient(v, number)
			}
		}
	}
	return err
}

// scaled is value times weight, rounded as Scale does. The result is exact if the number is whole,
// like quotient's, and as exact as a float64 is if not.
func scaled(value int64, weight float64) (int64, error) {
	if weight != math.Trunc(weight) {
		return whole(float64(value) * weight)
	}
	factor := new(big.Rat).SetFloat64(weight)
	return rounded(factor.Mul(factor, new(big.Rat).SetInt64(value)))
}

func quotient(value int64, number float64) (int64, error) {
	if number != math.Trunc(number) {
		return whole(float64(value) / number)
	}
	divisor := new(big.Rat).SetFloat64(number)
	return rounded(new(big.Rat).Quo(new(big.Rat).SetInt64(value), divisor))
}

func whole(number float64) (int64, error) {
	return rounded(new(big.Rat).SetFloat64(math.Round(number)))
}

func rounded(r *big.Rat) (int64, error) {
	text := r.FloatString(0) // rounds half away from zero
	value, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return 0, fmt.Errorf("more than 64 bits: %w", err)
	}
	return value, nil
}

// isGauge says whether a sample type is true at one moment, by pprofdelta-producers(7). All others
// are added up.
func isGauge(p *profile.Profile, place int) bool {
	switch p.SampleType[place].Type {
	case "inuse_objects", "inuse_space", "objects", "space", "goroutine", "goroutineleak",
		"threadcreate":
		return true
	case "alloc_objects", "alloc_space", "contentions", "delay", "samples", "cpu", "sample", "wall":
		return false
	}
	return p.DurationNanos <= 0
}

// counts says whether a profile has more than gauges.
func counts(p *profile.Profile) bool {
	for i := range p.SampleType {
		if !isGauge(p, i) {
			return true
		}
	}
	return false
}

// check holds the sum in a file against the one that it has to be.
func (s sum) check(want result, path string) error {
	got, err := readProfile(path)
	if err != nil {
		return err
	}
	if err := checkHeader(want.merged, got, want.merged.DurationNanos); err != nil {
		return err
	}
	if err := checkSamples(want.samples, got, s.match, want.means); err != nil {
		return err
	}
	if s.match == "exact" && s.levels == "" && want.means == nil {
		// Frames that differ are the same in other modes, and any of them may be written. A sample that
		// has a level of 0, or is rounded to 0, is left out with its mapping.
		if err := checkMappings(want.merged, got); err != nil {
			return err
		}
	}
	return checkCompression(path, s.raw)
}

// checkMappings compares what google/pprof takes for one mapping in several processes, with all
// that it holds but for the address. The first one counts: it is the main program.
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
