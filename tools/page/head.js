// SPDX-License-Identifier: Apache-2.0
// The inputs, and the totals of all sample types, of which one is chosen.

import {hasPrevious, isReal, typeText} from "./data.js";
import {breakable, foreign, html, pill} from "./dom.js";
import {
  fineText, human, humanChange, pText, percentOf, rateText, signed, timeText, valueText,
} from "./format.js";
import {dots, endsOf, spark, withEnds} from "./plot.js";

/** More inputs than these are summed up by side at first. */
const MANY = 4;
/** Letters of a date, and the blank behind it. */
const DAY = 11;
const STATES = {crossed: "crossed", kept: "kept", unjudged: "not judged"};

/** @type {("binary" | "build")[]} What is said of each input, or once if it is the same of all. */
const KINDS = ["binary", "build"];

// A term and what there is to say of it.
/** @type {(term: string, names: string[], facts: string[]) => HTMLElement[]} */
function entry(term, names, facts) {
  return [html("dt", {}, term), html("dd", {},
    html("span", {}, names.map((name, i) => [i === 0 ? "" : " \u2026 ", foreign(name)])),
    facts.filter(text => text !== "").map(text => html("span", {class: "fact"}, foreign(text))))];
}

// Returns the value that all inputs share; empty if they differ.
/** @type {(inputs: Input[], kind: "binary" | "build") => string} */
function common(inputs, kind) {
  const first = inputs[0][kind];
  return inputs.every(input => input[kind] === first) ? first || "" : "";
}

