"""Which end of a body is its head where no joint is named after a limb: a fish swings its tail farthest."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fathom.assets.animated.motion import thinned
from fathom.assets.gltf.moving import REST, Moving
from fathom.indexing.joint_names import BODY, HEAD, TAIL

Floats = NDArray[np.float64]

FEWEST_JOINTS, FEWEST_VERTICES = 4, 3
"""A body bends at so many joints at least, each of which carries so many vertices."""

NARROW = 0.35
"""How far joints of a row lie aside of it at most, against its length."""

TIMES = 13
SWINGS, QUIET, LEVEL = 0.12, 0.3, 0.4
"""How far a tail swings, in sizes of the model; how far the head does at most, against that; and how far the
tail goes up and down, against how far it swings.
"""

TAIL_SHARE, HEAD_SHARE = 1 / 2, 1 / 6
"""Which shares of the joints are the tail's and the head's."""

_LATERAL = {0: 2, 2: 0}
"""The axis along which a body lies → the other level one; +y is up."""


@dataclass(frozen=True)
class Swimmer:
    """The joints of a body from its head to its tail, and which way it looks, as an axis of the file."""

    joints: tuple[str, ...]
    front: str

    def limbs(self) -> dict[str, tuple[str, ...]]:
        """Return its limbs, each with the names of its joints as patterns."""
        names = tuple(map(re.escape, self.joints))
        head = max(1, round(HEAD_SHARE * len(names)))
        tail = len(names) - int(TAIL_SHARE * len(names))
        return {HEAD: names[:head], TAIL: names[tail:], BODY: names[head:tail]}


def swimmer_of(moving: Moving) -> Swimmer | None:
    """Return the body of a model that swims as fish do, whatever its joints are called; None of all others.

    Its joints lie in a level row; in some clip each of them swings farther to the sides than the one before
    it, and in no clip the other way round.
    """
    rows = thinned(np.arange(sum(len(p.joint) for p in moving.pieces)))
    joint, rest = np.concatenate([p.joint for p in moving.pieces])[rows], moving.vertices_at(REST, 0.0)[rows]
    kept = [j for j in np.unique(joint).tolist() if (joint == j).sum() >= FEWEST_VERTICES]
    if len(kept) < FEWEST_JOINTS:
        return None
    places = np.array([rest[joint == j].mean(axis=0) for j in kept])
    spread, size = np.ptp(places, axis=0), float(np.ptp(rest, axis=0).max())
    along = 0 if spread[0] > spread[2] else 2
    if max(spread[1], spread[_LATERAL[along]]) > NARROW * spread[along]:
        return None
    order = np.argsort(places[:, along], kind="stable")
    ends = {end for end in _tails(moving, rows, [joint == kept[k] for k in order], along, size) if end}
    if len(ends) != 1:
        return None
    sign = -ends.pop()
    row = order[::-1] if sign > 0 else order
    names = tuple(moving.document.nodes[kept[k]].name for k in row)
    return Swimmer(names, f"{'+' if sign > 0 else '-'}{'xyz'[along]}")


def _tails(
    moving: Moving, rows: NDArray[np.int64], row: list[NDArray[np.bool_]], along: int, size: float
) -> Iterator[int]:
    """Yield for each clip at which end of a row of joints, each with its vertices, the tail is: 1 at the
    last, -1 at the first, 0 at neither.
    """
    for clip in moving.clips:
        poses = moving.vertices_over(clip.name, np.linspace(clip.begin_s, clip.end_s, TIMES), rows)
        middles = np.stack([poses[:, own].mean(axis=1) for own in row], axis=1)
        ways = np.ptp(middles, axis=0) / size
        yield _tail_at(ways[:, _LATERAL[along]], ways[:, 1])


def _tail_at(sideways: Floats, upward: Floats) -> int:
    for end, swings, rises in ((1, sideways, upward), (-1, sideways[::-1], upward[::-1])):
        most = float(swings[-1])
        grows = bool((np.diff(swings) > 0).mean() >= 1 - 1 / len(swings))
        if grows and most >= SWINGS and swings[0] <= QUIET * most and rises[-1] <= LEVEL * most:
            return end
    return 0
