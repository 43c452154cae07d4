#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# jemalloc's control prof.reset starts its heap profile over, so that the next dump shows one
# interval. Expected: the accumulated counters begin at zero; what is in use, which is a level
# and no counter, stays.
#
# Seen: both are zero. 100 blocks of a mebibyte that are still held are in no later dump, and
# when they are freed, nothing falls below zero. Only blocks allocated since count as in use.
#
# Why it matters: the process is the same, and its mappings say so, yet all rows fall to
# nothing. That is neither a restart nor memory that was given back: after a reset, in use is
# no level any more.
#
# Debian 12's libjemalloc2 5.3.0-1; sid's 5.3.1-2 does the same; November 2026

source "$(dirname "$0")/support.bash"
debian_packages bookworm libjemalloc2=5.3.0-1

cat >"$work/reset.py" <<'END'
import ctypes
import re

jemalloc = ctypes.CDLL(None)
jemalloc.malloc.restype = ctypes.c_void_p
jemalloc.malloc.argtypes = [ctypes.c_size_t]
jemalloc.free.argtypes = [ctypes.c_void_p]


def dump(what):
    name = ctypes.c_char_p(b"dump.heap")
    jemalloc.mallctl(b"prof.dump", None, None, ctypes.byref(name), ctypes.c_size_t(8))
    total = re.search(r"t\*: (\d+): \d+ \[(\d+):", open("dump.heap").read())
    # The interpreter has a few small blocks; of the large ones, a few are not sampled.
    print(what, *("all" if int(count) > 90 else "none" if int(count) < 5 else count
                  for count in total.groups()))


blocks = [jemalloc.malloc(1 << 20) for _ in range(100)]
dump("held:")
jemalloc.mallctl(b"prof.reset", None, None, None, ctypes.c_size_t(0))
dump("held, after the reset:")
for block in blocks:
    jemalloc.free(block)
dump("freed:")
blocks = [jemalloc.malloc(1 << 20) for _ in range(100)]
dump("others held:")
END
cd "$work"
library=$work/root/usr/lib/x86_64-linux-gnu/libjemalloc.so.2
shows "in use and accumulated" "$(LD_PRELOAD=$library \
    MALLOC_CONF=prof:true,prof_accum:true,prof_final:false,lg_prof_sample:18 python3 reset.py)" \
"held: all all
held, after the reset: none none
freed: none none
others held: all all"
