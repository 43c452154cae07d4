#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A histogram of measured-core keeps up to 1028 values, of which later ones are the likelier to
# stay, and has weightedPercentiles() as a percentilesMethod, where later values weigh more.
# Expected: values of the same moment weigh the same, and have the same percentiles each time.
#
# Seen: of the numbers from 1 to 1000, recorded in the same millisecond, the median is 840 in one
# histogram and 409 in another, and p95 is between 840 and 960; without the weights they are 500.5
# and 951. The sample gives each value a priority, its weight divided by a random number, and drops
# the lowest. The percentiles take this priority for the weight. Most random numbers do not matter,
# but of a thousand some are next to zero, and a single value then has a tenth or half of the sum.
#
# Why it matters: two processes that do the same differ by half, one process has another median each
# time it starts, and nothing shows that it is a draw; more values do not help. Use the default
# percentiles, or an own sample whose toArrayWithWeights() has the weights alone.
#
# measured-core 2.0.0; November 2026

source "$(dirname "$0")/support.bash"
npm_packages measured-core@2.0.0

cat >"$work/draw.js" <<'END'
const { Histogram } = require('measured-core');
// The same in each run of this script.
let seed = 1;
Math.random = () => {
  seed = seed * 48271 % 2147483647;
  return seed / 2147483647;
};
Date.now = () => 1e12;
const row = options => {
  const histogram = new Histogram(options);
  for (let value = 1; value <= 1000; value++) histogram.update(value);
  const { median, p95 } = histogram.toJSON();
  return `${median} ${p95.toFixed(0)}`;
};
for (let i = 0; i < 3; i++) console.log(`plain ${row()}`);
for (let i = 0; i < 6; i++)
  console.log(`weighted ${row({ percentilesMethod: Histogram.prototype.weightedPercentiles })}`);
END
shows "median and p95 of 1 to 1000" "$(cd "$work" && node draw.js)" \
"plain 500.5 951
plain 500.5 951
plain 500.5 951
weighted 840 840
weighted 763 871
weighted 409 960
weighted 492 952
weighted 426 865
weighted 616 879"
