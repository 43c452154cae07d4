# SPDX-License-Identifier: Apache-2.0
"""Series of captures of a real server's heap, each of a process of its own.

A pool has the series of one kind. With a period of a minute they are what a server gives that is
looked at every minute. In a time-lapse the server does in a second what it does there in a minute,
so a capture has the same noise and the same leak in less time.
"""

import os
import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
CAPTURES = 20
LEAK = 200_000  # bytes from one capture to the next
LEAKING = "main.(*sessions).remember"
# Pages and sessions are kept for so many periods.
LIFETIME = 4
REQUESTS = 150


@dataclass(frozen=True)
class Kind:
    """The memory of a server without a leak."""
    warm: int = 3 * LIFETIME  # periods of load before the first capture
    server: tuple = ()
    driver: tuple = ()


KINDS = {
    "steady": Kind(),
    "warm-up": Kind(warm=0),
    "sawtooth": Kind(server=("-batch", "1000000")),
    "wave": Kind(driver=("-wave", "16")),
}


@dataclass(frozen=True)
class Pool:
    kind: str
    leak: int = 0  # bytes from one capture to the next
    sample_every: int = 512 << 10
    collect: bool = True
    period: float = 1  # seconds

    @property
    def name(self):
        words = [self.kind, "leak" if self.leak else "",
                 f"{self.sample_every >> 10}k" if self.sample_every != 512 << 10 else "",
                 "" if self.collect else "nogc",
                 f"{self.period:g}s" if self.period != 1 else ""]
        return "-".join(filter(None, words))

    def series(self, folder):
        """The folders of the captures of each series that is whole."""
        return sorted((folder / self.name).glob("[0-9][0-9][0-9]"))


def build(folder):
    """Builds the server and the driver in a folder, whose name gets into the profiles."""
    environment = {"HOME": str(folder), **os.environ, "GO111MODULE": "off", "GOFLAGS": "",
                   "GOTOOLCHAIN": "local"}
    for program in ("server", "driver"):
        source = folder / f"{program}.src"
        shutil.copytree(HERE / program, source, dirs_exist_ok=True)
        subprocess.run(["go", "build", "-trimpath", "-o", str(folder / program), "."],
                       cwd=source, env=environment, check=True)


@contextmanager
def server(binaries, pool):
    """Runs the server of a pool, and gives its address."""
    arguments = [binaries / "server", "-lifetime", f"{LIFETIME * pool.period}s",
                 "-leak", round(pool.leak * 60 / pool.period), "-sample-every", pool.sample_every,
                 *KINDS[pool.kind].server]
    with subprocess.Popen([*map(str, arguments)], stdout=subprocess.PIPE, text=True) as process:
        try:
            yield process.stdout.readline().strip()
        finally:
            process.kill()


def drive(binaries, pool, url, folder, seed, captures=CAPTURES, first=1, warm=None):
    """Puts load on a server, and takes captures of it."""
    kind = KINDS[pool.kind]
    arguments = [binaries / "driver", "-url", url, "-captures", captures, "-first", first,
                 "-period", f"{pool.period}s",
                 "-warm", f"{(kind.warm if warm is None else warm) * pool.period}s",
                 "-requests", REQUESTS, "-seed", seed, f"-gc={str(pool.collect).lower()}",
                 *kind.driver, folder]
    subprocess.run([*map(str, arguments)], check=True)


def take(folder, pool, number):
    """One series, whose folder has its name only when it is whole."""
    done, part = (folder / pool.name / f"{number:03}{end}" for end in ("", ".part"))
    if done.exists():
        return
    part.mkdir(parents=True, exist_ok=True)
    with server(folder, pool) as url:
        drive(folder, pool, url, part, number)
    part.rename(done)


def collect(folder, wanted, at_once):
    """Takes series until each pool has so many. What is there already is kept."""
    build(folder)
    jobs = [(pool, number) for number in range(max(wanted.values()))
            for pool, most in wanted.items() if number < most]
    with ThreadPoolExecutor(at_once) as workers:
        for taken, _ in enumerate(workers.map(lambda job: take(folder, *job), jobs), 1):
            print(f"\r{taken} of {len(jobs)} series", end="", flush=True)
    print()
