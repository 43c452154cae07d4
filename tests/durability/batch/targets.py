# SPDX-License-Identifier: Apache-2.0
"""Many local servers as the targets of a batch, some of which misbehave."""

import json
import threading
import time
from collections import Counter
from pathlib import Path

from harness import plus, require, succeed
from http_server import Server, answer

WELL, TRICKLES, HELD, FAILS, HTML, DIES = "well", "trickles", "held", "fails", "html", "dies"
PAGE = b"<!DOCTYPE html>\n<html><body>please log in</body></html>\n"
PAUSE = 0.05  # seconds between the bytes of an answer that trickles


class Target(Server):
    """The server of a number."""

    def __init__(self, targets, number):
        super().__init__()
        self.targets, self.number = targets, number

    def respond(self, connection, *_):
        targets, kind = self.targets, self.targets.kinds[self.number]
        with self.targets.lock:
            targets.requests[self.number] += 1
        if kind in (FAILS, HTML):
            return answer(PAGE, "500 Internal Server Error" if kind == FAILS else "200 OK")
        if kind == HELD:
            targets.all_answered.wait()
        with self.targets.lock:
            body = targets.capture(self.number)
        if kind == DIES:
            return answer(body[:len(body) // 2], length=len(body))
        connection.sendall(answer(length=len(body)))
        if kind == TRICKLES:
            for at in range(len(body)):
                connection.sendall(body[at:at + 1])
                time.sleep(PAUSE)
            return None
        connection.sendall(body)
        with self.targets.lock:
            targets.answered.add(self.number)
            if len(targets.answered) >= targets.kinds.count(WELL):
                targets.all_answered.set()
        return None


class Targets:
    """`capture(number)` is what the target of this number answers while it is well.

    A context manager: the servers end with the block.
    """

    def __init__(self, count, capture):
        self.lock = threading.Lock()
        self.capture = capture
        self.all_answered = threading.Event()
        self.begin_round([WELL] * count)
        self.servers = [Target(self, number) for number in range(count)]
        self.addresses = [f"127.0.0.1:{server.port}" for server in self.servers]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for server in self.servers:
            server.__exit__()

    def begin_round(self, kinds):
        """From now on the targets are of these kinds. Held ones answer after all that are well."""
        with self.lock:
            self.kinds, self.requests, self.answered = kinds, Counter(), set()
            self.all_answered.clear()

    def write_file(self, path, job):
        """For Prometheus' service discovery by files."""
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

    def require_added_up(self, oracle, job, deltas_of):
        """That the deltas of each series, which `deltas_of` gives, are the last capture in sum."""
        for number, address in enumerate(self.addresses):
            deltas = deltas_of(f"{job}/{address}/allocs")
            require(deltas, address, "has no deltas")
            succeed(oracle, "zero", *plus(deltas), f"-{self.last_capture(number)}")
