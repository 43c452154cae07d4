// SPDX-License-Identifier: Apache-2.0
// Plots: those that stand in a cell, with the captures of a row; and that of a trend, with the
// total and chosen rows by time, each capture a point.

import {typeText} from "./data.js";
import {fact, foreign, html, onResize, svg} from "./dom.js";
import {durationText, fineText, timeText, unitOf} from "./format.js";

/** The size of a plot in a cell. */
const WIDTH = 140;
const HEIGHT = 26;
const EDGE = 5;
/** Around the large ones. */
const LEFT = 76;
const RIGHT = 14;
const BOTTOM = 22;
const TOP = 24; // The name of the plot is there.
const TOTAL_HEIGHT = 96;
const ROWS_HEIGHT = 160;
/** The number of styles of lines. */
const STYLES = 6;

// The range from the least to the largest value. Values that differ by little are not stretched to
// look like much.
/** @type {(values: number[]) => [number, number]} */
export function domainOf(values) {
  const low = Math.min(...values);
  const high = Math.max(...values);
  const least = Math.max(Math.abs(low), Math.abs(high)) * 0.1 || 1;
  const missing = Math.max(0, least - (high - low));
  return [low - missing / 2, high + missing / 2];
}

/** @type {(domain: [number, number], from: number, to: number) => (value: number) => number} */
export function scale([low, high], from, to) {
  return value => from + (to - from) * (value - low) / (high - low || 1);
}

/** @type {(step: number, from: number, to: number) => number[]} */
function multiples(step, from, to) {
  const found = [];
  for (let i = Math.ceil(from / step); i * step <= to; ++i) {
    found.push(i * step);
  }
  return found;
}

// Round numbers from zero to at least `high`, about `count` of them. The base is 10, for bytes 2.
/** @type {(low: number, high: number, count: number, base: number) => number[]} */
export function ticks(low, high, count, base) {
  const rough = (high - low) / count;
  if (!(rough > 0)) {
    return [low];
  }
  const power = base ** Math.floor(Math.log(rough) / Math.log(base));
  const factors = base === 10 ? [1, 2, 5, 10] : [1, 2];
  const step = power * (factors.find(factor => power * factor >= rough) || base);
  return multiples(step, low, high + step * 1e-9);
}

/** The steps in hours: what people count time in. */
const TIMES = [1 / 3600, 5 / 3600, 15 / 3600, 1 / 60, 5 / 60, 0.25, 0.5, 1, 2, 3, 6, 12, 24, 48,
               168];

// Times from the first to the last, in hours.
/** @type {(last: number, count: number) => number[]} */
export function timeTicks(last, count) {
  const rough = last / count;
  const step = TIMES.find(time => time >= rough) || Math.ceil(rough / 168) * 168;
  return multiples(step, 0, last * 1.0001);
}

/** @type {(text: string, content: SVGElement[]) => SVGElement} */
function plot(text, content) {
  return svg("svg", {width: WIDTH, height: HEIGHT, role: "img",
                     viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "xMinYMid",
                     "aria-label": text},
             svg("title", {}, text), content);
}

// A plot in a cell between the values at its ends.
/** @type {(drawing: SVGElement, ends: string[]) => HTMLElement} */
export function withEnds(drawing, [from, to]) {
  const end = (/** @type {string} */ text) =>
    html("span", {class: "end-of", "aria-hidden": "true"}, text);
  return html("span", {class: "drawing"}, end(from), drawing, end(to));
}

// The values at both ends of the axis of dots.
/** @type {(row: Pick<Measured, "base" | "head">, write: Write) => string[]} */
export function endsOf({base, head}, write) {
  return domainOf([...base, ...head]).map(write);
}

// All captures of both sides on one axis, or slots of both times, each side with its median and the
// interval of that.
/** @type {(row: Measured, data: Data, write: Write) => SVGElement} */
export function dots(row, {command, sides}, write) {
  const x = scale(domainOf([...row.base, ...row.head]), EDGE, WIDTH - EDGE);
  /** @type {SVGElement[]} */
  const content = [];
  /** @type {(side: "base" | "head", name: string, y: number) => string} */
  const lane = (side, name, y) => {
    const values = row[side];
    const [median, low, high] =
      [row[`${side}_median`], row[`${side}_low`], row[`${side}_high`]];
    const hasInterval = typeof low === "number" && typeof high === "number";
    if (hasInterval) {
      content.push(svg("rect", {class: "within", x: x(low) - 1, y: y - 4.5,
                                width: x(high) - x(low) + 2, height: 9, rx: 2}));
    }
    const circles = values.map(value =>
      `M${x(value) - 2.2} ${y}a2.2 2.2 0 1 0 4.4 0a2.2 2.2 0 1 0 -4.4 0`);
    content.push(svg("path", {class: `dots ${side}`, d: circles.join("")}),
                 svg("path", {class: "median", d: `M${x(median)} ${y - 5.5}v11`}));
    return `${name} ${write(median)}` +
      (hasInterval ? ` (${write(low)} to ${write(high)})` : "") +
      `, ${values.length} ${command === "top" ? "slots" : "captures"}`;
  };
  const words = [lane("base", sides[0], HEIGHT * 0.28), lane("head", sides[1], HEIGHT * 0.72)];
  return plot(words.join("; "), content);
}

