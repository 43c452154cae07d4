# SPDX-License-Identifier: Apache-2.0
"""Writes protobuf messages, and profiles that need not be real."""


def varint(number):
    rest = b""
    while number > 0x7f:
        rest += bytes([number & 0x7f | 0x80])
        number >>= 7
    return rest + bytes([number])


def field(number, value):
    """A number, a text, or the bytes of a message."""
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    value = value.encode() if isinstance(value, str) else value
    return varint(number << 3 | 2) + varint(len(value)) + value


def profile(type_name, unit, values, time=0, duration=0):
    """A pprof profile of one sample type: a sample for each function, with its value; None is in the
    place of the name of a sample without a stack."""
    strings = ["", type_name, unit]
    message = field(1, field(1, 1) + field(2, 2))
    for number, (name, value) in enumerate(values.items(), start=1):
        if name is None:
            message += field(2, field(2, value))
            continue
        message += field(2, field(1, number) + field(2, value))
        message += field(4, field(1, number) + field(4, field(1, number)))
        message += field(5, field(1, number) + field(2, len(strings)))
        strings.append(name)
    return message + b"".join(field(6, text) for text in strings) + field(9, time) + field(10, duration)
