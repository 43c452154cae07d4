// SPDX-License-Identifier: Apache-2.0
// How pages begin, and what they keep in the address.

import {readData} from "./data.js";
import {hashOfState} from "./state.js";

// Puts a state into the address; a step can be undone with the browser's back button.
/** @type {(state: State, isStep: boolean) => void} */
export function keep(state, isStep) {
  const hash = hashOfState(state);
  try {
    const how = isStep && hash !== location.hash ? "pushState" : "replaceState";
    history[how](null, "", hash);
  } catch (fault) {
    // A page without an address of its own works without one.
  }
}

// Shows a page in place of its text, which is hidden at once, and shown again if this fails.
/** @param {(data: Data) => void} show */
export function start(show) {
  document.documentElement.classList.add("scripted");
  document.addEventListener("DOMContentLoaded", async () => {
    const plain = /** @type {HTMLElement} */ (document.getElementById("plain"));
    const source = /** @type {HTMLElement} */ (document.getElementById("data"));
    try {
      const data = await readData(source.textContent || "");
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(data.palette);
      document.adoptedStyleSheets.push(sheet);
      show(data);
      plain.remove();
      source.remove();
    } catch (fault) {
      document.documentElement.classList.remove("scripted");
      plain.prepend(`This browser cannot show the page (${fault}). Its text:\n\n`);
      throw fault;
    }
  });
}
