"""The smallest changes of a room that turn answers round: one object stands elsewhere, one is turned.

changes = changed_room(g, layout, camera)     # index among layout.stands → the object after the change

Ref: 3DSRBench §3.2 (complementary pairs).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from fathom.geometry.poses import Array
from fathom.records import Camera
from fathom.scenes.videos import cameras
from fathom.scenes.videos.furnishing_rooms import TRIES, RoomLayout, Stand

LOOSE = ("chair", "armchair", "office chair", "fan", "toy truck", "desk", "cabinet", "dresser")
"""What stands in the middle of rooms as well, turned any way: something can be behind it."""

LIGHT_M = 0.8
"""What is no longer, wider or higher than this is moved about as well."""

CLEAR_M = 0.25
"""How far a camera stays from furniture and walls."""

EDGE = 0.06
"""What is closer to the edge of a picture than this share of it is not counted as seen."""

LEAST_M = 0.4
"""How far from where it stood an object is put at least."""

SMALL_SHARE = 0.75
"""How often what stands on furniture is tried before what stands on the floor."""

COMPARED = 12
"""Of so many moves the one is taken that turns most answers round."""

RISES_M, BESIDE_M, NEARER_M = (0.12, 0.6), (0.7, 1.4), 0.2
"""Between which differences one object is higher than another; up to which distance of their middles they are
next to each other, and from which on they are not; by how much one is nearer to the camera.
"""

RARE = (3, 2, 1, 1)
"""How much a kind of answer that is turned round counts: what is higher, over, next to, nearer."""

LEAST_PX = 26.0
"""How long an object is in each picture at least, if nothing hides it."""

TURNS_RAD = (math.pi / 2, math.pi, -math.pi / 2)


def changed_room(g: np.random.Generator, layout: RoomLayout, camera: Camera) -> Mapping[int, Stand]:
    """Return what one object that is moved, and another one that is turned, are after that.

    Both are in the pictures of all poses of the camera before and after. Nothing where no object fits.
    """
    spots = list(islice(_moved(g, layout, camera), COMPARED))
    moved = dict([max(spots, key=lambda s: _turns_round(layout, s[0], s[1], camera))]) if spots else {}
    return {**moved, **dict(islice(_turned(g, layout, camera, moved), 1))}


def _turns_round(layout: RoomLayout, k: int, spot: Stand, camera: Camera) -> int:
    """Return how many kinds of answers, each counted up to three times, a move turns round: what is higher,
    what is over what, what is next to it, and what is nearer to the camera.
    """
    stand, rest = layout.stands[k], [s for i, s in enumerate(layout.stands) if i != k]
    seen = shown(rest, rest, camera).all(axis=0) & nameable(layout.stands)[np.arange(len(layout.stands)) != k]
    others = [s for s, there in zip(rest, seen, strict=True) if there]
    if not others:
        return 0
    eyes = np.array([p.position_m for p in camera.poses])
    was, now, there = (np.array([_middle(s) for s in some]) for some in ([stand], [spot], others))
    low, high = RISES_M
    rises = [at[0, 2] - there[:, 2] for at in (was, now)]
    gaps = [np.linalg.norm(at - there, axis=1) for at in (was, now)]
    ways = [
        np.linalg.norm(at - eyes, axis=1)[:, None] - np.linalg.norm(there - eyes[:, None], axis=2)
        for at in (was, now)
    ]
    kinds = (
        (rises[0] * rises[1] < 0) & ((np.abs(rises) > low) & (np.abs(rises) < high)).all(axis=0),
        [any(s is layout.stands[stand.on] for s in others)] if stand.on >= 0 else [False],
        (np.min(gaps, axis=0) < BESIDE_M[0]) & (np.max(gaps, axis=0) > BESIDE_M[1]),
        ((ways[0] * ways[1] < 0) & (np.abs(ways) > NEARER_M).all(axis=0)).all(axis=0),
    )
    return sum(rare * min(int(np.sum(kind)), 3) for rare, kind in zip(RARE, kinds, strict=True))


def _middle(stand: Stand) -> tuple[float, float, float]:
    x, y, z = stand.place_m
    return x, y, z + stand.size_m[2] / 2


def _moved(g: np.random.Generator, layout: RoomLayout, camera: Camera) -> Iterator[tuple[int, Stand]]:
    small_first = bool(g.random() < SMALL_SHARE)
    for k in sorted(_usable(g, layout, camera), key=lambda k: (layout.stands[k].on >= 0) != small_first):
        stand = layout.stands[k]
        if stand.on < 0 and stand.asset.noun not in LOOSE and max(stand.size_m) > LIGHT_M:
            continue
        rest = without(g, layout, {k})
        spots = _on_others(g, rest, stand) if stand.on >= 0 else _on_the_floor(g, rest, stand)
        for spot in spots:
            far = math.dist(spot.place_m, stand.place_m) >= LEAST_M
            if far and in_pictures(spot, rest.stands, camera) and not hit(spot, camera):
                yield k, spot


def _turned(
    g: np.random.Generator, layout: RoomLayout, camera: Camera, moved: Mapping[int, Stand]
) -> Iterator[tuple[int, Stand]]:
    for k in _usable(g, layout, camera):
        stand = layout.stands[k]
        if k in moved or stand.on != -1 or stand.asset.noun not in LOOSE:
            continue
        for turn in g.permutation(TURNS_RAD):
            rest = without(g, layout, {k, *moved})
            rest.stands += moved.values()
            spot = rest.put(stand, np.array(stand.place_m[:2]), stand.heading_rad + float(turn))
            if spot is not None and not hit(spot, camera):
                yield k, spot
                break


def _usable(g: np.random.Generator, layout: RoomLayout, camera: Camera) -> list[int]:
    """Return, by chance, what is in all pictures, has a name of its own, and carries nothing."""
    carrying, named = {s.on for s in layout.stands}, nameable(layout.stands)
    order = [int(k) for k in g.permutation(len(layout.stands))]
    return [
        k
        for k in order
        if named[k] and k not in carrying and in_pictures(layout.stands[k], layout.stands, camera)
    ]


def without(g: np.random.Generator, layout: RoomLayout, gone: set[int]) -> RoomLayout:
    """Return the layout without some of what stands there; `on` is of no use in it."""
    left = [s for k, s in enumerate(layout.stands) if k not in gone]
    return RoomLayout(layout.room, g, layout.furniture, layout.spread, layout.most, left, list(layout.laid))


def _on_others(g: np.random.Generator, rest: RoomLayout, stand: Stand) -> Iterator[Stand]:
    """Yield where a small object could stand: on each piece of furniture, and on the floor."""
    carriers = [s for s in rest.stands if s.asset.carries]
    for k in g.permutation(len(carriers) + 1):
        again = without(g, rest, set())
        spot = again.set_on(stand, carriers[k]) if k < len(carriers) else again.set_down(stand, True, 0.3)
        if spot is not None:
            yield spot


def _on_the_floor(g: np.random.Generator, rest: RoomLayout, stand: Stand) -> Iterator[Stand]:
    """Yield other places on the floor for an object that stays turned as it is."""
    corners = np.array([s.a for s in rest.room.sides])
    for _ in range(TRIES):
        at = g.uniform(corners.min(axis=0), corners.max(axis=0))
        spot = without(g, rest, set()).put(replace(stand, on=-1), at, stand.heading_rad)
        if spot is not None:
            yield spot


def nameable(stands: Sequence[Stand]) -> NDArray[np.bool_]:
    """Return (n,) whether no other object has the noun of each, or none its colour and noun."""
    nouns = Counter(s.asset.noun for s in stands)
    both = Counter(_names(stands))
    return np.array([nouns[n] == 1 or (c != "" and both[n, c] == 1) for n, c in _names(stands)], bool)


def _names(stands: Sequence[Stand]) -> list[tuple[str, str]]:
    return [(s.asset.noun, s.color if s.asset.color_told else "") for s in stands]


def in_pictures(stand: Stand, others: Sequence[Stand], camera: Camera) -> bool:
    """Return whether the middle of an object is in the pictures of all poses, with nothing before it."""
    eyes = np.array([p.position_m for p in camera.poses])
    px = camera.fx * max(stand.size_m) / np.linalg.norm(eyes - _middle(stand), axis=1)
    return bool((px >= LEAST_PX).all() and shown([stand], others, camera).all())


def shown(stands: Sequence[Stand], others: Sequence[Stand], camera: Camera) -> NDArray[np.bool_]:
    """Return (F, n) whether the middle of each object is in a pose's picture with no other box before it."""
    middles = np.array([_middle(s) for s in stands])
    eyes = np.array([p.position_m for p in camera.poses])
    beside = [[o for o in others if o is not s] for s in stands]
    free = [~_before(eyes, middle, some) for middle, some in zip(middles, beside, strict=True)]
    return np.asarray((cameras.framed(camera, middles, EDGE) > 0) & np.stack(free, axis=1))


