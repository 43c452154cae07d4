// SPDX-License-Identifier: Apache-2.0
// Small plots that stand in a cell: the captures of a row.

import {svg} from "./dom.js";
import {domainOf, scale} from "./scale.js";

/** @typedef {import("./data.js").Measured} Measured */
/** @typedef {import("./data.js").Series} Series */
/** @typedef {{hours: number, series: number}} Capture */

const WIDTH = 130;
const HEIGHT = 26;
const EDGE = 5;

/**
 * @param {string} text
 * @param {string} className
 * @param {...SVGElement} content
 */
function plot(text, className, ...content) {
  return svg("svg", {class: className, width: WIDTH, height: HEIGHT, role: "img",
                     viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "xMinYMid",
                     "aria-label": text},
             svg("title", {}, text), content);
}

/**
 * All captures of both sides on one axis, each side with its median and the interval of that.
 * @param {Measured} row
 * @param {[string, string]} sides
 * @param {(value: number) => string} text
 */
export function dots(row, sides, text) {
  const x = scale(domainOf([...row.base, ...row.head]), EDGE, WIDTH - EDGE);
  /** @type {["base" | "head", number, number | null, number | null, number][]} */
  const lanes = [
    ["base", row.base_median, row.base_low, row.base_high, HEIGHT * 0.28],
    ["head", row.head_median, row.head_low, row.head_high, HEIGHT * 0.72],
  ];
  const words = [];
  /** @type {SVGElement[]} */
  const content = [];
  for (const [side, median, low, high, y] of lanes) {
    const word = sides[side === "base" ? 0 : 1];
    words.push(`${word} ${text(median)}` +
      (low === null || high === null ? "" : ` (${text(low)} to ${text(high)})`) +
      `, ${row[side].length} captures`);
    if (low !== null && high !== null) {
      content.push(svg("rect", {class: `within ${side}`, x: x(low) - 1, y: y - 4.5,
                                width: x(high) - x(low) + 2, height: 9, rx: 2}));
    }
    const circles = row[side].map(value =>
      `M${x(value) - 2.2} ${y}a2.2 2.2 0 1 0 4.4 0a2.2 2.2 0 1 0 -4.4 0`);
    content.push(svg("path", {class: `dots ${side}`, d: circles.join("")}),
                 svg("path", {class: `median ${side}`, d: `M${x(median)} ${y - 5.5}v11`}));
  }
  return plot(words.join("; "), "dots-plot", ...content);
}

/**
 * The path of a line through all values that are known, broken where a new series begins.
 * @param {(number | null)[]} values
 * @param {Capture[]} captures
 * @param {(hours: number) => number} x
 * @param {(value: number) => number} y
 */
export function linePath(values, captures, x, y) {
  let path = "";
  let series = -1;
  values.forEach((value, i) => {
    if (value === null) {
      series = -1;
      return;
    }
    const isNew = captures[i].series !== series;
    series = captures[i].series;
    path += `${isNew ? "M" : "L"}${x(captures[i].hours).toFixed(1)} ${y(value).toFixed(1)}`;
  });
  return path;
}

/**
 * @param {(number | null)[]} values
 * @returns {number[]}
 */
export function known(values) {
  return /** @type {number[]} */ (values.filter(value => value !== null));
}

/**
 * The values of all captures by time.
 * @param {Series} row
 * @param {Capture[]} captures
 * @param {(value: number) => string} text
 */
export function spark(row, captures, text) {
  const values = known(row.values);
  const last = captures[captures.length - 1].hours;
  const x = scale([0, last], EDGE, WIDTH - EDGE);
  const y = scale(domainOf(values.length > 0 ? values : [0]), HEIGHT - 4, 4);
  /** @type {SVGElement[]} */
  const content = [svg("path", {class: "line", d: linePath(row.values, captures, x, y)})];
  if (row.step !== null) {
    const at = x((captures[row.step - 1 < 0 ? 0 : row.step - 1].hours + captures[row.step].hours) /
      2);
    content.push(svg("path", {class: "step", d: `M${at} 1V${HEIGHT - 1}`}));
  }
  const end = row.values[row.values.length - 1];
  if (end !== null && end !== undefined) {
    content.push(svg("circle", {class: "end", cx: x(last), cy: y(end), r: 2.2}));
  }
  const range = values.length === 0 ? "no values"
    : `from ${text(row.first)} to ${text(row.last)}, least ${text(Math.min(...values))}, ` +
      `most ${text(Math.max(...values))}`;
  return plot(range + (row.step === null ? "" : `, a step at capture ${row.step + 1}`),
              "spark", ...content);
}
