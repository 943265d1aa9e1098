"""Builds the programs and makes the data, once, in a folder outside the sources."""

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

from .process import Failed, Missing, run

FOLDER = Path(__file__).resolve().parent.parent


def digest_of(path):
    """SHA-256 of a file, read piece by piece.

    Linux counts the memory of the process that starts another one as the other's peak; so this
    one stays small.
    """
    digest = hashlib.sha256()
    with open(path, "rb") as file:
        while chunk := file.read(1 << 18):
            digest.update(chunk)
    return digest.hexdigest()


def note(text):
    print(text, file=sys.stderr, flush=True)


class Setting:
    """Where everything lies."""

    def __init__(self, cache, records, may_install, tool=None, optimised=True):
        self.cache = Path(cache) if cache else FOLDER / ".build" / "compare"
        self.records = records
        self.may_install = may_install
        self.python = self.cache / "python"
        self.scratch = self.cache / "scratch"
        self.scratch.mkdir(parents=True, exist_ok=True)
        self.bench = None
        # Programs that are not optimised are compiled in the build folder of RecordPack's tests.
        self.build_options = (
            ["-c", "release"] if optimised else ["--scratch-path", FOLDER.parent / ".build"])
        self.objects = FOLDER / ".build" if optimised else FOLDER.parent / ".build"
        # Built unless it is given.
        self.tool = Path(tool).resolve() if tool else None

    # Programs

    def build(self):
        """Builds our programs."""
        if not shutil.which("swift"):
            raise Failed("there is no swift on this machine")
        note("building recordpack-bench" + ("" if self.tool else " and recordpack") + " …")
        self.forget_stale_objects()
        self.bench = self.built(FOLDER, "recordpack-bench")
        self.tool = self.tool or self.built(FOLDER.parent, "recordpack")

    def serve_bench(self):
        """Builds the program that serves, in release."""
        note("building recordpack-serve-bench …")
        return self.built(FOLDER, "recordpack-serve-bench")

    def forget_stale_objects(self):
        """Lets our program be compiled anew where the library's sources have changed.

        Swift's package manager does not look through the umbrella module's re-exports: what was
        compiled against an older layout of a type would be linked with the newer one.
        """
        digest = hashlib.sha256()
        for path in sorted((FOLDER.parent / "Sources").rglob("*.swift")):
            digest.update(path.read_bytes())
        stamp = self.cache / "sources"
        if not stamp.exists() or stamp.read_text() != digest.hexdigest():
            for old in self.objects.glob("*/*/RecordPackBench.build"):
                shutil.rmtree(old)
            stamp.write_text(digest.hexdigest())

    def built(self, package, product):
        build = ["swift", "build", *self.build_options, "--package-path", package]
        run([*build, "--product", product])
        return Path(run([*build, "--show-bin-path"]).strip()) / product

    def python_module(self, name):
        """Sees to it that a Python module can be imported by the peers."""
        check = [sys.executable, "-c", f"import {name}"]
        if subprocess.run(check, env=self.python_environment(), capture_output=True).returncode:
            note(f"installing {name} into {self.python} …")
            try:
                run(
                    [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--upgrade",
                     "--target", self.python, name]
                )
                run(check, env=self.python_environment())
            except Failed as error:
                raise Missing(f"pip could not install {name}: {str(error)[-300:]}") from None

    def python_environment(self):
        return {**os.environ, "PYTHONPATH": str(self.python)}

    def debian(self, *packages):
        """Installs Debian packages, where that was allowed."""
        command = "apt-get install -y " + " ".join(packages)
        if not self.may_install or not shutil.which("apt-get"):
            raise Missing(f"install it with `{command}`, or give --install")
        note(command)
        try:
            prefix = [] if os.geteuid() == 0 else ["sudo"]
            run([*prefix, *command.split()])
        except Failed as error:
            raise Missing(f"`{command}` failed: {str(error)[-300:]}") from None

    def zstd(self):
        if not shutil.which("zstd"):
            self.debian("zstd")

    def serde(self):
        """Builds the Rust peer from Debian's crates, without a network."""
        if not shutil.which("cargo"):
            self.debian("cargo")
        crates = Path("/usr/share/cargo/registry")
        if not list(crates.glob("serde_json-1*")) or not list(crates.glob("serde_derive-1*")):
            self.debian("librust-serde-json-dev", "librust-serde-derive-dev")
        project = self.cache / "serde"
        shutil.copytree(FOLDER / "peers" / "serde", project, dirs_exist_ok=True)
        try:
            run(
                ["cargo", "build", "--release", "--offline", "--quiet",
                 "--config", "source.crates-io.replace-with='debian'",
                 "--config", f"source.debian.directory='{crates}'"],
                cwd=project,
            )
        except Failed as error:
            raise Missing(f"it does not build: {str(error)[-300:]}") from None
        return project / "target" / "release" / "serde-peer"

    # Data

    def data(self, records):
        """A data set, made anew whenever the program that makes it has changed."""
        digest = digest_of(self.bench)[:12]
        for old in self.cache.glob("data-*"):
            if not old.name.endswith(digest):
                shutil.rmtree(old)
        return DataSet(self, records, self.cache / f"data-{records}-{digest}")


