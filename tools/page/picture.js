// SPDX-License-Identifier: Apache-2.0
// The flame graph with all that belongs to it: what it is of, search, path, legend and details.

import {contentText, hasPrevious, typeText} from "./data.js";
import {button, choice, fact, foreign, html, searchField} from "./dom.js";
import {Flame} from "./flame.js";
import {shareText, valueText} from "./format.js";
import {Look, legend} from "./look.js";
import {makeQuery} from "./names.js";
import {initialState} from "./state.js";
import {
  hasNegative, inverted, makeTree, matchedShare, matchingNames, sandwich, selfValues, undrawnValue,
  widthsOf,
} from "./tree.js";

/** @type {Pick<State, "view" | "zoom" | "center">} */
const DOWN = {view: "down", zoom: 0, center: ""};
/** The middle of a longer path is left out. */
const LONGEST_PATH = 5;
/** The length in characters. */
const LONGEST_CRUMB = 32;

/** @typedef {{name: string, place: string, figures: [string, string][]}} Line */

/**
 * The details of the frame at hand: in a line that can be selected and that screen readers read,
 * and beside the pointer.
 */
class Details {
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
      getSelection()?.selectAllChildren(this.name);
      this.copy.textContent = "Selected";
    }
    setTimeout(() => {
      this.copy.textContent = "Copy";
    }, 1500);
  }

  /** @param {Line | null} line */
  show(line) {
    this.text = line ? line.name : "";
    this.copy.hidden = !line;
    this.name.replaceChildren(foreign(this.text));
    this.figures.replaceChildren(...(line ? line.figures : []).map(pair => fact(...pair)));
  }

  /** @param {Line | null} line nothing is shown without one */
  showTooltip(line) {
    this.tooltip.hidden = !line;
    if (line) {
      const {name, place, figures} = line;
      /** @type {[string, Content][]} */
      const pairs = [...figures];
      if (place !== "") {
        pairs.push(["source", foreign(place)]);
      }
      this.tooltip.replaceChildren(
        html("div", {class: "tooltip-name"}, foreign(name)),
        html("dl", {}, pairs.map(([word, text]) => [html("dt", {}, word), html("dd", {}, text)])));
    }
  }

  // Moves the tooltip to a place in the window, or where there is room beside it.
  /** @type {(x: number, y: number) => void} */
  move(x, y) {
    const {style} = this.tooltip;
    style.left = "0"; // Its size depends on the room to its right.
    const {width, height} = this.tooltip.getBoundingClientRect();
    const room = document.documentElement.clientWidth;
    const top = y + 18 + height > innerHeight ? y - height - 12 : y + 18;
    style.left = `${Math.max(4, Math.min(x + 14, room - width - 4))}px`;
    style.top = `${Math.max(4, Math.min(top, innerHeight - height - 4))}px`;
  }
}

export class Picture {
  /**
   * @param {Data} data
   * @param {Change} change
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
    this.search = this.makeSearch();
    this.searched = "";
    /** @type {Uint8Array | null} By name; null if nothing is searched. */
    this.isMatch = null;
    this.result = html("output", {id: "search-result", for: "search"});
    this.search.element.append(html("kbd", {"aria-hidden": "true"}, "/"), this.result);
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

  makeSearch() {
    const search = searchField("search", "Search functions", {
      placeholder: "Search functions", "aria-describedby": "search-result",
      title: "Text, or a /regular expression/. Enter leads to the next match.",
    }, text => this.change({search: text}, false));
    search.input.addEventListener("keydown", event => {
      if (event.key === "Enter") {
        this.change({search: search.input.value}, false);
        this.focusNextMatch();
      }
    });
    return search;
  }

