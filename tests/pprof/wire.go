// SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/binary"
	"errors"
	"fmt"
	"sort"
	"strings"
)

// Field numbers of profile.proto.
const (
	profileSample   = 2
	profileMapping  = 3
	profileLocation = 4
	profileFunction = 5
	profileString   = 6
	profileComment  = 13
	profileDocURL   = 15

	sampleLocation  = 1
	sampleLabel     = 3
	labelString     = 2
	labelNumber     = 3
	labelUnit       = 4
	locationMapping = 2
	locationLine    = 4
	lineFunction    = 1
	lineColumn      = 3
)

// The fields that refer to strings, of each record that a profile has, and of the profile itself.
var (
	stringsOfRecords = map[uint64][]uint64{
		1:               {1, 2},
		profileMapping:  {5, 6},
		profileFunction: {2, 3, 4},
		11:              {1, 2},
	}
	stringsOfLabel   = []uint64{1, labelString, labelUnit}
	stringsOfProfile = []uint64{7, 8, profileComment, 14, profileDocURL}
)

// docURL reads the field of this name, which google/pprof's package did not know at first.
func docURL(path string) (string, error) {
	data, err := inflated(path)
	if err != nil {
		return "", err
	}
	var strings []string
	index := uint64(0)
	err = eachField(data, func(number, value uint64, content []byte) error {
		switch number {
		case profileString:
			strings = append(strings, string(content))
		case profileDocURL:
			index = value
		}
		return nil
	})
	if err != nil || index >= uint64(len(strings)) {
		return "", nil // It is text, or of no meaning to those who do not read the field.
	}
	return strings[index], nil
}

// record is a mapping, a location or a function: what follows its id, as text, says whether two
// are the same.
type record struct {
	id   uint64
	text string
}

// contents are the records of a profile, and what they refer to.
type contents struct {
	strings   []string
	mappings  []record
	locations []record
	functions []record

	used map[string]map[uint64]bool // by kind
}

// checkCompact finds what nothing refers to in the profile in a file, and what is there twice;
// checkUsed the first alone. The first mapping is that of the main program, and needs no reference.
func checkCompact(path string) error { return checkRecords(path, true) }

func checkUsed(path string) error { return checkRecords(path, false) }

func checkRecords(path string, once bool) error {
	data, err := inflated(path)
	if err != nil {
		return err
	}
	c := contents{used: map[string]map[uint64]bool{
		"string": {0: true}, "mapping": {}, "location": {}, "function": {}}}
	if err := eachField(data, c.note); err != nil {
		return err
	}
	known := map[string]bool{}
	for i, s := range c.strings {
		if !c.used["string"][uint64(i)] {
			return fmt.Errorf("nothing refers to string %d, %q", i, s)
		}
		if once && known[s] {
			return fmt.Errorf("string %d, %q, is there before", i, s)
		}
		known[s] = true
	}
	if len(c.mappings) > 0 {
		c.used["mapping"][c.mappings[0].id] = true
	}
	for kind, records := range map[string][]record{
		"mapping": c.mappings, "location": c.locations, "function": c.functions} {
		known := map[string]bool{}
		for _, r := range records {
			if !c.used[kind][r.id] {
				return fmt.Errorf("nothing refers to %s %d, %q", kind, r.id, r.text)
			}
			if once && known[r.text] {
				return fmt.Errorf("%s %d, %q, is there before", kind, r.id, r.text)
			}
			known[r.text] = true
		}
	}
	return nil
}

