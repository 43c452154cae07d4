#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Programs built by go build -cover -covermode=count write how often each block ran, a file for each
# run, and go tool covdata does arithmetic with folders of these. Expected: "subtract" has the
# difference of the counts; "intersect" has what ran in all folders, in whatever order they are
# given, with the smaller count or with both; a folder of two runs is the same as these two merged.
#
# Seen: 100 runs of a block less 40 are 0, as the mode for counts is treated like the one for yes or
# no: what ran at all in the second folder is set to 0. The intersection has the counts of the first
# folder only. For the first folder all runs are added up, but for a later one each file sets to 0
# what did not run in it. So a folder with a run of reads and a run of writes, after one that has
# both, leaves nothing of either; before it, or with its two runs merged, all of both is left. That
# is so within a function: one that a run did not call has nothing in this run's file, so it is kept
# if any run called it.
#
# Why it matters: what all tests have in common gets less with each run that is added, and is
# another one by the order of folders. Merge each folder first, and subtract counts of two runs as
# text (covdata textfmt), line by line.
#
# Debian sid's golang-1.27-go 1.27.3-1; November 2026

source "$(dirname "$0")/support.bash"
debian_packages sid golang-1.27-go=1.27.3-1 golang-1.27-src=1.27.3-1

cat >"$work/handle.go" <<'END'
package main

import (
	"os"
	"strconv"
)

var total int

func handle(write bool) {
	if write {
		total++
	} else {
		total--
	}
}

func main() {
	reads, _ := strconv.Atoi(os.Args[1])
	writes, _ := strconv.Atoi(os.Args[2])
	for i := range reads + writes {
		handle(i >= reads)
	}
}
END
cd "$work"
go() {
    GOCACHE=$work/cache GOPATH=$work/path GO111MODULE=off GOTOOLCHAIN=local GOTELEMETRY=off \
        root/usr/lib/go-1.27/bin/go "$@"
}
go build -cover -covermode=count -o handle handle.go >log 2>&1
# usage: run FOLDER READS WRITES
run() {
    mkdir -p "$1"
    GOCOVERDIR=$1 ./handle "$2" "$3"
}
# usage: counts FOLDER[,FOLDER]
# How often the blocks of a write, which ends at line 13, and of a read ran.
counts() {
    go tool covdata textfmt "-i=$1" -o=text
    awk '/,13\.1 / { writes = $3 } /,15\.1 / { reads = $3 }
        END { print reads " reads, " writes " writes" }' text
}
# usage: result OPERATION FOLDER,FOLDER
result() {
    local folder=$1-${2/,/-}
    mkdir "$folder"
    go tool covdata "$1" "-i=$2" "-o=$folder" >log
    counts "$folder"
}
run both 100 7
run reads 40 0
run tests 40 0
run tests 0 3
mkdir merged
go tool covdata merge -i=tests -o=merged

shows "a run" "$(counts both)" "100 reads, 7 writes"
shows "another one" "$(counts reads)" "40 reads, 0 writes"
shows "the first less the other" "$(result subtract both,reads)" "0 reads, 7 writes"
shows "what they have in common" "$(result intersect both,reads)" "100 reads, 0 writes"
shows "in the other order" "$(result intersect reads,both)" "40 reads, 0 writes"
shows "a folder of two runs" "$(counts tests)" "40 reads, 3 writes"
shows "in the first run and in these" "$(result intersect both,tests)" "0 reads, 0 writes"
shows "in the other order" "$(result intersect tests,both)" "40 reads, 3 writes"
shows "with the two runs merged" "$(result intersect both,merged)" "100 reads, 7 writes"
