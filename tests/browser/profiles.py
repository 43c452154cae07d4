# SPDX-License-Identifier: Apache-2.0
"""Writes profiles of pprof's format in which only names matter."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
from wire import field, varint  # noqa: E402


def profile(names, stacks, value):
    """A profile of functions with these names. Each stack has the numbers of functions from 1, the
    innermost first, and the value."""
    strings = [b"", b"samples", b"count", *names]
    out = field(1, field(1, 1) + field(2, 2))
    for stack in stacks:
        out += field(2, field(1, b"".join(map(varint, stack))) + field(2, value))
    for i in range(len(names)):
        out += field(4, field(1, i + 1) + field(4, field(1, i + 1)))
        out += field(5, field(1, i + 1) + field(2, i + 3))
    return out + b"".join(field(6, text) for text in strings)