// note takes in one field of a profile.
func (c *contents) note(number, value uint64, content []byte) error {
	for _, field := range stringsOfProfile {
		if number == field {
			return c.use("string", value, content)
		}
	}
	if number == profileString {
		c.strings = append(c.strings, string(content))
		return nil
	}
	err := eachField(content, func(field, value uint64, part []byte) error {
		for _, named := range stringsOfRecords[number] {
			if field == named {
				return c.use("string", value, part)
			}
		}
		switch {
		case number == profileSample && field == sampleLocation:
			return c.use("location", value, part)
		case number == profileSample && field == sampleLabel:
			return eachField(part, func(field, value uint64, part []byte) error {
				for _, named := range stringsOfLabel {
					if field == named {
						return c.use("string", value, part)
					}
				}
				return nil
			})
		case number == profileLocation && field == locationMapping:
			return c.use("mapping", value, part)
		case number == profileLocation && field == locationLine:
			return eachField(part, func(field, value uint64, part []byte) error {
				if field == lineFunction {
					return c.use("function", value, part)
				}
				return nil
			})
		}
		return nil
	})
	if err != nil {
		return err
	}
	switch number {
	case profileMapping:
		err = c.append(&c.mappings, content)
	case profileLocation:
		err = c.append(&c.locations, content)
	case profileFunction:
		err = c.append(&c.functions, content)
	}
	return err
}

// use notes a reference, or those of a packed field.
func (c *contents) use(kind string, value uint64, packed []byte) error {
	if packed == nil {
		c.used[kind][value] = true
		return nil
	}
	for len(packed) > 0 {
		value, n := binary.Uvarint(packed)
		if n <= 0 {
			return fmt.Errorf("not a packed field")
		}
		c.used[kind][value] = true
		packed = packed[n:]
	}
	return nil
}

// append keeps a record with its fields in the order of their numbers, but for lines, which have
// one of their own. Fields of 0 are as good as none.
func (c *contents) append(records *[]record, content []byte) error {
	r := record{}
	var fields []string
	err := eachField(content, func(number, value uint64, part []byte) error {
		switch {
		case number == 1:
			r.id = value
		case part != nil:
			fields = append(fields, fmt.Sprintf("%02d.%04d=%x", number, len(fields), part))
		case value != 0:
			fields = append(fields, fmt.Sprintf("%02d=%x", number, value))
		}
		return nil
	})
	// The place among the fields must not tell lines in the same order apart.
	sort.Strings(fields)
	for i, field := range fields {
		if name, part, ok := strings.Cut(field, "."); ok {
			_, part, _ = strings.Cut(part, "=")
			fields[i] = name + "=" + part
		}
	}
	r.text = strings.Join(fields, " ")
	*records = append(*records, r)
	return err
}

// hasHiddenParts tells whether the profile in a file has what google/pprof's reader leaves out:
// columns, and labels that are a key alone. Samples that differ in those alone look the same to it.
func hasHiddenParts(path string) (bool, error) {
	data, err := inflated(path)
	if err != nil {
		return false, err
	}
	hidden := false
	err = eachField(data, func(number, _ uint64, record []byte) error {
		switch number {
		case profileSample:
			return eachField(record, func(number, _ uint64, label []byte) error {
				if number != sampleLabel {
					return nil
				}
				valued, err := hasNonZero(label, labelString, labelNumber, labelUnit)
				hidden = hidden || !valued
				return err
			})
		case profileLocation:
			return eachField(record, func(number, _ uint64, line []byte) error {
				if number != locationLine {
					return nil
				}
				column, err := hasNonZero(line, lineColumn)
				hidden = hidden || column
				return err
			})
		}
		return nil
	})
	return hidden, err
}

func hasNonZero(message []byte, fields ...uint64) (found bool, err error) {
	err = eachField(message, func(number, value uint64, _ []byte) error {
		for _, field := range fields {
			found = found || number == field && value != 0
		}
		return nil
	})
	return found, err
}

// eachField calls f for the fields of a protobuf message: with the value of a varint, or with the
// bytes of what has a length.
func eachField(message []byte, f func(number, value uint64, content []byte) error) error {
	bad := errors.New("not a protobuf message")
	for len(message) > 0 {
		tag, n := binary.Uvarint(message)
		if n <= 0 {
			return bad
		}
		message = message[n:]
		var value uint64
		var content []byte
		switch tag & 7 {
		case 0, 2:
			if value, n = binary.Uvarint(message); n <= 0 {
				return bad
			}
			message = message[n:]
			if tag&7 == 2 {
				if value > uint64(len(message)) {
					return bad
				}
				content, message, value = message[:value], message[value:], 0
			}
		default:
			return bad // profile.proto has no fields of fixed size
		}
		if err := f(tag>>3, value, content); err != nil {
			return err
		}
	}
	return nil
}
