"""The pieces in which a part of the actor comes, and in which cells each of them shows."""

from __future__ import annotations

import numpy as np

from fathom.programs.motion import MeasuredMotion
from fathom.programs.views.animated import AnimatedView, Mask
from fathom.programs.visibility_grid import Counts


def pieces_px(timeline: AnimatedView, part: str) -> list[Counts]:
    """Return for each piece of a part in how many pixels (V, G) it shows; none where it cannot be counted."""
    px = timeline.visibility.piece_px
    if px is None:
        return []
    return [px[:, :, k] for k, name in enumerate(timeline.visibility.pieces) if name == part]


def counted(timeline: AnimatedView, part: str) -> MeasuredMotion:
    """Return in how many pieces a part comes, as firmly as the smallest of them shows somewhere."""
    shown = [float(np.max(px)) for px in pieces_px(timeline, part)]
    least = min(shown, default=0.0)
    word = str(len(shown)) if len(shown) > 1 else ""
    return MeasuredMotion(word, least / (2 * timeline.clear_part_px), "pieces", least, "px")


def piece_cells(timeline: AnimatedView, part: str) -> list[Mask]:
    """Return for each piece of a part the cells (V, G) that show it."""
    return [np.asarray(px >= timeline.clear_part_px) for px in pieces_px(timeline, part)]
