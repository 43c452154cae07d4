// SPDX-License-Identifier: Apache-2.0

package main

import (
	"compress/gzip"
	"encoding/binary"
	"errors"
	"path/filepath"

	"github.com/google/pprof/profile"
)

// muchToDamage is a number of samples with which damage takes long, and would show no more.
const muchToDamage = 5000

// mappingFlag is not compared in deltas.
var mappingFlag = damage{"mapping's flag", func(p *profile.Profile) bool {
	if len(p.Mapping) > 0 {
		p.Mapping[0].HasInlineFrames = !p.Mapping[0].HasInlineFrames
	}
	return len(p.Mapping) > 0
}}

// testSum lets google/pprof compute a sum, which must pass, and damages it.
func testSum(t *tally, folder string, one set) {
	s := sum{name: one.name, inputs: one.paths, match: "exact"}
	path := filepath.Join(folder, "damaged.pb.gz")
	want, err := s.expected()
	if err == nil {
		err = writeProfile(path, want.merged)
	}
	if err == nil && want.docURL != "" {
		err = errors.New("google/pprof writes no doc_url, so it cannot stand in")
	}
	if err == nil {
		err = s.check(want, path)
	}
	t.report(s.name, err)
	if want.moved {
		t.moved++
	}
	if err != nil || len(want.merged.Sample) == 0 || len(want.merged.Function) == 0 {
		return // nothing, or too little, to damage
	}
	if len(want.merged.Sample) > muchToDamage {
		return
	}
	check := func() error { return s.check(want, path) }
	t.damage(s.name, want.merged, path, append(damages, mappingFlag), check)
	t.damage(s.name, want.merged, path, wastes, func() error { return checkCompact(path) })
	for _, a := range additions {
		err := writeProfile(path, want.merged)
		if err == nil {
			err = a.appendTo(path)
		}
		if err == nil && a.check(s, want, path) == nil {
			err = errUnnoticed
		}
		t.report(s.name+": "+a.name, err)
	}
}

// addition is what google/pprof itself does not write: strings, and a field that refers to each.
type addition struct {
	name    string
	strings []string
	field   uint64 // or 0
	check   func(s sum, want result, path string) error
}

func compactAlone(_ sum, _ result, path string) error { return checkCompact(path) }

var additions = []addition{
	{"unused string", []string{"unused"}, 0, compactAlone},
	{"string twice", []string{"twice", "twice"}, profileComment, compactAlone},
	{"doc url", []string{"url"}, profileDocURL, sum.check},
}

// appendTo adds to the profile in a file.
func (a addition) appendTo(path string) error {
	data, err := inflated(path)
	if err != nil {
		return err
	}
	number := uint64(0)
	err = eachField(data, func(field, _ uint64, _ []byte) error {
		if field == profileString {
			number++
		}
		return nil
	})
	if err != nil {
		return err
	}
	for _, text := range a.strings {
		data = append(data, profileString<<3|2, byte(len(text)))
		data = append(data, text...)
		if a.field != 0 {
			data = append(data, byte(a.field<<3))
			data = binary.AppendUvarint(data, number)
		}
		number++
	}
	return writeGzip(path, data, gzip.DefaultCompression)
}
