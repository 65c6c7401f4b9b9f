"""CPU seconds, wall seconds and peak memory of whole commands.

    python perf/commands.py                 # both
    python perf/commands.py help            # fathom --help alone

Each command runs in a process of its own; children are counted. Ratios are to the limits that the project
sets itself: 0.3 CPU seconds for --help, 90 wall seconds for quickstart on two cores.
"""

from __future__ import annotations

import argparse
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time

COMMANDS = {"help": ["--help"], "quickstart": ["quickstart", "--quiet", "--out", "quickstart"]}
LIMITS = {"help": ("CPU s", 0.3), "quickstart": ("wall s", 90.0)}


def measured(words: list[str]) -> tuple[float, float, float]:
    """Return CPU seconds, wall seconds and the peak memory in MB of the largest process."""
    folder = tempfile.mkdtemp()
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    subprocess.run(
        [sys.executable, "-m", "fathom.cli", *words], cwd=folder, check=True, stdout=subprocess.DEVNULL
    )
    wall = time.monotonic() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    shutil.rmtree(folder)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return cpu, wall, after.ru_maxrss / 1024


def main() -> None:
    """Print one line a command."""
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    words.add_argument("commands", nargs="*", metavar="command", help=" or ".join(COMMANDS))
    given = words.parse_args().commands or list(COMMANDS)
    for name in given:
        if name not in COMMANDS:
            words.error(f"{name!r} is none of the commands: {', '.join(COMMANDS)}")
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
    print(f"{'command':<12}{'CPU s':>9}{'wall s':>9}{'peak MB':>9}   of its limit")
    for name in given:
        cpu, wall, peak = measured(COMMANDS[name])
        unit, limit = LIMITS[name]
        share = (cpu if unit == "CPU s" else wall) / limit
        print(f"{name:<12}{cpu:>9.2f}{wall:>9.1f}{peak:>9.0f}   {share:.2f} of {limit:g} {unit}")


if __name__ == "__main__":
    main()
