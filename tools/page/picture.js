// SPDX-License-Identifier: Apache-2.0
// The flame graph with all that belongs to it: what it is of, search, path, legend and details.

import {hasPrevious, typeText} from "./data.js";
import {button, choice, foreign, html} from "./dom.js";
import {Details} from "./details.js";
import {figuresOf} from "./figures.js";
import {Flame} from "./flame.js";
import {pText, percentOf, shareText} from "./format.js";
import {legend} from "./legend.js";
import {groupOf} from "./names.js";
import {changeStep, classOfStep, classesOfGroups} from "./palette.js";
import {makeQuery, matchedShare, matchingNames} from "./search.js";
import {initialState} from "./state.js";
import {inverted, makeTree, sandwich, selfValues} from "./tree.js";
import {hasNegative, widthsOf} from "./widths.js";

/** @typedef {import("./data.js").Data} Data */
/** @typedef {import("./data.js").SampleType} SampleType */
/** @typedef {import("./data.js").Measured} Measured */
/** @typedef {import("./flame.js").Part} Part */
/** @typedef {import("./flame.js").Item} Item */
/** @typedef {import("./state.js").State} State */
/** @typedef {import("./tree.js").Tree} Tree */
/** @typedef {import("./widths.js").Measure} Measure */

const LEFT_OUT = "(frames too narrow to show)";
/** @type {Pick<State, "view" | "zoom" | "center">} */
const DOWN = {view: "down", zoom: 0, center: ""};
/** How strong the color of what may be noise is. */
const PALE = 0.2;

/**
 * Of a comparison of captures what was found for each name.
 * @param {SampleType} type
 * @returns {Map<number, Measured> | null} null if nothing was tested
 */
function testedRows(type) {
  const found = new Map();
  const total = /** @type {Measured} */ (type.total);
  if (total.verdict === undefined || total.verdict === null || !("base" in total)) {
    return null;
  }
  found.set(0, total);
  for (const row of /** @type {import("./data.js").MeasuredRow[]} */ (type.rows)) {
    const measured = row.cum || row.flat;
    if (measured && measured.verdict) {
      found.set(row.name, measured);
    }
  }
  return found;
}

/**
 * The class of each name by what it belongs to, the same in the pictures of all types.
 * @param {Data} data
 */
function classesOfNames(data) {
  const groups = data.names.map(groupOf);
  const classes = classesOfGroups(data.types.flatMap(type =>
    (type.tree ? type.tree.name : []).filter(name => name !== 0).map(name => groups[name])));
  return groups.map(group => classes.get(group) || classOfStep(0));
}

