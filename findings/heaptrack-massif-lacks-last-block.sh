#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# heaptrack_print -M writes a recording in the format of massif: for each time, the highest memory
# use since the time before, and a tree of who had it. Expected: the highest of these totals is the
# peak that heaptrack shows, and a total is the sum of its tree.
#
# Seen: a total lacks the block that made it so high. Where 1 GiB is allocated and freed four times
# beside a few blocks of 1 kB, the peak is 1.07 GB, and the largest total is 4096 bytes, with a
# child of 1073741824. Totals are compared when an allocation has been added to its function, but
# not yet to the sum, and are not looked at again before the next allocation. Debian 13's
# heaptrack 1.5.0 has no peaks, but what was in use at each time, and in trees all places are one
# with 0 bytes, below the threshold.
#
# Why it matters: a program that takes a large buffer for a moment, and one that does not, have
# the same curve and the same peak. Shares of a tree are above 100 %, and what differs between two
# exports is the blocks beside the one that matters. Take peaks from heaptrack_print -p.
#
# Debian sid's heaptrack 1.5.0+dfsg1+git20260219.f16e8d3-2+b2 (1.6.80); November 2026

source "$(dirname "$0")/support.bash"
debian_packages sid heaptrack=1.5.0+dfsg1+git20260219.f16e8d3-2+b2 libc6=2.43-7 \
    libboost-filesystem1.92.0=1.92.0-4+b1 libboost-iostreams1.92.0=1.92.0-4+b1 \
    libboost-program-options1.92.0=1.92.0-4+b1 libbz2-1.0=1.0.8-6+b2 libgcc-s1=16.2.0-4 \
    liblzma5=5.8.4-1 libstdc++6=16.2.0-4 libzstd1=1.5.7+dfsg-4 \
    'zlib1g=1:1.3.dfsg+really1.3.2-4'

# A recording of two functions that main calls: 1 kB is kept, and 1 GiB freed at once.
{
    printf '%s\n' 'v 10500 3' 'X ./program' 'I 1000 1000' 's 7 program' 's 4 main' 's 4 keep' \
        's 3 use' 'i 1000 1 2' 'i 1001 1 3' 'i 1002 1 4' 't 1 0' 't 2 1' 't 3 1' 'a 400 2' \
        'a 40000000 3'
    for time in 64 c8 12c 190; do
        printf '%s\n' '+ 0' '+ 1' '- 1' "c $time"
    done
} >"$work/root/tmp/it"
peak=$(in_root heaptrack_print -M /tmp/massif --massif-detailed-freq 1 /tmp/it | grep 'peak heap')
shows "heaptrack" "$peak" "peak heap memory consumption: 1.07G"
shows "totals of massif's format" "$(grep mem_heap_B "$work/root/tmp/massif")" \
"mem_heap_B=1024
mem_heap_B=2048
mem_heap_B=3072
mem_heap_B=4096
mem_heap_B=4096"
shows "bytes of the second total, and of each function in it" \
    "$(awk '/^snapshot=/ { second = $0 == "snapshot=1" }
        second && /^n/ { print $2, "in all" } second && /^ n/ { print $2, $4 }' \
        "$work/root/tmp/massif")" \
"2048 in all
1073741824 use
2048 keep"
