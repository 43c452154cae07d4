// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import test from "node:test";
import {gzipSync} from "node:zlib";

import {readData} from "../../tools/page/data.js";

const packed = json => gzipSync(json).toString("base64");

test("data is read as it was written", async () => {
  const data = {version: 1, names: ["", "</script>", "\u65e5\u672c\u202e", "__proto__"]};
  assert.deepEqual(await readData(` ${packed(JSON.stringify(data))}\n`), data);
});

test("what is no data is an error", async () => {
  for (const text of ["", "%%%%", packed("{"), packed('{"version": 2}'),
                      packed('{"version": 1}').slice(0, 20)]) {
    await assert.rejects(readData(text), undefined, text);
  }
});
