#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes a C++ header of the pages that `--html` writes: the template, styles and scripts; and of
the script of a picture in SVG.

usage: embed.py FOLDER HEADER

Each module of JavaScript becomes a function of its own, so that names of one do not clash with
those of another; what it exports is what the function returns. Comments and indentation go. A
module is there once, whatever scripts need it.
"""

import base64
import hashlib
import re
import sys
from pathlib import Path

IMPORT = re.compile(r'^import \{([\w,\s]+)\} from "\./(\w+)\.js";\n', re.MULTILINE)
EXPORT = re.compile(r"^export (?=(?:async )?(?:function|class|const|let) (\w+))", re.MULTILINE)
# The module that a script begins with, and the style sheets beside it.
SCRIPTS = {"page": ("main", ["page"]), "periods": ("periods", ["page", "periods"]),
           "picture": ("standalone", [])}
START, END = '"use strict";\n(() => {\n', "})();\n"
MARKS = "@policy@|@title@|@style@|@script@|@text@|@data@"
# Compilers need not take longer strings.
LONGEST_STRING = 60000


class Wrong(Exception):
    """A source that this script does not understand."""


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


def module(folder, name):
    """A module as a function."""
    text = (folder / f"{name}.js").read_text()
    exports = EXPORT.findall(text)
    text = IMPORT.sub(lambda match: f"const {{{match[1]}}} = {match[2]}Module;\n", text)
    text = without_comments(EXPORT.sub("", text))
    if re.search(r"^(import|export)\b", text, re.MULTILINE):
        raise Wrong(f"{name}.js: an import or export of another form")
    if re.search(r"</script|<!--|\]\]>", text, re.IGNORECASE):
        raise Wrong(f"{name}.js has what would end the script")
    return (f"const {name}Module = (() => {{\n{text}"
            f"return {{{', '.join(exports)}}};\n}})();\n")


def style_of(path):
    """A style sheet without comments and indentation."""
    text = re.sub(r"/\*.*?\*/", "", path.read_text(), flags=re.DOTALL)
    lines = [re.sub(r"^([\w-]+): ", r"\1:", line.strip())
             for line in text.splitlines() if line.strip()]
    style = "".join(line if line[-1] in "{};," else f"{line} " for line in lines)
    style = re.sub(r";(?=\})| (?=\{)|(?<=,) ", "", style)
    if re.search("</style", style, re.IGNORECASE):
        raise Wrong("the style sheet has what would end it")
    return style


def source_of(text):
    """A source of a Content-Security-Policy that allows this text alone."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def policy_of(script, style):
    return ("default-src 'none'; base-uri 'none'; form-action 'none'; "
            f"script-src {source_of(script)}; style-src {source_of(style)}")


def literal(text):
    if ')page"' in text or len(text) > LONGEST_STRING:
        raise Wrong("a part of the page has what would end a string literal, or is too long")
    return f'R"page({text})page"'


def views(name, elements):
    return (f"inline constexpr std::array<std::string_view, {len(elements)}> "
            f"{name}{{\n{', '.join(elements)}}};\n")


def header(folder):
    """The template between its marks, parts of styles and scripts, and which of them these have."""
    html = re.sub(r"<!-- .*? -->\n", "", (folder / "page.html").read_text())
    if re.findall(MARKS, html) != MARKS.split("|"):
        raise Wrong(f"page.html needs {MARKS}, in this order")
    parts = {"script_start": START, "script_end": END}
    lines = [views("page_html", [literal(part) for part in re.split(MARKS, html)])]
    for name, (entry, sheets) in SCRIPTS.items():
        modules, styles = in_order(folder, entry), [f"style_{sheet}" for sheet in sheets]
        parts |= {f"module_{each}": module(folder, each) for each in modules}
        parts |= {f"style_{sheet}": style_of(folder / f"{sheet}.css") for sheet in sheets}
        script = ["script_start", *(f"module_{each}" for each in modules), "script_end"]
        lines.append(views(f"{name}_script", script))
        if styles:
            whole = ["".join(parts[part] for part in of) for of in (script, styles)]
            lines += [views(f"{name}_style", styles),
                      views(f"{name}_policy", [literal(policy_of(*whole))])]
    constants = [f"inline constexpr std::string_view {name} = {literal(text)};\n"
                 for name, text in parts.items()]
    return ("// Made by tools/page/embed.py.\n"
            "#ifndef PPROFDELTA_TOOLS_PAGE_PARTS_HPP\n#define PPROFDELTA_TOOLS_PAGE_PARTS_HPP\n\n"
            "#include <array>\n#include <string_view>\n\n"
            "namespace pprofdelta::tool {\n\n" + "\n".join([*constants, *lines]) +
            "\n} // namespace pprofdelta::tool\n\n#endif\n")


def main():
    if len(sys.argv) != 3:
        print(__doc__, file=sys.stderr)
        return 2
    try:
        folder = Path(sys.argv[1])
        modules = {path.stem for path in folder.glob("*.js")}
        used = {name for entry, _ in SCRIPTS.values() for name in in_order(folder, entry)}
        if used != modules:
            raise Wrong(f"nothing imports {', '.join(sorted(modules - used))}")
        text = header(folder)
    except Wrong as fault:
        print(f"embed.py: {fault}", file=sys.stderr)
        return 1
    Path(sys.argv[2]).write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
