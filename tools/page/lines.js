// SPDX-License-Identifier: Apache-2.0
// The plot of a trend: the total and chosen rows by time, each capture a point.

import {typeText} from "./data.js";
import {foreign, html, svg} from "./dom.js";
import {durationText, humanRate, timeText, unitOf} from "./format.js";
import {known, linePath} from "./plot.js";
import {scale, ticks, timeTicks} from "./scale.js";

/** @typedef {import("./data.js").Data} Data */
/** @typedef {import("./data.js").SampleType} SampleType */
/** @typedef {import("./data.js").Series} Series */
/** @typedef {import("./columns.js").Row} Row */
/** @typedef {{name: string, values: (number | null)[], style: number}} Line */

const LEFT = 76;
const RIGHT = 14;
const BOTTOM = 22;
const TOP = 24; // The name of the plot is there.
const TOTAL_HEIGHT = 96;
const ROWS_HEIGHT = 160;

export class Lines {
  /** @param {Data} data */
  constructor(data) {
    this.data = data;
    this.captures = data.captures || [];
    this.type = data.types[0];
    /** @type {Line[]} */
    this.lines = [];
    this.at = -1;
    this.width = 0;
    /** @type {Line | null} */
    this.total = null;
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
        const last = this.captures.length - 1;
        this.read(this.at < 0 ? (step > 0 ? 0 : last)
          : Math.max(0, Math.min(last, this.at + step)));
        event.preventDefault();
      }
    });
    new ResizeObserver(() => {
      if (this.plots.clientWidth !== this.width) {
        requestAnimationFrame(() => this.draw());
      }
    }).observe(this.plots);
  }

  /**
   * @param {SampleType} type
   * @param {Row[]} rows
   */
  show(type, rows) {
    this.type = type;
    const total = /** @type {Series} */ (type.total);
    this.total = {name: "total", values: total.values, style: -1};
    this.lines = rows.map((row, i) => ({name: row.name, values: row.values.values, style: i % 6}));
    this.heading.textContent = `${typeText(type)} by time`;
    this.draw();
  }

  /** @param {number} value */
  text(value) {
    return humanRate(value, this.type.unit) + (this.type.rate ? "/s" : "");
  }

  draw() {
    this.width = this.plots.clientWidth;
    if (this.width === 0 || !this.total) {
      return;
    }
    const last = this.captures[this.captures.length - 1].hours;
    this.x = scale([0, last], LEFT, this.width - RIGHT);
    const panels = [this.panel([this.total], TOTAL_HEIGHT, "Total")];
    if (this.lines.length > 0) {
      panels.push(this.panel(this.lines, ROWS_HEIGHT, "Chosen rows"));
    }
    this.plots.replaceChildren(...panels);
    this.key.replaceChildren(...this.lines.map(line => html("li", {},
      svg("svg", {width: 26, height: 10, "aria-hidden": "true"},
          svg("path", {class: `line l${line.style}`, d: "M1 5H25"})),
      foreign(line.name))));
    this.read(-1);
  }

  /**
   * @param {Line[]} lines
   * @param {number} height
   * @param {string} name
   */
  panel(lines, height, name) {
    const x = this.x;
    const values = lines.flatMap(line => known(line.values));
    const low = Math.min(0, ...values);
    const high = Math.max(0, ...values) || 1;
    const y = scale([low, high], height - BOTTOM, TOP);
    const content = [];
    const unit = unitOf(this.type.unit);
    for (const tick of ticks(low, high, height / 40, unit && unit.scales[0][1] === "B" ? 2 : 10)) {
      content.push(svg("path", {class: "grid", d: `M${LEFT} ${y(tick)}H${this.width}`}),
                   svg("text", {class: "tick", x: LEFT - 8, y: y(tick) + 4,
                                "text-anchor": "end"}, this.text(tick)));
    }
    for (const tick of timeTicks(this.captures[this.captures.length - 1].hours,
                                 Math.max(2, this.width / 85))) {
      content.push(svg("path", {class: "grid time", d: `M${x(tick)} ${height - BOTTOM}v4`}),
                   svg("text", {class: "tick", x: x(tick), y: height - 5,
                                "text-anchor": "middle"}, durationText(tick)));
    }
    this.captures.forEach((capture, i) => {
      if (i > 0 && capture.series !== this.captures[i - 1].series) {
        const at = (x(capture.hours) + x(this.captures[i - 1].hours)) / 2;
        content.push(svg("path", {class: "restart", d: `M${at} ${TOP}V${height - BOTTOM}`}),
                     svg("text", {class: "tick", x: at + 4, y: TOP + 8}, "restart"));
      }
    });
    for (const line of lines) {
      const style = line.style < 0 ? "total" : `l${line.style}`;
      content.push(svg("path", {class: `line ${style}`,
                                d: linePath(line.values, this.captures, x, y)}));
      line.values.forEach((value, i) => {
        if (value !== null) {
          content.push(svg("circle", {class: `point ${style}`, cx: x(this.captures[i].hours),
                                      cy: y(value), r: 2.2}));
        }
      });
    }
    content.push(svg("path", {class: "cross", d: `M0 ${TOP}V${height - BOTTOM}`,
                              visibility: "hidden"}));
    const summary = lines.map(line => {
      const found = known(line.values);
      return `${line.name} from ${this.text(found[0] || 0)} to ` +
        this.text(found[found.length - 1] || 0);
    }).join("; ");
    return svg("svg", {width: this.width, height, role: "img",
                       "aria-label": `${name}: ${summary}`},
               content, svg("text", {class: "panel", x: LEFT, y: 12}, name));
  }

  /**
   * Which capture it is.
   * @param {number} at
   */
  captureText(at) {
    const input = this.data.inputs[at];
    return !input ? "" : input.name + (input.time === null ? "" : `, ${timeText(input.time)}`);
  }

  /** @param {PointerEvent} event */
  point(event) {
    const x = this.x;
    const at = event.clientX - this.plots.getBoundingClientRect().left;
    let nearest = 0;
    this.captures.forEach((capture, i) => {
      if (Math.abs(x(capture.hours) - at) < Math.abs(x(this.captures[nearest].hours) - at)) {
        nearest = i;
      }
    });
    this.read(nearest);
  }

  /** @param {number} at a capture, -1 for none */
  read(at) {
    this.at = at;
    for (const cross of this.plots.querySelectorAll(".cross")) {
      cross.setAttribute("visibility", at < 0 ? "hidden" : "visible");
      if (at >= 0) {
        cross.setAttribute("transform", `translate(${this.x(this.captures[at].hours)} 0)`);
      }
    }
    if (at < 0 || !this.total) {
      this.reading.replaceChildren();
      return;
    }
    const value = (/** @type {Line} */ line) => {
      const found = line.values[at];
      return found === null || found === undefined ? "not known" : this.text(found);
    };
    this.reading.replaceChildren(
      html("span", {class: "fact"}, html("b", {}, durationText(this.captures[at].hours)), " ",
           foreign(this.captureText(at))),
      ...[this.total, ...this.lines].map(line => html("span", {class: "fact"},
        html("span", {class: "word"}, foreign(line.name)), " ", value(line))));
  }
}
