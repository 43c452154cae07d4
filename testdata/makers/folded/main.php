<?php
// SPDX-License-Identifier: Apache-2.0
function parse($n) {
    $s = 0;
    for ($i = 0; $i < $n; $i++) $s += $i % 7;
    return $s;
}
function run() { for ($i = 0; $i < 5; $i++) parse(2000); }
run();
