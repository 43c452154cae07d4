// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"

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

// run is what a program prints, which has to succeed.
func run(stdin []byte, program string, args ...string) ([]byte, error) {
	cmd := exec.Command(program, args...)
	var out, errs bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(stdin), &out, &errs
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("%v: %s", err, strings.TrimSpace(errs.String()))
	}
	return out.Bytes(), nil
}

// write runs the program, which has to write a new file to path.
func write(path, program string, args ...string) error {
	os.Remove(path)
	_, err := run(nil, program, args...)
	return err
}
