// SPDX-License-Identifier: Apache-2.0

// driver puts load on a server, and takes captures of its heap at equal times.
//
//	driver -url URL [option...] FOLDER
//
// The captures are FOLDER/NN.pb.gz. The choice of pages drifts, as interests do; the number of
// requests is random, with a mean that can rise and fall in a wave.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"log"
	"math"
	"math/rand"
	"net/http"
	"os"
	"path/filepath"
	"time"
)

var (
	url      = flag.String("url", "", "where the server is")
	captures = flag.Int("captures", 20, "how many captures")
	first    = flag.Int("first", 1, "number of the first capture")
	period   = flag.Duration("period", time.Second, "time between captures")
	warm     = flag.Duration("warm", 0, "load before the first capture")
	requests = flag.Float64("requests", 150, "mean number of requests in a period")
	wave     = flag.Float64("wave", 0, "periods of a wave of the load; 0 is none")
	collect  = flag.Bool("gc", true, "collect garbage for each capture")
	seed     = flag.Int64("seed", 1, "of random numbers")
)

const (
	visitors  = 400
	pages     = 20000
	favorites = 1500
	noteShare = 0.2
	swing     = 0.6 // of a wave, as a part of the mean
)

func main() {
	log.SetFlags(0)
	flag.Parse()
	if flag.NArg() != 1 || *url == "" {
		flag.Usage()
		os.Exit(2)
	}
	begun := time.Now()
	go load(begun)
	for number := 0; number < *captures; number++ {
		time.Sleep(time.Until(begun.Add(*warm + time.Duration(number)**period)))
		name := fmt.Sprintf("%02d.pb.gz", *first+number)
		if err := capture(filepath.Join(flag.Arg(0), name)); err != nil {
			log.Fatal(err)
		}
	}
}

// load sends requests at random times, from visitors who come and go.
func load(begun time.Time) {
	random := rand.New(rand.NewSource(*seed))
	phase := 2 * math.Pi * random.Float64()
	zipf := rand.NewZipf(random, 1.1, 8, favorites-1)
	drift := 0.0
	for next := begun; ; {
		mean := *requests
		if *wave > 0 {
			periods := next.Sub(begun).Seconds() / period.Seconds()
			mean *= 1 + swing*math.Sin(phase+2*math.Pi*periods/(*wave))
		}
		next = next.Add(time.Duration(random.ExpFloat64() * float64(*period) / mean))
		time.Sleep(time.Until(next))
		drift += 0.3
		visitor := int(drift/50) + random.Intn(visitors)
		page := (int(drift) + int(zipf.Uint64())*13) % pages
		var err error
		if random.Float64() < noteShare {
			err = sendNote(random)
		} else {
			err = get(fmt.Sprintf("%s/page?id=page-%d&session=visitor-%d", *url, page, visitor))
		}
		if err != nil {
			log.Fatal(err)
		}
	}
}

func sendNote(random *rand.Rand) error {
	var note bytes.Buffer
	for words := 100 + random.Intn(400); words > 0; words-- {
		fmt.Fprintf(&note, "word%d ", random.Intn(500))
	}
	return drain(http.Post(*url+"/notes", "text/plain", &note))
}

func get(address string) error { return drain(http.Get(address)) }

func drain(response *http.Response, err error) error {
	if err != nil {
		return err
	}
	defer response.Body.Close()
	_, err = io.Copy(io.Discard, response.Body)
	return err
}

// capture leaves a file only if it is whole.
func capture(file string) error {
	address := *url + "/debug/pprof/heap"
	if *collect {
		address += "?gc=1"
	}
	response, err := http.Get(address)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	profile, err := io.ReadAll(response.Body)
	if err != nil {
		return err
	}
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("%s: %s", address, response.Status)
	}
	return os.WriteFile(file, profile, 0o666)
}
