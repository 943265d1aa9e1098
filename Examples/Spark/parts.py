"""How a bundle is cut into parts: the options of `recordpack` that select each.

Zones are (database, name, owner); rows are counts of lines by zone, kind and record type.
"""

import fnmatch
from datetime import datetime, timezone

# A command line holds at most so many zones.
MOST_ZONES = 500


def chosen_names(what, names, patterns):
    """Returns the names that are asked for. What is a name is no pattern, as for the tool."""
    chosen = set()
    for pattern in patterns:
        found = {pattern} & names or {n for n in names if fnmatch.fnmatchcase(n, pattern)}
        if not found:
            raise ValueError(f"no {what} matches '{pattern}'")
        chosen |= found
    return chosen


def wanted(counts, zones, types):
    """Leaves out what is not asked for: with types, also zones without such records.

    Raises ValueError for a name or pattern that nothing has.
    """
    zone_names = chosen_names(
        "zone", {row.zoneID.zoneName for row in counts if row.zoneID}, zones)
    type_names = chosen_names(
        "record type", {row.recordType for row in counts if row.recordType}, types)
    return [
        row for row in counts
        if (not zones or row.zoneID and row.zoneID.zoneName in zone_names)
        and (not types or row.recordType in type_names)]


def can_be_cut(rows, types):
    """Whether a zone can be cut by modification dates.

    What has no date is selected by every window, and would be in every part. And a window may have
    no deletion of a type that has no other records, which is an error for the tool.
    """
    dated = [row for row in rows if row.kind in ("record", "tombstone")]
    if any(row.undated for row in dated):
        return False
    records = {row.recordType for row in dated if row.kind == "record"}
    return not types or all(row.recordType in records for row in dated)


def zones_together(zones, limit, with_types):
    """Puts small zones of a database together, up to a number of records a part.

    `zones` has for each its number of records and its types. A zone without records needs a part,
    too: its line, and its subscriptions and deletions.
    """
    parts, part, size = [], [], 0
    for zone in zones:
        (database, *_), records, _ = zone
        if part and (
                part[0][0][0] != database or size + records > limit or len(part) == MOST_ZONES):
            parts.append(part)
            part, size = [], 0
        part.append(zone)
        size += records
    if part:
        parts.append(part)
    return [
        selection([zone for zone, _, _ in part],
                  set().union(*(types for _, _, types in part)) if with_types else ())
        for part in parts]


def cuts(dates, pieces):
    """Chooses from evenly spaced quantiles, in milliseconds, those between a number of pieces."""
    places = (round((len(dates) + 1) * piece / pieces) - 1 for piece in range(1, pieces))
    return sorted({int(dates[place] // 1000) for place in places})


def windows(zone, dates, types):
    """Cuts a zone by modification dates: before the first, from each to the next, from the last."""
    parts = []
    for since, until in zip([None, *dates], [*dates, None]):
        options = selection([zone], types)
        if since is not None:
            options += ["--since", text(since)]
        if until is not None:
            options += ["--until", text(until)]
        parts.append(options)
    return parts


def selection(zones, types):
    """Returns options for zones of one database."""
    return [
        "--database", zones[0][0], *(f"--zone={name}/{owner}" for _, name, owner in zones),
        *(f"--type={name}" for name in sorted(types))]


def text(seconds):
    moment = datetime.fromtimestamp(seconds, timezone.utc)
    return moment.isoformat(timespec="seconds").replace("+00:00", "Z")
