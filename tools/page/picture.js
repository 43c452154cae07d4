// SPDX-License-Identifier: Apache-2.0
// The flame graph with all that belongs to it: what it is of, search, path, legend and details.

import {contentText, hasPrevious, typeText} from "./data.js";
import {Details} from "./details.js";
import {button, choice, foreign, html} from "./dom.js";
import {Flame} from "./flame.js";
import {human} from "./format.js";
import {legend} from "./legend.js";
import {Look} from "./look.js";
import {SearchBox} from "./searchbox.js";
import {initialState} from "./state.js";
import {inverted, makeTree, sandwich, selfValues} from "./tree.js";
import {hasNegative, undrawnValue, widthsOf} from "./widths.js";

/** @typedef {import("./data.js").Data} Data */
/** @typedef {import("./data.js").SampleType} SampleType */
/** @typedef {import("./flame.js").Part} Part */
/** @typedef {import("./flame.js").Item} Item */
/** @typedef {import("./state.js").State} State */
/** @typedef {import("./tree.js").Tree} Tree */
/** @typedef {import("./widths.js").Measure} Measure */

/** @type {Pick<State, "view" | "zoom" | "center">} */
const DOWN = {view: "down", zoom: 0, center: ""};
/** Of a longer path the middle is left out. */
const LONGEST_PATH = 5;
/** In characters. */
const LONGEST_CRUMB = 32;

export class Picture {
  /**
   * @param {Data} data
   * @param {(change: Partial<State>, isStep: boolean) => void} change asks for another state;
   *     one that is a step can be undone with the browser's back button
   */
  constructor(data, change) {
    this.data = data;
    this.change = change;
    /** @type {SampleType | null} */
    this.type = null;
    this.state = initialState();
    /** @type {Tree | null} */
    this.tree = null;
    /** @type {Tree | null} */
    this.byLeaf = null;
    this.drawn = "";
    /** @type {Item | undefined} */
    this.lastMatch = undefined;
    /** @type {Item | null} */
    this.pointed = null;
    this.look = new Look(data);
    this.flame = new Flame(this.look, {
      choose: item => this.choose(item),
      point: (item, at) => this.point(item, at),
      focus: item => this.focus(item),
    });
    this.details = new Details();
    this.views = this.makeViews();
    this.measures = this.makeMeasures();
    this.search = new SearchBox(data.names, search => this.change({search}, false),
                                () => this.focusNextMatch());
    this.heading = html("h2", {id: "picture-heading"}, "Flame graph");
    this.path = html("nav", {class: "path", "aria-label": "Path of the zoom"});
    this.legend = html("div", {class: "legend"});
    this.note = html("p", {class: "note"});
    this.element = html("section", {id: "picture", "aria-labelledby": "picture-heading"},
      html("div", {class: "section-head"}, this.heading, this.legend),
      html("div", {class: "bar controls"}, this.views.element, this.measures.element,
           this.search.element),
      html("div", {class: "sticky"}, this.path, this.details.line),
      this.flame.element, this.note, this.details.tooltip);
  }

  makeViews() {
    return choice("Direction", "view", [
      {value: "down", text: "Callers above", title: "The root on top, callees below"},
      {value: "up", text: "Callers below", title: "The functions in which stacks end on top"},
      {value: "around", text: "Sandwich", title: "Callers and callees of one function"},
    ], (/** @type {State["view"]} */ view) => this.change({
      view, zoom: 0,
      center: view === "around" ? this.state.center || this.likelyCenter() : "",
    }, true));
  }

  makeMeasures() {
    /** @type {{value: Measure, text: string, title: string}} */
    const change = {value: "change", text: "change",
                    title: "Width is the size of the change, of both signs"};
    return choice("Width of frames", "width", [
      ...(this.data.width === "change" ? [change] : []),
      {value: "previous", text: this.data.sides[0], title: "Width is this value"},
      {value: "current", text: this.data.sides[1], title: "Width is this value"},
      ...(this.data.width === "change" ? [] : [change]),
    ], (/** @type {Measure} */ width) => this.change({width}, true));
  }

