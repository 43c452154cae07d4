// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"os"
	"path/filepath"
)

// checkDiffBase compares the delta with what pprof itself makes of `-diff_base`. The delta takes
// the same way through pprof, which changes mappings and prunes frames.
func checkDiffBase(prevPath, curPath, deltaPath, folder string) error {
	want, err := pprofTable(folder, "-diff_base="+prevPath, curPath)
	if err != nil {
		return err
	}
	got, err := pprofTable(folder, deltaPath)
	if err != nil {
		return err
	}
	if text := difference(want, got); text != "" {
		return errors.New("against pprof -diff_base: " + text)
	}
	return nil
}

// pprofTable holds the samples that `go tool pprof` writes for these arguments. It looks for no
// program, and saves nothing.
func pprofTable(folder string, args ...string) (table, error) {
	os.Setenv("PPROF_TMPDIR", folder)
	os.Setenv("PPROF_BINARY_PATH", folder)
	out := filepath.Join(folder, "pprof.pb.gz")
	args = append([]string{"tool", "pprof", "-symbolize=none", "-proto", "-output=" + out}, args...)
	if _, err := run(nil, "go", args...); err != nil {
		return nil, err
	}
	p, err := readProfile(out)
	if err != nil {
		return nil, err
	}
	for _, s := range p.Sample {
		delete(s.Label, "pprof::base") // marks what came from the base
	}
	sums, _ := aggregate(p, "exact")
	sums.dropZeros()
	return sums, nil
}
