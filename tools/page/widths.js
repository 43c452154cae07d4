// SPDX-License-Identifier: Apache-2.0
// How wide the frames of a tree are, before there are pixels.

import {selfValues} from "./tree.js";

/** @typedef {import("./tree.js").Tree} Tree */
/** @typedef {"current" | "previous" | "change"} Measure */

/**
 * The sizes of what ends with each node, added up from the leaves. These always add up, also where
 * values are negative or cancel each other.
 * @param {Tree} tree
 * @param {(node: number) => number} own
 */
function addedUp(tree, own) {
  const widths = new Float64Array(tree.name.length);
  for (let node = widths.length - 1; node >= 0; --node) {
    widths[node] += Math.abs(own(node));
    if (node > 0) {
      widths[tree.parent[node]] += widths[node];
    }
  }
  return widths;
}

/**
 * The width of each node in units of the value, never negative.
 * @param {Tree} tree
 * @param {Measure} by
 */
export function widthsOf(tree, by) {
  if (by === "change") {
    const previous = selfValues(tree, tree.previous);
    const current = selfValues(tree, tree.current);
    return addedUp(tree, node => current[node] - previous[node]);
  }
  const values = tree[by];
  if (!values.some(value => value < 0)) {
    return values;
  }
  const self = selfValues(tree, values);
  return addedUp(tree, node => self[node]);
}

/**
 * Whether a tree has values that are less than zero, and so widths that are sums of sizes.
 * @param {Tree} tree
 * @param {Measure} by
 */
export function hasNegative(tree, by) {
  return by !== "change" && tree[by].some(value => value < 0);
}

/**
 * What the stacks without a width have together: of those that vanished the previous values, of all
 * others the current ones.
 * @param {Tree} tree
 * @param {Measure} by
 */
export function undrawnValue(tree, by) {
  if (tree.medians) {
    return 0; // What a median leaves of its callees is no value.
  }
  const previous = selfValues(tree, tree.previous);
  const current = selfValues(tree, tree.current);
  const width = (/** @type {number} */ node) => by === "current" ? current[node]
    : by === "previous" ? previous[node] : current[node] - previous[node];
  const values = by === "current" ? previous : current;
  return values.reduce((sum, value, node) => sum + (width(node) === 0 ? value : 0), 0);
}