// The path of a line through all values that are known, broken where a new series begins.
/** @type {(values: (number | null)[], captures: Capture[], x: (hours: number) => number,
 *          y: (value: number) => number) => string} */
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

/** @type {(values: (number | null)[]) => number[]} */
export function known(values) {
  return values.flatMap(value => value === null ? [] : [value]);
}

// The median of what is known of the first half, 0 if nothing is.
/** @type {(values: (number | null)[]) => number} */
export function medianOfFirstHalf(values) {
  const sorted = known(values.slice(0, Math.ceil(values.length / 2))).sort((a, b) => a - b);
  const [low, high] = [(sorted.length - 1) >> 1, sorted.length >> 1];
  return sorted.length === 0 ? 0 : (sorted[low] + sorted[high]) / 2;
}

// The values of all captures by time.
/** @type {(row: Pick<Series, "values" | "first" | "last" | "step">, captures: Capture[],
 *          write: Write) => SVGElement} */
export function spark(row, captures, write) {
  const values = known(row.values);
  const last = captures[captures.length - 1].hours;
  const x = scale([0, last], EDGE, WIDTH - EDGE);
  const y = scale(domainOf(values.length > 0 ? values : [0]), HEIGHT - 4, 4);
  /** @type {SVGElement[]} */
  const content = [svg("path", {class: "line", d: linePath(row.values, captures, x, y)})];
  if (row.step !== null) {
    const at = x((captures[Math.max(row.step - 1, 0)].hours + captures[row.step].hours) / 2);
    content.push(svg("path", {class: "step", d: `M${at} 1V${HEIGHT - 1}`}));
  }
  const end = row.values[row.values.length - 1];
  if (typeof end === "number") {
    content.push(svg("circle", {class: "end", cx: x(last), cy: y(end), r: 2.2}));
  }
  const range = values.length === 0 ? "no values"
    : `from ${write(row.first)} to ${write(row.last)}, least ${write(Math.min(...values))}, ` +
      `most ${write(Math.max(...values))}`;
  return plot(range + (row.step === null ? "" : `, a step at capture ${row.step + 1}`), content);
}

/** @typedef {{name: string, values: (number | null)[], style: string}} Line */

/** The section of a trend. */
export class Lines {
  /** @param {Data} data */
  constructor(data) {
    this.data = data;
    this.captures = data.captures || [];
    this.last = this.captures.length - 1;
    this.type = data.types[0];
    this.write = fineText(this.type);
    /** @type {Line[]} The total and chosen rows. */
    this.lines = [];
    this.at = -1;
    this.width = 0;
    this.x = scale([0, 1], LEFT, LEFT);
    this.plots = html("div", {class: "plots", tabindex: "0", role: "group",
                              "aria-label": "Plot of all captures. Left and right arrows read " +
                                            "one capture after the other."});
    this.key = html("ul", {class: "key"});
    this.reading = html("p", {class: "reading", "aria-live": "polite"});
    this.heading = html("h2", {id: "lines-heading"});
    this.element = html("section", {id: "lines", "aria-labelledby": "lines-heading"},
      this.heading, this.plots, this.key, this.reading);
    this.plots.addEventListener("pointermove", event => this.point(event));
    this.plots.addEventListener("pointerleave", () => this.read(-1));
    this.plots.addEventListener("keydown", event => {
      const step = event.key === "ArrowLeft" ? -1 : event.key === "ArrowRight" ? 1 : 0;
      if (step !== 0) {
        this.read(this.at < 0 ? (step > 0 ? 0 : this.last)
          : Math.max(0, Math.min(this.last, this.at + step)));
        event.preventDefault();
      }
    });
    onResize(this.plots, () => this.width, () => this.draw());
  }

  /** @type {(type: SampleType, rows: Row[]) => void} */
  show(type, rows) {
    this.type = type;
    this.write = fineText(type);
    const {values} = /** @type {Series} */ (type.total);
    this.lines = [{name: "total", values, style: "total"}, ...rows.map((row, i) =>
      ({name: row.name, values: row.values.values, style: `l${i % STYLES}`}))];
    this.heading.textContent = `${typeText(type)} by time`;
    this.draw();
  }

