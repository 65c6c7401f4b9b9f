"""Which colour an actor has as a whole: that of most of what shows of it, from all around.

A part that somebody named may be a small one; what nobody named takes its share of the picture all the same,
in the colour that it is painted in.
"""

from __future__ import annotations

import math
from collections import Counter
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

ONE_COLOR = 0.9
"""Of so many of a part's faces a colour has to be that the part is said to have."""

PLAIN, PLAIN_YELLOW = 0.25, 0.5
"""From which saturation on people would name the hue of a colour: a pale yellow is cream, bone or khaki."""

RUST = (0.3, 0.45)
"""A brown is one person's red where its hue is so far from red at most, of the way to yellow, and where its
brightest channel is so bright.
"""

MOST = 0.55
"""It has one colour that is so much of what shows."""


def whole_color(asset: AnimatedAsset, colors: Mapping[str, str]) -> str:
    """Return the colour of an actor as a whole: "red", "red and white", or "" where neither would be said.

    `colors` are those of its parts; what is not among them has a colour that nobody would name.
    """
    found: dict[str, float] = {}
    for name, share in visible_shares(asset).items():
        color = colors.get(name, "")
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
def visible_shares(asset: AnimatedAsset) -> dict[str, float]:
    """Return which share of what shows of an actor each of its parts is, by its name; they add up to 1."""
    parts = asset.model_at("", 0.0).parts
    names = list(dict.fromkeys(p.name for p in parts))
    points = np.concatenate([p.vertices for p in parts])
    starts = np.cumsum([0, *(len(p.vertices) for p in parts)])[:-1]
    faces = np.concatenate([p.faces + s for p, s in zip(parts, starts, strict=True)])
    label = np.concatenate([np.full(len(p.faces), names.index(p.name)) for p in parts])
    counts = np.zeros(len(names))
    cameras = fitted_orbit(
        points, math.radians(_ELEVATION_DEG), VIEWS, (SIDE_PX, SIDE_PX), math.radians(_FOV_DEG)
    )
    for camera in cameras:
        seen = silhouette(camera, points, faces, label).part
        counts += np.bincount(seen[seen >= 0].astype(np.int64), minlength=len(names))
    total = max(float(counts.sum()), 1.0)
    return {name: float(n) / total for name, n in zip(names, counts, strict=True)}


@lru_cache(maxsize=256)
def unnamed_colors(asset: AnimatedAsset) -> dict[str, str]:
    """Return the colours of what nobody named of an actor, by its parts' names: of those that have one."""
    words = {p.word for p in asset.parts}
    found: dict[str, list[str]] = {}
    for part in asset.model_at("", 0.0).parts:
        if part.name not in words:
            found.setdefault(part.name, []).extend(painted_in(part))
    most = {name: Counter(colors).most_common(1)[0] for name, colors in found.items() if colors}
    return {name: color for name, (color, n) in most.items() if color and n >= ONE_COLOR * len(found[name])}


def painted_in(part: Part) -> list[str]:
    """Return the name of the colour of each face of a part, "" where people would not agree on one."""
    rgb = np.broadcast_to(surface_colors(part), (len(part.faces), 3))
    names, high, spread = named(np.round(rgb * 255)), rgb.max(axis=1), np.ptp(rgb, axis=1)
    hueless = (spread < LEAST_SPREAD) | (spread < LEAST_SATURATION * high)
    charcoal = hueless & (high > DARK[0]) & (high < DARK[1])
    least = np.where(names == NAMES.index("yellow"), PLAIN_YELLOW, PLAIN)
    green, blue = rgb[:, 1], rgb[:, 2]
    rust = (names == NAMES.index("brown")) & (green - blue < RUST[0] * spread) & (high > RUST[1])
    vague = charcoal | rust | (~hueless & (spread < least * high))
    return [
        "" if not_plain else NAMES[k] for k, not_plain in zip(names.tolist(), vague.tolist(), strict=True)
    ]
