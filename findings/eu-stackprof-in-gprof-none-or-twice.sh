#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# eu-stackprof --gmon, which is new in elfutils, samples programs and writes gmon.out of each, to
# be read by gprof. Expected: each function has the time of its samples, and its calls.
#
# Seen: of two functions that take a second each, gprof shows one with nothing, and one with 2 s,
# by where their instructions are. The histogram has a place for each byte, from the lowest address
# that has a sample. gprof counts addresses in steps of two bytes, and cuts off fractions of where a
# place begins and ends, so places at an even distance from the lowest are a whole step, twice their
# length, and those at an odd one are nothing, as is the lowest. The calls are as many as samples,
# where each function was called once. All methods of -G do the same.
#
# Why it matters: a build that moves a loop by one byte makes it vanish, or double, and shares of
# one profile add up to anything from 0 to 200 %. A difference in calls is one in time. The sum of
# the histogram itself is right.
#
# Debian sid's elfutils 0.196-1 and binutils 2.47.50.20261021-1; gprof of Debian 12, 2.40, does the
# same; November 2026

source "$(dirname "$0")/support.bash"
binutils=2.47.50.20261021-1
debian_packages sid elfutils=0.196-1 libdw1t64=0.196-1 libelf1t64=0.196-1 libasm1t64=0.196-1 \
    "binutils-x86-64-linux-gnu=$binutils" "libbinutils=$binutils" "libctf0=$binutils" \
    "libctf-nobfd0=$binutils" "libsframe3=$binutils" libjansson4=2.15.1-1 \
    libjson-c5=0.19+ds-1 libbz2-1.0=1.0.8-6+b2 libc6=2.43-7 libgcc-s1=16.2.0-4 liblzma5=5.8.4-1 \
    libstdc++6=16.2.0-4 libzstd1=1.5.7+dfsg-4 'zlib1g=1:1.3.dfsg+really1.3.2-4'

# usage: loop NAME [INSTRUCTION]
# A function with a loop of two instructions, of two bytes each.
loop() {
    printf '%s\n' ".globl $1" ".type $1, @function" '.balign 16' "$1:" 'push %rbp' \
        'mov %rsp, %rbp' "${@:2}" "mov \$2000000000, %eax" '1: dec %eax' 'jnz 1b' 'pop %rbp' ret \
        ".size $1, . - $1"
}
{
    echo .text
    loop first
    loop second
    loop third nop
    printf '%s\n' '.globl _start' '_start:' 'call first' 'call second' 'call third' \
        "mov \$60, %eax" 'xor %edi, %edi' syscall
} >"$work/root/tmp/it.s"
in_root x86_64-linux-gnu-as /tmp/it.s -o /tmp/it.o
in_root x86_64-linux-gnu-ld --build-id /tmp/it.o -o /tmp/it
# Writes $work/shown, what gprof shows, and says whether all three have samples: now and then a
# recording ends early.
recorded() {
    rm -rf "$work/root/tmp/profile"
    mkdir "$work/root/tmp/profile"
    in_root eu-stackprof --gmon -o /tmp/profile -- /tmp/it >"$work/log" 2>&1 || return
    local file
    for file in "$work"/root/tmp/profile/*.exe; do
        if [[ $(readlink "$file") == /tmp/it ]]; then
            mv "${file%.exe}.out" "$work/root/tmp/gmon.out"
        fi
    done
    in_root x86_64-linux-gnu-gprof -b -p /tmp/it /tmp/gmon.out >"$work/shown"
    awk '/ (first|second|third)$/ && $4 > 100 { rows++ } END { exit rows < 3 }' "$work/shown"
}
recorded || recorded || recorded || recorded || missing "samples of perf events"
cat "$work/shown"
# Of the first, it depends on which of its addresses is the lowest that has a sample.
shows "time of the second and third, in that of their samples" \
    "$(awk '/ (second|third)$/ { ratio = $3 * 1000 / $4
            print ratio < 0.2 ? "nothing" : ratio < 1.8 ? "something" : "twice" }' \
        "$work/shown" | sort)" \
"nothing
twice"
shows "their calls, of which each had one" \
    "$(awk '/ (second|third)$/ { print ($4 > 100 ? "hundreds" : $4) }' "$work/shown")" \
"hundreds
hundreds"
