#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# mimalloc 3.6 shows statistics when a program ends, with MIMALLOC_SHOW_STATS=1: for each size of
# blocks and for all of them what was allocated, and the peak of it; mi_stats_get() has the same.
# Expected: the peak is what was in use at one time, and never more than was committed.
#
# Seen: it is up to all that was ever allocated. A block of 1000 bytes, freed and allocated again a
# million times, has a peak of 32 MiB, and ten blocks of 300 kB at a time one of 3 GiB, where 6 MiB
# were committed. A page counts the blocks that are allocated and freed in it. Now and then these
# counts are added up, the allocations before the frees, so the peak has all since the last time. It
# is right where a block has a page of its own, from half a megabyte on.
#
# Why it matters: builds are compared by their peaks, and this is one of how often memory is used
# again without a new page. Ten blocks of 20 kB at a time need 195 MiB, and thirty need 0.6 MiB. The
# totals are right, and so is the peak of committed memory.
#
# Debian sid's libmimalloc3 3.6.0+ds-1; November 2026

source "$(dirname "$0")/support.bash"
mimalloc_in_python

cat >"$work/root/tmp/allocate.py" <<'END'
import sys

from mimalloc import free, malloc

blocks, size, times = map(int, sys.argv[1:])
for _ in range(times):
    for block in [malloc(size) for _ in range(blocks)]:
        free(block)
END
# usage: peaks BLOCKS SIZE TIMES
# The peaks of what was allocated, and of what was committed.
peaks() {
    MIMALLOC_SHOW_STATS=1 in_root python3.15 /tmp/allocate.py "$@" 2>&1 |
        awk '$1 == "allocated" { print $1, $3, $4 }
            $1 == "committed" && $3 {
                print $1, $4 == "MiB" && $3 < 20 ? "below 20 MiB" : $3 " " $4
            }'
}
shows "a block of 1000 bytes at a time, a million times" "$(peaks 1 1000 1000000)" \
"allocated 32.0 MiB
committed below 20 MiB"
shows "10 of 20 kB at a time, a thousand times" "$(peaks 10 20000 1000)" \
"allocated 195.2 MiB
committed below 20 MiB"
shows "30 of 20 kB at a time, a thousand times" "$(peaks 30 20000 1000)" \
"allocated 602.3 KiB
committed below 20 MiB"
shows "10 of 300 kB at a time, a thousand times" "$(peaks 10 300000 1000)" \
"allocated 3.0 GiB
committed below 20 MiB"
shows "10 of 600 kB at a time, a thousand times" "$(peaks 10 600000 1000)" \
"allocated 6.2 MiB
committed below 20 MiB"
