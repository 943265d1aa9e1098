"""Checks a whole bundle, as described in Format.md, "Checking and recovery"."""

import base64
import hashlib
import json
import re

from canonical import canonical_line
from xxh64 import xxh64

MAX_LINE = 32 << 20
KINDS = ["header", "zone", "subscription", "record", "tombstone", "zoneTombstone", "asset",
         "index"]
DATABASES = ["public", "private", "shared"]


def zone_key(zone):
    return zone["ownerRecordName"].encode(), zone["zoneName"].encode()


def order_key(item):
    """The sort key of a line."""
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


def first_name(item):
    """The name by which a line is ordered, for the index; None for zones."""
    return {"record": item.get("recordName"), "tombstone": item.get("recordName"),
            "subscription": item.get("subscriptionID"), "asset": item.get("sha256")}.get(item["kind"])


def section_of(item):
    """The properties that the lines of a section share."""
    section = {"kind": item["kind"]}
    if item["kind"] != "asset":
        section["database"] = item["database"]
    if item["kind"] in ("record", "tombstone"):
        section["zoneID"] = item["zoneID"]
    if item["kind"] == "record":
        section["recordType"] = item["recordType"]
    return section


def hash_of_header(line):
    """The contribution of a header to the content hash."""
    if json.loads(line).get("shard", {}).get("number", 1) > 1:
        return 0
    # Quotation marks within a text are escaped, so that this is nothing but the member.
    return xxh64(line.replace(b',"shard":{"number":1}', b"", 1))


def asset_digests(value):
    """The digests in all members `sha256` of a record."""
    if isinstance(value, dict):
        for name, member in value.items():
            if name == "sha256" and re.fullmatch("[0-9a-f]{64}", str(member)):
                yield member
            yield from asset_digests(member)
    if isinstance(value, list):
        for element in value:
            yield from asset_digests(element)


class Verification:
    """Checks all files of a bundle, line by line."""

    def __init__(self, files):
        self.files = files
        self.problems = []
        self.records = 0
        self.zones, self.wanted, self.stored = set(), set(), set()
        self.zone_lines = []
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
        for digest in sorted(self.stored - self.wanted):
            self.problem(f"no record refers to asset {digest}")

    def problem(self, text):
        self.problems.append(text)

    def check_file(self, file):
        sections, number, size, total = [], 0, 0, 0
        zone_lines = []
        listed = file.index["frames"]
        is_further = file.header.get("shard", {}).get("number", 1) > 1
        for frame in range(len(file.frames) - 1):
            lines = file.lines(frame)
            first = first_name(json.loads(lines[0]))
            if (len(lines), first) != (listed[frame]["lines"], listed[frame].get("first")):
                self.problem(f"{file.path}, frame {frame}: its lines differ from the index")
            for line in lines:
                number += 1
                size += len(line) + 1
                kind = self.check_line(file, number, line, frame, sections, is_further)
                if kind == "zone":
                    zone_lines.append(line)
                if kind == "header":
                    total += hash_of_header(line)
                elif not (kind == "zone" and is_further):
                    total += xxh64(line)
        if not is_further:
            self.zone_lines = zone_lines
        elif zone_lines != self.zone_lines:
            self.problem(f"{file.path}: its zone lines differ from those of the first file")
        if f"{total % 2**64:016x}" != file.index["contentHash"]:
            self.problem(f"{file.path}: the content hash is {total % 2**64:016x}")
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

    def check_line(self, file, number, line, frame, sections, is_further):
        place = f"line {number}"
        if len(line) > MAX_LINE:
            self.problem(f"{file.path}, {place}: too long")
        self.check_canonical(file, place, line)
        item = json.loads(line)
        kind = item["kind"]
        if kind == "header":
            if number != 1:
                self.problem(f"{file.path}, {place}: a header is not the first line")
            return kind
        self.count(item, len(line) + 1, frame, sections)
        key = order_key(item)
        if kind == "zone" and is_further:
            return kind  # Every file of a split bundle repeats the zones.
        if self.last is not None and key <= self.last:
            self.problem(f"{file.path}, {place}: out of order")
        self.last = key
        if kind == "zone":
            self.zones.add(key)
        else:
            self.check_zone(f"{file.path}, {place}", item)
        if kind == "record":
            self.records += 1
            self.wanted.update(asset_digests(item))
        if kind == "asset":
            self.check_asset(file, place, item)
        return kind

    def check_zone(self, place, item):
        if "zoneID" not in item:
            return
        zone = (KINDS.index("zone"), DATABASES.index(item["database"]), zone_key(item["zoneID"]))
        if item["kind"] == "zoneTombstone":
            if zone in self.zones:
                self.problem(f"{place}: the zone exists, and is deleted")
            return
        if zone not in self.zones:
            self.problem(f"{place}: its zone has no line")
        if item["kind"] in ("record", "tombstone"):
            name = (zone, item["recordName"])
            if name in self.names:
                self.problem(f"{place}: the name is repeated in its zone")
            self.names.add(name)

    @staticmethod
    def count(item, size, frame, sections):
        section = section_of(item)
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
                self.problem(f"{file.path}, {place}: the previous asset is incomplete")
            self.asset = (item["sha256"], item["size"], 0, hashlib.sha256())
        if self.asset is None or self.asset[:3] != (item["sha256"], item["size"], item["offset"]):
            self.problem(f"{file.path}, {place}: a chunk does not continue the previous one")
            return
        if len(data) != min(256 << 10, item["size"] - item["offset"]):
            self.problem(f"{file.path}, {place}: a chunk of {len(data)} bytes")
        sha256, size, offset, digest = self.asset
        digest.update(data)
        if offset + len(data) < size:
            self.asset = (sha256, size, offset + len(data), digest)
            return
        self.asset = None
        self.stored.add(sha256)
        if digest.hexdigest() != sha256:
            self.problem(f"{file.path}, {place}: the asset does not match its SHA-256")
