# SPDX-License-Identifier: Apache-2.0
"""A folder in which a run of pprofdelta is made to fail, and what has to be there after it."""

import subprocess

from harness import FAILED, Subject, content, leftovers, require, run, succeed

# The program may ignore these faults, for the reasons given.
HARMLESS = {
    "open": "a folder that cannot be opened for syncing",
    "close": "a file that was only read",
    "fcntl": "whether standard output is open",
    "fstat": "whether standard output is a file",
    "ftruncate": "a note of who holds the lock",
    "pwrite": "a note of who holds the lock",
    "opendir": "a folder that cannot be listed for abandoned files",
    "readdir": "a folder that cannot be listed to its end",
    "unlink": "an abandoned file that has to stay",
    "thread": "work that is then done without it",
    "madvise": "large pages",
}


class Place(Subject):
    """A folder with a state of PREV, or none, and the way in which a delta of CUR is taken.

    A run that fails has to leave the old state byte for byte, no temporary file and an output that
    is the old one or complete, and to say why in one line.
    """

    harmless = HARMLESS

    def __init__(self, program, profiles, folder, is_first=False, to_file=True):
        super().__init__(folder)
        self.program, self.profiles = program, profiles
        self.folder.mkdir(exist_ok=True)
        self.state, self.delta = self.folder / "state", self.folder / "delta"
        self.to_file = to_file
        self.old_state = None if is_first else self.make_old_state()
        self.old_delta = b"the delta before"
        self.restore()
        done = self.run()
        require(done.returncode == 0 and not done.stderr, folder.name, done.stderr)
        self.new_state, self.new_delta = content(self.state), content(self.delta)
        require(self.new_state and self.new_delta, folder.name, "nothing was written")
        self.restore()

    def make_old_state(self):
        succeed(self.program, "--state", self.state, "-o", self.delta, self.profiles[0])
        return content(self.state)

    def command(self):
        return ["--state", self.state, self.profiles[1]]

    def output(self):
        return ["-o", self.delta]

    def restore(self):
        for path, before in ((self.state, self.old_state), (self.delta, self.old_delta)):
            if before is None:
                path.unlink(missing_ok=True)
            else:
                path.write_bytes(before)

    def run(self, *prefix, env=None):
        command = [*prefix, self.program, *self.command()]
        if self.to_file:
            return run(*command, *self.output(), env=env)
        with open(self.delta, "wb") as out:
            done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=out,
                                  stderr=subprocess.PIPE, check=False, env=env)
        done.stderr = done.stderr.decode(errors="replace")
        return done

    def judge(self, done, fault, may_advance=False):
        """Whether what is there goes with the exit status. Then all is as before again."""
        state, delta = content(self.state), content(self.delta)
        where = f"{self.folder.name}, {fault}: {done.stderr!r}:"
        require(not leftovers(self.folder), where, "left behind", leftovers(self.folder))
        if done.returncode == 0:
            require(not done.stderr, where, "a message of a run that went well")
            require(state == self.new_state, where, "status 0 without the new state")
            require(delta == self.new_delta, where, "status 0 without the delta")
        else:
            require(done.returncode == FAILED, where, "status", done.returncode)
            require(done.stderr.startswith("pprofdelta: ") and done.stderr.count("\n") == 1,
                    where, "not one line")
            self.judge_state(state, delta, where, may_advance)
            if self.to_file:
                require(delta in (self.old_delta, self.new_delta), where, "half a delta")
        self.restore()

    def judge_call(self, done, fault, call, is_last):
        """Judges what is left after a call that failed. Only what comes once the new state has
        its name, which is syncing the folder, may leave the new state."""
        # The first one asks whether CUR is a folder, for a message that says more.
        is_harmless = call in self.harmless or fault.startswith("stat 1 ")
        require(done.returncode or is_harmless, fault, "went unnoticed")
        self.judge(done, fault, may_advance=call == "fsync" and is_last)

    def judge_state(self, state, delta, where, may_advance):
        require(state == self.old_state or (may_advance and state == self.new_state),
                where, "the old state is lost")
        require(state == self.old_state or delta == self.new_delta,
                where, "the state advanced without its delta")


class ReportPlace(Place):
    """A folder with a flame graph and a report, which is written last, as a state is, but also if
    the flame graph has failed."""

    # Whether it is worthwhile to read a file ahead.
    harmless = {*HARMLESS, "stat"}

    def make_old_state(self):
        return b"the report before"

    def command(self):
        return ["report", *self.profiles, "-o", self.state]

    def output(self):
        return ["--flamegraph", self.delta]

    def judge_state(self, state, delta, where, may_advance):
        require(state in (self.old_state, self.new_state), where, "half a report")
