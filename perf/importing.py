"""What an import costs: CPU time, rate, and peak memory of a large table of pictures in base64.

    python perf/importing.py [--sizes 30 300] [--keep DIR]

A VLMEvalKit table of 3DSRBench of each size is made (in MB; pictures of noise, so that nothing is alike), and
imported in a process of its own, whose memory is its own peak. Memory is flat where a table ten times as
large takes no more. The plain way, a whole table read at once with the csv module, stands beside it.
"""

from __future__ import annotations

import argparse
import base64
import csv
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

PICTURE_BYTES = 150_000
PNG_HEAD = bytes.fromhex("89504e470d0a1a0a0000000d49484452000001400000014008020000")
TARGET_GROWTH_MB = 10.0

CHILD = """
import resource, sys, time, json
from pathlib import Path
from fathom import api
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
began, cpu = time.monotonic(), time.process_time()
report = api.import_dataset("3dsrbench", Path(sys.argv[1]), Path(sys.argv[2]))
print(json.dumps({
    "imported": report.imported, "left_out": report.left_out, "wall": time.monotonic() - began,
    "cpu": time.process_time() - cpu, "before": before / 1024,
    "peak": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
}))
"""

PLAIN = """
import base64, csv, hashlib, resource, sys, time, json
cpu = time.process_time()
csv.field_size_limit(1 << 30)
with open(sys.argv[1], newline="") as f:
    rows = list(csv.DictReader(f, delimiter="\\t"))
for row in rows:
    hashlib.sha256(base64.b64decode(row["image"])).hexdigest()
print(json.dumps({
    "cpu": time.process_time() - cpu, "peak": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
}))
"""


def make_table(path: Path, megabytes: int) -> int:
    """Write a table of about so many megabytes and return how many rows it has."""
    noise = np.random.Generator(np.random.Philox(key=7))
    rows = megabytes * 1_000_000 // (PICTURE_BYTES * 4 // 3)
    columns = ("index", "qid", "image", "question", "A", "B", "answer", "category")
    with path.open("w", newline="") as f:
        writer = csv.writer(f, delimiter="\t", lineterminator="\n")
        writer.writerow(columns)
        for i in range(rows):
            picture = base64.b64encode(PNG_HEAD + noise.bytes(PICTURE_BYTES)).decode()
            words = ("Which object\nis higher?", "the lamp", "the cup")
            writer.writerow((i, f"{i:08X}", picture, *words, "AB"[i % 2], "height_higher"))
    return rows


def child(code: str, *arguments: Path) -> dict[str, float]:
    """Return what a process of its own measured."""
    command = [sys.executable, "-c", code, *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=dict(os.environ))
    found: dict[str, float] = json.loads(done.stdout)
    return found


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--sizes", type=int, nargs="+", default=[30, 300], help="megabytes")
    parser.add_argument("--keep", type=Path, help="a folder to work in, which is kept")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = chosen.keep or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        print("   MB    rows   CPU s    MB/s   start MB   peak MB   all at once: CPU s   peak MB")
        peaks = []
        for size in chosen.sizes:
            table = folder / f"{size}.tsv"
            rows = make_table(table, size)
            began = time.monotonic()
            ours = child(CHILD, table, folder / f"out-{size}")
            wall = time.monotonic() - began
            plain = child(PLAIN, table)
            assert ours["imported"] == rows, ours
            peaks.append(ours["peak"])
            print(
                f"{size:5d} {rows:7,d} {ours['cpu']:7.2f} {size / wall:7.0f} {ours['before']:10.0f} "
                f"{ours['peak']:9.0f} {plain['cpu']:20.2f} {plain['peak']:9.0f}"
            )
        growth = peaks[-1] - peaks[0]
        verdict = "flat" if growth <= TARGET_GROWTH_MB else "NOT flat"
        print(f"from {chosen.sizes[0]} to {chosen.sizes[-1]} MB the peak grows by {growth:.1f} MB: {verdict}")


if __name__ == "__main__":
    main()
