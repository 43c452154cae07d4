// SPDX-License-Identifier: Apache-2.0

// check calculates with profiles, which it reads with google/pprof's own package: what pprofdelta
// says is not taken on trust. Only cumulative values count here. A TERM is +FILE or -FILE.
//
//	check zero [in=FILE] TERM...           the sum is zero for each sample (or each of FILE's)
//	check rows TERM...                     the values of all samples of the sum, sorted
//	check count FUNCTION TYPE TERM...      the sum over stacks whose leaf is FUNCTION
//	check steps PREV CUR COUNT FOLDER      COUNT profiles that lead from PREV to CUR
package main

import (
	"errors"
	"fmt"
	"os"
	"sort"
	"strings"

	"github.com/google/pprof/profile"
)

var cumulative = map[string]bool{
	"alloc_objects": true, "alloc_space": true, "contentions": true, "delay": true,
}

func read(path string) (*profile.Profile, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	p, err := profile.Parse(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return p, nil
}

// key is a sample's identity within one binary that is always loaded at the same place.
func key(s *profile.Sample) string {
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

type row struct {
	values []int64
	leaf   string
}

// sum is a linear combination of profiles.
type sum struct {
	rows  map[string]*row
	names []string
	plus  []int64 // totals of what was added
}

func add(terms []string) (*sum, error) {
	s := &sum{rows: map[string]*row{}}
	for _, term := range terms {
		sign := map[byte]int64{'+': 1, '-': -1}[term[0]]
		if sign == 0 {
			return nil, fmt.Errorf("%q has no sign", term)
		}
		p, err := read(term[1:])
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
			k := key(sample)
			r := s.rows[k]
			if r == nil {
				r = &row{values: make([]int64, len(at))}
				if len(sample.Location) > 0 && len(sample.Location[0].Line) > 0 {
					r.leaf = sample.Location[0].Line[0].Function.Name
				}
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

func isZero(values []int64) bool {
	for _, v := range values {
		if v != 0 {
			return false
		}
	}
	return true
}

func zero(args []string) error {
	var only map[string]*row
	if strings.HasPrefix(args[0], "in=") {
		wanted, err := add([]string{"+" + strings.TrimPrefix(args[0], "in=")})
		if err != nil {
			return err
		}
		only = wanted.rows
		args = args[1:]
	}
	s, err := add(args)
	if err != nil {
		return err
	}
	checked, wrong := 0, 0
	for k, r := range s.rows {
		if only != nil && only[k] == nil {
			continue
		}
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

func rows(args []string) error {
	s, err := add(args)
	if err != nil {
		return err
	}
	var all [][]int64
	for _, r := range s.rows {
		if !isZero(r.values) {
			all = append(all, r.values)
		}
	}
	sort.Slice(all, func(i, j int) bool {
		for c := range all[i] {
			if all[i][c] != all[j][c] {
				return all[i][c] < all[j][c]
			}
		}
		return false
	})
	for _, values := range all {
		fmt.Println(strings.Trim(fmt.Sprint(values), "[]"))
	}
	return nil
}

func count(args []string) error {
	s, err := add(args[2:])
	if err != nil {
		return err
	}
	total, stacks := int64(0), 0
	for _, r := range s.rows {
		if r.leaf != args[0] {
			continue
		}
		stacks++
		for i, name := range s.names {
			if name == args[1] {
				total += r.values[i]
			}
		}
	}
	fmt.Println(total, stacks)
	return nil
}

func main() {
	commands := map[string]struct {
		run       func([]string) error
		arguments int
	}{"zero": {zero, 2}, "rows": {rows, 1}, "count": {count, 3}, "steps": {steps, 4}}
	var command string
	if len(os.Args) > 1 {
		command = os.Args[1]
	}
	c, ok := commands[command]
	if !ok || len(os.Args)-2 < c.arguments {
		fmt.Fprintln(os.Stderr, "usage: check zero|rows|count|steps ARGUMENT...")
		os.Exit(2)
	}
	if err := c.run(os.Args[2:]); err != nil {
		fmt.Fprintln(os.Stderr, "check:", err)
		os.Exit(1)
	}
}
