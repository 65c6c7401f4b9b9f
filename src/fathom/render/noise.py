"""Random surfaces that repeat without a seam."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from fathom.store.seeds import Name, rng

SIZE = 512


@lru_cache(maxsize=64)
def tile(*names: Name, slope: float = 1.0, low: float = 1.0, high: float = SIZE / 2) -> NDArray[np.float32]:
    """Return a (512, 512) tileable noise, mean 0 and spread 1, that depends on its names alone.

    Its amplitude falls with spatial frequency as f ** -slope, between `low` and `high` cycles a tile.
    """
    white = rng("noise", *names).standard_normal((SIZE, SIZE))
    f = np.hypot(*np.meshgrid(np.fft.fftfreq(SIZE) * SIZE, np.fft.rfftfreq(SIZE) * SIZE, indexing="ij"))
    gain = np.where((f >= low) & (f <= high), np.maximum(f, 1.0) ** -slope, 0.0)
    smooth = np.fft.irfft2(np.fft.rfft2(white) * gain, s=(SIZE, SIZE))
    return np.asarray((smooth - smooth.mean()) / smooth.std(), dtype=np.float32)


@lru_cache(maxsize=64)
def pyramid(
    *names: Name, slope: float = 1.0, low: float = 1.0, high: float = SIZE / 2
) -> tuple[NDArray[np.float32], ...]:
    """Return the tile of these names at full size, half size and so on down to 4 × 4, each the mean of the
    one before.
    """
    levels = [tile(*names, slope=slope, low=low, high=high)]
    while len(levels[-1]) > 4:
        half = len(levels[-1]) // 2
        levels.append(levels[-1].reshape(half, 2, half, 2).mean(axis=(1, 3), dtype=np.float32))
    return tuple(levels)


def sampled(
    noise: NDArray[np.float32], x: NDArray[np.floating], y: NDArray[np.floating]
) -> NDArray[np.float32]:
    """Return the (n,) noise, a level of a pyramid, at positions in tiles (1 is one period), bilinearly."""
    from scipy.ndimage import map_coordinates

    size = len(noise)
    # A texel of a smaller level lies in the middle of those that it is the mean of.
    shift = 0.5 * (1 - size / SIZE)
    return np.asarray(
        map_coordinates(noise, [y % 1.0 * size - shift, x % 1.0 * size - shift], order=1, mode="grid-wrap"),
        dtype=np.float32,
    )


def averaged(
    levels: tuple[NDArray[np.float32], ...],
    x: NDArray[np.floating],
    y: NDArray[np.floating],
    width: NDArray[np.floating],
) -> NDArray[np.float32]:
    """Return the (n,) means of a pyramid's noise over squares `width` wide; all lengths in tiles."""
    # Bilinear lookup already takes in more than one texel.
    wanted = np.clip(np.log2(np.maximum(0.6 * width * SIZE, 1.0)), 0, len(levels) - 1)
    out = np.zeros(len(x), dtype=np.float32)
    for k, noise in enumerate(levels):
        share = 1 - np.abs(wanted - k)
        here = np.flatnonzero(share > 0)
        if len(here):
            out[here] += share[here].astype(np.float32) * sampled(noise, x[here], y[here])
    return out
