// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"

	"github.com/google/pprof/profile"
)

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
func findSets(folders []string) (sets []set, all []string, err error) {
	for _, folder := range folders {
		pairs, err := findPairs(folder)
		if err != nil {
			return nil, nil, err
		}
		for _, p := range pairs {
			sets = append(sets, set{name: p.name, paths: []string{p.prev, p.cur}})
		}
		paths, err := findProfiles(folder)
		if err != nil {
			return nil, nil, err
		}
		all = append(all, paths...)
		for _, path := range paths {
			sets = append(sets, set{"twice " + filepath.Base(path), []string{path, path}, true})
		}
		more, err := groupSets(filepath.Base(folder), paths)
		if err != nil {
			return nil, nil, err
		}
		sets = append(sets, more...)
	}
	more, err := groupSets("all", all)
	return append(sets, more...), all, err
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
