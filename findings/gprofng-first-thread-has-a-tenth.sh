#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# gprofng collect app samples processor time, each 10 ms unless -p says otherwise, and shows the
# seconds of each function. Expected: the same loop takes as long in each thread, and all together
# what the program took.
#
# Seen: the thread that the program starts with is sampled each 100 ms, and each sample counts as
# 10 ms. Of a loop that runs there, and once more in another thread, the first has a tenth of what
# the second has. A program of one thread that takes 2 s has 0.2 s; with -p hi, which is 1 ms, it
# has 0.02 s. With -p lo, which is 100 ms, all is right. The profiler's part for clocks is loaded
# after the recording has begun, so the timer that runs is the one of 100 ms that was there for a
# start; that of -p is set up, read for the record, and stopped. Other threads begin later. In the
# record's notes it says that the period was changed, from 10007 to 0.
#
# Why it matters: work that moves from the first thread to another grows tenfold, and in a profile
# of both, the first one's functions are far too low. A profile with -p hi has a tenth of the time
# that one without has. Use -p lo, or compare within one thread.
#
# Debian 13's binutils 2.44-3; sid's 2.47.50.20261021-1 does the same; November 2026

source "$(dirname "$0")/support.bash"
gprofng_2_44

# usage: loop NAME
loop() {
    printf '%s\n' ".globl $1" ".type $1, @function" "$1:" 'push %rbp' 'mov %rsp, %rbp' \
        "mov \$3000000000, %rax" '1: dec %rax' 'jnz 1b' 'pop %rbp' ret ".size $1, . - $1"
}
{
    printf '%s\n' .data 'thread: .quad 0' .text
    loop first
    loop second
    printf '%s\n' '.globl _start' '_start:' 'and $-16, %rsp' 'call first' \
        'lea thread(%rip), %rdi' 'xor %esi, %esi' 'lea second(%rip), %rdx' 'xor %ecx, %ecx' \
        'call pthread_create' 'mov thread(%rip), %rdi' 'xor %esi, %esi' 'call pthread_join' \
        'xor %edi, %edi' 'call exit'
} >"$work/root/tmp/it.s"
in_root x86_64-linux-gnu-as /tmp/it.s -o /tmp/it.o
in_root x86_64-linux-gnu-ld -dynamic-linker /lib64/ld-linux-x86-64.so.2 /tmp/it.o -o /tmp/it \
    /usr/lib/x86_64-linux-gnu/libc.so.6
# usage: compared NAME [OPTION...]
# How the seconds of the second compare to those of the first.
compared() {
    in_root gprofng collect app -o "/tmp/$1.er" "${@:2}" /tmp/it >"$work/log" 2>&1
    in_root gprofng display text -metrics name:e.totalcpu -functions "/tmp/$1.er" |
        awk '{ seconds[$1] = $2 }
            END { ratio = seconds["second"] / seconds["first"]
                print ratio < 0.6 ? "less" : ratio < 1.7 ? "as much" : "many times as much" }'
}
shows "the second, in another thread, has" "$(compared it)" "many times as much"
shows "with -p lo" "$(compared lo -p lo)" "as much"
