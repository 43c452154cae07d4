// SPDX-License-Identifier: Apache-2.0
// What of the name of a function is shown where there is little room.

/**
 * Without the folders of a package.
 * @param {string} name
 */
export function labelOf(name) {
  const end = name.search(/[(<[ ]/);
  const slash = (end < 0 ? name : name.slice(0, end)).lastIndexOf("/");
  return name.slice(slash + 1);
}

/**
 * What a function belongs to: a package of Go, a namespace, a class, a file.
 * @param {string} name
 */
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

/**
 * @param {string} name
 * @param {string} open
 * @param {string} close
 * @param {RegExp} before what a bracket stands behind
 */
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

/**
 * Without the first of the packages, namespaces or classes that a function is in; "" if there is
 * none. What is in brackets, or a file behind a blank, is no such.
 * @param {string} name
 */
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

/**
 * A name in at most `room` characters, which are at least two. Arguments go first, then what the
 * function is in, and only then its own end.
 * @param {string} name
 * @param {number} room
 */
export function shortened(name, room) {
  if (name.length <= room) {
    return name;
  }
  const fits = (/** @type {string} */ text) => Array.from(text).length <= room;
  let text = name;
  text = fits(text) ? text : withoutArguments(text, "(", ")", /[A-Za-z0-9_>]/);
  text = fits(text) ? text : withoutArguments(text, "<", ">", /[A-Za-z0-9_]/);
  for (let rest = text; rest !== "" && !fits(text); rest = withoutFirst(rest)) {
    text = rest;
  }
  return fits(text) ? text : Array.from(text).slice(0, room - 1).join("") + "\u2026";
}
