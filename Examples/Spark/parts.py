"""The options of `recordpack` that select the parts of a bundle. Zones are (database, name, owner)."""

from datetime import datetime, timezone

# A command line holds at most so many zones.
MOST_ZONES = 500


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
    return datetime.fromtimestamp(seconds, timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
