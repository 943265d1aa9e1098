#!/usr/bin/env python3
"""Writes a bundle without RecordPack: written from Format.md alone.

    zstd -dc < Tact.recordpack | python3 write_bundle.py Copy.recordpack

Takes the lines of a bundle in any order and any JSON form, and writes the one canonical bundle: the
content digest is the one that RecordPack gives. An index among the lines is left out and made anew.
Needs Python 3.9 and either the package `zstandard` or the command `zstd`.
"""

import hashlib
import json
import os
import struct
import subprocess
import sys

from canonical import canonical_line
from read_bundle import SEEK_TABLE_MAGIC, SEEKABLE_MAGIC, order_key

FRAME_SIZE = 2 << 20
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
        self.lines = []

    def end_frame(self):
        if not self.lines:
            return
        content = b"".join(self.lines)
        frame = compress(content)
        self.frames.append({
            "offset": len(self.file), "compressedSize": len(frame), "size": len(content),
            "lines": len(self.lines), "sha256": hashlib.sha256(content).hexdigest()})
        self.table.append(struct.pack("<II", len(frame), len(content)) + frame[-4:])
        self.file += frame
        self.lines = []

    def add(self, line):
        line += b"\n"
        if self.lines and sum(map(len, self.lines)) + len(line) > FRAME_SIZE:
            self.end_frame()
        self.lines.append(line)

    def note(self, item, size):
        """Counts a line in its section."""
        section = {"kind": item["kind"]}
        if item["kind"] != "asset":
            section["database"] = item["database"]
        if item["kind"] in ("record", "tombstone"):
            section["zoneID"] = item["zoneID"]
        if item["kind"] == "record":
            section["recordType"] = item["recordType"]
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
        digests = b"".join(bytes.fromhex(frame["sha256"]) for frame in self.frames)
        return {"kind": "index", "contentDigest": hashlib.sha256(digests).hexdigest(),
                "lines": sum(frame["lines"] for frame in self.frames),
                "bytes": sum(frame["size"] for frame in self.frames),
                "sections": sections, "frames": self.frames}

    def seek_table(self):
        entries = b"".join(self.table)
        content = entries + struct.pack("<IBI", len(self.table), 0x80, SEEKABLE_MAGIC)
        return struct.pack("<II", SEEK_TABLE_MAGIC, len(content)) + content


def bundle(lines):
    """The bytes of the bundle that holds these lines."""
    items = [(json.loads(line), canonical_line(line)) for line in lines]
    header = [line for item, line in items if item["kind"] == "header"]
    if len(header) != 1:
        raise ValueError(f"{len(header)} headers; there must be one")
    others = [pair for pair in items if pair[0]["kind"] not in ("header", "index")]
    writer = Writer()
    writer.add(header[0])
    writer.end_frame()
    for item, line in sorted(others, key=lambda pair: order_key(pair[0])):
        writer.add(line)
        writer.note(item, len(line))
    writer.end_frame()
    index = canonical_line(json.dumps(writer.index()).encode())
    writer.add(index)
    writer.end_frame()
    return bytes(writer.file) + writer.seek_table()


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
