// SPDX-License-Identifier: Apache-2.0
// What was typed into a search, as a question to a name.

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
