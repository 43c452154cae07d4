# SPDX-License-Identifier: Apache-2.0
"""Computes a little, for pyinstrument to look on."""


def parse(size):
    return sum(i % 7 for i in range(size))


def fold(size):
    value = 0
    for i in range(size):
        value ^= i
    return value + parse(size // 2)


def main():
    for _ in range(3):
        parse(2_000_000)
        fold(1_000_000)


main()
