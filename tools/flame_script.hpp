// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TOOLS_FLAME_SCRIPT_HPP
#define PPROFDELTA_TOOLS_FLAME_SCRIPT_HPP

#include <string_view>

namespace pprofdelta::tool {

/// Makes the picture of a flame graph respond to pointer and keys. It takes all data from the
/// picture: each frame is a group of a title, a rectangle, and maybe a text.
inline constexpr std::string_view flame_script = R"js(
(function () {
  "use strict";
  const svg = document.currentScript.ownerSVGElement;
  const details = svg.querySelector(".details");
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

  const frames = Array.from(svg.querySelectorAll(".frames > g"), group => {
    const rect = group.querySelector("rect");
    const title = group.querySelector("title").textContent;
    return {group, rect, title, text: group.querySelector("text"),
            label: labelOf(title.split("\n")[0]), x: +rect.getAttribute("x"),
            y: +rect.getAttribute("y"), width: +rect.getAttribute("width")};
  });
  const byGroup = new Map(frames.map(frame => [frame.group, frame]));
  const root = frames[0];

  function place(frame, x, width, isAbove) {
    frame.group.style.display = "";
    frame.group.style.opacity = isAbove ? 0.5 : 1;
    frame.rect.setAttribute("x", x);
    frame.rect.setAttribute("width", width);
    const room = Math.floor((width - 6) / 7.3);
    if (!frame.text && room >= 3) {
      frame.text = document.createElementNS(svg.namespaceURI, "text");
      frame.text.setAttribute("y", frame.y + 12);
      frame.group.appendChild(frame.text);
    }
    if (frame.text) {
      frame.text.setAttribute("x", x + 3);
      frame.text.textContent = room < 3 ? "" : shortened(frame.label, room);
    }
  }

  function zoom(to) {
    const slack = 0.02;
    const scale = root.width / to.width;
    for (const frame of frames) {
      const end = frame.x + frame.width;
      if (frame.y >= to.y && frame.x >= to.x - slack && end <= to.x + to.width + slack) {
        place(frame, root.x + (frame.x - to.x) * scale, frame.width * scale, false);
      } else if (frame.y < to.y && frame.x <= to.x + slack && end >= to.x + to.width - slack) {
        place(frame, root.x, root.width, true);
      } else {
        frame.group.style.display = "none";
      }
    }
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
  svg.addEventListener("mouseover", event => {
    const frame = frameOf(event);
    details.textContent = frame ? frame.title.replace("\n", ": ") : "";
  });
  document.addEventListener("keydown", event => {
    if (event.key === "Escape") {
      zoom(root);
    }
  });
})();
)js";

} // namespace pprofdelta::tool

#endif // PPROFDELTA_TOOLS_FLAME_SCRIPT_HPP
