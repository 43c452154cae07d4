// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"path/filepath"
)

// merges compares the sums of the profiles in the folders, and of some random ones, with those that
// google/pprof's own package makes. The self test needs no pprofdelta.
//
// Where the two differ on purpose, expected() says so and does what pprofdelta promises:
//
//   - The time is the earliest that is not 0. With Merge it is the last one after a 0.
//   - A profile without a period type goes with those that have one.
//   - An address of 0 is none, and so is not relative to its mapping.
//   - What has no stack has no frame to ignore.
func merges(args []string) error {
	program, folder := args[0], workFolder()
	t := &tally{}
	sets, paths, err := findSets(append(args[1:], extraFolders()...))
	if err != nil {
		t.report("the folders", err)
	}
	random, err := randomSets(folder)
	if err != nil {
		t.report("random profiles", err)
	}
	for _, one := range append(sets, random...) {
		if program == selfTest {
			testSum(t, folder, one)
		} else {
			checkSet(t, program, folder, one)
		}
	}
	if program != selfTest {
		checkRefusals(t, program, folder, paths)
	}
	fmt.Printf("%d sums have frames with a mapping and no address\n", t.moved)
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
		if want.moved {
			t.moved++
		}
		t.report(s.name, err)
	}
}
