#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# heaptrack_print --diff BASE subtracts one recording from another, and says how often memory
# was allocated. Expected: a rate of the later recording, or how much the rate changed.
#
# Seen: it divides the difference of the calls by the difference of the run times. A program
# that makes 2000 calls more in half the time, 3000 in 0.5 s after 1000 in 1 s, has a rate of
# -4000/s, where the rate rose sixfold; its "total runtime" is -0.50s. One that makes 3000 in
# 2 s has 2000/s, which is the rate of neither recording.
#
# Why it matters: a rate belongs to one interval. Two captures of unlike length have two.
#
# heaptrack of Debian 13, 1.5.0+dfsg1-5; 1.6.80 does the same; November 2026

source "$(dirname "$0")/support.bash"
debian_packages trixie heaptrack=1.5.0+dfsg1-5 libc6=2.41-12+deb13u5 libgcc-s1=14.2.0-19 \
    libstdc++6=14.2.0-19 libboost-filesystem1.83.0=1.83.0-4.2 \
    libboost-iostreams1.83.0=1.83.0-4.2 libboost-program-options1.83.0=1.83.0-4.2 \
    libbz2-1.0=1.0.8-6 liblzma5=5.8.1-1+deb13u2 libzstd1=1.5.7+dfsg-1 \
    'zlib1g=1:1.3.dfsg+really1.3.1-1+deb13u1'

# usage: recording FILE CALLS MILLISECONDS
# Writes heaptrack's format 3: a command, a page size, the strings 1 and 2, an instruction in
# these, a stack of it, an allocation of 16 bytes in that, the calls, a time, resident pages.
recording() {
    {
        printf '%s\n' 'v 10500 3' 'X ./program' 'I 1000 1000' 's 7 program' 's 4 main' \
            'i 1000 1 2' 't 1 0' 'a 10 1'
        for ((i = 0; i < $2; i++)); do echo '+ 0'; done
        printf 'c %x\nR 10\n' "$3"
    } >"$work/root/tmp/$1"
}
recording base 1000 1000
recording longer 3000 2000
recording shorter 3000 500

rates() {
    in_root heaptrack_print "$@" | grep -E '^(total runtime|calls)'
}
shows "1000 calls in 1 s" "$(rates /tmp/base)" \
"total runtime: 1.00s.
calls to allocation functions: 1000 (999/s)"
shows "3000 in 2 s" "$(rates /tmp/longer)" \
"total runtime: 2.00s.
calls to allocation functions: 3000 (1499/s)"
shows "their difference" "$(rates --diff /tmp/base /tmp/longer)" \
"total runtime: 1.00s.
calls to allocation functions: 2000 (2000/s)"
shows "3000 in 0.5 s" "$(rates /tmp/shorter)" \
"total runtime: 0.50s.
calls to allocation functions: 3000 (5988/s)"
shows "the difference of this" "$(rates --diff /tmp/base /tmp/shorter)" \
"total runtime: -0.50s.
calls to allocation functions: 2000 (-4000/s)"
