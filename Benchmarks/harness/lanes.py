"""What is run in each round: every lane is one program on one task."""

import json
import os
import statistics
import subprocess

from .process import Failed, Missing, Sample, inner, measure, run
from .setting import note
from .tasks import Tasks


PEERS = [
    "Foundation encode", "Foundation decode", "orjson encode", "orjson decode",
    "serde_json, 1 core", "SQLite's C API", "DuckDB read", "DuckDB CREATE TABLE", "DuckDB COPY TO",
]


# Few records, which no index finds.
WHERE = ["--where", "integer(sequence % 100000) = 7 AND length(text) > 3"]
# The level of `BundleWriter.Options`.
DEFAULT_LEVEL = 1


class WritingProcess:
    """A process that holds the records in memory, and writes them whenever it is asked to."""

    def __init__(self, setting, target):
        self.setting = setting
        self.target = target
        self.process = None

    def write(self, level, threads):
        # To replace a large file takes the time in which the system frees it.
        path = self.target("write.recordpack")
        if self.process is None:
            note("making the records in memory …")
            self.process = subprocess.Popen(
                [str(self.setting.bench), "write", "--on-request", "--records",
                 str(self.setting.records), str(path)],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
            )
            if self.process.stdout.readline().strip() != "ready":
                raise Failed("recordpack-bench write did not get ready")
        self.process.stdin.write(f"{level} {threads}\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline()
        if not answer:
            raise Failed("recordpack-bench write ended")
        return inner(answer)

    def end(self):
        if self.process:
            self.process.stdin.close()
            self.process.wait()


class Lanes:
    """All lanes by name, each a function that gives a sample."""

    def __init__(self, setting, slow_records):
        self.setting = setting
        self.data = setting.data(setting.records)
        # Foundation takes half a minute for what takes others a second; rates are compared.
        self.few = setting.data(min(slow_records, setting.records))
        self.tasks = Tasks(setting.bench, setting.tool, self.target)
        self.writing = WritingProcess(setting, self.target)
        self.all = {
            "zstd -3 -T2": self.compress("-3", "-T2"),
            "write, 2 threads": lambda: self.writing.write(DEFAULT_LEVEL, 2),
            "zstd -3": self.compress("-3", "-T1"),
            "write, level 3, 2 threads": lambda: self.writing.write(3, 2),
            "write, 1 thread": lambda: self.writing.write(DEFAULT_LEVEL, 1),
            "Foundation encode": self.foundation_encode,
            "orjson encode": self.orjson_encode,
            "zstd -d": self.decompress,
            "typed, 2 threads": self.task(self.tasks.typed),
            "decode, 2 threads": self.task(self.tasks.decode),
            "Codable, 2 threads": self.task(self.tasks.codable),
            "names, 2 threads": self.task(self.tasks.names),
            "Foundation decode": self.foundation_decode,
            "serde_json, 1 core": self.serde,
            "typed, 1 thread": self.task(self.tasks.typed, threads=1),
            "decode, 1 thread": self.task(self.tasks.decode, threads=1),
            "orjson decode": self.orjson_decode,
            "DuckDB read": lambda: self.duckdb("scan", self.data.bundle),
            "export": self.export,
            "import": self.task(self.tasks.import_bundle),
            "copy": self.task(self.tasks.copy),
            "migrate": self.task(self.tasks.migrate),
            "copy, chats": self.task(self.tasks.copy_data),
            "fixture anonymise": self.task(self.tasks.anonymise),
            "fixture generate": self.generate_fixture,
            "fixture extract, 100 names": self.extract_names,
            "fixture extract, predicate": lambda: self.extract("--type", "Message", "--where", "sequence = 777"),
            "SQLite's C API": self.sqlite,
            "DuckDB CREATE TABLE": self.duckdb_load,
            "DuckDB COPY TO": self.duckdb_dump,
            "query a name, bundle": lambda: self.query(self.data.bundle, "--name", self.name()),
            "query a name, container": lambda: self.query(
                self.data.container, "--name", self.name()),
            "zstd -d | grep a name": self.grep,
            "query --where, bundle": lambda: self.query(self.data.bundle, *WHERE),
            "query --where, container": lambda: self.query(self.data.container, *WHERE),
            "list a type, bundle": lambda: self.query(self.data.bundle, "--type", "Chat"),
            "list a type, container": lambda: self.query(self.data.container, "--type", "Chat"),
            "sync, direct calls": lambda: self.sync("direct"),
            "sync, engines": lambda: self.sync("engines"),
        }
        self.missing = {}
        self.middle = None
        self.names = None

    def target(self, name):
        """A path that nothing lies at."""
        path = self.setting.scratch / name
        for suffix in ["", "-wal", "-shm", "-journal", ".wal"]:
            if os.path.exists(f"{path}{suffix}"):
                os.remove(f"{path}{suffix}")
        return path

    def run(self, rounds, wanted, samples):
        """Runs all lanes by turns, and adds what they took to `samples`."""
        self.prepare()
        for number in range(rounds):
            for name, lane in self.all.items():
                if name in self.missing or (wanted and not any(w in name for w in wanted)):
                    continue
                note(f"round {number + 1} of {rounds}: {name}")
                try:
                    samples.setdefault(name, []).append(lane())
                except Missing as error:
                    note(f"  missing: {error}")
                    self.missing[name] = str(error)
                except Failed as error:
                    # A peer may fail; we may not.
                    if name not in PEERS:
                        raise
                    note(f"  failed: {error}")
                    self.missing[name] = f"failed: {str(error)[-300:]}"
        self.writing.end()

    def prepare(self):
        """Makes all data before anything is measured."""
        self.setting.zstd()
        for data in [self.data, self.few]:
            _ = data.bundle
        _ = self.data.compressed, self.data.container, self.data.tact
        _ = self.data.policy, self.data.key, self.data.recipe

    # Compression

    def compress(self, *options):
        def lane():
            target = self.target("lines.zst")
            command = ["zstd", *options, "-q", "-f", self.data.lines, "-o", target]
            sample, _ = measure(command, self.data.records)
            sample.file_bytes = target.stat().st_size
            return sample

        return lane

    def decompress(self):
        command = ["zstd", "-d", "-q", "-f", self.data.compressed, "-o", os.devnull]
        return measure(command, self.data.records)[0]

    # Ours, whole processes

    def task(self, command, threads=2):
        return lambda: measure(command(self.data, threads), self.data.records)[0]

    def export(self):
        command = self.tasks.export(self.data)
        sample, _ = measure(command, self.data.records)
        sample.file_bytes = command[-1].stat().st_size
        return sample

    def generate_fixture(self):
        """Records like those of the data set; how many follows from the recipe."""
        sample, output = measure(self.tasks.generate_fixture(self.data), 0)
        sample.records = json.loads(output)["records"]
        return sample

    def extract(self, *choice):
        return measure(self.tasks.extract(self.data, *choice), self.data.records)[0]

    def extract_names(self):
        if self.names is None:
            self.names = [part for name in self.data.some_names for part in ("--name", name)]
        return self.extract(*self.names)

    def name(self):
        """The name of a record in the middle of the bundle."""
        if self.middle is None:
            command = [self.setting.tool, "query", self.data.bundle, "--type", "Reaction"]
            line = run([*command, "--limit", 1, "--fields", "recordName", "--json"])
            self.middle = json.loads(line)["recordName"]
        return self.middle

    def query(self, source, *arguments):
        command = [self.setting.tool, "query", source, *arguments, "--json"]
        return measure(command, self.data.records)[0]

    def sync(self, way):
        """10,000 notes, whatever the data set: one device sends them, another one fetches them."""
        return inner(measure([self.setting.bench, "sync", way], 0)[1])

    def grep(self):
        pattern = f'"recordName":"{self.name()}"'
        script = 'zstd -dcq "$1" | grep -F -m 1 "$2" > /dev/null'
        command = ["sh", "-c", script, "-", self.data.bundle, pattern]
        return measure(command, self.data.records)[0]

    # Peers

    def sqlite(self):
        command = [
            self.setting.bench, "sqlite-c", "--like", self.data.container, self.data.lines,
            self.target("peer.sqlite"),
        ]
        sample, output = measure(command, self.data.records)
        return inner(output, sample)

    def foundation_encode(self):
        command = [
            self.setting.bench, "foundation-encode", "--records", self.few.records,
            self.target("foundation.zst"),
        ]
        return inner(measure(command, self.few.records)[1])

    def foundation_decode(self):
        command = [self.setting.bench, "foundation-decode", self.few.bundle]
        return measure(command, self.few.records)[0]

    def serde(self):
        return measure([self.setting.serde(), self.data.bundle], self.data.records)[0]

    def python(self, module, script, *arguments):
        for name in module:
            self.setting.python_module(name)
        program = os.path.join(os.path.dirname(__file__), "..", "peers", "python", script)
        environment = {"PYTHONPATH": str(self.setting.python)}
        sample, output = measure(
            ["python3", program, *arguments], self.data.records, environment
        )
        return inner(output, sample)

    def orjson_encode(self):
        return self.python(
            ["orjson", "zstandard"], "orjson_peer.py", "encode", self.data.lines,
            self.target("orjson.zst"), self.few.records,
        )

    def orjson_decode(self):
        return self.python(
            ["orjson", "zstandard"], "orjson_peer.py", "decode", self.data.bundle
        )

    def duckdb(self, *arguments):
        return self.python(["duckdb"], "duckdb_peer.py", *arguments)

    def duckdb_load(self):
        return self.duckdb("load", self.data.bundle, self.target("peer.duckdb"))

    def duckdb_dump(self):
        database = self.setting.scratch / "peer.duckdb"
        if not database.exists():
            raise Missing("DuckDB's table was not made")
        return self.duckdb("dump", database, self.target("duckdb.json.zst"))

    # Memory

    def memory(self):
        """The peak of each task on the whole data and on a quarter of it."""
        peaks = {}
        quarter = self.setting.data(max(1, self.setting.records // 4))
        for data in [quarter, self.data]:
            for name, task in self.tasks.named.items():
                note(f"memory: {name}, {data.records} records")
                peaks.setdefault(name, []).append(measure(task(data), data.records)[0].peak_bytes)
        return peaks


def medians(samples):
    """Each lane's median numbers."""
    table = {}
    for name, runs in samples.items():
        if not runs:  # a peer that is missing
            continue
        table[name] = Sample(
            statistics.median(run.seconds for run in runs),
            statistics.median(run.cpu_seconds for run in runs),
            max(run.peak_bytes for run in runs), runs[0].records, runs[0].file_bytes,
        )
    return table