class DataSet:
    """One data set in all the forms that something reads."""

    def __init__(self, setting, records, folder):
        self.setting = setting
        self.records = records
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)

    def made(self, name, what, make):
        """A file, made under another name first, so that one that is there is complete."""
        path = self.folder / name
        if not path.exists():
            note(f"making {what} of {self.records} records …")
            partial = self.folder / f"partial-{name}"
            partial.unlink(missing_ok=True)
            make(partial)
            partial.rename(path)
        return path

    @property
    def bundle(self):
        """A bundle with the default options."""
        return self.made(
            "data.recordpack", "the bundle",
            lambda path: run(
                [self.setting.bench, "generate", "--records", self.records, path]
            ),
        )

    @property
    def lines(self):
        """The lines of the bundle, not compressed."""
        bundle = self.bundle
        return self.made(
            "data.jsonl", "the plain lines",
            lambda path: run(["zstd", "-d", "-q", "-f", bundle, "-o", path]),
        )

    @property
    def compressed(self):
        """The lines, compressed by `zstd -3`."""
        lines = self.lines
        return self.made(
            "data.jsonl.zst", "the compressed lines",
            lambda path: run(["zstd", "-3", "-q", "-f", lines, "-o", path]),
        )

    @property
    def container(self):
        """A container file with the records."""
        bundle = self.bundle
        return self.made(
            "data.sqlite", "the container",
            lambda path: run([self.setting.tool, "import", bundle, path]),
        )

    @property
    def tact(self):
        """A bundle of the chat app Tact's first version, which migrations begin with."""
        schema = FOLDER.parent / "Schemas" / "Tact" / "v1.ckdb"
        return self.made(
            "tact-v1.recordpack", "the bundle of Tact's version 1",
            lambda path: run(
                [self.setting.bench, "tact", "--records", self.records, "--schema", schema, path]
            ),
        )

    @property
    def policy(self):
        """A policy that replaces all names, texts and dates."""
        bundle = self.bundle
        return self.made(
            "policy.yml", "the policy",
            lambda path: run([self.setting.tool, "fixture", "policy", bundle, "-o", path]),
        )

    @property
    def key(self):
        """A key for pseudonyms. The command rejects what can be guessed."""
        return self.made("key", "a key", lambda path: path.write_text("9PMT+2RgqvaaFV1WL2jNPqX4UbQeQgmmmOHAN9Vit9A=\n"))

    @property
    def recipe(self):
        """A recipe for records like these."""
        bundle = self.bundle
        command = [self.setting.tool, "fixture", "recipe", FOLDER / "chat.ckdb", "--like", bundle]
        return self.made(
            "recipe.yaml", "the recipe", lambda path: run([*command, "-o", path]))

    @property
    def some_names(self):
        """The names of 100 records, far from each other, of the two large types."""
        # A child's peak memory counts that of this process, which therefore reads no list of all.
        script = (
            '"$1" query "$2" --type "$3" --fields recordName --format csv | '
            "awk -F , -v step=\"$4\" 'NR > 1 && NR % step == 0 { print $1 }' | sed -n 1,50p")
        step = max(1, self.records // 200)
        return [
            name for record_type in ["Message", "Reaction"]
            for name in run(
                ["sh", "-c", script, "-", self.setting.tool, self.bundle, record_type, step]
            ).split()
        ]
