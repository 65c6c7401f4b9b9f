"""The figures of a dataset: headings beside those of real data, and what was drawn."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from fathom.build.worlds.census import headings_rad, seen_headings_rad
from fathom.pages.figures import heading_figure, save_figure
from fathom.records import InputError, Scene


def write_figures(folder: Path, scenes: Sequence[Scene], real: Sequence[Path] = ()) -> None:
    """Write the histogram of headings, ours beside those of real data sets where files are given.

    Ref: PulseCheck457 Fig. 2. Raises InputError where a file holds something else than angles.
    """
    groups = {"World": headings_rad(scenes), "As the camera sees them": seen_headings_rad(scenes)}
    for path in real:
        groups[path.stem] = read_headings(path)
    save_figure(heading_figure(groups), folder / "headings")


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
