#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# pidstat of sysstat shows the processor time of each process by intervals, and averages of all
# intervals at the end. Expected: averages of all processes that it has shown.
#
# Seen: those of processes that are there at the end. Of three that keep a processor busy one after
# the other, each for a third of the time, the last one has an average, of a third, and the other
# two, which all but the end of their time is shown of before, have none. So averages of a build, of
# which each compiler ends, are those of make and of a shell, and a process that began a moment
# before the end has its average. It is the same for memory, faults and switches, and with a name
# that is given by -C. An average is the difference of the last sample to the first one, and a
# process that is not in the last one is skipped; one that is not in the first counts from zero.
#
# Why it matters: averages of two runs are what one compares, and they depend on who is alive in the
# last interval, so that a run that ends earlier has less of everything. Sum up intervals instead;
# in these only the last, partial one of each process is missing. Or read the waited-for children's
# time of the parent, by -T CHILD.
#
# Debian sid's sysstat 12.7.5-2; November 2026

source "$(dirname "$0")/support.bash"
debian_packages sid sysstat=12.7.5-2 libc6=2.43-7

# usage: step NAME SECONDS
# A process of this name, which computes for so long, or until $work/done is there.
step() {
    bash -c 'echo "$0" >/proc/self/comm
        until [[ -e $2 ]] || ((SECONDS >= $1)); do :; done' "$@" "$work/done"
}
(step step-1 4 && step step-2 4 && step step-3 60) &
in_root pidstat -C '^step-' 1 11 >"$work/shown"
touch "$work/done"
wait
# usage: names AWK-CONDITION
names() {
    awk "$1"' && /step-/ { print $NF }' "$work/shown" | sort -u
}
shows "processes in intervals" "$(names '!/^Average/')" \
"step-1
step-2
step-3"
shows "processes with an average" "$(names '/^Average/')" step-3
shows "their averages, in all" "$(awk '/^Average.*step-/ { sum += $(NF - 2) }
    END { print (sum < 50 ? "below" : "above") " 50 % of a processor" }' "$work/shown")" \
    "below 50 % of a processor"
