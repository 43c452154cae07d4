// SPDX-License-Identifier: Apache-2.0

// oracle checks the conversion of text profiles against google/pprof's own: it has each text read
// by either, and compares sample by sample. Of pairs it compares the deltas as well.
//
//	oracle CONVERT PROGRAM WORK_FOLDER TEXT...
//	oracle --self-test CONVERT PROGRAM WORK_FOLDER TEXT...
//
// Texts whose names have ".prev." in them are a pair with those that have ".cur." instead. Random
// texts are added. The self test damages what google/pprof read, and demands that it is noticed.
package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/google/pprof/profile"
)

const randomTexts = 100 // of each format

type oracle struct {
	convert, program, folder string
	ok, failed               int
}

func (o *oracle) report(name string, err error) {
	if err == nil {
		o.ok++
		return
	}
	o.failed++
	fmt.Printf("FAIL %s: %v\n", name, err)
}

func run(stdin []byte, name string, args ...string) ([]byte, error) {
	cmd := exec.Command(name, args...)
	var out, errs bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(stdin), &out, &errs
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("%v: %s", err, strings.TrimSpace(errs.String()))
	}
	return out.Bytes(), nil
}

// ours is what pprofdelta makes of a text.
func (o *oracle) ours(text []byte) (*profile.Profile, error) {
	out, err := run(text, o.convert)
	if err != nil {
		return nil, err
	}
	return profile.ParseData(out)
}

// delta runs pprofdelta on a pair of files.
func (o *oracle) delta(args ...string) (*profile.Profile, error) {
	out, err := run(nil, o.program, args...)
	if err != nil {
		return nil, err
	}
	return profile.ParseData(out)
}

func (o *oracle) checkText(name string, text []byte) error {
	theirs, err := readLikeGoogle(text)
	if err != nil {
		return err
	}
	ours, err := o.ours(text)
	if err != nil {
		return err
	}
	return same(theirs, ours)
}

func (o *oracle) write(name string, p *profile.Profile) (string, error) {
	path := filepath.Join(o.folder, name)
	file, err := os.Create(path)
	if err != nil {
		return "", err
	}
	defer file.Close()
	return path, p.Write(file)
}

// checkPair compares the delta of two texts with that of what google/pprof makes of them.
func (o *oracle) checkPair(prevPath, curPath string, prev, cur []byte) error {
	var theirs [2]string
	for i, text := range [][]byte{prev, cur} {
		p, err := readLikeGoogle(text)
		if err != nil {
			return err
		}
		if theirs[i], err = o.write(fmt.Sprintf("%d.pb.gz", i), p); err != nil {
			return err
		}
	}
	mode := "--quiet"
	if bytes.Contains(prev, []byte("@ growth")) || bytes.Contains(prev, []byte("heap_v2/65536")) {
		mode = "--diff" // nothing in them is known to be cumulative
	}
	want, err := o.delta(mode, theirs[0], theirs[1])
	if err != nil {
		return err
	}
	have, err := o.delta(mode, prevPath, curPath)
	if err != nil {
		return err
	}
	if len(want.Sample) == 0 {
		return errors.New("the delta is empty")
	}
	return same(want, have)
}

func (o *oracle) checkFiles(paths []string, check func(name string, text []byte) error) {
	for _, path := range paths {
		text, err := readText(path)
		if err == nil {
			err = check(path, text)
		}
		o.report(path, err)
	}
}

func (o *oracle) checkPairs(paths []string) {
	for _, prev := range paths {
		cur := strings.Replace(prev, ".prev.", ".cur.", 1)
		if cur == prev {
			continue
		}
		prevText, err := readText(prev)
		if err != nil {
			o.report(prev, err)
			continue
		}
		curText, err := readText(cur)
		if err == nil {
			err = o.checkPair(prev, cur, prevText, curText)
		}
		o.report(prev+" and its pair", err)
	}
}

func main() {
	args := os.Args[1:]
	isSelfTest := len(args) > 0 && args[0] == "--self-test"
	if isSelfTest {
		args = args[1:]
	}
	if len(args) < 4 {
		fmt.Fprintln(os.Stderr, "usage: oracle [--self-test] CONVERT PROGRAM WORK_FOLDER TEXT...")
		os.Exit(2)
	}
	o := &oracle{convert: args[0], program: args[1], folder: args[2]}
	if isSelfTest {
		o.checkFiles(args[3:], o.selfTest)
	} else {
		o.checkFiles(args[3:], o.checkText)
		o.checkPairs(args[3:])
		for _, f := range randomFormats {
			for seed := int64(1); seed <= randomTexts; seed++ {
				text := f.make(seed)
				err := o.checkText(f.name, text)
				if err != nil {
					err = fmt.Errorf("%w in\n%s", err, text)
				}
				o.report(fmt.Sprintf("random %s %d", f.name, seed), err)
			}
		}
	}
	fmt.Printf("%d ok, %d failed\n", o.ok, o.failed)
	if o.failed > 0 || o.ok == 0 {
		os.Exit(1)
	}
}
