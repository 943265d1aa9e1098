"""The canonical form of a bundle's lines, written from Format.md alone.

`canonical_line` reads a line in any form and gives the one form that a writer must write.
"""

import base64
import decimal
import json
import re
import sys

EXACT = decimal.Context(prec=4000)
SECONDS_TO_2001 = decimal.Decimal(978307200)
OPTIONAL, REQUIRED = False, True


class Number(str):
    """The text of a JSON number, as it stood there."""


def canonical_line(line):
    """The canonical bytes of a line, without its line feed."""
    item = json.loads(line.decode("utf-8"), object_pairs_hook=members_once, parse_int=Number,
                      parse_float=Number, parse_constant=refuse)
    if item.get("kind") not in LINES:
        raise ValueError(f"a line of the unknown kind {item.get('kind')!r}")
    if item["kind"] == "record" and item.get("deleted") in (None, False):
        item.pop("deleted", None)  # It says nothing.
    for name in RESERVED.get(item["kind"], ()):
        if name in item:
            raise ValueError(f"a {item['kind']} with a member '{name}'")
    return write_object(item, LINES[item["kind"]], zone_of(item)).encode("utf-8")


def members_once(pairs):
    members = dict(pairs)
    if len(members) != len(pairs):
        raise ValueError("a repeated name in an object")
    return members


def refuse(text):
    raise ValueError(f"{text} is not JSON")


def zone_of(item):
    """The zone that references of a line need not name."""
    if item["kind"] == "subscription" and "zoneID" not in item:
        return {"zoneName": "_defaultZone", "ownerRecordName": "__defaultOwner__"}
    return item.get("zoneID")


# Scalars. Each takes a parsed value and the zone of the line, and gives canonical text.

SHORT = {'"': '\\"', "\\": "\\\\", "\b": "\\b", "\t": "\\t", "\n": "\\n", "\f": "\\f",
         "\r": "\\r"}


def escape(match):
    character = match.group()
    return SHORT.get(character) or f"\\u{ord(character):04x}"


def string(value, _zone):
    if not isinstance(value, str) or isinstance(value, Number):
        raise ValueError(f"{value!r} is not a string")
    value.encode("utf-8")  # Refuses lone surrogates.
    return '"' + re.sub(r'["\\\x00-\x1f]', escape, value) + '"'


def nonempty(value, zone):
    if value == "":
        raise ValueError("an empty name")
    return string(value, zone)


def hexadecimal(count):
    """A text of so many lowercase digits."""
    def write(value, zone):
        text = string(value, zone)
        if not re.fullmatch(f"[0-9a-f]{{{count}}}", value):
            raise ValueError(f"{value!r} is not {count} lowercase hexadecimal digits")
        return text
    return write


SHA256 = hexadecimal(64)


def integer(value, _zone):
    if not isinstance(value, Number):
        raise ValueError(f"{value!r} is not an integer")
    number = int(value)
    if not -2**63 <= number < 2**63:
        raise ValueError(f"{value} does not fit into 64 bits")
    return str(number)


def true(value, _zone):
    if value is not True:
        raise ValueError(f"{value!r} is not true")
    return "true"


def boolean(value, _zone):
    if value is not True and value is not False:
        raise ValueError(f"{value!r} is neither true nor false")
    return "true" if value else "false"


def shortest_digits(value):
    """Sign, digits and the place of the point: 0.digits × 10^point."""
    sign, digits, exponent = decimal.Decimal(repr(value)).as_tuple()
    text = "".join(map(str, digits)).lstrip("0")
    point = len(text) + exponent
    text = text.rstrip("0")
    return "-" if sign else "", text, point


def double(value, _zone):
    if not isinstance(value, Number):
        raise ValueError(f"{value!r} is not a number")
    number = float(value)
    if number in (float("inf"), float("-inf")):
        raise ValueError(f"{value} is too large for a double")
    sign, digits, point = shortest_digits(number)
    if not digits:
        return sign + "0"
    count = len(digits)
    if count <= point <= 21:
        return sign + digits + "0" * (point - count)
    if 0 < point <= 21:
        return sign + digits[:point] + "." + digits[point:]
    if -6 < point <= 0:
        return sign + "0." + "0" * -point + digits
    fraction = "." + digits[1:] if count > 1 else ""
    return f"{sign}{digits[0]}{fraction}e{point - 1:+d}"


