"""The filters of record names in the index, as described in Format.md, "index"."""

import base64

from xxh64 import xxh64

MIN_FRAMES = 32
MAX_RECORDS = 8 << 20


def filter_bits(name, size):
    """The bits that a name sets in a filter of that many bytes."""
    value = xxh64(name.encode())
    low, high = value & 0xFFFFFFFF, value >> 32
    return [(low + number * high & 0xFFFFFFFF) * size * 8 >> 32 for number in range(5)]


def name_filter(names):
    """The filter of the names of a frame's records, as text; None for no names."""
    data = bytearray(len(names))
    for name in names:
        for bit in filter_bits(name, len(data)):
            data[bit // 8] |= 1 << bit % 8
    return base64.b64encode(data).decode() if names else None


def may_contain(frame, name):
    """Whether a record of that name may lie in a frame, as far as its entry in the index tells."""
    if "nameFilter" not in frame:
        return True
    data = base64.b64decode(frame["nameFilter"])
    return all(data[bit // 8] >> bit % 8 & 1 for bit in filter_bits(name, len(data)))
