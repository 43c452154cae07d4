#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Excimer samples PHP by a timer. Its manual says that a native function which takes long, such as
# a connect to a database, delays a sample. Expected: a delayed sample is of the PHP function that
# runs when it is due, and counts all events since.
#
# Seen: all events are of the function that is called next. One that compares two large arrays takes
# all the time and has no sample, and one that is called after it, and only returns 1, has all of
# them. If nothing is called after it, they are of the loop that its caller was called in. A sample
# is taken where a function begins, at a jump, or when a native function has returned. Operators are
# between these: they compare, add and copy arrays, and free what isn't needed any longer.
#
# Why it matters: a change that makes one function slower is one of its neighbor, and if the call
# of that is moved, the time moves to another. Not even callers are right. Look at what runs before
# a function that grew without a reason.
#
# Debian sid's php8.4-excimer 1.2.5-1, php8.4-cli 8.4.27-1; November 2026

source "$(dirname "$0")/support.bash"
php_8_4 php8.4-excimer=1.2.5-1

cat >"$work/root/tmp/next.php" <<'END'
<?php
function same($old, $new) { return $old === $new; }
function report() { return 1; }
function count_up() { return 1; }

function same_then_report($old, $new) { same($old, $new); report(); }
function same_then_count_up($old, $new) { same($old, $new); count_up(); }
function report_then_same($old, $new) { report(); same($old, $new); }
function repeat($job, $old, $new) {
    for ($i = 0; $i < 20; $i++) $job($old, $new);
}

$old = range(0, 2000000);
$new = range(0, 2000000);
$profiler = new ExcimerProfiler;
$profiler->setEventType(EXCIMER_REAL);
$profiler->setPeriod(0.001);
$profiler->start();
repeat($argv[1], $old, $new);
$profiler->stop();
$all = $profiler->getLog()->getEventCount();
$rows = $profiler->getLog()->aggregateByFunction();
foreach ($rows as $name => $row)
    if ($row['self'] > 0.9 * $all) echo "nearly all in $name\n";
echo ($rows['same']['inclusive'] ?? 0) < 0.02 * $all ? 'next to nothing' : 'some', " in same\n";
END
# usage: sampled JOB
sampled() {
    in_root php8.4 -n -d memory_limit=-1 -d display_startup_errors=0 -d extension=excimer.so \
        /tmp/next.php "$@" 2>>"$work/log"
}
shows "same() and report()" "$(sampled same_then_report)" \
"nearly all in report
next to nothing in same"
shows "same() and count_up()" "$(sampled same_then_count_up)" \
"nearly all in count_up
next to nothing in same"
shows "report() and same()" "$(sampled report_then_same)" \
"nearly all in repeat
next to nothing in same"
