# SPDX-License-Identifier: Apache-2.0
"""A series of small deltas, whose values show how often each of them counts."""

import json
import os
import re
import shutil
import tempfile

import wire
from harness import require, run

TEMPORARY = re.compile(r"\.\d+\.tmp$")
NEVER_READ = re.compile(r"^\.merge\.lock$|\.summed/[^.]")
# The type is of an interval, in a profile with a duration, whatever the name.
TYPE = os.environ.get("SERIES_TYPE", "alloc_space/bytes")
BEGIN = 1_795_000_200  # of five minutes and of an hour; a second


def delta(value):
    """A profile of a minute, with one sample: of 1, 10 and 100 they are one after the other."""
    minute = len(str(value))
    time = (BEGIN + 60 * minute) * 10**9
    return wire.profile(*TYPE.split("/"), {"f": value}, time, duration=60 * 10**9)


class Series:
    """A folder, whose state is the content of each file by its path, and None for a folder."""

    def __init__(self, program, path):
        self.program, self.path = program, path

    def put(self, state):
        shutil.rmtree(self.path, ignore_errors=True)
        self.path.mkdir()
        for name, content in state:
            if content is None:
                (self.path / name).mkdir()
            else:
                (self.path / name).write_bytes(content)

    def state(self):
        """The state without the digits of temporary names, the number in the lock and the
        content of what was summed, as nobody may read that any more."""
        found = []
        for path in self.path.rglob("*"):
            name = TEMPORARY.sub(".0.tmp", str(path.relative_to(self.path)))
            found.append((name, None if path.is_dir() else
                          b"" if NEVER_READ.search(name) else path.read_bytes()))
        return tuple(sorted(found))

    def merging(self, window):
        """The command that makes sums."""
        return [self.program, "merge", "-q", "--into", window, "--until", "2027-01-01", self.path]

    def exporting(self):
        """The command whose output total_of() takes."""
        return [self.program, "export", "ndjson", self.path]

    def total(self):
        done = run(*self.exporting())
        require(done.returncode == 0, "reading ended with", done.returncode, done.stderr)
        return total_of(done.stdout)


def total_of(rows):
    """The sum of the deltas."""
    return sum(json.loads(row)["value"][TYPE] for row in rows.splitlines())


def folder_in_memory(work):
    """A context manager: flushes of a disk would take most of the time, and no kill undoes what
    they are for."""
    return tempfile.TemporaryDirectory(dir="/dev/shm" if os.access("/dev/shm", os.W_OK) else work)