  draw() {
    this.width = this.plots.clientWidth;
    if (this.width === 0 || this.lines.length === 0) {
      return;
    }
    this.x = scale([0, this.captures[this.last].hours], LEFT, this.width - RIGHT);
    const [total, ...rows] = this.lines;
    this.plots.replaceChildren(this.panel([total], TOTAL_HEIGHT, "Total"),
      ...rows.length > 0 ? [this.panel(rows, ROWS_HEIGHT, "Chosen rows")] : []);
    this.key.replaceChildren(...rows.map(({name, style}) => html("li", {},
      svg("svg", {width: 26, height: 10, "aria-hidden": "true"},
          svg("path", {class: `line ${style}`, d: "M1 5H25"})), foreign(name))));
    this.read(-1);
  }

  /** @type {(lines: Line[], height: number, name: string) => SVGElement} */
  panel(lines, height, name) {
    const {captures, x, write, width} = this;
    const bottom = height - BOTTOM;
    const values = lines.flatMap(line => known(line.values));
    const low = Math.min(0, ...values);
    const high = Math.max(0, ...values) || 1;
    const y = scale([low, high], bottom, TOP);
    const path = (/** @type {string} */ className, /** @type {string} */ d) =>
      svg("path", {class: className, d});
    /** @type {(at: number, y: number, anchor: string, text: string) => SVGElement} */
    const tick = (at, level, anchor, text) =>
      svg("text", {class: "tick", x: at, y: level, "text-anchor": anchor}, text);
    const base = unitOf(this.type.unit)?.scales[0][1] === "B" ? 2 : 10;
    const hours = timeTicks(captures[this.last].hours, Math.max(2, width / 85));
    const restarts = captures.slice(1).flatMap((capture, i) =>
      capture.series === captures[i].series ? []
        : [{at: (x(capture.hours) + x(captures[i].hours)) / 2,
            // No time is known to have gone by where a clock was set back.
            what: capture.hours > captures[i].hours ? "restart" : "times go back"}]);
    const summary = lines.map(line => {
      const found = known(line.values);
      return `${line.name} from ${write(found[0] || 0)} to ${write(found[found.length - 1] || 0)}`;
    }).join("; ");
    return svg("svg", {width, height, role: "img", "aria-label": `${name}: ${summary}`},
      ticks(low, high, height / 40, base).map(value => [
        path("grid", `M${LEFT} ${y(value)}H${width}`),
        tick(LEFT - 8, y(value) + 4, "end", write(value))]),
      hours.map(hour => [path("grid time", `M${x(hour)} ${bottom}v4`),
                         tick(x(hour), height - 5, "middle", durationText(hour))]),
      restarts.map(({at, what}) => [path("restart", `M${at} ${TOP}V${bottom}`),
                                    tick(at + 4, TOP + 8, "start", what)]),
      lines.map(line => [
        path(`line ${line.style}`, linePath(line.values, captures, x, y)),
        line.values.map((value, i) => value === null ? null
          : svg("circle", {class: `point ${line.style}`, cx: x(captures[i].hours), cy: y(value),
                           r: 2.2}))]),
      svg("path", {class: "cross", d: `M0 ${TOP}V${bottom}`, visibility: "hidden"}),
      svg("text", {class: "panel", x: LEFT, y: 12}, name));
  }

  /** @param {PointerEvent} event */
  point(event) {
    const at = event.clientX - this.plots.getBoundingClientRect().left;
    const distances = this.captures.map(({hours}) => Math.abs(this.x(hours) - at));
    this.read(distances.indexOf(Math.min(...distances)));
  }

  /** @param {number} at a capture, -1 for none */
  read(at) {
    this.at = at;
    const capture = this.captures[at];
    for (const cross of this.plots.querySelectorAll(".cross")) {
      cross.setAttribute("visibility", capture ? "visible" : "hidden");
      cross.setAttribute("transform", `translate(${capture ? this.x(capture.hours) : 0} 0)`);
    }
    if (!capture) {
      this.reading.replaceChildren();
      return;
    }
    const input = this.data.inputs[at];
    const what = !input ? ""
      : input.name + (input.time === null ? "" : `, ${timeText(input.time)}`);
    this.reading.replaceChildren(
      html("span", {class: "fact"}, html("b", {}, durationText(capture.hours)), " ",
           foreign(what)),
      ...this.lines.map(({name, values}) => {
        const value = values[at];
        return fact(foreign(name), typeof value === "number" ? this.write(value) : "not known");
      }));
  }
}
