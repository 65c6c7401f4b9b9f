"""How far things are seen to move, in the pixels of a picture that is scaled down as models do it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fathom.once import once
from fathom.programs import motion
from fathom.programs.rules import TILE
from fathom.programs.views.animated import AnimatedView, Mask, Moment

Floats = NDArray[np.float64]


def moved_px(timeline: AnimatedView, own_m: Floats, frame: int) -> Floats:
    """Return how far off from where it was at a frame something is seen at each frame of the grid, (V, G).

    `own_m` (F, 3) is its track in the actor's own frame: that the actor goes or turns is no part of it. What
    counts is how far it has got across the line of sight.
    """
    heading = float(timeline.headings_rad[frame, 0])
    c, s = np.cos(heading), np.sin(heading)
    turn = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
    frames = timeline.visibility.frames
    step = (own_m[frames] - own_m[frame]) @ turn.T
    here = np.append(timeline.positions_m[frame, 0], timeline.heights_m[frame])
    line = here - timeline.eyes_m
    far = np.maximum(np.linalg.norm(line, axis=1), 1e-9)
    ahead = np.einsum("gx,vx->vg", step, line / far[:, None])
    across = np.sqrt(np.maximum((step**2).sum(axis=1) - ahead**2, 0.0))
    return np.asarray(across * (timeline.focal_shares * TILE / far)[:, None])


def seen_moved(timeline: AnimatedView, own_m: Floats, frame: int) -> Mask:
    """Return the cells (V, G) in which something is plainly elsewhere than it was at a frame."""
    if not len(timeline.eyes_m):
        return np.ones((timeline.visibility.views, len(timeline.visibility.frames)), dtype=bool)
    return np.asarray(moved_px(timeline, own_m, frame) >= timeline.rules.motion_tile_px)


@once
def seen_stirring(timeline: AnimatedView, moment: Moment) -> Mask:
    """Return the cells (V, G) in which some limb is plainly elsewhere than as a moment begins; all of them
    where the actor has no limbs.
    """
    found = motion.tracks(timeline, (0, timeline.frames - 1)).values()
    masks = [seen_moved(timeline, track, moment[0]) for track in found]
    every = np.ones((timeline.visibility.views, len(timeline.visibility.frames)), dtype=bool)
    return np.asarray(np.any(masks, axis=0)) if masks else every
