# SPDX-License-Identifier: Apache-2.0
"""The looks of a page, on screens, on paper and to who does not see it."""

import re

from checks import require
from opened_page import OpenedPage

# When the window has got another size, frames are, and names are shortened again.
FITS = """(it => it.scrollWidth <= it.clientWidth)(document.scrollingElement) &&
    Array.from(document.querySelectorAll("#frames .frame")).every(
        frame => frame.scrollWidth <= frame.clientWidth + 1)"""
WIDTHS = (320, 400, 1300, 2560)
# The least contrast of text and what is behind it, with the text.
CONTRAST = r"""
(() => {
    const parts = color => (color.match(/[\d.]+/g) || []).map(Number);
    const over = (front, back) => {
        const [r, g, b, a = 1] = front;
        return [r, g, b].map((part, i) => part * a + back[i] * (1 - a));
    };
    const light = color => {
        const [r, g, b] = color.map(level => {
            const part = level / 255;
            return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
        });
        return 0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05;
    };
    const grounds = element => {
        const style = getComputedStyle(element);
        const below = element.parentElement ? grounds(element.parentElement) : [[255, 255, 255]];
        const own = below.map(ground => over(parts(style.backgroundColor), ground));
        const images = style.backgroundImage.match(/rgba?\([^)]*\)/g) || [];
        return [...own, ...own.flatMap(ground => images.map(each => over(parts(each), ground)))];
    };
    let least = {contrast: 21};
    let count = 0;
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
        const element = texts.currentNode.parentElement;
        const style = getComputedStyle(element);
        const place = element.getBoundingClientRect();
        if (!texts.currentNode.textContent.trim() || !element.checkVisibility() ||
            style.visibility === "hidden" || place.width < 2 || place.height < 2 ||
            element.closest("script, style, .unseen")) {
            continue;
        }
        let opacity = 1;
        for (let each = element; each; each = each.parentElement) {
            opacity *= getComputedStyle(each).opacity;
        }
        const [r, g, b, a = 1] = parts(element instanceof SVGElement ? style.fill : style.color);
        ++count;
        for (const ground of grounds(element)) {
            const front = light(over([r, g, b, a * opacity], ground));
            const back = light(ground);
            const contrast = Math.max(front, back) / Math.min(front, back);
            if (contrast < least.contrast) {
                least = {contrast, text: texts.currentNode.textContent.slice(0, 60),
                         classes: element.className, color: style.color, ground};
            }
        }
    }
    return {...least, count};
})()
"""
INTERACTIVE = {"button", "link", "textbox", "searchbox", "radio", "checkbox", "combobox", "switch",
               "slider", "tab", "treeitem", "DisclosureTriangle"}


class LookChecks(OpenedPage):
    """Checks of what is seen and read."""

    def looks(self):
        for is_dark in (False, True):
            self.browser.set_dark(is_dark)
            for width in WIDTHS:
                self.browser.resize(width, 900)
                self.browser.wait(FITS)
                what = f'{"dark" if is_dark else "light"}-{width}'
                if self.type["tree"]:
                    self.layout(what)
                self.fits(what)
                self.value("scrollTo(0, 0)")
                self.picture(what)
                least = self.value(CONTRAST)
                require(least["count"] > 30 and least["contrast"] >= 4.5, what, least)
            surface = self.value("getComputedStyle(document.body).backgroundColor")
            level = sum(map(float, re.findall(r"[\d.]+", surface)[:3]))
            require((level < 384) == is_dark, surface, "is dark" if not is_dark else "is light")
        self.browser.set_dark(False)
        self.browser.resize(1300, 900)

    def has_one_screen(self):
        """A usual screen has the graph, with the table beside it."""
        self.browser.resize(1500, 900)
        self.browser.wait(FITS)
        self.value("scrollTo(0, 0)")
        top, right, table = self.value("""(() => {
            const place = selector => document.querySelector(selector).getBoundingClientRect();
            return [place("#frames").top, place("#picture").right, place("#table").left];
        })()""")
        most = {"trend": 950, "top": 560}.get(self.data["command"], 600)
        require(top < most, "the graph is at", top)
        require(table > right, "the table is not beside the graph")
        self.browser.resize(1300, 900)

    def prints(self):
        pages = self.browser.print()
        (self.pictures / f"{self.path.stem}-{self.browser.NAME.lower()}.pdf").write_bytes(pages)
        require(pages.startswith(b"%PDF") and len(pages) > 10000, len(pages), "bytes of PDF")
        if self.browser.NAME != "Chromium":
            return
        self.browser.call("Emulation.setEmulatedMedia", media="print")
        seen = self.value("""Array.from(document.querySelectorAll("h1, .card, .frame, #rows tr, " +
            "input[type=search], .more, .skip")).filter(each => each.checkVisibility() &&
            each.getBoundingClientRect().width > 1).map(each => each.localName)""")
        require({"h1", "label", "div", "tr"} <= set(seen), "printed are only", set(seen))
        require("input" not in seen and "button" not in seen and "a" not in seen,
                "controls are printed", set(seen))
        self.browser.call("Emulation.setEmulatedMedia", media="")
        self.browser.set_dark(False)

    def is_accessible(self, things=20):
        """Everything that can be used has a name, for those who do not see it."""
        require(self.value("document.documentElement.lang") == "en", "no language")
        levels = self.value("""Array.from(document.querySelectorAll("h1, h2, h3, h4"), heading =>
            +heading.tagName[1])""")
        require(levels[0] == 1 and all(b <= a + 1 for a, b in zip(levels, levels[1:])), levels)
        for landmark in ("main", "header", "footer"):
            require(self.value(f'document.querySelectorAll("body > {landmark}").length') == 1,
                    landmark)
        if self.browser.NAME != "Chromium":
            return
        nodes = self.browser.call("Accessibility.getFullAXTree")["nodes"]
        used = [node for node in nodes if not node["ignored"] and
                node["role"]["value"] in INTERACTIVE]
        require(len(used) >= things, "only", len(used), "things to use")
        for node in used:
            require(node.get("name", {}).get("value", "").strip(), "without a name:", node)
