# SPDX-License-Identifier: Apache-2.0
"""The browsers that there are, beside each other."""

import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
from checks import Wrong, skip  # noqa: E402
from chromium import Chromium  # noqa: E402
from firefox import Firefox  # noqa: E402

BROWSERS = (Chromium, Firefox)


def in_each_browser(check):
    """Calls check(browser, folder) with an empty folder for each browser that is there, and returns
    the exit status: 0 all is well, 1 it is not. Without any the test is skipped."""
    found = [each for each in BROWSERS if each.find()]
    if not found:
        skip("there is neither Chromium nor Firefox")
    for each in BROWSERS:
        if each not in found:
            print(f"{each.NAME} is missing, and not tested")

    def status_in(each):
        with tempfile.TemporaryDirectory(prefix="pprofdelta-") as folder, each() as browser:
            try:
                check(browser, Path(folder).resolve())
            except Wrong as fault:
                print(f"{each.NAME}: {fault}")
                return 1
        return 0

    with ThreadPoolExecutor() as threads:
        return max(threads.map(status_in, found))
