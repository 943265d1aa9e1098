"""Moves, replaces, writes over and removes a container file while it is served, and kills the server.

usage: moved_files.py RECORDPACK SEED COUNT FOLDER

Checks after each event: every container can be read, and is intact; the file that took the place of
another is as it was; no save that the server has acknowledged is gone, unless the file that had it was
overwritten or removed, and then the server or the next command says so.
"""

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
import urllib.request

TOOL, SEED, COUNT, BASE = os.path.abspath(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
EVENTS = ["none", "move", "move with log", "replace", "replace by copy", "write over", "restore",
          "restore by copy", "remove", "remove log", "move and back", "checkout", "rsync"]


def run(*arguments, folder):
    return subprocess.run([TOOL, *arguments], cwd=folder, capture_output=True, text=True, timeout=120)


def put(folder, file, name):
    return run("put", file, "--type", "Note", "--name", name, "--unchecked", "-q", folder=folder)


def names(folder, file):
    """The names of the records; None and the error if the container cannot be read."""
    result = run("query", file, "--type", "Note", "--fields", "recordName", "--json", folder=folder)
    if result.returncode == 2:
        return None, result.stderr
    return {json.loads(line)["recordName"] for line in result.stdout.splitlines() if line}, result.stderr


class Server:
    def __init__(self, folder):
        self.folder = folder
        self.log = open(f"{folder}/errors", "w")
        self.process = subprocess.Popen(
            [TOOL, "serve", "c.sqlite", "--port", "0", "--ready-file", "ready"], cwd=folder,
            stdout=subprocess.DEVNULL, stderr=self.log, env=dict(os.environ, TMPDIR=folder))
        ready = f"{folder}/ready"
        while not (os.path.exists(ready) and os.path.getsize(ready)):
            assert self.process.poll() is None, "the server does not start"
            time.sleep(0.02)
        self.address = open(ready).read().strip()

    def save(self, name, size):
        record = {"recordType": "Note", "recordName": name, "fields": {"t": {"value": "x" * size}}}
        body = json.dumps({"operations": [{"operationType": "create", "record": record}]}).encode()
        path = "/database/1/iCloud.x/development/private/records/modify?ckAPIToken=t&ckWebAuthToken=__defaultOwner__"
        try:
            with urllib.request.urlopen(urllib.request.Request(self.address + path, body), timeout=20) as answer:
                return "recordChangeTag" in json.load(answer)["records"][0]
        except OSError:
            return False

    def end(self, number):
        self.process.send_signal(number)
        self.process.wait()
        self.log.close()
        return open(f"{self.folder}/errors").read()


class Trial:
    def __init__(self, number):
        self.random = random.Random(SEED * 1000 + number)
        self.number, self.failures = number, []
        self.event = EVENTS[number % len(EVENTS)] if number < len(EVENTS) else self.random.choice(EVENTS)
        self.folder = f"{BASE}/{number}"
        os.mkdir(self.folder)
        self.file = f"{self.folder}/c.sqlite"

    def fail(self, text):
        self.failures.append(text)

    def happen(self):
        file, event = self.file, self.event
        other, backup = f"{BASE}/other.sqlite", f"{self.folder}/backup.sqlite"
        source = backup if event.startswith("restore") else other
        if event == "move":
            os.rename(file, file + ".moved")
        elif event == "move with log":
            os.rename(file, file + ".moved")
            os.rename(file + "-wal", file + ".moved-wal")
        elif event in ("replace", "restore"):
            shutil.copy(source, file + ".new")
            os.rename(file + ".new", file)
        elif event in ("replace by copy", "checkout"):
            os.remove(file)
            shutil.copy(source, file)
        elif event in ("write over", "restore by copy", "rsync"):
            with open(source, "rb") as new, open(file, "r+b") as old:
                old.write(new.read())
                old.truncate()
        elif event == "remove":
            os.remove(file)
        elif event == "remove log":
            os.remove(file + "-wal")
        elif event == "move and back":
            os.rename(file, file + ".x")
            time.sleep(self.random.choice([0, 0.1]))
            os.rename(file + ".x", file)

    def run(self):
        rnd, folder = self.random, self.folder
        shutil.copy(f"{BASE}/empty.sqlite", self.file)
        for i in range(rnd.randrange(0, 3)):
            put(folder, "c.sqlite", f"before{i}")
        shutil.copy(self.file, f"{folder}/backup.sqlite")
        saved = names(folder, "c.sqlite")[0]
        server = Server(folder)
        for i in range(rnd.randrange(1, 40)):
            if not server.save(f"s{i}", rnd.randrange(1, 3000)):
                self.fail(f"s{i} is not saved")
            saved.add(f"s{i}")
        if rnd.random() < 0.3:
            names(folder, "c.sqlite")
        if rnd.random() < 0.3 and put(folder, "c.sqlite", "put").returncode == 0:
            saved.add("put")
            # The server looks 50 times a second whether its file was written over.
            time.sleep(0.3)
        isStopped = rnd.random() < 0.3
        if isStopped:
            server.process.send_signal(signal.SIGSTOP)
        self.happen()
        isKilled = isStopped or rnd.random() < 0.3
        later = []
        if not isStopped:
            time.sleep(rnd.random() * 0.1)
            later = [f"m{i}" for i in range(rnd.randrange(0, 10)) if server.save(f"m{i}", 100)]
        errors = server.end(signal.SIGKILL if isKilled else signal.SIGTERM)
        self.check(saved | set(later), set(later), isKilled, server.process.returncode, errors)

    def check(self, saved, later, isKilled, code, errors):
        folder, file, event = self.folder, self.file, self.event
        found, words = set(), errors
        if event == "move" and not os.path.exists(file) and os.path.exists(file + "-wal"):
            # The documented advice for a file that was moved without its log.
            os.rename(file + "-wal", file + ".moved-wal")
        for name in sorted(os.listdir(folder)):
            if not name.endswith((".sqlite", ".moved")) or name == "backup.sqlite":
                continue
            records, error = names(folder, name)
            words += error
            if records is None and "kept as" in error:
                records, error = names(folder, name)
            if records is None:
                self.fail(f"{name} cannot be read: {error.strip()}")
                continue
            verified = run("verify", name, folder=folder)
            if verified.returncode != 0:
                self.fail(f"{name} is damaged: {verified.stdout[-300:]}{verified.stderr}")
            found |= records
            isOther = event in ("replace", "replace by copy", "write over", "checkout", "rsync")
            if name == "c.sqlite" and isOther and records != {"seed", "other"}:
                self.fail(f"the new file has {sorted(records)}")
        isGone = event not in ("none", "move and back", "move", "move with log")
        # A file that is away for a moment may be missed. A copy from the time of the log is the log's own.
        codes = {"none": (0,), "move and back": (0, 2), "restore by copy": (0, 2)}.get(event, (2,))
        if not isKilled and code not in codes:
            self.fail(f"the server ends with {code}")
        if saved - found:
            if not isGone:
                self.fail(f"lost: {sorted(saved - found)}")
            elif not isKilled and not words.strip():
                self.fail(f"lost without a word: {sorted(saved - found)}")
            elif later - found and not isKilled:
                self.fail(f"acknowledged after the event, and lost: {sorted(later - found)}")
        if self.failures:
            print(f"{self.number} {event}, killed: {isKilled}, {code}: {errors.strip()}; {sorted(os.listdir(folder))}")
            for failure in self.failures:
                print("   ", failure, flush=True)
        else:
            shutil.rmtree(folder)
        return not self.failures


def main():
    response = {"records": [{"recordName": "seed", "recordType": "Note", "fields": {}}]}
    with open(f"{BASE}/r.json", "w") as file:
        json.dump(response, file)
    for name in ("empty", "other"):
        made = run("import", "--from", "web-services", "r.json", f"{name}.sqlite", folder=BASE)
        assert made.returncode == 0, made.stderr
    assert put(BASE, "other.sqlite", "other").returncode == 0
    bad = 0
    for number in range(COUNT):
        trial = Trial(number)
        trial.run()
        bad += bool(trial.failures)
    print(f"{COUNT} events, {bad} with a failure", flush=True)
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
