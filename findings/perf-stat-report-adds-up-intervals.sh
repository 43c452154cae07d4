#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# perf stat record -I counts events in intervals, shows the counts of each while it runs, and
# writes them to a file. perf stat report shows the file. Expected: the same table once more.
#
# Seen: with the same times, the report's counts are those since the start. A program that faults
# 1000, 2000, 3000 and 4000 pages in four intervals has 1000, 3000, 6000 and 10000, so the rows add
# up to twice the faults, and after more intervals to many times as many. Rates in the same rows
# are of all the time so far, too. The file holds what the counters were at each time; while it
# records, perf subtracts the previous ones, and the report does not.
#
# Why it matters: in a table of a recording, everything grows until the end. What a run had in its
# last second is compared with what it had in all, and a sum over rows counts the first interval as
# often as there are rows. Subtract each row from the next one.
#
# Debian 13's linux-perf 6.12.117-1; the report of sid's 7.2.13-1 reads none of its own recordings;
# November 2026

source "$(dirname "$0")/support.bash"
perf_6_12 python3.13-minimal=3.13.5-2+deb13u5 libpython3.13-minimal=3.13.5-2+deb13u5

cat >"$work/root/tmp/it.py" <<'END'
import time

kept = []
for i in range(1, 5):
    kept.append(b"x" * (i << 22))
    time.sleep(0.2)
END
in_root perf stat record -e page-faults -I 200 -o /tmp/recorded python3.13 -S -E /tmp/it.py \
    >"$work/log" 2>&1 || missing "counters of page faults"
# usage: faults FILE
# The times, each with its page faults.
faults() {
    awk '$3 ~ /^page-faults/ { print $1, $2 }' "$1"
}
faults "$work/log" >"$work/live"
[[ -s $work/live ]] || missing "counters of page faults"
in_root perf stat report -i /tmp/recorded >"$work/report" 2>&1
faults "$work/report" >"$work/reported"
paste -d ' ' "$work/live" "$work/reported" >"$work/both"

# usage: always CONDITION
# Whether a condition holds in all rows, of the time and faults while it ran, and in the report.
always() {
    awk "{ live += \$2; reported += \$4; if (!($1)) failed = 1 }
        END { print failed || NR < 4 ? \"no\" : \"yes\" }" "$work/both"
}
cat "$work/both"
shows "the times are the same" "$(always "\$1 == \$3")" yes
shows "from the second on, the report has more" "$(always "NR == 1 || \$4 > \$2")" yes
shows "it has what the rows up to there add up to" "$(always "\$4 == live")" yes
