#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# hdr-histogram-js, on which autocannon and others are built, subtracts an earlier histogram from a
# later one. Expected where a count fell, as after a restart: an error, or a count below zero; it
# has an error for this, which says that the other's count is larger.
#
# Seen: the error is for histograms of unlike ranges only. Between two of the same range, a count of
# 3 less 10 is 4294967289, or 65529 where counts have 16 bits. The total is right, and a percentile
# is where the counts up to there reach its part of the total, so all of them are the first value
# whose count fell. Of 13 requests since the restart, ten took 100 ms, and p90 is 5 ms; the mean is
# 7158278815 ms.
#
# Why it matters: percentiles of an interval look right, and are better than those of any capture.
# Look for a count that fell before two captures are subtracted; the total and the largest value
# may have grown all the same.
#
# hdr-histogram-js 3.0.1; November 2026

source "$(dirname "$0")/support.bash"
npm_packages hdr-histogram-js@3.0.1

cat >"$work/subtract.js" <<'END'
const { build, initWebAssembly } = require('hdr-histogram-js');
// Counts by milliseconds.
const histogram = (options, counts) => {
  const built = build(options);
  for (const milliseconds in counts)
    built.recordValueWithCount(Number(milliseconds), counts[milliseconds]);
  return built;
};
const figures = from => `total ${from.totalCount}, p50 ${from.getValueAtPercentile(50)} ms, ` +
  `p90 ${from.getValueAtPercentile(90)} ms, mean ${Math.round(from.mean)} ms`;
const before = { 5: 10 }, restarted = { 5: 3, 100: 10 };
const difference = (options, ranges = {}) => {
  const later = histogram(options, restarted);
  try {
    later.subtract(histogram({ ...options, ...ranges }, before));
    return figures(later);
  } catch (error) {
    return error.message;
  }
};
initWebAssembly().then(() => {
  console.log(`before: ${figures(histogram({}, before))}`);
  console.log(`since the restart: ${figures(histogram({}, restarted))}`);
  console.log(`difference: ${difference({})}`);
  console.log(`by WebAssembly: ${difference({ useWebAssembly: true })}`);
  console.log(`of counts of 16 bits: ${difference({ bitBucketSize: 16 })}`);
  console.log(`of unlike ranges: ${difference({}, { highestTrackableValue: 1e5 })}`);
});
END
shows "requests" "$(cd "$work" && node subtract.js)" \
"before: total 10, p50 5 ms, p90 5 ms, mean 5 ms
since the restart: total 13, p50 100 ms, p90 100 ms, mean 78 ms
difference: total 3, p50 5 ms, p90 5 ms, mean 7158278815 ms
by WebAssembly: total 3, p50 5 ms, p90 5 ms, mean 7158278815 ms
of counts of 16 bits: total 3, p50 5 ms, p90 5 ms, mean 109215 ms
of unlike ranges: otherHistogram count (10) at value 5 is larger than this one's (3)"
