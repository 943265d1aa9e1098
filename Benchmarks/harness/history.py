"""Keeps the ratios of whole runs, a line of JSON for each, to see how they change with commits."""

import json
import subprocess
from pathlib import Path

FILE = Path(__file__).resolve().parent.parent / "history.jsonl"


def git(*arguments):
    done = subprocess.run(
        ["git", *arguments], cwd=FILE.parent, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        text=True,
    )
    return done.stdout.strip()


def add(machine, records, rounds, findings, is_given):
    """Adds a run, with whether the tool was given and not built.

    Uncommitted changes of the library are told by a `+` after the commit.
    """
    commit = git("rev-parse", "--short", "HEAD") or "unknown"
    changed = git("status", "--porcelain", "--", "../Sources", "../Package.swift")
    entry = {
        "commit": commit + ("+" if changed else ""),
        "processor": machine["processor"], "cores": machine["cores"],
        "records": records, "rounds": rounds, "toolWasGiven": is_given,
        "found": {
            f"{finding.what} / {finding.peer}": finding.found for finding in findings
            if finding.found != "missing"
        },
    }
    with open(FILE, "a", encoding="utf-8") as file:
        file.write(json.dumps(entry, ensure_ascii=False) + "\n")
