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


def sampled(
    noise: NDArray[np.float32], x: NDArray[np.floating], y: NDArray[np.floating]
) -> NDArray[np.float32]:
    """Return the (n,) noise at positions in tiles (1 is one period), bilinearly."""
    from scipy.ndimage import map_coordinates

    return np.asarray(
        map_coordinates(noise, [y % 1.0 * SIZE, x % 1.0 * SIZE], order=1, mode="grid-wrap"), dtype=np.float32
    )
