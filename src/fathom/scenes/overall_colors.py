"""Which colour an actor has as a whole: that of most of what shows of it, from all around.

A part that somebody named may be a small one; what nobody named takes its share of the picture all the same,
in the colours that its faces have.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import lru_cache

import numpy as np

from fathom.assets.animated.library import AnimatedAsset
from fathom.assets.model import Part
from fathom.curation.colors import NAMES, named
from fathom.curation.duplicates import surface_colors
from fathom.geometry.views import fitted_orbit
from fathom.geometry.visibility import silhouette
from fathom.records import SceneObject

VIEWS, SIDE_PX = 8, 96
"""From how many sides an actor is looked at, and how large the pictures are."""

_ELEVATION_DEG, _FOV_DEG = 15.0, 30.0

BOTH, EITHER = 0.75, 0.3
"""An actor has two colours where together they are so much of what shows, and each is so much of it."""

DARK = (45 / 255, 105 / 255)
"""From where to where, in sRGB, a colour without a hue is one person's black and another one's gray."""

LEAST_SPREAD, LEAST_SATURATION = 0.06, 0.15
"""Below either a colour has no hue."""

PLAIN, PLAIN_YELLOW = 0.25, 0.5
"""From which saturation on people would name the hue of a colour: a pale yellow is cream, bone or khaki."""

MOST = 0.55
"""It has one colour that is so much of what shows."""


def whole_color(asset: AnimatedAsset, colors: Mapping[str, str]) -> str:
    """Return the colour of an actor as a whole: "red", "red and white", or "" where neither would be said.

    `colors` are those of its named parts, "" where nobody would name one; all else has the colours that its
    faces are painted in.
    """
    found: dict[str, float] = {}
    for (name, painted), share in visible_shares(asset).items():
        color = colors.get(name, painted)
        found[color] = found.get(color, 0.0) + share
    (first, most), *rest = sorted(found.items(), key=lambda c: (-c[1], c[0]))
    second, less = rest[0] if rest else ("", 0.0)
    if first and second and less >= EITHER and most + less >= BOTH:
        return f"{first} and {second}"
    return first if most >= MOST else ""


def actor_colors(actor: SceneObject) -> frozenset[str]:
    """Return the colours that an actor is known by: of its main part, and as a whole."""
    main = actor.parts.get(actor.attributes.get("main", ""), {}).get("color", "")
    return frozenset(c for c in (main, *actor.attributes.get("color", "").split(" and ")) if c)


@lru_cache(maxsize=256)
def visible_shares(asset: AnimatedAsset) -> dict[tuple[str, str], float]:
    """Return which share of what shows of an actor is of which part, by its name, and is painted in which
    colour, "" where no one name fits it; they add up to 1.
    """
    parts = asset.model_at("", 0.0).parts
    points = np.concatenate([p.vertices for p in parts])
    starts = np.cumsum([0, *(len(p.vertices) for p in parts)])[:-1]
    faces = np.concatenate([p.faces + s for p, s in zip(parts, starts, strict=True)])
    looks = [(p.name, color) for p in parts for color in painted_in(p)]
    order = list(dict.fromkeys(looks))
    index = {look: k for k, look in enumerate(order)}
    label = np.array([index[look] for look in looks])
    counts = np.zeros(len(order))
    cameras = fitted_orbit(
        points, math.radians(_ELEVATION_DEG), VIEWS, (SIDE_PX, SIDE_PX), math.radians(_FOV_DEG)
    )
    for camera in cameras:
        seen = silhouette(camera, points, faces, label).part
        counts += np.bincount(seen[seen >= 0].astype(np.int64), minlength=len(order))
    total = max(float(counts.sum()), 1.0)
    return {look: float(n) / total for look, n in zip(order, counts, strict=True)}


def painted_in(part: Part) -> list[str]:
    """Return the name of the colour of each face of a part, "" where people would not agree on one."""
    rgb = np.broadcast_to(surface_colors(part), (len(part.faces), 3))
    names, high, spread = named(np.round(rgb * 255)), rgb.max(axis=1), np.ptp(rgb, axis=1)
    hueless = (spread < LEAST_SPREAD) | (spread < LEAST_SATURATION * high)
    charcoal = hueless & (high > DARK[0]) & (high < DARK[1])
    least = np.where(names == NAMES.index("yellow"), PLAIN_YELLOW, PLAIN)
    vague = charcoal | (~hueless & (spread < least * high))
    return [
        "" if not_plain else NAMES[k] for k, not_plain in zip(names.tolist(), vague.tolist(), strict=True)
    ]
