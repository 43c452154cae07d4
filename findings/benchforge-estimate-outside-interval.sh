#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# benchforge compares a benchmark with its baseline, in batches that take turns: by how many
# percent it changed, and a confidence interval of that. Expected: the interval is one of that
# figure, so that the figure lies in it, or at least has its sign.
#
# Seen: +6 %, with an interval from about -45 % to -11 %, printed in red as slower. The figure is
# that of all iterations together, the interval one of the average of batches, each of which
# counts the same. A batch takes a fixed time, so one that ran fast has more iterations: with half
# of the baseline's batches at 10 ms and half at 40 ms, the mean is 16 ms in one and 25 ms in the
# other, and 17 ms are slower or faster. The interval decides whether there is a change, and the
# figure which way. A p99 does the same where slow iterations are in half of the batches only.
#
# Why it matters: a regression is certain here because the numbers say that it is none. Where
# batches differ much, compare their own means, one number for each.
#
# benchforge 0.2.5; November 2026

source "$(dirname "$0")/support.bash"
npm_packages benchforge@0.2.5

cat >"$work/compare.mjs" <<'END'
import { reportResults, timeSection } from 'benchforge';

// Batches of a result: how many iterations of how many milliseconds.
const result = (name, batches) => {
  const samples = [], batchOffsets = [];
  for (const batch of batches) {
    batchOffsets.push(samples.length);
    for (const [count, milliseconds] of batch) samples.push(...Array(count).fill(milliseconds));
  }
  return { name, measuredResults: { name, samples, batchOffsets, time: {} } };
};
const twenty = (even, odd) => Array.from({ length: 20 }, (_, i) => i % 2 ? odd : even);
const p99 = { title: 'time', columns: [
  { key: 'p99', title: 'p99', comparable: true, statKind: { percentile: 0.99 },
    formatter: value => `${value}ms` }] };
const [, , what] = process.argv;
// Each batch of a mean takes 640 ms.
const [baseline, current, section] = what === 'mean' ?
  [twenty([[64, 10]], [[16, 40]]), twenty([[38, 17]], [[38, 17]]), timeSection] :
  [twenty([[98, 10], [2, 100]], [[98, 10], [2, 100]]),
   twenty([[100, 10]], [[96, 10], [4, 120]]), p99];
process.stdout.write(reportResults(
  [{ name: what, reports: [result('current', current)], baseline: result('baseline', baseline) }],
  [section]));
END
# The figure, the signs of its interval, and its color, which is red, 31, for slower.
difference() {
    local row='.*\[\([0-9]*\)m\([-+].*%\) \[\([-+]\).*, \([-+]\).*%\].*'
    (cd "$work" && FORCE_COLOR=1 node compare.mjs "$1") | sed -n "/current/s/$row/\2 [\3, \4] \1/p"
}
shows "mean, 17 ms after 16 ms" "$(difference mean)" "+6.3% [-, -] 31"
shows "p99, 120 ms after 100 ms" "$(difference p99)" "+20.0% [-, -] 31"
