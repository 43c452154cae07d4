// SPDX-License-Identifier: Apache-2.0
// Which names match a query, and what share of all stacks they have.

import {outermost} from "./tree.js";

/** @typedef {import("./tree.js").Tree} Tree */

/** @typedef {import("./query.js").Query} Query */

/**
 * For each name whether it matches. The empty name, which has no function, never does.
 * @param {string[]} names
 * @param {Query} query
 */
export function matchingNames(names, query) {
  const found = new Uint8Array(names.length);
  const matches = query.matches;
  if (matches) {
    names.forEach((name, i) => {
      found[i] = name !== "" && matches(name) ? 1 : 0;
    });
  }
  return found;
}

/**
 * The width of all stacks with a frame that matches, each once, as a part of the whole.
 * @param {Tree} tree
 * @param {Float64Array} widths
 * @param {Uint8Array} isMatch by name
 */
export function matchedShare(tree, widths, isMatch) {
  let sum = 0;
  for (const node of outermost(tree, name => isMatch[name] !== 0)) {
    sum += widths[node];
  }
  return widths[0] > 0 ? Math.min(1, sum / widths[0]) : 0;
}
