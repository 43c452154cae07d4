// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"path/filepath"
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
