# SPDX-License-Identifier: Apache-2.0
"""Series of captures whose slopes are known: what a sampling profiler sees of leaks, of caches and
of noise, in samples."""

import itertools
import math


def poisson(rng, mean):
    """How many events there are in a time in which there are so many in the mean."""
    count, time = 0, rng.expovariate(1)
    while time < mean:
        count, time = count + 1, time + rng.expovariate(1)
    return count


def leak(rate):
    """A leak of so many samples from one capture to the next."""
    def series(rng, captures):
        return list(itertools.accumulate(poisson(rng, rate) for _ in range(captures)))
    return series


def line(slope, deviation):
    """A line with independent noise."""
    def series(rng, captures):
        return [30 + slope * i + rng.gauss(0, deviation) for i in range(captures)]
    return series


def cache(memory, deviation=6):
    """A level that each capture has from the one before but for a part that it forgets."""
    def series(rng, captures):
        now, values = rng.gauss(0, deviation), []
        for _ in range(captures):
            values.append(200 + now)
            now = memory * now + rng.gauss(0, deviation * math.sqrt(1 - memory ** 2))
        return values
    return series


def saw(period, height):
    """A saw of collections."""
    def series(rng, captures):
        phase = rng.randrange(period)
        return [height * ((i + phase) % period) // period for i in range(captures)]
    return series


def filling(size, time):
    """A cache that fills, half of it in 0.7 times the time."""
    def series(rng, captures):
        return list(itertools.accumulate(
            poisson(rng, size * (math.exp(-i / time) - math.exp(-(i + 1) / time)))
            for i in range(captures)))
    return series


def jump(by):
    """Once, in the middle half, with noise of a few samples."""
    def series(rng, captures):
        at = rng.randrange(captures // 4, captures * 3 // 4)
        return [40 + (by if i >= at else 0) + rng.randrange(3) for i in range(captures)]
    return series


def both(some, others):
    def series(rng, captures):
        return [a + b for a, b in zip(some(rng, captures), others(rng, captures))]
    return series


# The series by name: steady growth has the amount from one capture to the next, the numbers of
# captures, and a series.
STEADY = {
    **{f"leak of {rate}": (rate, (20, 60, 240, 720), leak(rate)) for rate in (0.45, 1, 5, 50)},
    "line with noise": (0.5, (20, 60, 240), line(0.5, 5)),
    **{f"leak of 1, cache of {memory}": (1, (20, 60), both(leak(1), cache(memory)))
       for memory in (0.3, 0.9)},
}
# No noise that a model has.
SAWS = {f"leak of 1, saw of {period}": (1, (20, 60), both(leak(1), saw(period, 2 * period)))
        for period in (5, 10, 30)}
NONE = {f"cache of {memory}": (0, (20, 60), cache(memory)) for memory in (0, 0.3, 0.7, 0.9, 0.97)}
OTHER = {"cache that fills": (None, (20, 60), filling(60, 3)),
         "jump by 20": (None, (20, 60), jump(20))}
