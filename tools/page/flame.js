// SPDX-License-Identifier: Apache-2.0
// Draws frames as elements of HTML: their text can be selected and be read aloud, and the browser
// stretches them with the window. Thousands of them are too narrow for text; these are parts of few
// paths, as elements would cost most of the time.

import {html, svg} from "./dom.js";
import {layout} from "./layout.js";
import {labelOf} from "./names.js";
import {neighbour} from "./neighbour.js";

/** @typedef {import("./tree.js").Tree} Tree */
/** @typedef {import("./layout.js").Frame} Frame */

/**
 * A tree in the picture. Of a tree that stands on its head the root is the lowest row.
 * @typedef {object} Part
 * @property {Tree} tree
 * @property {Float64Array} widths
 * @property {number} top the node that fills the width
 * @property {boolean} isFlipped
 * @property {boolean} hasRoot whether the root is drawn
 * @property {boolean} endsInLeaves whether what a node has for itself are stacks that end with it
 */

/** @typedef {{part: Part, frame: Frame, row: number, element: HTMLElement | null}} Item */

/** In pixels; narrower frames could not be seen. */
const NARROWEST = 0.4;
/** In pixels; narrower frames have no elements of their own. */
const ELEMENT_FROM = 4;
const PADDING = 7;
/** Fewer say nothing of a longer name. */
const LEAST_LETTERS = 4;
/** Of the paths of narrow frames, in units that are stretched to the size of the picture. */
const PATHS_WIDTH = 100000;
const PATHS_ROW = 19;

export class Flame {
  /**
   * @param {import("./look.js").Look} look
   * @param {{choose: (item: Item) => void, point: (item: Item | null, at: PointerEvent | null) =>
   *          void, focus: (item: Item) => void}} handlers
   */
  constructor(look, handlers) {
    this.look = look;
    /** @type {Item[]} */
    this.items = [];
    /** @type {Map<Element, Item>} */
    this.itemOf = new Map();
    /** @type {Part[]} */
    this.parts = [];
    /** @type {Item[][]} */
    this.rows = [];
    /** @type {Uint8Array | null} */
    this.isMatch = null;
    this.element = html("div", {id: "frames", class: "frames", role: "tree"});
    this.narrow = svg("svg", {class: "narrow", preserveAspectRatio: "none",
                              "aria-hidden": "true"});
    this.ruler = html("span", {class: "ruler", "aria-hidden": "true"}, "x".repeat(100));
    this.width = 0;
    /** @type {Item | undefined} */
    this.current = undefined;
    this.listen(handlers);
  }

  /**
   * @param {{choose: (item: Item) => void, point: (item: Item | null, at: PointerEvent | null) =>
   *          void, focus: (item: Item) => void}} handlers
   */
  listen(handlers) {
    const element = this.element;
    const itemOf = (/** @type {Event} */ event) => {
      const frame = event.target instanceof Element ? event.target.closest(".frame") : null;
      return (frame && this.itemOf.get(frame)) || null;
    };
    element.addEventListener("click", event => {
      const item = itemOf(event) || this.itemAt(event);
      const selection = getSelection();
      // Whoever selects text to copy it does not want another picture.
      const isSelecting = selection && !selection.isCollapsed && element.contains(
        selection.anchorNode);
      if (item && !isSelecting) {
        handlers.choose(item);
      }
    });
    element.addEventListener("pointermove", event => handlers.point(this.itemAt(event), event));
    element.addEventListener("pointerleave", () => handlers.point(null, null));
    element.addEventListener("focusin", event => {
      const item = itemOf(event);
      if (item) {
        this.makeCurrent(item);
        handlers.focus(item);
      }
    });
    element.addEventListener("keydown", event => {
      const item = itemOf(event);
      if (!item || event.altKey || event.ctrlKey || event.metaKey) {
        return;
      }
      const next = neighbour(this.rows, item, event.key);
      if (next && next.element) {
        next.element.focus();
        event.preventDefault();
      } else if (event.key === "Enter" || event.key === " ") {
        handlers.choose(item);
        event.preventDefault();
      }
    });
    element.addEventListener("copy", event => this.copy(event));
    // Where text fits depends on the width.
    new ResizeObserver(() => {
      if (Math.abs(element.clientWidth - this.width) >= 1) {
        requestAnimationFrame(() => this.draw(this.parts));
      }
    }).observe(element);
  }

  /**
   * Frames have short names; what is copied are the whole ones.
   * @param {ClipboardEvent} event
   */
  copy(event) {
    const selection = getSelection();
    if (!selection || selection.isCollapsed || !event.clipboardData) {
      return;
    }
    const names = this.items
      .filter(item => item.element && selection.containsNode(item.element, true))
      .map(item => this.look.name(item.part.tree, item.frame.node));
    if (names.length > 0) {
      event.clipboardData.setData("text/plain", names.join("\n"));
      event.preventDefault();
    }
  }

