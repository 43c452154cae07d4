# SPDX-License-Identifier: Apache-2.0
"""The content of a page, read from its file without a browser."""

import base64
import gzip
import html.parser
import json

# The elements of a page before its script has run.
STATIC = {"html": {"lang"}, "head": set(), "body": set(), "title": set(), "style": set(),
          "meta": {"charset", "name", "content", "http-equiv"}, "pre": {"id"},
          "script": {"id", "type"}}


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


def read_page(path):
    """The texts of a page by element, what it should not have, and its data."""
    reader = Reader()
    reader.feed(path.read_text(encoding="utf-8"))
    reader.close()
    data = json.loads(gzip.decompress(base64.b64decode(reader.texts["data"], validate=True)))
    return reader.texts, reader.foreign, data
