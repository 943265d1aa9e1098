#!/usr/bin/env python3
"""Anonymises a split bundle in parts, on the executors of a Spark cluster.

    recordpack export Tact.sqlite -o shards/tact.zst --split-size 100MB
    python3 anonymise.py shards parts --policy policy.yml --key-file anonymise.key
    recordpack import parts/*.zst Test.sqlite

Counts the lines of the shards with Spark, cuts the zones into parts of about equal size, and runs
`recordpack fixture anonymise` and `recordpack verify` for each part as a task. Pseudonyms depend on
the key and the name alone, so the parts fit together. README.md says what executors need.

The exit code is 1 if a part has values that were kept and look personal, or lacks the bytes of an
asset; and 2 for an error.
"""

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path

from parts import can_be_cut, cuts, wanted, windows, zones_together
from pyspark.sql import SparkSession, functions

# What parts are planned by. Lines have more members; Spark skips them.
COLUMNS = """
    kind STRING, database STRING, zoneID STRUCT<zoneName: STRING, ownerRecordName: STRING>,
    recordType STRING, modified STRUCT<timestamp: DOUBLE>, deleted DOUBLE
"""


def arguments():
    parser = argparse.ArgumentParser(
        description="Anonymises a split bundle in parts, on the executors of a Spark cluster.")
    parser.add_argument("shards", help="the folder with the files of one split bundle, named *.zst")
    parser.add_argument("output", help="the folder for the parts, which are bundles; a new one")
    parser.add_argument("--policy", required=True, help="what happens to each field")
    parser.add_argument(
        "--key-file", help="the file with the key (default: the variable RECORDPACK_KEY)")
    parser.add_argument(
        "--zone", action="append", default=[], metavar="NAME",
        help="only zones of this name; with * ? [a-z], all that match; may be given several times")
    parser.add_argument(
        "--type", action="append", default=[], metavar="NAME",
        help="only records of this type; with * ? [a-z], all that match; as --zone")
    parser.add_argument(
        "--part-records", type=int, default=200_000, metavar="N",
        help="about how many records a part has (default: 200,000)")
    parser.add_argument(
        "--tool", default="recordpack", help="the program recordpack on the executors")
    chosen = parser.parse_args()
    if chosen.part_records < 1:
        parser.error("--part-records must be at least 1")
    return chosen


def fail(message):
    print(f"anonymise.py: {message}", file=sys.stderr)
    sys.exit(2)


def message_of(done):
    """Returns what the tool says about an error; with --json, it is a line of JSON."""
    lines = [json.loads(line) for line in done.stderr.splitlines() if line.startswith("{")]
    return "; ".join(line["message"] for line in lines) or done.stderr.strip() or done.stdout.strip()


def key_of(path):
    """Returns the key as the tool reads it: bytes, without white space at the end."""
    key = Path(path).read_bytes() if path else os.environb.get(b"RECORDPACK_KEY", b"")
    key = key.rstrip(b" \t\r\n")
    if not key:
        fail("there is no key: name a file with --key-file, or set RECORDPACK_KEY")
    if 0 in key:
        fail("the key has a NUL byte, which no variable of the environment can have")
    return key


def shards_of(folder, tool):
    """Returns the paths of a split bundle's files, and fails if other files are among them."""
    found = sorted(str(path.resolve()) for path in Path(folder).glob("*.zst"))
    if not found:
        fail(f"'{folder}' has no *.zst: Spark decompresses by file name, so export to NAME.zst")
    done = subprocess.run([tool, "inspect", found[0], "--json"], capture_output=True, text=True)
    if done.returncode != 0:
        fail(message_of(done))
    about = json.loads(done.stdout)
    files = [file["path"] for file in about.get("files", [])] or found[:1]
    if files != found:
        fail(f"'{folder}' has files of more than one bundle; anonymise each in a folder of its own")
    return found


def lines_of(spark, paths):
    return spark.read.schema(COLUMNS).json([f"file://{path}" for path in paths], mode="FAILFAST")


def count(lines):
    """Returns how many lines of each kind, zone and type there are, and how many have no date."""
    date = functions.coalesce("modified.timestamp", "deleted")
    return (
        lines.where("kind IN ('zone', 'zoneTombstone', 'record', 'tombstone', 'subscription')")
        .groupBy("database", "zoneID", "recordType", "kind")
        .agg(functions.count("*").alias("lines"),
             functions.sum(date.isNull().cast("int")).alias("undated"))
        .collect())


