#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes a C++ header of the page that `--html` writes: the template with its style and script; and
of the script of a picture in SVG.

usage: embed.py FOLDER HEADER

Each module of JavaScript becomes a function of its own, so that names of one do not clash with
those of another; what it exports is what the function returns. Comments and indentation go.
"""

import base64
import hashlib
import re
import sys
from pathlib import Path

IMPORT = re.compile(r'^import \{([\w,\s]+)\} from "\./(\w+)\.js";\n', re.MULTILINE)
EXPORT = re.compile(r"^export (?=(?:async )?(?:function|class|const|let) (\w+))", re.MULTILINE)
# The modules that begin.
PAGE, PICTURE = "main", "standalone"
# Compilers need not take longer strings.
LONGEST_STRING = 60000


class Wrong(Exception):
    """What this script does not understand."""


def in_order(folder, name, above=()):
    """The names of a module and of all that it needs, each behind those that it needs."""
    if name in above:
        raise Wrong(f"{name}.js imports itself, by way of {', '.join(above)}")
    found = []
    for _, needed in IMPORT.findall((folder / f"{name}.js").read_text()):
        found += in_order(folder, needed, (*above, name))
    return list(dict.fromkeys([*found, name]))


def without_comments(text):
    """Code without types, comments on lines of their own, indentation and empty lines."""
    for line in text.splitlines():
        if line.count("`") % 2:
            raise Wrong(f"a template literal of several lines: {line}")
    text = re.sub(r"^[ \t]*/\*.*?\*/[ \t]*$", "", text, flags=re.MULTILINE | re.DOTALL)
    text = re.sub(r"^[ \t]*//.*$", "", text, flags=re.MULTILINE)
    text = re.sub(r"/\*\* .*? \*/ ?", "", text)
    return "".join(f"{line.strip()}\n" for line in text.splitlines() if line.strip())


def joined(folder, entry):
    """A module and all that it needs as one script."""
    names = in_order(folder, entry)
    parts = ['"use strict";\n', "(() => {\n"]
    for name in names:
        text = (folder / f"{name}.js").read_text()
        exports = EXPORT.findall(text)
        text = IMPORT.sub(lambda match: f"const {{{match[1]}}} = {match[2]}Module;\n", text)
        text = without_comments(EXPORT.sub("", text))
        if re.search(r"^(import|export)\b", text, re.MULTILINE):
            raise Wrong(f"{name}.js: an import or export of another form")
        parts.append(f"const {name}Module = (() => {{\n{text}"
                     f"return {{{', '.join(exports)}}};\n}})();\n")
    script = "".join(parts) + "})();\n"
    if re.search(r"</script|<!--|\]\]>", script, re.IGNORECASE):
        raise Wrong("the script has what would end it")
    return script


def style_of(folder):
    """The style sheet without comments and indentation."""
    text = re.sub(r"/\*.*?\*/", "", (folder / "page.css").read_text(), flags=re.DOTALL)
    lines = [re.sub(r"^([\w-]+): ", r"\1:", line.strip())
             for line in text.splitlines() if line.strip()]
    style = "".join(line if line[-1] in "{};," else f"{line} " for line in lines)
    if re.search("</style", style, re.IGNORECASE):
        raise Wrong("the style sheet has what would end it")
    return style


def source_of(text):
    """A source of a Content-Security-Policy that allows this text alone."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def template(folder):
    """The page, with @title@, @text@ and @data@ where those will stand."""
    script, style = joined(folder, PAGE), style_of(folder)
    policy = ("default-src 'none'; base-uri 'none'; form-action 'none'; "
              f"script-src {source_of(script)}; style-src {source_of(style)}")
    text = re.sub(r"<!-- .*? -->\n", "", (folder / "page.html").read_text())
    for mark, content in (("@policy@", policy), ("@style@", style), ("@script@", script)):
        if text.count(mark) != 1:
            raise Wrong(f"page.html has {mark} not once")
        text = text.replace(mark, content)
    return text


def strings(text):
    """Raw string literals of C++ that are together the text."""
    if ')page"' in text:
        raise Wrong("the page has what would end a string literal")
    pieces = [text[i:i + LONGEST_STRING] for i in range(0, len(text), LONGEST_STRING)]
    return ",\n".join(f'R"page({piece})page"' for piece in pieces), len(pieces)


def constant(name, text):
    """The text as strings, each of which compilers take."""
    literals, count = strings(text)
    return (f"inline constexpr std::array<std::string_view, {count}> "
            f"{name}{{\n{literals}}};\n")


def header(text, picture):
    """The template, taken apart at its marks, and the script of pictures."""
    parts = re.split("@title@|@text@|@data@", text)
    if re.findall("@title@|@text@|@data@", text) != ["@title@", "@text@", "@data@"]:
        raise Wrong("the page needs @title@, @text@ and @data@, in this order")
    lines = []
    names = ("page_before_title", "page_before_text", "page_before_data", "page_end")
    for name, part in zip((*names, "picture_script"), (*parts, picture)):
        lines.append(constant(name, part))
    return ("// Made by tools/page/embed.py.\n"
            "#ifndef PPROFDELTA_TOOLS_PAGE_PARTS_HPP\n#define PPROFDELTA_TOOLS_PAGE_PARTS_HPP\n\n"
            "#include <array>\n#include <string_view>\n\n"
            "namespace pprofdelta::tool {\n\n" + "\n".join(lines) +
            "\n} // namespace pprofdelta::tool\n\n#endif\n")


def main():
    if len(sys.argv) != 3:
        print(__doc__, file=sys.stderr)
        return 2
    try:
        folder = Path(sys.argv[1])
        modules = {path.stem for path in folder.glob("*.js")}
        used = {*in_order(folder, PAGE), *in_order(folder, PICTURE)}
        if used != modules:
            raise Wrong(f"nothing imports {', '.join(sorted(modules - used))}")
        text = header(template(folder), joined(folder, PICTURE))
    except Wrong as fault:
        print(f"embed.py: {fault}", file=sys.stderr)
        return 1
    Path(sys.argv[2]).write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
