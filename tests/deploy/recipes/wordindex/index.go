// SPDX-License-Identifier: Apache-2.0

// Package wordindex finds the lines of a text that hold a word.
package wordindex

import (
	"fmt"
	"sort"
	"strings"
)

// Index has for each word the numbers of the lines that hold it.
type Index map[string][]int

// New reads a text.
func New(text string) Index {
	index := Index{}
	for number, line := range strings.Split(text, "\n") {
		for _, word := range words(line) {
			lines := index[word]
			if len(lines) == 0 || lines[len(lines)-1] != number {
				index[word] = append(lines, number)
			}
		}
	}
	return index
}

func words(line string) []string {
	return strings.Fields(strings.ToLower(line))
}

// Format lists the words in their order, each with its lines.
func (index Index) Format() string {
	sorted := make([]string, 0, len(index))
	for word := range index {
		sorted = append(sorted, word)
	}
	sort.Strings(sorted)
	var out strings.Builder
	for _, word := range sorted {
		fmt.Fprintf(&out, "%s: %v\n", word, index[word])
	}
	return out.String()
}

// Lines tells in which lines a word is.
func (index Index) Lines(word string) string {
	return fmt.Sprint(index[word])
}
