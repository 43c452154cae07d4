# SPDX-License-Identifier: Apache-2.0
"""The library does not know the options of the program, so none of its messages may name one."""

import re

# Comments and characters come first, as they can look like strings. Each match begins where the one
# before ends, so a quote in a comment begins no string, and "//" in a string no comment. The quote
# in 1'000 is none.
TOKEN = re.compile(r'''//[^\n]*|/\*.*?\*/|(?<!\d)'(?:[^'\\\n]|\\.)*'
                       |R"(?P<mark>[^()\\\s]*)\((?P<raw>.*?)\)(?P=mark)"
                       |"(?P<plain>(?:[^"\\\n]|\\.)*)"''', re.DOTALL | re.VERBOSE)
OPTION = re.compile(r"--[a-z][a-z-]*")


def strings(text):
    """The number of the line that each string literal begins in, and what it holds."""
    for match in TOKEN.finditer(text):
        content = match["raw"] if match["plain"] is None else match["plain"]
        if content is not None:
            yield text.count("\n", 0, match.start()) + 1, content


def faults(root, names):
    """The string literals with an option among the files `names` of the library, as lines."""
    return [f"{name}:{number}: the library names the program's {option[0]}"
            for name in sorted(names) if name.startswith(("src/", "include/"))
            for number, content in strings((root / name).read_text())
            for option in OPTION.finditer(content)]
