# SPDX-License-Identifier: Apache-2.0
"""Reads and writes protobuf messages, and writes profiles that need not be real."""


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


def read_varint(data, at):
    """A number, which is below 2**64, and where it ends."""
    number = shift = 0
    while True:
        number |= (data[at] & 0x7f) << shift
        at, shift = at + 1, shift + 7
        if data[at - 1] < 0x80:
            return number % 2**64, at


def fields(data):
    """The fields of a message: the number, the value, which is a number or bytes, and the field as
    it stands. There are varints and lengths only."""
    at = 0
    while at < len(data):
        start = at
        key, at = read_varint(data, at)
        value, at = read_varint(data, at)
        if key & 7 == 2:
            value, at = data[at:at + value], at + value
        yield key >> 3, value, data[start:at]


def without(data, *numbers):
    """A message without the fields of these numbers."""
    return b"".join(whole for number, _, whole in fields(data) if number not in numbers)


def profile(type_name, unit, values, time=0, duration=0):
    """A pprof profile of one sample type: a sample for each function, with its value; None is in
    the place of the name of a sample without a stack."""
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
    return message + b"".join(field(6, text) for text in strings) + \
        field(9, time) + field(10, duration)