  /** @type {(type: SampleType, state: State) => void} */
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
      this.details.show(this.line(this.flame.current));
    }
    this.showSearch(this.tree, state.search);
    this.flame.highlight(this.isMatch);
  }

  /** @type {(tree: Tree, text: string) => void} */
  showSearch(tree, text) {
    if (this.search.input.value !== text) {
      this.search.input.value = text;
    }
    const query = makeQuery(text);
    if (text !== this.searched) {
      this.searched = text;
      this.isMatch = query.matches ? matchingNames(this.data.names, query) : null;
    }
    const {isMatch} = this;
    if (!isMatch) {
      this.result.textContent = query.fault;
      return;
    }
    const share = matchedShare(tree, widthsOf(tree, this.measure()), isMatch);
    const count = new Set(tree.name.filter(name => isMatch[name] !== 0)).size;
    this.result.textContent = `${shareText(share, 1)} matched, ` +
      (count === 1 ? "1 name" : `${count} names`);
  }

  /** @returns {Measure} */
  measure() {
    const hasChoice = this.type !== null && hasPrevious(this.type);
    return hasChoice ? this.state.width || this.data.width : "current";
  }

  /** @type {(tree: Tree) => Part[]} */
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

  /** @type {(item: Item | null | undefined) => Line | null} */
  line(item) {
    if (!item) {
      return null;
    }
    const {part, frame: {node}} = item;
    return {name: this.look.name(part.tree, node), figures: this.look.figures(part, node),
            place: this.data.places?.[part.tree.name[node]] || ""};
  }

  /** @param {Item} item */
  choose({part: {tree}, frame: {node}}) {
    if (this.state.view !== "around") {
      this.change({zoom: node}, true);
      this.flame.focus();
    } else if (tree.name[node] !== 0) {
      this.change({center: this.data.names[tree.name[node]]}, true);
    }
  }

  /** @type {(item: Item | null, at: PointerEvent) => void} */
  point(item, at) {
    if (item !== this.pointed) {
      this.pointed = item;
      const line = this.line(item || this.flame.current);
      this.details.show(line);
      this.details.showTooltip(item && line);
    }
    if (item) {
      this.details.move(at.clientX, at.clientY);
    }
  }

  /** @param {Item} item */
  focus(item) {
    const line = this.line(item);
    this.details.show(line);
    if (item.element?.matches(":focus-visible")) {
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
    const isMatch = (/** @type {Item} */ item) =>
      item.element && this.isMatch?.[item.part.tree.name[item.frame.node]];
    const from = items.indexOf(/** @type {Item} */ (this.lastMatch)) + 1;
    this.lastMatch = items.slice(from).find(isMatch) || items.find(isMatch);
    this.lastMatch?.element?.focus();
  }

  showPath() {
    const state = this.state;
    const crumb = (/** @type {string} */ name, /** @type {Partial<State>} */ to) =>
      button({class: "crumb", title: name}, foreign(this.look.names.short(name, LONGEST_CRUMB)),
             () => this.change(to, true));
    const last = (/** @type {string} */ name) =>
      html("span", {class: "crumb", "aria-current": "true"}, foreign(name));
    if (state.view === "around") {
      this.path.replaceChildren(crumb("all", DOWN), last(state.center));
      return;
    }
    const {tree, top} = this.flame.parts[0];
    /** @type {HTMLElement[]} */
    const crumbs = [];
    for (let node = tree.parent[top]; node >= 0; node = tree.parent[node]) {
      crumbs.unshift(crumb(this.look.name(tree, node), {zoom: node}));
    }
    if (crumbs.length > LONGEST_PATH) {
      crumbs.splice(1, crumbs.length - 4, html("span", {class: "crumb"}, "\u2026"));
    }
    crumbs.push(top !== 0 ? last(this.look.name(tree, top))
      : html("span", {class: "hint"}, "A click on a frame zooms in, Esc zooms out."));
    this.path.replaceChildren(...crumbs);
  }

  /** @type {(type: SampleType, tree: Tree) => void} */
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
      notes.push(`Not drawn, as it has no width: what ${what} ${valueText(type)(undrawn)}.`);
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
    const frame = this.flame.current?.element;
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
