// SPDX-License-Identifier: Apache-2.0
// What the table has for each command: how a column is called, sorted and written.

import {
  human, humanChange, humanRate, pText, percentOf, rateText, shareText, valueText,
} from "./format.js";

/** @typedef {import("./data.js").Data} Data */
/** @typedef {import("./data.js").SampleType} SampleType */
/** @typedef {import("./data.js").PairRow} PairRow */
/** @typedef {import("./data.js").Measured} Measured */
/** @typedef {import("./data.js").MeasuredRow} MeasuredRow */
/** @typedef {import("./data.js").Series} Series */
/** @typedef {import("./data.js").SeriesRow} SeriesRow */

/**
 * A row of the table, whatever the command: a name, and values of which columns know the kind.
 * @typedef {object} Row
 * @property {number} id place of the name
 * @property {string} name
 * @property {string} service whose it is; empty for most
 * @property {any} values
 */

/**
 * @typedef {object} Column
 * @property {string} id
 * @property {string} label
 * @property {string} title
 * @property {string} group columns of one group stand together under its name; empty for none
 * @property {"name" | "text" | "number" | "change" | "verdict" | "dots" | "line" | "check"} kind
 * @property {number} from the least width of a table that has it, in pixels
 * @property {(row: Row) => number | string} key by which rows are sorted
 * @property {(row: Row) => string} text
 */

/** Widths of tables, in pixels, from which on there is room for more columns beside the names. */
const SOME = 480;
const SMALL_PLOT = 600;
const MORE = 820;
const ALL = 1000;

/** @type {Column} */
const NAME = {id: "name", label: "Name", title: "", group: "", kind: "name",
              from: 0, key: row => row.name, text: row => row.name};

/**
 * @param {string} id
 * @param {string} label
 * @param {Column["kind"]} kind
 * @param {(row: Row) => number | string} key
 * @param {(row: Row) => string} text
 * @param {{title?: string, group?: string, from?: number}} more
 * @returns {Column}
 */
function column(id, label, kind, key, text, more) {
  return {id, label, title: "", group: "", kind, from: 0, key, text, ...more};
}

/** Of an increase in percent; what is new is above all of them. */
function part(/** @type {number} */ previous, /** @type {number} */ change) {
  return previous !== 0 ? change / Math.abs(previous)
    : change === 0 ? 0 : Math.sign(change) * Number.MAX_VALUE;
}

/**
 * @param {Data} data
 * @param {SampleType} type
 * @returns {Column[]}
 */
function reportColumns(data, type) {
  const columns = [];
  const unit = type.unit;
  const total = /** @type {import("./data.js").Total} */ (type.total);
  /** @type {["flat" | "cum", string, number][]} */
  const groups = [["flat", "Flat", 1], ["cum", "Cum", 3]];
  for (const [id, group, at] of groups) {
    const previous = (/** @type {Row} */ row) => row.values[at];
    const current = (/** @type {Row} */ row) => row.values[at + 1];
    const change = (/** @type {Row} */ row) => current(row) - previous(row);
    if (type.content === "comparison") {
      columns.push(
        column(`${id}-change`, "change", "change", change, row => humanChange(change(row), unit),
               {group}),
        column(`${id}-percent`, "%", "number", row => part(previous(row), change(row)),
               row => percentOf(previous(row), change(row)),
               {title: "Of the value before", group, from: SOME}),
        column(`${id}-previous`, data.sides[0], "number", previous,
               row => human(previous(row), unit), {group, from: MORE}),
        column(`${id}-current`, data.sides[1], "number", current,
               row => human(current(row), unit), {group, from: MORE}));
    } else {
      const {per, duration_seconds: seconds} = data;
      const isRate = per !== null && seconds !== null && total.per_second !== null;
      const text = (/** @type {number} */ x) =>
        (type.content === "delta" && x > 0 ? "+" : "") +
        (isRate ? rateText(x / seconds, unit, per) : human(x, unit));
      columns.push(
        column(`${id}-change`, isRate ? `per ${per}` : type.content === "delta" ? "in between"
          : "value", "change", current, row => text(current(row)), {group}),
        column(`${id}-percent`, "share", "number", row => current(row),
               row => shareText(current(row), total.size),
               {title: "Of the total", group, from: SOME}));
    }
  }
  return [...columns, NAME];
}

const VERDICTS = ["", "fell", "falls", "same", "level", "too few", "unsure", "levels off",
  "steps", "gone", "new", "grew", "grows"];

/**
 * How fast a row grows, or the jump of one that does so once.
 * @param {Series} row
 * @param {(value: number) => string} text
 */
