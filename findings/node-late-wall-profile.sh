#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# @datadog/pprof, which profiles Node for several vendors, is told how long a wall profile will
# take. Expected of one that is stopped later, as happens when a job keeps the event loop busy: all
# of it, or the most recent part.
#
# Seen: with contexts, which labels need, it holds two durations' worth of samples and then takes
# no more. Of six seconds, three in each of two functions, the second function is not there at all,
# the first has a second more than it took, and the sum is 4 s where duration_nanos says 6.
# Without contexts both functions have three seconds.
#
# Why it matters: what blocked the process is what is missing, and the next profile begins after
# it. A function that follows a slow one falls to nothing, and a rate by duration_nanos is a third
# too low.
#
# @datadog/pprof 5.20.0; 5.14.4, which @pyroscope/nodejs 0.6.4 brings, does the same; November 2026

source "$(dirname "$0")/support.bash"
npm_packages @datadog/pprof@5.20.0

cat >"$work/late.js" <<'END'
const { time } = require('@datadog/pprof');
const until = end => { let turns = 0; while (Date.now() < end) turns++; return turns; };
const first = end => until(end) + 1, second = end => until(end) + 2;
time.start({ durationMillis: 1000, intervalMicros: 10000,
             withContexts: process.argv[2] === 'contexts' });
const start = Date.now();
first(start + 3000);
second(start + 6000);
const profile = time.stop();
const { strings } = profile.stringTable;
const location = new Map(profile.location.map(each => [each.id, each]));
const name = new Map(profile.function.map(each => [each.id, strings[each.name]]));
const seconds = { first: 0, second: 0 };
let sum = 0;
for (const { locationId, value } of profile.sample) {
  const wall = Number(value[1]) / 1e9;
  sum += wall;
  for (const id of locationId) {
    const frame = name.get(location.get(id).line[0].functionId);
    if (frame in seconds) seconds[frame] += wall;
  }
}
console.log(`duration ${Math.round(Number(profile.durationNanos) / 1e9)} s, ` +
  `sum ${Math.round(sum)} s, first ${Math.round(seconds.first)} s, ` +
  `second ${Math.round(seconds.second)} s`);
END
shows "without contexts" "$(cd "$work" && node late.js plain)" \
    "duration 6 s, sum 6 s, first 3 s, second 3 s"
shows "with contexts" "$(cd "$work" && node late.js contexts)" \
    "duration 6 s, sum 4 s, first 4 s, second 0 s"
