#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# gprofng collect app -i on traces input and output, and shows for each function how many bytes it
# wrote. Expected: with fputs() that is the length of the string, and with fputc() one byte.
#
# Seen: the return value counts, as it does for write(). That of fputs() is 1, however long the
# string, and that of fputc() is the character: a line feed is 10 bytes, a z is 122, and a zero
# byte is none. Of 100 kB as 100 strings, 100 bytes are left; 1000 letters are 122 kB. Bytes of
# fwrite(), fprintf() and write() are right, and so are numbers of calls.
#
# Why it matters: a change from fwrite() to fputs() saves 99 % of the bytes, and one from fputs()
# to a loop over fputc() is a hundredfold growth, where the files are the same. Text that has more
# letters, and fewer blanks, is more bytes, and sums over functions are of no unit. Compare numbers
# of calls.
#
# Debian 13's binutils 2.44-3; sid's 2.47.50.20261021-1 does the same; November 2026

source "$(dirname "$0")/support.bash"
gprofng_2_44

# usage: define NAME TIMES INSTRUCTION...
# A function with instructions that are there so many times.
define() {
    printf '%s\n' ".globl $1" ".type $1, @function" "$1:" 'push %rbp' 'mov %rsp, %rbp' \
        ".rept $2" "${@:3}" .endr 'pop %rbp' ret ".size $1, . - $1"
}
{
    printf '%s\n' .data 'file: .asciz "/tmp/written"' 'mode: .asciz "w"' 'stream: .quad 0' \
        "string: .fill 1000, 1, 'a'" '.byte 0' .text
    define strings 100 'lea string(%rip), %rdi' 'mov stream(%rip), %rsi' 'call fputs'
    define blocks 100 'lea string(%rip), %rdi' "mov \$1, %esi" "mov \$1000, %edx" \
        'mov stream(%rip), %rcx' 'call fwrite'
    define letters 1000 "mov \$'z', %edi" 'mov stream(%rip), %rsi' 'call fputc'
    define lines 1000 "mov \$'\\n', %edi" 'mov stream(%rip), %rsi' 'call fputc'
    define zeros 1000 "mov \$0, %edi" 'mov stream(%rip), %rsi' 'call fputc'
    define all 1 'lea file(%rip), %rdi' 'lea mode(%rip), %rsi' 'call fopen' \
        'mov %rax, stream(%rip)' 'call strings' 'call blocks' 'call letters' 'call lines' \
        'call zeros' 'mov stream(%rip), %rdi' 'call fclose'
    printf '%s\n' '.globl _start' '_start:' 'and $-16, %rsp' 'call all' 'xor %edi, %edi' 'call exit'
} >"$work/root/tmp/it.s"
in_root x86_64-linux-gnu-as /tmp/it.s -o /tmp/it.o
in_root x86_64-linux-gnu-ld -dynamic-linker /lib64/ld-linux-x86-64.so.2 /tmp/it.o -o /tmp/it \
    /usr/lib/x86_64-linux-gnu/libc.so.6
in_root gprofng collect app -p off -i on -o /tmp/it.er /tmp/it >"$work/log" 2>&1
shows "bytes in the file" "$(wc -c <"$work/root/tmp/written")" 203000
written=$(in_root gprofng display text -metrics name:i.iowritebytes:i.iowritecnt \
    -functions /tmp/it.er)
shows "bytes written, and calls" \
    "$(awk '/^ *(strings|blocks|letters|lines|zeros) / { print $1, $2, $3 }' <<<"$written")" \
"letters 122000 1000
blocks 100000 100
lines 10000 1000
strings 100 100
zeros 0 1000"
