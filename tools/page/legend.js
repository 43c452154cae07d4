// SPDX-License-Identifier: Apache-2.0
// What the colors of frames mean.

import {html} from "./dom.js";
import {STEPS, classOfStep} from "./palette.js";

/**
 * @param {boolean} isOfChange whether colors are of changes, or of groups of names
 * @param {boolean} isTested whether pale colors may be noise
 * @param {boolean} isOfSigns whether they are of signs, and widths of sizes
 */
export function legend(isOfChange, isTested, isOfSigns) {
  if (isOfSigns) {
    const below = html("span", {class: "swatches", "aria-hidden": "true"},
                       html("i", {class: classOfStep(-STEPS)}));
    const above = html("span", {class: "swatches", "aria-hidden": "true"},
                       html("i", {class: classOfStep(STEPS)}));
    return html("span", {class: "scale"}, "below zero", below, above, "above zero",
      html("span", {class: "word"}, "widths and shares: of the sum of sizes"));
  }
  if (!isOfChange) {
    return html("span", {}, "Equal colors: the same package or class");
  }
  const swatches = [];
  for (let step = -STEPS; step <= STEPS; step += 4) {
    swatches.push(html("i", {class: classOfStep(step)}));
  }
  return html("span", {class: "scale"}, "gone", html("span", {class: "swatches",
    "aria-hidden": "true"}, swatches), "new",
    html("span", {class: "word"}, isTested ? "pale: may be noise" : "grey: as before"));
}
