#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# autocannon-compare says whether two load tests by autocannon differ, with t-tests of requests,
# throughput and latency. Expected: where each response has 100 bytes, throughput is 100 times the
# requests, so both have the same p.
#
# Seen: a change of 1 % has p = 0.83 in throughput and 0.000 in requests. autocannon takes a sample
# of both every second, so their deviation is one of seconds. For throughput the test takes the
# seconds for the number of samples, for requests the number of requests: in 10 s at 20000 a second,
# that is 200000 instead of 10, and the error of the mean is taken for 140 times smaller than it is.
#
# Why it matters: any two runs of one server differ for certain, the more so the faster it is. Only
# throughput has a p that means anything; who wins is said by it alone.
#
# autocannon-compare 0.4.0; November 2026

source "$(dirname "$0")/support.bash"
npm_packages autocannon-compare@0.4.0

cat >"$work/compare.js" <<'END'
const compare = require('autocannon-compare');
// Ten seconds that deviate by 10 %, and responses of 100 bytes.
const result = rate => ({
  duration: 10,
  requests: { mean: rate, stddev: rate / 10, total: 10 * rate },
  throughput: { mean: 100 * rate, stddev: 100 * rate / 10, total: 1000 * rate },
  latency: { mean: 1, stddev: 1 },
});
const p = ({ pValue, significant }) => `p ${pValue.toFixed(3)} ${significant}`.trim();
for (const rate of [20, 200, 2000, 20000]) {
  const { requests, throughput } = compare(result(1.01 * rate), result(rate));
  console.log(`${rate}/s: requests ${p(requests)}, throughput ${p(throughput)}`);
}
END
shows "1 % more, where seconds deviate by 10 %" "$(cd "$work" && node compare.js)" \
"20/s: requests p 0.319, throughput p 0.826
200/s: requests p 0.002 **, throughput p 0.826
2000/s: requests p 0.000 ***, throughput p 0.826
20000/s: requests p 0.000 ***, throughput p 0.826"
