"""Furniture that hides what stands in it from all sides but one: pale, so that nobody gives it a colour.

What stands inside does so around the origin, within a radius of `ROOM`; the open side is towards +x. Before
it is stretched to where it is used, a screen is about as deep and as wide as it is high.
"""

from __future__ import annotations

import numpy as np

from fathom.assets.loading import built_in_model
from fathom.assets.model import Model

ROOM = 0.9
"""The radius of what a screen has room for, against how far its sides stand from the middle."""

TIP = 1.0
"""How far ahead of the middle its sides reach."""


def screen_model(name: str) -> Model:
    """Return a screen, its sides 1 from the middle of what it has room for, and 1 high."""
    return built_in_model("props", name)


def reach(name: str) -> float:
    """Return how far a screen reaches from the middle of its room, where its sides stand 1 from that."""
    points = np.concatenate([p.vertices for p in screen_model(name).parts])
    return float(np.hypot(points[:, 0], points[:, 1]).max())
