#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# line_profiler measures each line of a function with all that it calls. Expected of a recursive
# function, as of other profilers: its time once, or more than that, as the time of an inner call
# is in the line of the outer one, too.
#
# Seen: it loses time. A function that works for 0.7 s has 0.0 s if it has its recursive calls and
# its work in one line, and 0.7 s if it has them in lines of their own. There is one start for each
# function rather than for each call: the inner call's first line ends the line that calls it,
# and its return forgets the start, so what follows the call in its line, or in the helper
# that calls, counts nowhere.
#
# Why it matters: walks through trees are written that way. Putting a result into a variable makes
# a function slower by all of its time, and the reverse is a perfect optimization; Total time,
# which is what files are compared by, says so.
#
# Debian sid's python3-line-profiler 5.0.2-1+b2 with python3.14 3.14.10-1; November 2026

source "$(dirname "$0")/support.bash"
debian_packages sid python3-line-profiler=5.0.2-1+b2 python3.14-minimal=3.14.10-1 \
    libpython3.14-minimal=3.14.10-1 libpython3.14-stdlib=3.14.10-1 libc6=2.43-7 \
    libgcc-s1=16.2.0-4 libstdc++6=16.2.0-4 libexpat1=2.9.0-1 libzstd1=1.5.7+dfsg-4 \
    zlib1g=1:1.3.dfsg+really1.3.2-4 libbz2-1.0=1.0.8-6+b2 liblzma5=5.8.4-1

cat >"$work/root/tmp/walk.py" <<'END'
import sys
import time

sys.path.append("/usr/lib/python3/dist-packages")
from line_profiler import LineProfiler


def work(left, right):
    time.sleep(0.1)
    return left + right


def one_line(depth):
    if depth == 0:
        return 1
    return work(one_line(depth - 1), one_line(depth - 1))


def lines(depth):
    if depth == 0:
        return 1
    left = lines(depth - 1)
    right = lines(depth - 1)
    return work(left, right)


profiler = LineProfiler()
for function in (one_line, lines):
    profiler.add_function(function)
    profiler.runcall(function, 3)
stats = profiler.get_stats()
for (_, _, name), timings in stats.timings.items():
    total = sum(time for _, _, time in timings) * stats.unit
    print(f"{name}(): total time", "0.0 s" if total < 0.05 else "0.7 s or more"
          if total >= 0.7 else total)
END
shows "seven times 0.1 s of work in each" "$(in_root python3.14 /tmp/walk.py)" \
"one_line(): total time 0.0 s
lines(): total time 0.7 s or more"
