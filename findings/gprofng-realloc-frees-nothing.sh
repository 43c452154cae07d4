#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# gprofng collect app -H on traces allocations, and shows for each function how many bytes it
# allocated, and how many of them leaked. Expected: realloc() frees the block that it is given, and
# what it returns is freed by free().
#
# Seen: realloc() frees nothing. Of a block that grows from 1000 bytes over 2000 to 3000, and is
# freed, 3000 have leaked if it moved each time, and 5000 if it never did. One that is kept has
# leaked 6000, its sizes together. Each of these is one leak more. The recorder does not write the
# address that realloc() is given, although the record has a field for it, and the reader uses it.
# Where nothing moved, there are several blocks at one address for the reader, and free() frees
# the first.
#
# Why it matters: all that grows by realloc(), as buffers of lines or output do, is a leak of its
# former sizes, more the larger it gets. Whether a block moves depends on what is beside it, so two
# runs that free everything have unlike leaks, and a comparison of builds shows that. Bytes and
# numbers of allocations are right, but aligned_alloc() and posix_memalign() are in none of them.
#
# Debian 13's binutils 2.44-3; sid's 2.47.50.20261021-1 does the same; November 2026

source "$(dirname "$0")/support.bash"
gprofng_2_44

# usage: define NAME STEP...
# A function that keeps an address in rbx. Each step is a call with its argument.
define() {
    printf '%s\n' ".globl $1" ".type $1, @function" "$1:" \
        'push %rbp' 'mov %rsp, %rbp' 'push %rbx' 'push %r12'
    for step in "${@:2}"; do
        case $step in
        malloc=*) printf '%s\n' "mov \$${step#*=}, %edi" 'call malloc' 'mov %rax, %rbx' ;;
        # A block behind it, so that it cannot grow where it is; this is not traced.
        beside=*) printf '%s\n' "mov \$16, %edi" "mov \$${step#*=}, %esi" 'call aligned_alloc' ;;
        realloc=*) printf '%s\n' 'mov %rbx, %rdi' "mov \$${step#*=}, %esi" 'call realloc' \
            'mov %rax, %rbx' ;;
        free) printf '%s\n' 'mov %rbx, %rdi' 'call free' ;;
        *) printf '%s\n' "call $step" ;;
        esac
    done
    printf '%s\n' 'pop %r12' 'pop %rbx' 'pop %rbp' ret ".size $1, . - $1"
}
{
    echo .text
    define plain malloc=1000 free
    define stays malloc=1000 realloc=2000 realloc=3000 free
    define kept malloc=1000 realloc=2000 realloc=3000
    define moves malloc=1000 beside=16 realloc=2000 beside=16 realloc=3000 free
    define all plain stays kept moves
    printf '%s\n' '.globl _start' '_start:' 'and $-16, %rsp' 'call all' 'xor %edi, %edi' 'call exit'
} >"$work/root/tmp/it.s"
in_root x86_64-linux-gnu-as /tmp/it.s -o /tmp/it.o
in_root x86_64-linux-gnu-ld -dynamic-linker /lib64/ld-linux-x86-64.so.2 /tmp/it.o -o /tmp/it \
    /usr/lib/x86_64-linux-gnu/libc.so.6
in_root gprofng collect app -p off -H on -o /tmp/it.er /tmp/it >"$work/log" 2>&1
shows "bytes and numbers of allocations, and of leaks" \
    "$(in_root gprofng display text -metrics \
        name:i.heapallocbytes:i.heapalloccnt:i.heapleakbytes:i.heapleakcnt -functions /tmp/it.er |
        awk '$1 ~ /^(plain|stays|kept|moves)$/ { print $1, $2, $3, $4, $5 }' | sort)" \
"kept 6000 3 6000 3
moves 6000 3 3000 2
plain 1000 1 0 0
stays 6000 3 5000 2"
