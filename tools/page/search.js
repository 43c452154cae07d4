// SPDX-License-Identifier: Apache-2.0
// Which names match what was typed, and what share of all stacks they have.

import {outermost} from "./tree.js";

/** @typedef {import("./tree.js").Tree} Tree */

/**
 * @typedef {object} Query
 * @property {((text: string) => boolean) | null} matches null if nothing is searched
 * @property {string} fault why the pattern is none, empty if it is one
 */

/**
 * Whether what was typed is a regular expression between slashes.
 * @param {string} text
 */
export function isExpression(text) {
  return /^\/.+\/$/.test(text);
}

/**
 * Text matches names that have it in either case; /text/ is a regular expression.
 * @param {string} text
 * @returns {Query}
 */
export function makeQuery(text) {
  if (isExpression(text)) {
    try {
      const expression = new RegExp(text.slice(1, -1), "iu");
      return {matches: name => expression.test(name), fault: ""};
    } catch (fault) {
      return {matches: null, fault: "not a regular expression"};
    }
  }
  const wanted = text.trim().toLowerCase();
  return {matches: wanted === "" ? null : name => name.toLowerCase().includes(wanted), fault: ""};
}

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
