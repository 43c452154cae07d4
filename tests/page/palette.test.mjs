// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import {readFileSync} from "node:fs";
import test from "node:test";

import {DARK, LIGHT, STEPS, changeStep, classOfStep, classesOfGroups, colorOfStep, contrast, css,
        rules, textOn} from "../../tools/page/look.js";
import {groupOf} from "../../tools/page/names.js";

const LEAST = 4.5;
const style = readFileSync(new URL("../../tools/page/page.css", import.meta.url), "utf8");

/** The colors that the style sheet defines by name, in light mode and in dark mode. */
const defined = [...style.matchAll(/--([\w-]+): light-dark\(#(\w{6}), #(\w{6})\);/g)];
const roots = [2, 3].map(mode => new Map(defined.map(match =>
  [match[1], [0, 2, 4].map(at => parseInt(match[mode].slice(at, at + 2), 16))])));

test("contrast is as WCAG has it", () => {
  assert.equal(contrast([0, 0, 0], [255, 255, 255]), 21);
  assert.equal(contrast([9, 8, 7], [9, 8, 7]), 1);
  assert.ok(Math.abs(contrast([119, 119, 119], [255, 255, 255]) - 4.48) < 0.01);
});

test("pictures in SVG have the same colors", () => {
  const header = readFileSync(new URL("../../tools/document/palette.hpp", import.meta.url), "utf8");
  const numbers = text => text.match(/\d+/g).map(Number);
  for (const [name, color] of [["unchanged", LIGHT.same], ["grown", LIGHT.grown],
                               ["shrunk", LIGHT.shrunk]]) {
    const found = new RegExp(`color ${name}_color\\{(.*?)\\}`).exec(header);
    assert.deepEqual(numbers(found[1]), color, name);
  }
  const [, names] = /name_colors\{\{(.*?)\}\};/s.exec(header);
  assert.deepEqual(numbers(names), LIGHT.names.flat());
});

const figures = process.env.FIGURES;

test("pictures in SVG color frames alike", {skip: !figures && "FIGURES names no file"}, () => {
  const hex = color => "#" + color.map(level => level.toString(16).padStart(2, "0")).join("");
  const lines = readFileSync(String(figures), "utf8").split("\n").map(line => line.split("\t"));
  const names = new Map(lines.filter(([kind]) => kind === "name").map(each => [each[1], each[4]]));
  const sizes = new Map();
  [...names.keys()].forEach((name, i) => {
    sizes.set(groupOf(name), (sizes.get(groupOf(name)) || 0) + i % 7);
  });
  const classes = classesOfGroups([sizes]);
  for (const [name, color] of names) {
    const nth = Number(classes.get(groupOf(name)).slice(1));
    assert.equal(hex(LIGHT.names[nth]), color, name);
  }
  const changes = lines.filter(([kind]) => kind === "change");
  assert.ok(names.size > 50 && changes.length > 2000);
  for (const [, change, color] of changes) {
    const step = Math.sign(change) * Math.round(Math.abs(change / 1000) * STEPS);
    assert.equal(hex(colorOfStep(LIGHT, step)), color, change);
  }
});

test("text can be read on every frame", () => {
  for (const ramp of [LIGHT, DARK]) {
    const colors = [...ramp.names];
    for (let step = -STEPS; step <= STEPS; ++step) {
      colors.push(colorOfStep(ramp, step));
    }
    for (const color of colors) {
      assert.ok(contrast(color, textOn(color)) >= LEAST, css(color));
    }
  }
});

test("text can be read on every other surface, in both modes", () => {
  const pairs = [
    ["text", "surface"], ["text", "raised"], ["soft", "surface"], ["soft", "raised"],
    ["accent", "surface"], ["accent", "raised"], ["on-accent", "accent"], ["up", "surface"],
    ["up", "raised"], ["down", "surface"], ["down", "raised"], ["text", "up-tint"],
    ["text", "down-tint"], ["text", "tint"], ["warn", "warn-surface"], ["surface", "up"],
  ];
  for (const colors of roots) {
    for (const [text, ground] of pairs) {
      const found = contrast(colors.get(text), colors.get(ground));
      assert.ok(found >= LEAST, `${text} on ${ground}: ${found}`);
    }
  }
});

test("lines, marks and the edges of fields can be seen", () => {
  for (const colors of roots) {
    for (const name of ["soft", "mark", ...[..."012345"].map(line => `line-${line}`)]) {
      assert.ok(contrast(colors.get(name), colors.get("surface")) >= 3, name);
    }
  }
});

test("red and blue differ for people who do not see red, or not green", () => {
  // The colours as they see them, in linear light (Vienot, Brettel and Mollon 1999): yellow against
  // blue.
  const linear = level => ((level / 255 + 0.055) / 1.055) ** 2.4;
  const withoutRed = ([red, green, blue]) => [0.112 * red + 0.888 * green, blue];
  const withoutGreen = ([red, green, blue]) => [0.293 * red + 0.707 * green, blue];
  for (const ramp of [LIGHT, DARK]) {
    assert.equal(Math.max(...ramp.grown), ramp.grown[0]);
    assert.equal(Math.max(...ramp.shrunk), ramp.shrunk[2]);
    for (const seen of [withoutRed, withoutGreen]) {
      const blueness = step => {
        const [yellow, blue] = seen(colorOfStep(ramp, step).map(linear));
        return Math.log(blue / yellow);
      };
      for (let step = 1; step <= STEPS; ++step) {
        assert.ok(blueness(-step) > blueness(1 - step), `${-step} is more blue`);
        assert.ok(blueness(-step) - blueness(step) > 0.9 * step / STEPS, `step ${step}`);
      }
    }
  }
});

test("the step is the part of the larger value, weak for what may be noise", () => {
  assert.equal(changeStep(0, 5, 1), STEPS);
  assert.equal(changeStep(5, 0, 1), -STEPS);
  assert.equal(changeStep(0, 0, 1), 0);
  assert.equal(changeStep(50, 100, 1), STEPS / 2);
  assert.equal(changeStep(100, 50, 1), -STEPS / 2);
  assert.equal(changeStep(0, 5, 0.2), STEPS / 5);
  assert.equal(changeStep(-5, 5, 1), STEPS);
});

test("each class has a rule, and the ends are those of the ramp", () => {
  const all = rules(LIGHT).join("\n");
  for (let step = -STEPS; step <= STEPS; ++step) {
    assert.ok(all.includes(`.${classOfStep(step)}{`));
  }
  assert.deepEqual(colorOfStep(LIGHT, STEPS), LIGHT.grown);
  assert.deepEqual(colorOfStep(LIGHT, -STEPS), LIGHT.shrunk);
  assert.deepEqual(colorOfStep(LIGHT, 0), LIGHT.same);
});

test("wide groups have colors of their own, and all others one", () => {
  const rest = [..."cdefghijkl"].map((group, i) => [group, 100 - i]);
  const classes = classesOfGroups([new Map([["a", 1], ["b", 2]]), new Map([["b", 999], ...rest])]);
  assert.equal(classes.get("b"), "n0");
  assert.equal(classes.get("a"), "n1");
  assert.equal(classes.get("l"), `n${LIGHT.names.length - 1}`);
  assert.equal(new Set(classes.values()).size, LIGHT.names.length);
});
