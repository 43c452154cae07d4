// SPDX-License-Identifier: Apache-2.0

// hot is a program for which a CPU profile makes Go's compiler decide in another way: functions too
// large to be inlined unless they are hot, calls by way of interfaces and of function values that
// mostly go one way, recursion, generics, closures, and the standard library.
//
//	hot SECONDS FILE
//
// It works for so long and writes its CPU profile to FILE.
package main

import (
	"context"
	"crypto/sha256"
	"fmt"
	"os"
	"runtime/pprof"
	"sort"
	"strconv"
	"strings"
	"time"
)

type shape interface {
	area(scale float64) float64
	corners() int
}

type square struct{ side float64 }

type circle struct{ radius float64 }

func (s square) area(scale float64) float64 {
	sum := 0.0
	for i := 0; i < 20; i++ {
		sum += s.side * s.side * scale / float64(i+1)
	}
	return sum
}

func (c circle) area(scale float64) float64 {
	sum := 0.0
	for i := 0; i < 20; i++ {
		sum += c.radius * c.radius * 3 * scale / float64(i+2)
	}
	return sum
}

func (square) corners() int { return 4 }

func (circle) corners() int { return 0 }

// mix is too large to be inlined without a profile.
func mix(a, b, c uint64) uint64 {
	a ^= b<<13 | b>>51
	b += a*0x9e3779b97f4a7c15 ^ c
	c ^= a<<7 | a>>57
	if a&1 == 0 {
		a += b ^ c>>3
	} else {
		a -= c ^ b>>5
	}
	b ^= a<<29 | a>>35
	c += b * 0xff51afd7ed558ccd
	switch c & 3 {
	case 0:
		a ^= c >> 11
	case 1:
		b ^= a >> 17
	case 2:
		c ^= b >> 19
	default:
		a += b + c
	}
	return a ^ b ^ c
}

type stack[T any] struct{ items []T }

func (s *stack[T]) push(item T) {
	if len(s.items) > 1000 {
		s.items = s.items[:0]
	}
	s.items = append(s.items, item)
}

func (s *stack[T]) fold(start T, step func(T, T) T) T {
	for _, item := range s.items {
		start = step(start, item)
	}
	return start
}

func steps(n uint64, depth int) int {
	if n <= 1 || depth > 40 {
		return depth
	}
	if n%2 == 0 {
		return steps(n/2, depth+1)
	}
	return steps(3*n+1, depth+1)
}

func areas(shapes []shape) float64 {
	sum := 0.0
	for _, s := range shapes {
		sum += s.area(1.5) + float64(s.corners())
	}
	return sum
}

func apply(values []uint64, change func(uint64) uint64) (sum uint64) {
	for _, v := range values {
		sum += change(v)
	}
	return sum
}

func double(v uint64) uint64 { return mix(v, v, v) * 2 }

func words(seed uint64) []string {
	var list []string
	for i := 0; i < 200; i++ {
		seed = mix(seed, uint64(i), 3)
		list = append(list, strconv.FormatUint(seed%5000, 36))
	}
	sort.Slice(list, func(i, j int) bool { return list[i] < list[j] })
	return strings.Split(strings.ToUpper(strings.Join(list, " ")), " ")
}

func work(until time.Time) uint64 {
	shapes := make([]shape, 100)
	for i := range shapes {
		if i%20 == 0 {
			shapes[i] = circle{float64(i)}
		} else {
			shapes[i] = square{float64(i)}
		}
	}
	values := make([]uint64, 2000)
	numbers := &stack[uint64]{}
	names := &stack[string]{}
	result := uint64(1)
	for round := uint64(1); time.Now().Before(until); round++ {
		for i := range values {
			values[i] = mix(values[i], uint64(i), round)
			numbers.push(values[i])
			result += uint64(steps(values[i]%10000, 0))
		}
		label := pprof.Labels("round", strconv.FormatUint(round%10, 10))
		pprof.Do(context.Background(), label, func(context.Context) {
			for i := 0; i < 20; i++ {
				result ^= uint64(areas(shapes)) + apply(values, double)
			}
		})
		result ^= numbers.fold(7, func(a, b uint64) uint64 { return mix(a, b, 1) })
		for _, word := range words(result) {
			names.push(word)
		}
		sum := sha256.Sum256([]byte(names.fold("", func(a, b string) string {
			if a > b {
				return a
			}
			return b
		})))
		result += uint64(sum[0])
	}
	return result
}

func run(seconds, path string) error {
	duration, err := time.ParseDuration(seconds + "s")
	if err != nil {
		return err
	}
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	defer file.Close()
	if err := pprof.StartCPUProfile(file); err != nil {
		return err
	}
	defer pprof.StopCPUProfile()
	_, err = fmt.Fprintln(os.Stderr, work(time.Now().Add(duration)))
	return err
}

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: hot SECONDS FILE")
		os.Exit(2)
	}
	if err := run(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, "hot:", err)
		os.Exit(1)
	}
}
