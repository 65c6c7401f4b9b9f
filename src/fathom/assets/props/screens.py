"""Furniture that hides what stands in it from all sides but one: pale, so that nobody gives it a colour.

What stands inside does so around the origin, within a radius of `ROOM`; the open side is towards +x. Before
it is stretched to where it is used, a screen is about as deep and as wide as it is high.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace

import numpy as np

from fathom.assets.builtin import built_in_model, catalogue
from fathom.assets.model import Model

SCREEN = "screen"
"""The category of objects that hide others: they are in the film, and no question counts or names them."""

ROOM = 0.9
"""The radius of what a screen has room for, against how far its sides stand from the middle."""

TIP = 1.0
"""How far ahead of the middle its sides reach."""


@dataclass(frozen=True)
class Screen:
    """One kind of screen: the noun that captions use, more than one of it.

    opening : how high one sees into it from ahead, as a share of its height; above that is its roof
    """

    name: str
    plural: str
    opening: float = 1.0


_ALL = (
    Screen("market stall", "market stalls", 1.94 / 2.28),
    Screen("tent", "tents", 1.86 / 2.45),
    Screen("pavilion", "pavilions", 1.9 / 2.42),
    Screen("alcove", "alcoves"),
    Screen("folding screen", "folding screens"),
    Screen("curtain", "curtains"),
)

SCREENS: dict[str, Screen] = {s.name: s for s in _ALL}
"""Every screen by its name."""


def screen_model(name: str) -> Model:
    """Return a screen, its sides 1 from the middle of what it has room for, and 1 high."""
    return built_in_model("props", name)


def screen_hash(name: str) -> str:
    """Return the SHA-256 of a screen's shape."""
    return hashlib.sha256(catalogue("props")[name].shape.encode()).hexdigest()


def reach(name: str) -> float:
    """Return how far a screen reaches from the middle of its room, where its sides stand 1 from that."""
    points = np.concatenate([p.vertices for p in screen_model(name).parts])
    return float(np.hypot(points[:, 0], points[:, 1]).max())


def stretched_model(model: Model, factors: tuple[float, float, float]) -> Model:
    """Return a model stretched along x, y and z, its normals with it."""
    f = np.array(factors)
    parts = []
    for p in model.parts:
        normals = p.normals
        if normals is not None:
            normals = normals / f
            normals = normals / np.linalg.norm(normals, axis=1, keepdims=True)
        parts.append(replace(p, vertices=p.vertices * f, normals=normals))
    return replace(model, parts=tuple(parts))
