// SPDX-License-Identifier: Apache-2.0
// What was looked at, and the totals of all sample types, of which one is chosen.

import {courseText, hasPrevious, isReal, typeText} from "./data.js";
import {foreign, html} from "./dom.js";
import {human, humanChange, humanRate, pText, percentOf, rateText, timeText} from "./format.js";
import {dots, spark} from "./plot.js";

/** @typedef {import("./data.js").Data} Data */
/** @typedef {import("./data.js").Input} Input */
/** @typedef {import("./data.js").SampleType} SampleType */
/** @typedef {import("./data.js").Total} Total */
/** @typedef {import("./data.js").Measured} Measured */
/** @typedef {import("./data.js").Series} Series */

/** From so many inputs on only the first and the last of each role are seen at first. */
const MANY = 4;
/** Longer texts get room for several lines. */
const SHORT = 44;
const STATES = {crossed: "crossed", kept: "kept", unjudged: "not judged"};

/** @param {Data} data */
function inputTable(data) {
  /** @type {[string, (input: Input) => string][]} */
  const all = [
    ["role", input => input.role],
    ["file", input => input.name],
    ["time", input => input.time === null ? "" : timeText(input.time)],
    ["duration", input => input.duration_seconds === null ? "" : human(
      input.duration_seconds * 1e9, "nanoseconds")],
    ["binary", input => input.binary || ""],
    ["build", input => input.build || ""],
  ];
  const columns = all.filter(([, text]) => data.inputs.some(input => text(input) !== ""));
  const row = (/** @type {Input} */ input) => html("tr", {}, columns.map(([, text]) =>
    html("td", {class: text(input).length > SHORT ? "long" : null}, foreign(text(input)))));
  const table = (/** @type {Input[]} */ inputs) => html("table", {class: "inputs"},
    html("caption", {class: "unseen"}, "Profiles"),
    html("thead", {}, html("tr", {}, columns.map(([name]) => html("th", {scope: "col"}, name)))),
    html("tbody", {}, inputs.map(row)));
  if (data.inputs.length <= MANY) {
    return html("div", {class: "scroll"}, table(data.inputs));
  }
  // Captures of a trend have numbers, and are of one side.
  const sides = data.inputs.map(input => data.command === "trend" ? "" : input.role);
  const ends = data.inputs.filter((_, i) =>
    sides.indexOf(sides[i]) === i || sides.lastIndexOf(sides[i]) === i);
  const body = html("div", {class: "scroll"}, table(ends));
  const details = html("details", {class: "all-inputs"},
    html("summary", {}, `All ${data.inputs.length} captures`));
  details.addEventListener("toggle", () => {
    body.replaceChildren(table(details.open ? data.inputs : ends));
  });
  return html("div", {}, body, details);
}

/**
 * @param {number} change
 * @param {string} text
 * @param {"news" | "plain" | "noise"} kind news have a color; what may be noise is small
 */
function signed(change, text, kind) {
  const sign = change > 0 ? "up" : change < 0 ? "down" : "";
  return html("span", {class: `amount ${kind === "news" ? sign : kind}`}, text);
}

/**
 * A bar that is as long as a part of the whole.
 * @param {string} className
 * @param {number} part
 */
function bar(className, part) {
  const element = html("i", {class: `bar-of ${className}`});
  element.style.setProperty("--part", `${Math.max(0, Math.min(1, part)) * 100}%`);
  return element;
}

/**
 * @param {[string, string]} sides
 * @param {string} from
 * @param {string} to
 * @param {number | null} p
 */
function fromTo(sides, from, to, p) {
  return html("span", {class: "from-to"},
    // A plot that stands with p says the same and more.
    html("span", {"aria-hidden": p === null ? null : "true"},
         html("span", {class: "unseen"}, `${sides[0]} `), from,
         html("span", {class: "to", "aria-hidden": "true"}, " \u2192 "),
         html("span", {class: "unseen"}, `, ${sides[1]} `), to),
    p === null ? null : html("span", {}, `p ${pText(p)}`));
}

/**
 * Of what was counted in between a rate, and no percentage: it would be of the time since the
 * process began, as growth that is worse than none.
 * @param {SampleType} type
 * @param {Data} data
 */
function reportTotal(type, data) {
  const total = /** @type {Total} */ (type.total);
  const {previous, current, change} = total;
  const value = (/** @type {number} */ x) => human(x, type.unit);
  const isCounted = type.content === "delta";
  const amount = change !== null ? change : current - (previous || 0);
  const isChange = isCounted || previous !== null;
  const most = Math.max(Math.abs(previous || 0), Math.abs(current)) || 1;
  return [
    html("span", {class: "figures"},
         signed(amount, isChange ? humanChange(amount, type.unit) : value(current),
                isChange && !isCounted ? "news" : "plain"),
         total.per_second !== null
           ? html("span", {class: "percent"},
                  rateText(total.per_second, type.unit, data.per || "second"))
           : isChange && !isCounted
             ? html("span", {class: "percent"}, percentOf(previous || 0, amount)) : null),
    previous === null ? null
      : html("span", {class: "bars", "aria-hidden": "true"}, bar("previous", previous / most),
             bar("current", current / most)),
    previous === null ? null : fromTo(data.sides, value(previous), value(current), null),
  ];
}

