// SPDX-License-Identifier: Apache-2.0

package main

import (
	"path/filepath"
	"strings"
)

type pair struct{ name, prev, cur string }

// findPairs lists NAME.prev.pb.gz with NAME.cur.pb.gz, NAME-a.pb.gz with NAME-b.pb.gz, and the
// same without .gz, in the order of their names.
func findPairs(folder string) ([]pair, error) {
	var pairs []pair
	for _, ends := range [][2]string{{".prev", ".cur"}, {"-a", "-b"}} {
		for _, suffix := range []string{".pb", ".pb.gz"} {
			paths, err := filepath.Glob(filepath.Join(folder, "*"+ends[0]+suffix))
			if err != nil {
				return nil, err
			}
			for _, path := range paths {
				stem := strings.TrimSuffix(path, ends[0]+suffix)
				cur := stem + ends[1] + suffix
				pairs = append(pairs, pair{filepath.Base(stem), path, cur})
			}
		}
	}
	return pairs, nil
}
