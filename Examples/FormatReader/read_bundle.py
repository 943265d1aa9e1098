#!/usr/bin/env python3
"""Reads a RecordPack bundle without RecordPack: written from Format.md alone.

    read_bundle.py list FILE...      what lies in the bundle
    read_bundle.py verify FILE...    check digests, counts, order, references and canonical form
    read_bundle.py print FILE...     every record as one line of text
    read_bundle.py find NAME FILE...      the records of a name, as lines
    read_bundle.py asset SHA256 FILE...   the bytes of an asset, to standard output

Needs Python 3.9 and either the package `zstandard` or the command `zstd`.
Exit code 0: fine; 1: the bundle is wrong; 2: wrong use.
"""

import base64
import hashlib
import json
import struct
import subprocess
import sys

from verification import Verification, order_key

MAX_FRAME_CONTENT = 64 << 20
MAX_FRAMES = 1 << 22
SEEK_TABLE_MAGIC = 0x184D2A5E
SEEKABLE_MAGIC = 0x8F92EAB1
FRAME_MAGIC = 0xFD2FB528
SEAL = struct.pack("<II", 0x184D2A50, 36) + b"RPK1"
# A frame without content, like every skippable frame; the checksum is that of nothing.
SEAL_ENTRY = struct.pack("<III", 44, 0, 0x51D8E999)


class BundleError(Exception):
    """What is wrong with a bundle."""


def decompress(frame, size):
    """The content of one zstd frame; its checksum is checked."""
    try:
        import zstandard
    except ImportError:
        run = subprocess.run(["zstd", "-dcq"], input=frame, capture_output=True, check=False)
        if run.returncode != 0:
            raise BundleError("a frame cannot be decompressed: " + run.stderr.decode().strip())
        return run.stdout
    try:
        return zstandard.ZstdDecompressor().decompress(frame, max_output_size=size)
    except zstandard.ZstdError as error:
        raise BundleError(f"a frame cannot be decompressed: {error}") from error


class File:
    """One file: its seek table, header and index."""

    def __init__(self, path):
        self.path = path
        with open(path, "rb") as file:
            self.data = file.read()
        self.frames = self.read_seek_table()
        self.digests = {len(self.frames) - 1: self.read_seal()}
        self.header = self.read_line(0)
        if self.header.get("kind") != "header" or self.header.get("format") != "recordpack":
            raise BundleError(f"{path}: the first line is not a header")
        if self.header.get("formatVersion") != 1:
            raise BundleError(f"{path}: format version {self.header.get('formatVersion')}")
        if self.header.get("requires"):
            raise BundleError(f"{path}: reading it requires {self.header['requires']}")
        self.index = self.read_line(len(self.frames) - 1)
        if self.index.get("kind") != "index":
            raise BundleError(f"{path}: the last line is not an index")
        listed = self.index["frames"]
        if [(f["offset"], f["compressedSize"], f["size"]) for f in listed] != [
                frame[:3] for frame in self.frames[:-1]]:
            raise BundleError(f"{path}: index and seek table list different frames")
        self.digests.update((number, frame["sha256"]) for number, frame in enumerate(listed))
        self.content(0)  # Now that its digest is known.

    def read_seek_table(self):
        """(offset, compressed size, content size, checksum) of each frame but the seal."""
        data = self.data
        if len(data) < 17 + 44:
            raise BundleError(f"{self.path}: too short for a bundle")
        count, descriptor, magic = struct.unpack("<IBI", data[-9:])
        if magic != SEEKABLE_MAGIC:
            raise BundleError(f"{self.path}: no seek table at the end")
        size = count * 12 + 9
        if descriptor != 0x80 or not 3 <= count <= MAX_FRAMES + 1 or size + 8 + 44 > len(data):
            raise BundleError(f"{self.path}: the seek table is invalid")
        start = len(data) - size - 8
        if struct.unpack_from("<II", data, start) != (SEEK_TABLE_MAGIC, size):
            raise BundleError(f"{self.path}: the seek table has a wrong size")
        frames, offset = [], 0
        for number in range(count - 1):
            entry = struct.unpack_from("<III", data, start + 8 + number * 12)
            frames.append((offset, *entry))
            offset += entry[0]
        self.seal = offset
        if offset + 44 != start or data[-9 - len(SEAL_ENTRY):-9] != SEAL_ENTRY:
            raise BundleError(f"{self.path}: the seek table does not match the frames")
        return frames

    def read_seal(self):
        """SHA-256 of the index's frame."""
        seal = self.data[self.seal:self.seal + 44]
        if not seal.startswith(SEAL):
            raise BundleError(f"{self.path}: the seal is damaged")
        return seal[12:].hex()

    @property
    def index_digest(self):
        return self.digests[len(self.frames) - 1]

    def content(self, number):
        """The lines of a frame, decompressed."""
        offset, compressed, size, checksum = self.frames[number]
        frame = self.data[offset:offset + compressed]
        if self.digests.get(number, hashlib.sha256(frame).hexdigest()) != hashlib.sha256(
                frame).hexdigest():
            raise BundleError(f"{self.path}, frame {number}: its bytes do not match their SHA-256")
        if not 0 < size <= MAX_FRAME_CONTENT or len(frame) < 14:
            raise BundleError(f"{self.path}, frame {number}: an invalid size")
        if struct.unpack_from("<I", frame)[0] != FRAME_MAGIC:
            raise BundleError(f"{self.path}, frame {number}: not a zstd frame")
        if struct.unpack("<I", frame[-4:])[0] != checksum:
            raise BundleError(f"{self.path}, frame {number}: its checksum differs from the seek table")
        content = decompress(frame, size)
        if len(content) != size or not content.endswith(b"\n"):
            raise BundleError(f"{self.path}, frame {number}: its content is incomplete")
        return content

    def lines(self, number):
        """The lines of a frame, without their line feeds."""
        return self.content(number)[:-1].split(b"\n")

    def read_line(self, number):
        """The one line of the header's or the index's frame."""
        lines = self.lines(number)
        if len(lines) != 1:
            raise BundleError(f"{self.path}, frame {number}: it has more than one line")
        return json.loads(lines[0])

    def frame_of(self, name, section):
        """The frame in which a line of a section lies, if it is there, by the name it is ordered by."""
        low, high = section["firstFrame"], section["lastFrame"]
        while low < high:
            middle = (low + high + 1) // 2
            if self.index["frames"][middle]["first"].encode() <= name.encode():
                low = middle
            else:
                high = middle - 1
        return low


