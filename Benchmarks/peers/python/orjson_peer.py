"""Reads or writes record lines with orjson and zstandard, and prints what it took as JSON."""

import json
import resource
import sys
import time

import orjson
import zstandard

CHUNK = 2 << 20


def decode(path):
    """Decompresses a file and parses every line into Python values."""
    records = total = 0
    reader = zstandard.ZstdDecompressor().stream_reader(
        open(path, "rb"), read_across_frames=True
    )
    rest = b""
    while chunk := reader.read(CHUNK):
        total += len(chunk)
        lines = (rest + chunk).split(b"\n")
        rest = lines.pop()
        for line in lines:
            if orjson.loads(line)["kind"] == "record":
                records += 1
    return records, total


def encode(values, path):
    """Writes Python values as compressed lines."""
    total = 0
    compressor = zstandard.ZstdCompressor(level=3)
    with open(path, "wb") as file, compressor.stream_writer(file) as writer:
        buffer = bytearray()
        for value in values:
            buffer += orjson.dumps(value)
            buffer += b"\n"
            if len(buffer) > CHUNK:
                total += len(buffer)
                writer.write(bytes(buffer))
                buffer.clear()
        total += len(buffer)
        writer.write(bytes(buffer))
    return len(values), total


def load(path, limit):
    """The first records of a file of plain lines, as Python values."""
    values = []
    with open(path, "rb") as file:
        for line in file:
            if line.startswith(b'{"kind":"record"'):
                values.append(orjson.loads(line))
                if len(values) == limit:
                    break
    return values


def main():
    command, *arguments = sys.argv[1:]
    if command == "encode":
        source, target, limit = arguments
        values = load(source, int(limit))
        start, cpu = time.perf_counter_ns(), time.process_time_ns()
        records, total = encode(values, target)
    else:
        start, cpu = time.perf_counter_ns(), time.process_time_ns()
        records, total = decode(arguments[0])
    print(
        json.dumps(
            {
                "name": f"orjson-{command}",
                "nanoseconds": time.perf_counter_ns() - start,
                "cpuNanoseconds": time.process_time_ns() - cpu,
                "records": records,
                "bytes": total,
                "peakBytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024,
            }
        )
    )


main()
