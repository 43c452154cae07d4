// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"math"
	"math/big"
	"regexp"
	"strconv"

	"github.com/google/pprof/profile"
)

// sum is a run of the program, and what decides its outcome.
type sum struct {
	name   string
	inputs []string
	raw    bool
	match  string // exact, line or function

	weights   []float64 // one for each input, or none
	mean      bool
	keep      []string // types, as type or type/unit; all without
	dropLabel string   // a regular expression for whole keys
	focus     string
	ignore    string
	dropLines bool
}

func (s sum) arguments() []string {
	var args []string
	add := func(name, value, without string) {
		if value != without {
			args = append(args, name, value)
		}
	}
	if s.raw {
		add("--compress", "none", "")
	}
	add("--match", s.match, "exact")
	for _, w := range s.weights {
		add("--weight", strconv.FormatFloat(w, 'f', -1, 64), "")
	}
	if s.mean {
		args = append(args, "--mean")
	}
	for _, t := range s.keep {
		add("--keep-type", t, "")
	}
	add("--drop-label", s.dropLabel, "")
	add("--focus", s.focus, "")
	add("--ignore", s.ignore, "")
	if s.dropLines {
		args = append(args, "--drop-lines")
	}
	return args
}

// result is what a sum has to be.
type result struct {
	merged  *profile.Profile
	docURL  string // which google/pprof does not read
	samples table
	moved   bool // addresses of 0 were moved with their mappings
}

// expected lets google/pprof add up the inputs.
func (s sum) expected() (result, error) {
	r := result{}
	var inputs []*profile.Profile
	var periodType *profile.ValueType
	earliest := int64(0)
	for i, path := range s.inputs {
		p, err := readProfile(path)
		if err != nil {
			return r, err
		}
		url, err := docURL(path)
		if err != nil {
			return r, err
		}
		if r.docURL == "" {
			r.docURL = url
		}
		// Merge takes 0 as a time if it comes first or last, and for the earliest if negative ones
		// are left out of account.
		if p.TimeNanos != 0 && (earliest == 0 || p.TimeNanos < earliest) {
			earliest = p.TimeNanos
		}
		if periodType == nil && !isEmpty(p.PeriodType) {
			periodType = p.PeriodType
		}
		r.moved = moveMissingAddresses(p) || r.moved
		if err := s.trim(p); err != nil {
			return r, err
		}
		if s.weights != nil {
			p.Scale(s.weights[i]) // but for the duration
			// A mean is between the least and the most.
			if s.mean {
				if p.DurationNanos, err = scaled(p.DurationNanos, s.weights[i]); err != nil {
					return r, err
				}
			}
		}
		inputs = append(inputs, p)
	}
	// To Merge, no period type is another one than any.
	for _, p := range inputs {
		if periodType != nil && isEmpty(p.PeriodType) {
			p.PeriodType = periodType
		}
	}
	merged, err := profile.Merge(inputs)
	if err != nil {
		return r, err
	}
	merged.TimeNanos = earliest
	if s.mean {
		if err := s.divide(merged); err != nil {
			return r, err
		}
	}
	if merged, err = profile.Merge([]*profile.Profile{merged}); err != nil {
		return r, err
	}
	r.merged = merged
	r.samples, _ = aggregate(merged, s.match)
	r.samples.dropZeros()
	return r, nil
}

func isEmpty(t *profile.ValueType) bool { return t == nil || (t.Type == "" && t.Unit == "") }

// moveMissingAddresses gives a frame without an address that of the start of its mapping, so that
// it is the same frame in another process. To Merge it is a frame at that distance before the
// mapping.
func moveMissingAddresses(p *profile.Profile) (moved bool) {
	for _, l := range p.Location {
		if m := l.Mapping; m != nil && l.Address == 0 && m.Start != 0 {
			l.Address = m.Start
			moved = true
		}
	}
	return moved
}

