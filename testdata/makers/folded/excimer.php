<?php
// SPDX-License-Identifier: Apache-2.0
function parse($n) {
    $s = 0;
    for ($i = 0; $i < $n; $i++) $s += $i % 7;
    return $s;
}
function run() {
    $end = microtime(true) + 0.5;
    while (microtime(true) < $end) parse(20000);
}
$profiler = new ExcimerProfiler();
$profiler->setPeriod(0.01);
$profiler->setEventType(EXCIMER_REAL);
$profiler->start();
run();
$profiler->stop();
echo $profiler->getLog()->formatCollapsed();
