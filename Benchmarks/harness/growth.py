"""Tells how the time and memory of each task grow with the number of records."""

from .process import measure
from .report import table
from .setting import note

SIZES = [100_000, 400_000, 1_000_000, 4_000_000]


def measured(lanes, sizes):
    """For each task, a sample for each size: the faster of two runs."""
    found = {}
    for size in sizes:
        data = lanes.setting.data(size)
        for name, task in lanes.tasks.named.items():
            note(f"growth: {name}, {size} records")
            runs = [measure(task(data), size)[0] for _ in range(2)]
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