  /**
   * @param {SampleType} type
   * @param {State} state
   */
  show(type, state) {
    if (type !== this.type) {
      this.type = type;
      this.tree = type.tree && makeTree(type.tree);
      this.byLeaf = null;
      if (this.tree) {
        this.look.setType(type, this.tree);
      }
    }
    // An address can ask for a function that is not there.
    const isLost = state.view === "around" && this.data.names.indexOf(state.center) < 1;
    this.state = {...state, ...(isLost ? DOWN : {})};
    this.element.hidden = !this.tree;
    if (!this.tree) {
      return;
    }
    this.measures.element.hidden = !hasPrevious(type);
    this.views.set(this.state.view);
    this.measures.set(this.measure());
    this.heading.textContent = `Flame graph of ${contentText(type)}`;
    this.flame.element.setAttribute("aria-label", `Flame graph of ${typeText(type)}`);
    const {view, center, zoom} = this.state;
    const key = [typeText(type), type.label, view, this.measure(), center, zoom].join("\n");
    if (key !== this.drawn) {
      this.drawn = key;
      this.pointed = null;
      this.details.showTooltip(null);
      this.flame.draw(this.parts(this.tree));
      this.showPath();
      this.showNotes(type, this.tree);
      this.legend.replaceChildren(legend(hasPrevious(type), this.look.tested !== null,
                                          this.look.hasNegative));
      this.details.show(this.line(this.flame.current || null));
    }
    this.search.show(state.search, this.tree, widthsOf(this.tree, this.measure()));
    this.flame.highlight(this.search.isMatch);
  }

  /** @returns {Measure} */
  measure() {
    const hasChoice = this.type !== null && hasPrevious(this.type);
    return hasChoice ? this.state.width || this.data.width : "current";
  }

  /**
   * @param {Tree} tree
   * @returns {Part[]}
   */
  parts(tree) {
    const {view, zoom, center} = this.state;
    const part = (/** @type {Tree} */ of, /** @type {number} */ node) =>
      ({tree: of, widths: widthsOf(of, this.measure()), top: node < of.name.length ? node : 0,
        isFlipped: false, hasRoot: true, endsInLeaves: true});
    if (view === "around") {
      const {callers, callees} = sandwich(tree, this.data.names.indexOf(center));
      return [{...part(callers, 0), isFlipped: true, hasRoot: false, endsInLeaves: false},
              part(callees, 0)];
    }
    if (view === "up") {
      this.byLeaf = this.byLeaf || inverted(tree);
      return [{...part(this.byLeaf, zoom), endsInLeaves: false}];
    }
    return [part(tree, zoom)];
  }

  /** @param {Item | null} item */
  line(item) {
    return item && {name: this.look.name(item.part.tree, item.frame.node),
                    place: (this.data.places || [])[item.part.tree.name[item.frame.node]] || "",
                    figures: this.look.figures(item.part, item.frame.node)};
  }

  /** @param {Item} item */
  choose(item) {
    const state = this.state;
    const {tree} = item.part;
    const node = item.frame.node;
    if (state.view !== "around") {
      this.change({zoom: node}, true);
      this.flame.focus();
    } else if (tree.name[node] !== 0) {
      this.change({center: this.data.names[tree.name[node]]}, true);
    }
  }

  /**
   * @param {Item | null} item
   * @param {PointerEvent | null} at
   */
  point(item, at) {
    if (item !== this.pointed) {
      this.pointed = item;
      const line = this.line(item || this.flame.current || null);
      this.details.show(line);
      this.details.showTooltip(item ? line : null);
    }
    if (item && at) {
      this.details.move(at.clientX, at.clientY);
    }
  }

  /** @param {Item} item */
  focus(item) {
    const line = this.line(item);
    this.details.show(line);
    if (item.element && item.element.matches(":focus-visible")) {
      const box = item.element.getBoundingClientRect();
      this.details.showTooltip(line);
      this.details.move(Math.max(box.left, 0), box.bottom - 8);
    }
  }

  /** The function with the most for itself. */
  likelyCenter() {
    const tree = /** @type {Tree} */ (this.tree);
    const own = selfValues(tree, tree.current);
    const sums = new Float64Array(this.data.names.length);
    own.forEach((value, node) => {
      sums[tree.name[node]] += value;
    });
    sums[0] = -Infinity;
    const most = sums.reduce((a, b) => Math.max(a, b));
    return this.data.names[sums.indexOf(most)];
  }

