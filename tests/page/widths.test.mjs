// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import test from "node:test";

import {makeQuery} from "../../tools/page/names.js";
import {
  hasNegative, inverted, layout, makeTree, matchedShare, matchingNames, sandwich, selfValues,
  undrawnValue, widthsOf,
} from "../../tools/page/tree.js";
import {randomTree} from "./random.mjs";

const SEEDS = Array.from({length: 60}, (_, i) => i + 1);
const MEASURES = ["current", "previous", "change"];
const close = (a, b) => assert.ok(Math.abs(a - b) < 1e-6, `${a} is not ${b}`);

function childrenSum(tree, widths, node) {
  let sum = 0;
  for (let child = node + 1; child < tree.end[node]; child = tree.end[child]) {
    sum += widths[child];
  }
  return sum;
}

test("children are together at most as wide as their parent, also of negative values", () => {
  for (const seed of SEEDS) {
    const tree = makeTree(randomTree(seed, {lowest: seed % 2 ? 0 : -80}));
    for (const measure of MEASURES) {
      const widths = widthsOf(tree, measure);
      widths.forEach((width, node) => {
        assert.ok(width >= 0);
        assert.ok(childrenSum(tree, widths, node) <= width + 1e-9);
      });
    }
  }
});

test("the width is the value if none is negative", () => {
  const tree = makeTree(randomTree(3));
  assert.deepEqual(widthsOf(tree, "current"), tree.current);
  assert.deepEqual(widthsOf(tree, "previous"), tree.previous);
  assert.equal(hasNegative(tree, "current"), false);
  assert.equal(hasNegative(makeTree(randomTree(3, {lowest: -80})), "current"), true);
});

test("a frame without a width has a value", () => {
  const values = {name: [0, 1, 2, 3, 4], depth: [0, 1, 1, 1, 1], medians: false,
                  previous: [17, 5, 0, 4, 8], current: [16, 5, 2, 0, 9]};
  const tree = makeTree(values);
  assert.equal(undrawnValue(tree, "current"), 4);
  assert.equal(undrawnValue(tree, "previous"), 2);
  assert.equal(undrawnValue(tree, "change"), 5);
  assert.equal(undrawnValue(makeTree({...values, medians: true}), "current"), 0);
});

test("the width by change is the size of all changes, which do not cancel each other", () => {
  const tree = makeTree({name: [0, 1, 2, 3], depth: [0, 1, 2, 2], medians: false,
                         previous: [10, 10, 4, 6], current: [10, 10, 9, 1]});
  assert.deepEqual([...widthsOf(tree, "change")], [10, 10, 5, 5]);
  for (const seed of SEEDS) {
    const random = makeTree(randomTree(seed));
    const previous = selfValues(random, random.previous);
    const sizes = selfValues(random, random.current).map((own, node) =>
      Math.abs(own - previous[node]));
    close(widthsOf(random, "change")[0], sizes.reduce((a, b) => a + b));
  }
});

test("a picture has no gaps but for what is its parent's own", () => {
  for (const seed of SEEDS) {
    const random = makeTree(randomTree(seed));
    const {callers, callees} = sandwich(random, 1);
    for (const tree of [random, inverted(random), callers, callees]) {
      const widths = widthsOf(tree, "current");
      const frames = layout(tree, widths, 0, 0);
      assert.equal(new Set(frames.map(frame => frame.node)).size, frames.length);
      const byNode = new Map(frames.map(frame => [frame.node, frame]));
      for (const frame of frames) {
        close(frame.width, widths[0] > 0 ? widths[frame.node] / widths[0] : frame.width);
        let x = frame.x;
        for (let child = frame.node + 1; child < tree.end[frame.node]; child = tree.end[child]) {
          const found = byNode.get(child);
          if (found) {
            close(found.x, x);
            assert.equal(found.row, frame.row + 1);
            x += found.width;
          }
        }
        assert.ok(x <= frame.x + frame.width + 1e-9);
      }
    }
  }
});

test("medians of children that are more than their parent's share its width", () => {
  const tree = makeTree({name: [0, 1, 2, 3], depth: [0, 1, 2, 2], medians: true,
                         previous: [0, 0, 0, 0], current: [10, 8, 6, 6]});
  const frames = layout(tree, widthsOf(tree, "current"), 0, 0);
  const rounded = value => Math.round(value * 1e6) / 1e6;
  assert.deepEqual(frames.map(({x, width}) => [rounded(x), rounded(width)]),
                   [[0, 1], [0, 0.8], [0, 0.4], [0.4, 0.4]]);
});

test("the node that is zoomed to fills the width, below its callers", () => {
  const tree = makeTree({name: [0, 1, 2, 3, 4], depth: [0, 1, 2, 2, 1], medians: false,
                         previous: [], current: [10, 8, 2, 6, 2]});
  const frames = layout(tree, widthsOf(tree, "current"), 3, 0);
  assert.deepEqual(frames.map(({node, x, width, isAbove}) => [node, x, width, isAbove]),
                   [[0, 0, 1, true], [1, 0, 1, true], [3, 0, 1, false]]);
});

test("a frame that is too narrow is left out, and takes its place all the same", () => {
  const tree = makeTree({name: [0, 1, 2], depth: [0, 1, 1], medians: false,
                         previous: [], current: [1000, 1, 999]});
  assert.deepEqual(layout(tree, widthsOf(tree, "current"), 0, 0.01).map(frame => frame.node),
                   [0, 2]);
  close(layout(tree, widthsOf(tree, "current"), 0, 0.01)[1].x, 0.001);
});

test("a tree without a width is its root", () => {
  const tree = makeTree({name: [0, 1], depth: [0, 1], medians: false, previous: [],
                         current: [0, 0]});
  assert.deepEqual(layout(tree, widthsOf(tree, "current"), 0, 0.001).map(frame => frame.node), [0]);
});

test("the share that matches has each stack once, whichever way it is drawn", () => {
  const names = ["", ..."abcdefghijkl"].map(letter => letter && `package.${letter}`);
  for (const seed of SEEDS) {
    const tree = makeTree(randomTree(seed));
    for (const text of ["package.a", "/[a-d]$/", "PACKAGE", "nothing"]) {
      const isMatch = matchingNames(names, makeQuery(text));
      const own = selfValues(tree, tree.current);
      let expected = 0;
      own.forEach((value, node) => {
        let at = node;
        while (at > 0 && !isMatch[tree.name[at]]) {
          at = tree.parent[at];
        }
        expected += at > 0 ? value : 0;
      });
      const turned = inverted(tree);
      const share = matchedShare(tree, widthsOf(tree, "current"), isMatch);
      close(share, expected / tree.current[0]);
      close(matchedShare(turned, widthsOf(turned, "current"), isMatch), share);
    }
  }
});

test("text matches in either case, and /text/ is a regular expression", () => {
  const matches = (text, name) => {
    const query = makeQuery(text);
    return query.matches !== null && query.matches(name);
  };
  assert.ok(matches("WriteTo", "pprof.writeto"));
  assert.ok(matches("a.b*", "x a.b* y"));
  assert.ok(!matches("a.b", "axb"));
  assert.ok(matches("/^A.B$/", "axb"));
  assert.ok(!matches("/^a$/", "aa"));
  assert.equal(makeQuery("").matches, null);
  assert.equal(makeQuery("  ").matches, null);
  assert.equal(makeQuery("/(/").matches, null);
  assert.notEqual(makeQuery("/(/").fault, "");
  assert.ok(matches("//", "a//b"));
  assert.deepEqual([...matchingNames(["", "ab", "c"], makeQuery("/.*/"))], [0, 1, 1]);
});
