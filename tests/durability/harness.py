# SPDX-License-Identifier: Apache-2.0
"""The parts that the tests of both subjects share: a work folder, programs, faults, kills, full
disks.

What is disturbed is a state of `pprofdelta --state` (state/place.py), or `pprofdelta batch`
(batch/trial.py).
"""

import argparse
import errno
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))
# pylint: disable-next=unused-import
from checks import SKIPPED, Wrong, finish, require, skip  # noqa: E402, F401

TIME_LIMIT = 60  # seconds for one command
RUN_LIMIT = 600  # seconds for one run of the program, if there is much for it to do
SEED = 20240229
FAILED = 5
# Most of the time there is no warning; in one of five the program may clean up.
SIGNALS = 8 * [signal.SIGKILL] + [signal.SIGTERM, signal.SIGINT]

# The errors that each call fails with in turn.
ERRORS = {
    "open": (errno.EACCES, errno.EMFILE, errno.EIO, errno.EROFS, errno.ENOSPC),
    "read": (errno.EIO,),
    "write": (errno.ENOSPC, errno.EIO, errno.EDQUOT),
    "fsync": (errno.EIO, errno.ENOSPC),
    "close": (errno.EIO, errno.EDQUOT),
    "rename": (errno.EIO, errno.ENOSPC, errno.EXDEV),
    "mkdir": (errno.EACCES, errno.ENOSPC),
    "flock": (errno.ENOLCK, errno.EIO),
    "fcntl": (errno.ENOLCK, errno.EIO),
    "fchmod": (errno.EPERM, errno.EIO),
    "stat": (errno.EIO, errno.EACCES),
    "fstat": (errno.EIO,),
    "ftruncate": (errno.EIO,),
    "pwrite": (errno.ENOSPC,),
    "opendir": (errno.EACCES, errno.EMFILE),
    "readdir": (errno.EIO,),
    "unlink": (errno.EACCES, errno.EROFS),
    "thread": (errno.EAGAIN,),
    "madvise": (errno.EINVAL,),  # as a kernel without large pages has it
    "mmap": (errno.ENOMEM, errno.ENODEV),
}
# These are to be tried again, and to go well.
AGAIN = (("read", f"errno {errno.EINTR}"), ("write", f"errno {errno.EINTR}"),
         ("flock", f"errno {errno.EINTR}"), ("fcntl", f"errno {errno.EINTR}"),
         ("read", "short 0"), ("write", "short 0"))

ORACLE = HERE.parent / "pprof" / "run"


def start(usage, *paths, **numbers):
    """The command line: `paths`, the last of which becomes an empty work folder, and options that
    are numbers, with what they are unless given."""
    parser = argparse.ArgumentParser(usage=usage.split("usage: ")[1].split("\n\n")[0])
    for name in paths:
        parser.add_argument(name, type=lambda text: Path(text).resolve())
    for name, value in numbers.items():
        parser.add_argument(f"--{name}", type=int, default=value)
    arguments = parser.parse_args()
    # Whoever starts this in the background has interrupts ignored, and programs inherit that.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    work = getattr(arguments, paths[-1])
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    return arguments


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


class Subject:
    """The subject that is disturbed. Others add how it is run, restored to what it was before a
    run, and judged after a call has failed."""

    module = None  # which makes calls fail
    ended = (0,)  # the statuses of runs that nobody disturbs
    has_threads = False  # which make the number of calls vary

    def __init__(self, folder):
        self.folder = folder
        self.mark = folder.parent / f"{folder.name}.mark"

    def with_fault(self, fault):
        """The finished run, or None if the fault did not happen, as there are fewer such calls."""
        self.restore()
        self.mark.unlink(missing_ok=True)
        done = self.run(env=preload(self.module, fault, self.mark))
        if self.mark.exists():
            return done
        require(done.returncode in self.ended, "fails by itself:", done.returncode, done.stderr)
        return None

    def number_of(self, call, what="signal 0"):
        """How often a run makes the call."""
        low, high = 0, 1
        while self.with_fault(f"{call} {high} {what}"):
            low, high = high, 2 * high
        while high - low > 1:
            middle = (low + high) // 2
            if self.with_fault(f"{call} {middle} {what}"):
                low = middle
            else:
                high = middle
        self.restore()
        return low

    def disturb(self, fault):
        """The finished run, or None if threads made fewer such calls this time."""
        done = self.with_fault(fault)
        require(done or self.has_threads, self.folder.name, fault, "did not happen")
        return done


def test_each_call(subject, counts, choose=lambda numbers: numbers):
    """Makes each call fail, or those of each kind that are chosen."""
    for call, errors in ERRORS.items():
        total = subject.number_of(call)
        numbers = choose(range(1, total + 1))
        for code in errors:
            for number in numbers:
                fault = f"{call} {number} errno {code}"
                done = subject.disturb(fault)
                if done:
                    subject.judge_call(done, fault, call, number == total)
                    counts[f"{call} {'failed' if done.returncode else 'harmless'}"] += 1
    for call, what in AGAIN:
        for number in choose(range(1, subject.number_of(call) + 1)):
            done = subject.disturb(f"{call} {number} {what}")
            if done:
                require(done.returncode == 0, call, number, what, "was not tried again:",
                        done.stderr)
                subject.judge(done, f"{call} {number} {what}")
                counts[f"{call} tried again"] += 1


def run_and_signal(command, which, seconds, ended):
    """Whether the signal met the program, which otherwise ends with one of these statuses."""
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                               stderr=subprocess.PIPE)
    time.sleep(seconds)
    process.send_signal(which)
    errors = process.communicate(timeout=RUN_LIMIT)[1].decode(errors="replace")
    require(process.returncode in (*ended, -which), "status", process.returncode, errors)
    return process.returncode == -which


def run_on_disk(folder, size, script, *arguments):
    """Runs a script of bash while a disk of so many bytes is mounted in the folder. Only the
    process itself sees what is mounted, so it has to take files in and out. None where nothing can
    be mounted."""
    mount = ["unshare", "--mount", *([] if os.geteuid() == 0 else ["--map-root-user"]),
             "bash", "-c", f'mount -t tmpfs -o size={size} tmpfs "$1" && shift && exec "$@"',
             "bash", folder]
    if not shutil.which("unshare") or run(*mount, "true").returncode:
        print("a full disk: left out, as nothing can be mounted here")
        return None
    return run(*mount, "bash", "-c", script, "bash", *arguments, timeout=RUN_LIMIT)
