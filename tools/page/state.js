// SPDX-License-Identifier: Apache-2.0
// Keeps the state of the page in the part of the address behind '#', so that it can be shared.

import {isExpression} from "./names.js";

/** @returns {State} */
export function initialState() {
  return {type: "", part: 0, view: "down", width: "", center: "", zoom: 0, search: "", filter: "",
          sort: "", order: "descending", values: "flat"};
}

/** The values that a member may have; all others are text. */
const CHOICES = {
  view: ["down", "up", "around"],
  width: ["current", "previous", "change"],
  order: ["size", "descending", "ascending"],
  values: ["flat", "cum"],
};
const LONGEST = 600;

// Reads the state from an address. Addresses come from anyone, so invalid parts are ignored, and so
// are regular expressions that the user did not type, as one could take forever.
/** @type {(hash: string, typed: Set<string>) => State} */
export function stateOfHash(hash, typed) {
  const state = initialState();
  /** @type {Record<string, unknown>} */
  const found = {};
  for (const [key, value] of new URLSearchParams(hash.replace(/^#/, ""))) {
    if (!Object.hasOwn(state, key) || value.length > LONGEST) {
      continue;
    }
    if (key === "zoom" || key === "part") {
      found[key] = /^\d{1,9}$/.test(value) ? Number(value) : 0;
    } else if (Object.hasOwn(CHOICES, key)) {
      const choices = CHOICES[/** @type {keyof typeof CHOICES} */ (key)];
      if (choices.includes(value)) {
        found[key] = value;
      }
    } else if (!isExpression(value) || typed.has(value)) {
      found[key] = value;
    }
  }
  return Object.assign(state, found);
}

// The shortest address of a state, with '#'.
/** @param {State} state */
export function hashOfState(state) {
  const initial = initialState();
  const parameters = new URLSearchParams();
  for (const key of /** @type {(keyof State)[]} */ (Object.keys(initial))) {
    if (state[key] !== initial[key]) {
      parameters.set(key, String(state[key]));
    }
  }
  return "#" + parameters.toString();
}
