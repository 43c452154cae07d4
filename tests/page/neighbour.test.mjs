// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import test from "node:test";

import {neighbour} from "../../tools/page/flame.js";

/** Rows of frames, each as its begin and its end; those in brackets have no element. */
function rowsOf(...rows) {
  return rows.map((row, number) => row.map(([x, end, element = {}]) =>
    ({row: number, element, frame: {x, width: end - x}})));
}

const rows = rowsOf([[0, 1]], [[0, 0.3], [0.3, 0.32, null], [0.4, 0.9]], [[0.4, 0.5], [0.5, 0.9]]);
const lead = (from, key) => neighbour(rows, from, key);

test("arrows lead up and down to the widest frame beside", () => {
  assert.equal(lead(rows[0][0], "ArrowDown"), rows[1][2]);
  assert.equal(lead(rows[1][2], "ArrowDown"), rows[2][1]);
  assert.equal(lead(rows[2][0], "ArrowUp"), rows[1][2]);
  assert.equal(lead(rows[1][0], "ArrowUp"), rows[0][0]);
  assert.equal(lead(rows[1][0], "ArrowDown"), undefined);
  assert.equal(lead(rows[0][0], "ArrowUp"), undefined);
  assert.equal(lead(rows[2][1], "ArrowDown"), undefined);
});

test("arrows lead left and right over frames that are too narrow", () => {
  assert.equal(lead(rows[1][0], "ArrowRight"), rows[1][2]);
  assert.equal(lead(rows[1][2], "ArrowLeft"), rows[1][0]);
  assert.equal(lead(rows[1][0], "ArrowLeft"), undefined);
  assert.equal(lead(rows[1][2], "ArrowRight"), undefined);
});

test("Home leads to the first frame, other keys nowhere", () => {
  assert.equal(lead(rows[2][1], "Home"), rows[0][0]);
  assert.equal(lead(rows[2][1], "a"), undefined);
});
