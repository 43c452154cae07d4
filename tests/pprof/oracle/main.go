// SPDX-License-Identifier: Apache-2.0

// oracle checks pprofdelta against google/pprof: it computes what each delta must hold by itself,
// reads what pprofdelta wrote with google/pprof's own package, and compares.
//
//	oracle PROGRAM WORK_FOLDER PAIRS_FOLDER...
//	oracle --self-test WORK_FOLDER PAIRS_FOLDER...
//
// Besides the pairs in the folders it makes some random ones. The self test needs no pprofdelta: it
// checks that damage to a right delta is noticed.
package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
)

// modes are the ways in which pprofdelta is run on each pair.
var modes = []struct {
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

// tally prints the outcome of each case and counts them.
type tally struct{ ok, failed int }

func (t *tally) report(name, mode string, err error) {
	if err == nil {
		t.ok++
		fmt.Printf("ok %s %s\n", name, mode)
		return
	}
	t.failed++
	fmt.Printf("FAIL %s %s: %v\n", name, mode, err)
}

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

func checkPair(t *tally, program, folder string, p pair) {
	cumulative, err := needsOptions(p.cur)
	if err != nil {
		t.report(p.name, "types", err)
		return
	}
	for _, m := range modes {
		set := m.settings
		set.cumulative = cumulative
		delta, err := makeDelta(program, folder, p, m.args, set)
		if err == nil {
			err = checkFiles(p.prev, p.cur, delta, folder, set)
		}
		if err == nil {
			err = checkCompression(delta, m.name == "raw")
		}
		t.report(p.name, m.name, err)
	}
}

// checkRandomPairs always makes the same pairs.
func checkRandomPairs(t *tally, program, folder string) {
	for seed := int64(1); seed <= randomPairs; seed++ {
		p, err := randomPair(folder, seed)
		if err != nil {
			t.report(p.name, "write", err)
			continue
		}
		checkPair(t, program, folder, p)
	}
}

func checkCompression(path string, raw bool) error {
	data, err := os.ReadFile(path)
	if err == nil && bytes.HasPrefix(data, []byte{0x1f, 0x8b}) == raw {
		err = fmt.Errorf("the delta should be compressed with gzip unless told otherwise")
	}
	return err
}

func main() {
	if len(os.Args) < 4 {
		fmt.Fprintln(os.Stderr, "usage: oracle PROGRAM|--self-test WORK_FOLDER PAIRS_FOLDER...")
		os.Exit(2)
	}
	program, folder := os.Args[1], os.Args[2]
	t := &tally{}
	for _, pairsFolder := range os.Args[3:] {
		pairs, err := findPairs(pairsFolder)
		if err == nil && len(pairs) == 0 {
			err = fmt.Errorf("no pairs of profiles")
		}
		if err != nil {
			t.report(pairsFolder, "pairs", err)
		}
		for _, p := range pairs {
			if program == "--self-test" {
				selfTest(t, folder, p)
			} else {
				checkPair(t, program, folder, p)
			}
		}
	}
	if program != "--self-test" {
		checkRandomPairs(t, program, folder)
	}
	fmt.Printf("%d ok, %d failed\n", t.ok, t.failed)
	if t.failed > 0 || t.ok == 0 {
		os.Exit(1)
	}
}
