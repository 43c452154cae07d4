# SPDX-License-Identifier: Apache-2.0
"""What the tests of this folder share: a work folder, Go programs, runs of pprofdelta."""

import os
import shutil
import signal
import subprocess
import sys
import urllib.request
from pathlib import Path

HERE = Path(__file__).resolve().parent
SKIPPED = 77
TIME_LIMIT = 60  # seconds for one command

ORACLE = HERE.parent.parent / "pprof" / "run"


class Wrong(Exception):
    """Something is not as it has to be."""


def require(condition, *what):
    if not condition:
        raise Wrong(" ".join(str(part) for part in what))


def skip(reason):
    print(f"skipped: {reason}", file=sys.stderr)
    sys.exit(SKIPPED)


def start(*arguments):
    """The paths that the command line names, the last of which becomes an empty work folder."""
    if len(sys.argv) - 1 != len(arguments):
        print(f"usage: {Path(sys.argv[0]).name} {' '.join(arguments)}", file=sys.stderr)
        sys.exit(2)
    # Whoever starts this in the background has interrupts ignored, and programs inherit that.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    paths = [Path(argument).resolve() for argument in sys.argv[1:]]
    shutil.rmtree(paths[-1], ignore_errors=True)
    paths[-1].mkdir(parents=True)
    return paths


def finish(test):
    """Runs the test, and ends the process with what came out."""
    try:
        test()
    except Wrong as wrong:
        print(f"FAILED: {wrong}")
        sys.exit(1)


def build_go(name, work):
    """The path of one of this folder's Go programs, built."""
    for program in ("go", "curl"):
        if not shutil.which(program):
            skip(f"{program} is missing")
    subprocess.run(["go", "build", "-o", work / name, "."], cwd=HERE / name, check=True,
                   env={**os.environ, "GO111MODULE": "off"})
    return work / name


def build_oracle(work):
    """The path of the program that calculates with profiles, built."""
    done = subprocess.run([ORACLE, work], check=False)
    if done.returncode == SKIPPED:
        sys.exit(SKIPPED)
    require(done.returncode == 0, "the oracle cannot be built")
    return work / "oracle"


def run(*command, **options):
    """A finished process, whose output is bytes and whose errors are text."""
    done = subprocess.run(
        command, check=False, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        **{"stdin": subprocess.DEVNULL, "timeout": TIME_LIMIT, **options})
    done.stderr = done.stderr.decode(errors="replace")
    return done


def succeed(*command, **options):
    """The output of a command that has to succeed, as text."""
    done = run(*command, **options)
    require(done.returncode == 0, *command, "ended with", done.returncode, done.stderr,
            done.stdout.decode(errors="replace"))
    return done.stdout.decode(errors="replace").strip()


def content(path):
    """A file's bytes, or None if there is no file."""
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None


def plus(paths):
    return [f"+{path}" for path in paths]


def leftovers(folder):
    """Temporary files that a run left behind."""
    return sorted(path.name for path in folder.iterdir() if path.name.endswith(".tmp"))


def preload(module, fault, mark):
    """The environment in which a program has the fault; see fault.c."""
    return {
        **os.environ, "LD_PRELOAD": str(module), "FAULT": fault, "FAULT_MARK": str(mark),
        # The module stands before the sanitizers' library, and passes on what it takes.
        "ASAN_OPTIONS": os.environ.get("ASAN_OPTIONS", "") + ":verify_asan_link_order=0",
    }


class Server:
    """The server of this folder at work. A context manager: it ends with the block."""

    def __init__(self, program):
        self.process = subprocess.Popen([program], stdout=subprocess.PIPE, text=True)
        self.url = "http://" + self.process.stdout.readline().strip()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.communicate()

    def stop_work(self):
        """Ends the work. Returns the number of steps done."""
        with urllib.request.urlopen(self.url + "/stop", timeout=TIME_LIMIT) as answer:
            return int(answer.read())
