#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A D program that is built with LDC's -fdmd-trace-functions, as with -profile of DMD, adds its
# times to those of earlier runs in trace.log. Expected: after runs that each call another function,
# the file has all functions, with the times of all runs.
#
# Seen: a function that the last run did not call has its time, but no name, and those that called
# it lose theirs for it. The next run does not understand the nameless, and drops them with their
# time: after a run that calls common() and one(), and two that call common() only, common() has
# been called three times, and one() never.
#
# Why it matters: runs are added up to have what each of several inputs needs. The sum depends on
# the order, and is of the last input's functions. A difference of sums has what vanished as a gain.
#
# Debian sid's ldc 1:1.42.0-2.1; November 2026

source "$(dirname "$0")/support.bash"
ldc=1:1.42.0-2.1 gcc=16.2.0-4 binutils=2.47.50.20261021-1
debian_packages sid "ldc=$ldc" "libphobos2-ldc-shared-dev=$ldc" "libphobos2-ldc-shared112=$ldc" \
    libllvm21=1:21.1.8-14 libffi8=3.8.0-2 libedit2=3.1-20260512-1 libz3-4=4.13.3-1.1 \
    libxml2-16=2.15.4+dfsg-1+b1 libzstd1=1.5.7+dfsg-4 zlib1g=1:1.3.dfsg+really1.3.2-4 \
    zlib1g-dev=1:1.3.dfsg+really1.3.2-4 libtinfo6=6.6+20260608-2 libbsd0=0.12.2-3 \
    libmd0=1.3.0-1 "libgcc-s1=$gcc" "libstdc++6=$gcc" \
    "gcc-16-x86-64-linux-gnu=$gcc" "libgcc-16-dev=$gcc" "binutils-x86-64-linux-gnu=$binutils" \
    "libbinutils=$binutils" "libctf0=$binutils" "libsframe3=$binutils" libjansson4=2.15.1-1 \
    libc6=2.43-7 libc6-dev=2.43-7

cat >"$work/root/tmp/app.d" <<'END'
import core.time;

void spin()
{
    const end = MonoTime.currTime + 100.msecs;
    while (MonoTime.currTime < end) {}
}
void common() { spin(); }
void one() { spin(); }
void main(string[] arguments)
{
    common();
    if (arguments.length > 1) one();
}
END
ln -s -f x86_64-linux-gnu-gcc-16 "$work/root/usr/bin/cc"
ln -s -f x86_64-linux-gnu-ld "$work/root/usr/bin/ld"
in_root ldc2 -fdmd-trace-functions -of=/tmp/app -od=/tmp /tmp/app.d >"$work/log" 2>&1

# usage: runs ARGUMENT...
# Calls of common() and one() in the sum of runs with these arguments, and of what has no name, but
# has time.
runs() {
    rm -f "$work/root"/trace.*
    local argument
    for argument; do
        # shellcheck disable=SC2086  # it may be none
        in_root /tmp/app $argument
    done
    LC_ALL=C awk '
        /Timer/ { table = 1 }
        !table { next }
        /app[.](common|one)[(]/ { calls[$NF] = $1 }
        /^ +[0-9]/ && !/[.]|_Dmain/ && $2 > 0 { nameless += $1 }
        END { printf "common() %d, one() %d, nameless %d",
                     calls["app.common()"], calls["app.one()"], nameless }' "$work/root/trace.log"
}
shows "calls, first without one(), then with it" "$(runs "" one)" \
    "common() 2, one() 1, nameless 0"
shows "first with it, then without" "$(runs one "")" "common() 2, one() 0, nameless 1"
shows "first with it, then twice without" "$(runs one "" "")" "common() 3, one() 0, nameless 0"
