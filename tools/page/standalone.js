// SPDX-License-Identifier: Apache-2.0
// The script of a flame graph in SVG, which stands in a file of its own. It takes all data from the
// picture: each frame is a group of a title, a rectangle, and maybe a text. The parts that it adds
// come into the group of the class "controls".

import {ShortNames, makeQuery} from "./names.js";

/** @typedef {{group: Element, rect: Element, text: Element | null, name: string, value: string,
 *             x: number, y: number, width: number, shownWidth: number}} Drawn */

/** The sizes in pixels, of a monospaced font of 12. */
const LETTER = 7.3;
const PADDING = 6;
/** The width in letters. */
const LEAST_ROOM = 3;
const SEARCH_WIDTH = 160;
const SHARE_WIDTH = 60;
/** Places are written with two decimals. */
const SLACK = 0.02;
const XHTML = "http://www.w3.org/1999/xhtml";

/** @type {(parent: Element, name: string, attributes: Record<string, string | number>,
 *          space?: string | null) => Element} */
function add(parent, name, attributes, space = parent.namespaceURI) {
  const element = document.createElementNS(space, name);
  for (const [key, value] of Object.entries(attributes)) {
    element.setAttribute(key, String(value));
  }
  parent.append(element);
  return element;
}

/** @type {(group: Element) => Drawn} */
function frameOf(group) {
  const [title, rect] = group.children;
  const [name, value] = (title.textContent || "").split("\n");
  const number = (/** @type {string} */ key) => Number(rect.getAttribute(key));
  return {group, rect, name, value, text: group.querySelector("text"), x: number("x"),
          y: number("y"), width: number("width"), shownWidth: number("width")};
}

class Picture {
  /** @param {Element} svg */
  constructor(svg) {
    this.frames = Array.from(svg.querySelectorAll(".frames > g"), frameOf);
    this.byGroup = new Map(this.frames.map(frame => [frame.group, frame]));
    this.root = this.frames[0];
    this.zoomed = this.root;
    const forms = /** @type {Element} */ (svg.querySelector("metadata"));
    this.names = new ShortNames([...new Set(this.frames.map(({name}) => name))],
                                JSON.parse(forms.textContent || ""));
    const controls = /** @type {Element} */ (svg.querySelector(".controls"));
    const right = this.root.width - SEARCH_WIDTH;
    this.nameRoom = Math.floor((right - SHARE_WIDTH - 8) / LETTER);
    this.valueRoom = Math.floor(this.root.width / LETTER);
    this.nameLine = add(controls, "text", {class: "details", y: 4});
    this.valueLine = add(controls, "text", {class: "details", y: 21});
    this.share = add(controls, "text", {x: right - 8, y: 4, "text-anchor": "end",
                                        role: "status"});
    const field = add(controls, "foreignObject",
                      {x: right, y: -11, width: SEARCH_WIDTH, height: 20});
    this.input = /** @type {HTMLInputElement} */ (add(field, "input",
      {class: "search", placeholder: "/ to search", "aria-label": "Search"}, XHTML));
    svg.addEventListener("click", event => {
      const frame = this.at(event);
      if (frame) {
        this.zoom(frame);
      }
    });
    svg.addEventListener("mouseover", event => this.describe(this.at(event)));
    this.input.addEventListener("input", () => this.search());
    document.addEventListener("keydown", event => this.key(event));
    this.describe(undefined);
  }

  /** @param {Event} event */
  at(event) {
    const group = event.target instanceof Element ? event.target.closest(".frames > g") : null;
    return group ? this.byGroup.get(group) : undefined;
  }

  /** @param {Drawn | undefined} frame */
  describe(frame) {
    const name = frame ? frame.name : "";
    this.nameLine.textContent =
      name.length <= this.nameRoom ? name : this.names.short(name, this.nameRoom);
    const value = frame ? frame.value : "Click: zoom in. Esc: zoom out.";
    this.valueLine.textContent = value.length <= this.valueRoom ? value
      : `${value.slice(0, this.valueRoom - 1)}\u2026`;
  }

  /** @type {(frame: Drawn, x: number, width: number, isAbove: boolean) => void} */
  place(frame, x, width, isAbove) {
    frame.shownWidth = width;
    frame.group.removeAttribute("style");
    frame.group.classList.toggle("above", isAbove);
    frame.rect.setAttribute("x", String(x));
    frame.rect.setAttribute("width", String(width));
    const room = Math.floor((width - PADDING) / LETTER);
    if (!frame.text && room >= LEAST_ROOM) {
      frame.text = add(frame.group, "text", {y: frame.y + 12});
    }
    if (frame.text) {
      frame.text.setAttribute("x", String(x + PADDING / 2));
      frame.text.textContent = room < LEAST_ROOM ? "" : this.names.short(frame.name, room);
    }
  }

  /** @param {Drawn} to */
  zoom(to) {
    this.zoomed = to;
    const root = this.root;
    const scale = root.width / to.width;
    for (const frame of this.frames) {
      const end = frame.x + frame.width;
      if (frame.y >= to.y && frame.x >= to.x - SLACK && end <= to.x + to.width + SLACK) {
        this.place(frame, root.x + (frame.x - to.x) * scale, frame.width * scale, false);
      } else if (frame.y < to.y && frame.x <= to.x + SLACK && end >= to.x + to.width - SLACK) {
        this.place(frame, root.x, root.width, true);
      } else {
        frame.shownWidth = 0;
        frame.group.setAttribute("style", "display: none");
      }
    }
    this.search();
  }

  /** Each stack counts once, whatever matches in it, and only as far as it is shown. */
  search() {
    const wanted = this.input.value;
    const {matches} = makeQuery(wanted);
    let width = 0;
    /** @type {Drawn | null} */
    let counted = null;
    for (const frame of this.frames) {
      const isMatch = matches !== null && matches(frame.name);
      frame.group.classList.toggle("match", isMatch);
      if (counted && frame.y <= counted.y) {
        counted = null;
      }
      if (isMatch && !counted && frame.y >= this.zoomed.y && frame.shownWidth > 0) {
        counted = frame;
        width += frame.shownWidth;
      }
    }
    const parent = /** @type {Element} */ (this.root.group.parentNode);
    parent.classList.toggle("searching", wanted !== "");
    this.share.textContent = wanted === "" ? ""
      : `${(100 * width / this.root.width).toFixed(2)}%`;
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const isCommand = event.ctrlKey || event.metaKey;
    const asksForSearch = event.key === "/" || (event.key === "f" && isCommand);
    if (event.key === "Escape") {
      if (this.input.value === "") {
        this.zoom(this.root);
      }
      this.input.value = "";
      this.input.blur();
      this.search();
    } else if (asksForSearch && event.target !== this.input) {
      event.preventDefault();
      this.input.focus();
      this.input.select();
    }
  }
}

const script = document.currentScript;
const svg = script && script.parentElement;
if (svg) {
  new Picture(svg);
}
