#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# profiling.sampling, new in Python 3.15, takes samples of another process at a rate. Expected if it
# can't run for a while, for a quota or on a busy machine: it lacks the samples of that time, and
# says how many were missed.
#
# Seen: none is missed, and none is of that time. Each sample is taken as soon as its time has come,
# so those that are overdue are taken at once, one after another, of whatever runs then. A function
# that takes a second while the sampler is stopped has no sample, and the next one, which takes
# 0.2 s, has 1200. Total and rate are as they should be, and there is no warning.
#
# Why it matters: in a difference, one function is a second slower and another a second faster, for
# a sampler that was late. Folded stacks, pstats and flame graphs have no times that would tell.
# Compare several runs of each build, or look for bursts with --gecko, where samples have times.
#
# Debian sid's python3.15 3.15.2-1; November 2026

source "$(dirname "$0")/support.bash"
python_3_15

cat >"$work/root/tmp/app.py" <<'END'
import os
import signal
import sys
import time


def spend(seconds):
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        pass


def before():
    spend(0.5)


def meanwhile(stops):
    if stops:
        os.kill(os.getppid(), signal.SIGSTOP)
    spend(1)


def after():
    os.kill(os.getppid(), signal.SIGCONT)
    spend(0.2)


before()
meanwhile(sys.argv[1:])
after()
END
# usage: sampled [stops]
# The samples by function, and how many were missed, in steps as a busy machine isn't exact.
sampled() {
    in_root python3.15 -m profiling.sampling run --sampling-rate 1khz --collapsed \
        -o /tmp/stacks /tmp/app.py "$@" >"$work/said" 2>>"$work/log"
    awk '
        function about(count) {
            if (count > 1050) return 1200
            if (count > 700) return 1000
            if (count > 350) return 500
            return count > 100 ? 200 : "next to none"
        }
        FILENAME ~ /said$/ { if (/missed/) missed = $3; next }
        match($0, /:(before|meanwhile|after):/) {
            of[substr($0, RSTART + 1, RLENGTH - 2)] += $NF
        }
        END {
            print "before " about(of["before"]) ", meanwhile " about(of["meanwhile"]) \
                ", after " about(of["after"]) ", missed " about(missed)
        }' "$work/said" "$work/root/tmp/stacks"
}
shows "a sampler that is never stopped" "$(sampled)" \
    "before 500, meanwhile 1000, after 200, missed next to none"
shows "one that is stopped for a second" "$(sampled stops)" \
    "before 500, meanwhile next to none, after 1200, missed next to none"
