#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# strace -c counts calls of the system by name, with the system time that they took. Expected: a
# call that only waits took next to none, and the sum is at most what the process and its children
# had.
#
# Seen: a call has the system time that all threads of its process, and the children that it has
# waited for, had meanwhile. Ten threads that wait while another one reads for 0.3 s have 3 s of
# futex; the sum is eleven times what the process had. With the reading in a child, wait4 has all
# of the child's time once more, so half of the sum. Each stop of a thread is reported to strace
# with the resources of its process and of waited-for children, and what these grew by from the
# start to the end of a call is the call's.
#
# Why it matters: one more waiting thread, or a shell around the command, moves the shares of all
# calls, and the first row of a difference is a call that does nothing. Times add up to more than
# the program ran. Compare counts, or let a single-threaded process be traced; -w, which takes
# times from the clock, counts the waits.
#
# Debian 13's strace 6.13+ds-1; sid's 7.2+ds-1+b1 does the same; November 2026

source "$(dirname "$0")/support.bash"
debian_packages trixie strace=6.13+ds-1 python3.13-minimal=3.13.5-2+deb13u5 \
    libpython3.13-minimal=3.13.5-2+deb13u5 libc6=2.41-12+deb13u5 libexpat1=2.9.0-1~deb13u1 \
    libgcc-s1=14.2.0-19 liblzma5=5.8.1-1+deb13u2 libunwind8=1.8.1-0.1 libzstd1=1.5.7+dfsg-1 \
    'zlib1g=1:1.3.dfsg+really1.3.1-1+deb13u1'

cat >"$work/root/tmp/it.py" <<'END'
import _thread
import os
import sys

block = bytearray(1 << 23)
zero = os.open("/dev/zero", os.O_RDONLY)

def read():
    while os.times().system < 0.3:
        os.readv(zero, [block])

if sys.argv[1] == "child":
    child = os.fork()
    if not child:
        read()
        os._exit(0)
    os.waitpid(child, 0)
else:
    gates = [_thread.allocate_lock() for i in range(int(sys.argv[1]))]
    ends = [_thread.allocate_lock() for gate in gates]
    def wait(gate, end):
        gate.acquire()
        end.release()
    for gate, end in zip(gates, ends):
        gate.acquire()
        end.acquire()
        _thread.start_new_thread(wait, (gate, end))
    read()
    for gate, end in zip(gates, ends):
        gate.release()
        end.acquire()
END
# usage: times CALL ARGUMENT
# How the time of a call compares to that of readv.
times() {
    in_root strace -f -c -o /tmp/counts python3.13 -S -E /tmp/it.py "$2"
    awk -v call="$1" '{ seconds[$NF] = $2 }
        END { ratio = seconds[call] / seconds["readv"]
            print ratio < 0.5 ? "little" : ratio < 3 ? "as much" : "many times as much" }' \
        "$work/root/tmp/counts"
}
shows "time of futex, beside a thread that reads" "$(times futex 0)" "little"
shows "with one more that waits" "$(times futex 1)" "as much"
shows "with ten that wait" "$(times futex 10)" "many times as much"
shows "time of wait4, where a child reads" "$(times wait4 child)" "as much"
