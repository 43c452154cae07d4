// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"strconv"
	"strings"
)

// table maps the identity of a sample, as the numbers of its frames, each in a line, and its
// labels, to its values.
type table map[string][]int64

// Frames are many times as long as their numbers, and each is in many samples.
var (
	frameNumbers = map[string]string{}
	frameTexts   []string
)

func numberOf(frame string) string {
	number, ok := frameNumbers[frame]
	if !ok {
		number = strconv.Itoa(len(frameTexts))
		frameNumbers[frame] = number
		frameTexts = append(frameTexts, frame)
	}
	return number
}

// inWords is the key of a table with the frames themselves.
func inWords(key string) string {
	parts := strings.Split(key, "\n")
	for i := range parts[:len(parts)-1] {
		if number, err := strconv.Atoi(parts[i]); err == nil {
			parts[i] = frameTexts[number]
		}
	}
	return strings.Join(parts, "\n")
}

func add(to, values []int64, factor int64) {
	for i, v := range values {
		to[i] += factor * v
	}
}

func isZero(values []int64) bool {
	for _, v := range values {
		if v != 0 {
			return false
		}
	}
	return true
}

func (t table) dropZeros() {
	for key, values := range t {
		if isZero(values) {
			delete(t, key)
		}
	}
}

// difference describes the first place where got is not want; it is empty if there is none.
func difference(want, got table) string {
	missing, wrong, extra := 0, 0, 0
	example := ""
	note := func(key string) {
		if example == "" || key < example {
			example = key
		}
	}
	for key, values := range want {
		have, ok := got[key]
		switch {
		case !ok:
			missing++
			note(key)
		case fmt.Sprint(values) != fmt.Sprint(have):
			wrong++
			note(key)
		}
	}
	for key := range got {
		if _, ok := want[key]; !ok {
			extra++
			note(key)
		}
	}
	if missing+wrong+extra == 0 {
		return ""
	}
	return fmt.Sprintf("of %d samples %d are missing, %d wrong, %d too many; "+
		"such as want %v, got %v: %.300q",
		len(want), missing, wrong, extra, want[example], got[example], inWords(example))
}