  focusNextMatch() {
    const items = this.flame.items;
    const found = this.search.isMatch;
    const isMatch = (/** @type {Item} */ item) =>
      item.element && found && found[item.part.tree.name[item.frame.node]] !== 0;
    const from = items.indexOf(/** @type {Item} */ (this.lastMatch)) + 1;
    this.lastMatch = items.slice(from).find(isMatch) || items.find(isMatch);
    if (this.lastMatch && this.lastMatch.element) {
      this.lastMatch.element.focus();
    }
  }

  showPath() {
    const state = this.state;
    const crumbs = [];
    const crumb = (/** @type {string} */ name, /** @type {Partial<State>} */ to) =>
      button({class: "crumb", title: name}, foreign(this.look.names.short(name, LONGEST_CRUMB)),
             () => this.change(to, true));
    if (state.view === "around") {
      crumbs.push(crumb("all", DOWN),
                  html("span", {class: "crumb", "aria-current": "true"}, foreign(state.center)));
    } else {
      const {tree, top} = this.flame.parts[0];
      const nodes = [];
      for (let node = tree.parent[top]; node >= 0; node = tree.parent[node]) {
        nodes.unshift(node);
      }
      const shown = nodes.length > LONGEST_PATH ? [nodes[0], -1, ...nodes.slice(-3)] : nodes;
      for (const node of shown) {
        crumbs.push(node < 0 ? html("span", {class: "crumb"}, "\u2026")
          : crumb(this.look.name(tree, node), {zoom: node}));
      }
      crumbs.push(top === 0
        ? html("span", {class: "hint"}, "A click on a frame zooms in, Esc zooms out.")
        : html("span", {class: "crumb", "aria-current": "true"},
               foreign(this.look.name(tree, top))));
    }
    this.path.replaceChildren(...crumbs);
  }

  /**
   * @param {SampleType} type
   * @param {Tree} tree
   */
  showNotes(type, tree) {
    const notes = [];
    if (hasNegative(tree, this.measure())) {
      notes.push("Some values are negative: widths are sums of absolute values.");
    }
    if (tree.medians && this.state.view !== "down") {
      notes.push("Medians do not add up, so sums of them are rough.");
    }
    const undrawn = hasPrevious(type) ? undrawnValue(tree, this.measure()) : 0;
    if (undrawn !== 0) {
      const [before, now] = this.data.sides;
      const what = {current: `vanished, ${before}`, previous: `is new, ${now}`,
                    change: "did not change,"}[this.measure()];
      const value = human(undrawn, type.unit) + (type.rate ? "/s" : "");
      notes.push(`Not drawn, as it has no width: what ${what} ${value}.`);
    }
    const leftOut = type.tree ? type.tree.left_out : 0;
    if (leftOut > 0) {
      notes.push(leftOut === 1 ? "1 frame that is too narrow or too deep is left out."
        : `${leftOut} frames that are too narrow or too deep are left out.`);
    }
    if (!(this.flame.parts[0].widths[0] > 0)) {
      notes.push("There is nothing to draw: all values are zero.");
    }
    this.note.textContent = notes.join(" ");
  }

  /** Moves window and focus to the picture, or to the frame at hand if that is far below. */
  scrollTo() {
    const {current} = this.flame;
    const frame = current && current.element;
    const below = !frame ? 0
      : frame.getBoundingClientRect().bottom - this.element.getBoundingClientRect().top;
    if (frame && below > innerHeight) {
      frame.scrollIntoView({block: "center"});
    } else {
      this.element.scrollIntoView({block: "start"});
    }
    this.flame.focus();
  }

  /** Leaves zoom, sandwich or search, whichever comes first. */
  escape() {
    const state = this.state;
    if (state.view === "around") {
      this.change(DOWN, true);
    } else if (state.zoom !== 0) {
      this.change({zoom: 0}, true);
    } else if (state.search !== "") {
      this.change({search: ""}, false);
    }
  }
}
