// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"path/filepath"

	"github.com/google/pprof/profile"
)

// testDelta lets google/pprof compute the diff of a pair, which must pass, and damages it.
func testDelta(t *tally, folder string, p pair) {
	set := settings{diff: true, match: "exact"}
	path := filepath.Join(folder, "damaged.pb.gz")
	check := func() error { return checkDeltaFile(p.prev, p.cur, path, folder, set) }
	right, err := mergedDiff(p)
	if err == nil {
		err = writeProfile(path, right)
	}
	if err == nil {
		err = check()
	}
	t.report(p.name+" undamaged", err)
	if err != nil || len(right.Function) == 0 {
		return // nothing, or too little, to damage
	}
	t.damage(p.name, right, path, append(damages, wastes...), check)
	t.report(p.name+" pprof", pprofNotices(folder, path, p, right))
}

// pprofNotices damages a value and runs the checks by way of pprof, which come last in checkFiles.
func pprofNotices(folder, path string, p pair, right *profile.Profile) error {
	want, _ := aggregate(right, "exact")
	damaged := right.Copy()
	damaged.Sample[0].Value[0]++
	if err := writeProfile(path, damaged); err != nil {
		return err
	}
	if checkSums(want, path, folder) == nil {
		return fmt.Errorf("a wrong sum goes unnoticed")
	}
	if checkDiffBase(p.prev, p.cur, path, folder) == nil {
		return fmt.Errorf("a wrong difference goes unnoticed")
	}
	return nil
}

// mergedDiff is cur minus prev in every sample type.
func mergedDiff(p pair) (*profile.Profile, error) {
	prev, err := readProfile(p.prev)
	if err != nil {
		return nil, err
	}
	cur, err := readProfile(p.cur)
	if err != nil {
		return nil, err
	}
	prevTime, duration := prev.TimeNanos, cur.DurationNanos
	prev.Scale(-1)
	merged, err := profile.Merge([]*profile.Profile{cur, prev})
	if err != nil {
		return nil, err
	}
	if prevTime != 0 && cur.TimeNanos >= prevTime {
		duration = cur.TimeNanos - prevTime
	}
	merged.TimeNanos, merged.DurationNanos = cur.TimeNanos, duration
	merged.Period, merged.Comments = cur.Period, cur.Comments
	return merged, nil
}