def parse_date(text):
    """Seconds since 2001 as a float."""
    exact = EXACT.subtract(decimal.Decimal(text).scaleb(-3, EXACT), SECONDS_TO_2001)
    if exact == 0:
        return -0.0 if re.fullmatch(r"-?[0-9]+\.[0-9]", text) else 0.0
    return float(exact)


def date(value, _zone):
    if not isinstance(value, Number):
        raise ValueError(f"{value!r} is not a date")
    seconds = parse_date(value)
    if str(seconds) == "-0.0":
        return "978307200000.0"
    exact = EXACT.add(decimal.Decimal(repr(seconds)), SECONDS_TO_2001).scaleb(3, EXACT)
    text = format(exact, "f")
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    return "0" if exact == 0 else text


def base64_text(value, zone):
    data = base64.b64decode(value, validate=True)
    if base64.b64encode(data).decode() != value:
        raise ValueError("base64 with unused bits that are not zero")
    return string(value, zone)


def raw(value, zone):
    """JSON that is kept as it came."""
    if isinstance(value, dict):
        return "{" + ",".join(
            f"{string(name, zone)}:{raw(member, zone)}" for name, member in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ",".join(raw(element, zone) for element in value) + "]"
    if isinstance(value, Number):
        return str(value)
    return {None: "null", True: "true", False: "false"}[value] if value in (
        None, True, False) else string(value, zone)


# Objects: a list of members in order, and whether others are kept.

def write_object(value, shape, zone):
    members, keeps_others = shape
    if not isinstance(value, dict):
        raise ValueError(f"{value!r} is not an object")
    parts, known = [], set()
    for name, write, is_required in members:
        known.add(name)
        if name not in value or (value[name] is None and not is_required):
            if is_required:
                raise ValueError(f"the member '{name}' is missing")
            continue
        parts.append(f'"{name}":{write(value[name], zone)}')
    if keeps_others:
        for name in sorted(set(value) - known, key=lambda name: name.encode("utf-8")):
            parts.append(f"{string(name, zone)}:{raw(value[name], zone)}")
    return "{" + ",".join(parts) + "}"


def of(shape):
    return lambda value, zone: write_object(value, shape, zone)


def list_of(write):
    def write_list(value, zone):
        if not isinstance(value, list):
            raise ValueError(f"{value!r} is not an array")
        return "[" + ",".join(write(element, zone) for element in value) + "]"
    return write_list


def nothing_if_empty(members, value):
    """Leaves lists out that are empty, and flags that are false."""
    return {name: member for name, member in value.items()
            if not (name in members and member in ([], False))}


ZONE_ID = ([("zoneName", nonempty, REQUIRED), ("ownerRecordName", nonempty, REQUIRED)], False)
REFERENCE = ([("recordName", nonempty, REQUIRED), ("zoneID", of(ZONE_ID), OPTIONAL),
              ("action", string, REQUIRED)], True)


def reference(value, zone):
    if value.get("zoneID") == zone:
        value = {name: member for name, member in value.items() if name != "zoneID"}
    if "action" not in value:
        value = {**value, "action": "NONE"}
    return write_object(value, REFERENCE, zone)


STAMP = ([("timestamp", date, OPTIONAL), ("userRecordName", string, OPTIONAL),
          ("deviceID", string, OPTIONAL)], True)
LOCATION = ([("latitude", double, REQUIRED), ("longitude", double, REQUIRED)] + [
    (name, double, OPTIONAL)
    for name in ("altitude", "horizontalAccuracy", "verticalAccuracy", "course", "speed")
] + [("timestamp", date, OPTIONAL)], True)
ASSET = ([("sha256", SHA256, OPTIONAL), ("size", integer, OPTIONAL)] + [
    (name, string, OPTIONAL)
    for name in ("fileChecksum", "referenceChecksum", "wrappingKey", "receipt", "downloadURL")
], True)
SCALARS = {"STRING": string, "INT64": integer, "DOUBLE": double, "TIMESTAMP": date,
           "BYTES": base64_text, "LOCATION": of(LOCATION), "REFERENCE": reference,
           "ASSET": of(ASSET)}
VALUES = {**SCALARS, **{name + "_LIST": list_of(write) for name, write in SCALARS.items()}}


def field(value, zone):
    write = VALUES.get(value["type"], raw)
    shape = ([("type", string, REQUIRED), ("isEncrypted", true, OPTIONAL),
              ("value", write, REQUIRED)], True)
    return write_object(nothing_if_empty(["isEncrypted"], value), shape, zone)


def fields(value, zone):
    names = sorted(value, key=lambda name: name.encode("utf-8"))
    return "{" + ",".join(f"{string(name, zone)}:{field(value[name], zone)}"
                          for name in names) + "}"


FILTER = ([("comparator", string, REQUIRED), ("fieldName", string, REQUIRED),
           ("fieldValue", field, REQUIRED), ("distance", double, OPTIONAL)], True)
SORT = ([("fieldName", string, REQUIRED), ("ascending", boolean, REQUIRED),
         ("relativeLocation", of(LOCATION), OPTIONAL)], True)
QUERY = ([("recordType", string, REQUIRED), ("filterBy", list_of(of(FILTER)), OPTIONAL),
          ("sortBy", list_of(of(SORT)), OPTIONAL)], True)
STRINGS = list_of(string)
NOTIFICATION = ([
    ("alertBody", string, OPTIONAL), ("alertLocalizationKey", string, OPTIONAL),
    ("alertLocalizationArgs", STRINGS, OPTIONAL),
    ("alertActionLocalizationKey", string, OPTIONAL), ("alertLaunchImage", string, OPTIONAL),
    ("title", string, OPTIONAL), ("titleLocalizationKey", string, OPTIONAL),
    ("titleLocalizationArgs", STRINGS, OPTIONAL), ("subtitle", string, OPTIONAL),
    ("subtitleLocalizationKey", string, OPTIONAL),
    ("subtitleLocalizationArgs", STRINGS, OPTIONAL), ("soundName", string, OPTIONAL),
    ("category", string, OPTIONAL), ("collapseIdKey", string, OPTIONAL),
    ("additionalFields", STRINGS, OPTIONAL), ("shouldBadge", true, OPTIONAL),
    ("shouldSendContentAvailable", true, OPTIONAL),
    ("shouldSendMutableContent", true, OPTIONAL)], True)


def query(value, zone):
    return write_object(nothing_if_empty(["filterBy", "sortBy"], value), QUERY, zone)


def notification(value, zone):
    names = [name for name, write, _ in NOTIFICATION[0] if write in (STRINGS, true)]
    return write_object(nothing_if_empty(names, value), NOTIFICATION, zone)


def capabilities(value, zone):
    return STRINGS(sorted(value), zone)


SHARD = ([("number", integer, REQUIRED), ("previousSHA256", SHA256, OPTIONAL)], False)
SECTION = ([("kind", string, REQUIRED), ("database", string, OPTIONAL),
            ("zoneID", of(ZONE_ID), OPTIONAL), ("recordType", nonempty, OPTIONAL),
            ("lines", integer, REQUIRED), ("bytes", integer, REQUIRED),
            ("assets", integer, OPTIONAL), ("firstFrame", integer, REQUIRED),
            ("lastFrame", integer, REQUIRED)], False)
FRAME = ([("offset", integer, REQUIRED), ("compressedSize", integer, REQUIRED),
          ("size", integer, REQUIRED), ("lines", integer, REQUIRED),
          ("first", string, OPTIONAL), ("sha256", SHA256, REQUIRED)], False)
SUBSCRIPTION = [
    ("subscriptionID", nonempty, REQUIRED), ("subscriptionType", string, REQUIRED),
    ("zoneID", of(ZONE_ID), OPTIONAL), ("recordType", string, OPTIONAL),
    ("query", query, OPTIONAL), ("firesOn", STRINGS, OPTIONAL), ("firesOnce", true, OPTIONAL),
    ("notificationInfo", notification, OPTIONAL)]
NAME = ([(name, string, OPTIONAL) for name in (
    "namePrefix", "givenName", "middleName", "familyName", "nameSuffix", "nickname")], True)
LOOKUP = ([(name, string, OPTIONAL) for name in (
    "emailAddress", "phoneNumber", "userRecordName")], True)


def account_subscription(value, _zone):
    shape = ([("database", string, REQUIRED)] + SUBSCRIPTION, True)
    return write_object(value, shape, zone_of({"kind": "subscription", **value}))


ACCOUNT = ([("userRecordName", nonempty, REQUIRED), ("nameComponents", of(NAME), OPTIONAL),
            ("lookupInfo", of(LOOKUP), OPTIONAL),
            ("subscriptions", list_of(account_subscription), OPTIONAL)], True)
# Members that would make something else of a line, and so are none of the unknown ones.
RESERVED = {"record": ["deleted"], "zone": ["deleted", "records", "serverErrorCode"]}
KIND = ("kind", string, REQUIRED)
PLACE = [KIND, ("database", string, REQUIRED)]
LINES = {
    "header": ([KIND, ("format", string, REQUIRED), ("formatVersion", integer, REQUIRED),
                ("requires", STRINGS, OPTIONAL), ("container", string, OPTIONAL), ("environment", string, OPTIONAL),
                ("currentUser", string, OPTIONAL), ("accounts", list_of(of(ACCOUNT)), OPTIONAL),
                ("schemaVersion", string, OPTIONAL),
                ("schema", string, OPTIONAL), ("shard", of(SHARD), OPTIONAL)], True),
    "zone": (PLACE + [("zoneID", of(ZONE_ID), REQUIRED), ("capabilities", capabilities, REQUIRED),
                      ("share", reference, OPTIONAL)], True),
    "subscription": (PLACE + SUBSCRIPTION, True),
    "record": (PLACE + [
        ("zoneID", of(ZONE_ID), REQUIRED), ("recordType", nonempty, REQUIRED),
        ("recordName", nonempty, REQUIRED), ("recordChangeTag", string, OPTIONAL),
        ("created", of(STAMP), OPTIONAL), ("modified", of(STAMP), OPTIONAL),
        ("parent", reference, OPTIONAL), ("share", reference, OPTIONAL),
        ("fields", fields, REQUIRED)], True),
    "tombstone": (PLACE + [
        ("zoneID", of(ZONE_ID), REQUIRED), ("recordName", nonempty, REQUIRED),
        ("recordType", nonempty, OPTIONAL), ("recordChangeTag", string, OPTIONAL),
        ("deleted", date, OPTIONAL)], True),
    "zoneTombstone": (
        PLACE + [("zoneID", of(ZONE_ID), REQUIRED), ("reason", string, OPTIONAL)], False),
    "asset": ([KIND, ("sha256", SHA256, REQUIRED), ("size", integer, REQUIRED),
               ("offset", integer, REQUIRED), ("data", base64_text, REQUIRED)], False),
    "index": ([KIND, ("contentHash", hexadecimal(16), REQUIRED), ("lines", integer, REQUIRED),
               ("bytes", integer, REQUIRED), ("sections", list_of(of(SECTION)), REQUIRED),
               ("frames", list_of(of(FRAME)), REQUIRED), ("isLastShard", boolean, OPTIONAL)],
              False),
}

if __name__ == "__main__":
    # Lines of any form on standard input, canonical lines on standard output.
    for text in sys.stdin.buffer:
        sys.stdout.buffer.write(canonical_line(text.rstrip(b"\n")) + b"\n")
