// SPDX-License-Identifier: Apache-2.0
// How frames look, and what is said of them. Their colors are those of tools/document/palette.hpp.

import {hasPrevious, isReal} from "./data.js";
import {html} from "./dom.js";
import {humanChange, pText, percentOf, shareText, valueText} from "./format.js";
import {ShortNames} from "./names.js";
import {selfValues, widthsOf} from "./tree.js";

/** Changes are shown in so many steps to each side of none. */
export const STEPS = 20;
/** How strong the color of what may be noise is. */
const PALE = 0.2;

/**
 * The step of a change: of its part of the larger of both values.
 * @param {number} previous
 * @param {number} current
 * @param {number} strength less than 1 for what may be noise
 */
export function changeStep(previous, current, strength) {
  const larger = Math.max(Math.abs(previous), Math.abs(current));
  const part = larger === 0 ? 0 : (current - previous) / larger;
  return Math.sign(part) * Math.round(Math.min(1, Math.abs(part)) * strength * STEPS);
}

/** @param {number} step */
export function classOfStep(step) {
  return step < 0 ? `s${-step}` : `g${step}`;
}

/** @param {number[]} steps */
export function swatches(steps) {
  return html("span", {class: "swatches", "aria-hidden": "true"},
              steps.map(step => html("i", {class: classOfStep(step)})));
}

/**
 * The meaning of the colors of frames.
 * @param {boolean} isOfChange whether colors are of changes, or of groups of names
 * @param {boolean} isTested whether pale colors may be noise
 * @param {boolean} isOfSigns whether they are of signs, and widths of sizes
 */
export function legend(isOfChange, isTested, isOfSigns) {
  if (isOfSigns) {
    return html("span", {class: "scale"}, "below zero", swatches([-STEPS]), swatches([STEPS]),
      "above zero", html("span", {class: "word"}, "widths and shares: of the sum of sizes"));
  }
  if (!isOfChange) {
    return html("span", {}, "Equal colors: the same package or class");
  }
  return html("span", {class: "scale"}, scaleOfChanges(),
    html("span", {class: "word"}, isTested ? "pale: may be noise" : "grey: as before"));
}

/** The colors of changes, and what is at both ends. */
export function scaleOfChanges() {
  const steps = Array.from({length: STEPS / 2 + 1}, (_, i) => 4 * i - STEPS);
  return ["gone", swatches(steps), "new"];
}

// Returns the tested row of each name in a comparison of captures, with the total as name 0; null
// if nothing was tested.
/** @param {SampleType} type */
function testedRows(type) {
  const total = /** @type {Measured} */ (type.total);
  if (!total.verdict) {
    return null;
  }
  const found = new Map([[0, total]]);
  for (const row of /** @type {RowOf<Measured>[]} */ (type.rows)) {
    const measured = row.cum || row.flat;
    if (measured?.verdict) {
      found.set(row.name, measured);
    }
  }
  return found;
}

/** The frames of one sample type after another. */
export class Look {
  /** @param {Data} data */
  constructor(data) {
    this.data = data;
    this.names = new ShortNames(data.names, data.forms);
    this.type = data.types[0];
    /** The sum of sizes of the current value. */
    this.whole = 0;
    this.hasNegative = false;
    /** @type {Map<number, Measured> | null} */
    this.tested = null;
    /** @type {WeakMap<Tree, {previous: Float64Array, current: Float64Array}>} */
    this.own = new WeakMap();
  }

  // Begins with another type, of which this is the tree of all stacks.
  /** @type {(type: SampleType, tree: Tree) => void} */
  setType(type, tree) {
    this.type = type;
    this.whole = widthsOf(tree, "current")[0];
    this.hasNegative = !hasPrevious(type) && tree.current.some(value => value < 0);
    this.tested = this.data.command === "compare" ? testedRows(type) : null;
  }

  /** @type {(tree: Tree, node: number) => string} */
  name(tree, node) {
    const name = tree.name[node];
    return name !== 0 ? this.data.names[name] : node === 0 ? "all" : "(frames too narrow to show)";
  }

  /** @type {(tree: Tree, node: number) => string} */
  className(tree, node) {
    const name = tree.name[node];
    if (name === 0 && node !== 0) {
      return "left-out";
    }
    if (this.hasNegative) {
      return classOfStep(changeStep(0, tree.current[node], 1));
    }
    if (!hasPrevious(this.type)) {
      return name === 0 ? classOfStep(0) : `n${this.data.groups?.[name]}`;
    }
    const row = this.tested?.get(name);
    const strength = !this.tested || (row && isReal(row.verdict)) ? 1 : PALE;
    return classOfStep(changeStep(tree.previous[node], tree.current[node], strength));
  }

  // Words and figures, one pair for each line of a tooltip.
  /** @type {(part: Part, node: number) => [string, string][]} */
  figures({tree, endsInLeaves}, node) {
    const {type, data: {sides}} = this;
    const [previous, current] = [tree.previous[node], tree.current[node]];
    const own = this.ownValues(tree);
    // Medians do not add up, so what they leave is no value.
    const hasOwn = endsInLeaves && !tree.medians;
    const ownPrevious = hasOwn ? own.previous[node] : 0;
    const ownCurrent = hasOwn ? own.current[node] : 0;
    const value = valueText(type);
    const change = (/** @type {number} */ x) => humanChange(x, type.unit);
    const shown = type.content === "delta" ? change : value;
    /** @type {[string, string][]} */
    const lines = !hasPrevious(type)
      ? [[type.content === "delta" ? "change" : "value", shown(current)]]
      : [this.changeLine(tree, node), [sides[0], value(previous)], [sides[1], value(current)]];
    if (ownPrevious !== 0 || ownCurrent !== 0) {
      lines.push(["flat", !hasPrevious(type) ? shown(ownCurrent)
        : `${value(ownCurrent)} (${change(ownCurrent - ownPrevious)})`]);
    }
    lines.push(["share", shareText(current, this.whole)]);
    if (this.tested && node !== 0) {
      lines.push(["all of this name", this.findingText(tree.name[node])]);
    }
    return lines;
  }

  // The change of all is the one that the page begins with; other frames have the medians alone.
  /** @type {(tree: Tree, node: number) => [string, string]} */
  changeLine(tree, node) {
    const [previous, current] = [tree.previous[node], tree.current[node]];
    const total = node === 0 && this.tested?.get(0);
    const by = total ? total.change : current - previous;
    return [total ? "shift" : tree.medians ? "change of medians" : "change",
            `${humanChange(by, this.type.unit)} (${percentOf(previous, by)})` +
            (total ? `, ${total.verdict}` : "")];
  }

  /** @param {Tree} tree of which the values are of stacks that end with each node */
  ownValues(tree) {
    const own = this.own.get(tree) ||
      {previous: selfValues(tree, tree.previous), current: selfValues(tree, tree.current)};
    this.own.set(tree, own);
    return own;
  }

  // Describes the verdict on the row of a name.
  /** @type {(name: number) => string} */
  findingText(name) {
    const row = name !== 0 ? this.tested?.get(name) : null;
    return !row ? "not tested"
      : `${row.verdict}, shift ${percentOf(row.base_median, row.change)}` +
        (row.p === null ? "" : `, p ${pText(row.p)}`);
  }

  // Name and figures in one line.
  /** @type {(part: Part, node: number) => string} */
  spoken(part, node) {
    const figures = this.figures(part, node).map(([word, figure]) => `${word} ${figure}`);
    return [this.name(part.tree, node), ...figures].join(", ");
  }
}
