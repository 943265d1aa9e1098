"""Counts the instructions of our tasks, which repeat where the time does not."""

import re
import shutil
import subprocess

from .process import Failed
from .setting import note
from .tasks import Tasks

# What one task takes is the difference of two sizes: starting a program counts for nothing.
SIZES = [5_000, 25_000]


def counter():
    """How this machine counts: `perf`, if its processor tells, or `valgrind`; None if it cannot."""
    if shutil.which("perf"):
        done = subprocess.run(
            ["perf", "stat", "-x,", "-e", "instructions:u", "true"], stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True,
        )
        if re.search(r"^\d+,", done.stderr, re.MULTILINE):
            return "perf"
    return "valgrind" if shutil.which("valgrind") else None


def count(how, command):
    """The instructions of a command, all its threads and the kernel left out."""
    if how == "perf":
        prefix = ["perf", "stat", "-x,", "-e", "instructions:u"]
        pattern = r"^(\d+),"
    else:
        prefix = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"]
        pattern = r"Collected : (\d+)"
    done = subprocess.run(
        [*prefix, *(str(part) for part in command)], stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, text=True,
    )
    found = re.search(pattern, done.stderr, re.MULTILINE)
    if done.returncode != 0 or not found:
        raise Failed(f"{how} cannot count {command[0]}: {done.stderr.strip()[-300:]}")
    return int(found.group(1))


def stripped(lanes, program):
    """A copy without debug information, which valgrind cannot read."""
    copy = lanes.target(f"stripped-{program.name}")
    shutil.copy(program, copy)
    subprocess.run(["strip", "-g", copy], check=True)
    return copy


def measured(lanes):
    """Instructions a record of each task; an empty dictionary if the machine cannot count."""
    how = counter()
    if how is None:
        note("no instructions: neither perf nor valgrind can count here")
        return {}
    tasks = Tasks(
        stripped(lanes, lanes.setting.bench), stripped(lanes, lanes.setting.tool), lanes.target)
    totals = {}
    for size in SIZES:
        data = lanes.setting.data(size)
        for name, task in tasks.named.items():
            note(f"instructions ({how}): {name}, {size} records")
            totals.setdefault(name, []).append(count(how, task(data, threads=1)))
    return {
        name: (many - few) / (SIZES[1] - SIZES[0]) for name, (few, many) in totals.items()
    }
