// SPDX-License-Identifier: Apache-2.0
// The page of `top --every`: a heat map, with a row for each service and a column for each period.

import {rowsOf} from "./columns.js";
import {contentText, typeText} from "./data.js";
import {fact, foreign, html, onResize, searchField} from "./dom.js";
import {durationText, fineText, percentOf, timeText} from "./format.js";
import {Head, amount, figures, footer} from "./head.js";
import {changeStep, classOfStep, scaleOfChanges} from "./look.js";
import {ShortNames, makeQuery} from "./names.js";
import {known, medianOfFirstHalf, spark, withEnds} from "./plot.js";
import {keep, start} from "./start.js";
import {stateOfHash} from "./state.js";

/** The widths in pixels: what a number needs, a column without one, a name, and a letter. */
const NUMBER = 62;
const NARROW = 14;
const NAME = 180;
const LETTER = 7.3;
/** The share of a whole period that deltas cover. */
const WHOLE = 0.9;
/** @type {Record<string, [number, number]>} */
const WAYS = {ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0]};

class Periods {
  /** @param {Data} data */
  constructor(data) {
    this.data = data;
    this.begins = data.periods || [];
    this.seconds = data.every_seconds || 0;
    const end = this.begins.every(begin => begin.endsWith(":00Z")) ? 16 : 19;
    /** The labels have the date, of which days have nothing else. */
    this.labels = this.begins.map(begin => [begin.slice(0, 10),
      this.seconds % 86400 === 0 ? "" : begin.slice(11, end)]);
    this.names = new ShortNames(data.names, data.forms);
    this.typed = new Set([""]);
    this.state = stateOfHash(location.hash, this.typed);
    this.head = new Head(data, {type: type => this.change({type: typeText(type)}, true),
                                part: () => {}}, type => this.totalOf(type));
    this.filter = searchField("filter", "Filter rows by name",
                              {placeholder: `Filter ${data.by} names`},
                              text => this.change({filter: text}, false));
    /** @type {HTMLElement[][]} */
    this.cells = [];
    /** @type {Map<Element | null, [number, number]>} Row and column of each. */
    this.places = new Map();
    /** @type {Row[]} */
    this.rows = [];
    this.width = 0;
    this.heading = html("h2", {id: "periods-heading"});
    this.count = html("p", {class: "note", role: "status"});
    this.reading = html("p", {class: "reading", "aria-live": "polite"});
    this.table = html("table", {class: "heat", role: "grid", "aria-labelledby": "periods-heading"});
    this.scroll = html("div", {class: "rows-box"}, this.table);
    this.element = html("section", {id: "periods", "aria-labelledby": "periods-heading"},
      html("div", {class: "section-head"}, this.heading, this.count),
      html("div", {class: "bar"}, html("span", {class: "controls"}, this.filter.element),
        html("span", {class: "scale legend"}, scaleOfChanges(),
             html("span", {class: "word"}, "grey: as in the first half of the row"),
             html("span", {class: "word"}, html("i", {class: "left-out key-of"}), "no delta"),
             html("span", {class: "word"}, html("i", {class: "part key-of"}),
                  "deltas of a part only"))),
      html("div", {class: "sticky"}, this.reading), this.scroll);
    onResize(this.scroll, () => this.width, () => this.draw());
    for (const event of ["pointerover", "focusin"]) {
      this.table.addEventListener(event, ({target}) => this.read(target));
    }
    this.table.addEventListener("pointerleave", () => this.read(document.activeElement));
    this.table.addEventListener("keydown", event => this.step(event));
  }

  /** @returns {SampleType} */
  type() {
    const {types} = this.data;
    return types.find(each => typeText(each) === this.state.type) || types[0];
  }

  // The mean of the total, and all of it.
  /** @param {SampleType} type */
  totalOf(type) {
    const {values} = /** @type {PeriodValues} */ (type.total);
    const numbers = known(values);
    const write = fineText(type);
    const mean = numbers.reduce((sum, value) => sum + value, 0) / (numbers.length || 1);
    const captures = values.map((_, i) => ({hours: i * this.seconds / 3600, series: 0}));
    const [first, last] = [numbers[0] || 0, numbers[numbers.length - 1] || 0];
    return [figures(amount(0, write(mean), "plain"), "mean"),
            withEnds(spark({values, first, last, step: null}, captures, write),
                     [first, last].map(write))];
  }

  /** @type {Change} */
  change(to, isStep) {
    this.state = {...this.state, ...to};
    this.typed.add(this.state.filter);
    keep(this.state, isStep);
    this.show();
  }

  show() {
    const type = this.type();
    const {matches, fault} = makeQuery(this.state.filter);
    this.rows = rowsOf(this.data, type, "flat").filter(({name}) => !matches || matches(name));
    this.head.show(type, 0);
    this.filter.input.value = this.state.filter;
    this.heading.textContent = `${contentText(type)}${type.rate ? " per second" : ""}, ` +
      `each ${durationText(this.seconds / 3600)} from then on, UTC`;
    this.count.textContent = fault || `${this.rows.length} of ${type.rows.length} rows` +
      (type.rows_left_out > 0 ? `, ${type.rows_left_out} smaller ones are left out` : "");
    this.draw();
  }

