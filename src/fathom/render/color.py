"""Colour on arrays: sRGB and linear light, luminance, and OKLab, in which distances mean something."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float32]

LUMINANCE = np.array([0.2126, 0.7152, 0.0722], dtype=np.float32)
"""Weights of linear red, green and blue (Rec. 709)."""


def linear(srgb: ArrayLike) -> Floats:
    """Return linear values of sRGB values in 0..1; any shape."""
    c = np.asarray(srgb, dtype=np.float32)
    return np.where(c <= 0.04045, c / 12.92, ((np.maximum(c, 0) + 0.055) / 1.055) ** 2.4).astype(np.float32)


def srgb(linear_values: ArrayLike) -> Floats:
    """Return sRGB values in 0..1 of linear values, clipped; any shape."""
    c = np.clip(np.asarray(linear_values, dtype=np.float32), 0, 1)
    return np.where(c <= 0.0031308, 12.92 * c, 1.055 * c ** (1 / 2.4) - 0.055).astype(np.float32)


def luminance(rgb: Floats) -> Floats:
    """Return the luminance (...) of linear colours (..., 3)."""
    return np.asarray(rgb @ LUMINANCE)


def desaturated(rgb: Floats, amount: float) -> Floats:
    """Return linear colours (..., 3), moved by `amount` in 0..1 towards grey of their luminance."""
    grey = luminance(rgb)[..., None]
    return np.asarray(rgb + amount * (grey - rgb), dtype=np.float32)


def oklab(rgb: ArrayLike) -> NDArray[np.float64]:
    """Return OKLab (..., 3) of linear colours (..., 3). Ref: B. Ottosson, 2020."""
    to_cone = np.array(
        [
            [0.4122214708, 0.5363325363, 0.0514459929],
            [0.2119034982, 0.6806995451, 0.1073969566],
            [0.0883024619, 0.2817188376, 0.6299787005],
        ]
    )
    to_lab = np.array(
        [
            [0.2104542553, 0.7936177850, -0.0040720468],
            [1.9779984951, -2.4285922050, 0.4505937099],
            [0.0259040371, 0.7827717662, -0.8086757660],
        ]
    )
    cone = np.maximum(np.asarray(rgb, dtype=np.float64), 0) @ to_cone.T
    return np.asarray(np.cbrt(cone) @ to_lab.T)
