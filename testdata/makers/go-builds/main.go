// SPDX-License-Identifier: Apache-2.0

// go-builds is profiled twice: once as it stands and once with regression.patch applied, which
// makes one function allocate more and moves the lines below it.
//
//	go-builds FILE
package main

import (
	"bytes"
	"fmt"
	"os"
	"runtime"
	"runtime/pprof"
	"strings"
)

type row struct {
	id    int
	cells []string
}

func load(n int) []row {
	rows := make([]row, 0, n)
	for i := 0; i < n; i++ {
		rows = append(rows, row{id: i, cells: strings.Split("alpha,beta,gamma,delta", ",")})
	}
	return rows
}

func render(rows []row) []byte {
	var out bytes.Buffer
	out.Grow(len(rows) * 32)
	for _, r := range rows {
		fmt.Fprintf(&out, "%d:", r.id)
		for _, cell := range r.cells {
			out.WriteString(cell)
			out.WriteByte(';')
		}
	}
	return out.Bytes()
}

func index(rows []row) map[string][]int {
	byCell := map[string][]int{}
	for _, r := range rows {
		for _, cell := range r.cells {
			byCell[cell] = append(byCell[cell], r.id)
		}
	}
	return byCell
}

// walk recurses once a row, so that the deepest stacks hold the same frame many times.
func walk(rows []row, path []int) int {
	if len(rows) == 0 {
		return len(path)
	}
	extended := append(append(make([]int, 0, len(path)+1), path...), rows[0].id)
	return walk(rows[1:], extended)
}

func main() {
	runtime.MemProfileRate = 1 // every allocation, so that two runs differ by what the code does
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: go-builds FILE")
		os.Exit(2)
	}
	for i := 0; i < 50; i++ {
		rows := load(200)
		render(rows)
		index(rows)
		walk(rows[:12], nil)
	}
	runtime.GC()
	file, err := os.Create(os.Args[1])
	if err == nil {
		err = pprof.Lookup("heap").WriteTo(file, 0)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "go-builds:", err)
		os.Exit(1)
	}
}
