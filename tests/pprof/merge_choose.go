// SPDX-License-Identifier: Apache-2.0

package main

import (
	"regexp"
	"sort"

	"github.com/google/pprof/profile"
)

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
