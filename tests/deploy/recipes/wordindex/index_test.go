// SPDX-License-Identifier: Apache-2.0
package wordindex

import (
	"fmt"
	"strings"
	"testing"
)

func text() string {
	var lines []string
	for i := 0; i < 80; i++ {
		lines = append(lines, fmt.Sprintf("Line %d of the text has word%d and WORD%d", i, i%50, i*7))
	}
	return strings.Join(lines, "\n")
}

func BenchmarkNew(b *testing.B) {
	input := text()
	b.ReportAllocs()
	b.ResetTimer()
	for i := 0; i < b.N; i++ {
		New(input)
	}
}

func BenchmarkFormat(b *testing.B) {
	index := New(text())
	b.ReportAllocs()
	b.ResetTimer()
	for i := 0; i < b.N; i++ {
		index.Format()
	}
}

// An unused result might not be allocated.
var lines string

func BenchmarkLines(b *testing.B) {
	index := New(text())
	b.ReportAllocs()
	b.ResetTimer()
	for i := 0; i < b.N; i++ {
		lines = index.Lines("word7")
	}
}
