// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"sort"
	"strings"

	"github.com/google/pprof/profile"
)

// aggregate adds up the samples of p that are the same under match, and counts those that repeat
// an earlier one.
func aggregate(p *profile.Profile, match string) (sums table, repeated int) {
	sums = table{}
	frames := make(map[*profile.Location]string, len(p.Location))
	for _, l := range p.Location {
		frames[l] = numberOf(frameKey(l, match))
	}
	for _, s := range p.Sample {
		var b strings.Builder
		for _, l := range s.Location {
			b.WriteString(frames[l])
			b.WriteByte('\n')
		}
		b.WriteString(labelKey(s))
		key := b.String()
		if have, ok := sums[key]; ok {
			repeated++
			add(have, s.Value, 1)
		} else {
			sums[key] = append([]int64(nil), s.Value...)
		}
	}
	return sums, repeated
}

// frameKey is all that makes l the same frame in another profile. A match by line or function
// leaves a frame without lines as it is: there is no name to go by.
func frameKey(l *profile.Location, match string) string {
	var b strings.Builder
	if match != "exact" && len(l.Line) > 0 {
		for _, line := range l.Line {
			fmt.Fprintf(&b, " %q %q", line.Function.Name, line.Function.Filename)
			if match == "line" {
				fmt.Fprintf(&b, ":%d", line.Line)
			}
		}
		return b.String()
	}
	address := l.Address
	if m := l.Mapping; m != nil {
		object := m.BuildID
		if object == "" {
			object = m.File
		}
		pages := (m.Limit - m.Start + 0xfff) / 0x1000
		fmt.Fprintf(&b, "%q %d pages @%#x ", object, pages, m.Offset)
		if address != 0 { // 0 is no address; frames of interpreted code have none
			address -= m.Start
		}
	}
	fmt.Fprintf(&b, "+%#x folded=%t", address, l.IsFolded)
	for _, line := range l.Line {
		f := line.Function
		fmt.Fprintf(&b, " %q %q %q:%d:%d", f.Name, f.SystemName, f.Filename, f.StartLine, line.Line)
	}
	return b.String()
}

// labelKey holds the labels of s in an order that does not depend on theirs.
func labelKey(s *profile.Sample) string {
	var labels []string
	for key, values := range s.Label {
		for _, value := range values {
			labels = append(labels, fmt.Sprintf("%q=%q", key, value))
		}
	}
	for key, values := range s.NumLabel {
		units := s.NumUnit[key]
		for i, value := range values {
			unit := ""
			if i < len(units) {
				unit = units[i]
			}
			labels = append(labels, fmt.Sprintf("%q=%d %q", key, value, unit))
		}
	}
	sort.Strings(labels)
	return strings.Join(labels, " ")
}
