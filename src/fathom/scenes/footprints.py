"""What objects take up of the ground wherever they stand, and which of it crosses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from fathom.geometry.boxes import crossing
from fathom.geometry.poses import Array, heading_rad
from fathom.records import SceneObject


@dataclass(frozen=True, eq=False)
class Footprints:
    """What objects take up of the ground, wherever they stand: headings (n,) and inflated sizes (n, 2)."""

    headings_rad: Array
    sizes_m: Array


def footprints(objects: Sequence[SceneObject], inflate: float) -> Footprints:
    """Return the rectangles of objects, larger by a factor."""
    return Footprints(
        np.array([heading_rad(t.poses[0]) for t in objects]),
        inflate * np.array([t.size_m[:2] for t in objects]),
    )


def crossed_by(proposed: Array, grounds: Footprints, k: int, others: list[int], spots: Array) -> np.ndarray:
    """Return (proposed, others): whether the inflated footprint of object `k` crosses those of others."""
    return crossing(
        proposed,
        float(grounds.headings_rad[k]),
        (float(grounds.sizes_m[k, 0]), float(grounds.sizes_m[k, 1])),
        spots[others],
        grounds.headings_rad[others],
        grounds.sizes_m[others],
    )
