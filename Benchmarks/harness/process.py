"""Runs programs, and says what they took."""

import json
import os
import subprocess
import time
from dataclasses import dataclass


class Missing(Exception):
    """A peer that is not there; its text says how to get it."""


class Failed(Exception):
    """A program that did not do its work."""


@dataclass
class Sample:
    """One run of something."""

    seconds: float
    cpu_seconds: float
    peak_bytes: int
    records: int
    file_bytes: int | None = None

    def rate(self):
        """Records a second."""
        return self.records / self.seconds

    def cpu_rate(self):
        """Records a second of processor time."""
        return self.records / self.cpu_seconds if self.cpu_seconds else None


def run(command, **options):
    """Runs a command that must succeed, and returns what it printed."""
    done = subprocess.run(
        [str(part) for part in command], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        text=True, **options,
    )
    if done.returncode != 0:
        text = (done.stderr or done.stdout).strip().splitlines()[-12:]
        raise Failed(f"{command[0]} ended with {done.returncode}: " + "\n".join(text))
    return done.stdout


def measure(command, records, environment=None):
    """Runs a command and measures the whole process, children of its own left out."""
    start = time.perf_counter()
    process = subprocess.Popen(
        [str(part) for part in command], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        env={**os.environ, **(environment or {})},
    )
    output = process.stdout.read()
    errors = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise Failed(
            f"{command[0]} ended with {process.returncode}: "
            + errors.decode(errors="replace").strip()[-2000:]
        )
    sample = Sample(
        seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024, records
    )
    return sample, output.decode(errors="replace")


def inner(text, sample=None):
    """The measurement that a program printed of itself, as the last line of its output."""
    values = json.loads(text.strip().splitlines()[-1])
    peak = values.get("peakBytes") or (sample.peak_bytes if sample else 0)
    cpu = values.get("cpuNanoseconds")
    return Sample(
        values["nanoseconds"] / 1e9,
        cpu / 1e9 if cpu is not None else sample.cpu_seconds if sample else 0,
        peak, values["records"], values.get("fileBytes"),
    )
