"""People who push something: both palms on it, and room for it to go.

spot = put_to_push(layout, person, target)     # where both palms touch the target; None where nowhere

Where the palms touch is found on the model itself, not on its box.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from fathom.assets.furniture.catalogue import furniture_model
from fathom.assets.model import Model, stretched_to
from fathom.geometry.poses import Array
from fathom.scenes.videos.furnishing_rooms import GAP_M, RoomLayout, Stand

WAYS_RAD = (0.0, math.pi / 2, math.pi, -math.pi / 2)
"""From where something is pushed, about its own front: from behind, from its sides, from before."""

TOUCH_M, LEVEL_M = 0.002, 0.012
"""How near the palms come, and by how much one reaches farther than the other at most."""

RAYS = 7
"""At so many heights of each palm it is looked where it touches."""

MIDDLE = 0.35
"""How far from the middle of a side it is pushed at most, ÷ half its width."""

GOES_M = 0.3
"""So far what is pushed can go."""


def put_to_push(layout: RoomLayout, person: Stand, target: Stand) -> Stand | None:
    """Return somebody at a side of an object on which nothing stands, both palms on it, where it can go on
    from there; they are put into the room.
    """
    index = next(k for k, s in enumerate(layout.stands) if s is target)
    if any(s.on == index for s in layout.stands):
        return None
    rest = layout.with_stands([s for s in layout.stands if s is not target])
    model = stretched_to(furniture_model(target.asset), target.size_m)
    for way in (WAYS_RAD[int(k)] for k in layout.g.permutation(len(WAYS_RAD))):
        across = target.size_m[1 if abs(math.cos(way)) > 0.5 else 0]
        aside = float(layout.g.uniform(-MIDDLE, MIDDLE)) * across / 2
        spot = _touching(model, person, target, way, aside)
        if spot is None or not rest.free(spot.box, GAP_M) or not _goes(rest, target, way):
            continue
        layout.stands.append(spot)
        return spot
    return None


def gone(target: Stand, way_rad: float, far_m: float = GOES_M) -> Stand:
    """Return an object where it is once it was pushed so far."""
    x, y = target.ahead(far_m * math.cos(way_rad), far_m * math.sin(way_rad))
    return replace(target, place_m=(float(x), float(y), target.place_m[2]))


def _goes(rest: RoomLayout, target: Stand, way_rad: float) -> bool:
    return rest.free(gone(target, way_rad).box, 0.0)


def _touching(model: Model, person: Stand, target: Stand, way_rad: float, aside_m: float) -> Stand | None:
    """Return somebody whose palms touch an object, pushing it in a direction about its own front."""
    factor = person.size_m[2] / furniture_model(person.asset).extents[2]
    low, high, apart = (v * factor for v in person.asset.hands)
    heights = np.linspace(low, high, RAYS)
    met = [first_met_m(model, way_rad, aside_m + side * apart, heights) for side in (1.0, -1.0)]
    first, second = (float(m.min()) for m in met)
    palms = [bool(np.isfinite(m[RAYS // 2 - 1 : RAYS // 2 + 2]).any()) for m in met]
    if not all(palms) or abs(first - second) > LEVEL_M:
        return None
    ahead = min(first, second) - TOUCH_M - person.size_m[0] / 2
    c, s = math.cos(way_rad), math.sin(way_rad)
    x, y = target.ahead(c * ahead - s * aside_m, s * ahead + c * aside_m)
    return replace(
        person,
        place_m=(round(float(x), 6), round(float(y), 6), 0.0),
        heading_rad=math.remainder(target.heading_rad + way_rad, 2 * math.pi),
    )


def first_met_m(model: Model, way_rad: float, aside_m: float, heights_m: Array) -> NDArray[np.float64]:
    """Return (k,) where rays at some heights, so far to the left of the middle of a model and along a
    direction, first meet it: along that direction from its middle; infinite where they do not.
    """
    c, s = math.cos(way_rad), math.sin(way_rad)
    turn = np.array([[c, s, 0.0], [-s, c, 0.0], [0.0, 0.0, 1.0]])
    corners = np.concatenate([p.vertices[p.faces] for p in model.parts]) @ turn.T
    a, b, d = (corners[:, k] for k in range(3))
    area = (b[:, 1] - a[:, 1]) * (d[:, 2] - a[:, 2]) - (d[:, 1] - a[:, 1]) * (b[:, 2] - a[:, 2])
    usable = np.abs(area) > 1e-12
    a, b, d, area = a[usable], b[usable], d[usable], area[usable]
    y, z = aside_m - a[:, 1], heights_m[:, None] - a[:, 2]
    u = (y * (d[:, 2] - a[:, 2]) - (d[:, 1] - a[:, 1]) * z) / area
    v = ((b[:, 1] - a[:, 1]) * z - y * (b[:, 2] - a[:, 2])) / area
    x = a[:, 0] + u * (b[:, 0] - a[:, 0]) + v * (d[:, 0] - a[:, 0])
    return np.asarray(np.where((u >= 0) & (v >= 0) & (u + v <= 1), x, np.inf).min(axis=1))
