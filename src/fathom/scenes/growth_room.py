"""How near to one another the parts come that grow on an actor, while it moves."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations

import numpy as np

from fathom.assets.model import Points
from fathom.assets.props.catalogue import prop_model
from fathom.geometry.poses import to_world
from fathom.records import SceneObject

ROOM = 0.2
"""How far apart any two lie at all times, against how wide one is."""

POINTS = 150
"""So many points of a part are looked at."""

EVERY = 4
"""So many frames lie between two that are looked at."""


def crowded(objects: Sequence[SceneObject]) -> tuple[int, ...]:
    """Return which of some parts have no room beside those before them, so that all others have."""
    frames = range(0, len(objects[0].poses), EVERY) if objects else ()
    places = [[_points(o, f) for f in frames] for o in objects]
    out: set[int] = set()
    for one, other in combinations(range(len(objects)), 2):
        if not {one, other} & out:
            wide = min(_width(objects[k]) for k in (one, other))
            pairs = zip(places[one], places[other], strict=True)
            if any(_gap(a, b) < ROOM * wide for a, b in pairs):
                out.add(other)
    return tuple(sorted(out))


@lru_cache(maxsize=32)
def _thinned(name: str) -> Points:
    points = np.concatenate([p.vertices for p in prop_model(name).parts])
    return points[:: max(1, len(points) // POINTS)]


def _points(obj: SceneObject, frame: int) -> Points:
    """Return (n, 3) points of a part at a frame, world."""
    return to_world(obj.poses[frame], _thinned(obj.subtype) * max(obj.size_m))


def _width(obj: SceneObject) -> float:
    return float(np.ptp(_thinned(obj.subtype)[:, :2], axis=0).max()) * max(obj.size_m)


def _gap(one: Points, other: Points) -> float:
    """Return how far two sets of points (n, 3) lie apart; what reaches far into one another lies at 0."""
    from scipy.spatial import cKDTree

    inside = np.linalg.norm(one.mean(axis=0) - other.mean(axis=0))
    near = float(np.min(cKDTree(one).query(other)[0]))
    return 0.0 if inside <= near else near