/**
 * @param {SampleType} type
 * @param {[string, string]} sides
 */
function compareTotal(type, sides) {
  const total = /** @type {Measured} */ (type.total);
  const value = (/** @type {number} */ x) => human(x, type.unit);
  return [
    total.verdict && html("span", {class: `is is-${total.verdict}`}, total.verdict),
    html("span", {class: "figures"},
         signed(total.change, humanChange(total.change, type.unit),
                isReal(total.verdict) ? "news" : "noise"),
         html("span", {class: "percent"}, percentOf(total.base_median, total.change) +
              (total.verdict ? " shift" : ""))),
    dots(total, sides, value),
    fromTo(sides, value(total.base_median), value(total.head_median), total.p),
  ];
}

/**
 * @param {SampleType} type
 * @param {Data} data
 */
function trendTotal(type, data) {
  const total = /** @type {Series} */ (type.total);
  const second = type.rate ? "/s" : "";
  const value = (/** @type {number} */ x) => humanRate(x, type.unit) + second;
  return [
    html("span", {class: `is is-${total.verdict}`}, courseText(total, data.alpha || 0)),
    html("span", {class: "figures"},
         signed(total.slope, (total.slope > 0 ? "+" : "") + value(total.slope),
                isReal(total.verdict) ? "news" : "noise"),
         html("span", {class: "percent"}, "per hour")),
    spark(total, data.captures || [], value),
    fromTo(data.sides, value(total.first), value(total.last), total.p),
  ];
}

export class Head {
  /**
   * @param {Data} data
   * @param {(type: SampleType) => void} choose
   */
  constructor(data, choose) {
    /** @type {Map<SampleType, HTMLInputElement>} */
    this.inputs = new Map();
    this.cards = html("div", {class: "cards", role: "radiogroup",
                              "aria-labelledby": "totals-heading"},
                      data.types.map(type => this.card(data, type, choose)));
    this.element = html("header", {class: "head"},
      html("p", {class: "program"}, `${data.program} ${data.command}`),
      html("h1", {}, foreign(data.title)),
      data.warnings.length === 0 ? null
        : html("section", {class: "warnings", "aria-label": "Warnings"},
               html("ul", {}, data.warnings.map(text => html("li", {}, foreign(text))))),
      data.limits.length === 0 ? null
        : html("section", {class: "limits", "aria-label": "Limits"},
               html("ul", {}, data.limits.map(limit => html("li", {class: limit.state},
                 html("span", {class: `chip ${limit.state}`}, STATES[limit.state]), " ",
                 foreign(limit.text))))),
      html("section", {"aria-label": "What was looked at"}, inputTable(data),
           data.interval === null ? null
             : html("p", {class: "interval"}, data.interval),
           data.options.length === 0 ? null : html("p", {class: "options"},
             "Options: ", data.options.map((text, i) => [i === 0 ? "" : " ",
                                                         html("code", {}, foreign(text))]))));
    this.totals = html("section", {id: "totals", "aria-labelledby": "totals-heading"},
      html("h2", {id: "totals-heading"}, "Sample types"), this.cards);
  }

  /**
   * @param {Data} data
   * @param {SampleType} type
   * @param {(type: SampleType) => void} choose
   */
  card(data, type, choose) {
    const input = html("input", {type: "radio", name: "type", value: typeText(type),
                                 class: "unseen"});
    input.addEventListener("change", () => choose(type));
    this.inputs.set(type, input);
    const content = data.command === "report" ? reportTotal(type, data)
      : data.command === "compare" ? compareTotal(type, data.sides) : trendTotal(type, data);
    const kind = type.cumulative && !hasPrevious(type) && data.command === "report"
      ? "counts from the start" : "";
    return html("label", {class: "card"}, input,
      html("span", {class: "card-name", title: kind || null}, foreign(type.name),
           html("span", {class: "unit"}, " ", foreign(type.unit))), content);
  }

  /** @param {SampleType} type */
  show(type) {
    const input = this.inputs.get(type);
    if (!input || !input.parentElement) {
      return;
    }
    input.checked = true;
    // Of very many types the chosen one can be out of sight.
    const {offsetTop, offsetHeight} = input.parentElement;
    const top = offsetTop - this.cards.offsetTop;
    if (top < this.cards.scrollTop ||
        top + offsetHeight > this.cards.scrollTop + this.cards.clientHeight) {
      this.cards.scrollTop = top;
    }
  }
}

/** @param {Data} data */
export function footer(data) {
  return html("footer", {}, data.notes.length === 0 ? null
    : [html("h2", {}, "Notes"),
       html("ul", {}, data.notes.map(text => html("li", {}, foreign(text))))],
    html("p", {class: "keys"}, "Keys: ", html("kbd", {}, "/"), " search, ",
         html("kbd", {}, "Enter"), " zoom, ", html("kbd", {}, "Esc"), " back, ",
         html("kbd", {}, "\u2190 \u2191 \u2192 \u2193"), " from frame to frame."));
}
