// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"sort"
	"strings"

	"github.com/google/pprof/profile"
)

// check holds the sum in a file against the one that it has to be.
func (s sum) check(want result, path string) error {
	got, err := readProfile(path)
	if err != nil {
		return err
	}
	gotURL, err := docURL(path)
	if err != nil {
		return err
	}
	if err := checkHeader(want.merged, got, want.merged.DurationNanos); err != nil {
		return err
	}
	if gotURL != want.docURL {
		return fmt.Errorf("doc_url is %q, not %q", gotURL, want.docURL)
	}
	if err := checkSamples(want.samples, got, path, s.match); err != nil {
		return err
	}
	if s.match == "exact" {
		// In other modes frames that differ are the same, and any of them may be written.
		if err := checkMappings(want.merged, got); err != nil {
			return err
		}
	}
	if err := checkCompact(path); err != nil {
		return err
	}
	return checkCompression(path, s.raw)
}

// checkMappings compares what google/pprof takes for one mapping in several processes, with all
// that it holds but for the address. Which comes first counts: it is the main program.
func checkMappings(want, got *profile.Profile) error {
	wanted, gotten := mappingTexts(want), mappingTexts(got)
	if len(wanted) > 0 && (len(gotten) == 0 || wanted[0] != gotten[0]) {
		return fmt.Errorf("the first of the mappings %q is not %s", gotten, wanted[0])
	}
	sort.Strings(wanted)
	sort.Strings(gotten)
	for i := 1; i < len(gotten); i++ {
		if gotten[i] == gotten[i-1] {
			return fmt.Errorf("mapping %s is there twice", gotten[i])
		}
	}
	if strings.Join(wanted, "\n") != strings.Join(gotten, "\n") {
		return fmt.Errorf("the mappings are %q, not %q", gotten, wanted)
	}
	return nil
}

func mappingTexts(p *profile.Profile) []string {
	var texts []string
	for _, m := range p.Mapping {
		texts = append(texts, fmt.Sprintf("%d pages @%#x %q %q %t %t %t %t",
			(m.Limit-m.Start+0xfff)/0x1000, m.Offset, m.File, m.BuildID, m.HasFunctions,
			m.HasFilenames, m.HasLineNumbers, m.HasInlineFrames))
	}
	return texts
}
