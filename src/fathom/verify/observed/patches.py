"""Where patches of paint are seen on an actor: by the directions from which they show.

A patch lies towards the mean of the directions of all views that look at it, weighted by what each shows.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from fathom.assets.model import Rgb
from fathom.verify.observed.animation import ObservedAnimation
from fathom.verify.observed.gathered import ObjectEvidence, color_word
from fathom.verify.observed.upright import wrapped

END = "patch"

FEW = 20
"""Up to so many pixels in the one view that shows most of it, a patch could be missed."""

CENTRED = math.radians(32.0)
"""How far from the middle of a side a patch may lie that is on that side."""

SIDE_NAMES = ("front", "left", "behind", "right")


@dataclass(frozen=True)
class SeenPatch:
    """A patch: its colour, None where that is untold, its direction, and the most that a view shows of it."""

    color: str | None
    bearing_rad: float
    most_px: float


def seen_patches(film: ObservedAnimation) -> Mapping[str, SeenPatch]:
    """Return the patches by name: where they are at the first moment looked at, and their colours; none where
    views leave a gap.
    """
    directions = np.arctan2(film.outward[:, 1], film.outward[:, 0])[list(film.found.views)] - film.yaw[0]
    gaps = np.diff(np.sort(np.mod(directions, 2 * math.pi)))
    if len(directions) < 3 or max(gaps, default=7.0) > math.radians(95.0):
        return {}
    look, px = film.found.looks[0][0], film.found.actor_views.part_px[0]
    found = {}
    for name in dict.fromkeys(n for n in look.parts if n.split(" ")[-1] == END and " " in n):
        own = px[:, [k for k, n in enumerate(look.parts) if n == name]].sum(axis=1).astype(float)
        if own.max() > 0:
            towards = np.sum(own * np.exp(1j * directions))
            paint = _paint(look, name)
            color = color_word(paint, exact=True) if paint else None
            found[name] = SeenPatch(color, float(np.angle(towards)), float(own.max()))
    return found


def _paint(look: ObjectEvidence, name: str) -> Rgb | None:
    """Return what a part is painted with, where most of it shows; None where nothing of it does."""
    own = [k for k, n in enumerate(look.parts) if n == name and look.part_px[k]]
    return look.paints[max(own, key=lambda k: int(look.part_px[k]))] if own else None


def side(patch: SeenPatch) -> int | None:
    """Return which quarter turn a patch lies at, counterclockwise from the front; None between two."""
    quarter = round(patch.bearing_rad / (math.pi / 2))
    off = abs(float(wrapped(patch.bearing_rad - quarter * math.pi / 2)))
    return quarter % 4 if off <= CENTRED and patch.most_px > FEW else None


def placed(film: ObservedAnimation) -> Mapping[int, SeenPatch] | None:
    """Return the patches by quarter turn; None where one is untold or two are on one side."""
    found: dict[int, SeenPatch] = {}
    for patch in seen_patches(film).values():
        quarter = side(patch)
        if quarter is None or quarter in found:
            return None
        found[quarter] = patch
    return found
