#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Excimer samples PHP at a period; start() and stop() choose what is profiled. Its first sample is
# delayed by a random part of the period. Expected: over many starts, parts of a period average out,
# so that 40 sections of 40 ms have about as many samples as 1.6 s.
#
# Seen: the delay is drawn when the profiler is made or its period is set, and start() keeps it.
# Sections shorter than it have no sample, and each longer one has one, always at the same point. Of
# 40 sections that parse for 20 ms and then render for 20 ms, with a period of 100 ms, there are 4 s
# of parsing and nothing else, or 4 s of rendering, or nothing. A new profiler for each section has
# what there is, 0.8 s of both.
#
# Why it matters: a worker that keeps its profiler, and starts it for each request or job, weighs
# one point of it, and the next worker another. The difference of two is that of two draws,
# however long they run. Make a new profiler for each section, or call setPeriod() before start().
#
# Debian sid's php8.4-excimer 1.2.5-1, php8.4-cli 8.4.27-1; November 2026

source "$(dirname "$0")/support.bash"
php_8_4 php8.4-excimer=1.2.5-1

cat >"$work/root/tmp/sections.php" <<'END'
<?php
function parse() { usleep(20000); }
function render() { usleep(20000); }
function profiler() {
    $profiler = new ExcimerProfiler;
    $profiler->setEventType(EXCIMER_REAL);
    $profiler->setPeriod(0.1);
    return $profiler;
}
// Adds what was sampled, in milliseconds at 100 ms for each event.
function add(&$sums, $log) {
    foreach ($log->aggregateByFunction() as $name => $row)
        if (isset($sums[$name])) $sums[$name] += $row['inclusive'] * 100;
}
// In steps so large that a busy machine doesn't matter.
function about($milliseconds) {
    $steps = [1600 => '2 to 4 s', 400 => '0.4 to 1.6 s', 0 => 'next to none'];
    foreach ($steps as $step => $text) if ($milliseconds >= $step) return $text;
}
mt_srand((int)$argv[1]);
$renewed = $argc > 2;
$sums = ['parse' => 0, 'render' => 0];
$profiler = profiler();
for ($i = 0; $i < 40; $i++) {
    if ($renewed) $profiler = profiler();
    $profiler->start();
    parse();
    render();
    $profiler->stop();
    if ($renewed) add($sums, $profiler->getLog());
}
if (!$renewed) add($sums, $profiler->getLog());
echo 'parse ', about($sums['parse']), ', render ', about($sums['render']), "\n";
END
# usage: sampled SEED [renewed]
sampled() {
    in_root php8.4 -n -d display_startup_errors=0 -d extension=excimer.so /tmp/sections.php "$@" \
        2>>"$work/log"
}
shows "a delay of 9.6 ms" "$(sampled 56)" "parse 2 to 4 s, render next to none"
shows "a delay of 30 ms" "$(sampled 10)" "parse next to none, render 2 to 4 s"
shows "a delay of 61 ms" "$(sampled 13)" "parse next to none, render next to none"
shows "a new profiler each time" "$(sampled 13 renewed)" \
"parse 0.4 to 1.6 s, render 0.4 to 1.6 s"
