#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# pyinstrument, a sampling profiler of Python, writes what it saw as text, JSON, pstats and for
# speedscope. Expected: one session has the same totals in all of them, up to what is less than a
# percent of it.
#
# Seen: each leaves out what is less than a percent, but the one for speedscope before it adds up
# the calls, as it keeps their order. A function that is called often and never for long is not
# there at all, though all the time was spent in it, and its time is its caller's own. In 10
# requests of 100 ms parse() and send() have all the time, in both. In 500 of 10 ms they still
# have in JSON; in the file for speedscope they have next to nothing, and request() has
# everything. A threshold of 0 does not help on the command line: then not even request() is
# there, as the first thing that Python does for a script, which is to compile it, is taken for
# the script.
#
# Why it matters: in a capture that takes twice as long, calls of the same length are half as
# large a part of it, so functions vanish from the longer of two captures. Where the library is
# used, its processor_options can have a filter_threshold of 0.
#
# Debian sid's python3-pyinstrument 5.1.3+ds-2 with python3.15 3.15.2-1; November 2026

source "$(dirname "$0")/support.bash"
python_3_15 python3-pyinstrument=5.1.3+ds-2

cat >"$work/root/tmp/service.py" <<'END'
import sys
import time


def parse(seconds):
    end = time.time() + seconds
    while time.time() < end:
        pass


def send(seconds):
    end = time.time() + seconds
    while time.time() < end:
        pass


def request(seconds):
    parse(0.6 * seconds)
    send(0.4 * seconds)


def serve(count, seconds):
    for _ in range(count):
        request(seconds)


if __name__ == "__main__":
    serve(int(sys.argv[1]), float(sys.argv[2]))
END
cat >"$work/root/tmp/share.py" <<'END'
import collections
import json
import sys


def add(totals, frame):
    totals[frame["function"]] += frame["time"]
    for callee in frame["children"]:
        add(totals, callee)


# How much of the time was in parse() and send().
def share(form, file):
    totals = collections.Counter()
    if form == "json":
        add(totals, file["root_frame"])
        whole = file["duration"]
    else:
        (profile,) = file["profiles"]
        whole = profile["endValue"] - profile["startValue"]
        for event in profile["events"]:
            name = file["shared"]["frames"][event["frame"]]["name"]
            totals[name] += event["at"] * (1 if event["type"] == "C" else -1)
    part = (totals["parse"] + totals["send"]) / whole
    return "all" if part > 0.9 else "next to nothing" if part < 0.1 else f"{part:.0%}"


if __name__ == "__main__":
    print(share(sys.argv[1], json.load(open("/tmp/file"))))
END
cat >"$work/root/tmp/library.py" <<'END'
import json
import sys

sys.path.append("/usr/lib/python3/dist-packages")
import pyinstrument
from pyinstrument.renderers import SpeedscopeRenderer
from service import serve
from share import share

with pyinstrument.Profiler() as profiler:
    serve(500, 0.01)
for threshold in 0.01, 0:
    renderer = SpeedscopeRenderer(processor_options={"filter_threshold": threshold})
    file = json.loads(renderer.render(profiler.last_session))
    print(f"threshold {threshold}:", share("speedscope", file))
END
# usage: share_of FORMAT REQUESTS SECONDS [OPTION...]
share_of() {
    local form=$1 count=$2 seconds=$3
    shift 3
    PYTHONPATH=/usr/lib/python3/dist-packages in_root python3.15 -m pyinstrument -r "$form" \
        -o /tmp/file "$@" /tmp/service.py "$count" "$seconds" >"$work/log"
    in_root python3.15 /tmp/share.py "$form"
}
shows '10 requests, JSON' "$(share_of json 10 0.1)" all
shows '10 requests, speedscope' "$(share_of speedscope 10 0.1)" all
shows '500 requests, JSON' "$(share_of json 500 0.01)" all
shows '500 requests, speedscope' "$(share_of speedscope 500 0.01)" 'next to nothing'
shows '500 requests, speedscope, threshold 0' "$(share_of speedscope 500 0.01 \
    -p processor_options.filter_threshold=0)" 'next to nothing'
shows '500 requests, speedscope, as a library' "$(in_root python3.15 /tmp/library.py)" \
    'threshold 0.01: next to nothing
threshold 0: all'
