# SPDX-License-Identifier: Apache-2.0
"""The library's statistics beside those of other implementations."""

import math
import subprocess
from collections import Counter

TOLERANCE = 1e-9


class Comparison:
    """What was compared with what."""

    def __init__(self):
        self.cases = Counter()  # by reference
        self.largest = 0.0
        self.wrong = []

    def expect(self, reference, case, what, found, expected):
        """Compares numbers, or None."""
        self.cases[reference] += 1
        for ours, theirs in zip(found, expected, strict=True):
            if ours is None or theirs is None:
                difference = 0.0 if ours is theirs else math.inf
            else:
                theirs = float(theirs)
                size = max(abs(ours), abs(theirs))
                difference = abs(ours - theirs) / size if size else 0.0
            self.largest = max(self.largest, difference)
            if not difference <= TOLERANCE:
                self.wrong.append(f"{case}: {what} {ours}, by {reference} {theirs}")

    def end(self, *programs):
        """Says what came out, with which programs; the status to end with."""
        for line in self.wrong[:20]:
            print(line)
        for reference, cases in sorted(self.cases.items()):
            print(f"{cases:6} with {reference}")
        print(", ".join(programs))
        print(f"{len(self.wrong)} numbers differ, the largest difference is "
              f"{self.largest:.2g} of the number")
        return 1 if self.wrong else 0


def figures(program, lines):
    """What the library has, as a list of numbers for each line."""
    done = subprocess.run([program], input="\n".join(lines) + "\n", stdout=subprocess.PIPE,
                          check=True, text=True)
    return [[None if word == "-" else float(word) for word in line.split()]
            for line in done.stdout.splitlines()]


def text(numbers):
    """Numbers in a line for the library, with all their digits."""
    return " ".join(map(repr, numbers))
