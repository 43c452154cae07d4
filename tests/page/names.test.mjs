// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import test from "node:test";

import {ShortNames} from "../../tools/page/names.js";

test("the longest text that fits is shown, and the shortest one is cut", () => {
  const names = new ShortNames(
    ["b.(*reader).parse", "a::f<int>(long)", "x/log.Print", "a.\u{1f525}b"],
    [[0, 17, 15, 5], [0, 15, "a::f<int>(\u2026)", 9], [5, 11], [0, 2]]);
  assert.equal(names.short("b.(*reader).parse", 17), "b.(*reader).parse");
  assert.equal(names.short("b.(*reader).parse", 16), "(*reader).parse");
  assert.equal(names.short("b.(*reader).parse", 14), "parse");
  assert.equal(names.short("b.(*reader).parse", 4), "pa\u2026e");
  assert.equal(names.short("a::f<int>(long)", 14), "a::f<int>(\u2026)");
  assert.equal(names.short("a::f<int>(long)", 11), "f<int>(\u2026)");
  assert.equal(names.short("x/log.Print", 9), "x/l\u2026Print");
  assert.equal(names.short("x/log.Print", 7), "x/lo\u2026nt");
  assert.equal(names.short("a.\u{1f525}b", 2), "\u{1f525}b");
  assert.equal(names.short("not known", 7), "not \u2026wn");
});

test("no two rows of a table look alike", () => {
  const names = Array.from({length: 300}, (_, i) => `package.${"x".repeat(50 + i)}.f`);
  const all = new ShortNames(names, names.map(name => [0, name.length, name.length - 8]));
  for (const room of [12, 20, 200]) {
    const shown = all.allShort(names, room);
    assert.equal(new Set(shown).size, names.length);
    assert.ok(shown.every(text => Array.from(text).length <= room), shown.join());
  }
});
