"""What the numbers were measured on."""

import os
import platform
import shutil
import subprocess


def first_line(command):
    """The first line a command prints; "not found" where there is no such command."""
    if not shutil.which(command[0]):
        return "not found"
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    lines = [line for line in done.stdout.splitlines() if line.strip()]
    return lines[0].strip() if lines else "?"


def processor():
    try:
        with open("/proc/cpuinfo") as file:
            for line in file:
                if line.startswith("model name"):
                    return line.split(":", 1)[1].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()


def memory():
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")


def description():
    """The machine, the versions, and how busy it was."""
    return {
        "processor": processor(),
        "cores": os.cpu_count(),
        "memoryBytes": memory(),
        "system": f"{platform.system()} {platform.release()} {platform.machine()}",
        "swift": first_line(["swift", "--version"]),
        "zstd": first_line(["zstd", "--version"]),
        "python": platform.python_version(),
        "load": os.getloadavg()[0],
    }
