"""Tells people and programs what was found."""

import json
from dataclasses import asdict

VERDICTS = {True: "met", False: "NOT MET", None: "", 0: "NOT MET"}


def table(rows, header):
    """Rows as aligned columns."""
    rows = [header, *rows]
    widths = [max(len(row[column]) for row in rows) for column in range(len(header))]
    lines = []
    for number, row in enumerate(rows):
        lines.append("  ".join(text.ljust(width) for text, width in zip(row, widths)).rstrip())
        if number == 0:
            lines.append("  ".join("-" * width for width in widths))
    return "\n".join(lines)


def as_text(machine, data, lanes, findings, missing, judged, rounds):
    parts = [
        f"{machine['processor']}, {machine['cores']} cores, "
        f"{machine['memoryBytes'] / 1e9:.0f} GB, {machine['system']}",
        f"{machine['swift']}",
        f"{machine['zstd']}",
        f"load before: {machine['load']:.2f}",
        f"{data['records']} records, {data['lineBytes'] / 1e6:.0f} MB of lines, bundle "
        f"{data['bundleBytes'] / 1e6:.1f} MB; {rounds} rounds, all lanes by turns; medians",
        "",
        table(
            [
                [
                    name, f"{lane.seconds:.3f} s", f"{lane.cpu_seconds:.3f} s",
                    f"{lane.records / lane.seconds / 1e3:.0f}", f"{lane.peak_bytes / 1e6:.0f} MB",
                ]
                for name, lane in lanes.items()
            ],
            ["lane", "time", "processor time", "1000 records/s", "peak"],
        ),
        "",
        table(
            [
                [
                    finding.what, finding.peer, finding.goal if judged else "", finding.found,
                    VERDICTS[finding.met] if judged else "", finding.detail,
                ]
                for finding in findings
            ],
            ["what", "against", "goal", "found", "", "range over the rounds"],
        ),
    ]
    if missing:
        parts += ["", "missing peers:"]
        parts += [f"  {name}: {reason}" for name, reason in missing.items()]
    return "\n".join(parts)


def as_json(machine, data, lanes, samples, findings, missing, judged, rounds):
    return json.dumps(
        {
            "machine": machine,
            "data": data,
            "rounds": rounds,
            "judged": judged,
            "lanes": {
                name: {"median": asdict(lane), "runs": [asdict(run) for run in samples[name]]}
                for name, lane in lanes.items()
            },
            "findings": [
                {**asdict(finding), "met": None if finding.met is None else bool(finding.met)}
                for finding in findings
            ],
            "missing": missing,
        },
        indent=2, ensure_ascii=False,
    )
