#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# `go tool trace -pprof=sync` makes a profile of waits from an execution trace. Expected: profiles of
# three traces in a row have, together, what one trace of the whole time has, as each event is in one
# of them.
#
# Seen: a wait counts where the trace has its start and its end. A goroutine waits for 2.5 s: one
# trace of 3 s has them all, and three of a second each have nothing of it, also where it ends. What
# they do have is the tracer, whose own goroutines wait more than the length of a trace.
#
# Why it matters: a flight recorder keeps some seconds. The longer a wait, the less there is of it in
# the profile, and in the sum or the difference of two; what grew there is short waits, or the tracer.
# A block profile has a wait, too, once it ends, but then all of it.
#
# Debian sid's golang-1.27-go 1.27.3-1 (makeComputePprofFunc() of cmd/trace/pprof.go); November 2026

source "$(dirname "$0")/support.bash"
debian_packages sid golang-1.27-go=1.27.3-1 golang-1.27-src=1.27.3-1

cat >"$work/waits.go" <<'END'
package main

import (
	"os"
	"runtime/trace"
	"time"
)

func wait(end chan int) { <-end }

// Traces seconds in parts, of which a goroutine waits for the first 2.5 s.
func run(folder string, names ...string) {
	end := make(chan int)
	for i, name := range names {
		file, err := os.Create(folder + "/" + name)
		if err != nil {
			panic(err)
		}
		trace.Start(file)
		if i == 0 {
			go wait(end)
			time.AfterFunc(2500*time.Millisecond, func() { close(end) })
		}
		time.Sleep(3 * time.Second / time.Duration(len(names)))
		trace.Stop()
		file.Close()
	}
}

func main() {
	run(os.Args[1], "whole")
	run(os.Args[1], "first", "second", "third")
}
END
go() {
    (cd "$work" && GOCACHE=$work/cache GOPATH=$work/go GO111MODULE=off GOTOOLCHAIN=local \
        root/usr/lib/go-1.27/bin/go "$@" 2>>log)
}
go build -o waits waits.go
"$work/waits" "$work"
# The cumulative seconds of a function whose name matches, to a tenth.
seconds() {
    go tool trace -pprof=sync "$1" >"$work/$1.pb.gz"
    go tool pprof -top -cum -nodefraction=0 -sample_index=delay -unit=s "$1.pb.gz" >"$work/top"
    awk -v "name=$2" '$6 ~ name { sum += $4 } END { printf "%.1f s", sum }' "$work/top"
}
shows "main.wait in a trace of 3 s" "$(seconds whole '^main[.]wait$')" "2.5 s"
for part in first second third; do
    shows "main.wait in the $part second of three" "$(seconds "$part" '^main[.]wait$')" "0.0 s"
done
tracer=$(seconds second '^runtime[.]trace')
shows "the tracer in the second of these" \
    "$(awk -v "s=${tracer% s}" 'BEGIN { print (s > 0.7 ? "more than 0.7 s" : s) }')" \
    "more than 0.7 s"
