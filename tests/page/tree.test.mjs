// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import test from "node:test";

import {eachChild, inverted, makeTree, outermost, sandwich, selfValues}
  from "../../tools/page/tree.js";
import {randomTree} from "./random.mjs";

const SEEDS = Array.from({length: 60}, (_, i) => i + 1);

/** The stacks of a tree with what they have for themselves, as "names: previous current". */
function stacks(tree, toText = names => names.join(" ")) {
  const previous = selfValues(tree, tree.previous);
  const current = selfValues(tree, tree.current);
  const found = new Map();
  for (let node = 1; node < tree.name.length; ++node) {
    const names = [];
    for (let at = node; at > 0; at = tree.parent[at]) {
      names.unshift(tree.name[at]);
    }
    const sums = found.get(toText(names)) || [0, 0];
    found.set(toText(names), [sums[0] + previous[node], sums[1] + current[node]]);
  }
  for (const [key, [before, after]] of found) {
    if (before === 0 && after === 0) {
      found.delete(key);
    }
  }
  return found;
}

/** The sum is made by hand, without the code under test. */
function cum(data, name, values) {
  let sum = 0;
  let inside = -1;
  for (let i = 1; i < data.name.length; ++i) {
    if (inside >= 0 && data.depth[i] > inside) {
      continue;
    }
    inside = -1;
    if (data.name[i] === name) {
      sum += values[i];
      inside = data.depth[i];
    }
  }
  return sum;
}

test("a tree has parents and ends", () => {
  const tree = makeTree({name: [0, 1, 2, 3, 4], depth: [0, 1, 2, 2, 1], medians: false,
                         previous: [], current: [10, 7, 3, 2, 3]});
  assert.deepEqual([...tree.parent], [-1, 0, 1, 1, 0]);
  assert.deepEqual([...tree.end], [5, 4, 3, 4, 5]);
  assert.deepEqual([...selfValues(tree, tree.current)], [0, 2, 3, 2, 3]);
  assert.deepEqual([...tree.previous], [0, 0, 0, 0, 0]);
  const children = [];
  eachChild(tree, 0, child => children.push(child));
  assert.deepEqual(children, [1, 4]);
});

test("a tree of the root alone has no stacks", () => {
  const tree = makeTree({name: [0], depth: [0], medians: false, previous: [], current: [0]});
  assert.equal(inverted(tree).name.length, 1);
  assert.deepEqual(outermost(tree, () => true), []);
});

test("the self values of all nodes add up to the root's value", () => {
  for (const seed of SEEDS) {
    const tree = makeTree(randomTree(seed));
    const sum = selfValues(tree, tree.current).reduce((a, b) => a + b);
    assert.equal(sum, tree.current[0]);
  }
});

test("the tree by leaf has the same stacks from their ends", () => {
  for (const seed of SEEDS) {
    const tree = makeTree(randomTree(seed, {lowest: seed % 2 ? 0 : -50}));
    const turned = inverted(tree);
    assert.equal(turned.current[0], tree.current[0]);
    assert.equal(turned.previous[0], tree.previous[0]);
    assert.deepEqual(stacks(turned, names => [...names].reverse().join(" ")), stacks(tree));
  }
});

test("the functions by leaf have their flat values", () => {
  const tree = makeTree(randomTree(5));
  const turned = inverted(tree);
  const flat = selfValues(tree, tree.current);
  const seen = new Set();
  eachChild(turned, 0, child => {
    assert.ok(!seen.has(turned.name[child]), "each once");
    seen.add(turned.name[child]);
    const own = flat.filter((_, node) => node > 0 && tree.name[node] === turned.name[child]);
    assert.equal(turned.current[child], own.reduce((a, b) => a + b));
  });
});

test("around a function both sides have its cum values, with each stack once", () => {
  for (const seed of SEEDS) {
    const data = randomTree(seed);
    const tree = makeTree(data);
    for (const name of [1, 2, 7]) {
      const {callers, callees} = sandwich(tree, name);
      for (const side of [callers, callees]) {
        assert.equal(side.name[0], name);
        assert.equal(side.current[0], cum(data, name, data.current));
        assert.equal(side.previous[0], cum(data, name, data.previous));
        const own = selfValues(side, side.current);
        assert.equal(own.reduce((a, b) => a + b), side.current[0]);
      }
      // The root of all callers has stacks in which nothing calls the function.
      assert.ok(selfValues(callers, callers.current).every(value => value >= 0));
      assert.ok(callers.name.slice(1).every(caller => caller !== name), "outermost frames only");
    }
  }
});

test("callees are those of all frames of the function together", () => {
  const tree = makeTree({name: [0, 1, 2, 3, 5, 2, 3, 4], depth: [0, 1, 2, 3, 1, 2, 3, 3],
                         medians: false, previous: [], current: [30, 10, 9, 4, 20, 18, 5, 6]});
  const {callers, callees} = sandwich(tree, 2);
  assert.deepEqual([...callees.name], [2, 3, 4]);
  assert.deepEqual([...callees.current], [27, 9, 6]);
  assert.deepEqual([...callers.name], [2, 5, 1]);
  assert.deepEqual([...callers.current], [27, 18, 9]);
});
