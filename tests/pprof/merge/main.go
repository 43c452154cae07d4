// SPDX-License-Identifier: Apache-2.0

// merge-oracle checks `pprofdelta merge` against google/pprof: it lets google/pprof's own package
// add up the same profiles, reads with it what pprofdelta wrote, and compares.
//
//	merge-oracle PROGRAM WORK_FOLDER FOLDER...
//	merge-oracle --self-test WORK_FOLDER FOLDER...
//
// Besides the profiles in the folders it makes some random ones. The self test needs no pprofdelta:
// it checks that damage to a right sum is noticed.
//
// Where the two differ on purpose, expected() says so and does what pprofdelta promises:
//
//   - The time is the earliest that is not 0. With Merge it is the last one after a 0.
//   - A profile without a period type goes with those that have one.
//   - An address of 0 is none, and so is not relative to its mapping.
//   - What has no stack has no frame to ignore.
package main

import (
	"fmt"
	"os"
	"path/filepath"
)

// tally prints the outcome of each case and counts them.
type tally struct{ ok, failed, moved int }

func (t *tally) report(name string, err error) {
	if err == nil {
		t.ok++
		fmt.Printf("ok %s\n", name)
		return
	}
	t.failed++
	fmt.Printf("FAIL %s: %v\n", name, err)
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
		if want.moved {
			t.moved++
		}
		t.report(s.name, err)
	}
}

func main() {
	if len(os.Args) < 4 {
		fmt.Fprintln(os.Stderr, "usage: merge-oracle PROGRAM|--self-test WORK_FOLDER FOLDER...")
		os.Exit(2)
	}
	program, folder := os.Args[1], os.Args[2]
	t := &tally{}
	sets, paths, err := findSets(os.Args[3:])
	if err != nil {
		t.report("the folders", err)
	}
	random, err := randomSets(folder)
	if err != nil {
		t.report("random profiles", err)
	}
	for _, one := range append(sets, random...) {
		if program == "--self-test" {
			selfTest(t, folder, one)
		} else {
			checkSet(t, program, folder, one)
		}
	}
	if program != "--self-test" {
		checkRefusals(t, program, folder, paths)
	}
	fmt.Printf("%d ok, %d failed; %d sums have frames with a mapping and no address\n",
		t.ok, t.failed, t.moved)
	if t.failed > 0 || t.ok == 0 {
		os.Exit(1)
	}
}
