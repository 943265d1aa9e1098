"""Reads or writes record lines with DuckDB, and prints what it took as JSON."""

import json
import os
import resource
import sys
import time

import duckdb

LINK = "STRUCT(recordName VARCHAR, action VARCHAR)"
STAMP = "STRUCT(timestamp DOUBLE, userRecordName VARCHAR)"


def field(kind):
    return f'STRUCT("type" VARCHAR, isEncrypted BOOLEAN, "value" {kind})'


FIELDS = {
    "emoji": "VARCHAR", "members": "VARCHAR[]", "note": "VARCHAR", "preview": "VARCHAR",
    "relatedRecords": f"{LINK}[]", "score": "DOUBLE", "sentAt": "DOUBLE", "sequence": "BIGINT",
    "text": "VARCHAR", "title": "VARCHAR",
}
# The columns are named: guessing them costs DuckDB time, and goes wrong where a field is rare.
COLUMNS = {
    "kind": "VARCHAR", "database": "VARCHAR",
    "zoneID": "STRUCT(zoneName VARCHAR, ownerRecordName VARCHAR)", "recordType": "VARCHAR",
    "recordName": "VARCHAR", "recordChangeTag": "VARCHAR", "created": STAMP, "modified": STAMP,
    "parent": LINK,
    "fields": "STRUCT(" + ", ".join(f'"{name}" {field(kind)}' for name, kind in FIELDS.items())
    + ")",
}
READ = """read_json('{path}', format = 'newline_delimited', compression = 'zstd',
  maximum_object_size = 8388608, columns = {{{columns}}})"""


def reading(path):
    """The lines of a file as a table."""
    columns = ", ".join(f"{name}: '{kind}'" for name, kind in COLUMNS.items())
    return READ.format(path=quoted(path), columns=columns)


def quoted(path):
    return path.replace("'", "''")


def load(path, database):
    """Reads a bundle into a table of a new database file."""
    connection = duckdb.connect(database)
    connection.execute("SET threads = 2")
    table = reading(path)
    connection.execute(f"CREATE TABLE record AS SELECT * FROM {table} WHERE kind = 'record'")
    (records,) = connection.execute("SELECT count(*) FROM record").fetchone()
    connection.close()
    return records, os.path.getsize(database)


def dump(database, path):
    """Writes a table as compressed lines."""
    connection = duckdb.connect(database, read_only=True)
    connection.execute("SET threads = 2")
    (records,) = connection.execute(
        f"COPY record TO '{quoted(path)}' (FORMAT json, COMPRESSION zstd)"
    ).fetchone()
    connection.close()
    return records, os.path.getsize(path)


def scan(path):
    """Reads a bundle with all its values, and keeps nothing."""
    connection = duckdb.connect()
    connection.execute("SET threads = 2")
    table = reading(path)
    (records, _) = connection.execute(
        f"SELECT count(*), max(hash(COLUMNS(*)::VARCHAR)) FROM {table} WHERE kind = 'record'"
    ).fetchone()[:2]
    return records, os.path.getsize(path)


def main():
    command, *arguments = sys.argv[1:]
    start, cpu = time.perf_counter_ns(), time.process_time_ns()
    records, size = {"load": load, "dump": dump, "scan": scan}[command](*arguments)
    print(
        json.dumps(
            {
                "name": f"duckdb-{command}",
                "nanoseconds": time.perf_counter_ns() - start,
                "cpuNanoseconds": time.process_time_ns() - cpu,
                "records": records,
                "fileBytes": size,
                "peakBytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024,
            }
        )
    )


main()
