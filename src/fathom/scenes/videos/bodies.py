"""The room that an object takes up: its box, or a stem and a crown where there is room to pass below."""

from __future__ import annotations

import numpy as np

from fathom.geometry.poses import Array
from fathom.scenes.videos.boxes import Boxes, Size, boxes_at

STEM = "stem"
"""The attribute of a thing whose lower part is narrow: width, height, and place before its middle, metres."""

Stem = tuple[float, float, float]


def stem_words(stem: Stem | None) -> dict[str, str]:
    """Return the attribute that says how narrow an object is below; none where it is not."""
    return {STEM: " ".join(f"{v:g}" for v in stem)} if stem is not None else {}


def stem_said(attributes: dict[str, str]) -> Stem | None:
    """Return what `stem_words` wrote."""
    words = attributes.get(STEM, "").split()
    return (float(words[0]), float(words[1]), float(words[2])) if len(words) == 3 else None


def bodies_at(size_m: Size, stem: Stem | None, places_m: Array, headings_rad: Array) -> list[Boxes]:
    """Return the boxes (F,) of an object at (F, 3) places and (F,) headings: one, or its stem and crown."""
    if stem is None:
        return [boxes_at(size_m, places_m, headings_rad)]
    wide, high, before = stem
    toward = np.stack([np.cos(headings_rad), np.sin(headings_rad), np.zeros(len(headings_rad))], axis=-1)
    below = boxes_at((wide, wide, high), places_m + before * toward, headings_rad)
    crown = (size_m[0], size_m[1], size_m[2] - high)
    return [below, boxes_at(crown, places_m + np.array([0.0, 0.0, high]), headings_rad)]


OPEN = {"shape": "open"}
"""The attribute of a structure whose box is mostly empty, such as a whole street: objects stand within it."""