export function courseText({slope, jump}, text) {
  return jump === null ? text(slope) : `${text(jump)} once`;
}

/**
 * @param {(value: number) => string} text
 * @param {number | null} low
 * @param {number | null} high
 */
function intervalText(text, low, high) {
  return low === null || high === null ? "" : `${text(low)} \u2026 ${text(high)}`;
}

/**
 * @param {Data} data
 * @param {SampleType} type
 * @returns {Column[]}
 */
function compareColumns(data, type) {
  const of = (/** @type {Row} */ row) => /** @type {Measured} */ (row.values);
  const value = (/** @type {number} */ x) => human(x, type.unit);
  const change = (/** @type {number} */ x) => humanChange(x, type.unit);
  const isTested = /** @type {MeasuredRow[]} */ (type.rows).some(({flat, cum}) =>
    flat?.verdict || cum?.verdict);
  /** @type {Column[]} */
  const columns = [
    column("change", isTested ? "shift" : "change", "change", row => of(row).change,
           row => change(of(row).change), {title: isTested
             ? "The median of all differences between a head and a base" : ""}),
    column("percent", "%", "number", row => part(of(row).base_median, of(row).change),
           row => percentOf(of(row).base_median, of(row).change),
           {title: "Of the median of the base", from: SOME}),
    column("verdict", "is", "verdict", row => VERDICTS.indexOf(of(row).verdict || ""),
           row => of(row).verdict || "not tested", {title: "What the test says of the change"}),
    column("p", "p", "number", row => of(row).p === null ? 2 : Number(of(row).p),
           row => of(row).p === null ? "" : pText(Number(of(row).p)),
           {title: "How likely such a difference is by chance", from: SOME}),
    column("dots", "captures", "dots", row => of(row).head_median, () => "",
           {title: "Each capture, the median and its interval", from: SMALL_PLOT}),
    column("interval", "interval", "number", row => (of(row).high || 0) - (of(row).low || 0),
           row => intervalText(change, of(row).low, of(row).high),
           {title: "Of the shift", from: ALL}),
    column("base", data.sides[0], "number", row => of(row).base_median,
           row => value(of(row).base_median), {title: "Median", from: ALL}),
    column("head", data.sides[1], "number", row => of(row).head_median,
           row => value(of(row).head_median), {title: "Median", from: ALL}),
    NAME,
  ];
  return isTested ? columns
    : columns.filter(({id}) => !["verdict", "interval", "p"].includes(id));
}

/**
 * @param {Data} data
 * @param {SampleType} type
 * @param {"flat" | "cum"} values rows are services, or their functions
 * @returns {Column[]}
 */
function topColumns(data, type, values) {
  const of = (/** @type {Row} */ row) => /** @type {Measured} */ (row.values);
  const value = valueText(type);
  return [
    column("change", "change", "change", row => of(row).change,
           row => (of(row).change > 0 ? "+" : "") + value(of(row).change), {}),
    column("percent", "%", "number", row => part(of(row).base_median, of(row).change),
           row => percentOf(of(row).base_median, of(row).change), {from: SOME}),
    column("head", data.sides[1], "number", row => of(row).head_median,
           row => value(of(row).head_median), {title: "The mean"}),
    column("base", data.sides[0], "number", row => of(row).base_median,
           row => value(of(row).base_median), {title: "The mean", from: MORE}),
    column("verdict", "is", "verdict", row => VERDICTS.indexOf(of(row).verdict || ""),
           row => of(row).verdict || "", {title: "What the test says of the change"}),
    column("p", "p", "number", row => of(row).p === null ? 2 : Number(of(row).p),
           row => of(row).p === null ? "" : pText(Number(of(row).p)),
           {title: "How likely such a difference is by chance", from: SOME}),
    values === "cum"
      ? column("service", "service", "text", row => row.service, row => row.service, {})
      : column("dots", "parts", "dots", row => of(row).head_median, () => "",
               {title: "Each part of both times, and the mean", from: SMALL_PLOT}),
    NAME,
  ];
}

/**
 * @param {Data} data
 * @param {SampleType} type
 * @returns {Column[]}
 */
