#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# hyperfine 2.0, new in October 2026, compares the peak memory of commands, too, without being
# asked. Expected: the same command twice differs by noise, and a command that fills a buffer of
# 2 MiB needs 2 MiB more than one that does nothing.
#
# Seen: the same command needs 50 % more the second time, with hardly any deviation; and the
# buffer makes no difference. What Linux reports when a process ends is never less than its parent
# had when it started it. That is hyperfine, of 4 MiB at first, and it grows with each run that it
# has measured: a command of a millisecond is run thousands of times by default.
#
# Why it matters: the order of commands decides which one needs more memory, and no number of runs
# tells it from a regression. Below some 10 MiB, only a process itself (VmHWM) knows its peak.
#
# Debian sid's hyperfine 2.0.0-2; November 2026

source "$(dirname "$0")/support.bash"
debian_packages sid hyperfine=2.0.0-2 busybox-static=1:1.38.0-3+b1 libc6=2.43-7 libgcc-s1=16.2.0-4

# usage: compare RUNS COMMAND COMMAND
# The means of peak memory.
compare() {
    in_root hyperfine --runs "$1" --export-json /tmp/runs.json "$2" "$3" >"$work/log" 2>&1
    node -p 'JSON.parse(require("fs").readFileSync(process.argv[1])).results.map(
        result => result.summary.memory_peak_resident.mean / 1024).join(" ")' \
        "$work/root/tmp/runs.json"
}
# usage: change KILOBYTES KILOBYTES
change() {
    awk -v from="$1" -v to="$2" 'BEGIN {
        percent = 100 * (to / from - 1)
        print (percent > 25 ? "at least 25 % more" : percent < 10 ? "at most 10 % more" : percent)
    }'
}
itself=$(in_root busybox grep VmHWM /proc/self/status | tr -c -d 0-9)
read -r nothing buffer < <(compare 20 "busybox true" \
    "busybox dd if=/dev/zero of=/dev/null bs=2M count=1")
read -r first second < <(compare 3000 "busybox true" "busybox true")
echo "means of kB: $nothing, with a buffer $buffer; $first, once more $second; busybox: $itself"
shows "busybox, against what it says itself" "$(change "$itself" "$nothing")" "at least 25 % more"
shows "with a buffer of 2 MiB" "$(change "$nothing" "$buffer")" "at most 10 % more"
shows "the same command twice" "$(change "$first" "$second")" "at least 25 % more"
