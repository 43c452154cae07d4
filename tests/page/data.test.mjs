// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import test from "node:test";
import {gzipSync} from "node:zlib";

import {contentText, readData, typesOfParts} from "../../tools/page/data.js";

const packed = json => gzipSync(json).toString("base64");

test("data is read as it was written", async () => {
  const data = {version: 1, names: ["", "</script>", "\u65e5\u672c\u202e", "__proto__"]};
  assert.deepEqual(await readData(` ${packed(JSON.stringify(data))}\n`), data);
});

test("invalid data is an error", async () => {
  for (const text of ["", "%%%%", packed("{"), packed('{"version": 2}'),
                      packed('{"version": 1}').slice(0, 20)]) {
    await assert.rejects(readData(text), undefined, text);
  }
});

test("samples with a label have rows and tree of their own, and the totals of all", () => {
  const types = [{name: "cpu", total: 7, rows: [1, 2], tree: {}}, {name: "wall", rows: [3]}];
  const parts = [{label: "a=b", types: [{rows: [2], tree: null}, {rows: []}]}];
  assert.deepEqual(typesOfParts({types}), [types]);
  const [all, some] = typesOfParts({types, parts});
  assert.equal(all, types);
  assert.deepEqual(some[0], {name: "cpu", total: 7, rows: [2], tree: null, label: "a=b"});
  assert.deepEqual(some.map(contentText), ["cpu with a=b", "wall with a=b"]);
  assert.equal(contentText(all[0]), "cpu");
});
