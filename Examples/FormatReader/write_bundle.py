#!/usr/bin/env python3
"""Writes a bundle without RecordPack: written from Format.md alone.

    zstd -dc < Tact.recordpack | python3 write_bundle.py Copy.recordpack

Takes the lines of a bundle in any order and any JSON form, and writes the one canonical bundle: the
content hash and the frames are those that RecordPack makes. An index among the lines is left out and made anew.
Needs Python 3.9 and either the package `zstandard` or the command `zstd`.
"""

import hashlib
import json
import os
import struct
import subprocess
import sys

from canonical import canonical_line
from read_bundle import SEAL, SEAL_ENTRY, SEEK_TABLE_MAGIC, SEEKABLE_MAGIC
from verification import first_name, hash_of_header, order_key, section_of
from xxh64 import xxh64

SMALLEST_FRAME = 64 << 10
LARGEST_FRAME = 1 << 20
LEVEL = 2


def compress(content):
    """One zstd frame with content size and checksum."""
    try:
        import zstandard
    except ImportError:
        command = ["zstd", f"-{LEVEL}", "-cq", "--check", f"--stream-size={len(content)}"]
        return subprocess.run(command, input=content, capture_output=True, check=True).stdout
    return zstandard.ZstdCompressor(
        level=LEVEL, write_checksum=True, write_content_size=True).compress(content)


class Writer:
    """Cuts lines into frames, and remembers what the index has to say."""

    def __init__(self):
        self.file = bytearray()
        self.table = []
        self.frames, self.sections = [], []
        self.lines, self.size, self.first = [], 0, None
        self.ended = 0
        self.hash = 0

    def end_frame(self):
        if not self.lines:
            return
        content = b"".join(self.lines)
        frame = compress(content)
        first = {} if self.first is None else {"first": self.first}
        self.frames.append({
            "offset": len(self.file), "compressedSize": len(frame), "size": len(content),
            "lines": len(self.lines), **first, "sha256": hashlib.sha256(frame).hexdigest()})
        self.table.append(struct.pack("<II", len(frame), len(content)) + frame[-4:])
        self.file += frame
        self.ended += len(content)
        self.lines, self.size = [], 0

    def frame_size(self):
        """Where the current frame is cut: the writer's choice, and this is RecordPack's."""
        eighth = max(1, self.ended // 8)
        return min(max(SMALLEST_FRAME, 1 << eighth.bit_length() - 1), LARGEST_FRAME)

    def add(self, line, first=None):
        line += b"\n"
        if self.lines and self.size + len(line) > self.frame_size():
            self.end_frame()
        if not self.lines:
            self.first = first
        self.lines.append(line)
        self.size += len(line)

    def note(self, item, size):
        """Counts a line in its section."""
        section = section_of(item)
        frame = len(self.frames)
        if not self.sections or self.sections[-1][0] != section:
            self.sections.append((section, {"lines": 0, "bytes": 0, "assets": 0, "first": frame}))
        counts = self.sections[-1][1]
        counts["lines"] += 1
        counts["bytes"] += size + 1
        counts["assets"] += item["kind"] == "asset" and item["offset"] == 0
        counts["last"] = frame

    def index(self):
        sections = []
        for section, counts in self.sections:
            assets = {"assets": counts["assets"]} if section["kind"] == "asset" else {}
            sections.append({**section, "lines": counts["lines"], "bytes": counts["bytes"],
                             **assets, "firstFrame": counts["first"], "lastFrame": counts["last"]})
        return {"kind": "index", "contentHash": f"{self.hash % 2**64:016x}",
                "lines": sum(frame["lines"] for frame in self.frames),
                "bytes": sum(frame["size"] for frame in self.frames),
                "sections": sections, "frames": self.frames}

    def seal(self):
        return SEAL + bytes.fromhex(self.frames[-1]["sha256"])

    def seek_table(self):
        entries = self.table + [SEAL_ENTRY]
        content = b"".join(entries) + struct.pack("<IBI", len(entries), 0x80, SEEKABLE_MAGIC)
        return struct.pack("<II", SEEK_TABLE_MAGIC, len(content)) + content


def bundle(lines):
    """The bytes of the bundle that holds these lines."""
    items = [(json.loads(line), canonical_line(line)) for line in lines]
    header = [line for item, line in items if item["kind"] == "header"]
    if len(header) != 1:
        raise ValueError(f"{len(header)} headers; exactly one was expected")
    others = [pair for pair in items if pair[0]["kind"] not in ("header", "index")]
    writer = Writer()
    writer.add(header[0])
    writer.hash += hash_of_header(header[0])
    writer.end_frame()
    for item, line in sorted(others, key=lambda pair: order_key(pair[0])):
        writer.add(line, first_name(item))
        writer.hash += xxh64(line)
        writer.note(item, len(line))
    writer.end_frame()
    index = canonical_line(json.dumps(writer.index()).encode())
    writer.add(index)
    writer.end_frame()
    return bytes(writer.file) + writer.seal() + writer.seek_table()


def main(arguments):
    if len(arguments) != 1:
        print(__doc__, file=sys.stderr)
        return 2
    data = bundle(line.rstrip(b"\n") for line in sys.stdin.buffer)
    temporary = arguments[0] + ".part"
    with open(temporary, "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    os.replace(temporary, arguments[0])
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
