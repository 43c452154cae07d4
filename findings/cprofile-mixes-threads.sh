#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# cProfile, which is profiling.tracing in Python 3.15, profiles the thread that enables it, and
# no other. Expected of 2 s in first(), while another thread spends 2 s in second(), a second
# earlier or later: 2 s for first(), and no second(). Python 3.11 says so.
#
# Seen: if second() begins later, first() has 1 s, and second() 3 s, called by time.sleep(). If
# second() begins before the profile does, first() is not there, nor any of its time. Since 3.12,
# calls and returns of all threads arrive, but there is one stack: a function that returns ends the
# latest call of any thread and gets its time, and who was called before is the caller.
#
# Why it matters: as soon as two threads are active, functions have the times of others, by how
# they happen to take turns, so two profiles of the same work differ in large rows, and nothing in
# them tells why. A service is profiled by a thread of its own, or beside a pool.
#
# Debian sid's python3.15 3.15.2-1; 3.14 does the same; November 2026

source "$(dirname "$0")/support.bash"
python_3_15

cat >"$work/root/tmp/threads.py" <<'END'
import cProfile
import pstats
import sys
import threading
import time

later = sys.argv[1] == "later"
begin = done = False


def first():
    global begin
    time.sleep(1)
    begin = True
    time.sleep(1)


def second():
    time.sleep(2)


def other():
    global done
    while later and not begin:
        pass
    count = 0
    while count < 300000:
        count += 1
    second()
    done = True


threading.Thread(target=other).start()
if not later:
    time.sleep(1)
profiler = cProfile.Profile()
profiler.enable()
first()
while not done:
    pass
profiler.disable()
for (_, _, function), (_, calls, own, total, callers) in pstats.Stats(profiler).stats.items():
    if function in ("first", "second"):
        print(f"{function}: calls {calls}, own {own:.0f} s, in all {total:.0f} s, called by",
              [name for _, _, name in callers])
END
times() {
    in_root python3.15 /tmp/threads.py "$1" | sort
}
shows "second() begins a second later" "$(times later)" \
"first: calls 1, own 0 s, in all 1 s, called by []
second: calls 1, own 0 s, in all 3 s, called by ['<built-in method time.sleep>']"
shows "second() begins a second before the profile" "$(times before)" ""
