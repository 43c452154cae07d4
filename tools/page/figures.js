// SPDX-License-Identifier: Apache-2.0
// The figures of one frame in words.

import {hasPrevious} from "./data.js";
import {human, humanChange, percentOf, shareText} from "./format.js";

/** @typedef {import("./data.js").SampleType} SampleType */

/**
 * What is known of a frame.
 * @typedef {object} Facts
 * @property {number} previous
 * @property {number} current
 * @property {number} ownPrevious of stacks that end with it
 * @property {number} ownCurrent
 * @property {number} whole the current value of all, as a sum of sizes
 * @property {string} row what a test found for the row of its name, empty for nothing
 */

/**
 * Words and figures, one pair for each line of a tooltip.
 * @param {SampleType} type
 * @param {[string, string]} sides
 * @param {Facts} facts
 * @returns {[string, string][]}
 */
export function figuresOf(type, sides, facts) {
  const text = (/** @type {number} */ value) =>
    human(value, type.unit) + (type.rate ? "/s" : "");
  const change = facts.current - facts.previous;
  const ownChange = facts.ownCurrent - facts.ownPrevious;
  /** @type {[string, string][]} */
  const lines = [];
  if (hasPrevious(type)) {
    lines.push(["change", humanChange(change, type.unit) + " (" +
                          percentOf(facts.previous, change) + ")"],
               [sides[0], text(facts.previous)], [sides[1], text(facts.current)]);
    if (facts.ownPrevious !== 0 || facts.ownCurrent !== 0) {
      lines.push(["flat", text(facts.ownCurrent) + " (" + humanChange(ownChange, type.unit) +
                          ")"]);
    }
  } else {
    const signed = (/** @type {number} */ value) =>
      type.content === "delta" ? humanChange(value, type.unit) : text(value);
    lines.push([type.content === "delta" ? "in between" : "value", signed(facts.current)]);
    if (facts.ownCurrent !== 0) {
      lines.push(["flat", signed(facts.ownCurrent)]);
    }
  }
  lines.push(["share", shareText(facts.current, facts.whole)]);
  if (facts.row !== "") {
    lines.push(["all of this name", facts.row]);
  }
  return lines;
}
