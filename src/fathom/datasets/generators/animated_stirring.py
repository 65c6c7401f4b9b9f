"""How little a clip moves: in sizes of its model, in degrees of its joints, and in pixels."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from fathom.assets.animated.library import AnimatedAsset, AssetClip
from fathom.assets.model import Points
from fathom.curation.previews import drawn, face_colors, joined_faces, outermost
from fathom.geometry.views import fitted_orbit
from fathom.scenes.actions import STILL, motion

_MOMENTS, _SIDE_PX = 9, 128


def hardly_moves(asset: AnimatedAsset, clip: AssetClip) -> str:
    """Return by how little a clip moves, as the reason why it is not shown; "" where it moves enough."""
    far = motion(asset, clip)
    if far >= STILL:
        return ""
    times = np.linspace(clip.start_s, clip.end_s, _MOMENTS)
    poses = asset.vertices_over(clip.name, times)
    most = max(range(_MOMENTS), key=lambda k: float(np.linalg.norm(poses[k] - poses[0], axis=1).max()))
    turned, changed = _turned_deg(asset, clip.name, times), _changed(asset, poses[0], poses[most])
    return (
        f"it hardly moves: no point of it gets farther than {far:.1%} of its size, no joint turns by more "
        f"than {turned:.1f}°, and {changed:.1%} of its pixels change; {STILL:.0%} of its size is the least"
    )


def _turned_deg(asset: AnimatedAsset, clip: str, times_s: NDArray[np.float64]) -> float:
    turns = asset.moving.joints_over(clip, times_s).rotation_xyzw
    cosine = np.abs(np.einsum("knq,nq->kn", turns, turns[0])).clip(0, 1)
    return float(np.degrees(2 * np.arccos(cosine)).max())


def _changed(asset: AnimatedAsset, one: Points, other: Points) -> float:
    """Return which share of the pixels that show an actor differ between two poses, seen from ahead."""
    parts = asset.model_at("", 0.0).parts
    faces, colors = joined_faces(parts), face_colors(parts)
    reach = np.concatenate([outermost(one), outermost(other)])
    camera = fitted_orbit(reach, math.radians(15), 8, (_SIDE_PX, _SIDE_PX), math.radians(30))[1]
    first, last = (drawn(p, faces, colors, camera) for p in (one, other))
    shown = (first[..., 3] > 0) | (last[..., 3] > 0)
    return float((first != last).any(axis=-1)[shown].mean()) if shown.any() else 0.0
