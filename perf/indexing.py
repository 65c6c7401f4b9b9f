"""How long `fathom assets index` takes for a folder of animated models, and how much memory.

    python perf/indexing.py FOLDER [--copies K]

Every model is there K times, with other names and bytes, so that a small folder stands for a large one.
Prints models, clips, CPU seconds a model and a clip with all processes counted, how long a thousand models of
ten clips would take on two cores, and the memory of the largest process.
"""

from __future__ import annotations

import argparse
import resource
import struct
import tempfile
import time
from pathlib import Path

from fathom.assets.animated.manifest import PROPOSED_NAME, read_animated_manifest
from fathom.indexing.animated import index_animated

MODELS, CLIPS, CORES = 1_000, 10, 2

OWN_CHUNK = 0x58585858
"""The type of a chunk of a GLB file that no reader knows, and all pass over."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--copies", type=int, default=1)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        models, place = Path(name) / "models", Path(name) / "index"
        models.mkdir()
        for path in sorted(p for p in args.folder.iterdir() if p.is_file()):
            for k in range(args.copies if path.suffix.lower() in (".glb", ".gltf") else 1):
                target = f"{path.stem}{f'-{k}' if k else ''}{path.suffix}"
                (models / target).write_bytes(_copy(path, k))
        began, spent = time.monotonic(), _spent()
        index_animated(models, place)
        wall, cpu = time.monotonic() - began, _spent() - spent
        found = read_animated_manifest(place / PROPOSED_NAME).assets
    clips = sum(len(a.clips) for a in found)
    each = cpu / max(clips, 1)
    print(f"{len(found)} models, {clips} clips: {cpu:.1f} CPU s, {wall:.1f} s")
    print(f"{cpu / max(len(found), 1):.2f} CPU s a model, {each:.3f} a clip")
    minutes = each * MODELS * CLIPS / CORES / 60
    print(f"{MODELS:,} models of {CLIPS} clips on {CORES} cores: {minutes:.1f} minutes")
    for who, what in ((resource.RUSAGE_CHILDREN, "largest worker"), (resource.RUSAGE_SELF, "main process")):
        print(f"{what}: {resource.getrusage(who).ru_maxrss / 1024:.0f} MB")


def _copy(path: Path, number: int) -> bytes:
    """Return a file's bytes, of every copy others: of a model with a comment that readers pass over."""
    data = path.read_bytes()
    if not number:
        return data
    if path.suffix.lower() != ".glb":
        return data + b" " * number if path.suffix.lower() == ".gltf" else data
    chunk = struct.pack("<II", 4 * number, OWN_CHUNK) + bytes(4 * number)
    whole = len(data) + len(chunk)
    return data[:8] + struct.pack("<I", whole) + data[12:] + chunk


def _spent() -> float:
    """Return the CPU seconds of this process and of those that it started and that have ended."""
    every = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(u.ru_utime + u.ru_stime for u in every)


if __name__ == "__main__":
    main()