  /** @param {Part[]} parts from the highest to the lowest */
  draw(parts) {
    this.parts = parts;
    this.width = this.element.clientWidth;
    if (this.width === 0) {
      return;
    }
    const hadFocus = this.element.contains(document.activeElement);
    this.element.append(this.ruler);
    const letter = this.ruler.getBoundingClientRect().width / 100 || 7;
    this.items = [];
    this.rows = [];
    this.itemOf.clear();
    for (const part of parts) {
      this.addPart(part, letter);
    }
    const height = this.rows.length * PATHS_ROW;
    this.narrow.setAttribute("viewBox", `0 0 ${PATHS_WIDTH} ${height}`);
    const all = document.createDocumentFragment();
    all.append(this.narrow);
    for (const {element} of this.items) {
      if (element) {
        all.append(element);
      }
    }
    this.element.replaceChildren(all);
    this.element.style.setProperty("--rows", String(this.rows.length));
    this.highlight(this.isMatch);
    const last = parts[parts.length - 1];
    const current = this.items.find(item => item.part === last && item.frame.node === last.top);
    if (current) {
      this.makeCurrent(current);
      if (current.element && parts.length > 1) {
        current.element.classList.add("center");
      }
    }
    if (hadFocus) {
      this.focus();
    }
  }

  /**
   * The frame under the pointer.
   * @param {MouseEvent} event
   */
  itemAt(event) {
    const box = this.element.getBoundingClientRect();
    const x = (event.clientX - box.left) / box.width;
    const row = this.rows[Math.floor((event.clientY - box.top) / box.height * this.rows.length)];
    return (row || []).find(({frame}) => frame.x <= x && x < frame.x + frame.width) || null;
  }

  /**
   * @param {Part} part
   * @param {number} letter width in pixels
   */
  addPart(part, letter) {
    const firstRow = this.rows.length;
    const frames = layout(part.tree, part.widths, part.top, NARROWEST / this.width)
      .filter(frame => part.hasRoot || frame.node !== 0);
    const skipped = part.hasRoot ? 0 : 1;
    const rows = frames.reduce((most, frame) => Math.max(most, frame.row + 1), skipped) - skipped;
    for (let row = 0; row < rows; ++row) {
      this.rows.push([]);
    }
    for (const frame of frames) {
      const fromRoot = frame.row - skipped;
      const row = firstRow + (part.isFlipped ? rows - 1 - fromRoot : fromRoot);
      const element = frame.width * this.width < ELEMENT_FROM ? null
        : this.frameElement(part, frame, row, letter);
      const item = {part, frame, row, element};
      this.items.push(item);
      this.rows[row].push(item);
      if (element) {
        this.itemOf.set(element, item);
      }
    }
  }

  /**
   * @param {Part} part
   * @param {Frame} frame
   * @param {number} row
   * @param {number} letter
   */
  frameElement(part, frame, row, letter) {
    const element = document.createElement("div");
    const pixels = frame.width * this.width;
    element.className = `frame ${this.look.className(part.tree, frame.node)}` +
      (frame.isAbove ? " above" : "");
    element.setAttribute("role", "treeitem");
    element.setAttribute("aria-level", String(frame.row + 1));
    element.setAttribute("aria-label", this.look.spoken(part, frame.node));
    element.tabIndex = -1;
    element.style.left = `${frame.x * 100}%`;
    element.style.width = `${frame.width * 100}%`;
    element.style.setProperty("--row", String(row));
    const room = Math.floor((pixels - PADDING) / letter);
    const name = this.look.name(part.tree, frame.node);
    if (room >= Math.min(LEAST_LETTERS, labelOf(name).length)) {
      element.textContent = this.look.names.short(name, room);
    }
    return element;
  }

  /**
   * One frame can be reached with the Tab key; arrows lead to the others.
   * @param {Item} item
   */
  makeCurrent(item) {
    if (this.current && this.current.element) {
      this.current.element.tabIndex = -1;
    }
    this.current = item;
    if (item.element) {
      item.element.tabIndex = 0;
    }
  }

  /** Moves the focus into the picture. */
  focus() {
    if (this.current && this.current.element) {
      this.current.element.focus({preventScroll: true});
    }
  }

  /**
   * Sets what matches apart from the rest.
   * @param {Uint8Array | null} isMatch by name; null if nothing is searched
   */
  highlight(isMatch) {
    this.isMatch = isMatch;
    /** @type {Map<string, string[]>} */
    const paths = new Map();
    for (const {part, frame, row, element} of this.items) {
      const found = isMatch !== null && isMatch[part.tree.name[frame.node]] !== 0;
      const isFaded = isMatch !== null && !found;
      if (element) {
        element.classList.toggle("match", found);
        element.classList.toggle("faded", isFaded);
        continue;
      }
      const name = found ? "match" : this.look.className(part.tree, frame.node) +
        (isFaded ? " faded" : "");
      const path = paths.get(name) || [];
      paths.set(name, path);
      const width = (frame.width * PATHS_WIDTH).toFixed(1);
      path.push(`M${(frame.x * PATHS_WIDTH).toFixed(1)} ${row * PATHS_ROW}h${width}` +
        `v${PATHS_ROW - 1}h-${width}z`);
    }
    this.narrow.replaceChildren(...[...paths].map(([name, path]) =>
      svg("path", {class: name, d: path.join("")})));
  }
}
