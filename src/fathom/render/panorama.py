"""Light from everywhere as a picture: directions and pixels of a panorama, and what it sheds on a surface.

A panorama is (h, 2h, 3) float32 linear radiance. Row 0 looks up; column 0 looks along world +y and columns
go clockwise seen from above, so that a quarter of the width on it looks along world +x.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fathom.render.color import Floats


def directions(height: int) -> NDArray[np.float64]:
    """Return the (height, 2 * height, 3) unit world directions of a panorama's pixel centres."""
    theta = (np.arange(height) + 0.5) / height * np.pi
    phi = (np.arange(2 * height) + 0.5) / height * np.pi
    sine = np.sin(theta)[:, None]
    return np.stack(
        [
            sine * np.sin(phi),
            sine * np.cos(phi),
            np.broadcast_to(np.cos(theta)[:, None], (height, 2 * height)),
        ],
        axis=-1,
    )


def solid_angles(height: int) -> NDArray[np.float64]:
    """Return the (height, 1, 1) solid angle of a pixel in each row."""
    edges = np.cos(np.arange(height + 1) / height * np.pi)
    return np.asarray((edges[:-1] - edges[1:]) * np.pi / height)[:, None, None]


def irradiance(panorama: Floats, normal: tuple[float, float, float]) -> NDArray[np.float64]:
    """Return the (3,) irradiance on a surface with this unit normal."""
    h = len(panorama)
    cosine = np.maximum(directions(h) @ np.asarray(normal), 0)[..., None]
    return np.asarray((panorama * cosine * solid_angles(h)).sum(axis=(0, 1)))


def lookup(panorama: Floats, toward: NDArray[np.floating]) -> Floats:
    """Return the (n, 3) radiance from (n, 3) world directions, bilinearly."""
    from scipy.ndimage import map_coordinates

    h, w, _ = panorama.shape
    unit = toward / np.linalg.norm(toward, axis=-1, keepdims=True)
    rows = np.arccos(np.clip(unit[:, 2], -1, 1)) / np.pi * h - 0.5
    columns = (np.arctan2(unit[:, 0], unit[:, 1]) / (2 * np.pi)) % 1.0 * w - 0.5
    rows = np.clip(rows, 0, h - 1)
    return np.stack(
        [map_coordinates(panorama[..., c], [rows, columns], order=1, mode="grid-wrap") for c in range(3)],
        axis=-1,
    ).astype(np.float32)


def shrunk(panorama: Floats, height: int) -> Floats:
    """Return the panorama at (height, 2 * height), each pixel the mean of those it stands for."""
    h, w, _ = panorama.shape
    if h <= height:
        return panorama
    rows = (np.arange(height + 1) * h) // height
    columns = (np.arange(2 * height + 1) * w) // (2 * height)
    summed = np.add.reduceat(
        np.add.reduceat(panorama, rows[:-1], axis=0, dtype=np.float64), columns[:-1], axis=1
    )
    counts = np.diff(rows)[:, None, None] * np.diff(columns)[None, :, None]
    return np.asarray(summed / counts, dtype=np.float32)
