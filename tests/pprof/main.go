// SPDX-License-Identifier: Apache-2.0

// oracle reads with google/pprof's own package what pprofdelta wrote, and compares it with what it
// makes of the same profiles by itself: what pprofdelta says is not taken on trust.
package main

import (
	"fmt"
	"os"
	"path/filepath"
)

var commands = []struct {
	name, arguments string
	least           int // arguments
	run             func([]string) error
}{
	{"deltas", "PROGRAM FOLDER...", 2, deltas},
	{"merges", "PROGRAM FOLDER...", 2, merges},
	{"exports", "PROGRAM PROFILE...", 2, exports},
	{"texts", "CONVERT FOLDER", 2, texts},
	// Whether the sums of TERMs are zero for each sample.
	{"zero", "TERM...", 1, zero},
	{"tangle", "COUNT FOLDER", 2, tangle},
}

// workFolder is where this program was built, which is for what it writes, too.
func workFolder() string { return filepath.Dir(os.Args[0]) }

// extraFolders are more folders of profiles, for measurements.
func extraFolders() []string { return filepath.SplitList(os.Getenv("PPROFDELTA_EXTRA_PAIRS")) }

func main() {
	for _, c := range commands {
		if len(os.Args) < 2+c.least || os.Args[1] != c.name {
			continue
		}
		if err := c.run(os.Args[2:]); err != nil {
			fmt.Fprintf(os.Stderr, "%s: %v\n", c.name, err)
			os.Exit(1)
		}
		return
	}
	for _, c := range commands {
		fmt.Fprintf(os.Stderr, "usage: oracle %s %s\n", c.name, c.arguments)
	}
	os.Exit(2)
}
