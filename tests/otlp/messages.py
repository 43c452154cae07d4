# SPDX-License-Identifier: Apache-2.0
"""The messages of pprof and of OTLP, by Google's runtime and the official .proto files, so that
nothing here shares a line with what is tested."""

import gzip
import importlib
import subprocess
import sys
from pathlib import Path

PPROF = Path("/usr/share/gocode/src/github.com/google/pprof/proto")
NAMES = ["opentelemetry/proto/common/v1/common.proto",
         "opentelemetry/proto/resource/v1/resource.proto",
         "opentelemetry/proto/profiles/v1development/profiles.proto"]

profiles = common = pprof = None


def load(specification, folder):
    """Compiles the .proto files into the folder, and makes the modules of this one."""
    global profiles, common, pprof  # pylint: disable=global-statement
    subprocess.run(["protoc", f"-I{specification}", f"--python_out={folder}", *NAMES], check=True)
    subprocess.run(["protoc", f"-I{PPROF}", f"--python_out={folder}", "profile.proto"], check=True)
    sys.path.insert(0, str(folder))
    profiles = importlib.import_module("opentelemetry.proto.profiles.v1development.profiles_pb2")
    common = importlib.import_module("opentelemetry.proto.common.v1.common_pb2")
    pprof = importlib.import_module("profile_pb2")


def read_pprof(path):
    """The Profile in a file, compressed or not."""
    content = Path(path).read_bytes()
    if content.startswith(b"\x1f\x8b"):
        content = gzip.decompress(content)
    return pprof.Profile.FromString(content)


class Dictionary:
    """A ProfilesDictionary under construction: each element once, and element 0 the zero value."""

    def __init__(self):
        self.message = profiles.ProfilesDictionary()
        self.known = {}
        self.string("")
        for table, element in (("mapping", profiles.Mapping()), ("location", profiles.Location()),
                               ("function", profiles.Function()), ("link", profiles.Link()),
                               ("attribute", profiles.KeyValueAndUnit()),
                               ("stack", profiles.Stack())):
            self.add(table, element)

    def add(self, table, element):
        """The index of an element, which is added if it is not there."""
        key = (table, element.SerializeToString(deterministic=True))
        if key not in self.known:
            elements = getattr(self.message, f"{table}_table")
            self.known[key] = len(elements)
            elements.append(element)
        return self.known[key]

    def string(self, text):
        """The index of a string."""
        key = ("string", text)
        if key not in self.known:
            self.known[key] = len(self.message.string_table)
            self.message.string_table.append(text)
        return self.known[key]

    def attribute(self, key, value, unit=""):
        """The index of an attribute, whose value is a string, a bool or an int, or a list."""
        return self.add("attribute", profiles.KeyValueAndUnit(
            key_strindex=self.string(key), value=any_value(value), unit_strindex=self.string(unit)))


def any_value(value):
    """An AnyValue of a value of Python."""
    if value is None:
        return common.AnyValue()
    if isinstance(value, bool):
        return common.AnyValue(bool_value=value)
    if isinstance(value, int):
        return common.AnyValue(int_value=value)
    if isinstance(value, float):
        return common.AnyValue(double_value=value)
    if isinstance(value, bytes):
        return common.AnyValue(bytes_value=value)
    if isinstance(value, list):
        return common.AnyValue(array_value=common.ArrayValue(values=map(any_value, value)))
    if isinstance(value, dict):
        return common.AnyValue(kvlist_value=common.KeyValueList(values=key_values(value)))
    return common.AnyValue(string_value=value)


def key_values(attributes):
    """KeyValue messages of a dict."""
    return [common.KeyValue(key=key, value=any_value(value)) for key, value in attributes.items()]
