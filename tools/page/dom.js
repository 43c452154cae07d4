// SPDX-License-Identifier: Apache-2.0
// Makes elements, and what several sections do with them. All text becomes text nodes, so nothing
// in it is markup.

/** @type {<E extends HTMLElement | SVGElement>(element: E, attributes: Attributes,
 *          content: Content[]) => E} */
function filled(element, attributes, content) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null) {
      continue;
    }
    if (name.startsWith("--")) { // The page's policy allows no attribute "style".
      element.style.setProperty(name, String(value));
    } else {
      element.setAttribute(name, String(value));
    }
  }
  element.append(...content.flat(Infinity).filter(part => part !== null && part !== undefined));
  return element;
}

/**
 * An element of HTML.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Attributes} [attributes]
 * @param {...Content} content
 */
export function html(tag, attributes = {}, ...content) {
  return filled(document.createElement(tag), attributes, content);
}

/**
 * The same in SVG.
 * @template {keyof SVGElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Attributes} [attributes]
 * @param {...Content} content
 */
export function svg(tag, attributes = {}, ...content) {
  return filled(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, content);
}

// Text that comes from a profile: it may be written from right to left, and changes nothing around.
/** @param {string} text */
export function foreign(text) {
  return html("bdi", {}, text);
}

// A name from a profile that can break behind its folders, packages and classes.
/** @param {string} name */
export function breakable(name) {
  return html("bdi", {}, name.split(/(?<=[/.:](?![/.:]))/).map((part, i) =>
    [i === 0 ? null : html("wbr"), part]));
}

// A word and what there is to say of it.
/** @type {(word: Content, text: Content) => HTMLElement} */
export function fact(word, text) {
  return html("span", {class: "fact"}, html("span", {class: "word"}, word), " ", text);
}

/** @param {string} verdict what a test found */
export function pill(verdict) {
  return html("span", {class: `is is-${verdict.replace(" ", "-")}`}, verdict);
}

/** @type {(attributes: Attributes, content: Content, action: (event: Event) => void) =>
 *          HTMLButtonElement} */
export function button(attributes, content, action) {
  const element = html("button", {type: "button", ...attributes}, content);
  element.addEventListener("click", action);
  return element;
}

/**
 * A field for what is searched, under a label for screen readers.
 * @type {(id: string, label: string, attributes: Attributes, action: (text: string) => void) =>
 *        {input: HTMLInputElement, element: HTMLElement}}
 */
export function searchField(id, label, attributes, action) {
  const input = html("input", {id, type: "search", autocomplete: "off", spellcheck: "false",
                               ...attributes});
  input.addEventListener("input", () => action(input.value));
  return {input, element: html("div", {class: "search"},
                               html("label", {for: id, class: "unseen"}, label), input)};
}

/**
 * Choices of which one holds, as native radio buttons that look like one control.
 * @template {string} Value
 * @param {string} label for screen readers
 * @param {string} group name of the group, different from that of others
 * @param {{value: Value, text: string, title: string}[]} choices
 * @param {(value: Value) => void} choose
 */
export function choice(label, group, choices, choose) {
  const element = html("fieldset", {class: "choice"}, html("legend", {class: "unseen"}, label));
  const inputs = new Map(choices.map(({value, text, title}) => {
    const input = html("input", {type: "radio", name: group, value, class: "unseen"});
    input.addEventListener("change", () => choose(value));
    element.append(html("label", {title}, input, html("span", {}, text)));
    return [value, input];
  }));
  /** @param {Value} value */
  const set = value => {
    const input = inputs.get(value);
    if (input) {
      input.checked = true;
    }
  };
  return {element, set};
}

// Draws anew when the width of an element is no longer that for which it was drawn: what there is
// room for depends on it.
/** @type {(element: Element, drawnWidth: () => number, draw: () => void) => void} */
export function onResize(element, drawnWidth, draw) {
  new ResizeObserver(() => {
    if (Math.abs(element.clientWidth - drawnWidth()) >= 1) {
      requestAnimationFrame(draw);
    }
  }).observe(element);
}

/** Whether text is marked: whoever copies it does not want another picture. */
export function isSelecting() {
  return getSelection()?.isCollapsed === false;
}

/**
 * Names are short where there is little room; what is copied are the whole ones.
 * @param {HTMLElement} element
 * @param {(isSelected: (node: Node) => boolean) => string} textOf empty for what is seen
 */
export function onCopy(element, textOf) {
  element.addEventListener("copy", event => {
    const selection = getSelection();
    const text = !selection || selection.isCollapsed ? ""
      : textOf(node => selection.containsNode(node, true));
    if (text !== "") {
      event.clipboardData?.setData("text/plain", text);
      event.preventDefault();
    }
  });
}
