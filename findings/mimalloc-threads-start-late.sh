#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# mimalloc 3.6 has a profiler of its own: MIMALLOC_PROFILE=NAME writes what was allocated and what
# is in use, of the process from its start. Expected: what a thread allocates is there whichever
# thread it is; of blocks larger than the 512 KiB between samples, nearly each one.
#
# Seen: a gigabyte in 256 blocks of 4 MiB is there if the main thread takes it, and all of it is
# missing if another thread does, held or freed. A thread does not know that the process is profiled
# before it has taken the slow way of an allocation a thousand times. Each block of 1 MiB does, so
# of 2000 of them the second half is there. Smaller blocks come in pages, and it takes thousands of
# them. A thousand threads with a megabyte each, or ten with 900 of them, allocate nothing.
#
# Why it matters: a service allocates in threads of a pool, and holds large buffers there. The later
# of two profiles has what the earlier one lacks only because its threads have run for longer, and
# with a thread for each request nothing is ever there. No total says that something is missing.
#
# Debian sid's libmimalloc3 3.6.0+ds-1; November 2026

source "$(dirname "$0")/support.bash"
mimalloc_in_python

cat >"$work/root/tmp/allocate.py" <<'END'
import sys
import threading

from mimalloc import free, malloc

threads, blocks, mebibytes, hold = map(int, sys.argv[1:])


def work():
    for _ in range(blocks):
        block = malloc(mebibytes << 20)
        if not hold:
            free(block)


if not threads:
    work()
for _ in range(threads):
    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
END
number=0
# usage: profiled THREADS BLOCKS MEBIBYTES HOLD
# Memory in use, and allocated, in tenths of a GiB. No threads: the main one.
profiled() {
    number=$((number + 1))
    MIMALLOC_PROFILE=/tmp/profile-$number.heap MIMALLOC_PROFILE_ALLOC_INTERVAL=0 \
        in_root python3.15 /tmp/allocate.py "$@"
    awk 'NR == 1 {
        gsub(/[^0-9 ]/, "")
        printf "%.1f GiB in use, %.1f GiB allocated\n", $2 / 2 ^ 30, $4 / 2 ^ 30
    }' "$work/root/tmp/profile-$number.0001.heap"
}
shows "256 blocks of 4 MiB, held by the main thread" "$(profiled 0 256 4 1)" \
    "1.0 GiB in use, 1.0 GiB allocated"
shows "by another thread" "$(profiled 1 256 4 1)" "0.0 GiB in use, 0.0 GiB allocated"
shows "2000 blocks of 1 MiB, freed by the main thread" "$(profiled 0 2000 1 0)" \
    "0.0 GiB in use, 1.9 GiB allocated"
shows "by another thread" "$(profiled 1 2000 1 0)" "0.0 GiB in use, 1.0 GiB allocated"
shows "a thousand threads with a block each" "$(profiled 1000 1 1 0)" \
    "0.0 GiB in use, 0.0 GiB allocated"
shows "ten threads with 900 blocks each" "$(profiled 10 900 1 0)" \
    "0.0 GiB in use, 0.0 GiB allocated"
