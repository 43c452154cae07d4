# SPDX-License-Identifier: Apache-2.0
"""Reads Prometheus' text format, and refuses what Prometheus or node_exporter would, or should."""

import math
import re
from dataclasses import dataclass, field

from harness import Wrong, require

NAME = r"[a-zA-Z_:][a-zA-Z0-9_:]*"
LABEL = r'[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\n]|\\["\\n])*"'
SAMPLE = re.compile(rf"({NAME})(?:\{{({LABEL}(?:,{LABEL})*)?\}})? (\S+)( -?\d+)?")
COMMENT = re.compile(rf"# (HELP|TYPE) ({NAME}) (.*)")
TYPES = ("counter", "gauge", "histogram", "summary", "untyped")
ESCAPES = {"\\n": "\n", '\\"': '"', "\\\\": "\\"}


@dataclass
class Family:
    """A metric: its type, and samples, which are pairs of labels and a value."""

    type: str = ""
    help: str = ""
    samples: list = field(default_factory=list)


def unescape(text):
    return re.sub(r"\\.", lambda match: ESCAPES[match[0]], text)


def read_labels(text):
    pairs = re.findall(r'([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\]|\\.)*)"', text or "")
    require(len({name for name, _ in pairs}) == len(pairs), "a label twice:", text)
    return {name: unescape(value) for name, value in pairs}


def read_metrics(path):
    """The families by name."""
    text = path.read_text()
    require(text.endswith("\n"), "the last line of metrics has no end")
    families, current = {}, None
    for line in text[:-1].split("\n"):
        comment = COMMENT.fullmatch(line)
        if comment:
            kind, name, rest = comment.groups()
            if name != current:
                require(name not in families, "the lines of", name, "are not together")
                families[name], current = Family(), name
            family = families[name]
            require(not family.samples, kind, "after a sample:", line)
            require(not getattr(family, kind.lower()), "twice:", line)
            setattr(family, kind.lower(), rest)
            continue
        sample = SAMPLE.fullmatch(line)
        require(sample, "not a line of metrics:", repr(line))
        name, labels, value, timestamp = sample.groups()
        require(name == current, "a sample without its type:", line)
        require(timestamp is None, "the textfile collector refuses timestamps:", line)
        family = families[name]
        labels = read_labels(labels)
        require(labels not in [other for other, _ in family.samples], "twice:", line)
        try:
            number = float(value)
        except ValueError as fault:
            raise Wrong(f"no number: {line}") from fault
        require(family.type != "counter" or number >= 0, "a counter below zero:", line)
        require(not math.isnan(number), "not a number:", line)
        family.samples.append((labels, number))
    for name, family in families.items():
        require(family.type in TYPES, name, "is of type", family.type)
        require(family.help, name, "has no help")
        require(family.samples, name, "has no samples")
        require(family.type != "counter" or name.endswith("_total"), name, "is a counter")
    return families