// Many inputs of one side, with the kinds that are to be said here.
/** @type {(side: string, inputs: Input[], kinds: typeof KINDS) => HTMLElement[]} */
function sideOf(side, inputs, kinds) {
  const ends = inputs.length === 1 ? inputs : [inputs[0], inputs[inputs.length - 1]];
  const times = [...new Set(ends.map(({time}) => timeText(time)))];
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
function inputList({inputs: all, options, command}) {
  const ofOptions = options.length === 0 ? null
    : [html("dt", {}, "options"), html("dd", {}, options.map(text =>
      html("code", {}, foreign(text))))];
  if (all.length === 0) {
    return html("dl", {class: "inputs"}, ofOptions);
  }
  const own = KINDS.filter(kind => common(all, kind) === "");
  const shared = KINDS.filter(kind => !own.includes(kind)).map(kind =>
    entry(kind, [common(all, kind)], []));
  const each = all.map(input => entry(input.role, [input.name], [
    timeText(input.time), input.duration_seconds === null ? ""
      : `over ${human(input.duration_seconds * 1e9, "nanoseconds")}`,
    ...own.map(kind => input[kind] || "")]));
  if (all.length <= MANY) {
    return html("dl", {class: "inputs"}, each, shared, ofOptions);
  }
  // Captures of a trend have numbers, and are of one side.
  const sides = command === "trend" ? [sideOf("all", all, own)]
    : [...new Set(all.map(({role}) => role))].map(side =>
      sideOf(side, all.filter(({role}) => role === side), own));
  return [html("dl", {class: "inputs"}, sides, shared, ofOptions),
          html("details", {class: "all-inputs"},
               html("summary", {}, `All ${all.length} captures`),
               html("dl", {class: "inputs"}, each))];
}

// A change that is news has a color; one that may be noise is small.
/** @type {(change: number, text: string, kind: "news" | "plain" | "noise") => HTMLElement} */
export function amount(change, text, kind) {
  const sign = change > 0 ? "up" : change < 0 ? "down" : "";
  return html("span", {class: `amount ${kind === "news" ? sign : kind}`}, text);
}

/** @type {(amount: HTMLElement, percent: string | null) => HTMLElement} */
export function figures(amount, percent) {
  return html("span", {class: "figures"}, amount,
              percent && html("span", {class: "percent"}, percent));
}

// The values of both sides.
/** @type {(sides: [string, string], from: string, to: string, p: number | null) => HTMLElement} */
function fromTo(sides, from, to, p) {
  return html("span", {class: "from-to"},
    // A plot that stands with p says the same and more.
    html("span", {"aria-hidden": p === null ? null : "true"},
         html("span", {class: "unseen"}, `${sides[0]} `), from,
         html("span", {class: "to", "aria-hidden": "true"}, " \u2192 "),
         html("span", {class: "unseen"}, `, ${sides[1]} `), to),
    p === null ? null : html("span", {}, `p ${pText(p)}`));
}

// Counters get a rate and no percentage: that would be of the time since the process began, which
// misleads more than it tells.
/** @type {(type: SampleType, data: Data) => Content} */
function reportTotal({total, unit, content}, {sides, per}) {
  const {previous, current, change, per_second: rate} = /** @type {Total} */ (total);
  const by = change !== null ? change : current - (previous || 0);
  const isCounted = content === "delta";
  const isNews = previous !== null && !isCounted;
  const text = isNews || isCounted ? humanChange(by, unit) : human(current, unit);
  const most = Math.max(Math.abs(previous || 0), Math.abs(current)) || 1;
  const bar = (/** @type {string} */ side, /** @type {number} */ value) =>
    html("i", {class: `bar-of ${side}`, "--part": `${Math.max(0, value / most) * 100}%`});
  return [
    figures(amount(by, text, isNews ? "news" : "plain"),
            rate !== null ? rateText(rate, unit, per || "second")
              : isNews ? percentOf(previous || 0, by) : null),
    previous === null ? null : [
      html("span", {class: "bars", "aria-hidden": "true"}, bar("previous", previous),
           bar("current", current)),
      fromTo(sides, human(previous, unit), human(current, unit), null)],
  ];
}

// Describes the total of a comparison: of captures, or of the parts of two times.
/** @type {(type: SampleType, data: Data) => Content} */
function measuredTotal(type, data) {
  const total = /** @type {Measured} */ (type.total);
  const {verdict, change, base_median: base, head_median: head} = total;
  const value = valueText(type);
  return [
    verdict && pill(verdict),
    figures(amount(change, signed(change, value), isReal(verdict) ? "news" : "noise"),
            percentOf(base, change) + (verdict && data.command === "compare" ? " shift" : "")),
    withEnds(dots(total, data, value), endsOf(total, value)),
    fromTo(data.sides, value(base), value(head), total.p),
  ];
}

/** @type {(type: SampleType, data: Data) => Content} */
function trendTotal(type, {sides, captures}) {
  const total = /** @type {Series} */ (type.total);
  const {verdict, jump, slope, first, last, p} = total;
  const value = fineText(type);
  const change = jump === null ? slope : jump;
  return [
    pill(verdict),
    figures(amount(change, signed(change, value), isReal(verdict) ? "news" : "noise"),
            jump === null ? "per hour" : "at a step"),
    spark(total, captures || [], value), fromTo(sides, value(first), value(last), p),
  ];
}

// A table that is shown as it is. Cells know their heads, which narrow windows show beside them.
/** @param {PlainTable} table */
function plainTable({of, columns, rows}) {
  /** @type {(text: string, i: number, isNews: boolean) => Content} */
  const content = (text, i, isNews) => {
    const sign = text.startsWith("-") ? -1 : text.startsWith("+") ? 1 : 0;
    return columns[i].verdict ? text && pill(text)
      : i === 0 && sign !== 0 ? amount(sign, text, isNews ? "news" : "noise") : text;
  };
  return rows.length === 0 ? null : html("table", {},
    html("thead", {}, html("tr", {}, columns.map(({head}) => html("th", {scope: "col"}, head)),
                           html("th", {scope: "col", class: "of"}, foreign(of)))),
    html("tbody", {}, rows.map(({name, depth, news, cells}) => html("tr", {},
      cells.map((text, i) => html("td", {"data-head": columns[i].head}, content(text, i, news))),
      html("th", {scope: "row", class: "of", "--depth": depth}, breakable(name))))));
}

// The answer, of which the heading has the first sentence: what that comes from, and all else.
/** @param {Data} data */
function findings({findings: all, remarks}) {
  const below = all.map(({notes, from}) =>
    [notes.map(note => html("p", {}, foreign(note))), plainTable(from)]);
  const others = all.slice(1).map(({text, details}, i) => [
    html("p", {class: "also"}, html("b", {}, foreign(text)), foreign(details)), below[i + 1]]);
  return [html("div", {}, below[0]), html("div", {}, others, remarks.map(text =>
    html("p", {class: "note"}, foreign(text))))];
}

// Returns the content of the card of a sample type.
/** @type {(type: SampleType, data: Data) => Content} */
export function totalOf(type, data) {
  return {report: reportTotal, compare: measuredTotal, top: measuredTotal,
          trend: trendTotal}[data.command](type, data);
}

// A section of the head, if it has anything.
/** @type {(name: string, label: string, items: any[], content: Content) => HTMLElement | null} */
function section(name, label, items, content) {
  return items.length === 0 ? null : html("section", {class: name, "aria-label": label}, content);
}

export class Head {
  /**
   * @param {Data} data
   * @param {{type: (type: SampleType) => void, part: (part: number) => void}} choose
   * @param {(type: SampleType) => Content} totalOf what stands in the card of a type
   */
  constructor(data, choose, totalOf) {
    const {types, type: shown, warnings, limits, parts, parts_left_out: leftOut} = data;
    const tables = data.tables || [];
    /** @type {Map<string, HTMLInputElement>} */
    this.inputs = new Map();
    this.parts = html("select", {id: "part"},
      ["all samples", ...(parts || []).map(({label}) => label)].map((label, part) =>
        html("option", {value: part}, label)));
    this.parts.addEventListener("change", () => choose.part(Number(this.parts.value)));
    // The type that the page shows comes first.
    const first = [types[shown], ...types.filter((_, i) => i !== shown)];
    this.cards = html("div", {class: "cards", role: "radiogroup",
                              "aria-labelledby": "totals-heading"},
                      first.map(type => this.card(data, type, totalOf(type), choose.type)));
    this.element = html("header", {class: "head"},
      html("p", {class: "program"}, `${data.program} ${data.command}: `, foreign(data.about)),
      html("h1", {}, foreign(data.title), html("span", {class: "details-of"},
                                               foreign(data.findings[0]?.details || ""))),
      section("warnings", "Warnings", warnings,
              html("ul", {}, warnings.map(text => html("li", {}, foreign(text))))),
      section("findings", "What changed", data.findings, findings(data)),
      section("findings plain", "Lifetimes", tables, tables.map(table => html("div", {},
        html("p", {}, html("b", {}, foreign(table.title))),
        html("div", {class: "box", tabindex: "0", role: "group", "aria-label": table.title},
             plainTable(table))))),
      section("limits", "Limits", limits, html("ul", {}, limits.map(({text, state}) =>
        html("li", {}, html("span", {class: `is chip ${state}`}, STATES[state]), " ",
             foreign(text))))));
    /** The inputs, and what there is of them. */
    this.overview = html("div", {class: "overview"},
      html("section", {"aria-label": "What was looked at"},
           data.interval && html("p", {class: "interval"}, foreign(data.interval)),
           inputList(data)),
      html("section", {id: "totals", "aria-labelledby": "totals-heading"},
        html("h2", {id: "totals-heading", class: "unseen"}, "Sample types"), this.cards,
        parts && html("p", {class: "parts"},
          html("label", {for: "part"}, "Stacks and rows of "), this.parts,
          leftOut ? ` ${leftOut} labels of smaller values are left out` : null)));
  }

  /** @type {(data: Data, type: SampleType, content: Content,
   *          choose: (type: SampleType) => void) => HTMLElement} */
  card(data, type, content, choose) {
    const input = html("input", {type: "radio", name: "type", value: typeText(type),
                                 class: "unseen"});
    input.addEventListener("change", () => choose(type));
    this.inputs.set(typeText(type), input);
    const kind = type.cumulative && !hasPrevious(type) && data.command === "report"
      ? "counts from the start" : null;
    return html("label", {class: "card"}, input,
      html("span", {class: "card-name", title: kind}, foreign(type.name),
           html("span", {class: "unit"}, " ", foreign(type.unit))), content);
  }

  /** @type {(type: SampleType, part: number) => void} */
  show(type, part) {
    this.parts.value = String(part);
    const input = this.inputs.get(typeText(type));
    const card = input?.parentElement;
    if (!input || !card) {
      return;
    }
    input.checked = true;
    // The chosen one of very many types can be out of sight.
    const cards = this.cards;
    const [top, left] = [card.offsetTop - cards.offsetTop, card.offsetLeft - cards.offsetLeft];
    if (top < cards.scrollTop ||
        top + card.offsetHeight > cards.scrollTop + cards.clientHeight) {
      cards.scrollTop = top;
    }
    if (left < cards.scrollLeft ||
        left + card.offsetWidth > cards.scrollLeft + cards.clientWidth) {
      cards.scrollLeft = left;
    }
  }
}

/** @type {(data: Data, hasPicture: boolean) => HTMLElement} */
export function footer({notes}, hasPicture) {
  const key = (/** @type {string} */ text) => html("kbd", {}, text);
  return html("footer", {}, notes.length === 0 ? null
    : [html("h2", {}, "Notes"),
       html("ul", {}, notes.map(text => html("li", {}, foreign(text))))],
    !hasPicture ? null : html("p", {class: "keys"}, "Keys: ", key("/"), " search, ",
         key("Enter"), " zoom, ", key("Esc"), " back, ", key("\u2190 \u2191 \u2192 \u2193"),
         " from frame to frame."));
}
