// SPDX-License-Identifier: Apache-2.0
// What is known of the frame at hand: in a line that can be selected and that screen readers read,
// and beside the pointer.

import {button, foreign, html} from "./dom.js";

/** @typedef {{name: string, place: string, figures: [string, string][]} | null} Line */

export class Details {
  constructor() {
    this.text = "";
    this.name = html("span", {class: "details-name"});
    this.figures = html("span", {class: "details-figures"});
    this.copy = button({class: "quiet", "aria-label": "Copy the name"}, "Copy",
                       () => this.copyName());
    this.line = html("div", {id: "details", class: "details", "aria-live": "polite"}, this.name,
                     this.copy, this.figures);
    this.tooltip = html("div", {id: "tooltip", class: "tooltip", role: "tooltip", hidden: ""});
  }

  async copyName() {
    try {
      await navigator.clipboard.writeText(this.text);
      this.copy.textContent = "Copied";
    } catch (fault) {
      // Some browsers refuse it for files; the name is then marked for the user to copy.
      const selection = getSelection();
      if (selection) {
        selection.selectAllChildren(this.name);
      }
      this.copy.textContent = "Selected";
    }
    setTimeout(() => {
      this.copy.textContent = "Copy";
    }, 1500);
  }

  /** @param {Line} line */
  show(line) {
    this.text = line ? line.name : "";
    this.copy.hidden = !line;
    this.name.replaceChildren(foreign(this.text));
    this.figures.replaceChildren(...(line ? line.figures : []).map(([word, figure]) =>
      html("span", {class: "fact"}, html("span", {class: "word"}, word), " ", figure)));
  }

  /** @param {Line} line nothing is shown without one */
  showTooltip(line) {
    this.tooltip.hidden = !line;
    if (!line) {
      return;
    }
    this.tooltip.replaceChildren(
      html("div", {class: "tooltip-name"}, foreign(line.name)),
      html("dl", {}, line.figures.map(([word, figure]) =>
        [html("dt", {}, word), html("dd", {}, figure)]),
           line.place === "" ? null : [html("dt", {}, "source"),
                                       html("dd", {class: "place"}, foreign(line.place))]));
  }

  /**
   * To a place in the window, or where there is room beside it.
   * @param {number} x
   * @param {number} y
   */
  move(x, y) {
    this.tooltip.style.left = "0"; // Its size depends on the room to its right.
    const {width, height} = this.tooltip.getBoundingClientRect();
    const room = document.documentElement.clientWidth;
    const left = Math.max(4, Math.min(x + 14, room - width - 4));
    const top = y + 18 + height > innerHeight ? y - height - 12 : y + 18;
    this.tooltip.style.left = `${left}px`;
    this.tooltip.style.top = `${Math.max(4, Math.min(top, innerHeight - height - 4))}px`;
  }}
