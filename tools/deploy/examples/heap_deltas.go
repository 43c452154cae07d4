// SPDX-License-Identifier: Apache-2.0

// Writes what this program allocates in each interval, as delta profiles. It shows how a Go program
// can have its deltas from libpprofdelta: DeltaComputer has the same method as that of fastdelta,
// which takes a profile and writes the delta from the one before.
//
//	go build heap_deltas.go
//	./heap_deltas FOLDER ROUNDS INTERVAL
//
// It needs cgo, and the library where pkg-config finds it.
package main

/*
#cgo pkg-config: pprofdelta
#include <stdlib.h>

#include <pprofdelta/pprofdelta.h>

// From the bytes of a file to those of another one. In C, as the profile may be the bytes
// themselves, which are Go's.
static pprofdelta_status delta_of(pprofdelta_computer *computer, pprofdelta_buffer *storage,
                                  const void *bytes, size_t size, pprofdelta_view *file,
                                  pprofdelta_error *error) {
    pprofdelta_view view;
    pprofdelta_source source;
    pprofdelta_status status =
        pprofdelta_decode(bytes, size, 0, storage, &view, &source, error);
    if (status == PPROFDELTA_OK) {
        status = pprofdelta_computer_compute(computer, view.data, view.size, (int)source, &view,
                                             NULL, error);
    }
    if (status == PPROFDELTA_OK) {
        status = pprofdelta_encode(view.data, view.size, PPROFDELTA_CODEC_GZIP,
                                   PPROFDELTA_DEFAULT_LEVEL, storage, file, error);
    }
    return status;
}
*/
import "C"

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"runtime/pprof"
	"strconv"
	"time"
	"unsafe"
)

// DeltaComputer takes the profiles of a series, one after the other. It is not safe for use by
// several goroutines at once.
type DeltaComputer struct {
	computer *C.pprofdelta_computer
	storage  *C.pprofdelta_buffer
}

// Error is what the library could not do.
type Error struct {
	Status  int   // as in pprofdelta.h; the last digit is the exit status of pprofdelta(1)
	Offset  int64 // where in the profile the fault lies, in bytes; -1 where no place is to blame
	Message string
}

func (e *Error) Error() string { return e.Message }

// The call itself has filled e, so it does not matter on which thread it was made.
func failure(status C.pprofdelta_status, e *C.pprofdelta_error) error {
	if status == C.PPROFDELTA_OK {
		return nil
	}
	return &Error{int(status), int64(e.offset), C.GoString(&e.message[0])}
}

// NewDeltaComputer makes one that subtracts these sample types as well. Close frees it.
func NewDeltaComputer(cumulative ...string) (*DeltaComputer, error) {
	var e C.pprofdelta_error
	options := C.pprofdelta_options_new()
	defer C.pprofdelta_options_free(options)
	name := C.CString("cumulative")
	defer C.free(unsafe.Pointer(name))
	for _, each := range cumulative {
		value := C.CString(each)
		status := C.pprofdelta_options_set(options, name, value, &e)
		C.free(unsafe.Pointer(value))
		if err := failure(status, &e); err != nil {
			return nil, err
		}
	}
	d := &DeltaComputer{storage: C.pprofdelta_buffer_new()}
	if err := failure(C.pprofdelta_computer_new(options, &d.computer, &e), &e); err != nil {
		d.Close()
		return nil, err
	}
	return d, nil
}

// Close frees what the library holds.
func (d *DeltaComputer) Close() {
	C.pprofdelta_computer_free(d.computer)
	C.pprofdelta_buffer_free(d.storage)
	*d = DeltaComputer{}
}

// Delta writes the delta from the profile before, compressed with gzip, and makes p, which may be
// compressed as well, the profile before. A profile that is refused changes nothing: the next delta
// covers its interval, too.
func (d *DeltaComputer) Delta(p []byte, out io.Writer) error {
	if len(p) == 0 {
		return errors.New("empty input")
	}
	var e C.pprofdelta_error
	var file C.pprofdelta_view
	status := C.delta_of(d.computer, d.storage, unsafe.Pointer(&p[0]), C.size_t(len(p)), &file, &e)
	if err := failure(status, &e); err != nil {
		return err
	}
	// The bytes are the library's, and the writer takes them before they change.
	_, err := out.Write(unsafe.Slice((*byte)(unsafe.Pointer(file.data)), int(file.size)))
	return err
}

var kept [][]byte

// What the profiles are of: a part of what is allocated stays.
func work(round int) {
	for i := 0; i < 2000; i++ {
		block := make([]byte, 1024+round)
		if i%10 == 0 {
			kept = append(kept, block)
		}
	}
}

func run(folder string, rounds int, interval time.Duration) error {
	computer, err := NewDeltaComputer()
	if err != nil {
		return err
	}
	defer computer.Close()
	for round := 0; round < rounds; round++ {
		time.Sleep(interval)
		work(round)
		runtime.GC() // a heap profile is what there was at the last collection
		var profile, delta bytes.Buffer
		if err := pprof.Lookup("heap").WriteTo(&profile, 0); err != nil {
			return err
		}
		if err := computer.Delta(profile.Bytes(), &delta); err != nil {
			return err
		}
		for name, content := range map[string][]byte{
			"profile": profile.Bytes(), "delta": delta.Bytes(),
		} {
			path := filepath.Join(folder, fmt.Sprintf("%s-%d.pb.gz", name, round))
			if err := os.WriteFile(path, content, 0o644); err != nil {
				return err
			}
		}
	}
	return nil
}

func main() {
	runtime.MemProfileRate = 4096
	if len(os.Args) != 4 {
		fmt.Fprintln(os.Stderr, "usage: heap_deltas FOLDER ROUNDS INTERVAL")
		os.Exit(2)
	}
	rounds, err := strconv.Atoi(os.Args[2])
	if err == nil {
		var interval time.Duration
		if interval, err = time.ParseDuration(os.Args[3]); err == nil {
			err = run(os.Args[1], rounds, interval)
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "heap_deltas:", err)
		os.Exit(1)
	}
}