export class Picture {
  /**
   * @param {Data} data
   * @param {(change: Partial<State>, isStep: boolean) => void} change asks for another state;
   *     one that is a step can be undone with the browser's back button
   */
  constructor(data, change) {
    this.data = data;
    this.change = change;
    this.type = data.types[0];
    this.state = initialState();
    /** @type {Tree | null} */
    this.tree = null;
    this.isFirst = true;
    /** @type {Tree | null} */
    this.byLeaf = null;
    /** @type {Map<number, Measured> | null} */
    this.tested = null;
    /** @type {Map<Tree, {previous: Float64Array, current: Float64Array}>} */
    this.own = new Map();
    this.searched = "";
    this.isMatch = matchingNames(data.names, makeQuery(""));
    this.classOfName = classesOfNames(data);
    this.drawn = "";
    this.flame = new Flame({
      name: (part, node) => this.nameOf(part.tree, node),
      spoken: (part, node) => this.spoken(part, node),
      className: (part, node) => this.classOf(part.tree, node),
    }, {
      choose: item => this.choose(item),
      point: (item, at) => this.point(item, at),
      focus: item => this.focus(item),
    });
    this.details = new Details();
    this.views = this.makeViews();
    this.measures = this.makeMeasures();
    this.search = this.makeSearch();
    this.found = html("output", {id: "search-result", for: "search"});
    /** @type {Item | undefined} */
    this.lastMatch = undefined;
    /** @type {Item | null} */
    this.pointed = null;
    this.heading = html("h2", {id: "picture-heading"}, "Flame graph");
    this.path = html("nav", {class: "path", "aria-label": "Path of the zoom"});
    this.legend = html("div", {class: "legend"});
    this.note = html("p", {class: "note"});
    this.element = html("section", {id: "picture", "aria-labelledby": "picture-heading"},
      html("div", {class: "section-head"}, this.heading, this.legend),
      html("div", {class: "bar controls"}, this.views.element, this.measures.element,
           html("div", {class: "search"},
                html("label", {for: "search", class: "unseen"}, "Search functions"), this.search,
                html("kbd", {"aria-hidden": "true"}, "/"), this.found)),
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
    return choice("Width of frames", "width", [
      {value: "previous", text: this.data.sides[0], title: "Width is this value"},
      {value: "current", text: this.data.sides[1], title: "Width is this value"},
      {value: "change", text: "change", title: "Width is the size of the change, of both signs"},
    ], (/** @type {Measure} */ width) => this.change({width}, true));
  }

  makeSearch() {
    const search = html("input", {
      id: "search", type: "search", autocomplete: "off", spellcheck: "false",
      placeholder: "Search functions", "aria-describedby": "search-result",
      title: "Text, or a /regular expression/. Enter leads to the next match.",
    });
    search.addEventListener("input", () => this.change({search: search.value}, false));
    search.addEventListener("keydown", event => {
      if (event.key === "Enter") {
        this.change({search: search.value}, false);
        this.focusNextMatch();
      }
    });
    return search;
  }

  /**
   * @param {SampleType} type
   * @param {State} state
   */
  show(type, state) {
    if (type !== this.type || this.isFirst) {
      this.isFirst = false;
      this.type = type;
      this.tree = type.tree ? makeTree(type.tree) : null;
      this.byLeaf = null;
      this.own.clear();
      this.tested = this.data.command === "compare" ? testedRows(type) : null;
    }
    // An address can ask for a function that is not there.
    const isLost = state.view === "around" && this.data.names.indexOf(state.center) < 1;
    this.state = {...state, ...(isLost ? DOWN : {})};
    this.element.hidden = !this.tree;
    if (!this.tree) {
      return;
    }
    const comparison = hasPrevious(type);
    this.measures.element.hidden = !comparison;
    this.views.set(this.state.view);
    this.measures.set(comparison ? state.width : "current");
    this.heading.textContent = `Flame graph of ${type.name}`;
    this.flame.element.setAttribute("aria-label", `Flame graph of ${typeText(type)}`);
    const {view, width, center, zoom} = this.state;
    const key = [typeText(type), view, width, center, zoom].join("\n");
    if (key !== this.drawn) {
      this.drawn = key;
      this.pointed = null;
      this.details.showTooltip(null);
      this.flame.draw(this.parts());
      this.showPath();
      this.showLegend();
      this.details.show(this.factsLine(this.flame.current || null));
    }
    this.showSearch();
  }

  /** @returns {Measure} */
  measure() {
    return hasPrevious(this.type) ? this.state.width : "current";
  }

  /** @returns {Part[]} */
  parts() {
    const state = this.state;
    const tree = /** @type {Tree} */ (this.tree);
    const part = (/** @type {Tree} */ of, /** @type {number} */ zoom, isFlipped = false,
                  hasRoot = true) =>
      ({tree: of, widths: widthsOf(of, this.measure()),
        top: zoom < of.name.length ? zoom : 0, isFlipped, hasRoot});
    const center = state.view === "around" ? this.data.names.indexOf(state.center) : -1;
    if (center > 0) {
      const {callers, callees} = sandwich(tree, center);
      return [part(callers, 0, true, false), part(callees, 0)];
    }
    if (state.view === "up") {
      this.byLeaf = this.byLeaf || inverted(tree);
      return [part(this.byLeaf, state.zoom)];
    }
    return [part(tree, state.zoom)];
  }

  /**
   * @param {Tree} tree
   * @param {number} node
   */
  nameOf(tree, node) {
    const name = tree.name[node];
    return name !== 0 ? this.data.names[name] : node === 0 ? "all" : LEFT_OUT;
  }

  /**
   * @param {Tree} tree
   * @param {number} node
   */
  classOf(tree, node) {
    const name = tree.name[node];
    if (name === 0 && node !== 0) {
      return "left-out";
    }
    if (!hasPrevious(this.type)) {
      if (name === 0) {
        return classOfStep(0);
      }
      return this.classOfName[name];
    }
    const row = this.tested && this.tested.get(name);
    const isReal = !this.tested || (row && (row.verdict === "grew" || row.verdict === "fell"));
    return classOfStep(changeStep(tree.previous[node], tree.current[node], isReal ? 1 : PALE));
  }

  /**
   * @param {Part} part
   * @param {number} node
   */
  facts(part, node) {
    const tree = part.tree;
    let own = this.own.get(tree);
    if (!own) {
      own = {previous: selfValues(tree, tree.previous), current: selfValues(tree, tree.current)};
      this.own.set(tree, own);
    }
    // In a tree by leaf what a node has for itself are stacks that begin there.
    // Medians do not add up, so what they leave is no value.
    const isDown = !part.isFlipped && tree !== this.byLeaf && !tree.medians;
    const name = tree.name[node];
    const row = this.tested && (name !== 0 || node === 0) ? this.tested.get(name) : null;
    return {
      previous: tree.previous[node], current: tree.current[node],
      ownPrevious: isDown ? own.previous[node] : 0, ownCurrent: isDown ? own.current[node] : 0,
      whole: /** @type {Tree} */ (this.tree).current[0],
      row: !this.tested ? "" : !row ? "not tested"
        : `${row.verdict}, ${percentOf(row.base_median, row.change)}` +
          (row.p === null ? "" : `, p ${pText(row.p)}`),
    };
  }

  /**
   * @param {Part} part
   * @param {number} node
   */
  spoken(part, node) {
    return this.nameOf(part.tree, node) + ", " +
      figuresOf(this.type, this.data.sides, this.facts(part, node))
        .map(([word, figure]) => `${word} ${figure}`).join(", ");
  }

  /** @param {Item | null} item */
  factsLine(item) {
    return item && {
      name: this.nameOf(item.part.tree, item.frame.node),
      figures: figuresOf(this.type, this.data.sides, this.facts(item.part, item.frame.node)),
    };
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
      const line = this.factsLine(item || this.flame.current || null);
      this.details.show(line);
      this.details.showTooltip(item ? line : null);
    }
    if (item && at) {
      this.details.move(at.clientX, at.clientY);
    }
  }

