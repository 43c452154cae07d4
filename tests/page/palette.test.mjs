// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import {readFileSync} from "node:fs";
import test from "node:test";

import {STEPS, changeStep, classOfStep} from "../../tools/page/look.js";

const LEAST = 4.5;
const style = readFileSync(new URL("../../tools/page/page.css", import.meta.url), "utf8");

const levelsOf = hex => [0, 2, 4].map(at => parseInt(hex.slice(at, at + 2), 16));
const linear = level => level / 255 <= 0.04045 ? level / 255 / 12.92
  : ((level / 255 + 0.055) / 1.055) ** 2.4;

// The contrast of two colors as WCAG 2 has it, from 1 to 21.
function contrast(...colors) {
  const [dark, light] = colors.map(levels => {
    const [red, green, blue] = levels.map(linear);
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05;
  }).sort((x, y) => x - y);
  return light / dark;
}

/** The colors that the style sheet defines by name, in light mode and in dark mode. */
const defined = [...style.matchAll(/--([\w-]+): light-dark\(#(\w{6}), #(\w{6})\);/g)];
const roots = [2, 3].map(mode => new Map(defined.map(match =>
  [match[1], levelsOf(match[mode])])));

const figures = process.env.FIGURES;
const options = {skip: !figures && "FIGURES names no file"};
const rules = figures ? readFileSync(figures, "utf8").match(/^palette\t(.*)$/m)[1] : "";
const pair = "light-dark\\((#\\w+),(#\\w+)\\)";
const rule = new RegExp(`\\.(\\w+)\\{background-color:${pair};fill:${pair};color:${pair}\\}`, "g");

/** Ground and text of each class of frames, in light mode and in dark mode. */
const frames = [0, 1].map(mode => new Map([...rules.matchAll(rule)].map(([, name, ...colors]) =>
  [name, {ground: levelsOf(colors[mode].slice(1)), fill: colors[2 + mode],
          text: colors[4 + mode] === "#000" ? [0, 0, 0] : [255, 255, 255]}])));

test("contrast is as WCAG has it", () => {
  assert.ok(Math.abs(contrast([0, 0, 0], [255, 255, 255]) - 21) < 1e-9);
  assert.equal(contrast([9, 8, 7], [9, 8, 7]), 1);
  assert.ok(Math.abs(contrast([119, 119, 119], [255, 255, 255]) - 4.48) < 0.01);
});

test("the program writes a rule for each class of frames", options, () => {
  for (const colors of frames) {
    assert.equal(colors.size, 8 + 2 * STEPS + 1);
    for (let step = -STEPS; step <= STEPS; ++step) {
      assert.ok(colors.has(classOfStep(step)));
    }
    assert.ok(colors.has("n0") && colors.has("n7"));
    assert.equal(rules.replace(rule, ""), "");
  }
});

test("text can be read on every frame", options, () => {
  for (const [name, {ground, text}] of frames.flatMap(colors => [...colors])) {
    assert.ok(contrast(ground, text) >= LEAST, name);
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

test("red and blue differ for people who do not see red, or not green", options, () => {
  // The colours as they see them, in linear light (Vienot, Brettel and Mollon 1999): yellow against
  // blue.
  const withoutRed = ([red, green, blue]) => [0.112 * red + 0.888 * green, blue];
  const withoutGreen = ([red, green, blue]) => [0.293 * red + 0.707 * green, blue];
  for (const colors of frames) {
    const colorOf = step => colors.get(classOfStep(step)).ground;
    assert.equal(Math.max(...colorOf(STEPS)), colorOf(STEPS)[0]);
    assert.equal(Math.max(...colorOf(-STEPS)), colorOf(-STEPS)[2]);
    for (const seen of [withoutRed, withoutGreen]) {
      const blueness = step => {
        const [yellow, blue] = seen(colorOf(step).map(linear));
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
