"""Models of other formats, and vertices posed by another reader, from Blender in a process of its own.

The Python that has Blender's module bpy is named by the environment variable FATHOM_BLENDER; where it is not
set, this Python is tried. Nothing of Blender is ever imported into this process.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import msgspec
import numpy as np

from fathom.assets.model import Points
from fathom.records import AssetError, missing_extra

SCRIPT = Path(__file__).with_name("script.py")
VARIABLE = "FATHOM_BLENDER"

FORMATS = (".fbx", ".usd", ".usda", ".usdc", ".usdz", ".blend", ".obj")
"""Endings of files that are converted."""

_REMARK = re.compile(r"\| INFO: |^Location: ")

SECONDS = 600.0
"""How long Blender may take over one file."""


def blender_python() -> str:
    """Return the Python that has bpy. Raises MissingExtraError where there is none."""
    python = os.environ.get(VARIABLE) or sys.executable
    if not _has_bpy(python):
        raise missing_extra("bpy", "blender", f"Reading other formats than glTF (with {python})")
    return python


@cache
def _has_bpy(python: str) -> bool:
    """Return whether that Python finds bpy; it is not started, which would take seconds."""
    found = "import importlib.util as u, sys; sys.exit(u.find_spec('bpy') is None)"
    try:
        return subprocess.run([python, "-c", found], capture_output=True, timeout=60).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False


def converted(source: Path, target: Path) -> Path:
    """Write a model of another format as GLB, and return where.

    Raises AssetError where Blender cannot read it, MissingExtraError where there is no Blender.
    """
    if source.suffix.lower() not in FORMATS:
        raise AssetError(f"{source}: expected one of {', '.join(FORMATS)}; other endings are not converted")
    if not source.is_file():
        raise AssetError(f"{source}: there is no such file; check the path")
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder) / "converted.glb"
        _run(source, ["convert", str(source.resolve()), str(made)], made)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(made.read_bytes())
    return target


def posed(source: Path, asked: Sequence[tuple[str, float]]) -> tuple[Points, ...]:
    """Return the (n, 3) vertices that Blender gives for each (clip, time) of a glTF file, in its axes.

    Blender may split, merge or reorder vertices. Raises AssetError and MissingExtraError as `converted`.
    """
    with tempfile.TemporaryDirectory() as folder:
        wanted, made = Path(folder) / "asked.json", Path(folder) / "posed.npz"
        wanted.write_bytes(msgspec.json.encode(list(asked)))
        _run(source, ["pose", str(source.resolve()), str(wanted), str(made)], made)
        with np.load(made, allow_pickle=False) as found:
            return tuple(found[str(k)].astype(np.float64) for k in range(len(asked)))


def _run(source: Path, arguments: Sequence[str], made: Path) -> None:
    command = [blender_python(), str(SCRIPT), *arguments]
    try:
        done = subprocess.run(command, capture_output=True, timeout=SECONDS, text=True, errors="replace")
    except subprocess.TimeoutExpired as e:
        raise AssetError(
            f"{source}: Blender was not done with it in {SECONDS:g} seconds; simplify it, or leave it out"
        ) from e
    if done.returncode or not made.is_file():
        raise AssetError(
            f"{source}: Blender cannot read it ({_why(done)}); open it there, export it as GLB, or leave it "
            "out"
        )


def _why(done: subprocess.CompletedProcess[str]) -> str:
    """Return Blender's last word that is neither a note of its progress nor where it was said."""
    if done.returncode < 0:
        return f"it crashed with signal {-done.returncode}"
    said = [line.strip() for line in (done.stderr or done.stdout).splitlines()]
    reasons = [line for line in said if line and not _REMARK.search(line)]
    return reasons[-1][:200] if reasons else "it does not say why"
