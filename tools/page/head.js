// SPDX-License-Identifier: Apache-2.0
// What was looked at, and the totals of all sample types, of which one is chosen.

import {hasPrevious, isReal, typeText} from "./data.js";
import {foreign, html} from "./dom.js";
import {
  human, humanChange, humanRate, pText, percentOf, rateText, timeText, valueText,
} from "./format.js";
import {dots, spark} from "./plot.js";

/** @typedef {import("./data.js").Data} Data */
/** @typedef {import("./data.js").Input} Input */
/** @typedef {import("./data.js").SampleType} SampleType */
/** @typedef {import("./data.js").Total} Total */
/** @typedef {import("./data.js").Measured} Measured */
/** @typedef {import("./data.js").Series} Series */

/** More inputs than these are summed up by side at first. */
const MANY = 4;
/** Letters of a date, and the blank behind it. */
const DAY = 11;
const STATES = {crossed: "crossed", kept: "kept", unjudged: "not judged"};
/** @typedef {"binary" | "build"} Kind */

/**
 * What is said of each input, or once if it is the same of all.
 * @type {Kind[]}
 */
const KINDS = ["binary", "build"];

/**
 * A term and what there is to say of it.
 * @param {string} term
 * @param {string[]} names
 * @param {string[]} facts
 */
function entry(term, names, facts) {
  return [html("dt", {}, term), html("dd", {},
    html("span", {}, names.map((name, i) => [i === 0 ? "" : " \u2026 ", foreign(name)])),
    facts.filter(text => text !== "").map(text =>
      html("span", {class: "fact"}, foreign(text))))];
}

/** @param {Input} input */
function timeOf(input) {
  return input.time === null ? "" : timeText(input.time);
}

/** @param {Input} input */
function durationOf(input) {
  return input.duration_seconds === null ? ""
    : `over ${human(input.duration_seconds * 1e9, "nanoseconds")}`;
}

/**
 * What all inputs have in common.
 * @param {Input[]} inputs
 * @param {Kind} kind
 */
function common(inputs, kind) {
  const first = inputs[0][kind];
  return inputs.every(input => input[kind] === first) ? first || "" : "";
}

/** @param {Input[]} inputs */
function eachInput(inputs) {
  const own = KINDS.filter(kind => common(inputs, kind) === "");
  return inputs.map(input => entry(input.role, [input.name],
    [timeOf(input), durationOf(input), ...own.map(kind => input[kind] || "")]));
}

/**
 * Many inputs of one side.
 * @param {string} side
 * @param {Input[]} inputs
 * @param {Kind[]} kinds that are to be said here
 */
function sideOf(side, inputs, kinds) {
  const ends = inputs.length === 1 ? inputs : [inputs[0], inputs[inputs.length - 1]];
  const times = [...new Set(ends.map(timeOf))];
  const [first, last] = times;
  const day = first.slice(0, DAY);
  const when = times.includes("") ? "" : times.length === 1 ? `, ${first}`
    : `, ${first.replace(/ UTC$/, "")} to ${last.startsWith(day) ? last.slice(DAY) : last}`;
  const names = ends.map(input => input.name);
  const folder = names[0].slice(0, names[0].lastIndexOf("/") + 1);
  if (names.length > 1 && names[1].startsWith(folder)) {
    names[1] = names[1].slice(folder.length);
  }
  return entry(side, names, [
    `${inputs.length} captures${when}`, ...kinds.map(kind => common(inputs, kind))]);
}

/** @param {Data} data */
function inputList(data) {
  const inputs = data.inputs;
  if (inputs.length === 0) {
    return html("dl", {class: "inputs"}, optionsOf(data));
  }
  const shared = KINDS.filter(kind => common(inputs, kind) !== "").map(kind =>
    entry(kind, [common(inputs, kind)], []));
  if (inputs.length <= MANY) {
    return html("dl", {class: "inputs"}, eachInput(inputs), shared, optionsOf(data));
  }
  // Captures of a trend have numbers, and are of one side.
  const sides = data.command === "trend" ? ["all"] : [...new Set(inputs.map(({role}) => role))];
  const own = KINDS.filter(kind => common(inputs, kind) === "");
  return [
    html("dl", {class: "inputs"},
         sides.map(side => sideOf(side, inputs.filter(({role}) => side === "all" || role === side),
                                  own)),
         shared, optionsOf(data)),
    html("details", {class: "all-inputs"},
         html("summary", {}, `All ${inputs.length} captures`),
         html("dl", {class: "inputs"}, eachInput(inputs))),
  ];
}

/** @param {Data} data */
function optionsOf(data) {
  return data.options.length === 0 ? null
    : [html("dt", {}, "options"), html("dd", {}, data.options.map(text =>
      html("code", {}, foreign(text))))];
}

/**
 * When it was, and how much for each second.
 * @param {Data} data
 */
