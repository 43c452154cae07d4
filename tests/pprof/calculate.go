// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/google/pprof/profile"
)

// The commands that calculate with profiles count cumulative values only. A TERM is +FILE or
// -FILE.

var cumulative = map[string]bool{
	"alloc_objects": true, "alloc_space": true, "contentions": true, "delay": true,
}

// sampleKey is a sample's identity within one binary that is always loaded at the same place.
func sampleKey(s *profile.Sample) string {
	var b strings.Builder
	for _, l := range s.Location {
		fmt.Fprintf(&b, "%#x", l.Address)
		for _, line := range l.Line {
			fmt.Fprintf(&b, " %s %s:%d", line.Function.Name, line.Function.Filename, line.Line)
		}
		b.WriteByte('\n')
	}
	// Maps are printed in the order of their keys.
	fmt.Fprint(&b, s.Label, s.NumLabel, s.NumUnit)
	return b.String()
}

// columns are the places of the cumulative types.
func columns(p *profile.Profile) (at []int, names []string) {
	for i, t := range p.SampleType {
		if cumulative[t.Type] {
			at = append(at, i)
			names = append(names, t.Type)
		}
	}
	return at, names
}

type combinedRow struct {
	values []int64
}

// combination is a linear combination of profiles.
type combination struct {
	rows  map[string]*combinedRow
	names []string
	plus  []int64 // totals of what was added
}

func combine(terms []string) (*combination, error) {
	s := &combination{rows: map[string]*combinedRow{}}
	for _, term := range terms {
		sign := map[byte]int64{'+': 1, '-': -1}[term[0]]
		if sign == 0 {
			return nil, fmt.Errorf("%q has no sign", term)
		}
		p, err := readProfile(term[1:])
		if err != nil {
			return nil, err
		}
		at, names := columns(p)
		if s.names == nil {
			s.names, s.plus = names, make([]int64, len(at))
		}
		if fmt.Sprint(names) != fmt.Sprint(s.names) {
			return nil, fmt.Errorf("%s has %v, not %v", term[1:], names, s.names)
		}
		for _, sample := range p.Sample {
			k := sampleKey(sample)
			r := s.rows[k]
			if r == nil {
				r = &combinedRow{values: make([]int64, len(at))}
				s.rows[k] = r
			}
			for i, place := range at {
				r.values[i] += sign * sample.Value[place]
				if sign > 0 {
					s.plus[i] += sample.Value[place]
				}
			}
		}
	}
	return s, nil
}

func zero(args []string) error {
	s, err := combine(args)
	if err != nil {
		return err
	}
	checked, wrong := 0, 0
	for k, r := range s.rows {
		checked++
		if !isZero(r.values) {
			if wrong++; wrong <= 3 {
				fmt.Printf("%v is left of %q\n", r.values, k)
			}
		}
	}
	fmt.Printf("%d samples, %d wrong;", checked, wrong)
	for i, name := range s.names {
		fmt.Printf(" %s %d", name, s.plus[i])
	}
	fmt.Println()
	if wrong > 0 || checked == 0 {
		return errors.New("the sum is not zero, or empty")
	}
	return nil
}