// trim leaves out what the options say.
func (s sum) trim(p *profile.Profile) error {
	if s.focus != "" || s.ignore != "" {
		focus, err := compiled(s.focus)
		if err != nil {
			return err
		}
		ignore, err := compiled(s.ignore)
		if err != nil {
			return err
		}
		stackless := samplesWithoutStack(p)
		p.FilterSamplesByName(focus, ignore, nil, nil)
		if focus == nil {
			p.Sample = append(p.Sample, stackless...)
		}
	}
	if s.dropLabel != "" {
		whole, err := regexp.Compile(`\A(?:` + s.dropLabel + `)\z`)
		if err != nil {
			return err
		}
		p.FilterTagsByName(nil, whole)
	}
	if s.dropLines {
		for _, l := range p.Location {
			for i := range l.Line {
				l.Line[i].Line = 0
			}
			if len(l.Line) > 0 {
				l.Address = 0
				if l.Mapping != nil {
					l.Address = l.Mapping.Start
				}
			}
		}
	}
	if s.keep != nil {
		keepTypes(p, s.keep)
	}
	return nil
}

// samplesWithoutStack are what google/pprof leaves out of a profile to show, with `ignore` or
// without. In a sum they are samples that nothing in `ignore` matches.
func samplesWithoutStack(p *profile.Profile) []*profile.Sample {
	var found []*profile.Sample
	for _, s := range p.Sample {
		if len(s.Location) == 0 {
			found = append(found, s)
		}
	}
	return found
}

func compiled(expression string) (*regexp.Regexp, error) {
	if expression == "" {
		return nil, nil
	}
	return regexp.Compile(expression)
}

func keepTypes(p *profile.Profile, names []string) {
	var kept []int
	var keptTypes []*profile.ValueType
	hasDefault := false
	for i, t := range p.SampleType {
		for _, name := range names {
			if name == t.Type || name == t.Type+"/"+t.Unit {
				kept = append(kept, i)
				keptTypes = append(keptTypes, t)
				hasDefault = hasDefault || t.Type == p.DefaultSampleType
				break
			}
		}
	}
	if !hasDefault {
		p.DefaultSampleType = ""
	}
	p.SampleType = keptTypes
	for _, s := range p.Sample {
		var values []int64
		for _, i := range kept {
			values = append(values, s.Value[i])
		}
		s.Value = values
	}
}

// divide makes the total p the mean.
func (s sum) divide(p *profile.Profile) error {
	number := float64(len(s.inputs))
	if s.weights != nil {
		number = 0
		for _, w := range s.weights {
			number += w
		}
	}
	var err error
	p.DurationNanos, err = quotient(p.DurationNanos, number)
	for _, sample := range p.Sample {
		for i, v := range sample.Value {
			if err == nil {
				sample.Value[i], err = quotient(v, number)
			}
		}
	}
	return err
}

// scaled is value times weight, rounded as Scale does. Like quotient, it is exact if the number is
// whole, and as exact as a float64 is if not.
func scaled(value int64, weight float64) (int64, error) {
	if weight != math.Trunc(weight) {
		return whole(float64(value) * weight)
	}
	factor := new(big.Rat).SetFloat64(weight)
	return rounded(factor.Mul(factor, new(big.Rat).SetInt64(value)))
}

func quotient(value int64, number float64) (int64, error) {
	if number != math.Trunc(number) {
		return whole(float64(value) / number)
	}
	divisor := new(big.Rat).SetFloat64(number)
	return rounded(new(big.Rat).Quo(new(big.Rat).SetInt64(value), divisor))
}

func whole(number float64) (int64, error) {
	return rounded(new(big.Rat).SetFloat64(math.Round(number)))
}

func rounded(r *big.Rat) (int64, error) {
	text := r.FloatString(0) // rounds half away from zero
	value, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return 0, fmt.Errorf("more than 64 bits: %w", err)
	}
	return value, nil
}
