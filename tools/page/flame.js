// SPDX-License-Identifier: Apache-2.0
// Draws frames as elements of HTML: their text can be selected and be read aloud, and the browser
// stretches them with the window. Thousands of them are too narrow for text; these are parts of few
// paths, as elements would cost most of the time.

import {html, isSelecting, onCopy, onResize, svg} from "./dom.js";
import {layout} from "./tree.js";

/** The width in pixels; narrower frames could not be seen. */
const NARROWEST = 0.4;
/** The width in pixels; narrower frames have no elements of their own. */
const ELEMENT_FROM = 4;
const PADDING = 7;
/** Fewer say nothing of a longer name. */
const LEAST_LETTERS = 4;
/** The paths of narrow frames are in units that are stretched to the picture's size. */
const PATHS_WIDTH = 100000;
const PATHS_ROW = 19;

// The frame to which a key leads: in a row to the left or right, and to the widest one of the next
// row above or below. Frames that have elements are the only ones that can be reached.
/** @type {(rows: Item[][], item: Item, key: string) => Item | undefined} */
export function neighbour(rows, item, key) {
  const inRow = (/** @type {number} */ row) => (rows[row] || []).filter(({element}) => element);
  const row = inRow(item.row);
  switch (key) {
  case "ArrowLeft":
    return row[row.indexOf(item) - 1];
  case "ArrowRight":
    return row[row.indexOf(item) + 1];
  case "ArrowUp":
  case "ArrowDown": {
    const {x, width} = item.frame;
    const beside = inRow(item.row + (key === "ArrowUp" ? -1 : 1)).filter(({frame}) =>
      frame.x < x + width && x < frame.x + frame.width);
    return beside.sort((a, b) => b.frame.width - a.frame.width)[0];
  }
  case "Home":
    return inRow(0)[0];
  default:
    return undefined;
  }
}

/** The frames of the parts of a picture. */
export class Flame {
  /**
   * @param {import("./look.js").Look} look
   * @param {{choose: (item: Item) => void, focus: (item: Item) => void,
   *          point: (item: Item | null, at: PointerEvent) => void}} handlers
   */
  constructor(look, handlers) {
    this.look = look;
    /** @type {Part[]} */
    this.parts = [];
    /** @type {Item[]} */
    this.items = [];
    /** @type {Item[][]} */
    this.rows = [];
    /** @type {Map<EventTarget | null, Item>} */
    this.itemOf = new Map();
    /** @type {Uint8Array | null} */
    this.isMatch = null;
    /** @type {Item | undefined} */
    this.current = undefined;
    this.width = 0;
    this.narrow = svg("svg", {class: "narrow", preserveAspectRatio: "none",
                              "aria-hidden": "true"});
    this.ruler = html("span", {class: "ruler", "aria-hidden": "true"}, "x".repeat(100));
    const element = html("div", {id: "frames", class: "frames", role: "tree"});
    this.element = element;
    element.addEventListener("click", event => {
      const item = this.itemOf.get(event.target) || this.itemAt(event);
      if (item && !isSelecting()) {
        handlers.choose(item);
      }
    });
    element.addEventListener("pointermove", event => handlers.point(this.itemAt(event), event));
    element.addEventListener("pointerleave", event => handlers.point(null, event));
    element.addEventListener("focusin", event => {
      const item = this.itemOf.get(event.target);
      if (item) {
        this.makeCurrent(item);
        handlers.focus(item);
      }
    });
    element.addEventListener("keydown", event => {
      const item = this.itemOf.get(event.target);
      if (!item || event.altKey || event.ctrlKey || event.metaKey) {
        return;
      }
      const next = neighbour(this.rows, item, event.key);
      if (next?.element) {
        next.element.focus();
        event.preventDefault();
      } else if (event.key === "Enter" || event.key === " ") {
        handlers.choose(item);
        event.preventDefault();
      }
    });
    onCopy(element, isSelected => this.items
      .filter(item => item.element && isSelected(item.element))
      .map(item => look.name(item.part.tree, item.frame.node)).join("\n"));
    onResize(element, () => this.width, () => this.draw(this.parts));
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
    this.narrow.setAttribute("viewBox", `0 0 ${PATHS_WIDTH} ${this.rows.length * PATHS_ROW}`);
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
      current.element?.classList.toggle("center", parts.length > 1);
    }
    if (hadFocus) {
      this.focus();
    }
  }

  // The frame under the pointer.
  /** @param {MouseEvent} event */
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
    this.rows.push(...Array.from({length: rows}, () => []));
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

  /** @type {(part: Part, frame: Frame, row: number, letter: number) => HTMLElement} */
  frameElement(part, frame, row, letter) {
    const name = this.look.name(part.tree, frame.node);
    const room = Math.floor((frame.width * this.width - PADDING) / letter);
    const element = html("div", {
      class: `frame ${this.look.className(part.tree, frame.node)}${frame.isAbove ? " above" : ""}`,
      role: "treeitem", "aria-level": frame.row + 1, tabindex: -1,
      "aria-label": this.look.spoken(part, frame.node), "--row": row,
    }, room < Math.min(LEAST_LETTERS, this.look.names.formsOf(name).texts[0].length) ? null
      : this.look.names.short(name, room));
    element.style.left = `${frame.x * 100}%`;
    element.style.width = `${frame.width * 100}%`;
    return element;
  }

  // One frame can be reached with the Tab key; arrows lead to the others.
  /** @param {Item} item */
  makeCurrent(item) {
    this.current?.element?.setAttribute("tabindex", "-1");
    this.current = item;
    item.element?.setAttribute("tabindex", "0");
  }

  /** Moves the focus into the picture. */
  focus() {
    this.current?.element?.focus({preventScroll: true});
  }

  // Sets what matches apart from the rest.
  /** @param {Uint8Array | null} isMatch by name; null if nothing is searched */
  highlight(isMatch) {
    this.isMatch = isMatch;
    /** @type {Map<string, string>} */
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
      const width = (frame.width * PATHS_WIDTH).toFixed(1);
      paths.set(name, `${paths.get(name) || ""}M${(frame.x * PATHS_WIDTH).toFixed(1)} ` +
        `${row * PATHS_ROW}h${width}v${PATHS_ROW - 1}h-${width}z`);
    }
    this.narrow.replaceChildren(...[...paths].map(([name, d]) => svg("path", {class: name, d})));
  }
}