def open_bundle(paths):
    """The files of a bundle in order."""
    files = sorted((File(path) for path in paths),
                   key=lambda file: file.header.get("shard", {}).get("number", 0))
    if "shard" not in files[0].header:
        if len(files) > 1:
            raise BundleError("the files belong to different bundles")
        return files
    digest = None
    for number, file in enumerate(files, 1):
        shard = file.header.get("shard", {})
        if shard.get("number") != number or shard.get("previousSHA256") != digest:
            raise BundleError(f"{file.path}: file {number} of the bundle is missing")
        if {**file.header, "shard": None} != {**files[0].header, "shard": None}:
            raise BundleError(f"{file.path}: its header differs from that of file 1")
        digest = file.index_digest
    if files[-1].index.get("isLastShard") is not True:
        raise BundleError(f"file {len(files) + 1} of the bundle is missing")
    return files


def content_hash(files):
    """The identity of the content of all files."""
    return f"{sum(int(file.index['contentHash'], 16) for file in files) % 2**64:016x}"


def all_lines(files):
    """Every line but headers and indexes, parsed."""
    seen_zones = set()
    for file in files:
        for number in range(1, len(file.frames) - 1):
            for line in file.lines(number):
                item = json.loads(line)
                if item["kind"] == "zone":
                    key = order_key(item)
                    if key in seen_zones:
                        continue
                    seen_zones.add(key)
                yield item


def find(files, name):
    """Prints the records of a name. Reads one frame for each zone and record type at most."""
    for file in files:
        sections = [s for s in file.index["sections"] if s["kind"] == "record"]
        for frame in sorted({file.frame_of(name, section) for section in sections}):
            for line in file.lines(frame):
                item = json.loads(line)
                if item["kind"] == "record" and item["recordName"] == name:
                    print(line.decode())


def list_bundle(files):
    header = files[0].header
    print(f"{header.get('container', 'no container identifier')}, {header.get('environment', '')}, "
          f"schema version {header.get('schemaVersion', 'unknown')}, "
          f"content hash {content_hash(files)}")
    for file in files:
        print(f"{file.path}: {len(file.data)} bytes, {len(file.frames)} frames, "
              f"{file.index['lines']} lines, SHA-256 of the index {file.index_digest}")
        for section in file.index["sections"]:
            zone = section.get("zoneID", {})
            print(f"  {section['lines']:8} × {section['kind']:14}{section.get('database', ''):8} "
                  f"{zone.get('zoneName', ''):14} {section.get('recordType', '')}")


def print_records(files):
    for item in all_lines(files):
        if item["kind"] != "record":
            continue
        fields = ", ".join(
            f"{name}: {'<encrypted>' if field.get('isEncrypted') else shown(field)}"
            for name, field in item["fields"].items())
        print(f"{item['database']}/{item['zoneID']['zoneName']}/{item['recordType']} "
              f"{item['recordName']} {{{fields}}}")


def shown(field):
    text = json.dumps(field["value"], ensure_ascii=False)
    return text if len(text) <= 60 else text[:57] + "..."


def verify(files):
    """Prints what is wrong. Returns the exit code."""
    check = Verification(files)
    check.run()
    for text in check.problems[:20]:
        print(text)
    if check.problems:
        return 1
    print(f"{check.records} records, {len(check.stored)} assets: intact and canonical; "
          f"content hash {content_hash(files)}")
    return 0


def main(arguments):
    commands = ("list", "verify", "print", "find", "asset")
    has_name = arguments[:1] in (["find"], ["asset"])
    if len(arguments) < 2 + has_name or arguments[0] not in commands:
        print(__doc__, file=sys.stderr)
        return 2
    command, paths = arguments[0], arguments[1:]
    try:
        files = open_bundle(paths[1:] if has_name else paths)
        if command == "list":
            list_bundle(files)
        elif command == "print":
            print_records(files)
        elif command == "find":
            find(files, paths[0])
        elif command == "asset":
            for item in all_lines(files):
                if item["kind"] == "asset" and item["sha256"] == paths[0]:
                    sys.stdout.buffer.write(base64.b64decode(item["data"]))
        else:
            return verify(files)
    except (BundleError, OSError, ValueError, KeyError, IndexError, TypeError) as error:
        print(f"read_bundle.py: {error!r}" if isinstance(error, KeyError) else
              f"read_bundle.py: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
