// SPDX-License-Identifier: Apache-2.0
// Shortens names of functions where there is little room, and matches them with a search.

/** @param {string} text */
function lengthOf(text) {
  return Array.from(text).length;
}

/**
 * A text in at most `room` characters, at least two: names that begin alike, as those with numbers,
 * often end differently.
 * @param {string} text
 * @param {number} room
 * @param {number} [last] how many characters at its end are to be kept if there is room
 */
function cut(text, room, last = 0) {
  const letters = Array.from(text);
  if (letters.length <= room) {
    return text;
  }
  const tail = last > 0 && last + 3 <= room ? last : Math.floor((room - 1) / 3);
  return letters.slice(0, room - 1 - tail).join("") + "\u2026" +
    letters.slice(letters.length - tail).join("");
}

/** Shortens names so that they stay different from each other, as far as there is room. */
export class ShortNames {
  /**
   * @param {string[]} names all that there are, each once
   * @param {Forms[]} forms of each
   */
  constructor(names, forms) {
    /** @type {Map<string, {tail: number, texts: string[]}>} */
    this.known = new Map(names.map((name, i) => {
      const [tail, ...others] = forms[i];
      let whole = name;
      return [name, {tail, texts: others.map(form => typeof form === "string" ? whole = form
        : Array.from(whole).slice(-form).join(""))}];
    }));
  }

  // The ways to write a name, from the longest to the shortest, and what stays of its end.
  /** @param {string} name */
  formsOf(name) {
    return this.known.get(name) || {tail: 0, texts: [name]};
  }

  /**
   * The longest text that fits, or the shortest one cut.
   * @param {string} name
   * @param {number} room in characters, at least two
   */
  short(name, room) {
    const {tail, texts} = this.formsOf(name);
    const found = texts.find(text => lengthOf(text) <= room);
    return found === undefined ? cut(texts[texts.length - 1], room, tail) : found;
  }

  // The same of several names, none of which is like another one: such a one gets a number.
  /** @type {(names: string[], room: number) => string[]} */
  allShort(names, room) {
    const taken = new Set();
    let number = 1;
    return names.map(name => {
      let text = this.short(name, room);
      while (taken.has(text)) {
        const mark = `\u2026${++number}`;
        text = cut(name, Math.max(2, room - mark.length)) + mark;
      }
      taken.add(text);
      return text;
    });
  }
}

// Whether what was typed is a regular expression between slashes.
/** @param {string} text */
export function isExpression(text) {
  return /^\/.+\/$/.test(text);
}

// Turns typed text into a query. Text matches names that contain it in either case; /text/ is a
// regular expression.
/** @type {(text: string) => Query} */
export function makeQuery(text) {
  if (isExpression(text)) {
    try {
      const expression = new RegExp(text.slice(1, -1), "iu");
      return {matches: name => expression.test(name), fault: ""};
    } catch (fault) {
      return {matches: null, fault: "not a regular expression"};
    }
  }
  const wanted = text.trim().toLowerCase();
  return {matches: wanted === "" ? null : name => name.toLowerCase().includes(wanted), fault: ""};
}
