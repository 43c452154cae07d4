// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
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

// A sample in the output of -raw: its values, a colon, the ids of its locations. Lines of labels
// have a bracket after the colon.
var rawSample = regexp.MustCompile(`^ *(-?\d+(?: +-?\d+)*): \d[\d ]*$`)

// checkSums compares the sum of each sample type with what pprof shows of the delta, without the
// samples that have no stack: not all versions of pprof show them.
func checkSums(want table, deltaPath, folder string) error {
	out, err := pprof(folder, "-raw", deltaPath)
	if err != nil {
		return err
	}
	var sums, shown []int64
	for key, values := range want {
		if sums == nil {
			sums = make([]int64, len(values))
			shown = make([]int64, len(values))
		}
		if strings.Contains(key, "\n") { // which ends each frame
			add(sums, values, 1)
		}
	}
	samples, _, _ := strings.Cut(string(out), "\nLocations\n")
	for _, line := range strings.Split(samples, "\n") {
		match := rawSample.FindStringSubmatch(line)
		if match == nil {
			continue
		}
		fields := strings.Fields(match[1])
		if len(fields) != len(shown) {
			return fmt.Errorf("pprof shows %d values in %q", len(fields), line)
		}
		for i, field := range fields {
			value, err := strconv.ParseInt(field, 10, 64)
			if err != nil {
				return err
			}
			shown[i] += value
		}
	}
	if fmt.Sprint(sums) != fmt.Sprint(shown) {
		return fmt.Errorf("pprof shows sums of %v, not %v", shown, sums)
	}
	return nil
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
