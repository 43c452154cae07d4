// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"fmt"

	"github.com/google/pprof/profile"
)

// The commands that calculate with profiles count cumulative values only. A TERM is +FILE or
// -FILE.

var cumulative = map[string]bool{
	"alloc_objects": true, "alloc_space": true, "contentions": true, "delay": true,
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

// zero adds up profiles, which have to leave nothing.
func zero(terms []string) error {
	left := table{}
	var types []string
	var plus []int64 // totals of what was added
	for _, term := range terms {
		sign := map[byte]int64{'+': 1, '-': -1}[term[0]]
		if sign == 0 {
			return fmt.Errorf("%q has no sign", term)
		}
		p, err := readProfile(term[1:])
		if err != nil {
			return err
		}
		at, names := columns(p)
		if types == nil {
			types, plus = names, make([]int64, len(at))
		}
		if fmt.Sprint(names) != fmt.Sprint(types) {
			return fmt.Errorf("%s has %v, not %v", term[1:], names, types)
		}
		samples, _ := aggregate(p, "exact")
		for key, values := range samples {
			if left[key] == nil {
				left[key] = make([]int64, len(at))
			}
			for i, place := range at {
				left[key][i] += sign * values[place]
				plus[i] += (sign + 1) / 2 * values[place]
			}
		}
	}
	checked := len(left)
	left.dropZeros()
	fmt.Printf("%d samples, %d wrong;", checked, len(left))
	for i, name := range types {
		fmt.Printf(" %s %d", name, plus[i])
	}
	fmt.Println()
	for key, values := range left {
		return fmt.Errorf("%v is left of %q", values, inWords(key))
	}
	if checked == 0 {
		return errors.New("the sum is empty")
	}
	return nil
}
