// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import test from "node:test";

import {
  arranged, columnsOf, courseText, firstSort, nextOrder, rowsOf,
} from "../../tools/page/columns.js";

const measured = (base, head, verdict, p) => ({
  base: [base], head: [head], base_median: base, base_low: null, base_high: null,
  head_median: head, head_low: null, head_high: null, change: head - base, low: null, high: null,
  p, verdict,
});
const NAMES = ["", "a.f", "b.g", "c.h", "d.i"];

function report(content) {
  const type = {
    name: "space", unit: "bytes", cumulative: false, content, rows_left_out: 0, tree: null,
    total: {previous: 4000, current: 5000, change: 1000,
            per_second: content === "delta" ? 100 : null,
            size: content === "delta" ? 1000 : 5000},
    rows: [[1, 1024, 2048, 1024, 2048], [2, 4096, 1024, 5120, 1024], [3, 0, 512, 0, 9216],
           [4, 100, 100, 0, 10]],
  };
  const data = {command: "report", sides: ["previous", "current"], names: NAMES, types: [type],
                per: null, duration_seconds: 10};
  return {data, type};
}

function order({data, type}, id, by, matches = null) {
  const columns = columnsOf(data, type, "flat");
  const column = columns.find(each => each.id === id);
  return arranged(rowsOf(data, type, "flat"), columns, column, by, matches)
    .map(row => row.name[0]).join("");
}

function texts({data, type}, name) {
  const row = rowsOf(data, type, "flat").find(each => each.name === name);
  return columnsOf(data, type, "flat").map(column => column.text(row));
}

test("rows are first in the order of the size of their change", () => {
  assert.equal(firstSort({command: "report"}, "flat"), "flat-change");
  assert.equal(order(report("comparison"), "flat-change", "size"), "bacd");
});

test("rows are sorted by each column, both ways", () => {
  const page = report("comparison");
  assert.equal(order(page, "flat-change", "descending"), "acdb");
  assert.equal(order(page, "flat-change", "ascending"), "bdca");
  assert.equal(order(page, "name", "ascending"), "abcd");
  assert.equal(order(page, "name", "descending"), "dcba");
  assert.equal(order(page, "flat-percent", "descending"), "cadb");
  assert.equal(order(page, "cum-current", "descending"), "cabd");
});

test("the first of equal rows is the one with more in another column", () => {
  const page = report("comparison");
  page.type.rows = [[1, 0, 0, 0, 1], [2, 0, 0, 0, -7], [3, 0, 0, 0, 7], [4, 0, 1, 0, 1]];
  assert.equal(order(page, "flat-change", "size"), "dbca");
});

test("a filter leaves what matches", () => {
  assert.equal(order(report("comparison"), "flat-change", "size", name => name < "c"), "ba");
});

test("a comparison has both values, the change and percent of flat and cum", () => {
  assert.deepEqual(texts(report("comparison"), "a.f"),
                   ["+1KiB", "+100.00%", "1KiB", "2KiB",
                    "+1KiB", "+100.00%", "1KiB", "2KiB", "a.f"]);
  assert.deepEqual(texts(report("comparison"), "c.h").slice(0, 4), ["+512B", "new", "0", "512B"]);
});

test("a delta has no value from before", () => {
  assert.deepEqual(columnsOf(report("delta").data, report("delta").type).map(({label}) => label),
                   ["change", "share", "change", "share", "Name"]);
  assert.deepEqual(texts(report("delta"), "a.f"),
                   ["+2KiB", "204.80%", "+2KiB", "204.80%", "a.f"]);
  assert.deepEqual(texts(report("profile"), "a.f"), ["2KiB", "40.96%", "2KiB", "40.96%", "a.f"]);
});

test("a delta can be a rate", () => {
  const {data, type} = report("delta");
  assert.deepEqual(texts({data: {...data, per: "second"}, type}, "a.f"),
                   ["+205B/s", "204.80%", "+205B/s", "204.80%", "a.f"]);
  const perMinute = {...data, per: "minute"};
  assert.equal(texts({data: perMinute, type}, "a.f")[0], "+12KiB/min");
  assert.ok(columnsOf(perMinute, type).some(column => column.label === "per minute"));
});

