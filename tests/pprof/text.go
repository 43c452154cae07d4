// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/google/pprof/profile"
)

const randomTexts = 100 // of each format

// Of google/pprof's own texts the one that was cut short: its header says more than it has.
const cutText = "gobench.heap"

// conversions compares each text as pprofdelta and as google/pprof convert it.
type conversions struct {
	tally
	convert, program, folder string
}

// ours is what pprofdelta makes of a text.
func (c *conversions) ours(text []byte) (*profile.Profile, error) {
	out, err := run(text, c.convert)
	if err != nil {
		return nil, err
	}
	return profile.ParseData(out)
}

// delta runs pprofdelta on a pair of files.
func (c *conversions) delta(args ...string) (*profile.Profile, error) {
	out, err := run(nil, c.program, args...)
	if err != nil {
		return nil, err
	}
	return profile.ParseData(out)
}

// mended is a text with a header that says no more than there is.
func mended(name string, text []byte) []byte {
	if filepath.Base(name) != cutText {
		return text
	}
	return header.ReplaceAll(text, []byte("heap profile: 0: 0 [0: 0] @ $5"))
}

func (c *conversions) checkText(name string, text []byte) error {
	theirs, err := readLikeGoogle(text)
	if err != nil {
		return err
	}
	if filepath.Base(name) == cutText {
		if _, err := c.ours(text); err == nil || !strings.Contains(err.Error(), "cut off") {
			return fmt.Errorf("it was cut off, and that is: %v", err)
		}
	}
	text = mended(name, text)
	ours, err := c.ours(text)
	if err != nil {
		return err
	}
	return same(theirs, ours)
}

// checkPair compares the delta of two texts with that of what google/pprof makes of them.
func (c *conversions) checkPair(prevPath, curPath string, prev, cur []byte) error {
	var theirs [2]string
	for i, text := range [][]byte{prev, cur} {
		p, err := readLikeGoogle(text)
		if err != nil {
			return err
		}
		theirs[i] = filepath.Join(c.folder, fmt.Sprintf("%d.pb.gz", i))
		if err := writeProfile(theirs[i], p); err != nil {
			return err
		}
	}
	mode := "--quiet"
	if bytes.Contains(prev, []byte("@ growth")) || bytes.Contains(prev, []byte("heap_v2/65536")) {
		mode = "--diff" // nothing in them is known to be cumulative
	}
	want, err := c.delta(mode, theirs[0], theirs[1])
	if err != nil {
		return err
	}
	have, err := c.delta(mode, prevPath, curPath)
	if err != nil {
		return err
	}
	if len(want.Sample) == 0 {
		return errors.New("the delta is empty")
	}
	return same(want, have)
}

func (c *conversions) checkFiles(paths []string, check func(name string, text []byte) error) {
	for _, path := range paths {
		text, err := inflated(path)
		if err == nil {
			err = check(path, text)
		}
		c.report(path, err)
	}
}

func (c *conversions) checkPairs(paths []string) {
	for _, prev := range paths {
		cur := strings.Replace(prev, ".prev.", ".cur.", 1)
		if cur == prev {
			continue
		}
		prevText, err := inflated(prev)
		if err != nil {
			c.report(prev, err)
			continue
		}
		curText, err := inflated(cur)
		if err == nil {
			err = c.checkPair(prev, cur, prevText, curText)
		}
		c.report(prev+" and its pair", err)
	}
}

// texts has each text read by either, and compares sample by sample; of pairs it compares the
// deltas as well. Those whose names have ".prev." in them are a pair with those that have ".cur."
// instead. Random texts are added. The self test damages what google/pprof read, and demands that
// it is noticed.
func texts(args []string) error {
	isSelfTest := args[1] == selfTest
	c := &conversions{convert: args[0], program: args[1], folder: workFolder()}
	paths := googleTexts()
	for _, pattern := range []string{"*.heap", "*.txt", "*.txt.gz"} {
		found, err := filepath.Glob(filepath.Join(args[2], pattern))
		if err != nil {
			return err
		}
		paths = append(paths, found...)
	}
	if isSelfTest {
		c.checkFiles(paths, c.selfTest)
		return c.outcome()
	}
	c.checkFiles(paths, c.checkText)
	c.checkPairs(paths)
	for _, f := range randomFormats {
		for seed := int64(1); seed <= randomTexts; seed++ {
			text := f.make(seed)
			err := c.checkText(f.name, text)
			if err != nil {
				err = fmt.Errorf("%w in\n%s", err, text)
			}
			c.report(fmt.Sprintf("random %s %d", f.name, seed), err)
		}
	}
	return c.outcome()
}
