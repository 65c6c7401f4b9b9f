"""Names of colours: the eleven basic terms, by hue first, because light changes how bright a colour is."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fathom.curation.pixels import Mask, Small

NAMES = ("black", "gray", "white", "red", "orange", "brown", "yellow", "green", "blue", "purple", "pink")
"""The basic colour terms. Ref: Berlin and Kay 1969."""

_Floats = NDArray[np.float64]

_BLACK, _GRAY, _WHITE = 0, 1, 2
_HUES = ((12, "red"), (40, "orange"), (68, "yellow"), (165, "green"), (255, "blue"), (290, "purple"),
         (335, "pink"), (361, "red"))  # fmt: skip
"""Up to which hue, in degrees, a name reaches."""


def named(colors: Small) -> NDArray[np.int8]:
    """Return the index into NAMES of each colour (…, 3) in 0..255 sRGB."""
    rgb: _Floats = np.asarray(colors, dtype=np.float64) / 255
    high, low = rgb.max(axis=-1), rgb.min(axis=-1)
    spread = high - low
    saturation = spread / np.maximum(high, 1e-6)
    hue = _hue_deg(rgb, high, spread)
    ends = np.array([end for end, _ in _HUES], dtype=np.float32)
    indices = np.array([NAMES.index(name) for _, name in _HUES], dtype=np.int8)
    found = indices[np.minimum(np.searchsorted(ends, hue, side="right"), len(ends) - 1)]
    warm = (hue < 50) & (found != NAMES.index("red")) | ((hue < 12) & (saturation < 0.6))
    found = np.where(warm & (high < 0.7), NAMES.index("brown"), found)
    pale_red = (found == NAMES.index("red")) & (saturation < 0.5) & (high > 0.75)
    found = np.where(pale_red, NAMES.index("pink"), found)
    plain = np.where(high > 0.85, _WHITE, np.where(high < 0.2, _BLACK, _GRAY))
    found = np.where((saturation < 0.15) | (spread < 0.06), plain, found)
    return np.asarray(np.where(high < 0.12, _BLACK, found), dtype=np.int8)


def _hue_deg(rgb: _Floats, high: _Floats, spread: _Floats) -> _Floats:
    """Return the hue in degrees, 0 where a colour has none."""
    red, green, blue = rgb[..., 0], rgb[..., 1], rgb[..., 2]
    width = np.maximum(spread, 1e-6)
    sixth = np.where(
        high == red,
        (green - blue) / width % 6,
        np.where(high == green, (blue - red) / width + 2, (red - green) / width + 4),
    )
    return np.asarray(np.where(spread > 0, 60 * sixth, 0))


def name_counts(small: Small, where: Mask) -> NDArray[np.int64]:
    """Return how many of the marked pixels have each of the NAMES, (11,)."""
    return np.bincount(named(small[where][:, :3]), minlength=len(NAMES)).astype(np.int64)
