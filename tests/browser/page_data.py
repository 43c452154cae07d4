# SPDX-License-Identifier: Apache-2.0
"""What a page holds, read from its file without a browser, and what follows from it."""

import base64
import gzip
import html.parser
import json
import re

# What a page consists of before its script has run.
STATIC = {"html": {"lang"}, "head": set(), "body": set(), "title": set(), "style": set(),
          "meta": {"charset", "name", "content", "http-equiv"}, "pre": {"id"},
          "script": {"id", "type"}}
# Of the units that cells show.
SIZES = {"B": 1, "KiB": 2**10, "MiB": 2**20, "GiB": 2**30, "TiB": 2**40,
         "ns": 1, "us": 1e3, "ms": 1e6, "s": 1e9, "hrs": 3600e9, "%": 1, "": 1, "/s": 1}


class Reader(html.parser.HTMLParser):
    """The texts of elements, and whatever else a page should not have."""

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.open, self.texts, self.foreign = [], {}, []

    def handle_starttag(self, tag, attrs):
        names = dict(attrs)
        if tag not in STATIC or set(names) - STATIC[tag]:
            self.foreign.append(f"<{tag} {names}>")
        if tag == "meta":
            if "http-equiv" in names:
                self.texts[names["http-equiv"]] = names["content"]
            return
        self.open.append(names.get("id", tag))
        self.texts.setdefault(self.open[-1], "")

    def handle_endtag(self, tag):
        self.open.pop()

    def handle_data(self, data):
        if self.open:
            self.texts[self.open[-1]] += data

    def handle_comment(self, data):
        self.foreign.append(f"<!--{data}")

    def unknown_decl(self, data):
        self.foreign.append(f"<![{data}")

    def handle_pi(self, data):
        self.foreign.append(f"<?{data}")


class Tree:
    """A tree of stacks, with the values of one side."""

    def __init__(self, tree, side):
        self.names, self.depths, self.values = tree["name"], tree["depth"], tree[side]
        self.parents = []
        path = []
        for node, depth in enumerate(self.depths):
            del path[depth:]
            self.parents.append(path[-1] if path else None)
            path.append(node)

    def path(self, node):
        """From the root."""
        return [*(self.path(self.parents[node]) if node else []), node]

    def sum_of_outermost(self, is_wanted):
        """Of all stacks with a name that is wanted, each once."""
        total, outer = 0, None
        for node, depth in enumerate(self.depths):
            if outer is not None and depth <= outer:
                outer = None
            if outer is None and is_wanted(self.names[node]):
                outer = depth
                total += self.values[node]
        return total


def read_page(path):
    """The texts of a page by element, what it should not have, and its data."""
    reader = Reader()
    reader.feed(path.read_text(encoding="utf-8"))
    reader.close()
    data = json.loads(gzip.decompress(base64.b64decode(reader.texts["data"], validate=True)))
    return reader.texts, reader.foreign, data


def human(value, unit):
    """A value as the program writes it."""
    if unit != "bytes" or value == 0:
        return str(value)
    name, size = [(name, size) for name, size in list(SIZES.items())[:5]
                  if abs(value) >= size or size == 1][-1]
    return re.sub(r"\.00$", "", f"{value / size:.2f}") + name


def number(text):
    """The number that a cell shows; None if it shows none."""
    if text == "new":
        return 1e300  # above all others
    found = re.fullmatch(r"([+-]?\d+(?:\.\d+)?(?:e[+-]\d+)?)([A-Za-z%]*)(/s)?", text)
    return float(found[1]) * SIZES[found[2]] if found else None