def _before(eyes: Array, middle: Array, others: Sequence[Stand]) -> NDArray[np.bool_]:
    """Return (F,) whether the box of another object is met on the way from an eye to a middle."""
    places = np.array([o.place_m for o in others]).reshape(-1, 3)
    sizes = np.array([o.size_m for o in others]).reshape(-1, 3)
    c, s = (f(np.array([o.heading_rad for o in others])) for f in (np.cos, np.sin))

    def local(points: Array) -> Array:
        x, y, z = np.moveaxis(points[..., None, :] - places, -1, 0)
        return np.stack([c * x + s * y, c * y - s * x, z - sizes[:, 2] / 2], axis=-1)

    start, end = local(eyes), local(middle)
    way = end - start
    way = np.where(np.abs(way) < 1e-9, 1e-9, way)
    ends = np.stack([(-sizes / 2 - start) / way, (sizes / 2 - start) / way])
    enters, leaves = ends.min(axis=0).max(axis=-1), ends.max(axis=0).min(axis=-1)
    return np.asarray(((enters < leaves) & (leaves > 0) & (enters < 1)).any(axis=-1))


def hit(stand: Stand, camera: Camera) -> bool:
    """Return whether any pose of the camera is in, or close to, an object."""
    box = stand.box
    eyes = np.array([p.position_m for p in camera.poses])
    level = (box.low < eyes[:, 2] + CLEAR_M) & (box.high > eyes[:, 2] - CLEAR_M)
    return bool((level & np.array([near(box.corners, eye[:2])[0] for eye in eyes])).any())


def near(corners: Array, place: Array) -> Array:
    """Return (n,) whether a place is within the clear distance of footprints (n, 4, 2)."""
    low, high = corners.min(axis=1) - CLEAR_M, corners.max(axis=1) + CLEAR_M
    return np.asarray(((place >= low) & (place <= high)).all(axis=1))
