// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import {readFileSync} from "node:fs";
import test from "node:test";

import {ShortNames, groupOf, labelOf} from "../../tools/page/names.js";

test("a label has no folders of packages", () => {
  assert.equal(labelOf("github.com/a/b.(*reader).parse"), "b.(*reader).parse");
  assert.equal(labelOf("a/b.f[c/d.T]"), "b.f[c/d.T]");
  assert.equal(labelOf("f /src/a.cc:12"), "f /src/a.cc:12");
  assert.equal(labelOf("plain"), "plain");
});

test("a name that does not fit loses arguments first, then what the function is in", () => {
  const short = (name, room) => new ShortNames([name]).short(name, room);
  const name = "b.(*reader).parseEverything";
  assert.equal(short(name, 40), name);
  assert.equal(short(name, 27), name);
  assert.equal(short(name, 26), "(*reader).parseEverything");
  assert.equal(short(name, 20), "parseEverything");
  assert.equal(short(name, 6), "pars\u2026g");
  assert.equal(short("github.com/a/b.f", 40), "b.f");
  assert.equal(short("a::f<int>(long, long)", 12), "a::f<int>(\u2026)");
  assert.equal(short("std::vector<std::string>::at(unsigned long)", 16),
               "vector<\u2026>::at(\u2026)");
  assert.equal(short("std::vector<std::string>::at(unsigned long)", 15), "at(\u2026)");
  assert.equal(short("a.f[b.T].run", 8), "a.f.run");
  assert.equal(short("a.f[b.T].run", 6), "f.run");
  assert.equal(short("f file.go:12", 10), "f file\u2026:12");
});

test("a name is not called what another one can be called", () => {
  const names = new ShortNames(["main.a.func1", "main.b.func1", "x/log.Print", "y/log.Print",
                                "f(int)", "f(long)", "unlike.any"]);
  assert.equal(names.short("main.a.func1", 8), "a.func1");
  assert.equal(names.short("main.a.func1", 6), "a.fu\u20261");
  assert.equal(new ShortNames(["main.Builder.grow", "main.page.grow"]).short(
    "main.Builder.grow", 9), "Buil\u2026grow");
  assert.equal(names.short("x/log.Print", 11), "x/log.Print");
  assert.equal(names.short("x/log.Print", 9), "x/l\u2026Print");
  assert.equal(names.short("f(int)", 5), "f(i\u2026)");
  assert.equal(names.short("unlike.any", 9), "any");
});

test("no two rows of a table look alike", () => {
  const names = Array.from({length: 300}, (_, i) => `package.${"x".repeat(50 + i)}.(*T)[int]`);
  for (const room of [12, 20, 200]) {
    const shown = new ShortNames(names).allShort(names, room);
    assert.equal(new Set(shown).size, names.length);
    assert.ok(shown.every(text => Array.from(text).length <= room), shown.join());
  }
});

test("a cut name is not longer than there is room for", () => {
  const names = ["a.b.c.d", "((((", "a::", "::::", "\u{1f525}".repeat(9), "x.", ".....",
                 "f<(a)>(b<c>)->d", "\u65e5\u672c\u8a9e::\u51e6\u7406", "a".repeat(500)];
  const all = new ShortNames(names);
  for (const name of names) {
    for (let room = 2; room < 12; ++room) {
      const text = Array.from(all.short(name, room));
      assert.ok(text.length >= 1 && text.length <= room, `${name} in ${room}: ${text.join("")}`);
    }
  }
});

test("folders of services stay where there is room", () => {
  const names = new ShortNames(["shop/cart", "bank/pay"], true);
  assert.equal(names.short("shop/cart", 9), "shop/cart");
  assert.equal(names.short("shop/cart", 8), "cart");
});

const figures = process.env.FIGURES;

test("pictures in SVG have the same names", {skip: !figures && "FIGURES names no file"}, () => {
  const lines = readFileSync(String(figures), "utf8").split("\n").map(line => line.split("\t"))
    .filter(([kind]) => kind === "name");
  const names = new ShortNames([...new Set(lines.map(([, name]) => name))]);
  assert.ok(lines.length > 1000);
  for (const [, name, room, text] of lines) {
    assert.equal(names.short(name, Number(room)), text, `${name} in ${room}`);
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
