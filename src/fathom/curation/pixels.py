"""What curation sees of a frame: a smaller copy of it, and which of its pixels the object covers."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fathom.records import InputError

Picture = NDArray[np.uint8]
Small = NDArray[np.float32]
Mask = NDArray[np.bool_]

APART = 16
"""By how many of 255 levels, in any channel, a pixel differs from the background that it does not show."""


def reduced(frame: Picture, longest_px: int) -> Small:
    """Return a copy (h, w, 3 or 4) in 0..255 whose longer side is under 2 · `longest_px`.

    Each of its pixels is the mean of a square of the frame's, which takes most of an encoder's noise away.
    Raises InputError where the frame is no picture of 8 bits.
    """
    if frame.ndim != 3 or frame.shape[2] not in (3, 4) or frame.dtype != np.uint8 or not frame.size:
        raise InputError(
            f"a frame to be looked at: expected (height, width, 3 or 4) of uint8, found {frame.shape} of "
            f"{frame.dtype}; give pictures as they are decoded"
        )
    square = max(1, max(frame.shape[:2]) // longest_px)
    if square == 1:
        return frame.astype(np.float32)
    height, width = frame.shape[0] // square, frame.shape[1] // square
    rows = np.add.reduceat(
        frame[: height * square, : width * square],
        np.arange(0, height * square, square),
        axis=0,
        dtype=np.uint16,
    )
    cells = rows.reshape(height, width, square, -1).sum(axis=2, dtype=np.float32)
    return np.asarray(cells / np.float32(square * square), dtype=np.float32)


def covered(small: Small) -> Mask:
    """Return where the object is, (h, w): what is not transparent, or differs from the frame's border.

    Before a background that is not plain nearly everything differs, and counts as the object.
    """
    if small.shape[2] == 4:
        return np.asarray(small[..., 3] > APART)
    border = np.concatenate([small[0], small[-1], small[1:-1, 0], small[1:-1, -1]])
    return differing(small, np.median(border, axis=0).astype(np.float32), APART)


def differing(a: Small, b: Small, level: float) -> Mask:
    """Return where two pictures differ by more than `level` of 255 in any channel, (h, w)."""
    return np.asarray(np.abs(a - b).max(axis=-1) > level)


def thumbnail(small: Small, side: int) -> Small:
    """Return the picture as (side, side) means of its brightness, in 0..255.

    Raises InputError where it has fewer pixels than that.
    """
    grey = small[..., :3].mean(axis=2)
    if min(grey.shape) < side:
        raise InputError(
            f"a frame to be compared: expected at least {side} × {side} pixels, found {grey.shape[1]} × "
            f"{grey.shape[0]}; render larger pictures"
        )
    for axis in (0, 1):
        edges = np.arange(side + 1) * grey.shape[axis] // side
        sums = np.add.reduceat(grey, edges[:-1], axis=axis)
        widths = np.diff(edges).astype(np.float32)
        grey = sums / (widths[:, None] if axis == 0 else widths)
    return np.asarray(grey, dtype=np.float32)
