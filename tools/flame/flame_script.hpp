// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TOOLS_FLAME_FLAME_SCRIPT_HPP
#define PPROFDELTA_TOOLS_FLAME_FLAME_SCRIPT_HPP

#include <string_view>

namespace pprofdelta::tool {

/// What a picture of a flame graph looks like, also to its script.
inline constexpr std::string_view flame_style = R"css(
.frames rect { stroke: white; stroke-width: 0.3 }
.frames > g { cursor: pointer }
.frames > g:hover rect, .frames > .match rect { stroke: black; stroke-width: 1 }
.frames > .dark text { fill: white }
.frames > .above { opacity: 0.5 }
.searching > g:not(.match) { opacity: 0.3 }
text { pointer-events: none }
.details { font-weight: bold }
.search { box-sizing: border-box; width: 100%; height: 100%; font: inherit; padding: 0 4px }
@media print { foreignObject { display: none } }
)css";

/// Makes the picture of a flame graph respond to pointer and keys. It takes all data from the
/// picture: each frame is a group of a title, a rectangle, and maybe a text. What it adds comes
/// into the group of the class "controls".
inline constexpr std::string_view flame_script = R"js(
(function () {
  "use strict";
  const svg = document.currentScript.ownerSVGElement;
  const letterWidth = 7.3;
  const labelOf = name => name.replace(/^[^(<\[ ]*\//, "");

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

  function shortened(name, room) {
    const fits = () => Array.from(name).length <= room;
    name = fits() ? name : withoutArguments(name, "(", ")", /[A-Za-z0-9_>]/);
    name = fits() ? name : withoutArguments(name, "<", ">", /[A-Za-z0-9_]/);
    return fits() ? name : "\u2026" + Array.from(name).slice(1 - room).join("");
  }

  function add(parent, name, attributes, space = svg.namespaceURI) {
    const element = document.createElementNS(space, name);
    for (const [key, value] of Object.entries(attributes)) {
      element.setAttribute(key, value);
    }
    return parent.appendChild(element);
  }

  const frames = Array.from(svg.querySelectorAll(".frames > g"), group => {
    const rect = group.querySelector("rect");
    const [name, value] = group.querySelector("title").textContent.split("\n");
    return {group, rect, name, value, text: group.querySelector("text"), label: labelOf(name),
            x: +rect.getAttribute("x"), y: +rect.getAttribute("y"),
            width: +rect.getAttribute("width"), shownWidth: +rect.getAttribute("width")};
  });
  const byGroup = new Map(frames.map(frame => [frame.group, frame]));
  const root = frames[0];

  const controls = svg.querySelector(".controls");
  const searchWidth = 160;
  const shareWidth = 60;
  const nameRoom = Math.floor((root.width - searchWidth - shareWidth - 8) / letterWidth);
  const valueRoom = Math.floor(root.width / letterWidth);
  const nameLine = add(controls, "text", {class: "details", y: 4});
  const valueLine = add(controls, "text", {class: "details", y: 21});
  const share = add(controls, "text", {x: root.width - searchWidth - 8, y: 4,
                                       "text-anchor": "end", role: "status"});
  const input = add(
    add(controls, "foreignObject",
        {x: root.width - searchWidth, y: -11, width: searchWidth, height: 20}),
    "input", {class: "search", placeholder: "/ to search", "aria-label": "Search"},
    "http://www.w3.org/1999/xhtml");

  function describe(frame) {
    nameLine.textContent = frame ? shortened(frame.name, nameRoom) : "";
    const value = frame ? frame.value : "Click: zoom in. Esc: zoom out.";
    valueLine.textContent =
      value.length <= valueRoom ? value : value.slice(0, valueRoom - 1) + "\u2026";
  }

  function place(frame, x, width, isAbove) {
    frame.shownWidth = width;
    frame.group.style.display = "";
    frame.group.classList.toggle("above", isAbove);
    frame.rect.setAttribute("x", x);
    frame.rect.setAttribute("width", width);
    const room = Math.floor((width - 6) / letterWidth);
    if (!frame.text && room >= 3) {
      frame.text = add(frame.group, "text", {y: frame.y + 12});
    }
    if (frame.text) {
      frame.text.setAttribute("x", x + 3);
      frame.text.textContent = room < 3 ? "" : shortened(frame.label, room);
    }
  }

  let zoomed = root;
  function zoom(to) {
    zoomed = to;
    const slack = 0.02;
    const scale = root.width / to.width;
    for (const frame of frames) {
      const end = frame.x + frame.width;
      if (frame.y >= to.y && frame.x >= to.x - slack && end <= to.x + to.width + slack) {
        place(frame, root.x + (frame.x - to.x) * scale, frame.width * scale, false);
      } else if (frame.y < to.y && frame.x <= to.x + slack && end >= to.x + to.width - slack) {
        place(frame, root.x, root.width, true);
      } else {
        frame.shownWidth = 0;
        frame.group.style.display = "none";
      }
    }
    search();
  }

  // Part of a name in any case, or a regular expression between slashes.
  function matcher(wanted) {
    const pattern = /^\/(.+)\/$/.exec(wanted);
    if (!pattern) {
      const part = wanted.toLowerCase();
      return name => name.toLowerCase().includes(part);
    }
    try {
      const expression = new RegExp(pattern[1], "i");
      return name => expression.test(name);
    } catch {
      return () => false;
    }
  }

  // Each stack counts once, whatever matches in it, and only as far as it is shown.
  function search() {
    const wanted = input.value;
    const matches = wanted === "" ? () => false : matcher(wanted);
    let width = 0;
    let counted = null;
    for (const frame of frames) {
      const isMatch = matches(frame.name);
      frame.group.classList.toggle("match", isMatch);
      if (counted && frame.y <= counted.y) {
        counted = null;
      }
      if (isMatch && !counted && frame.y >= zoomed.y && frame.shownWidth > 0) {
        counted = frame;
        width += frame.shownWidth;
      }
    }
    root.group.parentNode.classList.toggle("searching", wanted !== "");
    share.textContent = wanted === "" ? "" : (100 * width / root.width).toFixed(2) + "%";
  }

  function frameOf(event) {
    const group = event.target.closest && event.target.closest(".frames > g");
    return group && byGroup.get(group);
  }
  svg.addEventListener("click", event => {
    const frame = frameOf(event);
    if (frame) {
      zoom(frame);
    }
  });
  svg.addEventListener("mouseover", event => describe(frameOf(event)));
  input.addEventListener("input", search);
  document.addEventListener("keydown", event => {
    const isCommand = event.ctrlKey || event.metaKey;
    const asksForSearch = event.key === "/" || (event.key === "f" && isCommand);
    if (event.key === "Escape") {
      if (input.value === "") {
        zoom(root);
      }
      input.value = "";
      input.blur();
      search();
    } else if (asksForSearch && event.target !== input) {
      event.preventDefault();
      input.focus();
      input.select();
    }
  });
  describe(null);
})();
)js";

} // namespace pprofdelta::tool

#endif // PPROFDELTA_TOOLS_FLAME_FLAME_SCRIPT_HPP
