# SPDX-License-Identifier: Apache-2.0
"""What the tests in browsers share."""

import tempfile
from pathlib import Path

from chromium import Chromium
from firefox import Firefox

BROWSERS = (Chromium, Firefox)


class Wrong(Exception):
    """What is not as it should be."""


def require(condition, *what):
    if not condition:
        raise Wrong(" ".join(map(str, what)))


def in_each_browser(check):
    """Calls check(browser, folder) with an empty folder for each browser that is there, and returns
    the exit status: 0 all is well, 1 it is not, 77 there is no browser."""
    found = [each for each in BROWSERS if each.find()]
    if not found:
        print("skipped: there is neither Chromium nor Firefox")
        return 77
    for each in BROWSERS:
        if each not in found:
            print(f"{each.NAME} is missing, and not tested")
    for each in found:
        with tempfile.TemporaryDirectory(prefix="pprofdelta-") as folder, each() as browser:
            try:
                check(browser, Path(folder).resolve())
            except Wrong as fault:
                print(f"{each.NAME}: {fault}")
                return 1
    return 0
