"""What an object would hide if it stood nearer to the camera: where lines of sight would meet its box.

Ref: SEED-Bench §3.1; docs/benchmarks/seed-bench-built.md.
"""

from __future__ import annotations

import numpy as np

from fathom.programs.operators.measuring import measured
from fathom.programs.operators.pictured import ON_M, foot_m, found
from fathom.programs.operators.quantities import known
from fathom.programs.registry import VIDEO, Operator, declare
from fathom.programs.values import Measured, Unanswerable, ValueType
from fathom.programs.views.video import Array, VideoView

NEARER = 0.5
"""At which part of its distance from the camera an object is thought."""

SOLID = frozenset(
    {
        "dresser", "cabinet", "wardrobe", "bookshelf", "fridge", "washing machine", "oven", "cardboard box",
        "suitcase", "TV stand", "nightstand", "kitchen cabinet", "pouf", "bin",
    }
)  # fmt: skip
"""Nouns of what fills its box, so that nothing is seen through it."""

SHRUNK, STEP = 0.85, 0.025
"""An object is surely hidden that a cover hides which is smaller by this factor; smaller covers are tried in
such steps."""

GROWN, SEEN = 1.15, 0.3
"""What a larger cover hides a smaller share of is surely seen."""


def _grid(tracks: VideoView, obj: int, frame: int) -> Array:
    """Return (27, 3) points all over an object's box."""
    signs = np.stack(np.meshgrid(*[(-1.0, 0.0, 1.0)] * 3), axis=-1).reshape(-1, 3)
    local = signs * tracks.sizes_m[obj] / 2
    return np.asarray(tracks.centres_m[obj, frame] + local @ tracks.rotations[obj, frame].T)


def _hidden(tracks: VideoView, cover: int, obj: int, frame: int, scale: float) -> float:
    """Return which share of an object's points a cover would hide that stood nearer, its box made larger."""
    eye, points = tracks.eyes_m[frame], _grid(tracks, obj, frame)
    size = tracks.sizes_m[cover] * scale
    middle = tracks.centres_m[cover, frame].copy()
    middle[:2] = eye[:2] + NEARER * (middle[:2] - eye[:2])
    middle[2] = foot_m(tracks, cover, frame) + float(size[2]) / 2
    turn = tracks.rotations[cover, frame]
    start, ends = (eye - middle) @ turn, (points - middle) @ turn
    way = ends - start
    way = np.where(np.abs(way) < 1e-9, 1e-9, way)
    low, high = (-size / 2 - start) / way, (size / 2 - start) / way
    enters, leaves = np.minimum(low, high).max(axis=1), np.maximum(low, high).min(axis=1)
    return float(((enters < leaves) & (leaves > 0) & (leaves < 0.98)).mean())


def would_be_seen(tracks: VideoView, cover: int, obj: int, frame: int) -> bool:
    """Return whether most of an object would surely be seen beside a cover that stood nearer."""
    return _hidden(tracks, cover, obj, frame, GROWN) <= SEEN


def hidden_by(tracks: VideoView, cover: int, frame: int) -> Measured:
    """Return the id of the one object that a cover would hide wholly if it stood at half its distance."""
    known(tracks, cover, frame)
    if tracks.names[cover] not in SOLID or abs(foot_m(tracks, cover, frame)) > ON_M:
        raise Unanswerable("one might see through it, or it does not stand on the floor")
    scales = {}
    for k in np.flatnonzero(tracks.clear_in((frame, frame))[0]).tolist():
        if (
            k != cover
            and not tracks.texts[k]
            and not tracks.stands[k]
            and _hidden(tracks, cover, k, frame, 1.0) == 1
        ):
            scales[k] = _least_scale(tracks, cover, k, frame)
    if len(scales) != 1:
        raise Unanswerable(f"{len(scales)} objects would be hidden")
    obj, scale = next(iter(scales.items()))
    ratio = (1.0 - scale) / (1.0 - SHRUNK)
    return found(tracks, tracks.objects[obj], ratio, round(1.0 - scale, 3), "of its size", cover, obj)


def _least_scale(tracks: VideoView, cover: int, obj: int, frame: int) -> float:
    """Return how much smaller a cover may be that still would hide all of an object."""
    scale = 1.0
    while scale > 0.5 and _hidden(tracks, cover, obj, frame, scale - STEP) == 1.0:
        scale -= STEP
    return scale


_OBJ, _AT = ValueType.OBJECT, ValueType.TIME

declare(Operator("hidden_by", (_OBJ, _AT), ValueType.QUANTITY, measured(hidden_by), VIDEO))
