"""Measured motion of an asset's clip: how far it rises, sinks, turns over, swings its legs, lowers its head.

These are the numbers that verbs of the lexicon are held against.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass, fields, replace
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from fathom.assets.animated.clips import RULES, moments
from fathom.assets.animated.library import AnimatedAsset, AssetClip
from fathom.assets.model import Points
from fathom.geometry.rigid import best_rotation

_EVERY = replace(RULES, per_second=20.0, most=80)

MANY = 20_000
"""Of more vertices every second, third … one is followed, so that a large model fills no memory."""

_STANDS = re.compile(r"\b(leg|legs|track)$")
"""Limbs that stand on the ground."""

Row = TypeVar("Row", bound=np.generic)

NONE = math.nan
"""What is measured of a limb that an asset does not have."""


@dataclass(frozen=True)
class Measures:
    """What happens in one clip. Lengths are shares of the height in the stance where nothing else is said.

    motion : how far any vertex gets from where it begins, in sizes of the asset
    rise : how far the middle of the asset gets above where it is at the beginning
    lift : how far above the ground the lowest point gets
    sink : how much lower the highest point is at the end than at the beginning
    drop : how much lower the highest point ever gets
    ends_up, ends_down : how far the middle ends above or below its beginning
    travel : how far the middle gets along the ground
    turned_deg, turned_most_deg : by what angle the whole is turned at the end, and at most
    tilted_deg : by what angle its upward axis leans at the end; tilted_most_deg : at most
    swing : how far the limb that swings most does along x, left and right limbs alone
    head_down : how far the head sinks below its beginning at most
    head_forward : how far the head gets ahead of its beginning
    nod_deg, shake_deg : how far the head pitches and yaws, from one extreme to the other
    arm_up : how far an arm or its end rises
    stretch : by how much its height changes
    treads : how far what touches the ground goes back there, in sizes: feet and tracks of what goes forward
    busiest : the limb whose middle goes the longest way
    """

    motion: float
    rise: float
    lift: float
    sink: float
    drop: float
    ends_up: float
    ends_down: float
    travel: float
    turned_deg: float
    turned_most_deg: float
    tilted_deg: float
    tilted_most_deg: float
    swing: float
    head_down: float
    head_forward: float
    nod_deg: float
    shake_deg: float
    arm_up: float
    stretch: float
    treads: float
    busiest: str


NUMBERS = tuple(f.name for f in fields(Measures) if f.name != "busiest")
"""The names of measures that conditions can use."""


def measures(asset: AnimatedAsset, clip: AssetClip) -> Measures:
    """Return what is measured of a reviewed clip. Raises AssetError where the asset cannot be posed."""
    rows = thinned(np.arange(sum(len(p.joint) for p in asset.moving.pieces)))
    poses = asset.vertices_over(clip.name, moments(clip.start_s, clip.end_s, _EVERY), rows)
    limbs = limb_masks(asset)
    height, size = max(asset.extents_m[2], 1e-9), max(asset.size_m, 1e-9)
    middle = poses.mean(axis=1)
    top, low = poses[:, :, 2].max(axis=1), poses[:, :, 2].min(axis=1)
    turned, tilted = _turned(poses)
    head = limbs.get("head", limbs.get("body"))
    feet = np.concatenate([np.zeros(0, np.int64), *(m for n, m in limbs.items() if _STANDS.search(n))])
    tracks = {n: poses[:, m].mean(axis=1) for n, m in limbs.items()}
    face = None if head is None else poses[:, head].mean(axis=1)
    paths = {n: float(np.linalg.norm(np.diff(t, axis=0), axis=1).sum()) for n, t in tracks.items()}
    pitch, yaw = (NONE, NONE) if head is None else _nodding(poses[:, head])
    return Measures(
        motion=float(np.linalg.norm(poses - poses[0], axis=2).max()) / size,
        rise=float((middle - middle[0])[:, 2].max()) / height,
        lift=float(low.max()) / height,
        sink=float(top[0] - top[-1]) / height,
        drop=float(top[0] - top.min()) / height,
        ends_up=float((middle[-1] - middle[0])[2]) / height,
        ends_down=float((middle[0] - middle[-1])[2]) / height,
        travel=float(np.linalg.norm((middle - middle[0])[:, :2], axis=1).max()) / size,
        turned_deg=float(turned[-1]),
        turned_most_deg=float(turned.max()),
        tilted_deg=float(tilted[-1]),
        tilted_most_deg=float(tilted.max()),
        swing=_most(np.ptp(t[:, 0]) for n, t in tracks.items() if n.startswith(("left ", "right "))) / height,
        head_down=NONE if face is None else float((face[0] - face)[:, 2].max()) / height,
        head_forward=NONE if face is None else float((face - face[0])[:, 0].max()) / size,
        nod_deg=pitch,
        shake_deg=yaw,
        arm_up=_most((t - t[0])[:, 2].max() for n, t in tracks.items() if n.endswith(" arm")) / height,
        stretch=float(np.ptp(top - low)) / height,
        treads=_treads(poses[:, feet] if len(feet) else poses, height) / size,
        busiest=max(paths, key=lambda n: paths[n], default=""),
    )


def thinned(rows: NDArray[Row]) -> NDArray[Row]:
    """Return all rows (n, …), one a vertex, or evenly drawn ones where there are many."""
    return rows[:: -(-len(rows) // MANY)] if len(rows) > MANY else rows


def limb_masks(asset: AnimatedAsset) -> dict[str, NDArray[np.int64]]:
    """Return the vertices of each limb that has any, counted over all parts, as `thinned` leaves them."""
    limb = thinned(np.concatenate(asset.limb_of_vertex()))
    found = {name: np.flatnonzero(limb == k) for k, name in enumerate(asset.limbs)}
    return {name: rows for name, rows in found.items() if len(rows)}


def _treads(poses: Points, height: float) -> float:
    """Return how far, in metres and together, what stands on the ground goes back from pose to pose."""
    z = poses[:, :, 2]
    # A foot that swings below the ground does not stand there.
    down = np.abs(z - max(float(z.min()), 0.0)) < 0.04 * height
    kept = down[:-1] & down[1:]
    back = -np.diff(poses[:, :, 0], axis=0)
    return sum(float(np.median(b[k])) for b, k in zip(back, kept, strict=True) if k.any())


def _most(values: Iterable[np.floating]) -> float:
    return float(max(values, default=np.float64(NONE)))


def _turned(poses: Points) -> tuple[Points, Points]:
    """Return (k,) by how many degrees the whole is turned since the first pose, and by how many it leans."""
    turns = best_rotation(poses[0], poses)
    cosine = (np.trace(turns, axis1=1, axis2=2) - 1) / 2
    return (
        np.degrees(np.arccos(np.clip(cosine, -1, 1))),
        np.degrees(np.arccos(np.clip(turns[:, 2, 2], -1, 1))),
    )


def _nodding(head: Points) -> tuple[float, float]:
    """Return the sweep in degrees of a head (k, n, 3) up and down, and left and right."""
    forward = best_rotation(head[0], head)[..., 0]
    pitch = np.degrees(np.arcsin(np.clip(forward[:, 2], -1, 1)))
    yaw = np.degrees(np.unwrap(np.arctan2(forward[:, 1], forward[:, 0])))
    return float(np.ptp(pitch)), float(np.ptp(yaw))
