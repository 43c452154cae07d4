# SPDX-License-Identifier: Apache-2.0
"""Uses of the flame graph of a page."""

import json
import re

from checks import require
from opened_page import OpenedPage


class FlameChecks(OpenedPage):
    """Checks of the flame graph."""

    def zooms(self):
        """A click or key zooms in, and the path, Esc and the browser lead back."""
        before = self.frames()
        full = before[0]["width"]
        nth = next(i for i, frame in reversed(list(enumerate(before)))
                   if 10 < frame["width"] < 0.95 * full)
        wanted = before[nth]["label"]

        def is_zoomed():
            return any(frame["label"] == wanted and frame["width"] > full - 2
                       for frame in self.frames())

        require(not is_zoomed(), wanted, "has the full width at first")
        for undo in (lambda: self.click(".path .crumb"), lambda: self.press("Escape"),
                     lambda: self.value("history.back()")):
            self.click("#frames .frame", nth)
            require(is_zoomed(), "a click does not zoom to", wanted)
            require("zoom=" in self.hash(), self.hash())
            self.layout("zoomed")
            current = self.value(
                """document.querySelector('.path [aria-current="true"]').innerText""")
            require(wanted.startswith(current), "the path ends with", current)
            undo()
            self.browser.wait("!location.hash.includes('zoom=')")
            require(not is_zoomed(), "still zoomed to", wanted)

        self.click("#frames .frame", nth)
        address = self.hash()
        self.browser.reload()
        self.browser.wait('document.querySelector("#frames .frame")')
        require(self.hash() == address and is_zoomed(), "a link does not lead to", wanted)
        self.picture("zoom")
        self.press("Escape")

    def moves_by_keys(self):
        """The Tab key leads into the picture, and arrows from frame to frame."""
        self.value('document.querySelector("#search").focus()')
        for _ in range(20):
            self.press("Tab")
            if self.value('document.activeElement.classList.contains("frame")'):
                break
        label = 'document.activeElement.getAttribute("aria-label")'
        first = self.value(label)
        require(first and first.startswith("all"), "the Tab key leads to", first)
        seen = [first]
        for key in ("ArrowDown", "ArrowDown", "ArrowUp", "ArrowUp"):
            self.press(key)
            seen.append(self.value(label))
        require(len(set(seen)) == 3 and seen[0] == seen[4] and seen[1] == seen[3], seen)
        require(self.value('!document.querySelector("#tooltip").hidden'), "no tooltip by key")
        self.press("ArrowDown")
        self.press("ArrowDown")
        self.press("Enter")
        require("zoom=" in self.hash(), "Enter does not zoom", self.hash())
        self.press("Escape")
        require("zoom=" not in self.hash(), "Esc does not undo it", self.hash())

    def points(self):
        """The frame pointed at is described beside the pointer."""
        frames = self.frames()
        nth = max(range(len(frames)), key=lambda i: (frames[i]["width"] > 50, i))
        self.browser.point(1, 1)
        self.browser.point(*self.place("#frames .frame", nth))
        name = frames[nth]["label"].split(", ")[0]
        self.browser.wait('document.querySelector("#tooltip").innerText.startsWith('
                          f"{json.dumps(name)})", 5)
        said = self.value('document.querySelector("#tooltip").innerText')
        shown = self.value("""(() => {
            const place = document.querySelector("#tooltip").getBoundingClientRect();
            return {x: place.x, y: place.y, right: innerWidth - place.right,
                    bottom: innerHeight - place.bottom, width: place.width};
        })()""")
        require(min(shown.values()) >= 0 and shown["width"] > 50, "the tooltip is not seen whole",
                shown)
        for part in re.split(r", (?=\w)", frames[nth]["label"]):
            for word in part.split(" "):
                require(word in said, "the tooltip has no", word, ":", said)
        place = self.data.get("places", [""] * len(self.data["names"]))[
            self.data["names"].index(name)]
        require(place in said, "no source", place, ":", said)
        now = self.frames()
        require(all(abs(a["y"] - b["y"]) < 0.01 for a, b in zip(now, frames)),
                "the picture moves under the pointer by", now[0]["y"] - frames[0]["y"])
        self.browser.point(1, 1)

    def turns(self):
        """Callers below: the first row are functions in which stacks end."""
        self.choose("view", "up")
        require("view=up" in self.hash(), self.hash())
        frames = self.layout("callers below")
        top = sorted({frame["y"] for frame in frames})
        row = [frame["label"] for frame in frames if frame["y"] == top[1]]
        self.choose("view", "down")
        again = [frame["label"] for frame in self.frames() if frame["y"] == top[1]]
        require(row and row != again, "the first row is as before:", row)
        self.choose("view", "up")
        self.picture("callers-below")
        self.choose("view", "down")
        require("view=" not in self.hash(), self.hash())

    def has_sandwich(self):
        """A click on a row leads to the callers and callees of its function."""
        # One of those with the most stacks below them has callers and callees.
        labels = [frame["label"] for frame in self.frames()]
        name = next(row["name"] for row in self.rows()
                    if any(label.startswith(row["name"] + ", ") for label in labels[2:]))
        self.click("#rows tbody .lead", [row["name"] for row in self.rows()].index(name))
        require("view=around" in self.hash(), self.hash())
        frames = self.frames()
        center = [frame["y"] for frame in frames if frame["label"].startswith(name + ", ") and
                  frame["width"] > max(each["width"] for each in frames) - 1]
        require(center, name, "is not in the middle")
        require(min(frame["y"] for frame in frames) < min(center), name, "has no callers")
        self.picture("sandwich")
        self.press("Escape")
        self.choose("view", "down")

    def begins_with_width(self):
        """The width is the one that the program says; and what has none then is named."""
        if self.type["content"] != "comparison":
            return
        chosen = self.value('document.querySelector("input[name=width]:checked").value')
        require(chosen == self.data["width"], chosen, "is not", self.data["width"])
        self.choose("width", "current")
        tree = self.type["tree"]
        gone = any(before != 0 and now == 0
                   for before, now in zip(tree["previous"], tree["current"]))
        note = self.value('document.querySelector("#picture .note").innerText')
        require(("what vanished" in note) == (gone and not tree["medians"]), note)

    def changes_width(self):
        """The width can be by the values of either side, and by the change."""
        if self.type["content"] != "comparison":
            require(not self.value("""document.querySelector('[name="width"]').checkVisibility() ||
                document.querySelector('[name="width"]').parentElement.checkVisibility()"""),
                    "widths can be chosen where there is one")
            return
        for side in ("previous", "current"):
            self.choose("width", side)
            self.layout(side)
        self.choose("width", "change")
        require("width=change" in self.hash(), self.hash())
        self.layout("change")
        self.picture("change")
        self.choose("width", "current")
