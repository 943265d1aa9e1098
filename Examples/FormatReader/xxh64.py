"""XXH64 with seed 0, from the xxHash specification, version 0.1.1."""

import struct

MASK = 2**64 - 1
P1, P2, P3, P4, P5 = (0x9E3779B185EBCA87, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9,
                      0x85EBCA77C2B2AE63, 0x27D4EB2F165667C5)


def rotate(value, count):
    return (value << count | value >> 64 - count) & MASK


def mix(lane, word):
    return rotate(lane + word * P2 & MASK, 31) * P1 & MASK


def xxh64(data):
    """The hash of some bytes, as a number."""
    size, place, value = len(data), 0, P5
    if size >= 32:
        a, b, c, d = P1 + P2 & MASK, P2, 0, -P1 & MASK
        for place in range(32, size + 1, 32):
            words = struct.unpack_from("<4Q", data, place - 32)
            a, b, c, d = mix(a, words[0]), mix(b, words[1]), mix(c, words[2]), mix(d, words[3])
        value = rotate(a, 1) + rotate(b, 7) + rotate(c, 12) + rotate(d, 18) & MASK
        for lane in (a, b, c, d):
            value = (value ^ mix(0, lane)) * P1 + P4 & MASK
    value = value + size & MASK
    while size - place >= 8:
        value = rotate(value ^ mix(0, struct.unpack_from("<Q", data, place)[0]), 27) * P1 + P4 & MASK
        place += 8
    if size - place >= 4:
        value ^= struct.unpack_from("<I", data, place)[0] * P1 & MASK
        value = rotate(value, 23) * P2 + P3 & MASK
        place += 4
    for byte in data[place:]:
        value = rotate(value ^ byte * P5 & MASK, 11) * P1 & MASK
    value = (value ^ value >> 33) * P2 & MASK
    value = (value ^ value >> 29) * P3 & MASK
    return value ^ value >> 32
