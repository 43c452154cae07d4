# SPDX-License-Identifier: Apache-2.0
"""Modules that are packages of Debian, which a Python that comes first in PATH lacks."""

import importlib
import os
import sys

PYTHON = "/usr/bin/python3"


def module(name):
    """The module. If this Python lacks it, the script begins again with Debian's; none if that
    lacks it as well."""
    try:
        return importlib.import_module(name)
    except ImportError:
        if os.path.realpath(sys.executable) != os.path.realpath(PYTHON) and os.path.exists(PYTHON):
            os.execv(PYTHON, [PYTHON, *sys.argv])
        return None
