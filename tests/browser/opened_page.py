# SPDX-License-Identifier: Apache-2.0
"""A page that is open in a browser: what it shows, and what can be done with mouse and keys."""

import json

from checks import require
from page_data import read_page

FRAMES = """
    Array.from(document.querySelectorAll("#frames .frame"), frame => {
        const place = frame.getBoundingClientRect();
        return {label: frame.getAttribute("aria-label"), text: frame.textContent,
                classes: Array.from(frame.classList), hidden: frame.scrollWidth - frame.clientWidth,
                x: place.x, y: place.y + scrollY, width: place.width, height: place.height};
    })
"""
ROWS = """
    Array.from(document.querySelectorAll("#rows tbody tr"), row => ({
        name: row.dataset.name, cells: Array.from(row.children, cell => cell.innerText.trim())}))
"""


class OpenedPage:
    """One page in one browser."""

    def __init__(self, browser, path, pictures):
        self.browser, self.path, self.pictures = browser, path, pictures
        self.texts, self.foreign, self.data = read_page(path)
        self.type = self.data["types"][self.data["type"]]

    def value(self, expression):
        return self.browser.evaluate(expression)

    def frames(self):
        return self.value(FRAMES)

    def rows(self):
        return self.value(ROWS)

    def hash(self):
        return self.value("location.hash")

    def picture(self, name):
        self.browser.screenshot(
            self.pictures / f"{self.path.stem}-{name}-{self.browser.NAME.lower()}.png")

    def place(self, selector, nth=0):
        """The point where the middle of an element is seen, which nothing may cover."""
        found = self.value(f"""
            (() => {{
                const element = document.querySelectorAll({json.dumps(selector)})[{nth}];
                if (!element) {{
                    return null;
                }}
                element.scrollIntoView({{block: "center", behavior: "instant"}});
                const place = element.getBoundingClientRect();
                const [x, y] = [place.x + place.width / 2, place.y + place.height / 2];
                const on = document.elementFromPoint(x, y);
                return {{x, y, on: on && (element.contains(on) || on.contains(element)) ? ""
                                   : on ? on.outerHTML.slice(0, 200) : "nothing"}};
            }})()""")
        require(found, "there is no", selector, nth)
        require(not found["on"], selector, nth, "is covered by", found["on"])
        return found["x"], found["y"]

    def click(self, selector, nth=0):
        self.browser.click(*self.place(selector, nth))

    def choose(self, name, value):
        """One of several radio buttons, by its label."""
        self.click(f'label:has(input[name="{name}"][value="{value}"])')

    def press(self, *keys):
        self.browser.press(*keys)

    # State of a page

    def opens(self):
        drawn = "#frames .frame" if self.type["tree"] else "tbody tr"
        self.browser.open(self.path)
        self.browser.wait(f"document.querySelector('{drawn}')")

    def loads(self):
        require(not self.foreign, "the page has", self.foreign)
        policy = self.texts["Content-Security-Policy"]
        require(policy.startswith("default-src 'none'") and "unsafe" not in policy and
                "*" not in policy, policy)
        require(self.texts["title"] == self.data["title"], self.texts["title"])
        before = len(self.browser.requests)
        self.opens()
        requests = self.browser.requests[before:]
        require(requests == [self.path.as_uri()], "it loads", requests)
        first = self.data["findings"][0]
        require(self.data["title"] == first["text"], self.data["title"])
        require(self.value('document.querySelector("h1").textContent') ==
                first["text"] + first["details"], "h1")
        require(self.value('getComputedStyle(document.documentElement).fontSize'), "no style")

    def is_quiet(self):
        require(not self.browser.complaints, "the browser says", *self.browser.complaints)

    def layout(self, what, slack=1.1):
        """Frames lie side by side under those that they are part of, and their text fits."""
        frames = [frame for frame in self.frames() if "above" not in frame["classes"]]
        require(frames, what, "no frames")
        full = self.value('document.querySelector("#frames").getBoundingClientRect().width')
        require(max(frame["width"] for frame in frames) > full - 2, what, "not the full width")
        rows = {}
        for frame in frames:
            require(frame["hidden"] <= 1, what, "text is cut", frame)
            rows.setdefault(round(frame["y"]), []).append(frame)
        for row in rows.values():
            row.sort(key=lambda frame: frame["x"])
            for left, right in zip(row, row[1:]):
                require(left["x"] + left["width"] <= right["x"] + slack, what, left, "on", right)
        return frames

    def fits(self, what):
        """Nothing makes the page wider than the window."""
        found = self.value("(it => [it.scrollWidth, it.clientWidth])(document.scrollingElement)")
        require(found[0] <= found[1], what, "is wider than the window", found)
