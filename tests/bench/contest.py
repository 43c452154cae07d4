# SPDX-License-Identifier: Apache-2.0
"""Programs that take turns, so that what else the machine does hits them alike."""

import os
import shutil
import statistics
import subprocess
import sys
import time

TIME = "/usr/bin/time"
NOWHERE = [(os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
           (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0),
           (os.POSIX_SPAWN_DUP2, 1, 2)]


def run(command):
    """Seconds on the wall and of the processor, with all threads, from start to exit.

    Exits if the command fails. What it prints goes nowhere.
    """
    command = [str(argument) for argument in command]
    start = time.perf_counter()
    process = os.posix_spawnp(command[0], command, os.environ, file_actions=NOWHERE)
    _, status, usage = os.wait4(process, 0)
    seconds = time.perf_counter() - start
    if status != 0:
        sys.exit(f"{' '.join(command)}: exit status {os.waitstatus_to_exitcode(status)}")
    return seconds, usage.ru_utime + usage.ru_stime


def peak_megabytes(command, work):
    """The peak memory of the command, or None. The usage that Python knows of would be at least
    its own."""
    if not os.access(TIME, os.X_OK):
        return None
    run([TIME, "-f", "%M", "-o", work / "peak", *command])
    return int((work / "peak").read_text()) * 1024 / 1e6


def uncompressed_size(path):
    with subprocess.Popen(["gzip", "-dc", path], stdout=subprocess.PIPE) as gzip:
        return sum(len(block) for block in iter(lambda: gzip.stdout.read(1 << 20), b""))


class Contestant:
    """A program that is run with one command, or with several one after the other."""

    def __init__(self, name, *commands, prepare=lambda: None):
        self.name = name
        self.commands = commands
        self.prepare = prepare
        self.seconds = []
        self.processor_seconds = []

    @property
    def is_there(self):
        return shutil.which(self.commands[0][0]) is not None

    def take_turn(self):
        self.prepare()
        taken = [run(command) for command in self.commands]
        self.seconds.append(sum(seconds for seconds, _ in taken))
        self.processor_seconds.append(sum(seconds for _, seconds in taken))

    @property
    def wall(self):
        return statistics.median(self.seconds)

    @property
    def processor(self):
        return statistics.median(self.processor_seconds)


def take_turns(field, rounds, enough=10):
    """Lets each contestant run once in each round; what took long, in seconds, in fewer."""
    for _ in range(rounds):
        for one in field:
            if len(one.seconds) < 3 or sum(one.seconds) < enough:
                one.take_turn()
