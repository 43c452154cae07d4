#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# heaptrack counts temporary allocations, blocks that are freed before anything else is allocated,
# as what is saved most easily. It says how many there were when the program ends, and
# heaptrack_print says it again, by stack, and in differences. Expected: both say the same, and
# where a queue always holds 100 blocks, a new one in and the oldest one out, it is none.
#
# Seen: none when the program ends, and 9900 of 10000 afterwards. The file has the size and the
# stack of what is freed, but not which block it was, so any one of the same size and stack counts.
# With three sizes in turn, a queue of 100 has none and one of 99 has all of them, as there the
# oldest block is as large as the newest.
#
# Why it matters: a queue or cache of equal objects is 99 % temporary, as if each object was made in
# vain. A build in which their sizes differ, or which holds one more of them, has saved them all in
# the difference, with as many allocations as before. The number at the end of the program is right.
#
# heaptrack of Debian 13, 1.5.0+dfsg1-5; 1.4.0 and 1.6.80 do the same; November 2026

source "$(dirname "$0")/support.bash"
debian_packages trixie heaptrack=1.5.0+dfsg1-5 libheaptrack=1.5.0+dfsg1-5 libc6=2.41-12+deb13u5 \
    libgcc-s1=14.2.0-19 libstdc++6=14.2.0-19 libboost-filesystem1.83.0=1.83.0-4.2 \
    libboost-iostreams1.83.0=1.83.0-4.2 libboost-program-options1.83.0=1.83.0-4.2 \
    libbz2-1.0=1.0.8-6 libdw1t64=0.192-4 libelf1t64=0.192-4 liblzma5=5.8.1-1+deb13u2 \
    libzstd1=1.5.7+dfsg-1 'zlib1g=1:1.3.dfsg+really1.3.1-1+deb13u1'

# usage: queue LENGTH SIZES
# Writes what heaptrack records of a program, its format 3: a version, the program, a page size, a
# stack, and then for each of 10000 blocks its size, stack and address, and which address is freed.
queue() {
    printf '%s\n' 'v 10500 3' 'x 9 ./program' 'I 1000 1000' 't 1000 0'
    local i
    for ((i = 0; i < 10000; i++)); do
        printf '+ %x 1 %x\n' $((64 + 16 * (i % $2))) $((4096 * (i + 1)))
        ((i < $1)) || printf -- '- %x\n' $((4096 * (i - $1 + 1)))
    done
}
# usage: temporary LENGTH SIZES
# The number that the recording ends with, and the one of heaptrack_print.
temporary() {
    queue "$@" | in_root /usr/lib/heaptrack/libexec/heaptrack_interpret \
        >"$work/root/tmp/queue-$1-$2" 2>"$work/statistics"
    sed -n 's/^\ttemporary allocations:[ \t]*/at the end of the program: /p' "$work/statistics"
    in_root heaptrack_print "/tmp/queue-$1-$2" |
        sed -n 's/^temporary memory allocations: \([^ ]*\).*/heaptrack_print: \1/p'
}
shows "a queue of 100 blocks" "$(temporary 100 1)" \
"at the end of the program: 0
heaptrack_print: 9900"
shows "a queue of 100 blocks of three sizes in turn" "$(temporary 100 3)" \
"at the end of the program: 0
heaptrack_print: 0"
shows "a queue of 99" "$(temporary 99 3)" \
"at the end of the program: 0
heaptrack_print: 9901"
shows "the difference of these two" \
    "$(in_root heaptrack_print --diff /tmp/queue-99-3 /tmp/queue-100-3 |
        sed -n 's/ (.*//; /^calls/p; /^temporary memory/p')" \
"calls to allocation functions: 0
temporary memory allocations: -9901"