test("a comparison of captures has the rows that were tested", () => {
  const type = {
    name: "space", unit: "count", cumulative: true, content: "comparison", rows_left_out: 0,
    tree: null, total: measured(1, 2, "grew", 0.01),
    rows: [{name: 1, flat: measured(10, 30, "grew", 0.001), cum: null},
           {name: 2, flat: measured(30, 10, "fell", 0.00001), cum: measured(3, 4, "same", 1)},
           {name: 3, flat: null, cum: measured(3, 4, "unsure", 0.5)},
           {name: 4, flat: measured(0, 0, null, null), cum: null}],
  };
  const data = {command: "compare", sides: ["base", "head"], names: NAMES, types: [type]};
  assert.deepEqual(rowsOf(data, type, "cum").map(row => row.id), [2, 3]);
  assert.equal(order({data, type}, "change", "size"), "abd");
  assert.equal(order({data, type}, "verdict", "descending"), "abd");
  assert.deepEqual(columnsOf(data, type).map(column => column.label),
                   ["shift", "%", "verdict", "p", "captures", "interval", "base", "head", "Name"]);
  assert.equal(order({data, type}, "p", "ascending"), "bad");
  const shown = texts({data, type}, "b.g");
  assert.ok(shown.includes("fell") && shown.includes("-20") && shown.includes("-66.67%") &&
            shown.includes("<0.0001"), shown.join());
  assert.ok(texts({data, type}, "d.i").includes("not tested"));
});

test("a comparison without a test has no column for it", () => {
  const type = {
    name: "space", unit: "count", cumulative: true, content: "comparison", rows_left_out: 0,
    tree: null, total: measured(1, 2, null, null),
    rows: [{name: 1, flat: measured(10, 30, null, null), cum: null}],
  };
  const data = {command: "compare", sides: ["base", "head"], names: NAMES, types: [type]};
  assert.deepEqual(columnsOf(data, type).map(column => column.id),
                   ["change", "percent", "dots", "base", "head", "name"]);
});

test("a narrow table has fewer columns, and always the change and the name", () => {
  const {data, type} = report("comparison");
  const ids = width => columnsOf(data, type).filter(({from}) => from <= width).map(({id}) => id);
  assert.deepEqual(ids(300), ["flat-change", "cum-change", "name"]);
  assert.deepEqual(ids(600), ["flat-change", "flat-percent", "cum-change", "cum-percent", "name"]);
  assert.equal(ids(1300).length, 9);
});

test("a row that steps shows its jump in place of a slope", () => {
  const text = x => `${x} B`;
  assert.equal(courseText({slope: 3, jump: null}, text), "3 B");
  assert.equal(courseText({slope: 3, jump: 700}, text), "700 B once");
});

test("a click sorts by a column, the next one turns it", () => {
  assert.equal(nextOrder({kind: "name"}, null), "ascending");
  assert.equal(nextOrder({kind: "name"}, "ascending"), "descending");
  assert.equal(nextOrder({kind: "number"}, null), "descending");
  assert.equal(nextOrder({kind: "number"}, "descending"), "ascending");
  assert.deepEqual([null, "size", "descending", "ascending"].map(order =>
    nextOrder({kind: "change"}, order)), ["size", "descending", "ascending", "size"]);
});

function top() {
  const type = {
    name: "space", unit: "bytes", cumulative: false, content: "comparison", rate: true,
    rows_left_out: 0, tree: null, total: measured(3072, 4096, "grew", 0.001),
    rows: [{name: 1, flat: measured(1024, 3072, "grew", 0.001), cum: null},
           {name: 2, flat: measured(0, 1024, "new", null), cum: null},
           {name: 3, service: 1, flat: null, cum: measured(1024, 2048, "unsure", 0.5)},
           {name: 3, service: 2, flat: null, cum: measured(0, 1024, "new", null)}],
  };
  const data = {command: "top", by: "service", sides: ["before", "now"], names: NAMES,
                types: [type]};
  return {data, type};
}

test("services have rates of both times", () => {
  assert.ok(columnsOf(top().data, top().type, "flat").some(({label}) => label === "slots"));
  assert.equal(firstSort({command: "top"}, "flat"), "change");
  assert.deepEqual(texts(top(), "a.f"),
                   ["+2KiB/s", "+200.00%", "3KiB/s", "1KiB/s", "grew", "0.0010", "", "a.f"]);
  assert.deepEqual(texts(top(), "b.g").slice(0, 6),
                   ["+1KiB/s", "new", "1KiB/s", "0/s", "new", ""]);
});

test("functions say whose they are, and are found by that", () => {
  const {data, type} = top();
  const columns = columnsOf(data, type, "cum");
  const rows = rowsOf(data, type, "cum");
  const service = columns.find(column => column.id === "service");
  assert.deepEqual(rows.map(row => [row.name, service.text(row)]),
                   [["c.h", "a.f"], ["c.h", "b.g"]]);
  assert.deepEqual(arranged(rows, columns, service, "ascending", name => name === "b.g"),
                   [rows[1]]);
});
