# SPDX-License-Identifier: Apache-2.0
"""Many local servers as the targets of a batch."""

import json
import threading
from collections import Counter
from pathlib import Path

from harness import plus, require, succeed
from http_server import Server, answer


class Target(Server):
    """The server of a number."""

    def __init__(self, targets, number):
        super().__init__()
        self.targets, self.number = targets, number

    def respond(self, *_):
        with self.targets.lock:
            return answer(self.targets.capture(self.number))


class Targets:
    """`capture(number)` is what the target of this number answers.

    A context manager: the servers end with the block.
    """

    def __init__(self, count, capture):
        self.lock = threading.Lock()
        self.capture = capture
        self.servers = [Target(self, number) for number in range(count)]
        self.addresses = [f"127.0.0.1:{server.port}" for server in self.servers]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for server in self.servers:
            server.__exit__()

    def write_file(self, path, job):
        """Writes the file for Prometheus' service discovery by files."""
        path.write_text(json.dumps([{"targets": self.addresses, "labels": {"job": job}}]))
        return path


class CountingTargets(Targets):
    """Each answer is another capture of the target's, so what was fetched in vain is gone. When
    there are no more it is the last one."""

    def __init__(self, captures):
        self.captures, self.asked = captures, Counter()
        super().__init__(len(captures), self.next_capture)

    def next_capture(self, number):
        self.asked[number] = min(self.asked[number] + 1, len(self.captures[number]))
        return Path(self.last_capture(number)).read_bytes()

    def last_capture(self, number):
        return self.captures[number][self.asked[number] - 1]

    def settle(self):
        """Makes sure that what a client that was killed had asked for is not counted as the
        last."""
        for server in self.servers:
            server.settle()

    def require_added_up(self, oracle, job, deltas_of):
        """Requires that the deltas of each series, which `deltas_of` gives, are the last capture
        in sum."""
        for number, address in enumerate(self.addresses):
            deltas = deltas_of(f"{job}/{address}/allocs")
            require(deltas, address, "has no deltas")
            succeed(oracle, "zero", *plus(deltas), f"-{self.last_capture(number)}")