  /** @param {Item} item */
  focus(item) {
    const line = this.factsLine(item);
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
    sums[0] = 0;
    return this.data.names[sums.indexOf(Math.max(...sums))];
  }

  showSearch() {
    const state = this.state;
    if (this.search.value !== state.search) {
      this.search.value = state.search;
    }
    const query = makeQuery(state.search);
    if (this.searched !== state.search) {
      this.searched = state.search;
      this.isMatch = matchingNames(this.data.names, query);
    }
    this.flame.highlight(query.matches ? this.isMatch : null);
    this.found.textContent = query.fault;
    if (query.matches) {
      const tree = /** @type {Tree} */ (this.tree);
      const share = matchedShare(tree, widthsOf(tree, this.measure()), this.isMatch);
      const names = new Set(tree.name.filter(name => this.isMatch[name] !== 0)).size;
      this.found.textContent = `${shareText(share, 1)} matched, ` +
        (names === 1 ? "1 name" : `${names} names`);
    }
  }

  focusNextMatch() {
    const items = this.flame.items;
    const isMatch = (/** @type {Item} */ item) =>
      item.element !== null && this.isMatch[item.part.tree.name[item.frame.node]] !== 0;
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
      button({class: "crumb", title: name}, foreign(name), () => this.change(to, true));
    if (state.view === "around") {
      crumbs.push(crumb("all", DOWN),
                  html("span", {class: "crumb", "aria-current": "true"}, foreign(state.center)));
    } else {
      const {tree, top} = this.flame.parts[0];
      const nodes = [];
      for (let node = tree.parent[top]; node >= 0; node = tree.parent[node]) {
        nodes.unshift(node);
      }
      const shown = nodes.length > 5 ? [nodes[0], -1, ...nodes.slice(-3)] : nodes;
      for (const node of shown) {
        crumbs.push(node < 0 ? html("span", {class: "crumb"}, "\u2026")
          : crumb(this.nameOf(tree, node), {zoom: node}));
      }
      crumbs.push(top === 0
        ? html("span", {class: "hint"}, "A click on a frame zooms in, Esc zooms out.")
        : html("span", {class: "crumb", "aria-current": "true"},
               foreign(this.nameOf(tree, top))));
    }
    this.path.replaceChildren(...crumbs);
  }

  showLegend() {
    const tree = /** @type {Tree} */ (this.tree);
    const notes = [];
    if (hasNegative(tree, this.measure())) {
      notes.push("Some values are less than zero: widths are sums of sizes.");
    }
    if (tree.medians && this.state.view !== "down") {
      notes.push("Medians do not add up, so sums of them are rough.");
    }
    const leftOut = this.type.tree ? this.type.tree.left_out : 0;
    if (leftOut > 0) {
      notes.push(`${leftOut} frames that are too narrow or too deep are left out.`);
    }
    if (!(this.flame.parts[0].widths[0] > 0)) {
      notes.push("There is nothing to draw: all values are zero.");
    }
    this.note.textContent = notes.join(" ");
    this.legend.replaceChildren(legend(hasPrevious(this.type), this.tested !== null));
  }

  /** Moves the window and the focus to the picture, or to the frame at hand if that is below. */
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
