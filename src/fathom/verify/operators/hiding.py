"""What an object would hide nearer to the camera, in the second derivation: from points that are seen.

The points that are seen of it are moved nearer, and seen again: what lies within their outline, and behind
them, would be hidden.

docs/benchmarks/seed-bench-built.md says what is meant.
"""

from __future__ import annotations

import numpy as np

from fathom.verify.observed.tracks import Array, Mask
from fathom.verify.observed.video import ObservedVideo
from fathom.verify.operators.relations import middle
from fathom.verify.registry import VIDEO, declare, measure
from fathom.verify.undecided import InsufficientEvidence
from fathom.verify.values import DerivedAnswer, word

HALF_WAY = 0.5
WHOLLY, PARTLY = 0.95, 0.75
"""Which share of an object's points is hidden where all of it is, at least, and where it is not, at most."""

FEWEST = 12


def hides_then(video: ObservedVideo, cover: int, frame: int) -> DerivedAnswer:
    """Return the one object all of whose points would be within the outline of a cover's, and behind them."""
    way = (video.eyes_m[frame] - middle(video, cover, frame)) * (1.0, 1.0, 0.0)
    outline, far = _flat(video, video.surfaces[cover][1] + HALF_WAY * way, frame)
    if len(outline) < FEWEST:
        raise InsufficientEvidence
    shares = {}
    for k, (_, world) in enumerate(video.surfaces):
        if k != cover and video.names[k] != "lettering" and len(world) >= FEWEST:
            flat, depth = _flat(video, world, frame)
            shares[k] = float((_within(outline, flat) & (depth > np.median(far))).mean())
    hidden = [k for k, share in shares.items() if share >= WHOLLY]
    if len(hidden) != 1 or any(share > PARTLY for k, share in shares.items() if k != hidden[0]):
        raise InsufficientEvidence
    return word(video.objects[hidden[0]])


def _flat(video: ObservedVideo, points: Array, frame: int) -> tuple[Array, Array]:
    """Return (k, 2) where points (n, 3) are in the picture, and (k,) how deep; none behind the camera."""
    right, down, ahead = ((points - video.eyes_m[frame]) @ video.views[frame]).T
    usable = ahead > 0.05
    return np.column_stack([right, down])[usable] / ahead[usable, None], ahead[usable]


def _within(outline: Array, points: Array) -> Mask:
    """Return (n,) whether points (n, 2) lie within the convex outline of others."""
    from scipy.spatial import ConvexHull

    edges = ConvexHull(outline).equations
    return np.asarray((points @ edges[:, :2].T + edges[:, 2] <= 1e-9).all(axis=1))


declare(VIDEO, {"hidden_by": measure(hides_then)})
