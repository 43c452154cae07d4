// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"fmt"
)

// tally prints the cases that fail, and counts all.
type tally struct{ ok, failed, moved int }

func (t *tally) report(name string, err error) {
	if err == nil {
		t.ok++
		return
	}
	t.failed++
	fmt.Printf("FAIL %s: %v\n", name, err)
}

func (t *tally) outcome() error {
	fmt.Printf("%d ok, %d failed\n", t.ok, t.failed)
	if t.failed > 0 || t.ok == 0 {
		return errors.New("not all is right")
	}
	return nil
}
