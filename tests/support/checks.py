# SPDX-License-Identifier: Apache-2.0
"""The conditions of tests, programs that have to end well, and how a test ends."""

import shutil
import subprocess
import sys

SKIPPED = 77


class Wrong(Exception):
    """A condition that does not hold."""


def require(condition, *what):
    if not condition:
        raise Wrong(" ".join(map(str, what)))


def require_equal(found, expected, what):
    require(found == expected, f"{what}\n  expected: {expected}\n  found:    {found}")


def skip(reason):
    print(f"skipped: {reason}", file=sys.stderr)
    sys.exit(SKIPPED)


def need(*programs):
    """Skips the test unless all these programs are there."""
    if missing := [name for name in programs if not shutil.which(name)]:
        skip(f"{' '.join(missing)} missing")


def finish(test, *arguments):
    """Runs the test, and ends the process with what came out."""
    try:
        test(*arguments)
    except Wrong as wrong:
        print(f"FAILED: {wrong}")
        sys.exit(1)


def run(*command, **options):
    """A finished process, with its output and errors as one text."""
    return subprocess.run(list(map(str, command)), check=False, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)


def run_well(*command, **options):
    done = run(*command, **options)
    require(done.returncode == 0, *command, "ends with", done.returncode, done.stdout)
    return done.stdout


def same_bytes(one, other):
    require(one.read_bytes() == other.read_bytes(), one, "and", other, "differ")
