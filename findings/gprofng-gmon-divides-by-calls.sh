#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# gprofng display gmon, a new command of binutils, turns gmon.out of a program built with -pg into
# an experiment, which gprofng shows, and compares with others. Expected: each function has the
# time that gprof shows for it, and its callers have it by the number of their calls.
#
# Seen: on each path to a function there is the time of one of its calls, cut off to whole ticks,
# and one tick at least. Of 9 s in work, called 90 times by often and 10 times by seldom, 0.18 s
# are left, half of them in each. A function that has no sample has a tick for each path. The same
# samples of a program that made 1 call are all there.
#
# Why it matters: fewer or more calls, or one more caller, change times of functions that took as
# long as before. A comparison shows that, and what gprof, in the same package, says of the same
# files is another thing.
#
# Debian sid's binutils 2.47.50.20261021-1; November 2026

source "$(dirname "$0")/support.bash"
binutils=2.47.50.20261021-1
debian_packages sid "binutils-x86-64-linux-gnu=$binutils" "binutils=$binutils" \
    "binutils-common=$binutils" "libbinutils=$binutils" "libgprofng0=$binutils" \
    "libctf0=$binutils" "libctf-nobfd0=$binutils" "libsframe3=$binutils" libjansson4=2.15.1-1 \
    libzstd1=1.5.7+dfsg-4 'zlib1g=1:1.3.dfsg+really1.3.2-4' libc6=2.43-7 libgcc-s1=16.2.0-4 \
    libstdc++6=16.2.0-4

# A program to look names up in: it is never run.
{
    echo .text
    for function in main often seldom work; do
        printf '%s\n' ".globl $function" ".type $function, @function" ".balign 0x100" "$function:" \
            ".fill 0x80" ".size $function, 0x80"
    done
} >"$work/root/tmp/it.s"
in_root x86_64-linux-gnu-as /tmp/it.s -o /tmp/it.o
in_root x86_64-linux-gnu-ld -e main -Ttext=0x401000 /tmp/it.o -o /tmp/it

cat >"$work/record.js" <<'END'
// Writes gmon.out: samples of 0.01 s in work, and the calls of work by often and by seldom.
const [file, samples, often, seldom] = process.argv.slice(2);
const u64 = value => Buffer.from(new BigUint64Array([BigInt(value)]).buffer);
const u32 = value => Buffer.from(new Uint32Array([value]).buffer);
const address = { main: 0x401000, often: 0x401100, seldom: 0x401200, work: 0x401300 };
const bins = new Uint16Array(0x200);
bins[0x310 / 2] = samples;
const calls = (caller, called, count) =>
  [Buffer.of(1), u64(address[caller] + 8), u64(address[called]), u32(count)];
require('fs').writeFileSync(file, Buffer.concat([
  Buffer.from('gmon'), u32(1), Buffer.alloc(12),
  Buffer.of(0), u64(0x401000), u64(0x401400), u32(bins.length), u32(100),
  Buffer.from('seconds'.padEnd(15, '\0') + 's'), Buffer.from(bins.buffer),
  ...calls('main', 'often', 1), ...calls('main', 'seldom', 1),
  ...calls('often', 'work', often), ...(seldom > 0 ? calls('seldom', 'work', seldom) : []),
]));
END
# usage: recorded SAMPLES CALLS CALLS
recorded() {
    node "$work/record.js" "$work/root/tmp/gmon.out" "$@"
    rm -rf "$work/root/tmp/it.er"
    in_root gprofng display gmon -o /tmp/it.er /tmp/it /tmp/gmon.out >"$work/log" 2>&1
}
# The seconds of each function with its callees, and without these.
gprof() {
    in_root x86_64-linux-gnu-gprof -b -q /tmp/it /tmp/gmon.out |
        awk '/^\[/ { printf "%s %.2f %.2f\n", $(NF - 1), $3 + $4, $3 }' | sort
}
gprofng() {
    in_root gprofng display text -metrics name:i.totalcpu:e.totalcpu -functions /tmp/it.er |
        awk '$NF ~ /^[0-9.]+$/ { printf "%s %.2f %.2f\n", $1, $2, $3 }' | sort
}
recorded 900 90 10
shows "gprof" "$(gprof)" \
"main 9.00 0.00
often 8.10 0.00
seldom 0.90 0.00
work 9.00 9.00"
shows "gprofng" "$(gprofng)" \
"<Total> 0.21 0.21
main 0.21 0.01
often 0.10 0.01
seldom 0.10 0.01
work 0.18 0.18"
recorded 900 1 0
shows "gprof, with one call" "$(gprof)" \
"main 9.00 0.00
often 9.00 0.00
seldom 0.00 0.00
work 9.00 9.00"
shows "gprofng, with one call" "$(gprofng)" \
"<Total> 9.03 9.03
main 9.03 0.01
often 9.01 0.01
seldom 0.01 0.01
work 9.00 9.00"
