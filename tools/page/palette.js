// SPDX-License-Identifier: Apache-2.0
// The colors of frames. Red against blue can be told apart by people who cannot tell red from
// green. tools/document/palette.hpp has the same end colors for the picture in SVG.

/** @typedef {[number, number, number]} Color Red, green and blue, each from 0 to 255. */
/** @typedef {{same: Color, grown: Color, shrunk: Color, names: Color[]}} Ramp */

/** @type {Ramp} */
export const LIGHT = {
  same: [232, 232, 232],
  grown: [215, 48, 31],
  shrunk: [33, 102, 172],
  names: [
    [190, 212, 238], [247, 217, 178], [198, 226, 222], [226, 208, 236], [240, 228, 176],
    [244, 206, 200], [216, 228, 198], [206, 216, 226],
  ],
};

/** @type {Ramp} */
export const DARK = {
  same: [66, 72, 82],
  grown: [243, 106, 82],
  shrunk: [92, 160, 238],
  names: [
    [52, 88, 132], [120, 86, 42], [40, 100, 98], [98, 72, 122], [104, 94, 40],
    [122, 70, 68], [72, 98, 56], [72, 78, 88],
  ],
};

/** Changes are shown in so many steps to each side of none. */
export const STEPS = 20;

/**
 * The step of a change: of its part of the larger of both values.
 * @param {number} previous
 * @param {number} current
 * @param {number} strength less than 1 for what may be noise
 */
export function changeStep(previous, current, strength) {
  const larger = Math.max(Math.abs(previous), Math.abs(current));
  const part = larger === 0 ? 0 : (current - previous) / larger;
  return Math.sign(part) * Math.round(Math.min(1, Math.abs(part)) * strength * STEPS);
}

/**
 * @param {Ramp} ramp
 * @param {number} step from -STEPS to STEPS
 * @returns {Color}
 */
export function colorOfStep(ramp, step) {
  const end = step > 0 ? ramp.grown : ramp.shrunk;
  const part = Math.abs(step) / STEPS;
  const mix = (/** @type {number} */ i) =>
    Math.round(ramp.same[i] + (end[i] - ramp.same[i]) * part);
  return [mix(0), mix(1), mix(2)];
}

/** @param {Color} color */
function luminance(color) {
  const [red, green, blue] = color.map(level => {
    const part = level / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/**
 * The contrast of two colours as WCAG 2 has it, from 1 to 21.
 * @param {Color} a
 * @param {Color} b
 */
export function contrast(a, b) {
  const [dark, light] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (light + 0.05) / (dark + 0.05);
}

/**
 * Black or white, whichever is easier to read on a colour: one of them has a contrast of 4.58.
 * @param {Color} color
 * @returns {Color}
 */
export function textOn(color) {
  /** @type {Color} */
  const black = [0, 0, 0];
  /** @type {Color} */
  const white = [255, 255, 255];
  return contrast(color, black) >= contrast(color, white) ? black : white;
}

/** @param {Color} color */
export function css(color) {
  return `rgb(${color.join(",")})`;
}

/** @param {number} step */
export function classOfStep(step) {
  return step < 0 ? `s${-step}` : `g${step}`;
}

/**
 * The classes of groups of names, where there is nothing to compare: the groups whose frames are
 * widest together have a color each, and all others share the last one.
 * @param {Map<string, number>[]} sizes of groups, by sample type: those of the first come first
 * @returns {Map<string, string>}
 */
export function classesOfGroups(sizes) {
  const last = LIGHT.names.length - 1;
  /** @type {Map<string, string>} */
  const classes = new Map();
  for (const ofType of sizes) {
    for (const [group] of [...ofType].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))) {
      if (!classes.has(group)) {
        classes.set(group, `n${Math.min(classes.size, last)}`);
      }
    }
  }
  return classes;
}

/**
 * The rules of all classes of a ramp.
 * @param {Ramp} ramp
 */
export function rules(ramp) {
  const rule = (/** @type {string} */ name, /** @type {Color} */ color) =>
    `.${name}{background-color:${css(color)};fill:${css(color)};color:${css(textOn(color))}}`;
  const found = ramp.names.map((color, i) => rule(`n${i}`, color));
  for (let step = -STEPS; step <= STEPS; ++step) {
    found.push(rule(classOfStep(step), colorOfStep(ramp, step)));
  }
  return found;
}
