# SPDX-License-Identifier: Apache-2.0
"""Runs of the program that judges the captures of a trial."""

import json
import subprocess
import time
from collections import Counter
from pathlib import Path


def share(count, of):
    return f"{count:4} of {of:3} ({100 * count / of:5.1f} %)"


class Program:
    """pprofdelta, and how long each of its commands took."""

    def __init__(self, path):
        self.path, self.seconds, self.runs = str(Path(path).resolve()), Counter(), Counter()

    def run(self, command, limits, *arguments):
        """The JSON of a run. That its status says the same is checked."""
        options = [word for limit in limits for word in ("--fail-on", limit)]
        begun = time.monotonic()
        done = subprocess.run(
            [self.path, command, "--quiet", "--format", "json", "--top", "1000000", *options,
             *map(str, arguments)],
            check=False, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.seconds[command] += time.monotonic() - begun
        self.runs[command] += 1
        if done.returncode not in (0, 1):
            raise RuntimeError(f"{command}: status {done.returncode}: {done.stderr}")
        result = json.loads(done.stdout)
        crossed = {limit["limit"] for limit in result["limits"] if limit["crossed"]}
        if len(result["limits"]) != len(limits) or bool(crossed) != (done.returncode == 1):
            raise RuntimeError(f"{command}: status {done.returncode} with limits {crossed}")
        result["crossed"] = crossed
        return result

    def compare(self, sample_type, base, head, limits=(), options=()):
        return self.run("compare", limits, "--sample-type", sample_type, *options, "--base",
                        *base, "--head", *head)

    def compare_single(self, sample_type, base, head, limits, least):
        return self.run("report", limits, "--diff", "--match", "function", "--sample-type",
                        sample_type, "--min-amount", least, base, head)

    def trend(self, files, limits=(), options=()):
        return self.run("trend", limits, *options, *files)

    def mean_time(self, command):
        """The mean time in words."""
        return (f"{self.runs[command]} runs of {command}, "
                f"{1000 * self.seconds[command] / self.runs[command]:.0f} ms each")
