#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# tracemalloc of Python compares two snapshots of what is in use: compare_to(), and with
# cumulative=True for functions with all that they call. Expected: as in pprof's cum, an allocation
# counts once for a line, a file or a function, however often its stack has that.
#
# Seen: it counts once for each frame. A megabyte below a recursion of 20 calls is 20 MiB at the
# line that calls itself, and 23 MiB in the file. The same megabyte in use, first below one call and
# then below 20, has grown by 19 MiB.
#
# Why it matters: no cumulative figure can be larger than the total, so a share of it means nothing,
# and a recursion that goes deeper is taken for a leak. Flat figures are right.
#
# Debian sid's python3.15 3.15.2-1; November 2026

source "$(dirname "$0")/support.bash"
python_3_15

cat >"$work/root/tmp/app.py" <<'END'
import tracemalloc


def walk(depth):
    if depth == 0:
        return bytearray(1 << 20)
    return walk(depth - 1)  # line 7


def taken(depth):
    kept = walk(depth)
    of_this = tracemalloc.Filter(True, __file__, all_frames=True)
    return tracemalloc.take_snapshot().filter_traces([of_this])


def mib(size):
    return f"{size / (1 << 20):.1f} MiB"


def largest(statistics):
    return next(s for s in statistics if s.traceback[0].lineno in (0, 7))


tracemalloc.start(100)
shallow, deep = taken(1), taken(20)
for name, snapshot in ("1 call", shallow), ("20 calls", deep):
    print(name, "in use", mib(sum(trace.size for trace in snapshot.traces)),
          "flat", mib(snapshot.statistics("filename")[0].size),
          "line", mib(largest(snapshot.statistics("lineno", cumulative=True)).size),
          "file", mib(snapshot.statistics("filename", cumulative=True)[0].size))
print("grew by", mib(largest(deep.compare_to(shallow, "lineno", cumulative=True)).size_diff))
END
shows "a megabyte below a recursion" "$(in_root python3.15 /tmp/app.py)" \
"1 call in use 1.0 MiB flat 1.0 MiB line 1.0 MiB file 4.0 MiB
20 calls in use 1.0 MiB flat 1.0 MiB line 20.0 MiB file 23.0 MiB
grew by 19.0 MiB"
