// SPDX-License-Identifier: Apache-2.0

package main

import (
	"path/filepath"
	"strings"
)

// cumulativeTypes names, for pairs by the start of their name, types to subtract that are not
// known to be cumulative.
var cumulativeTypes = map[string][]string{
	"node-heap": {"objects", "space/bytes"},
}

type pair struct {
	name, prev, cur string
	cumulative      []string
}

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
				p := pair{name: filepath.Base(stem), prev: path, cur: stem + ends[1] + suffix}
				for start, types := range cumulativeTypes {
					if strings.HasPrefix(p.name, start) {
						p.cumulative = types
					}
				}
				pairs = append(pairs, p)
			}
		}
	}
	return pairs, nil
}
