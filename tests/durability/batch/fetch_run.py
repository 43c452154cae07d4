# SPDX-License-Identifier: Apache-2.0
"""Runs of the program `fetch` of this folder, which reads URLs."""

import os
import queue
import subprocess
import threading

from harness import TIME_LIMIT, Wrong, require


class Result:
    """The result of a URL: a body, or an error, and whether that may go away."""

    def __init__(self, line):
        number, comes_back, what = line.rstrip("\n").split(" ", 2)
        self.id = int(number)
        self.may_come_back = comes_back == "yes"
        self.body = bytes.fromhex(what[1:]) if what.startswith("=") else None
        self.error = None if what.startswith("=") else what

    def __repr__(self):
        return f"{self.id}: {self.body or self.error} ({'' if self.may_come_back else 'not '}again)"


class Fetch:
    """The program at work."""

    program = None

    def __init__(self, **options):
        options = {"retry-seconds": 0.02, **{name.replace("_", "-"): value
                                             for name, value in options.items()}}
        environment = {**os.environ, "NO_PROXY": "*", "no_proxy": "*"}
        self.process = subprocess.Popen(
            [self.program, *(f"{name}={value}" for name, value in options.items())],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            env=environment, text=True)
        self.lines = queue.Queue()
        threading.Thread(target=self.read_lines, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()

    def read_lines(self):
        for line in self.process.stdout:
            self.lines.put(line)
        self.lines.put("")

    def tell(self, *commands):
        self.process.stdin.write("".join(f"{command}\n" for command in commands))
        self.process.stdin.flush()

    def add(self, *urls):
        self.tell(*(f"add {url}" for url in urls))

    def line(self):
        try:
            return self.lines.get(timeout=TIME_LIMIT)
        except queue.Empty:
            raise Wrong("no result comes") from None

    def result(self):
        """The next one, which stays unreleased."""
        line = self.line()
        require(line not in ("", "ended\n"), "fewer results than URLs", self.process.poll())
        return Result(line)

    def results(self, number):
        """The next ones, each released at once."""
        found = []
        for _ in range(number):
            found.append(self.result())
            self.tell("release")
        return found

    def end(self):
        """The results that came without being asked for, once the fetcher is no more."""
        self.tell("end")
        self.process.stdin.close()
        rest = []
        while (line := self.line()) not in ("", "ended\n"):
            rest.append(Result(line))
        require(line == "ended\n", "the program ended before its time")
        status = self.process.wait(timeout=TIME_LIMIT)
        errors = self.process.stderr.read()
        require(status == 0 and not errors, "status", status, errors)
        return rest


def fetch(*urls, **options):
    """The results of URLs, in their order."""
    with Fetch(**options) as run:
        run.add(*urls)
        found = run.results(len(urls))
        require(not run.end(), "more results than URLs")
    require(sorted(result.id for result in found) == list(range(len(urls))), found)
    return sorted(found, key=lambda result: result.id)


def refused(program, **options):
    """The status and the message of a program that does not begin."""
    done = subprocess.run(
        [program, *(f"{name.replace('_', '-')}={value}" for name, value in options.items())],
        stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=TIME_LIMIT, check=False)
    return done.returncode, done.stderr.rstrip("\n")


def expect(result, error, may_come_back):
    """`error` is how it begins."""
    require(result.error is not None and result.error.startswith(error), result, "is not", error)
    require(result.may_come_back == may_come_back, result)


def expect_body(result, body):
    require(result.body == body, result, "is not", body)
