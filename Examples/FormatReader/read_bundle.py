#!/usr/bin/env python3
"""Reads a RecordPack bundle without RecordPack: written from Format.md alone.

    read_bundle.py list FILE...      what lies in the bundle
    read_bundle.py verify FILE...    check digests, counts, order, assets and canonical form
    read_bundle.py print FILE...     every record as one line of text
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

from canonical import canonical_line

MAX_FRAME_CONTENT = 64 << 20
MAX_LINE = 32 << 20
MAX_FRAMES = 1 << 22
SEEK_TABLE_MAGIC = 0x184D2A5E
SEEKABLE_MAGIC = 0x8F92EAB1
FRAME_MAGIC = 0xFD2FB528
KINDS = ["header", "zone", "subscription", "record", "tombstone", "zoneTombstone", "asset",
         "index"]
DATABASES = ["public", "private", "shared"]


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
        self.header = self.read_line(0)
        if self.header.get("kind") != "header" or self.header.get("format") != "recordpack":
            raise BundleError(f"{path}: the first line is no header")
        if self.header.get("formatVersion") != 1:
            raise BundleError(f"{path}: format version {self.header.get('formatVersion')}")
        self.index = self.read_line(len(self.frames) - 1)
        if self.index.get("kind") != "index":
            raise BundleError(f"{path}: the last line is no index")

    def read_seek_table(self):
        """(offset, compressed size, content size, checksum) of each frame."""
        data = self.data
        if len(data) < 17:
            raise BundleError(f"{self.path}: too short for a bundle")
        count, descriptor, magic = struct.unpack("<IBI", data[-9:])
        if magic != SEEKABLE_MAGIC:
            raise BundleError(f"{self.path}: no seek table at the end")
        entry = 12 if descriptor & 0x80 else 8
        size = count * entry + 9
        if descriptor & 0x7C or not 2 <= count <= MAX_FRAMES or size + 8 > len(data):
            raise BundleError(f"{self.path}: the seek table cannot be right")
        start = len(data) - size - 8
        if struct.unpack_from("<II", data, start) != (SEEK_TABLE_MAGIC, size):
            raise BundleError(f"{self.path}: the seek table does not begin where it should")
        frames, offset = [], 0
        for number in range(count):
            place = start + 8 + number * entry
            compressed, content = struct.unpack_from("<II", data, place)
            checksum = struct.unpack_from("<I", data, place + 8)[0] if entry == 12 else None
            frames.append((offset, compressed, content, checksum))
            offset += compressed
        if offset != start:
            raise BundleError(f"{self.path}: the seek table does not fit the frames")
        return frames

    def content(self, number):
        """The lines of a frame, decompressed."""
        offset, compressed, size, checksum = self.frames[number]
        frame = self.data[offset:offset + compressed]
        if size > MAX_FRAME_CONTENT or len(frame) < 14:
            raise BundleError(f"{self.path}, frame {number}: an impossible size")
        if struct.unpack_from("<I", frame)[0] != FRAME_MAGIC:
            raise BundleError(f"{self.path}, frame {number}: no zstd frame")
        if checksum is not None and struct.unpack("<I", frame[-4:])[0] != checksum:
            raise BundleError(f"{self.path}, frame {number}: the checksum is not the table's")
        content = decompress(frame, size)
        if len(content) != size or not content.endswith(b"\n"):
            raise BundleError(f"{self.path}, frame {number}: the content is not whole")
        return content

    def lines(self, number):
        """The lines of a frame, without their line feeds."""
        return self.content(number)[:-1].split(b"\n")

    def read_line(self, number):
        """The one line of the header's or the index's frame."""
        lines = self.lines(number)
        if len(lines) != 1:
            raise BundleError(f"{self.path}, frame {number}: it should hold one line")
        return json.loads(lines[0])


def open_bundle(paths):
    """The files of a bundle in order."""
    files = sorted((File(path) for path in paths),
                   key=lambda file: file.header.get("shard", {}).get("number", 0))
    if "shard" not in files[0].header:
        if len(files) > 1:
            raise BundleError("these are several bundles, not the files of one")
        return files
    digest = None
    for number, file in enumerate(files, 1):
        shard = file.header.get("shard", {})
        if shard.get("number") != number or shard.get("previousContentDigest") != digest:
            raise BundleError(f"{file.path}: file {number} of the bundle is missing")
        digest = file.index["contentDigest"]
    if files[-1].index.get("isLastShard") is not True:
        raise BundleError(f"file {len(files) + 1} of the bundle is missing")
    return files


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


def zone_key(zone):
    return zone["zoneName"].encode(), zone["ownerRecordName"].encode()


def order_key(item):
    """What lines are ordered by."""
    kind = item["kind"]
    key = [KINDS.index(kind)]
    if kind == "asset":
        return tuple(key + [item["sha256"].encode(), item["offset"]])
    key.append(DATABASES.index(item["database"]))
    if kind == "subscription":
        return tuple(key + [item["subscriptionID"].encode()])
    key.append(zone_key(item["zoneID"]))
    if kind == "record":
        key.append(item["recordType"].encode())
    if kind in ("record", "tombstone"):
        key.append(item["recordName"].encode())
    return tuple(key)


def list_bundle(files):
    header = files[0].header
    print(f"{header.get('container', 'no container named')}, {header.get('environment', '')}, "
          f"schema version {header.get('schemaVersion', 'unknown')}")
    for file in files:
        print(f"{file.path}: {len(file.data)} bytes, {len(file.frames)} frames, "
              f"{file.index['lines']} lines, content digest {file.index['contentDigest']}")
        for section in file.index["sections"]:
            zone = section.get("zoneID", {})
            print(f"  {section['lines']:8} × {section['kind']:14}{section.get('database', ''):8} "
                  f"{zone.get('zoneName', ''):14} {section.get('recordType', '')}")


class Verification:
    """Checks all files of a bundle, line by line."""

    def __init__(self, files):
        self.files = files
        self.problems = []
        self.records = 0
        self.zones, self.wanted, self.stored = set(), set(), set()
        self.names = set()
        self.last = None
        self.asset = None

    def run(self):
        for file in self.files:
            self.check_file(file)
        if self.asset is not None:
            self.problem("the last asset is not whole")
        for digest in sorted(self.wanted - self.stored):
            self.problem(f"asset {digest} is missing")

    def problem(self, text):
        self.problems.append(text)

    def check_file(self, file):
        digests, sections, number, size = [], [], 0, 0
        listed = file.index["frames"]
        if [(f["offset"], f["compressedSize"], f["size"]) for f in listed] != [
                frame[:3] for frame in file.frames[:-1]]:
            self.problem(f"{file.path}: the index lists other frames than the seek table")
        for frame in range(len(file.frames) - 1):
            content = file.content(frame)
            digest = hashlib.sha256(content)
            digests.append(digest.digest())
            lines = content[:-1].split(b"\n")
            size += len(content)
            if frame < len(listed) and (digest.hexdigest(), len(lines)) != (
                    listed[frame]["sha256"], listed[frame]["lines"]):
                self.problem(f"{file.path}, frame {frame}: other lines than the index says")
            for line in lines:
                number += 1
                self.check_line(file, number, line, frame, sections)
        content_digest = hashlib.sha256(b"".join(digests)).hexdigest()
        if content_digest != file.index["contentDigest"]:
            self.problem(f"{file.path}: the content digest is {content_digest}")
        if (number, size) != (file.index["lines"], file.index["bytes"]):
            self.problem(f"{file.path}: {number} lines and {size} bytes; the index differs")
        if sections != file.index["sections"]:
            self.problem(f"{file.path}: the index lists other sections")
        self.check_canonical(file, "the index", file.lines(len(file.frames) - 1)[0])

    def check_canonical(self, file, place, line):
        try:
            text = canonical_line(line)
        except (ValueError, KeyError, TypeError) as error:
            self.problem(f"{file.path}, {place}: {error!r}")
            return
        if text != line:
            at = next((i for i, (a, b) in enumerate(zip(text, line)) if a != b), 0)
            self.problem(f"{file.path}, {place}: not canonical near …{line[max(0, at - 30):at + 30]}"
                         f"…, expected …{text[max(0, at - 30):at + 30]}…")

    def check_line(self, file, number, line, frame, sections):
        place = f"line {number}"
        if len(line) > MAX_LINE:
            self.problem(f"{file.path}, {place}: too long")
        self.check_canonical(file, place, line)
        item = json.loads(line)
        kind = item["kind"]
        if kind == "header":
            if number != 1:
                self.problem(f"{file.path}, {place}: a header behind the first line")
            return
        self.count(item, len(line) + 1, frame, sections)
        key = order_key(item)
        if kind == "zone" and key in self.zones:
            return  # Every file of a split bundle names the zones again.
        if self.last is not None and key <= self.last:
            self.problem(f"{file.path}, {place}: out of order")
        self.last = key
        if kind == "zone":
            self.zones.add(key)
        elif kind in ("record", "tombstone"):
            self.check_zone(file, place, item)
        if kind == "record":
            self.records += 1
            self.wanted.update(asset_digests(item))
        if kind == "asset":
            self.check_asset(file, place, item)

    def check_zone(self, file, place, item):
        zone = (KINDS.index("zone"), DATABASES.index(item["database"]), zone_key(item["zoneID"]))
        if zone not in self.zones:
            self.problem(f"{file.path}, {place}: its zone is not described")
        name = (zone, item["recordName"])
        if item["kind"] == "record" and name in self.names:
            self.problem(f"{file.path}, {place}: the record's name comes twice in its zone")
        self.names.add(name)

    @staticmethod
    def count(item, size, frame, sections):
        section = {"kind": item["kind"]}
        if item["kind"] != "asset":
            section["database"] = item["database"]
        if item["kind"] in ("record", "tombstone"):
            section["zoneID"] = item["zoneID"]
        if item["kind"] == "record":
            section["recordType"] = item["recordType"]
        counts = ("lines", "bytes", "assets", "firstFrame", "lastFrame")
        last = sections[-1] if sections else {}
        if {k: v for k, v in last.items() if k not in counts} != section:
            section.update(lines=0, bytes=0, firstFrame=frame, lastFrame=frame)
            if item["kind"] == "asset":
                section["assets"] = 0
            sections.append(section)
        sections[-1]["lines"] += 1
        sections[-1]["bytes"] += size
        sections[-1]["lastFrame"] = frame
        if item["kind"] == "asset" and item["offset"] == 0:
            sections[-1]["assets"] += 1

    def check_asset(self, file, place, item):
        data = base64.b64decode(item["data"], validate=True)
        if item["offset"] == 0:
            if self.asset is not None:
                self.problem(f"{file.path}, {place}: the asset before is not whole")
            self.asset = (item["sha256"], item["size"], 0, hashlib.sha256())
        if self.asset is None or self.asset[:3] != (item["sha256"], item["size"], item["offset"]):
            self.problem(f"{file.path}, {place}: a piece that does not follow")
            return
        if len(data) != min(256 << 10, item["size"] - item["offset"]):
            self.problem(f"{file.path}, {place}: a piece of {len(data)} bytes")
        sha256, size, offset, digest = self.asset
        digest.update(data)
        if offset + len(data) < size:
            self.asset = (sha256, size, offset + len(data), digest)
            return
        self.asset = None
        self.stored.add(sha256)
        if digest.hexdigest() != sha256:
            self.problem(f"{file.path}, {place}: the asset has another SHA-256")


def asset_digests(record):
    for field in record["fields"].values():
        if field["type"] == "ASSET" and "sha256" in field["value"]:
            yield field["value"]["sha256"]
        if field["type"] == "ASSET_LIST":
            yield from (asset["sha256"] for asset in field["value"] if "sha256" in asset)


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


def main(arguments):
    if len(arguments) < 2 or arguments[0] not in ("list", "verify", "print", "asset"):
        print(__doc__, file=sys.stderr)
        return 2
    command, paths = arguments[0], arguments[1:]
    try:
        files = open_bundle(paths[1:] if command == "asset" else paths)
        if command == "list":
            list_bundle(files)
        elif command == "print":
            print_records(files)
        elif command == "asset":
            for item in all_lines(files):
                if item["kind"] == "asset" and item["sha256"] == paths[0]:
                    sys.stdout.buffer.write(base64.b64decode(item["data"]))
        else:
            check = Verification(files)
            check.run()
            for text in check.problems[:20]:
                print(text)
            if check.problems:
                return 1
            print(f"{check.records} records, {len(check.stored)} assets: intact and canonical; "
                  f"content digest {files[-1].index['contentDigest']}")
    except (BundleError, OSError, json.JSONDecodeError, KeyError, IndexError) as error:
        print(f"read_bundle.py: {error!r}" if isinstance(error, KeyError) else
              f"read_bundle.py: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
