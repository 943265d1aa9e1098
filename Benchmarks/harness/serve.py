"""Requests a second of a served container, by wrk, beside a bare route and the handler itself."""

import json
import re
import shutil
import subprocess

from .process import Failed, Missing, run
from .report import table

CONNECTIONS = [1, 8, 64]


def measured(program, records, seconds, scratch):
    """Rows of lane, way, connections, requests a second, median and 99th percentile in ms."""
    if not shutil.which("wrk"):
        raise Missing("wrk is not installed")
    rows = []
    for connections in CONNECTIONS:
        text = run([program, "handler", str(records), str(seconds), str(connections)])
        for line in text.splitlines():
            lane, *numbers = line.split()
            rows.append([lane, "handler", connections, *map(float, numbers)])
    server = subprocess.Popen([program, "serve", str(records)], stdout=subprocess.PIPE, text=True)
    try:
        for lane in json.loads(server.stdout.readline()):
            for way, url in [("served", lane["url"]), ("bare route", lane["bare"])]:
                for connections in CONNECTIONS:
                    numbers = of_wrk(url, lane["body"], connections, seconds, scratch)
                    rows.append([lane["name"], way, connections, *numbers])
    finally:
        server.kill()
        server.wait()
    return sorted(rows, key=lambda row: (row[0], row[1], row[2]))


def of_wrk(url, body, connections, seconds, scratch):
    script = scratch / "request.lua"
    script.write_text(f'wrk.method = "POST"\nwrk.body = [==[{body}]==]\n', encoding="utf-8")
    threads = min(connections, 2)
    text = run(
        ["wrk", f"-t{threads}", f"-c{connections}", f"-d{seconds}s", "--latency", "-s", script, url]
    )
    if "Non-2xx" in text or "Socket errors" in text:
        raise Failed(f"wrk had errors from {url}:\n{text}")
    rate = float(re.search(r"Requests/sec:\s+([\d.]+)", text)[1])
    if not rate:
        raise Failed(f"no request to {url} was answered in {seconds} s")
    return rate, milliseconds(text, "50%"), milliseconds(text, "99%")


def milliseconds(text, part):
    number, unit = re.search(rf"\s{part}\s+([\d.]+)(us|ms|s)", text).groups()
    return float(number) * {"us": 0.001, "ms": 1, "s": 1000}[unit]


def as_text(rows):
    head = ["request", "way", "connections", "requests/s", "p50 ms", "p99 ms"]
    return table(
        [[*row[:2], str(row[2]), f"{row[3]:,.0f}", f"{row[4]:.2f}", f"{row[5]:.2f}"]
         for row in rows],
        head,
    )
