// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"

	"github.com/google/pprof/profile"
)

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
	if err := checkReferences(cur, delta); err != nil {
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

// checkReferences looks for records that no sample needs. The first mapping is always needed: it
// is the main program.
func checkReferences(cur, delta *profile.Profile) error {
	locations := map[*profile.Location]bool{}
	for _, s := range delta.Sample {
		for _, l := range s.Location {
			locations[l] = true
		}
	}
	functions := map[*profile.Function]bool{}
	mappings := map[*profile.Mapping]bool{}
	for _, l := range delta.Location {
		if !locations[l] {
			return fmt.Errorf("no sample refers to location %d", l.ID)
		}
		mappings[l.Mapping] = true
		for _, line := range l.Line {
			functions[line.Function] = true
		}
	}
	for _, f := range delta.Function {
		if !functions[f] {
			return fmt.Errorf("no location refers to function %d, %q", f.ID, f.Name)
		}
	}
	for i, m := range delta.Mapping {
		if i > 0 && !mappings[m] {
			return fmt.Errorf("no location refers to mapping %d, %q", m.ID, m.File)
		}
	}
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
