"""Which side of the actor is seen to face a camera, and which way it is seen to go."""

from __future__ import annotations

import math

import numpy as np

from fathom.verify.observed.animation import ObservedAnimation, posed_at
from fathom.verify.observed.limb_positions import SIDES
from fathom.verify.observed.upright import turned, wrapped

OFF_BORDER = math.radians(2.0)
"""How far from the border between two sides a camera stands, seen from what all cameras look at, at least."""

NEARER, WHOLE = 0.04, "body"
"""By how much of its size a limb is nearer than any other; what is all of the actor and no limb."""

GETS, ALONG = 0.3, 1.3
"""How far the actor gets that goes somewhere, in sizes, and how many times as far along the way it goes as
across that.
"""


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


def nearest_limb(film: ObservedAnimation, camera: int, look: int) -> str | None:
    """Return the limb whose vertices lie nearest to a camera on average; None where two are about as near."""
    rep, course = film.repertoire, film.course
    if rep is None or course is None or course.routine[look] < 0 or camera >= len(film.outward):
        return None
    out = film.outward[camera] / np.linalg.norm(film.outward[camera])
    placed = turned(posed_at(film, look), float(film.yaw[look]))[:, :2] @ out / film.size_m
    used = np.unique(rep.faces)
    owner = np.asarray(rep.limb_of_vertex)
    near = {}
    for k, name in enumerate(rep.limbs):
        own = used[owner[used] == k]
        if name != WHOLE and len(own):
            near[name] = float(placed[own].mean())
    first, second = sorted(near, key=lambda n: -near[n])[:2] if len(near) > 1 else ("", "")
    return first if first and near[first] - near[second] >= NEARER else None
