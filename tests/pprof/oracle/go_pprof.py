# SPDX-License-Identifier: Apache-2.0
"""The comparison with `go tool pprof`, and how to ask both programs."""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections import defaultdict
from itertools import groupby

PAIRS = [("go-heap.prev", "go-heap.cur"), ("go-mutex.prev", "go-mutex.cur"),
         ("go-block.prev", "go-block.cur"), ("go-heap-restart.prev", "go-heap-restart.cur"),
         ("go-heap-build-a", "go-heap-build-b"), ("node-heap.prev", "node-heap.cur")]
# pprof makes a row for each function of a file whose functions have start lines.
SEVERAL_ROWS = [("node-heap.prev", "node-heap.cur")]
SMALLEST = {"bytes": "B", "nanoseconds": "ns"}
ALL = "1000000"
NAMELESS = "[anonymous]"


def main(usage, compare):
    """Ends the process with what came out: `compare` is called with the program, the other
    arguments and a folder, and yields how many values it compared, and those that differ, as
    lines. The status is 0 if they agree, 1 if they do not, 77 if Go is missing."""
    if len(sys.argv) < 3:
        print(usage, file=sys.stderr)
        sys.exit(2)
    if not shutil.which("go"):
        print("skipped: Go is missing")
        sys.exit(77)
    compared, wrong = 0, []
    with tempfile.TemporaryDirectory(prefix="pprofdelta-") as folder:
        for count, found in compare(sys.argv[1], sys.argv[2:], folder):
            compared += count
            wrong += found
    print(*wrong, f"{compared} values compared, {len(wrong)} differ", sep="\n")
    sys.exit(1 if wrong or not compared else 0)


def differences(where, ours, theirs):
    """The entries of two dictionaries that differ, as lines."""
    return [f"{where}: {key}: {ours.get(key)}, pprof has {theirs.get(key)}"
            for key in sorted({*ours, *theirs}, key=str) if ours.get(key) != theirs.get(key)]


def ours(program, *arguments):
    """The program's output as JSON."""
    return json.loads(subprocess.run([program, *arguments], check=True,
                                     stdout=subprocess.PIPE).stdout)


def report(program, *arguments):
    # A report tells functions without a name apart by their files.
    return ours(program, "report", "-q", "--format", "json", "--allocators", "--top", ALL,
                "--rename", r"^\(anonymous\)$=" + NAMELESS, *arguments)


def pprof(folder, sample_type, unit, *arguments):
    """pprof's output on all functions, with exact values of a type. It needs a folder."""
    return subprocess.run(
        ["go", "tool", "pprof", "-symbolize=none", f"-sample_index={sample_type}",
         f"-unit={SMALLEST.get(unit, unit)}", f"-nodecount={ALL}", "-nodefraction=0",
         "-edgefraction=0", *arguments],
        env={**os.environ, "PPROF_TMPDIR": folder, "PPROF_BINARY_PATH": folder},
        check=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        text=True).stdout.replace("(anonymous)", NAMELESS)


def top(folder, sample_type, unit, *arguments):
    """The output of -top: flat and cumulative values by name, without rows that have nothing,
    and the total that 100% is of."""
    text = pprof(folder, sample_type, unit, "-top", *arguments)
    rows = defaultdict(lambda: (0, 0))
    for line in text.partition(" cum   cum%\n")[2].splitlines():
        fields = line.split(None, 5)
        name = without_inline(fields[5])
        flat, cum = rows[name]
        rows[name] = flat + number(fields[0]), cum + number(fields[3])
    return ({name: values for name, values in rows.items() if values != (0, 0)},
            number(re.search(r" of (\S+) total", text)[1]))


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


def without_recursion(of):
    """Values by stacks, without calls of functions by themselves."""
    found = defaultdict(int)
    for stack, value in of.items():
        found[tuple(name for name, _ in groupby(stack))] += value
    return found


def begins(of):
    """The sums of all stacks that begin alike."""
    found = defaultdict(int)
    for stack, value in of.items():
        for depth in range(1, len(stack) + 1):
            found[stack[:depth]] += value
    return found


def named_nodes(nodes):
    """A row for each frame of a tree, named for the stack that it ends; the last of those that a
    node has is followed by True."""
    above = []
    for node in nodes:
        del above[node["depth"]:]
        begin = above[-1] if above else ()
        above.append(begin + tuple(node["frames"]))
        for depth in range(len(begin) + 1, len(above[-1]) + 1):
            yield above[-1][:depth], node, depth == len(above[-1])
