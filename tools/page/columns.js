// SPDX-License-Identifier: Apache-2.0
// The columns of each command's table: their names, order and text.

import {
  human, humanChange, humanRate, pText, percentOf, rateText, shareText, signed, valueText,
} from "./format.js";

/** Widths of tables, in pixels, from which on there is room for more columns beside the names. */
const SOME = 480;
const MORE = 820;
const PLOT = 900;
const ALL = 1150;

const VERDICTS = ["", "fell", "falls", "same", "level", "too few", "unsure", "levels off",
  "steps", "gone", "new", "grew", "grows"];

/** @type {(id: string, label: string, kind: Column["kind"], key: Column["key"],
 *          text: Column["text"], more?: Partial<Column>) => Column} */
function column(id, label, kind, key, text, more = {}) {
  return {id, label, title: "", group: "", kind, from: 0, key, text, ...more};
}

const NAME = column("name", "Name", "name", row => row.name, row => row.name);

// Shows an increase in percent. New rows rank above all others.
/** @type {(id: string, previous: ValueOf, change: ValueOf, more: Partial<Column>) => Column} */
function percentColumn(id, previous, change, more) {
  /** @type {(before: number, by: number) => number} */
  const part = (before, by) => before !== 0 ? by / Math.abs(before)
    : by === 0 ? 0 : Math.sign(by) * Number.MAX_VALUE;
  return column(id, "%", "number", row => part(previous(row), change(row)),
                row => percentOf(previous(row), change(row)), more);
}

// Show the verdict of a test, and the probability of such a result by chance.
/** @type {(of: string, what: string) => Column[]} */
function testColumns(of, what) {
  return [
    column("verdict", "verdict", "verdict", ({values}) => VERDICTS.indexOf(values.verdict || ""),
           ({values}) => values.verdict || "not tested", {title: `What the test says of ${of}`}),
    column("p", "p", "number", ({values}) => values.p === null ? 2 : values.p,
           ({values}) => values.p === null ? "" : pText(values.p),
           {title: `How likely such a ${what} is by chance`, from: SOME}),
  ];
}

/** @type {(write: Write, title: string) => Column} */
function intervalColumn(write, title) {
  return column("interval", "interval", "number", ({values: {low, high}}) => high - low,
                ({values: {low, high}}) => low === null || high === null ? ""
                  : `${write(low)} \u2026 ${write(high)}`, {title, from: ALL});
}

/** @type {(data: Data, type: SampleType) => Column[]} */
function reportColumns({sides, per, duration_seconds: seconds}, {unit, content, total}) {
  const {per_second: rate, size} = /** @type {Total} */ (total);
  const isRate = per !== null && seconds !== null && rate !== null;
  /** @type {Write} */
  const value = x => isRate ? rateText(x / seconds, unit, per) : human(x, unit);
  const label = isRate ? `per ${per}` : content === "delta" ? "change" : "value";
  const columns = ["Flat", "Cum"].flatMap((group, i) => {
    const id = group.toLowerCase();
    /** @type {ValueOf} */
    const previous = row => row.values[1 + 2 * i];
    /** @type {ValueOf} */
    const current = row => row.values[2 + 2 * i];
    /** @type {ValueOf} */
    const change = row => current(row) - previous(row);
    const ofGroup = content === "comparison" ? [
      column(`${id}-change`, "change", "change", change, row => humanChange(change(row), unit)),
      percentColumn(`${id}-percent`, previous, change, {title: "Of the value before", from: SOME}),
      column(`${id}-previous`, sides[0], "number", previous, row => human(previous(row), unit),
             {from: MORE}),
      column(`${id}-current`, sides[1], "number", current, row => human(current(row), unit),
             {from: MORE}),
    ] : [
      column(`${id}-change`, label, "change", current, row => content === "delta"
        ? signed(current(row), value) : value(current(row))),
      column(`${id}-percent`, "share", "number", current, row => shareText(current(row), size),
             {title: "Of the total", from: SOME}),
    ];
    return ofGroup.map(each => ({...each, group}));
  });
  return [...columns, NAME];
}

