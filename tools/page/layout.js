// SPDX-License-Identifier: Apache-2.0
// Which frames of a tree are seen, and where they lie.

/** @typedef {import("./tree.js").Tree} Tree */

/**
 * A frame from `x` to `x + width`, as parts of the whole; `row` counts from the root of the tree.
 * @typedef {object} Frame
 * @property {number} node
 * @property {number} x
 * @property {number} width
 * @property {number} row
 * @property {boolean} isAbove whether it is a caller of the node that fills the width
 */

/**
 * The frames that are seen if the node `top` fills the width. Children that are together wider than
 * their parent share its width.
 * @param {Tree} tree
 * @param {Float64Array} widths
 * @param {number} top
 * @param {number} narrowest narrower frames are not seen
 * @returns {Frame[]}
 */
export function layout(tree, widths, top, narrowest) {
  /** @type {Frame[]} */
  const frames = [];
  for (let node = tree.parent[top]; node >= 0; node = tree.parent[node]) {
    frames.unshift({node, x: 0, width: 1, row: tree.depth[node], isAbove: true});
  }
  /** @type {Frame[]} */
  const open = [{node: top, x: 0, width: 1, row: tree.depth[top], isAbove: false}];
  while (open.length > 0) {
    const frame = /** @type {Frame} */ (open.pop());
    frames.push(frame);
    let sum = 0;
    /** @type {number[]} */
    const children = [];
    for (let child = frame.node + 1; child < tree.end[frame.node]; child = tree.end[child]) {
      sum += widths[child];
      children.push(child);
    }
    const whole = Math.max(sum, widths[frame.node]);
    if (whole <= 0) {
      continue;
    }
    let x = frame.x;
    /** @type {Frame[]} */
    const seen = [];
    for (const child of children) {
      const width = frame.width * widths[child] / whole;
      if (width >= narrowest) {
        seen.push({node: child, x, width, row: frame.row + 1, isAbove: false});
      }
      x += width;
    }
    open.push(...seen.reverse());
  }
  return frames;
}
