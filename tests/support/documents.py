# SPDX-License-Identifier: Apache-2.0
"""The parts that documents show: commands, sessions and programs.

In Markdown these are the blocks fenced as ```sh, ```console and ```cpp. A block with any other tag,
such as ```text, is only to be read.

In a manual page they are the lines `.Dl $ COMMAND`, which are commands, and the blocks from
`.Bd -literal` to `.Ed`: a session if the first line begins with "$ ", a program if it begins with
"#include". A block is only to be read if the line before it is a comment that begins with
"not run".
"""

import re

# The escapes of mdoc for characters that it would set otherwise.
ROFF = {r"\-": "-", r"\(aq": "'", r"\(dq": '"', r"\(ti": "~", r"\(ha": "^", r"\(ga": "`",
        r"\e": "\\", r"\&": "", r"\(+-": "±", r"\(if": "∞",
        r"\(mu": "×"}


def plain(line):
    """A line of roff without its escapes."""
    return re.sub(r"\\(?:\(..|.)", lambda m: ROFF.get(m[0], m[0]), line)


def manual_blocks(lines):
    starts = {"$ ": "console", "#include": "cpp"}
    previous, first, block = "", 0, None
    for number, line in enumerate(lines, start=1):
        if line.startswith(".Bd -literal"):
            first, block = number + 1, []
            tag_matters = not previous.startswith(r'.\" not run')
        elif line == ".Ed" and block is not None:
            tags = [tag for start, tag in starts.items() if block and block[0].startswith(start)]
            if tags and tag_matters:
                yield first, tags[0], "".join(each + "\n" for each in block)
            block = None
        elif block is not None:
            block.append(plain(line))
        elif line.startswith(".Dl $ "):
            yield number, "sh", plain(line[6:])
        previous = line


def blocks(document):
    """The document's blocks as (line, tag, text), where the tag is sh, console or cpp."""
    text = document.read_text()
    if document.suffix != ".md":
        yield from manual_blocks(text.splitlines())
        return
    for fence in re.finditer(r"(?ms)^```(sh|console|cpp)\n(.*?)^```$", text):
        yield text.count("\n", 0, fence.start(2)) + 1, fence[1], fence[2]
