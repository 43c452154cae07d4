# SPDX-License-Identifier: Apache-2.0
"""Facts of dpkg about packages, and their licenses."""

import os
import re
import subprocess
from pathlib import Path

COMMON_LICENSES = "/usr/share/common-licenses/"


class Missing(Exception):
    """A file that is not where it should be."""


def output_of(*command, errors=None):
    return subprocess.run(command, check=False, stdout=subprocess.PIPE, stderr=errors, text=True,
                          env={**os.environ, "LC_ALL": "C"}).stdout


class Packages:
    """The packages that dpkg knows: of this machine, or of another root."""

    FIELDS = ("${Package}", "${Version}", "${Architecture}", "${source:Package}",
              "${source:Version}", "${Homepage}")

    def __init__(self, root="", database="/var/lib/dpkg"):
        self.root, self.query = root, ("dpkg-query", f"--admindir={database}")

    def owners(self, paths):
        """The packages of these files, by their names for dpkg."""
        left = {os.path.realpath(path)[len(self.root):] for path in paths}
        owners = {}
        # A file can be listed in /lib and be found in /usr/lib, as one is a link to the other.
        for prefix in ("", "/usr"):
            names = sorted(path.removeprefix(prefix) for path in left)
            found = output_of(*self.query, "-S", *names, errors=subprocess.DEVNULL) if left else ""
            for line in found.splitlines():
                package, _, path = line.rpartition(": ")
                owners[prefix + path] = package.split(", ")[0]
            left -= set(owners)
        if left:
            raise Missing(f"no package has {self.root}{min(left)}")
        return set(owners.values())

    def fields(self, package):
        told = output_of(*self.query, "-W", "-f", "\\t".join(self.FIELDS), package).split("\t")
        return dict(zip(("name", "version", "arch", "source", "source_version", "homepage"), told))

    def text(self, path):
        try:
            return Path(self.root + path).read_text(errors="replace")
        except OSError as fault:
            raise Missing(f"{fault.filename}: {fault.strerror}") from fault


def common_licenses(texts):
    """The texts that these refer to, by their names."""
    referred = re.findall(re.escape(COMMON_LICENSES) + r"([A-Za-z0-9.-]*[A-Za-z0-9])",
                          "".join(texts))
    return {each: Packages().text(COMMON_LICENSES + each) for each in sorted(set(referred))}
