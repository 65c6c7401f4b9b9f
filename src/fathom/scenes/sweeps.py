"""What the real shapes of a scene's objects meet when they move straight along their headings."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from fathom.assets.model import Model
from fathom.geometry.poses import heading_rad
from fathom.geometry.relations import own_frames, path_overlaps
from fathom.geometry.sweeps import CELL_M, SLACK_M, Front, front_of, surface_points, swept
from fathom.recent import Recent
from fathom.records import SceneObject, Sweep

WAYS = ("forward", "backward")

NEAREST_M = -(SLACK_M + CELL_M)
"""Where the rectangles keep farther apart than this, nothing is swept: a shape lies within its rectangle."""

_Shape = tuple[NDArray[np.float32], Front]
_shapes: Recent[tuple[str, tuple[str, ...], tuple[float, ...]], _Shape] = Recent(256)


def sweeps_of(
    objects: Sequence[SceneObject], models: Mapping[str, Model], frame: int = 0
) -> tuple[Sweep, ...]:
    """Return what every object meets of every other that lies in its path, or close beside it.

    `models` holds each object's model by its id, in metres. A pair that is not among them stays apart by the
    rectangles around the two already.
    """
    if len(objects) < 2:
        return ()
    shapes = [_shape_of(t, models[t.id]) for t in objects]
    positions = np.array([t.poses[frame].position_m[:2] for t in objects])
    headings = np.array([heading_rad(t.poses[frame]) for t in objects])
    sizes = np.array([t.size_m[:2] for t in objects])
    wanted = path_overlaps(own_frames(positions, headings, sizes)) > NEAREST_M
    wanted &= ~np.eye(len(objects), dtype=bool)
    found = swept([c for c, _ in shapes], [f for _, f in shapes], positions, headings, wanted)
    return tuple(
        Sweep(
            object_id=objects[i].id,
            way=WAYS[way],
            other=objects[j].id,
            into_m=contact.into_m,
            soonest_m=_kept(contact.soonest_m),
            latest_m=_kept(contact.latest_m),
        )
        for (way, i, j), contact in sorted(found.items())
    )


def _kept(distance_m: float) -> float | None:
    return round(distance_m, 4) if math.isfinite(distance_m) else None


def _shape_of(obj: SceneObject, model: Model) -> _Shape:
    """Return the surface points and the front of a model, those of the last few kept for reuse."""

    def make() -> _Shape:
        cloud = surface_points(np.concatenate([p.vertices[p.faces] for p in model.parts]))
        return cloud, front_of(cloud)

    return _shapes.get((obj.asset.sha256, obj.asset.edits, obj.size_m), make)
