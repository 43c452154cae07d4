// SPDX-License-Identifier: Apache-2.0
// The field for what is searched in the picture, and what share of it was found.

import {html} from "./dom.js";
import {shareText} from "./format.js";
import {makeQuery} from "./query.js";
import {matchedShare, matchingNames} from "./search.js";

/** @typedef {import("./tree.js").Tree} Tree */

export class SearchBox {
  /**
   * @param {string[]} names
   * @param {(text: string) => void} search
   * @param {() => void} next leads to the next match
   */
  constructor(names, search, next) {
    this.names = names;
    this.text = "";
    /** By name; null if nothing is searched. @type {Uint8Array | null} */
    this.isMatch = null;
    this.input = html("input", {
      id: "search", type: "search", autocomplete: "off", spellcheck: "false",
      placeholder: "Search functions", "aria-describedby": "search-result",
      title: "Text, or a /regular expression/. Enter leads to the next match.",
    });
    this.input.addEventListener("input", () => search(this.input.value));
    this.input.addEventListener("keydown", event => {
      if (event.key === "Enter") {
        search(this.input.value);
        next();
      }
    });
    this.result = html("output", {id: "search-result", for: "search"});
    this.element = html("div", {class: "search"},
      html("label", {for: "search", class: "unseen"}, "Search functions"), this.input,
      html("kbd", {"aria-hidden": "true"}, "/"), this.result);
  }

  /**
   * @param {string} text
   * @param {Tree} tree
   * @param {Float64Array} widths of the tree
   */
  show(text, tree, widths) {
    if (this.input.value !== text) {
      this.input.value = text;
    }
    const query = makeQuery(text);
    if (text !== this.text) {
      this.text = text;
      this.isMatch = query.matches ? matchingNames(this.names, query) : null;
    }
    this.result.textContent = this.isMatch ? this.foundText(this.isMatch, tree, widths)
      : query.fault;
  }

  /**
   * @param {Uint8Array} isMatch
   * @param {Tree} tree
   * @param {Float64Array} widths
   */
  foundText(isMatch, tree, widths) {
    const count = new Set(tree.name.filter(name => isMatch[name] !== 0)).size;
    return `${shareText(matchedShare(tree, widths, isMatch), 1)} matched, ` +
      (count === 1 ? "1 name" : `${count} names`);
  }
}
