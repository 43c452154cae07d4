// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import test from "node:test";

import {groupOf, labelOf, shortened} from "../../tools/page/names.js";

test("a label has no folders of packages", () => {
  assert.equal(labelOf("github.com/a/b.(*reader).parse"), "b.(*reader).parse");
  assert.equal(labelOf("a/b.f[c/d.T]"), "b.f[c/d.T]");
  assert.equal(labelOf("f /src/a.cc:12"), "f /src/a.cc:12");
  assert.equal(labelOf("plain"), "plain");
});

test("of a name that does not fit arguments go first, then what the function is in", () => {
  const name = "b.(*reader).parseEverything";
  assert.equal(shortened(name, 40), name);
  assert.equal(shortened(name, 27), name);
  assert.equal(shortened(name, 26), "(*reader).parseEverything");
  assert.equal(shortened(name, 20), "parseEverything");
  assert.equal(shortened(name, 6), "parse\u2026");
  assert.equal(shortened("a::f<int>(long, long)", 12), "a::f<int>(\u2026)");
  assert.equal(shortened("std::vector<std::string>::at(unsigned long)", 16),
               "vector<\u2026>::at(\u2026)");
  assert.equal(shortened("std::vector<std::string>::at(unsigned long)", 15), "at(\u2026)");
  assert.equal(shortened("a.f[b.T].run", 8), "run");
  assert.equal(shortened("f file.go:12", 10), "f file.go\u2026");
});

test("what is cut is not longer than there is room for", () => {
  for (const name of ["a.b.c.d", "((((", "a::", "::::", "\u{1f525}".repeat(9), "x.", ".....",
                      "f<(a)>(b<c>)->d", "\u65e5\u672c\u8a9e::\u51e6\u7406", "a".repeat(500)]) {
    for (let room = 2; room < 12; ++room) {
      const text = Array.from(shortened(name, room));
      assert.ok(text.length >= 1 && text.length <= room, `${name} in ${room}: ${text.join("")}`);
    }
  }
});

test("functions of one package, class or namespace are a group", () => {
  assert.equal(groupOf("github.com/a/b.(*reader).parse"), "github.com/a/b");
  assert.equal(groupOf("runtime.main"), "runtime");
  assert.equal(groupOf("std::vector<a::b>::at(int)"), "std");
  assert.equal(groupOf("com.example.Thing.run"), "com.example");
  assert.equal(groupOf("main"), "main");
  assert.equal(groupOf("(anonymous)"), "(anonymous)");
  assert.equal(groupOf(""), "");
});
