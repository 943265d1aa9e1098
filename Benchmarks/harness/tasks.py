"""Our tasks as commands: what the lanes time, and what memory, growth and instructions tell of."""

from .setting import FOLDER


class Tasks:
    """The commands for a data set.

    `target` gives the path of a name in a scratch folder, at which nothing lies.
    """

    def __init__(self, bench, tool, target):
        self.bench = bench
        self.tool = tool
        self.target = target

    def generate(self, data, threads=2):
        return [
            self.bench, "generate", "--records", data.records, self.target("generated.recordpack")]

    def decode(self, data, threads=2):
        return [self.bench, "decode", "--threads", threads, data.bundle]

    def typed(self, data, threads=2):
        return [self.bench, "typed", "--threads", threads, data.bundle]

    def codable(self, data, threads=2):
        return [self.bench, "codable", "--threads", threads, data.bundle]

    def names(self, data, threads=2):
        return [self.bench, "names", "--threads", threads, data.bundle]

    def import_bundle(self, data, threads=2):
        target = self.target("import.sqlite")
        return [self.tool, "import", "--threads", threads, data.bundle, target]

    def export(self, data, threads=2):
        target = self.target("export.recordpack")
        return [self.tool, "export", "--threads", threads, data.container, "-o", target]

    def copy(self, data, threads=2):
        return [self.bench, "copy", data.tact, self.target("copy.recordpack")]

    def copy_data(self, data, threads=2):
        return [self.bench, "copy", data.bundle, self.target("copied.recordpack")]

    def anonymise(self, data, threads=2):
        return [
            self.tool, "fixture", "anonymise", data.bundle, "--policy", data.policy,
            "--key-file", data.key, "-o", self.target("anonymised.recordpack"), "--quiet",
        ]

    def generate_fixture(self, data, threads=2):
        return [
            self.tool, "fixture", "generate", "--schema", FOLDER / "chat.ckdb",
            "--recipe", data.recipe, "--seed", 1, "-o", self.target("fixture.recordpack"),
            "--json",
        ]

    def extract(self, data, *choice):
        return [
            self.tool, "fixture", "extract", data.bundle, *choice, "--closure", "nothing",
            "-o", self.target("extracted.recordpack"), "--quiet",
        ]

    def migrate(self, data, threads=2):
        """From the first version to the newest, through four plans."""
        return [
            self.tool, "migrate", data.tact, "--plan", FOLDER.parent / "Schemas" / "Tact",
            "-o", self.target("migrated.recordpack"), "--threads", threads, "--quiet",
        ]

    def verify(self, data, threads=2):
        return [self.tool, "verify", data.bundle]

    def first(self, data, threads=2):
        return [self.tool, "query", data.bundle, "--type", "Reaction", "--limit", 1]

    @property
    def named(self):
        """The tasks by name, in the order in which the data for them is made."""
        return {
            "write, record by record": self.generate, "decode": self.decode, "typed": self.typed,
            "names": self.names,
            "import": self.import_bundle, "export": self.export, "verify": self.verify,
            "query --limit 1": self.first, "copy": self.copy, "migrate": self.migrate,
        }