  // Numbers stand in cells where there is room, names beside them, or else above.
  draw() {
    this.width = this.scroll.clientWidth;
    const room = (this.width - NAME) / this.begins.length;
    const isBeside = room >= NARROW;
    const cell = isBeside ? room : this.width / this.begins.length;
    const every = Math.ceil(Math.max(...this.labels[0].map(text => text.length)) * LETTER / cell);
    const letters = Math.floor((isBeside ? NAME : this.width) / LETTER) - 1;
    const names = this.names.allShort(this.rows.map(row => row.name), letters);
    const corner = isBeside ? html("td", {class: "corner"}) : null;
    const labels = this.labels.map(([day, label], i) => i % every !== 0 ? null
      : html("th", {colspan: Math.min(every, this.labels.length - i)},
             day === this.labels[i - every]?.[0] ? "" : day, html("br"), label));
    this.cells = this.rows.map(row => this.cellsOf(row, room >= NUMBER));
    this.places = new Map(this.cells.flatMap((cells, row) =>
      cells.map((cell, column) => [cell, [row, column]])));
    this.table.replaceChildren(
      html("thead", {"aria-hidden": "true"}, html("tr", {}, corner, labels)),
      html("tbody", {}, this.rows.map(({name: title}, i) => {
        const name = html("th", {scope: "row", class: "lead", title, "aria-label": title,
                                 colspan: isBeside ? 1 : this.begins.length}, foreign(names[i]));
        return isBeside ? html("tr", {}, name, this.cells[i])
          : [html("tr", {}, name), html("tr", {}, this.cells[i])];
      })));
    this.cells[0]?.[0].setAttribute("tabindex", "0");
    this.scroll.classList.toggle("wide", this.table.offsetWidth > this.width);
    this.read(null);
  }

  // Colors are changes from the first half of the row, the same in all rows; heights are values,
  // where there is no room for numbers.
  /** @type {(row: Row, hasNumbers: boolean) => HTMLElement[]} */
  cellsOf({values}, hasNumbers) {
    /** @type {PeriodValues} */
    const {values: all, covered_seconds: covered} = values;
    const most = Math.max(...all.map(value => Math.abs(value || 0))) || 1;
    const base = medianOfFirstHalf(all);
    const write = fineText(this.type());
    return all.map((value, i) => {
      const part = Math.abs(value || 0) / most;
      const step = value === null ? "left-out" : classOfStep(changeStep(base, value, 1));
      const isPart = value !== null && covered[i] < WHOLE * this.seconds;
      return html("td", {class: `${hasNumbers ? step : "bar-cell"}${isPart ? " part" : ""}`,
                         tabindex: "-1",
                         "aria-label": this.words(values, i).join(", ")},
        hasNumbers ? value === null ? "" : write(value).replace(/\/s$/, "")
          : html("i", {class: step, "--part": value === null ? 1 : part}));
    });
  }

  // The time, the value, and what there was of it.
  /** @type {(row: PeriodValues, at: number) => string[]} */
  words({values, covered_seconds: covered, series}, at) {
    const value = values[at];
    const text = (/** @type {number} */ seconds) => durationText(seconds / 3600);
    const base = medianOfFirstHalf(values);
    return [timeText(this.begins[at]), ...value === null ? ["no delta"] : [
      fineText(this.type())(value),
      `${percentOf(base, value - base)} from the first half's ${fineText(this.type())(base)}`,
      `${text(covered[at])} of ${text(this.seconds)}`,
      `${series[at]} series`]];
  }

  /** @param {EventTarget | null} target what the pointer or the focus is on */
  placeOf(target) {
    return target instanceof Element ? this.places.get(target.closest("td")) : undefined;
  }

  /** @param {EventTarget | null} target */
  read(target) {
    const at = this.placeOf(target);
    const row = at && this.rows[at[0]];
    this.reading.replaceChildren(!row ? "Point at a cell, or use the arrow keys."
      : fact(foreign(row.name), this.words(row.values, at[1]).join(", ")));
  }

  /** @param {KeyboardEvent} event */
  step(event) {
    const at = this.placeOf(event.target);
    const way = WAYS[event.key];
    const next = at && way && this.cells[at[0] + way[0]]?.[at[1] + way[1]];
    if (next) {
      event.preventDefault();
      this.table.querySelector("[tabindex='0']")?.setAttribute("tabindex", "-1");
      next.setAttribute("tabindex", "0");
      next.focus();
    }
  }

  start() {
    document.body.prepend(this.head.element,
      html("main", {id: "main"}, this.head.overview, this.element), footer(this.data, false));
    this.show();
    addEventListener("popstate", () => {
      this.state = stateOfHash(location.hash, this.typed);
      this.show();
    });
  }
}

start(data => new Periods(data).start());
