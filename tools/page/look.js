// SPDX-License-Identifier: Apache-2.0
// How single frames of a sample type look, and what is said of them.

import {hasPrevious, isReal, typesOfParts} from "./data.js";
import {figuresOf} from "./figures.js";
import {pText, percentOf} from "./format.js";
import {ShortNames, groupOf} from "./names.js";
import {changeStep, classOfStep, classesOfGroups} from "./palette.js";
import {selfValues} from "./tree.js";
import {widthsOf} from "./widths.js";

/** @typedef {import("./data.js").Data} Data */
/** @typedef {import("./data.js").SampleType} SampleType */
/** @typedef {import("./data.js").Measured} Measured */
/** @typedef {import("./flame.js").Part} Part */
/** @typedef {import("./tree.js").Tree} Tree */

const LEFT_OUT = "(frames too narrow to show)";
/** How strong the color of what may be noise is. */
const PALE = 0.2;

/**
 * Of a comparison of captures what was found for each name, and for the total as name 0.
 * @param {SampleType} type
 * @returns {Map<number, Measured> | null} null if nothing was tested
 */
function testedRows(type) {
  const total = /** @type {Measured} */ (type.total);
  if (!total.verdict) {
    return null;
  }
  const found = new Map([[0, total]]);
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
  // What is shown first comes first, as the picture in SVG has nothing else.
  const first = data.types[data.type];
  const others = typesOfParts(data).flat().filter(type => type !== first);
  const sizes = [first, ...others].map(({tree}) => {
    /** @type {Map<string, number>} */
    const found = new Map();
    (tree ? tree.name : []).forEach((name, node) => {
      if (tree && name !== 0) {
        const size = found.get(groups[name]) || 0;
        found.set(groups[name], size + Math.abs(tree.current[node]));
      }
    });
    return found;
  });
  const classes = classesOfGroups(sizes);
  return groups.map(group => classes.get(group) || classOfStep(0));
}

/**
 * What was found for a row in words.
 * @param {Measured} row
 */
function findingText(row) {
  return `${row.verdict}, shift ${percentOf(row.base_median, row.change)}` +
    (row.p === null ? "" : `, p ${pText(row.p)}`);
}

export class Look {
  /** @param {Data} data */
  constructor(data) {
    this.data = data;
    this.names = new ShortNames(data.names);
    this.classes = classesOfNames(data);
    this.type = data.types[0];
    this.whole = 0;
    this.hasNegative = false;
    /** @type {Map<number, Measured> | null} */
    this.tested = null;
    /** @type {WeakMap<Tree, {previous: Float64Array, current: Float64Array}>} */
    this.own = new WeakMap();
  }

  /**
   * @param {SampleType} type
   * @param {Tree} tree of all its stacks
   */
  setType(type, tree) {
    this.type = type;
    this.whole = widthsOf(tree, "current")[0];
    this.hasNegative = !hasPrevious(type) && tree.current.some(value => value < 0);
    this.tested = this.data.command === "compare" ? testedRows(type) : null;
  }

  /**
   * @param {Tree} tree
   * @param {number} node
   */
  name(tree, node) {
    const name = tree.name[node];
    return name !== 0 ? this.data.names[name] : node === 0 ? "all" : LEFT_OUT;
  }

  /**
   * @param {Tree} tree
   * @param {number} node
   */
  className(tree, node) {
    const name = tree.name[node];
    if (name === 0 && node !== 0) {
      return "left-out";
    }
    if (this.hasNegative) {
      return classOfStep(changeStep(0, tree.current[node], 1));
    }
    if (!hasPrevious(this.type)) {
      return name === 0 ? classOfStep(0) : this.classes[name];
    }
    const row = this.tested && this.tested.get(name);
    const strength = !this.tested || (row && isReal(row.verdict)) ? 1 : PALE;
    return classOfStep(changeStep(tree.previous[node], tree.current[node], strength));
  }

  /**
   * Words and figures, in pairs.
   * @param {Part} part
   * @param {number} node
   */
  figures(part, node) {
    const tree = part.tree;
    let own = this.own.get(tree);
    if (!own) {
      own = {previous: selfValues(tree, tree.previous), current: selfValues(tree, tree.current)};
      this.own.set(tree, own);
    }
    // Medians do not add up, so what they leave is no value.
    const hasOwn = part.endsInLeaves && !tree.medians;
    const name = tree.name[node];
    const row = this.tested && (name !== 0 || node === 0) ? this.tested.get(name) : null;
    return figuresOf(this.type, this.data.sides, {
      previous: tree.previous[node], current: tree.current[node],
      ownPrevious: hasOwn ? own.previous[node] : 0, ownCurrent: hasOwn ? own.current[node] : 0,
      whole: this.whole,
      row: !this.tested ? "" : row ? findingText(row) : "not tested",
    });
  }

  /**
   * Name and figures in one line.
   * @param {Part} part
   * @param {number} node
   */
  spoken(part, node) {
    const figures = this.figures(part, node).map(([word, figure]) => `${word} ${figure}`);
    return [this.name(part.tree, node), ...figures].join(", ");
  }
}
