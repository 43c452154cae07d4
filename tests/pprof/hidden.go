// SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/binary"
	"errors"
)

// Field numbers of profile.proto.
const (
	profileSample   = 2
	profileLocation = 4
	sampleLabel     = 3
	labelString     = 2
	labelNumber     = 3
	labelUnit       = 4
	locationLine    = 4
	lineColumn      = 3
)

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
