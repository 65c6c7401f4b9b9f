"""Which side of the actor is seen to face a camera, and what is seen on one of its sides alone."""

from __future__ import annotations

import math

import numpy as np

from fathom.verify.observed.animation import ObservedAnimation
from fathom.verify.observed.limb_positions import SIDES, shown
from fathom.verify.observed.patches import arrivals
from fathom.verify.observed.upright import Values, wrapped

OFF_BORDER = math.radians(2.0)
"""How far from the border between two sides a camera stands, seen from what all cameras look at, at least."""

NEAR, ABOUT = math.radians(32.0), math.radians(46.0)
"""From so near to a side one sees what is on it; up to so far off one does not see what is on the other."""

NOTHING, PLENTY = 0.03, 0.08
"""Up to, and from which share of the most that any view shows of it a part is gone or plain."""

GETS, ALONG = 0.3, 1.3
"""How far the actor gets that goes somewhere, in sizes, and how many times as far along the way it goes as
across that.
"""

ACROSS = {"left": "right", "right": "left"}


def facing(film: ObservedAnimation, camera: int, first: int, last: int) -> str | None:
    """Return the side of the actor that faces a camera from one look to another; None where it is untold."""
    found = {_facing(film, camera, look) for look in range(first, last + 1)}
    return found.pop() if len(found) == 1 else None


def _facing(film: ObservedAnimation, camera: int, look: int) -> str | None:
    yaw = float(film.yaw[look])
    if camera >= len(film.outward) or math.isnan(yaw):
        return None
    bearing = math.atan2(film.outward[camera, 1], film.outward[camera, 0]) - yaw
    offs = {name: abs(float(wrapped(bearing - at))) for name, at in SIDES.items()}
    best = min(offs, key=lambda n: offs[n])
    return best if offs[best] <= math.pi / 4 - OFF_BORDER else None


def way_seen(film: ObservedAnimation, camera: int, first: int, last: int) -> str | None:
    """Return which way the actor gets in a camera's picture, None where it is untold: along the line of sight
    or across it, a third as much again at least as the other way.
    """
    if camera >= len(film.outward) or np.isnan(film.spot_m[first : last + 1]).any():
        return None
    step = (film.spot_m[last, :2] - film.spot_m[first, :2]) / film.size_m
    out = film.outward[camera] / np.linalg.norm(film.outward[camera])
    nearer = float(step @ out)
    # Whoever looks along −out has what lies counter-clockwise of `out` on the right.
    rightward = float(step @ np.array([-out[1], out[0]]))
    if max(abs(nearer), abs(rightward)) < GETS:
        return None
    if abs(nearer) > ALONG * abs(rightward):
        return "towards" if nearer > 0 else "away"
    if abs(rightward) > ALONG * abs(nearer):
        return "right" if rightward > 0 else "left"
    return None


def on_one_side(film: ObservedAnimation, side: str, look: int) -> dict[str, bool | None] | None:
    """Return for each of the actor's parts whether it shows on a side, and not on the opposite one."""
    yaw, cells = float(film.yaw[look]), slice(look, look + 1)
    come = arrivals(film)
    if math.isnan(yaw) or come is None or any(a.look > look for a in come):
        return None
    seen = np.arctan2(film.outward[:, 1], film.outward[:, 0])[list(film.found.views)] - yaw
    this, other = (np.abs(wrapped(seen - SIDES[s])) for s in (side, ACROSS[side]))
    out: dict[str, bool | None] = {}
    for name in film.found.looks[look][0].parts:
        px = shown(film, "part", name, cells)
        if px is not None and px.max() > 0:
            out[name] = _one_sided(px[:, 0] / px.max(), this, other)
    return out


def _one_sided(share: Values, this: Values, other: Values) -> bool | None:
    near, away = share[this <= NEAR], share[other <= ABOUT]
    if not len(near) or not len(away):
        return None
    if away.max() <= NOTHING and near.min() >= PLENTY:
        return True
    seen_there = share[other <= NEAR].min(initial=1.0) >= PLENTY
    gone_here = share[this <= ABOUT].max() <= NOTHING
    return False if seen_there or gone_here else None