function trendColumns(data, type) {
  const of = (/** @type {Row} */ row) => /** @type {Series} */ (row.values);
  const second = type.rate ? "/s" : "";
  const value = (/** @type {number} */ x) => humanRate(x, type.unit) + second;
  const slope = (/** @type {number} */ x) => (x > 0 ? "+" : "") + humanRate(x, type.unit);
  return [
    column("slope", "per hour", "change", row => of(row).slope,
           row => courseText(of(row), slope),
           {title: type.rate ? "How much the rate for each second changes in an hour" : ""}),
    column("verdict", "is", "verdict", row => VERDICTS.indexOf(of(row).verdict),
           row => of(row).verdict,
           {title: "What the test says of its course"}),
    column("p", "p", "number", row => of(row).p === null ? 2 : Number(of(row).p),
           row => of(row).p === null ? "" : pText(Number(of(row).p)),
           {title: "How likely such a course is by chance", from: SOME}),
    column("line", "captures", "line", row => of(row).last, () => "",
           {title: "All captures", from: SMALL_PLOT}),
    column("interval", "interval", "number", row => (of(row).high || 0) - (of(row).low || 0),
           row => intervalText(slope, of(row).low, of(row).high),
           {title: "Of the change per hour", from: ALL}),
    column("first", data.sides[0], "number", row => of(row).first, row => value(of(row).first),
           {from: ALL}),
    column("last", data.sides[1], "number", row => of(row).last, row => value(of(row).last),
           {from: ALL}),
    column("percent", "%", "number", row => part(of(row).first, of(row).last - of(row).first),
           row => percentOf(of(row).first, of(row).last - of(row).first),
           {title: "From the first to the last", from: ALL}),
    column("share", "share", "number", row => of(row).share === null ? -2 : Number(of(row).share),
           row => of(row).share === null ? "" : shareText(Number(of(row).share), 1),
           {title: "Of the growth of the total", from: ALL}),
    column("chosen", "plot", "check", () => 0, () => "", {title: "Draw its line in the plot"}),
    NAME,
  ];
}

/**
 * @param {Data} data
 * @param {SampleType} type
 * @param {"flat" | "cum"} values which of a row that has both for itself
 */
export function columnsOf(data, type, values) {
  const columns = {report: reportColumns, compare: compareColumns, trend: trendColumns,
                   top: topColumns};
  return columns[data.command](data, type, values);
}

/**
 * The column by which rows are sorted at first: by the size of what happened.
 * @param {Data} data
 * @param {"flat" | "cum"} values
 */
export function firstSort(data, values) {
  return data.command === "report" ? `${values}-change`
    : data.command === "trend" ? "slope" : "change";
}

/**
 * @param {Data} data
 * @param {SampleType} type
 * @param {"flat" | "cum"} values which of a row that has both for itself
 * @returns {Row[]}
 */
export function rowsOf(data, type, values) {
  /** @type {Row[]} */
  const rows = [];
  for (const row of type.rows) {
    if (Array.isArray(row)) {
      rows.push({id: row[0], name: data.names[row[0]], service: "", values: row});
      continue;
    }
    if (row[values]) {
      const service = "service" in row && row.service ? data.names[row.service] : "";
      rows.push({id: row.name, name: data.names[row.name], service, values: row[values]});
    }
  }
  return rows;
}

/**
 * The rows that match, in order. Of equal ones those come first of which more happened in another
 * column, and then in the order of their names.
 * @param {Row[]} rows
 * @param {Column[]} columns
 * @param {Column} by one of them
 * @param {"size" | "descending" | "ascending"} order
 * @param {((name: string) => boolean) | null} matches
 */
export function arranged(rows, columns, by, order, matches) {
  const sign = order === "ascending" ? 1 : -1;
  const key = (/** @type {Row} */ row) => {
    const found = by.key(row);
    return order === "size" && typeof found === "number" ? Math.abs(found) : found;
  };
  const other = columns.filter(column => column.kind === "change" && column !== by).pop();
  const keyed = rows.filter(row => !matches || matches(row.name) ||
                            (row.service !== "" && matches(row.service))).map(row => ({
    row, key: key(row), size: other ? Math.abs(Number(other.key(row))) : 0,
  }));
  keyed.sort((a, b) => (a.key < b.key ? -sign : a.key > b.key ? sign : 0) || b.size - a.size ||
    (a.row.name < b.row.name ? -1 : 1));
  return keyed.map(({row}) => row);
}

/**
 * The order after one more click on a column.
 * @param {Column} column
 * @param {"size" | "descending" | "ascending" | null} order null if another one was sorted by
 * @returns {"size" | "descending" | "ascending"}
 */
export function nextOrder(column, order) {
  if (column.kind === "name") {
    return order === "ascending" ? "descending" : "ascending";
  }
  if (column.kind === "change") {
    return order === null || order === "ascending" ? "size"
      : order === "size" ? "descending" : "ascending";
  }
  return order === "descending" ? "ascending" : "descending";
}
