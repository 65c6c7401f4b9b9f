"""What the real shapes of a scene's things meet when they move straight along their headings."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from fathom.assets.model import Model
from fathom.geometry.poses import heading_rad
from fathom.geometry.relations import path_overlaps
from fathom.geometry.sweeps import CELL_M, SLACK_M, Front, front_of, surface_points, swept
from fathom.recent import Recent
from fathom.records import Sweep, Thing

WAYS = ("forward", "backward")

NEAREST_M = -(SLACK_M + CELL_M)
"""Where the rectangles keep farther apart than this, nothing is swept: a shape lies within its rectangle."""

_Shape = tuple[NDArray[np.float32], Front]
_shapes: Recent[tuple[str, tuple[str, ...], tuple[float, ...]], _Shape] = Recent(256)


def sweeps_of(things: Sequence[Thing], models: Mapping[str, Model], frame: int = 0) -> tuple[Sweep, ...]:
    """Return what every thing meets of every other that lies in its path, or close beside it.

    `models` holds each thing's model by its id, in metres. A pair that is not among them stays apart by the
    rectangles around the two already.
    """
    if len(things) < 2:
        return ()
    shapes = [_shape_of(t, models[t.id]) for t in things]
    positions = np.array([t.poses[frame].position_m[:2] for t in things])
    headings = np.array([heading_rad(t.poses[frame]) for t in things])
    sizes = np.array([t.size_m[:2] for t in things])
    wanted = path_overlaps(positions, headings, sizes) > NEAREST_M
    wanted &= ~np.eye(len(things), dtype=bool)
    found = swept([c for c, _ in shapes], [f for _, f in shapes], positions, headings, wanted)
    return tuple(
        Sweep(
            thing=things[i].id,
            way=WAYS[way],
            other=things[j].id,
            into_m=contact.into_m,
            soonest_m=_kept(contact.soonest_m),
            latest_m=_kept(contact.latest_m),
        )
        for (way, i, j), contact in sorted(found.items())
    )


def _kept(distance_m: float) -> float | None:
    return round(distance_m, 4) if math.isfinite(distance_m) else None


def _shape_of(thing: Thing, model: Model) -> _Shape:
    """Return the surface points and the front of a model, those of the last few kept for reuse."""

    def make() -> _Shape:
        cloud = surface_points(np.concatenate([p.vertices[p.faces] for p in model.parts]))
        return cloud, front_of(cloud)

    return _shapes.get((thing.asset.sha256, thing.asset.edits, thing.size_m), make)