// Returns the columns of compare and top. Those of one side bear its name.
/** @type {(data: Data, type: SampleType, values: State["values"]) => Column[]} */
function measuredColumns({command, sides}, type, values) {
  const isTop = command === "top";
  const value = valueText(type);
  /** @type {ValueOf} */
  const before = row => row.values.base_median;
  /** @type {ValueOf} */
  const now = row => row.values.head_median;
  /** @type {ValueOf} */
  const change = row => row.values.change;
  /** @type {Write} */
  const changeText = x => signed(x, value);
  const percent = {title: isTop ? "" : "Of the median of the base", from: SOME};
  const title = isTop ? "The mean" : "Median";
  const base = column("base", sides[0], "number", before, row => value(before(row)),
                      {title, from: isTop ? MORE : ALL});
  const head = column("head", sides[1], "number", now, row => value(now(row)),
                      {title, from: isTop ? 0 : ALL});
  const tests = testColumns("the change", "difference");
  if (isTop) {
    return [
      column("change", "change", "change", change, row => changeText(change(row))),
      percentColumn("percent", before, change, percent), head, base, ...tests,
      values === "cum"
        ? column("service", "service", "text", row => row.service, row => row.service)
        : column("dots", "slots", "dots", now, () => "",
                 {title: "Each time slot of both times, and the mean", from: PLOT}),
      NAME,
    ];
  }
  const isTested = /** @type {RowOf<Measured>[]} */ (type.rows).some(({flat, cum}) =>
    flat?.verdict || cum?.verdict);
  return [
    column("change", isTested ? "shift" : "change", "change", change, row =>
      changeText(change(row)), {title: isTested
      ? "The median of all differences between a head and a base" : ""}),
    percentColumn("percent", before, change, percent), ...isTested ? tests : [],
    column("dots", "captures", "dots", now, () => "",
           {title: "Each capture, the median and its interval", from: PLOT}),
    ...isTested ? [intervalColumn(changeText, "Of the shift")] : [], base, head, NAME,
  ];
}

// How fast a row grows, or the jump of one that does so once.
/** @type {(row: Pick<Series, "slope" | "jump">, write: Write) => string} */
export function courseText({slope, jump}, write) {
  return jump === null ? write(slope) : `${write(jump)} once`;
}

/** @type {(data: Data, type: SampleType) => Column[]} */
function trendColumns(_, type) {
  /** @type {Write} */
  const slope = x => signed(x, each => humanRate(each, type.unit));
  return [
    column("slope", "per hour", "change", ({values}) => values.slope,
           ({values}) => courseText(values, slope),
           {title: type.rate ? "How much the rate for each second changes in an hour" : ""}),
    ...testColumns("its course", "course"),
    column("line", "captures", "line", ({values}) => values.last, () => "",
           {title: "All captures", from: PLOT}),
    intervalColumn(slope, "Of the change per hour"),
    percentColumn("percent", ({values}) => values.first,
                  ({values}) => values.last - values.first,
                  {title: "From the first to the last", from: ALL}),
    column("share", "share", "number", ({values: {share}}) => share === null ? -2 : share,
           ({values: {share}}) => share === null ? "" : shareText(share, 1),
           {title: "Of the growth of the total", from: ALL}),
    column("chosen", "plot", "check", () => 0, () => "", {title: "Draw its line in the plot"}),
    NAME,
  ];
}

// The columns for flat or cum values, where a table shows one of both.
/** @type {(data: Data, type: SampleType, values: State["values"]) => Column[]} */
export function columnsOf(data, type, values) {
  const columns = {report: reportColumns, compare: measuredColumns, trend: trendColumns,
                   top: measuredColumns};
  return columns[data.command](data, type, values);
}

// The column by which rows are sorted at first: by the size of what happened.
/** @type {(data: Data, values: State["values"]) => string} */
export function firstSort({command}, values) {
  return command === "report" ? `${values}-change` : command === "trend" ? "slope" : "change";
}

// The rows that have such values.
/** @type {(data: Data, type: SampleType, values: State["values"]) => Row[]} */
export function rowsOf({names}, type, values) {
  return type.rows.map(row => Array.isArray(row)
    ? {id: row[0], name: names[row[0]], service: "", values: row}
    : {id: row.name, name: names[row.name], values: row[values],
       service: "service" in row && row.service ? names[row.service] : ""})
    .filter(row => row.values);
}

// The rows that match, in the order of one of the columns. The first of equal rows are those of
// which more happened in another column, and then the order is that of their names.
/** @type {(rows: Row[], columns: Column[], by: Column, order: Order,
 *          matches: Query["matches"]) => Row[]} */
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

// The order after one more click on a column; null if another one was sorted by.
/** @type {(column: Column, order: Order | null) => Order} */
export function nextOrder({kind}, order) {
  /** @type {Order[]} */
  const orders = kind === "name" ? ["ascending", "descending"]
    : kind === "change" ? ["size", "descending", "ascending"] : ["descending", "ascending"];
  return orders[(order ? orders.indexOf(order) + 1 : 0) % orders.length];
}
