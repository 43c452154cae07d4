// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"os"

	"github.com/google/pprof/profile"
)

func readProfile(path string) (*profile.Profile, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	p, err := profile.Parse(file) // checks ids and the number of values as well
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return p, nil
}

func writeProfile(path string, p *profile.Profile) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	defer file.Close()
	return p.Write(file)
}

// types leaves out what the reader keeps for itself.
func types(values ...*profile.ValueType) []string {
	var names []string
	for _, v := range values {
		if v != nil {
			names = append(names, v.Type+"/"+v.Unit)
		}
	}
	return names
}
