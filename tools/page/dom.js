// SPDX-License-Identifier: Apache-2.0
// Makes elements. All text becomes text nodes, so nothing in it is markup.

/** @typedef {string | Node | null | undefined | any[]} Content Of lists all items, and so on. */

/**
 * @param {Element} parent
 * @param {Content} content
 */
function append(parent, content) {
  if (Array.isArray(content)) {
    for (const part of content) {
      append(parent, part);
    }
  } else if (content !== null && content !== undefined) {
    parent.append(content);
  }
}

/**
 * An element with attributes; those that are null are left out.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, string | null>} [attributes]
 * @param {...Content} content
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function html(tag, attributes = {}, ...content) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null) {
      element.setAttribute(name, value);
    }
  }
  append(element, content);
  return element;
}

/**
 * The same in SVG.
 * @template {keyof SVGElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, string | number>} [attributes]
 * @param {...Content} content
 * @returns {SVGElementTagNameMap[Tag]}
 */
export function svg(tag, attributes = {}, ...content) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) {
    element.setAttribute(name, String(value));
  }
  append(element, content);
  return element;
}

/**
 * Text that comes from a profile: it may be written from right to left, and changes nothing around.
 * @param {string} text
 * @param {string} [className]
 */
export function foreign(text, className = "") {
  return html("bdi", {class: className || null}, text);
}

/**
 * A button that does something.
 * @param {Record<string, string | null>} attributes
 * @param {Content} content
 * @param {(event: MouseEvent) => void} action
 */
export function button(attributes, content, action) {
  const element = html("button", {type: "button", ...attributes}, content);
  element.addEventListener("click", action);
  return element;
}

/**
 * Choices of which one holds, as native radio buttons that look like one control.
 * @template {string} Value
 * @param {string} label for screen readers
 * @param {string} group name of the group, different from that of others
 * @param {{value: Value, text: string, title?: string}[]} choices
 * @param {(value: Value) => void} choose
 */
export function choice(label, group, choices, choose) {
  const inputs = new Map();
  const element = html("fieldset", {class: "choice"}, html("legend", {class: "unseen"}, label));
  for (const {value, text, title} of choices) {
    const input = html("input", {type: "radio", name: group, value, class: "unseen"});
    input.addEventListener("change", () => choose(value));
    inputs.set(value, input);
    element.append(html("label", {title: title || null}, input, html("span", {}, text)));
  }
  return {
    element,
    /** @param {Value} value */
    set(value) {
      const input = inputs.get(value);
      if (input) {
        input.checked = true;
      }
    },
    /**
     * @param {Value} value
     * @param {boolean} isShown
     */
    show(value, isShown) {
      inputs.get(value).parentElement.hidden = !isShown;
    },
  };
}
