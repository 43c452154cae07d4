# SPDX-License-Identifier: Apache-2.0
"""Who may include what. DESIGN.md has the reasons."""

import posixpath
import re

# The folders in their order: each may include itself and those before it.
FOLDERS = {
    "src": ["base", "codec", "wire", "profile", "delta", "traces", "input", "select", "statistics",
            "views", "captures", "verdicts", "merge", "symbolize", "c"],
    "tools": ["base", "files", "document", "symbols", "output", "cli", "batch", "commands"],
}
# These may include all folders, as they are what begins, or no part of the program.
ABOVE = {"tools/main.cpp", "tools/large_blocks.cpp", "tools/deploy/examples/allocation_sampler.cpp"}

# The only files that may include a foreign library.
INCLUDERS = {
    "zlib.h": ["src/codec/codec.cpp"],
    "libdeflate.h": ["src/codec/codec.cpp"],
    "zstd.h": ["src/codec/codec.cpp"],
    "zstd_errors.h": ["src/codec/codec.cpp"],
    "xxhash.h": ["src/base/hash128.hpp", "tools/files/file.cpp"],
    "re2/re2.h": ["src/select/names.cpp"],
    **{f"boost/math/{name}.hpp": ["src/statistics/distributions.cpp"] for name in (
        "distributions/fisher_f", "distributions/students_t", "special_functions/beta",
        "special_functions/digamma", "special_functions/polygamma", "special_functions/trigamma")},
    "protozero/exception.hpp": ["src/wire/reader.hpp", "src/wire/reader.cpp"],
    "protozero/types.hpp": ["src/wire/reader.hpp", "src/wire/writer.hpp"],
    "protozero/varint.hpp": ["src/wire/reader.hpp", "src/wire/reader.cpp"],
    "CLI/CLI.hpp": ["tools/cli/command_options.cpp"],
    "nlohmann/json.hpp": ["src/input/speedscope.cpp", "tools/base/json.cpp",
                          "tools/files/go_benchmarks.cpp", "tools/document/compare.cpp",
                          "tools/document/fields.hpp", "tools/document/page.cpp",
                          "tools/document/top.cpp", "tools/document/trend.cpp",
                          "tools/output/status.cpp", "tools/batch/results.cpp",
                          "tools/batch/metrics.cpp", "tools/batch/item_lists.cpp",
                          "tools/commands/info.cpp"],
    "nlohmann/json_fwd.hpp": ["tools/base/json.hpp"],
    "curl/curl.h": ["tools/batch/fetcher.cpp"],
    "dwarf.h": ["tools/symbols/binary.cpp"],
    "elfutils/libdw.h": ["tools/symbols/binary.cpp"],
    "elfutils/libdwelf.h": ["tools/symbols/binary.cpp"],
    "gelf.h": ["tools/symbols/binary.cpp"],
    "lzma.h": ["tools/symbols/binary.cpp"],
}

# The build makes these.
GENERATED = {"tools/document/page_parts.hpp"}

STANDARD = re.compile(r"[a-z0-9_]+")
# The header for C has these.
C_STANDARD = re.compile(r"std(def|int)\.h")
# These belong to the system and to the compiler.
SYSTEM = re.compile(
    r"(sys|linux)/\w+\.h|"
    r"(arm_neon|cxxabi|dirent|dlfcn|elf|execinfo|fcntl|fnmatch|immintrin|link|malloc|poll|"
    r"sched|spawn|unistd)\.h")

INCLUDE = re.compile(r"\s*#\s*include(?:_next)?\b\s*(.*)")
TARGET = re.compile(r'(?:<([^<>]+)>|"([^"]+)")\s*(?://.*|/\*.*)?')


def included(text):
    """The number of each line that includes something, and what: the match, none if not plain."""
    for number, line in enumerate(text.splitlines(), start=1):
        match = INCLUDE.match(line)
        if match:
            yield number, TARGET.fullmatch(match[1])


def own_header(name, header, known):
    """The file that a header in quotes is: beside the one that includes it, or from the root of its
    part of the project. None if it is of another part or not there."""
    part = name.split("/")[0]
    for folder in (posixpath.dirname(name), part):
        found = posixpath.normpath(posixpath.join(folder, header))
        if found in known and found.startswith(f"{part}/"):
            return found
    return None


def place(name):
    """The part of the project that a file lies in, and the folder there."""
    part, _, rest = name.partition("/")
    return part, posixpath.dirname(rest)


def floor(name):
    """The place of a file in the order of the folders; after all of them for one above."""
    part, folder = place(name)
    order = FOLDERS.get(part, [])
    return order.index(folder) if folder in order else len(order)


def fault_of_angled(name, header, known):
    """The fault of `#include <header>` in the file `name`; nothing if it is right."""
    if header.startswith("pprofdelta/"):
        return None if f"include/{header}" in known else "there is no such public header"
    if STANDARD.fullmatch(header) or (name.endswith(".h") and C_STANDARD.fullmatch(header)):
        return None
    if name.startswith("include/"):
        return "public headers include the standard library and each other only"
    if SYSTEM.fullmatch(header):
        return None
    if header not in INCLUDERS:
        return "no library that DESIGN.md names has this header"
    if name not in INCLUDERS[header]:
        return f"only {' and '.join(INCLUDERS[header])} may include it"
    return None


def fault_of_quoted(name, header, known):
    """The fault of `#include "header"` in the file `name`; nothing if it is right."""
    if name.startswith("include/"):
        return "public headers include each other as <pprofdelta/...>"
    found = own_header(name, header, known)
    if not found:
        return f"{name.split('/')[0]} has no such header"
    if floor(found) > floor(name):
        return f"{'/'.join(place(found))} stands after {'/'.join(place(name))}"
    return None


def misplaced(sources):
    """The faults of the folders of src and tools."""
    for name in sources:
        part, folder = place(name)
        if part in FOLDERS and folder not in FOLDERS[part] and name not in ABOVE:
            yield f"{name}: the order of folders has no {part}/{folder}".rstrip("/")


def faults(root, names):
    """The faults of the files `names` of the folder `root`, as lines."""
    sources = {name for name in names if name.startswith(("include/", "src/", "tools/"))}
    known = sources | GENERATED
    found = list(misplaced(sorted(
        name for name in sources if name.endswith((".cpp", ".hpp", ".h")))))
    if found:
        return found
    for name in sorted(sources):
        for number, target in included((root / name).read_text()):
            if not target:
                fault, what = "neither <...> nor \"...\"", "#include"
            elif target[1]:
                fault, what = fault_of_angled(name, target[1], known), f"<{target[1]}>"
            else:
                fault, what = fault_of_quoted(name, target[2], known), f'"{target[2]}"'
            if fault:
                found.append(f"{name}:{number}: {what}: {fault}")
    return found
