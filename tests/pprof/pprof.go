// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// pprof runs `go tool pprof` in such a way that it looks for no program and saves nothing.
func pprof(folder string, args ...string) ([]byte, error) {
	cmd := exec.Command("go", append([]string{"tool", "pprof", "-symbolize=none"}, args...)...)
	cmd.Env = append(os.Environ(), "PPROF_TMPDIR="+folder, "PPROF_BINARY_PATH="+folder)
	var out, errs bytes.Buffer
	cmd.Stdout = &out
	cmd.Stderr = &errs
	if err := cmd.Run(); err != nil {
		lines := strings.Split(strings.TrimSpace(errs.String()), "\n")
		return nil, fmt.Errorf("pprof %s: %v: %s", strings.Join(args, " "), err, lines[len(lines)-1])
	}
	return out.Bytes(), nil
}

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

// pprofTable holds the samples that pprof writes for these arguments.
func pprofTable(folder string, args ...string) (table, error) {
	out := filepath.Join(folder, "pprof.pb.gz")
	if _, err := pprof(folder, append([]string{"-proto", "-output=" + out}, args...)...); err != nil {
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
