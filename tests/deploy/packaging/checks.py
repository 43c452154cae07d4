# SPDX-License-Identifier: Apache-2.0
"""What has to be so, and programs that have to end well."""

import subprocess


class Wrong(Exception):
    """What is not as it should be."""


def require(condition, *what):
    if not condition:
        raise Wrong(" ".join(map(str, what)))


def run(*command, **options):
    return subprocess.run(list(map(str, command)), check=False, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)


def run_well(*command, **options):
    done = run(*command, **options)
    require(done.returncode == 0, *command, "ends with", done.returncode, done.stdout)
    return done.stdout


def same_bytes(one, other):
    require(one.read_bytes() == other.read_bytes(), one, "and", other, "differ")
