"""Where head, hands and feet of somebody are at each frame, from the points that are seen of them.

figures = figures_of(cells, 3)
figures.heads_m[12], figures.hands_m[1, 12]
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from fathom.assets.model import SWINGING
from fathom.ground_truth.cells import TruthCell
from fathom.verify.observed.tracks import Array

FEWEST = 2
"""Of so many points at least it is told where a part of a body is."""

HEAD, HANDS, SHOES = ("head", "hair"), ("left hand", "right hand"), ("shoes",)


@dataclass(frozen=True, eq=False)
class Figures:
    """The parts of somebody at G frames that are shown, in the world, metres; NaN where they do not show.

    heads_m, feet_m : (G, 3) the middles of what shows
    hands_m : (2, G, 3) left and right
    """

    heads_m: Array
    feet_m: Array
    hands_m: Array


def figures_of(cells: Sequence[TruthCell], obj: int) -> Figures:
    """Return where the parts of one object of some cells are."""
    rows = [_named(cell, obj) for cell in cells]
    hands = [[_middle(names, points, (hand,)) for names, points in rows] for hand in HANDS]
    return Figures(
        np.array([_middle(names, points, HEAD) for names, points in rows]),
        np.array([_middle(names, points, SHOES) for names, points in rows]),
        np.array(hands),
    )


def _named(cell: TruthCell, obj: int) -> tuple[Array, Array]:
    """Return (k,) of which part each point that is seen is, and (k, 3) where it is."""
    glimpse = cell.objects[obj]
    columns, rows = glimpse.pixels.T
    names = np.array([name.removeprefix(SWINGING).strip() for name in (*cell.parts[obj], "")])
    return names[cell.part[rows, columns]], glimpse.points_m


def _middle(names: Array, points: Array, parts: tuple[str, ...]) -> Array:
    own = points[np.isin(names, parts)]
    return np.median(own, axis=0) if len(own) >= FEWEST else np.full(3, np.nan)
