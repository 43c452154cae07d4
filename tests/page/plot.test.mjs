// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import test from "node:test";

import {
  domainOf, endsOf, known, linePath, medianOfFirstHalf, scale, ticks, timeTicks,
} from "../../tools/page/plot.js";

test("a plot goes from the least to the largest value", () => {
  assert.deepEqual(domainOf([3, 10, 1]), [1, 10]);
  assert.equal(scale([0, 10], 100, 200)(5), 150);
  assert.equal(scale([0, 10], 200, 100)(0), 200);
});

test("values that hardly differ are not stretched over the whole plot", () => {
  const [low, high] = domainOf([1000, 1001]);
  assert.ok(high - low >= 100 && low < 1000 && high > 1001);
  for (const values of [[0], [5], [-5, -5]]) {
    const [least, most] = domainOf(values);
    assert.ok(least < most && Number.isFinite(scale([least, most], 0, 1)(values[0])));
  }
});

test("ticks are round numbers within the plot, without end in no case", () => {
  assert.deepEqual(ticks(0, 10, 5, 10), [0, 2, 4, 6, 8, 10]);
  assert.deepEqual(ticks(0, 4096, 4, 2), [0, 1024, 2048, 3072, 4096]);
  assert.deepEqual(ticks(7, 7, 5, 10), [7]);
  assert.deepEqual(ticks(0, NaN, 5, 10), [0]);
  for (const [low, high] of [[-10, 3], [0, 1e-9], [0, 1e18], [-1e12, -1e11]]) {
    const found = ticks(low, high, 5, 10);
    assert.ok(found.length >= 2 && found.length <= 12, `${low} ${high}: ${found}`);
    assert.ok(found.every(tick => tick >= low - 1e-12 && tick <= high * (1 + 1e-9) + 1e-12));
  }
});

test("times are what people count in", () => {
  assert.deepEqual(timeTicks(4, 4), [0, 1, 2, 3, 4]);
  assert.deepEqual(timeTicks(0.5, 2), [0, 0.25, 0.5]);
  assert.deepEqual(timeTicks(0, 5), [0]);
  assert.ok(timeTicks(20000, 5).length <= 7);
});

test("a line is broken at a restart and where a value is not known", () => {
  const captures = [[0, 0], [1, 0], [2, 1], [3, 1], [4, 1], [5, 1]].map(([hours, series]) =>
    ({hours, series}));
  const path = linePath([1, 2, 3, null, 5, 6], captures, hours => hours, value => value);
  assert.equal(path, "M0.0 1.0L1.0 2.0M2.0 3.0M4.0 5.0L5.0 6.0");
  assert.deepEqual(known([1, null, 0]), [1, 0]);
});

test("the ends of dots are those of their axis", () => {
  assert.deepEqual(endsOf({base: [300, 200], head: [500]}, value => `${value}B`),
                   ["200B", "500B"]);
});

test("a row changes against the median of what is known of its first half", () => {
  assert.equal(medianOfFirstHalf([1, 3, 100, 100]), 2);
  assert.equal(medianOfFirstHalf([5, 1, 4, 100, 100]), 4);
  assert.equal(medianOfFirstHalf([null, 7, null, 9]), 7);
  assert.equal(medianOfFirstHalf([null, null, 8]), 0);
  assert.equal(medianOfFirstHalf([]), 0);
});
