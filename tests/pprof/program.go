// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"strings"
)

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
