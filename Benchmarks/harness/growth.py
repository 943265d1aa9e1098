"""Tells how the time and memory of each task grow with the number of records."""

from .process import measure
from .report import table
from .setting import note

SIZES = [100_000, 400_000, 1_000_000, 4_000_000]


def tasks(lanes, data):
    """Each task as a command, in the order in which the data for it is made."""
    bench, tool = lanes.setting.bench, lanes.setting.tool
    target = lanes.target
    return {
        "write, record by record": [
            bench, "generate", "--records", data.records, target("growth.recordpack")],
        "decode": [bench, "decode", "--threads", 2, data.bundle],
        "names": [bench, "names", "--threads", 2, data.bundle],
        "import": [tool, "import", data.bundle, target("growth.sqlite")],
        "export": [tool, "export", data.container, target("growth-2.recordpack")],
        "verify": [tool, "verify", data.bundle],
        "query --limit 1": [tool, "query", data.bundle, "--type", "Reaction", "--limit", 1],
    }


def measured(lanes, sizes):
    """For each task, a sample for each size: the faster of two runs."""
    found = {}
    for size in sizes:
        data = lanes.setting.data(size)
        for name in tasks(lanes, data):
            note(f"growth: {name}, {size} records")
            runs = [measure(tasks(lanes, data)[name], size)[0] for _ in range(2)]
            found.setdefault(name, []).append(min(runs, key=lambda run: run.seconds))
    return found


def as_text(found, sizes):
    """Microseconds a record, and the peak of the memory, at each size."""
    rows = []
    for name, samples in found.items():
        each = [f"{sample.seconds / sample.records * 1e6:.3f}" for sample in samples]
        peaks = [f"{sample.peak_bytes / 1e6:.0f}" for sample in samples]
        rows.append([name, *each, " / ".join(peaks)])
    return table(rows, ["µs a record at", *[f"{size:,}" for size in sizes], "peak in MB"])
