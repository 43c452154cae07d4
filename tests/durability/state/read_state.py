#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints what a state file of pprofdelta holds, read by the description of the format alone.

usage: read_state.py [--values] FILE

Prints the lines of `pprofdelta info`, and then one line an entry: its key in hexadecimal,
whether the last profile had it ("sample") or not ("vanished"), and its values. With --values only
the values, without rows of zeros, sorted.

The checksum is verified if there is xxhsum.

exit status: 0 done, 1 no valid state, 2 wrong usage
"""

import shutil
import struct
import subprocess
import sys
from datetime import datetime, timezone
from pathlib import Path

MAGIC = b"\x89PPDS\r\n\x1a"
HEAD = struct.Struct("<8sIIQ")  # magic, version, source, size of the body
CHECKSUM_SIZE = 16
BLOCK_SIZE = 64
SOURCES = ("protobuf", "text", "otlp")
MATCH_MODES = ("exact", "line", "function")
EARLIER = 8  # processes before the last one


class Body:
    """The body, read from front to back."""

    def __init__(self, data):
        self.data = data
        self.at = 0

    def take(self, size):
        taken = self.data[self.at:self.at + size]
        if len(taken) != size:
            raise ValueError("the body ends too early")
        self.at += size
        return taken

    def number(self, form):
        return struct.unpack("<" + form, self.take(struct.calcsize(form)))[0]

    def text(self):
        return self.take(self.number("I")).decode()

    def column(self, count):
        values = []
        while len(values) < count:
            width = self.number("B")
            if not 1 <= width <= 8:
                raise ValueError("values of an impossible width")
            values += [int.from_bytes(self.take(width), "little", signed=True)
                       for _ in range(min(BLOCK_SIZE, count - len(values)))]
        return values


def checksum(covered):
    """XXH3 with 128 bits in its order as a number: the lower word first; None without xxhsum."""
    if not shutil.which("xxhsum"):
        return None
    printed = subprocess.run(["xxhsum", "-H2"], input=covered, check=True, capture_output=True)
    return bytes.fromhex(printed.stdout.split()[0].decode())[::-1]


def body_of(state):
    """The version of a state, the kind of its profiles, and its body."""
    if len(state) < HEAD.size + CHECKSUM_SIZE:
        raise ValueError("too short for a state")
    magic, version, source, size = HEAD.unpack_from(state)
    if magic != MAGIC or version not in (3, 4) or source >= len(SOURCES):
        raise ValueError("not a state of version 3 or 4")
    covered, found = state[:-CHECKSUM_SIZE], state[-CHECKSUM_SIZE:]
    if checksum(covered) not in (None, found):
        raise ValueError("the checksum is wrong")
    body = covered[HEAD.size:]
    if len(body) != size:
        raise ValueError("the body has another size")
    return version, SOURCES[source], Body(body)


def read_processes(body):
    """The id of the last process, if xxhsum is there to compute it."""
    addresses = [body.number("Q") for _ in range(3)]
    body.take(8 + EARLIER * 32 + 2)
    for kind, address in enumerate(addresses, 1):
        if address not in (0, 2**64 - 1):
            hashed = checksum(struct.pack("<QQ", kind, address))
            return hashed[:8][::-1].hex() if hashed else "?"
    return "unknown"


def read(state):
    """The lines of `pprofdelta info`, and the entries: pairs of the key and a list of values."""
    version, source, body = body_of(state)
    info = [f"version {version}", f"source {source}", f"match {MATCH_MODES[body.number('B')]}"]
    time = body.number("q")
    body.number("q")  # The duration of the last profile.
    columns = 0
    for _ in range(body.number("I")):
        is_cumulative = body.number("B")
        treatment = ("gauge", "cumulative")[is_cumulative]
        info.append(f"type {body.text()}/{body.text()} {treatment}")
        columns += is_cumulative
    body.text(), body.text()  # The period type.
    process = read_processes(body)
    if version > 3:
        body.take(body.number("I") * 7 * 8)  # What the mappings are known by.
    samples, vanished = body.number("I"), body.number("I")
    keys = [body.take(16).hex() for _ in range(samples + vanished)]
    held = [body.column(len(keys)) for _ in range(columns)]
    values = [[column[row] for column in held] for row in range(len(keys))]
    if body.at != len(body.data):
        raise ValueError("something follows the body")
    at = datetime.fromtimestamp(time // 10**9, timezone.utc)
    info += [f"time {at:%Y-%m-%dT%H:%M:%SZ}" if time else "time unknown", f"process {process}",
             f"samples {samples}", f"vanished {vanished}",
             f"size {len(state)}", f"uncompressed {len(body.data)}"]
    return info, samples, list(zip(keys, values))


def main():
    only_values = sys.argv[1:2] == ["--values"]
    if len(sys.argv) != 2 + only_values:
        print(__doc__, file=sys.stderr)
        return 2
    try:
        info, samples, entries = read(Path(sys.argv[-1]).read_bytes())
    except (OSError, ValueError, IndexError, subprocess.CalledProcessError) as fault:
        print(f"{sys.argv[-1]}: {fault}", file=sys.stderr)
        return 1
    if only_values:
        for row in sorted(row for _, row in entries if any(row)):
            print(*row)
        return 0
    print(*info, sep="\n")
    for number, (key, row) in enumerate(entries):
        print(key, "sample" if number < samples else "vanished", *row)
    return 0


if __name__ == "__main__":
    sys.exit(main())
