"""The goals, and how near the numbers come."""

import statistics
from dataclasses import dataclass

# What, ours, the peer's, at least (ratio of records a second).
SPEED = [
    ("records → bundle, 2 threads", "write, 2 threads", "zstd -3 -T2", 1.1),
    ("records → bundle, 2 threads", "write, 2 threads", "Foundation encode", 20),
    ("records → bundle, level 3, 2 threads", "write, level 3, 2 threads", "zstd -3 -T2", 0.85),
    ("records → bundle, 1 thread", "write, 1 thread", "zstd -3", 0.7),
    ("bundle → typed structs, all fields, 2 threads", "typed, 2 threads", "zstd -d", 0.6),
    ("bundle → typed structs, all fields, 2 threads", "typed, 2 threads", "Foundation decode", 35),
    ("bundle → typed structs, all fields, per core", "typed, 1 thread", "serde_json, 1 core", 1.4),
    ("bundle → names, 2 threads", "names, 2 threads", "zstd -d", 1.3),
    ("container → bundle, whole process", "export", "zstd -3 -T2", 1.2),
    ("bundle → container, whole process", "import", "SQLite's C API", 0.75),
    ("bundle → container, whole process", "import", "DuckDB CREATE TABLE", 1.0),
    ("bundle of v1 → bundle of v5, whole process", "migrate", "copy", 0.65),
    ("fixture anonymise, whole process", "fixture anonymise", "copy, chats", 0.35),
    ("fixture generate, whole process", "fixture generate", "copy, chats", 0.5),
    ("fixture extract by predicate, whole process", "fixture extract, predicate",
     "names, 2 threads", 0.5),
    # At most 1.5 times the time.
    ("10,000 notes sent and fetched by engines", "sync, engines", "sync, direct calls", 0.67),
    # No goals, but good to know.
    ("one record by name, bundle", "query a name, bundle", "zstd -d | grep a name", None),
    ("one record by name, container", "query a name, container", "zstd -d | grep a name", None),
    ("records → bundle, 2 threads", "write, 2 threads", "orjson encode", None),
    ("records → bundle, 2 threads", "write, 2 threads", "DuckDB COPY TO", None),
    ("bundle → records, all fields, 2 threads", "decode, 2 threads", "zstd -d", None),
    ("bundle → records, all fields, 2 threads", "decode, 2 threads", "Foundation decode", None),
    ("bundle → records, all fields, per core", "decode, 1 thread", "serde_json, 1 core", None),
    ("bundle → Codable structs, all fields, 2 threads", "Codable, 2 threads", "Foundation decode",
     None),
    ("bundle → records, all fields, 2 threads", "decode, 2 threads", "orjson decode", None),
    ("bundle → records, all fields, 2 threads", "decode, 2 threads", "DuckDB read", None),
]
# What, the lane, at most (seconds).
TIMES = [("fixture extract of 100 records by name", "fixture extract, 100 names", 0.15)]
MOST_SIZE = 1.06
MOST_MEMORY = 64 << 20
# How much higher a peak may be on all of the data than on a quarter of it: a few frames, which are
# only filled where one thread runs ahead of the others.
SAME_MEMORY = 16 << 20


@dataclass
class Finding:
    """A goal and what became of it."""

    what: str
    peer: str
    goal: str
    found: str
    met: bool | None
    detail: str = ""


def ratios(ours, theirs, rate):
    """The ratio in each round: what slows a round down slows both sides."""
    pairs = [(rate(a), rate(b)) for a, b in zip(ours, theirs)]
    return [a / b for a, b in pairs if a and b]


def speed(samples, missing):
    findings = []
    for what, ours, peer, goal in SPEED:
        wanted = f"≥ {goal:g} ×" if goal else "–"
        for name in [ours, peer]:
            if name in missing:
                findings.append(
                    Finding(what, peer, wanted, "missing", None, f"{name}: {missing[name]}")
                )
                break
        else:
            if ours not in samples or peer not in samples:
                continue
            wall = ratios(samples[ours], samples[peer], lambda sample: sample.rate())
            cpu = ratios(samples[ours], samples[peer], lambda sample: sample.cpu_rate())
            found = statistics.median(wall)
            detail = f"{min(wall):.2f}–{max(wall):.2f}"
            if cpu:
                detail += f", by processor time {statistics.median(cpu):.2f}"
            findings.append(
                Finding(what, peer, wanted, f"{found:.2f} ×", goal and found >= goal, detail)
            )
    return findings


def times(samples):
    findings = []
    for what, lane, most in TIMES:
        seconds = [sample.seconds for sample in samples.get(lane, [])]
        if seconds:
            found = statistics.median(seconds)
            findings.append(
                Finding(
                    what, "–", f"≤ {most:g} s", f"{found:.3f} s", found <= most,
                    f"{min(seconds):.3f}–{max(seconds):.3f} s",
                )
            )
    return findings


def size(bundle_bytes, zstd_bytes):
    ratio = bundle_bytes / zstd_bytes
    return Finding(
        "size of the bundle, default level", "zstd -3", f"≤ {MOST_SIZE:g} ×", f"{ratio:.3f} ×",
        ratio <= MOST_SIZE, f"{bundle_bytes} and {zstd_bytes} bytes",
    )


def memory(peaks):
    findings = []
    for name, (quarter, whole) in peaks.items():
        if name == "copy":
            continue
        most, words = MOST_MEMORY, "≤ 64 MB"
        if name == "migrate":
            copy = peaks["copy"][1]
            most, words = copy + SAME_MEMORY, f"about a copy's {copy / 1e6:.0f} MB"
        met = whole <= most and whole <= quarter + SAME_MEMORY
        findings.append(
            Finding(
                f"peak memory: {name}", "–", f"{words}, the same at 4 × the data",
                f"{whole / 1e6:.0f} MB", met, f"{quarter / 1e6:.0f} MB at a quarter",
            )
        )
    return findings
