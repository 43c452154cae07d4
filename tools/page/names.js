// SPDX-License-Identifier: Apache-2.0
// Shortens names of functions where there is little room, and matches them with a search.

// The name without the folders of a package.
/** @param {string} name */
export function labelOf(name) {
  const end = name.search(/[(<[ ]/);
  const slash = (end < 0 ? name : name.slice(0, end)).lastIndexOf("/");
  return name.slice(slash + 1);
}

// Returns the group of a function: a package of Go, a namespace, a class, a file.
/** @param {string} name */
export function groupOf(name) {
  const end = name.search(/[(<[ ]/);
  const plain = end <= 0 ? name : name.slice(0, end);
  const space = plain.indexOf("::");
  if (space > 0) {
    return plain.slice(0, space);
  }
  const slash = plain.lastIndexOf("/");
  const dot = slash < 0 && /^[a-z]\w*(\.[a-z]\w*)+\.[A-Z]/.test(plain)
    ? plain.lastIndexOf(".", plain.lastIndexOf(".") - 1)
    : plain.indexOf(".", slash + 1);
  return dot > 0 ? plain.slice(0, dot) : plain;
}

// The name without what is in brackets that stand behind something.
/** @type {(name: string, open: string, close: string, before: RegExp) => string} */
function withoutArguments(name, open, close, before) {
  let result = "";
  let depth = 0;
  let isEmpty = true;
  let last = "";
  for (const letter of name) {
    if (depth === 0) {
      depth = letter === open && before.test(last) ? 1 : 0;
      isEmpty = true;
      result += letter;
    } else {
      depth += letter === open ? 1 : letter === close && last !== "-" ? -1 : 0;
      if (depth === 0) {
        result += letter;
      } else if (isEmpty) {
        isEmpty = false;
        result += "\u2026";
      }
    }
    last = letter;
  }
  return result;
}

// The name without the first of the packages, namespaces or classes that a function is in; "" if
// there is none. A part in brackets, or a file behind a blank, is no such.
/** @param {string} name */
function withoutFirst(name) {
  let depth = 0;
  for (let i = 0; i < name.length && name[i] !== " "; ++i) {
    const letter = name[i];
    depth += /[(<[{]/.test(letter) ? 1 : /[)>\]}]/.test(letter) ? -1 : 0;
    const length = letter === "." ? 1 : name.startsWith("::", i) ? 2 : 0;
    if (depth === 0 && length > 0 && i > 0) {
      return name.slice(i + length);
    }
  }
  return "";
}

// The name without the type arguments of Go.
/** @param {string} name */
function withoutTypes(name) {
  return withoutArguments(name, "[", "]", /[A-Za-z0-9_]/).replaceAll("[\u2026]", "");
}

// Returns the ways to write a name, from the longest to the shortest: whole, without folders, then
// without arguments, then without its scope. tools/base/names.cpp has the same.
/** @param {string} name */
function callsOf(name) {
  const all = [name, labelOf(name)];
  all.push(withoutArguments(all[1], "(", ")", /[A-Za-z0-9_>]/));
  all.push(withoutArguments(all[2], "<", ">", /[A-Za-z0-9_]/));
  for (let rest = withoutTypes(all[3]); rest !== ""; rest = withoutFirst(rest)) {
    all.push(rest);
  }
  return all.filter((text, i) => i < 2 || text !== all[i - 1]);
}

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
   * @param {boolean} [keepsFolders] whether these stay where there is room
   */
  constructor(names, keepsFolders = false) {
    this.keepsFolders = keepsFolders;
    // The function that can be called so; empty for several.
    /** @type {Map<string, string>} */
    this.owners = new Map();
    for (const name of names) {
      const owner = withoutTypes(name);
      for (const text of callsOf(name)) {
        const other = this.owners.get(text);
        this.owners.set(text, other === undefined || other === owner ? owner : "");
      }
    }
  }

  /** @param {string} text */
  isClear(text) {
    return this.owners.get(text) !== "";
  }

  /**
   * The longest text that fits and that no other name can be called; what is left out is, in this
   * order: folders, arguments, what the function is in. If none fits, the shortest one is cut.
   * @param {string} name
   * @param {number} room in characters, at least two
   */
  short(name, room) {
    const [whole, ...calls] = callsOf(name);
    let clear = whole;
    const isWhole = this.keepsFolders || !this.isClear(calls[0]);
    for (const text of isWhole ? [whole, ...calls] : calls) {
      if (this.isClear(text)) {
        clear = text;
        if (lengthOf(text) <= room) {
          return text;
        }
      }
    }
    const last = calls[calls.length - 1];
    return cut(clear, room, clear.endsWith(last) && clear !== last ? lengthOf(last) : 0);
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
