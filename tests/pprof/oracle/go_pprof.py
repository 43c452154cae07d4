# SPDX-License-Identifier: Apache-2.0
"""What is compared with `go tool pprof`, and how to ask it."""

import os
import re
import subprocess
from collections import defaultdict

PAIRS = [("go-heap.prev", "go-heap.cur"), ("go-mutex.prev", "go-mutex.cur"),
         ("go-block.prev", "go-block.cur"), ("go-heap-restart.prev", "go-heap-restart.cur"),
         ("go-heap-build-a", "go-heap-build-b"), ("node-heap.prev", "node-heap.cur")]
# Of a file whose functions have start lines, pprof makes a row for each function.
SEVERAL_ROWS = [("node-heap.prev", "node-heap.cur")]
SMALLEST = {"bytes": "B", "nanoseconds": "ns"}


def number(text):
    return int(re.sub(r"[A-Za-z]+$", "", text))


def without_inline(name):
    """A name without what pprof says of it in tables."""
    return re.sub(r" \((partial-)?inline\)$", "", name)


def stacks(text):
    """The stacks that -traces prints, outermost first."""
    values = defaultdict(int)
    for block in re.split(r"^-+\+-+$", text, flags=re.M)[1:]:
        names, value = [], None
        for line in block.splitlines():
            if re.match(r"^ *\S+:  ", line):
                continue  # a label
            fields = line.split(None, 1) if value is None else [None, line.strip()]
            if not line.strip():
                continue
            if value is None:
                value = number(fields[0])
            names.append(without_inline(fields[1].strip()))
        if value:
            values[tuple(reversed(names))] += value
    return {stack: value for stack, value in values.items() if value}


def pprof(folder, sample_type, unit, *arguments):
    """What pprof prints of all functions, with exact values of a type. It needs a folder."""
    return subprocess.run(
        ["go", "tool", "pprof", "-symbolize=none", f"-sample_index={sample_type}",
         f"-unit={SMALLEST.get(unit, unit)}", "-nodecount=1000000", "-nodefraction=0",
         "-edgefraction=0", *arguments],
        env={**os.environ, "PPROF_TMPDIR": folder, "PPROF_BINARY_PATH": folder},
        check=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True).stdout
