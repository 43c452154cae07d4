#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# yappi profiles services in Python that never end: get_func_stats() may be called at any time.
# Expected: each call returns what there is, and a difference of two is what happened in between.
#
# Seen: it changes what it reads. A function that has not returned yet has no time of its own so
# far, but its callees have been taken from it, so it is below zero, and that is set to zero for
# good. When it returns, all that its callees took until the last reading is its own time, too.
# serve(), which only calls handle() and takes a second in that, has 0 s of its own and one call
# if nobody looked, and 0.5 s and two calls if somebody looked after half of the second.
#
# Why it matters: own times add up to more than the time that passed, and the excess is in the
# loops that run forever. The average of such a function is half of what it is. Only total times,
# and functions that were not running at any reading, can be subtracted.
#
# Debian sid's python3-yappi 1.7.6-2 with python3.15 3.15.2-1; November 2026

source "$(dirname "$0")/support.bash"
python_3_15 python3-yappi=1.7.6-2

cat >"$work/root/tmp/app.py" <<'END'
import sys
import time

sys.path.append("/usr/lib/python3/dist-packages")
import yappi


def handle():
    time.sleep(0.5)


def serve(look):
    handle()
    if look:
        yappi.get_func_stats()
    handle()


yappi.set_clock_type("wall")
for look in False, True:
    yappi.start()
    serve(look)
    yappi.stop()
    (row,) = (row for row in yappi.get_func_stats() if row.name == "serve")
    print(f"{'read meanwhile' if look else 'not read'}: {row.ncall} calls, "
          f"own {row.tsub:.1f} s, total {row.ttot:.1f} s")
    yappi.clear_stats()
END
shows 'one call of serve(), which takes a second in handle()' "$(in_root python3.15 /tmp/app.py)" \
    'not read: 1 calls, own 0.0 s, total 1.0 s
read meanwhile: 2 calls, own 0.5 s, total 1.0 s'
