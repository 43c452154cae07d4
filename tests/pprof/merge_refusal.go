// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sort"
	"strings"

	"github.com/google/pprof/profile"
)

const incompatible = 4 // exit status

// checkRefusals gives the program a profile of each kind together with one of the next kind, which
// google/pprof refuses too.
func checkRefusals(t *tally, program, folder string, paths []string) {
	grouped, err := groups(paths)
	if err != nil {
		t.report("refused", err)
		return
	}
	var kinds []kind
	for k := range grouped {
		kinds = append(kinds, k)
	}
	sort.Slice(kinds, func(i, j int) bool {
		a, b := kinds[i], kinds[j]
		return a.name < b.name || (a.name == b.name && a.periodType < b.periodType)
	})
	for i := 1; i < len(kinds); i++ {
		one, other := grouped[kinds[i-1]][0], grouped[kinds[i]][0]
		name := fmt.Sprintf("refused %s and %s", filepath.Base(one), filepath.Base(other))
		t.report(name, refuses(program, folder, one, other))
	}
}

func refuses(program, folder, one, other string) error {
	var inputs []*profile.Profile
	for _, path := range []string{one, other} {
		p, err := readProfile(path)
		if err != nil {
			return err
		}
		inputs = append(inputs, p)
	}
	if _, err := profile.Merge(inputs); err == nil {
		return errors.New("google/pprof does not refuse them")
	}
	path := filepath.Join(folder, "refused.pb.gz")
	os.Remove(path)
	cmd := exec.Command(program, "merge", "-o", path, one, other)
	var errs bytes.Buffer
	cmd.Stderr = &errs
	if err := cmd.Run(); cmd.ProcessState == nil {
		return err
	}
	if status := cmd.ProcessState.ExitCode(); status != incompatible {
		return fmt.Errorf("status %d: %s", status, errs.String())
	}
	if !strings.Contains(errs.String(), one) || !strings.Contains(errs.String(), other) {
		return fmt.Errorf("does not name both: %s", errs.String())
	}
	if _, err := os.Stat(path); err == nil {
		return errors.New("something was written")
	}
	return nil
}
