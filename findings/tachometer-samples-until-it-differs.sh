#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# tachometer compares benchmarks in browsers: after 50 samples of each it goes on for up to three
# minutes, until there is a significant difference, with 95 % confidence intervals. Expected: two
# pages that do the same are told to differ in 5 of 100 comparisons, and in no more if one waits
# longer, as more samples are more certain.
#
# Seen: they differ in 25 of 100, and with --timeout=60 in 47, where a sample takes a fifth of a
# second. After each ten further samples it computes an interval as if no other number of them had
# ever been meant, and stops at the first one without zero. Each look is another chance to stop, and
# where it stopped is what it prints. With --timeout=0 they differ in 5 of 100.
#
# Why it matters: where nothing is found, it says "consider a longer --timeout", which finds
# something. Of ten comparisons of unchanged code, two or three are faster or slower. A fixed number
# of samples, by --sample-size and --timeout=0, has the certainty that it claims.
#
# tachometer 0.7.2; November 2026

source "$(dirname "$0")/support.bash"
npm_packages tachometer@0.7.2

cat >"$work/compare.mjs" <<'END'
import { Runner } from 'tachometer/lib/runner.js';

let seed = 1;
const uniform = () => (seed = seed * 48271 % 2147483647) / 2147483647;
const normal = () => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform());
let now = 0;
Date.now = () => now;
process.stderr.write = () => true; // its progress

// Its own comparison, without browsers: a page takes a fifth of a second to load and measure, and
// what it measures is 100 ms, with a deviation of 10 ms.
class Comparison extends Runner {
  async launchBrowsers() {}
  async closeBrowsers() {}
  async outputResults() {}
  async takeSamples() {
    now += 200;
    return [{ measurementIndex: 0, millis: [100 + 10 * normal()] }];
  }
}
const timeout = Number(process.argv[2]), comparisons = 500;
const page = name => ({ name, browser: { name: 'chrome' }, url: { kind: 'remote', url: name },
                        measurement: [] });
const log = console.log;
let differ = 0;
for (let i = 0; i < comparisons; i++) {
  console.log = () => {};
  const [{ differences: [, { relative }] }] = await new Comparison({
    benchmarks: [page('a'), page('b')], sampleSize: 50, timeout,
    autoSampleConditions: { absolute: [], relative: [0] } }, new Map()).run();
  console.log = log;
  if (relative.low > 0 || relative.high < 0) differ++;
}
console.log(100 * differ / comparisons);
process.exit();
END
# usage: differ MINUTES
# The percentage of comparisons in which the pages differ, up to what it is at most.
differ() {
    local percent
    percent=$(cd "$work" && node compare.mjs "$1")
    echo "--timeout=$1: $percent %" >&2
    awk -v percent="$percent" 'BEGIN {
        if (percent < 8) print "at most 8 %"
        else print (percent > 40 ? "more than 40 %" : percent > 20 ? "more than 20 %" : percent)
    }'
}
shows "without waiting" "$(differ 0)" "at most 8 %"
shows "3 minutes, the default" "$(differ 3)" "more than 20 %"
shows "an hour" "$(differ 60)" "more than 40 %"
