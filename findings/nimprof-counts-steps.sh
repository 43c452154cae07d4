#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Nim's embedded profiler, nimprof, takes a stack trace every 5 ms. Expected of three functions
# that need a second each: about a third of the samples each.
#
# Seen: one whose loop has short steps has all but a few. One whose steps take half a millisecond
# each, in C, has 4 samples of 200, and one that is a single call of C has none. The time is looked
# at after every 500th step, which is a call or the end of a loop, and then there is one sample,
# however long ago the last one was; it goes to who is there by then.
#
# Why it matters: a share is one of steps rather than of time. Where work moves into C, or into
# a library without --profiler:on, or a loop is unrolled, the profile shows a gain that is none; a
# slower step is in no difference.
#
# Debian sid's nim 2.2.12-1; November 2026

source "$(dirname "$0")/support.bash"
gcc=16.2.0-4 binutils=2.47.50.20261021-1
debian_packages sid nim=2.2.12-1 "gcc-16-x86-64-linux-gnu=$gcc" "cpp-16-x86-64-linux-gnu=$gcc" \
    "libgcc-16-dev=$gcc" "libgcc-s1=$gcc" "libstdc++6=$gcc" \
    "binutils-x86-64-linux-gnu=$binutils" "libbinutils=$binutils" "libctf0=$binutils" \
    "libsframe3=$binutils" libjansson4=2.15.1-1 libisl23=0.28-1 libmpc3=1.3.1-3 libmpfr6=4.2.2-3 \
    libgmp10=2:6.3.0+dfsg-5+b2 libzstd1=1.5.7+dfsg-4 zlib1g=1:1.3.dfsg+really1.3.2-4 \
    libc6=2.43-7 libc6-dev=2.43-7 linux-libc-dev=7.2.13-1 dash=0.5.12-12

cat >"$work/root/tmp/app.nim" <<'END'
import nimprof

{.emit: """
#include <time.h>
static void spin(double seconds) {
    const clock_t end = clock() + seconds * CLOCKS_PER_SEC;
    while (clock() < end) {}
}
""".}
proc clock(): int64 {.importc, nodecl.} # microseconds
proc spin(seconds: float) {.importc, nodecl.}

proc shortSteps() =
  let stop = clock() + 1_000_000
  while clock() < stop: discard

proc steps() =
  for i in 1 .. 2000: spin(0.0005)

proc oneStep() = spin(1)

shortSteps()
steps()
oneStep()
END
ln -s -f x86_64-linux-gnu-gcc-16 "$work/root/usr/bin/gcc"
ln -s -f x86_64-linux-gnu-as "$work/root/usr/bin/as"
ln -s -f x86_64-linux-gnu-ld "$work/root/usr/bin/ld"
in_root nim compile --profiler:on --stackTrace:on -d:release --nimcache:/tmp/cache \
    --out:/tmp/app /tmp/app.nim >"$work/log" 2>&1
in_root /tmp/app >"$work/log"
grep -E 'app.nim: (short|one|st)' "$work/root/profile_results.txt"
shows "samples after a second in each of three functions" \
    "$(awk '$1 == "app.nim:" && $2 != "app" {
        split($3, count, "/")
        share = count[1] / count[2]
        print $2 ": " (share > 0.95 ? "over 95 %" : share < 0.05 ? "under 5 %" : share)
    }' "$work/root/profile_results.txt")" \
"shortSteps: over 95 %
steps: under 5 %"