function intervalLine(data) {
  const rates = data.command !== "report" ? [] : data.types.flatMap(type => {
    const {per_second: rate} = /** @type {Total} */ (type.total);
    return rate === null ? []
      : [[type.name, rateText(rate, type.unit, data.per || "second")]];
  }).slice(0, MANY);
  if (data.interval === null && rates.length === 0) {
    return null;
  }
  return html("p", {class: "interval"}, data.interval === null ? null
    : html("span", {class: "fact"}, data.interval),
    rates.map(([name, rate]) => html("span", {class: "fact"},
      html("span", {class: "word"}, foreign(name)), " ", rate)));
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
 * @param {Data} data
 */
function measuredTotal(type, {command, sides}) {
  const total = /** @type {Measured} */ (type.total);
  const value = valueText(type);
  return [
    total.verdict && html("span", {class: `is is-${total.verdict.replace(" ", "-")}`},
                          total.verdict),
    html("span", {class: "figures"},
         signed(total.change, (total.change > 0 ? "+" : "") + value(total.change),
                isReal(total.verdict) ? "news" : "noise"),
         html("span", {class: "percent"}, percentOf(total.base_median, total.change) +
              (total.verdict && command === "compare" ? " shift" : ""))),
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
  const change = total.jump === null ? total.slope : total.jump;
  return [
    html("span", {class: `is is-${total.verdict.replace(" ", "-")}`}, total.verdict),
    html("span", {class: "figures"},
         signed(change, (change > 0 ? "+" : "") + value(change),
                isReal(total.verdict) ? "news" : "noise"),
         html("span", {class: "percent"}, total.jump === null ? "per hour" : "at a step")),
    spark(total, data.captures || [], value),
    fromTo(data.sides, value(total.first), value(total.last), total.p),
  ];
}

/**
 * What changed, and where that comes from.
 * @param {Data["findings"]} findings
 */
function findingList(findings) {
  return findings.length === 0 ? null
    : html("section", {class: "findings", "aria-label": "What changed"}, findings.map(
      ({text, from}) => [html("p", {}, foreign(text)), from.length === 0 ? null
        : html("table", {}, html("tbody", {}, from.map(({depth, change, percent, name, news}) => {
          const cell = html("td", {class: "cause"}, foreign(name));
          cell.style.setProperty("--depth", String(depth));
          const sign = change.startsWith("-") ? -1 : 1;
          return html("tr", {}, html("td", {}, signed(sign, change, news ? "news" : "noise")),
                      html("td", {class: "percent"}, percent), cell);
        })))]));
}

export class Head {
  /**
   * @param {Data} data
   * @param {{type: (type: SampleType) => void, part: (part: number) => void}} choose
   */
  constructor(data, choose) {
    /** @type {Map<string, HTMLInputElement>} */
    this.inputs = new Map();
    this.parts = html("select", {id: "part"}, ["all samples", ...(data.parts || []).map(
      ({label}) => label)].map((label, part) => html("option", {value: String(part)}, label)));
    this.parts.addEventListener("change", () => choose.part(Number(this.parts.value)));
    this.cards = html("div", {class: "cards", role: "radiogroup",
                              "aria-labelledby": "totals-heading"},
                      // That which the page is about comes first.
                      [...data.types.slice(data.type, data.type + 1),
                       ...data.types.filter((_, i) => i !== data.type)].map(
                        type => this.card(data, type, choose.type)));
    this.element = html("header", {class: "head"},
      html("p", {class: "program"}, `${data.program} ${data.command}`),
      html("h1", {}, foreign(data.title)), intervalLine(data),
      data.warnings.length === 0 ? null
        : html("section", {class: "warnings", "aria-label": "Warnings"},
               html("ul", {}, data.warnings.map(text => html("li", {}, foreign(text))))),
      findingList(data.findings),
      data.limits.length === 0 ? null
        : html("section", {class: "limits", "aria-label": "Limits"},
               html("ul", {}, data.limits.map(limit => html("li", {class: limit.state},
                 html("span", {class: `chip ${limit.state}`}, STATES[limit.state]), " ",
                 foreign(limit.text))))));
    this.totals = html("section", {id: "totals", "aria-labelledby": "totals-heading"},
      html("h2", {id: "totals-heading", class: "unseen"}, "Sample types"), this.cards,
      !data.parts ? null : html("p", {class: "parts"},
        html("label", {for: "part"}, "Stacks and rows of "), this.parts,
        data.parts_left_out
          ? ` ${data.parts_left_out} labels of smaller values are left out` : null));
    /** What was looked at, and what there is of it. */
    this.overview = html("div", {class: "overview"},
      html("section", {"aria-label": "What was looked at"}, inputList(data)), this.totals);
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
    this.inputs.set(typeText(type), input);
    const content = data.command === "report" ? reportTotal(type, data)
      : data.command === "trend" ? trendTotal(type, data) : measuredTotal(type, data);
    const kind = type.cumulative && !hasPrevious(type) && data.command === "report"
      ? "counts from the start" : "";
    return html("label", {class: "card"}, input,
      html("span", {class: "card-name", title: kind || null}, foreign(type.name),
           html("span", {class: "unit"}, " ", foreign(type.unit))), content);
  }

  /**
   * @param {SampleType} type
   * @param {number} part
   */
  show(type, part) {
    this.parts.value = String(part);
    const input = this.inputs.get(typeText(type));
    if (!input || !input.parentElement) {
      return;
    }
    input.checked = true;
    // Of very many types the chosen one can be out of sight.
    const {offsetTop, offsetHeight, offsetLeft, offsetWidth} = input.parentElement;
    const cards = this.cards;
    const [top, left] = [offsetTop - cards.offsetTop, offsetLeft - cards.offsetLeft];
    if (top < cards.scrollTop || top + offsetHeight > cards.scrollTop + cards.clientHeight) {
      cards.scrollTop = top;
    }
    if (left < cards.scrollLeft || left + offsetWidth > cards.scrollLeft + cards.clientWidth) {
      cards.scrollLeft = left;
    }
  }
}

/**
 * @param {Data} data
 * @param {boolean} hasPicture
 */
export function footer(data, hasPicture) {
  return html("footer", {}, data.notes.length === 0 ? null
    : [html("h2", {}, "Notes"),
       html("ul", {}, data.notes.map(text => html("li", {}, foreign(text))))],
    !hasPicture ? null : html("p", {class: "keys"}, "Keys: ", html("kbd", {}, "/"), " search, ",
         html("kbd", {}, "Enter"), " zoom, ", html("kbd", {}, "Esc"), " back, ",
         html("kbd", {}, "\u2190 \u2191 \u2192 \u2193"), " from frame to frame."));
}