def plan(lines, counts, chosen):
    """Returns the options of `fixture anonymise` that select each part.

    Together they select what all zones together would, each record once.
    """
    by_zone = {}
    for row in counts:
        # A subscription may be one of a zone; it goes with its database.
        if row.kind != "subscription":
            by_zone.setdefault((row.database, *row.zoneID), []).append(row)
    large, small = {}, []
    for zone, rows in sorted(by_zone.items()):
        records = sum(row.lines for row in rows if row.kind == "record")
        if records > chosen.part_records and can_be_cut(rows, chosen.type):
            large[zone] = -(-records // chosen.part_records)
        else:
            small.append((zone, records, {row.recordType for row in rows}))
    parts = zones_together(small, chosen.part_records, chosen.type)
    dates = dates_between(lines, large) if large else {}
    for zone in large:
        types = {row.recordType for row in by_zone[zone]}
        parts += windows(zone, dates[zone], types if chosen.type else ())
    # Subscriptions of a database that has no zone yet.
    empty = {row.database for row in counts} - {database for database, *_ in by_zone}
    return parts + [["--database", database] for database in sorted(empty)]


def dates_between(lines, pieces):
    """Returns the dates that cut zones into pieces, in seconds since 1970, in one pass."""
    columns = ["database", "zoneName", "ownerRecordName"]
    zones = lines.sparkSession.createDataFrame(
        list(pieces), ", ".join(f"{column} STRING" for column in columns))
    grid = 8 * max(pieces.values())
    rows = (
        lines.where("kind = 'record'").select("database", "zoneID.*", "modified.timestamp")
        .join(functions.broadcast(zones), columns, "left_semi")
        .groupBy(columns)
        .agg(functions.percentile_approx(
            "timestamp", [place / grid for place in range(1, grid)], 10_000).alias("dates"))
        .collect())
    return {zone: cuts(dates, pieces[zone]) for *zone, dates in rows for zone in [tuple(zone)]}


def worker(source, output, policy, key, tool):
    """Returns the function that makes a part, on an executor."""

    def run(numbered):
        number, options = numbered
        path = os.path.join(output, f"part-{number:04}.zst")
        # The key and the policy are neither in a file of the executor nor on a command line.
        environment = {**os.environb, b"RECORDPACK_KEY": key}
        # The file appears when it is complete, and a repeated task writes the same bytes.
        done = subprocess.run(
            [tool, "fixture", "anonymise", source, *options, "--policy", "/dev/stdin",
             "-o", path, "--force", "--threads", "1", "--json"],
            input=policy, env=environment, capture_output=True, text=True)
        if done.returncode < 0:
            raise RuntimeError(f"{tool} was ended by signal {-done.returncode}")  # Spark tries again.
        if done.returncode > 1:
            return {"options": options, "error": message_of(done)}
        report = json.loads(done.stdout)
        verified = subprocess.run(
            [tool, "verify", path, "--threads", "1"], capture_output=True, text=True)
        # Of an asset whose bytes the source lacks, the part cannot have them either.
        if verified.returncode != 0 and not report["missingAssets"]:
            return {"options": options, "error": f"{verified.stdout}{verified.stderr}".strip()}
        return {
            "path": path, "options": options, "records": report["records"],
            "assets": report["assets"], "hasFindings": done.returncode == 1,
            "warnings": message_of(done) if done.stderr else ""}

    return lambda parts: map(run, parts)


def totals(counts):
    """Returns the number of records of each zone and type; zones have other names afterwards."""
    return sorted(
        (row.database, row.recordType, row.lines) for row in counts if row.kind == "record")


def main():
    chosen = arguments()
    policy = Path(chosen.policy).read_text()
    key = key_of(chosen.key_file)
    output = Path(chosen.output).resolve()
    output.mkdir(parents=True, exist_ok=True)
    if any(output.iterdir()):
        fail(f"'{chosen.output}' is not empty; name a new folder")
    shards = shards_of(chosen.shards, chosen.tool)

    spark = SparkSession.builder.appName("recordpack fixture anonymise").getOrCreate()
    spark.sparkContext.setLogLevel("ERROR")
    lines = lines_of(spark, shards)
    counts = wanted(count(lines), chosen.zone, chosen.type)
    if not counts:
        fail("nothing is selected")
    parts = plan(lines, counts, chosen)
    print(f"{len(shards)} shards: {sum(n for *_, n in totals(counts))} records, {len(parts)} parts")

    results = (
        spark.sparkContext.parallelize(list(enumerate(parts, 1)), len(parts))
        .mapPartitions(worker(shards[0], str(output), policy, key, chosen.tool))
        .collect())
    for result in results:
        if "error" in result:
            fail(f"the part {' '.join(result['options'])}: {result['error']}")
        print(f"{Path(result['path']).name}  {result['records']} records, {result['assets']} assets"
              f"  {' '.join(result['options'])}")
        if result["warnings"]:
            print(f"  {result['warnings']}")

    # What was written, counted by Spark, not by the tool that wrote it.
    written = count(lines_of(spark, [result["path"] for result in results]))
    spark.stop()
    for row in sorted((row for row in written if row.kind == "record"), key=str):
        print(f"{row.lines:>10}  {row.database:8} {row.zoneID.zoneName:20} {row.recordType}")
    if totals(written) != totals(counts):
        fail("the parts do not have the records of the shards")
    sys.exit(1 if any(result["hasFindings"] for result in results) else 0)


if __name__ == "__main__":
    try:
        main()
    except Exception as error:  # Also one of an executor, whose text is long.
        fail(str(error).strip().partition("\n")[0] or type(error).__name__)
