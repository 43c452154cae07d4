// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"os"

	"github.com/google/pprof/profile"
)

// readProfile reads what is in a file, and checks ids and the number of values as well.
func readProfile(path string) (*profile.Profile, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	p, err := profile.ParseData(data)
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

// inflated is what is in a file, without the archive around it.
func inflated(path string) ([]byte, error) {
	data, err := os.ReadFile(path)
	if err != nil || !bytes.HasPrefix(data, []byte{0x1f, 0x8b}) {
		return data, err
	}
	r, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(r)
}

func writeGzip(path string, data []byte, level int) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	defer file.Close()
	w, err := gzip.NewWriterLevel(file, level)
	if err != nil {
		return err
	}
	if _, err := w.Write(data); err != nil {
		return err
	}
	return w.Close()
}
