// SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/json"
	"fmt"
	"path"
	"reflect"
	"regexp"
	"strconv"
	"strings"

	"github.com/google/pprof/profile"
)

func lines(text string) []string {
	return strings.FieldsFunc(text, func(c rune) bool { return c == '\n' })
}

// exports checks what the program exports of profiles, and of the last two as a pair.
func exports(args []string) error {
	program, files := args[0], args[1:]
	t := &tally{}
	for _, file := range files {
		t.report(file+" rows", checkRows(program, file))
		t.report(file+" stacks", checkStacks(program, file))
	}
	if n := len(files); n > 1 {
		t.report("stacks of the last two", checkStacks(program, files[n-2], files[n-1]))
	}
	return t.outcome()
}

func export(program string, args ...string) (string, error) {
	out, err := run(nil, program, append([]string{"export"}, args...)...)
	return string(out), err
}

type frame struct {
	Function string `json:"function"`
	File     string `json:"file"`
	Line     int64  `json:"line"`
}

// frames are innermost first, with inlined ones.
func frames(s *profile.Sample) []frame {
	all := []frame{}
	for _, l := range s.Location {
		binary := "<unknown>"
		if l.Mapping != nil && l.Mapping.File != "" {
			binary = "[" + path.Base(l.Mapping.File) + "]"
		}
		if len(l.Line) == 0 {
			all = append(all, frame{Function: binary})
		}
		for _, line := range l.Line {
			f := frame{Function: binary, Line: line.Line}
			if line.Function != nil {
				f.File = line.Function.Filename
				if line.Function.Name != "" {
					f.Function = line.Function.Name
				}
			}
			all = append(all, f)
		}
	}
	return all
}

type exportedRow struct {
	Schema    string              `json:"schema"`
	Profile   string              `json:"profile"`
	Time      int64               `json:"time_nanos"`
	Duration  int64               `json:"duration_nanos"`
	Value     map[string]int64    `json:"value"`
	Stack     []frame             `json:"stack"`
	Labels    map[string][]string `json:"labels"`
	NumLabels map[string][]int64  `json:"num_labels"`
	NumUnits  map[string][]string `json:"num_units"`
}

func expectedRow(p *profile.Profile, file string, s *profile.Sample) exportedRow {
	r := exportedRow{"pprofdelta/row/1", file, p.TimeNanos, p.DurationNanos, map[string]int64{},
		frames(s), map[string][]string{}, map[string][]int64{}, map[string][]string{}}
	for i, t := range p.SampleType {
		r.Value[t.Type+"/"+t.Unit] = s.Value[i]
	}
	for key, texts := range s.Label {
		r.Labels[key] = texts
	}
	for key, numbers := range s.NumLabel {
		r.NumLabels[key] = numbers
		r.NumUnits[key] = make([]string, len(numbers))
		copy(r.NumUnits[key], s.NumUnit[key])
	}
	return r
}

func checkRows(program, file string) error {
	p, err := readProfile(file)
	if err != nil {
		return err
	}
	text, err := export(program, "ndjson", file)
	if err != nil {
		return err
	}
	got := lines(text)
	if len(got) != len(p.Sample) {
		return fmt.Errorf("%d rows of %d samples", len(got), len(p.Sample))
	}
	for i, s := range p.Sample {
		var r exportedRow
		decoder := json.NewDecoder(strings.NewReader(got[i]))
		decoder.DisallowUnknownFields()
		if err := decoder.Decode(&r); err != nil {
			return fmt.Errorf("row %d: %v", i, err)
		}
		if want := expectedRow(p, file, s); !reflect.DeepEqual(r, want) {
			return fmt.Errorf("row %d is %v, and should be %v", i, r, want)
		}
	}
	return nil
}

// row is what a stack calls a frame: functions without a name are told apart by their files.
func (f frame) row() string {
	name := f.Function
	if name == "(anonymous)" && f.File != "" {
		name += " " + f.File
	}
	return strings.ReplaceAll(name, ";", ":")
}

// addStacks adds up the values of a sample type by folded stack, as the value numbered side.
func addStacks(to map[string][]int64, p *profile.Profile, kind, side, sides int) {
	for _, s := range p.Sample {
		names := []string{}
		for _, f := range frames(s) {
			names = append([]string{f.row()}, names...)
		}
		if len(names) == 0 {
			names = []string{"(no stack)"}
		}
		stack := strings.Join(names, ";")
		if to[stack] == nil {
			to[stack] = make([]int64, sides)
		}
		to[stack][side] += s.Value[kind]
	}
}

// exactStacks begins the stacks of one profile if a name could be taken for something else.
const exactStacks = "# folded stacks, exact\n"

var needsMark = regexp.MustCompile(`(?m)(^|;)#`)

func checkStacks(program string, files ...string) error {
	profiles := []*profile.Profile{}
	for _, file := range files {
		p, err := readProfile(file)
		if err != nil {
			return err
		}
		profiles = append(profiles, p)
	}
	for kind, t := range profiles[0].SampleType {
		want := map[string][]int64{}
		for side, p := range profiles {
			addStacks(want, p, kind, side, len(profiles))
		}
		for stack, values := range want {
			if reflect.DeepEqual(values, make([]int64, len(values))) {
				delete(want, stack)
			}
		}
		text, err := export(program,
			append([]string{"folded", "--sample-type", t.Type + "/" + t.Unit}, files...)...)
		if err != nil {
			return err
		}
		if len(files) == 1 {
			marked := strings.TrimPrefix(text, exactStacks)
			if marked == text && needsMark.MatchString(text) {
				return fmt.Errorf("%s: a name is like a comment, and %q is missing", t.Type,
					exactStacks)
			}
			text = marked
		}
		got := map[string][]int64{}
		for _, line := range lines(text) {
			values := make([]int64, len(files))
			for side := len(files) - 1; side >= 0; side-- {
				at := strings.LastIndex(line, " ")
				if values[side], err = strconv.ParseInt(line[at+1:], 10, 64); err != nil {
					return err
				}
				line = line[:at]
			}
			if got[line] != nil {
				return fmt.Errorf("%s: two lines of %s", t.Type, line)
			}
			got[line] = values
		}
		if !reflect.DeepEqual(got, want) {
			return fmt.Errorf("%s: %d stacks, of which some are not those of google/pprof's %d",
				t.Type, len(got), len(want))
		}
	}
	return nil
}
