#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Python 3.15's sampling profiler compares two captures: --diff-flamegraph BASELINE. Expected:
# like other tools, it either compares shares of the total or plain counts, and a frame's
# baseline is what the baseline has for it.
#
# Seen: neither. It multiplies the baseline by the ratio of the two sampling intervals, never by
# totals, so a capture that ran twice as long is twice as slow everywhere. And it matches
# frames without their line, but shows them by line: what the baseline had for a function is
# divided among its lines in the proportion of the *current* capture. Where main called both
# functions from one line, and now calls each from its own, main's baseline is 120 at one line
# and 30 at the other; yet their callees had 100 and 50. The child is larger than its parent.
#
# Why it matters: baselines of inner frames are estimates. Only sums over all lines of a
# function, and its own samples, can be compared with another tool's.
#
# Debian sid's python3.15 3.15.2-1; November 2026

source "$(dirname "$0")/support.bash"
python_3_15

cat >"$work/root/tmp/capture.py" <<'END'
import _remote_debugging as debugging
from profiling.sampling.binary_collector import BinaryCollector


def capture(name, interval, stacks):
    """Writes samples as the profiler does; a frame is a function and the line it is at."""
    collector = BinaryCollector(name, interval, compression="none")
    time = 0
    for frames, count in stacks:
        thread = debugging.ThreadInfo((1, debugging.THREAD_STATUS_HAS_GIL, [
            debugging.FrameInfo(
                ("/app.py", debugging.LocationInfo((line, line, 0, 1)), function, None))
            for function, line in frames]))
        for _ in range(count):
            time += interval
            collector.collect([debugging.InterpreterInfo((0, [thread]))], time)
    collector.export()


parse, store, later = [("parse", 1), ("main", 11)], [("store", 1), ("main", 11)], \
    [("store", 1), ("main", 12)]
capture("/tmp/base", 1000, [(parse, 100), (store, 50)])
capture("/tmp/slow", 2000, [(parse, 50), (store, 25)])
capture("/tmp/now", 1000, [(parse, 200), (later, 50)])
END
cat >"$work/root/tmp/show.py" <<'END'
import json
import re

page = open("/tmp/page.html").read()
data = json.loads(re.search(r"EMBEDDED_DATA = (\{.*\});", page)[1])


def show(node):
    for child in node["children"]:
        print(data["strings"][child["funcname"]], child["lineno"], "samples", child["value"],
              "baseline", child["baseline_total"], "itself", child["diff"])
        show(child)


print("factor", data["stats"]["baseline_scale"])
show(data)
END
in_root python3.15 /tmp/capture.py
difference() {
    in_root python3.15 -m profiling.sampling replay --diff-flamegraph "/tmp/$1" \
        -o /tmp/page.html /tmp/now >"$work/log"
    in_root python3.15 /tmp/show.py
}
shows "with the baseline at 1000 us" "$(difference base)" \
"factor 1.0
main 11 samples 200 baseline 120.0 itself 0.0
parse 1 samples 200 baseline 100.0 itself 100.0
main 12 samples 50 baseline 30.0 itself 0.0
store 1 samples 50 baseline 50.0 itself 0.0"
shows "with the baseline at 2000 us" "$(difference slow)" \
"factor 2.0
main 11 samples 200 baseline 120.0 itself 0.0
parse 1 samples 200 baseline 100.0 itself 100.0
main 12 samples 50 baseline 30.0 itself 0.0
store 1 samples 50 baseline 50.0 itself 0.0"
