# SPDX-License-Identifier: Apache-2.0
"""What can be done with the flame graph of a page."""

import json
import re

from checks import require
from opened_page import OpenedPage
from page_data import Tree, human


class FlameChecks(OpenedPage):
    """Of the flame graph."""

    def zooms(self):
        """In by click and key, and back by the path, Esc and the browser."""
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
            self.picture("zoom")
            undo()
            self.browser.wait("!location.hash.includes('zoom=')")
            require(not is_zoomed(), "still zoomed to", wanted)

        self.click("#frames .frame", nth)
        address = self.hash()
        self.browser.reload()
        self.browser.wait('document.querySelector("#frames .frame")')
        require(self.hash() == address and is_zoomed(), "a link does not lead to", wanted)
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
        """What is pointed at is described beside the pointer."""
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
        tree = self.type["tree"]
        depths, names = tree["depth"], tree["name"]
        own = {}
        for side in ("previous", "current"):
            values = tree[side]
            for node, value in enumerate(values):
                rest = value
                for child in range(node + 1, len(depths)):
                    if depths[child] <= depths[node]:
                        break
                    rest -= values[child] if depths[child] == depths[node] + 1 else 0
                own[side, names[node]] = own.get((side, names[node]), 0) + rest
        top = sorted({frame["y"] for frame in frames})
        row = [frame for frame in frames if frame["y"] == top[1]]
        require(row, "no functions in which stacks end")
        checked = 0
        for frame in row:
            name = max((name for name in self.data["names"]
                        if name and frame["label"].startswith(name + ", ")), key=len, default="")
            value = own.get(("current", self.data["names"].index(name)))
            if name and not tree["medians"]:
                require(human(value, self.type["unit"]) in frame["label"], frame, value)
                checked += 1
        require(checked > 2 or tree["medians"], "only", checked, "functions")
        self.picture("callers-below")
        self.choose("view", "down")
        require("view=" not in self.hash(), self.hash())

    def has_sandwich(self):
        """A click on a row leads to the callers and callees of its function."""
        tree = Tree(self.type["tree"], "current")
        inner = {tree.names[parent] for parent in tree.parents if parent}
        name = next(row["name"] for row in self.rows()
                    if self.data["names"].index(row["name"]) in inner)
        place = [row["name"] for row in self.rows()].index(name)
        self.click("#rows tbody .lead", place)
        require("view=around" in self.hash(), self.hash())
        frames = self.frames()
        center = [frame for frame in frames if frame["label"].startswith(name + ", ") and
                  frame["width"] > max(each["width"] for each in frames) - 1]
        require(len(center) >= 1, name, "is not in the middle")
        number_of = self.data["names"].index(name)
        total = tree.sum_of_outermost(lambda each: each == number_of)
        require(any(human(total, self.type["unit"]) in each["label"] for each in center) or
                self.type["tree"]["medians"], name, "has not", human(total, self.type["unit"]),
                [each["label"] for each in center])
        callers = {self.data["names"][tree.names[parent]] or "all"
                   for node, parent in enumerate(tree.parents)
                   if tree.names[node] == number_of and parent is not None and
                   not any(tree.names[each] == number_of for each in tree.path(parent))}
        lowest = max(frame["y"] for frame in center)
        above = [frame for frame in frames if frame["y"] < lowest - 1]
        below = [frame for frame in frames if frame["y"] > lowest + 1]
        require(above and below, name, "has", len(above), "callers and", len(below), "callees")
        direct = [frame for frame in above if frame["y"] == max(each["y"] for each in above)]
        for frame in direct:
            require(any(frame["label"].startswith(caller + ", ") for caller in callers) or
                    frame["label"].startswith(name), frame["label"], "is no caller", callers)
        self.picture("sandwich")
        self.press("Escape")
        self.choose("view", "down")

    def begins_with_width(self):
        """As the program says; and what has none then is told of."""
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
        """By the values of either side, and by the change."""
        tree = self.type["tree"]
        if self.type["content"] != "comparison":
            require(not self.value("""document.querySelector('[name="width"]').checkVisibility() ||
                document.querySelector('[name="width"]').parentElement.checkVisibility()"""),
                    "widths can be chosen where there is one")
            return
        for side in ("previous", "current"):
            self.choose("width", side)
            frames = self.layout(side)
            full = max(frame["width"] for frame in frames)
            sums = {}
            for node, name in enumerate(tree["name"]):
                if tree["depth"][node] == 1:
                    sums[self.data["names"][name]] = tree[side][node] / (tree[side][0] or 1)
            second = sorted({frame["y"] for frame in frames})[1]
            for frame in (each for each in frames if each["y"] == second):
                name = max((name for name in sums if frame["label"].startswith(name + ", ")),
                           key=len)
                require(abs(frame["width"] / full - sums[name]) < 0.01 or tree["medians"],
                        side, frame, sums[name])
        self.choose("width", "change")
        require("width=change" in self.hash(), self.hash())
        self.layout("change")
        self.picture("change")
        self.choose("width", "current")
