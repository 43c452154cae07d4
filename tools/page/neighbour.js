// SPDX-License-Identifier: Apache-2.0
// The way of the keyboard from frame to frame.

/** @typedef {import("./flame.js").Item} Item */

/**
 * The frame to which a key leads: in a row to the left or right, and to the widest one of the next
 * row above or below. Only frames that have elements can be reached.
 * @param {Item[][]} rows
 * @param {Item} item
 * @param {string} key
 * @returns {Item | undefined}
 */
export function neighbour(rows, item, key) {
  const inRow = (/** @type {number} */ row) => (rows[row] || []).filter(({element}) => element);
  const row = inRow(item.row);
  switch (key) {
  case "ArrowLeft":
    return row[row.indexOf(item) - 1];
  case "ArrowRight":
    return row[row.indexOf(item) + 1];
  case "ArrowUp":
  case "ArrowDown": {
    const {x, width} = item.frame;
    const beside = inRow(item.row + (key === "ArrowUp" ? -1 : 1)).filter(({frame}) =>
      frame.x < x + width && x < frame.x + frame.width);
    return beside.sort((a, b) => b.frame.width - a.frame.width)[0];
  }
  case "Home":
    return inRow(0)[0];
  default:
    return undefined;
  }
}
