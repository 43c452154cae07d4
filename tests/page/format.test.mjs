// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import {readFileSync} from "node:fs";
import test from "node:test";

import {durationText, fixed, human, humanChange, humanRate, pText, percentOf, rateText, shareText,
        unitOf} from "../../tools/page/format.js";

// Lines of a value, another one, a unit, and what the program writes.
const figures = process.env.FIGURES;

test("figures are those of the program", {skip: !figures && "FIGURES names no file"}, () => {
  const lines = readFileSync(String(figures), "utf8").split("\n")
    .filter(line => /^-?\d/.test(line));
  assert.ok(lines.length > 1000);
  for (const [i, line] of lines.entries()) {
    const [value, other, unit, humanText, change, percent, share, p, rate] = line.split("\t");
    assert.equal(human(Number(value), unit), humanText, line);
    assert.equal(humanChange(Number(value), unit), change, line);
    assert.equal(percentOf(Number(other), Number(value)), percent, line);
    assert.equal(shareText(Number(value), Math.abs(Number(other))), share, line);
    assert.equal(pText(Math.abs(Number(value)) % 20000 / 20000), p, line);
    assert.equal(rateText(Number(value) / 4096, unit, i % 2 === 0 ? "second" : "minute"), rate,
                 line);
  }
});

test("values have the scale that fits", () => {
  assert.equal(human(0, "bytes"), "0");
  assert.equal(human(1023, "bytes"), "1023B");
  assert.equal(human(1024, "bytes"), "1KiB");
  assert.equal(human(-1536, "bytes"), "-1.50KiB");
  assert.equal(human(1.5 * 1024 ** 2, "bytes"), "1.50MiB");
  assert.equal(human(1500, "nanoseconds"), "1.50us");
  assert.equal(human(7200, "seconds"), "2hrs");
  assert.equal(human(14707, "count"), "14707");
  assert.equal(human(2, "KB"), "2KiB");
  assert.equal(human(0.3, "bytes"), "0.30B");
  assert.equal(human(-0.3, "seconds"), "-300ms");
  assert.equal(human(12.4, "bytes"), "12B");
  assert.equal(human(0.004, "bytes"), "0");
});

test("a number in the middle goes to the even digit", () => {
  assert.deepEqual([0.125, 0.375, 0.625, 0.875, -0.125, 2.5, 1.005].map(value => fixed(value, 2)),
                   ["0.12", "0.38", "0.62", "0.88", "-0.12", "2.50", "1.00"]);
  assert.equal(human(1152, "bytes"), "1.12KiB");
});

test("medians are rounded as the program does it, away from zero", () => {
  assert.equal(human(334779.5, "count"), "334780");
  assert.equal(human(-0.5, "count"), "-1");
  assert.equal(human(-0.4, "count"), "0");
});

test("growth by more than 1000 % is a factor", () => {
  assert.equal(percentOf(100, 1000), "+1000.00%");
  assert.equal(percentOf(100, 1025), "\u00d711.2");
  assert.equal(percentOf(1, 34), "\u00d735");
  assert.equal(percentOf(72, 8428), "\u00d7118");
  assert.equal(percentOf(-1, 34), "+3400.00%");
  assert.equal(percentOf(1, -34), "-3400.00%");
});

test("rates that are less than one are not nothing", () => {
  assert.equal(humanRate(0.01234, "count"), "0.0123");
  assert.equal(humanRate(250.4, "count"), "250");
  assert.equal(humanRate(2048, "bytes"), "2KiB");
});

test("units are known by their names", () => {
  for (const name of ["s", "us", "\u03bcs", "ns", "B", "bytes", "Seconds"]) {
    assert.notEqual(unitOf(name), null, name);
  }
  for (const name of ["", "count", "constructor", "__proto__", "objects"]) {
    assert.equal(unitOf(name), null, name);
  }
});

test("times have two parts at most", () => {
  assert.deepEqual([0, 1 / 3600, 0.25, 1.5, 25, 49.99].map(durationText),
                   ["0", "1s", "15m", "1h 30m", "1d 1h", "2d 1h"]);
});
