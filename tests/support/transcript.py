# SPDX-License-Identifier: Apache-2.0
"""Shell sessions as text, run and compared with what they should print.

    # a remark
    $ command            run by bash, in the session's folder
    [3]$ command         one whose exit status is 3, not 0
    > more of it         the command's further lines
    text                 a line of standard output
    ! text               a line of standard error
    [2] words ! text     a refusal: `pprofdelta words` prints nothing, has this exit status, and the
                         one message `pprofdelta: text`; "see help" at its end names the command

"..." stands for any text within a line; alone on a line, for any lines or none. Blank lines after
what is expected are ignored, so a command that prints some there needs "..." for them.
"""

import os
import re
import subprocess

TIME_LIMIT = 300  # seconds for one command: newer Go builds its pprof when it is first asked for
COMMANDS = ("delta", "report", "compare", "trend", "merge", "batch", "top", "export", "info")
REFUSAL = r"\[(\d+)\] (.*?) ! (.*)"


class Step:
    """A command with what it should do. Its prompt is in line `prompt`; `first` and `last` bound
    the lines of what it should print."""

    def __init__(self, command, status, number):
        self.command = command
        self.out, self.err, self.status = [], [], int(status or 0)
        self.explicit = status is not None  # Whether anything was expected in so many words.
        self.prompt = self.first = self.last = number


def with_help(words, message):
    """The message with the end that is written "see help", as of a command with these words."""
    command = words.split(" ")[0]
    named = f"pprofdelta {command} --help" if command in COMMANDS else "pprofdelta --help"
    return re.sub("see help$", f"see {named}", message)


def parse(text):
    """The steps of a session."""
    steps = []
    for number, line in enumerate(text.split("\n"), start=1):
        step = steps[-1] if steps else None
        if prompt := re.fullmatch(r"(?:\[(\d+)\])?\$ (.*)", line):
            steps.append(Step(prompt[2], prompt[1], number))
            continue
        if refusal := re.fullmatch(REFUSAL, line):
            steps.append(Step("pprofdelta " + refusal[2], refusal[1], number))
            steps[-1].err.append("pprofdelta: " + with_help(refusal[2], refusal[3]))
            continue
        if line.startswith("# ") or line == "#" or (not line and not step):
            continue
        if not step:
            raise ValueError(f"line {number}: output before the first command: {line}")
        if line.startswith("> ") and not step.out and not step.err:
            step.command += "\n" + line[2:]
            step.first = step.last = number
            continue
        if line.startswith("! "):
            step.err.append(line[2:])
        else:
            step.out.append(line)
        if line:
            step.explicit = True
            step.last = number
    for step in steps:
        while step.out and not step.out[-1]:
            step.out.pop()
    return steps


def matches(expected, actual):
    """Whether the lines `actual` are those expected."""
    pattern = ""
    for line in expected:
        if line == "...":
            pattern += r"(?:.*\n)*"
        else:
            pattern += ".*".join(re.escape(part) for part in line.split("...")) + r"\n"
    return re.fullmatch(pattern, "".join(line + "\n" for line in actual)) is not None


def environment(program, **more):
    """The environment of a session: `program` is found as pprofdelta, messages are in English."""
    folder = os.path.dirname(os.path.abspath(program))
    return {**os.environ, "PATH": folder + os.pathsep + os.environ["PATH"], "LC_ALL": "C", **more}


class Result:
    """The result of a command."""

    def __init__(self, status, out, err):
        self.status = status
        self.out = out.decode(errors="replace").splitlines()
        self.err = err.decode(errors="replace").splitlines()

    def prompt(self):
        """How the line of the command begins in a session."""
        return f"[{self.status}]$ " if self.status else "$ "

    def lines(self):
        """The lines that a session shows below the command."""
        return self.out + ["! " + line for line in self.err]


def run(command, folder, env, merge=False, before=0):
    """Runs a command. `merge` sends errors to standard output; `before` is what $? starts as."""
    try:
        done = subprocess.run(
            ["bash", "-c", f"(exit {before})\n{command}"], cwd=folder, env=env, check=False,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT if merge else subprocess.PIPE, timeout=TIME_LIMIT)
    except subprocess.TimeoutExpired:
        return Result(124, b"", f"ran for more than {TIME_LIMIT} seconds".encode())
    return Result(done.returncode, done.stdout, done.stderr or b"")
