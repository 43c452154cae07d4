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
  const dot = slash < 0 && /^[a-z]+(\.[a-z0-9_]+){2,}/.test(plain)
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
 * A name in at most `room` characters, which are at least one. Its end stays; arguments go first.
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
  return fits(text) ? text : "\u2026" + Array.from(text).slice(Array.from(text).length - room + 1)
    .join("");
}
