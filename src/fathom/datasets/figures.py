"""The figures of a dataset: headings beside those of real data, and what was drawn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from fathom.pages.figures import save_figure
from fathom.pages.spreads import heading_figure
from fathom.records import InputError, Scene
from fathom.scenes.census import headings_rad, seen_headings_rad


def write_figures(folder: Path, scenes: Sequence[Scene], real: Mapping[str, np.ndarray]) -> None:
    """Write the histogram of headings, ours beside those of `real` data sets (radians, by name).

    Ref: PulseCheck457 Fig. 2.
    """
    groups = {"World": headings_rad(scenes), "As the camera sees them": seen_headings_rad(scenes)}
    save_figure(heading_figure(groups | dict(real)), folder / "headings")


def real_headings(files: Sequence[Path]) -> dict[str, np.ndarray]:
    """Return the headings of each file in radians, by the file's name.

    Raises InputError where a file holds something else than angles.
    """
    names = [path.stem for path in files]
    return {path.stem if names.count(path.stem) == 1 else str(path): read_headings(path) for path in files}


def read_headings(path: Path) -> np.ndarray:
    """Return the headings of a file in radians: one angle in degrees a line, or separated by commas."""
    try:
        words = path.read_text(encoding="utf-8").replace(",", " ").split()
    except (OSError, UnicodeDecodeError) as e:
        raise InputError(f"{path}: expected a text file of headings in degrees ({e})") from e
    try:
        angles = np.array([float(w) for w in words])
    except ValueError as e:
        raise InputError(f"{path}: expected headings in degrees, one a line; found {e}") from e
    if not angles.size or not np.isfinite(angles).all():
        raise InputError(f"{path}: expected headings in degrees, one a line; found none, or one not finite")
    return np.asarray(np.radians(angles))
