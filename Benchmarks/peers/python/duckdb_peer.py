"""Reads or writes record lines with DuckDB, and prints what it took as JSON."""

import json
import os
import resource
import sys
import time

import duckdb

READ = """read_json('{path}', format = 'newline_delimited', compression = 'zstd',
  maximum_object_size = 8388608, sample_size = 20480)"""


def quoted(path):
    return path.replace("'", "''")


def load(path, database):
    """Reads a bundle into a table of a new database file."""
    connection = duckdb.connect(database)
    connection.execute("SET threads = 2")
    table = READ.format(path=quoted(path))
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
    table = READ.format(path=quoted(path))
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
