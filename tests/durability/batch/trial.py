# SPDX-License-Identifier: Apache-2.0
"""The parts that trials of this folder share: inputs, runs of `pprofdelta batch`, and what they
leave."""

import json
import os
import shutil
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from harness import RUN_LIMIT, Subject, require, run, run_and_signal, succeed  # noqa: E402

# The status of a run that has no more to do. The runs before decide which, as a damaged profile is
# skipped once a later one of its series is done.
ENDED = (0, 3, 4)
TEMPLATE = "{series}/{n}-{time}-{type}.pb.gz"


def make_fleet(maker, folder, series, captures, profiles):
    """Captures of so many processes; see make_fleet.cpp. Returns the manifest."""
    folder.mkdir(parents=True, exist_ok=True)
    succeed(maker, folder, str(series), str(captures), *profiles)
    return folder / "manifest"


def read_manifest(path):
    """The inputs of each series, in order."""
    series = {}
    for line in path.read_text().splitlines():
        name, entry = line.split("\t")
        series.setdefault(name, []).append(entry)
    return series


def write_manifest(path, series):
    path.write_text("".join(f"{name}\t{entry}\n" for name, inputs in series.items()
                            for entry in inputs))
    return path


REAL_SERIES = {
    "go/heap": ["go-heap.prev.pb.gz", "go-heap.cur.pb.gz"],
    "go/restarted": ["go-heap-restart.prev.pb.gz", "go-heap-restart.cur.pb.gz"],
    "go/mutex": ["go-mutex.prev.pb.gz", "go-mutex.cur.pb.gz"],
    "go/server": [f"trend/{number:02}.pb.gz" for number in range(1, 21)],
    "go/restarted server": [f"trend-restart/{number:02}.pb.gz" for number in range(1, 5)],
    "cpp/heap": ["cpp-heap.prev.pb.gz", "cpp-heap.cur.pb.gz"],
    "node": ["node-heap.prev.pb.gz", "node-heap.cur.pb.gz"],
    "text/go": ["text/go-text-heap.prev.txt.gz", "text/go-text-heap.cur.txt.gz"],
    "text/jemalloc": ["text/jemalloc.prev.heap", "text/jemalloc.cur.heap"],
    "text/gperftools": [f"text/gperftools-counted.{name}.heap"
                        for name in ("start", "prev", "cur")],
}


def real_series(testdata, folder):
    """Captures of real programs, some of which restart, and a series with damaged ones."""
    series = {}
    for name, files in REAL_SERIES.items():
        series[name] = [copy_of((testdata / file).read_bytes(), folder / name, number, file)
                        for number, file in enumerate(files)]
    whole = [(testdata / f"trend/{number:02}.pb.gz").read_bytes() for number in range(1, 6)]
    mixed = [whole[0], b"<!DOCTYPE html>\n<html></html>\n", whole[1], b"", whole[2][:-100],
             whole[3], whole[4]]
    series["mixed"] = [copy_of(data, folder / "mixed", number, "mixed.pb.gz")
                       for number, data in enumerate(mixed)]
    return series


def copy_of(data, folder, number, name):
    """A file that is as old as its number says, as not every profile has a time."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{number:02}-{Path(name).name}"
    path.write_bytes(data)
    os.utime(path, (1_600_000_000 + 60 * number,) * 2)
    return str(path)


class Batch(Subject):
    """A folder with the states and outputs of runs of `pprofdelta batch`."""

    has_threads = True

    def __init__(self, program, folder, *inputs, options=()):
        super().__init__(folder)
        self.program = program
        self.inputs, self.options = inputs, options
        self.states, self.out = folder / "states", folder / "out"
        self.results = folder / "results"
        self.restore()

    def restore(self):
        """Makes all as if nothing had been done."""
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)

    def command(self, *options):
        return [str(word) for word in (
            self.program, "batch", "--state-dir", self.states, "-o", self.out / TEMPLATE,
            "--results", self.results, *self.options, *options, *self.inputs)]

    def run(self, *options, env=None, prefix=()):
        return run(*prefix, *self.command(*options), env=env, timeout=RUN_LIMIT)

    def run_and_signal(self, which, seconds):
        """Whether the signal met the program."""
        return run_and_signal(self.command("-q"), which, seconds, ENDED)

    def items(self):
        """The lines of results, but for half a line that a kill or a full disk left, which the
        next run ended."""
        text = self.results.read_text() if self.results.exists() else ""
        found = []
        for line in text.splitlines():
            try:
                found.append(json.loads(line))
            except json.JSONDecodeError as error:
                # A line of this kind is right but for the word or escape at its end.
                in_string = error.msg.startswith("Unterminated string")
                require(in_string or error.pos >= len(line) - len(r"\u00e9"),
                        "not a line of results:", line)
        return found

    def outputs(self):
        """The outputs of each series, in order."""
        found = {}
        for path in sorted(self.out.rglob("*")):
            if not path.is_dir():
                found.setdefault(str(path.parent.relative_to(self.out)), []).append(path)
        return found


def require_same_trees(one, other, *moment):
    """Requires that there is no difference between the folders of two batches."""
    for name in ("out", "states"):
        done = run("diff", "-r", one.folder / name, other.folder / name)
        require(done.returncode == 0, *moment, "differs:", done.stdout.decode(errors="replace"),
                done.stderr)


def require_done_once(batch):
    """Requires that no delta was reported twice."""
    seen = set()
    for item in batch.items():
        if item["status"] == "done":
            require(item["output"] not in seen, item["output"], "was done twice")
            seen.add(item["output"])


def is_temporary(path):
    return path.name.startswith(".") and path.name.endswith(".tmp")


def require_tidy(batch, *moment):
    """Requires that nothing was left for another run to remove."""
    left = [path for path in batch.folder.rglob("*") if is_temporary(path)]
    journals = list((batch.states / "journal").glob("*"))
    require(not left and not journals, *moment, "left behind", left, journals)


def require_whole(batch, undisturbed):
    """Requires that what stands under its name is complete, whatever happened."""
    whole = undisturbed.outputs()
    for series, files in batch.outputs().items():
        for path in files:
            other = undisturbed.out / path.relative_to(batch.out)
            if is_temporary(path):
                continue  # A kill left it, for the next run to remove.
            require(other in whole.get(series, ()), path, "should not be there")
            require(path.read_bytes() == other.read_bytes(), path, "is not what it should be")
