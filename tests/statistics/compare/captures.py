# SPDX-License-Identifier: Apache-2.0
"""Captures of benchmarks of Go's standard library: heaps at the default rate, and CPU profiles.

A pool has the captures of one benchmark and kind, of the code as it is or with a regression
planted. Captures of all pools are taken in turn, each by a process of its own, so that those of the
same number are close in time, as those of a CI job that alternates its revisions are.
"""

import json
import os
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path


MACHINE = "machine"  # The file in the folder of the pools that says where they were taken.


@dataclass(frozen=True)
class Benchmark:
    """The work of one process: it takes about a second, and is the same each time."""
    package: str
    pattern: str
    heap_rounds: int = 0  # None is taken for 0.
    cpu_rounds: int = 0

    def rounds(self, kind):
        return {"heap": self.heap_rounds, "cpu": self.cpu_rounds}[kind]


@dataclass(frozen=True)
class Plant:
    """A regression in one function: in a file of the package or of one that it imports, `old` is
    replaced by `new`. Each `old` is there once."""
    benchmark: str
    kind: str
    function: str
    percent: int
    file: str
    edits: tuple

    def apply(self, text):
        for old, new in self.edits:
            if text.count(old) != 1:
                raise ValueError(f"{self.file} has no place for the regression: {old!r}")
            text = text.replace(old, new)
        return text


BENCHMARKS = {
    "json": Benchmark("encoding/json", "^BenchmarkCodeUnmarshal$", 12, 20),
    "flate": Benchmark("compress/flate", "^BenchmarkDecode$/^Digits$/^Huffman$/^1e4$", 5000),
    "deflate": Benchmark("compress/flate", "^BenchmarkEncode$/^Digits$/^Default$/^1e5$",
                         cpu_rounds=260),
    "parser": Benchmark("go/parser", "^BenchmarkParse$", 100, 160),
    "compile": Benchmark("regexp", "^BenchmarkCompile$/^Hard$", 10000),
    "match": Benchmark("regexp", "^BenchmarkMatch$/^Hard$/^1K$", cpu_rounds=15000),
    "bufio": Benchmark("bufio", "^Benchmark(Reader|Writer)Empty$", 450000),
}

# Every twentieth call allocates twice. findMatch does its work twice at 51 of 256 positions. A
# counter would cost too much itself, so the call within is known by its lookahead; more than
# maxMatchLength has no other effect. checkValid reads a fifth of its input twice.
PLANTS = {
    "heap-bufio": Plant("bufio", "heap", "bufio.NewReaderSize", 5, "bufio/bufio.go", (
        ("\tr := new(Reader)\n\tr.reset(make([]byte, size), rd)\n",
         "\tr := new(Reader)\n\tif plantedCalls++; plantedCalls%20 == 0 {\n"
         "\t\tplanted = make([]byte, size)\n\t}\n\tr.reset(make([]byte, size), rd)\n"),
        ("func NewReaderSize(",
         "var plantedCalls int\nvar planted []byte\n\nfunc NewReaderSize("))),
    "heap-compile": Plant(
        "compile", "heap", "regexp/syntax.(*parser).newRegexp", 5, "regexp/syntax/parse.go", (
            ("\t\tre = new(Regexp)\n\t\tp.numRegexp++\n",
             "\t\tif plantedCalls++; plantedCalls%20 == 0 {\n"
             "\t\t\tplanted = new(Regexp)\n\t\t}\n\t\tre = new(Regexp)\n\t\tp.numRegexp++\n"),
            ("func (p *parser) newRegexp(",
             "var plantedCalls int\nvar planted *Regexp\n\nfunc (p *parser) newRegexp("))),
    "cpu-deflate": Plant(
        "deflate", "cpu", "compress/flate.(*compressor).findMatch", 20,
        "compress/flate/deflate.go", (
            ("\tminMatchLook := maxMatchLength\n",
             "\tif uint8(pos) < 51 && uint(lookahead-maxMatchLength) < 1<<20 {\n"
             "\t\td.findMatch(pos, prevHead, prevLength, lookahead+1<<20)\n\t}\n"
             "\tminMatchLook := maxMatchLength\n"),)),
    "cpu-json": Plant("json", "cpu", "encoding/json.checkValid", 20, "encoding/json/scanner.go", (
        ("\tscan.reset()\n\tfor _, c := range data {\n",
         "\tscan.reset()\n\tfor _, c := range data[:len(data)/5] {\n\t\tscan.bytes++\n"
         "\t\tif scan.step(scan, c) == scanError {\n\t\t\tbreak\n\t\t}\n\t}\n"
         "\tscan.bytes = 0\n\tscan.reset()\n\tfor _, c := range data {\n"),)),
}


