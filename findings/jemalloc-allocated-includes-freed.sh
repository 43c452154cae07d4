#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# jemalloc's stats.allocated is how much the application has allocated, by the manual, and services
# and databases report it as their memory in use, beside stats.active and stats.resident of what
# jemalloc holds. Expected: it falls when something is freed, and is back where it was when all is,
# as the heap profile is.
#
# Seen: ten threads that have freed all, and wait, have 5 MB in use, and a hundred of them 50 MB.
# Nothing of it is in the heap profile. What a thread frees goes to its cache first, and counts as
# freed when it leaves that, as the cache is full or the thread ends. What it takes from its cache
# does not count as allocated again. stats.arenas.4096.tcache_bytes, which the manual does not have,
# is what lies in caches, and part of stats.allocated.
#
# Why it matters: with more threads, or once each of them has had much to do, a service needs more
# from then on, which looks like a leak that no profile knows. Subtract tcache_bytes before readings
# are compared with each other or with a heap profile.
#
# Debian 12's libjemalloc2 5.3.0-1; sid's 5.3.1-2 has more than twice of that; November 2026

source "$(dirname "$0")/support.bash"
debian_packages bookworm libjemalloc2=5.3.0-1

cat >"$work/allocated.py" <<'END'
import ctypes
import re
import threading

jemalloc = ctypes.CDLL(None)
jemalloc.malloc.restype = ctypes.c_void_p
jemalloc.malloc.argtypes = [ctypes.c_size_t]
jemalloc.free.argtypes = [ctypes.c_void_p]


def read(name):
    size = ctypes.c_size_t(8)
    epoch = ctypes.c_uint64(1)  # to write it renews all statistics
    jemalloc.mallctl(b"epoch", None, None, ctypes.byref(epoch), size)
    value = ctypes.c_size_t()
    assert jemalloc.mallctl(name, ctypes.byref(value), ctypes.byref(size), None, None) == 0
    return value.value


def profile():
    name = ctypes.c_char_p(b"dump.heap")
    jemalloc.mallctl(b"prof.dump", None, None, ctypes.byref(name), ctypes.c_size_t(8))
    return int(re.search(r"t\*: \d+: (\d+)", open("dump.heap").read())[1])


def work():
    for size in 1024, 4096, 8192, 16384, 32768:
        for block in [jemalloc.malloc(size) for _ in range(300)]:
            jemalloc.free(block)
    worked.wait()
    ended.wait()


def about(difference):
    megabytes = difference / 1e6
    for rounded in 0, 5, 50:
        if abs(megabytes - rounded) < 2 + rounded / 10:
            return f"about {rounded} MB"
    return f"{megabytes:.1f} MB"


for count in 10, 100:
    worked, ended = threading.Barrier(count + 1), threading.Event()
    threads = [threading.Thread(target=work) for _ in range(count)]
    before = read(b"stats.allocated")
    cached = read(b"stats.arenas.4096.tcache_bytes")
    sampled = profile()
    for thread in threads:
        thread.start()
    worked.wait()
    after = read(b"stats.allocated")
    cached = read(b"stats.arenas.4096.tcache_bytes") - cached
    sampled = profile() - sampled
    ended.set()
    for thread in threads:
        thread.join()
    print(f"{count} threads: {about(after - before)}, in caches {about(cached)},",
          f"in the profile {about(sampled)},",
          f"when the threads have ended {about(read(b'stats.allocated') - before)}")
END
cd "$work"
library=$work/root/usr/lib/x86_64-linux-gnu/libjemalloc.so.2
shows "allocated by threads that have freed all" "$(LD_PRELOAD=$library \
    MALLOC_CONF=prof:true,prof_final:false,lg_prof_sample:12 python3 allocated.py)" \
"10 threads: about 5 MB, in caches about 5 MB, in the profile about 0 MB, \
when the threads have ended about 0 MB
100 threads: about 50 MB, in caches about 50 MB, in the profile about 0 MB, \
when the threads have ended about 0 MB"
