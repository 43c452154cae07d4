# SPDX-License-Identifier: Apache-2.0
"""A small fleet: series of real profiles in files and on a server, and what one run of
`pprofdelta batch` makes of them, with which what an engine makes is compared."""

import json
import os
import random
import subprocess
import sys
import tempfile
import threading
from collections import Counter
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
from checks import SKIPPED, Wrong, need, require  # noqa: E402

SERIES, PROFILES = 40, 4
TIME_LIMIT = 120  # seconds for one command, and for what is waited for
TRIES = 3  # of one transfer, as --retries is 2


def run(*command, **options):
    """A finished process, whose output is text."""
    return subprocess.run(command, check=False, text=True, timeout=TIME_LIMIT,
                          **{"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE,
                             "stderr": subprocess.STDOUT, **options})


class Server(ThreadingHTTPServer):
    """Gives what is in a folder. While `held` is set, it says in `is_asked` that a profile below
    /held is asked for, and answers when `held` is cleared. It answers so many requests below /down
    with 503 as `failures` says."""

    daemon_threads = True

    def __init__(self, folder):
        super().__init__(("127.0.0.1", 0), Handler)
        self.folder, self.failures, self.port_of_client = folder, 0, None
        self.is_asked, self.may_answer = threading.Event(), threading.Event()
        self.may_answer.set()
        self.url = f"http://127.0.0.1:{self.server_port}"
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def hold(self):
        self.is_asked.clear()
        self.may_answer.clear()

    def wait_for_request(self):
        """Returns the process that asks for the profile that is held."""
        require(self.is_asked.wait(TIME_LIMIT), "nobody asks for the profile that is held")
        return owner_of(self.port_of_client)

    def release(self):
        self.may_answer.set()

    def handle_error(self, request, client_address):
        """A client that was killed is no error."""


class Handler(BaseHTTPRequestHandler):
    """A request to a Server."""

    def do_GET(self):
        _, kind, name = self.path.split("/")
        if kind == "held":
            self.server.port_of_client = self.client_address[1]
            self.server.is_asked.set()
            self.server.may_answer.wait(TIME_LIMIT)
        if kind == "down" and self.server.failures:
            self.server.failures -= 1
            self.send_error(503)
            return
        body = (self.server.folder / name).read_bytes()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        """Nothing: the tests print what matters."""


class Fleet:
    """A folder with a manifest, a server for the URLs in it, and the output of one run of all.

    Each series has some of the captures of one process, in their order. One capture each of two
    series comes from the server, below /held and /down.
    """

    def __init__(self, program, testdata, folder):
        self.folder = folder
        tools = folder / "tools"
        tools.mkdir()
        (tools / "pprofdelta").symlink_to(program)
        self.env = {**os.environ, "PATH": f"{tools}{os.pathsep}{os.environ['PATH']}",
                    "HOME": str(folder), "LC_ALL": "C", "no_proxy": "127.0.0.1"}
        self.server = Server(testdata / "trend")
        self.manifest = self.lines(sorted((testdata / "trend").iterdir()))
        self.expected = self.one_run("one", self.manifest)

    def lines(self, captures):
        """The manifest's lines, in an order in which the series take turns."""
        chance = random.Random(20)
        series = [sorted(chance.sample(captures, PROFILES)) for _ in range(SERIES)]
        inputs = [[str(capture) for capture in each] for each in series]
        for which, kind in ((3, "held"), (17, "down")):
            inputs[which][2] = f"{self.server.url}/{kind}/{series[which][2].name}"
        return [f"shop-{which % 3}/web-{which:02}\t{inputs[which][turn]}"
                for turn in range(PROFILES) for which in range(SERIES)]

    def place(self, name, lines):
        """A folder with a manifest."""
        place = self.folder / name
        place.mkdir()
        (place / "manifest").write_text("".join(line + "\n" for line in lines))
        return place

    def one_run(self, name, lines, status=0):
        """The output of one run of `lines` on one machine."""
        place = self.place(name, lines)
        done = run("pprofdelta", "batch", "--quiet", "--state-dir", "state",
                   "-o", "out/{series}/{time}.pb.gz", "manifest", cwd=place, env=self.env)
        require(done.returncode == status, "one run ends with", done.returncode, done.stdout)
        return place / "out"

    def check(self, place, expected=None, lines=None):
        """Whether an engine wrote to `place` what one run writes, and each delta once."""
        expected, lines = expected or self.expected, lines or self.manifest
        done = run("diff", "-r", expected, place / "out")
        require(done.returncode == 0, "the output differs from that of one run:\n", done.stdout)
        files = sum(path.is_file() for path in (place / "out").rglob("*"))
        counts = {"done": Counter(), "skipped": Counter()}
        for result in self.results(place):
            if result["status"] in counts:
                counts[result["status"]][result["series"], result["input"]] += 1
        twice = [item for item, times in counts["done"].items() if times > 1]
        require(not twice, "done twice:", twice)
        items = set(counts["done"]) | set(counts["skipped"])
        require(len(items) == files, files, "deltas, but results of", len(items))
        require(files and files >= len(lines) - 1, "only", files, "deltas of", len(lines))
        busy = [path for path in self.result_files(place) if '"done"' in path.read_text()]
        require(len(busy) > 1, "one shard did everything")
        return files

    def result_files(self, place):
        """The file of each shard."""
        return sorted([*place.glob("results/*"), *place.glob("results-*")])

    def results(self, place):
        """The lines of all shards."""
        for path in self.result_files(place):
            for line in path.read_text().splitlines():
                yield json.loads(line)


def owner_of(port):
    """The process that has the loopback's end of a connection with this port."""
    rows = [row.split() for row in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    sockets = {f"socket:[{row[9]}]" for row in rows if row[1] == f"0100007F:{port:04X}"}
    for link in Path("/proc").glob("[0-9]*/fd/*"):
        try:
            if os.readlink(link) in sockets:
                return int(link.parts[2])
        except OSError:
            continue  # It is closed meanwhile.
    raise Wrong(f"no process has port {port}")


def main(test, document):
    """Runs `test` with a Fleet and the folder of examples, as the command line says."""
    if len(sys.argv) != 4:
        print(document, file=sys.stderr)
        sys.exit(2)
    program, testdata, examples = (Path(argument).resolve() for argument in sys.argv[1:])
    # Runs wait for the disk again and again, and nothing here is about that.
    memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    with tempfile.TemporaryDirectory(prefix="pprofdelta-", dir=memory) as folder:
        try:
            test(Fleet(program, testdata, Path(folder).resolve()), examples)
        except (Wrong, subprocess.TimeoutExpired) as fault:
            print(fault)
            sys.exit(1)