@dataclass(frozen=True)
class Pool:
    kind: str
    benchmark: str
    plant: str = ""

    @property
    def name(self):
        return f"{self.kind}-{self.benchmark}{'-planted' if self.plant else ''}"

    def files(self, folder):
        """The files in the order in which they were taken."""
        return sorted((folder / self.name).glob("*.pb.gz"))


def plain_pools(kind):
    return [Pool(kind, name) for name, benchmark in BENCHMARKS.items() if benchmark.rounds(kind)]


def all_pools():
    """Pools of the same benchmark follow each other."""
    pools = []
    for plain in plain_pools("heap") + plain_pools("cpu"):
        pools += [plain, *(Pool(plain.kind, plain.benchmark, name) for name in PLANTS
                           if name == plain.name)]
    return pools


def environment():
    return {**os.environ, "GOFLAGS": "", "GO111MODULE": "on", "GOTOOLCHAIN": "local", "GODEBUG": ""}


def go(*arguments):
    return subprocess.run(["go", *arguments], env=environment(), check=True,
                          stdout=subprocess.PIPE, text=True).stdout.strip()


def build(pool, folder):
    """The benchmark's test binary."""
    package = BENCHMARKS[pool.benchmark].package
    binary = folder / "binaries" / f"{pool.name}.test"
    binary.parent.mkdir(parents=True, exist_ok=True)
    overlay = []
    if pool.plant:
        plant = PLANTS[pool.plant]
        source = Path(go("env", "GOROOT")) / "src" / plant.file
        patched = binary.with_suffix(".go")
        patched.write_text(plant.apply(source.read_text()))
        listed = binary.with_suffix(".json")
        listed.write_text(json.dumps({"Replace": {str(source): str(patched)}}))
        overlay = ["-overlay", str(listed)]
    go("test", "-c", *overlay, "-o", str(binary), package)
    return binary


def take(pool, binary, source, file):
    """One capture, whose file is there only if it is whole."""
    benchmark = BENCHMARKS[pool.benchmark]
    part = file.with_suffix(".part")
    option = {"heap": "memprofile", "cpu": "cpuprofile"}[pool.kind]
    subprocess.run(
        [str(binary), "-test.run=^$", f"-test.bench={benchmark.pattern}", "-test.cpu=1",
         f"-test.benchtime={benchmark.rounds(pool.kind)}x", f"-test.{option}={part}"],
        cwd=source, env=environment(), check=True, stdout=subprocess.DEVNULL)
    part.rename(file)


def machine():
    """The processor, where Linux says it, and the version of Go."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text().splitlines() if info.exists() else []
    names = [line.split(":")[1].strip() for line in lines if line.startswith("model name")]
    return f"{len(names)} x {names[0]}, {go('version')}\n" if names else f"{go('version')}\n"


def capture(folder, number):
    """Takes captures until each pool has so many. What is there already is kept."""
    pools = all_pools()
    (folder / MACHINE).write_text(machine())
    binaries = [build(pool, folder) for pool in pools]
    sources = [go("list", "-f", "{{.Dir}}", BENCHMARKS[pool.benchmark].package) for pool in pools]
    for pool in pools:
        (folder / pool.name).mkdir(exist_ok=True)
    begun = time.monotonic()
    taken = 0
    for index in range(number):
        for pool, binary, source in zip(pools, binaries, sources):
            file = folder / pool.name / f"{index:04}.pb.gz"
            if not file.exists():
                take(pool, binary, source, file)
                taken += 1
        print(f"\r{index + 1} of {number} captures of {len(pools)} pools", end="", flush=True)
    print(f"; {taken} taken in {time.monotonic() - begun:.0f} s")
