"""The built-in skies: sun, sky and clouds as panoramas, so that nothing needs downloading.

The luminance of the cloudless sky is that of the CIE standard general sky (ISO 15469, CIE S 011): a
gradation from zenith to horizon times an indicatrix around the sun.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from fathom.render.color import Floats, linear, luminance
from fathom.render.noise import tile
from fathom.render.panorama import directions, irradiance, solid_angles

HEIGHT = 256
VERSION = "2"
"""Raised whenever a built-in sky or ground changes its looks."""


@dataclass(frozen=True)
class Sky:
    """A sky by its sun and its air.

    `gradation` (a, b) and `indicatrix` (c, d, e) are the parameters of the CIE sky; `sun` is the share of
    the light on level ground that comes from the sun itself; `sun_width_deg` softens its shadows.
    """

    sun_elevation_deg: float
    gradation: tuple[float, float]
    indicatrix: tuple[float, float, float]
    zenith: tuple[int, int, int]
    horizon: tuple[int, int, int]
    sun_color: tuple[int, int, int]
    sun: float
    sun_width_deg: float = 0.6
    clouds: float = 0.0


_CLEAR, _HAZY = (10.0, -3.0, 0.45), (14.0, -2.8, 0.4)

SKIES: dict[str, Sky] = {
    "clear-noon": Sky(
        58, (-1.0, -0.32), _CLEAR, (92, 140, 205), (205, 222, 240), (255, 249, 240), sun=0.53
    ),
    "clear-morning": Sky(
        34, (-1.0, -0.32), _CLEAR, (88, 134, 200), (222, 226, 232), (255, 238, 214), sun=0.49
    ),
    "late-afternoon": Sky(
        34, (-1.0, -0.22), _HAZY, (128, 150, 186), (246, 222, 188), (255, 214, 158), sun=0.47,
        sun_width_deg=0.8,
    ),
    "fair-clouds": Sky(
        46, (-1.0, -0.55), _CLEAR, (84, 132, 205), (212, 224, 238), (255, 247, 236), sun=0.47,
        sun_width_deg=0.8, clouds=0.45,
    ),
    "veiled-sun": Sky(
        42, (-0.7, -0.5), (6.0, -2.6, 0.3), (176, 194, 216), (226, 230, 234), (255, 246, 232), sun=0.36,
        sun_width_deg=3.0, clouds=0.3,
    ),
    "overcast": Sky(
        50, (4.0, -0.7), (0.0, -1.0, 0.0), (204, 210, 218), (224, 227, 230), (255, 255, 255), sun=0.2,
        sun_width_deg=7.0, clouds=0.6,
    ),
}  # fmt: skip
"""The built-in skies that scenes draw from. The parameters of gradation and indicatrix are
CIE's types 1, 8, 11, 12 and 13."""


STREET_SKIES: dict[str, Sky] = {
    "noon": Sky(62, (-1.0, -0.32), _CLEAR, (74, 128, 205), (198, 220, 242), (255, 250, 242), sun=0.62),
    "low-sun": Sky(
        11, (-1.0, -0.22), _HAZY, (118, 146, 190), (252, 214, 164), (255, 186, 108), sun=0.3,
        sun_width_deg=0.8,
    ),
    "twilight": Sky(
        2, (-1.0, -0.25), _HAZY, (56, 82, 142), (222, 176, 150), (232, 150, 112), sun=0.0
    ),
    "night": Sky(40, (-0.4, -0.5), (0.0, -1.0, 0.0), (10, 15, 34), (24, 32, 58), (24, 32, 58), sun=0.0),
    "low-cloud": Sky(
        50, (4.0, -0.7), (0.0, -1.0, 0.0), (176, 182, 190), (206, 210, 214), (255, 255, 255), sun=0.0,
        clouds=0.75,
    ),
}  # fmt: skip
"""Skies over streets at times of day and in weathers; nobody draws among them without saying so."""

ALL_SKIES = {**SKIES, **STREET_SKIES}


@cache
def sky_panorama(name: str) -> Floats:
    """Return the panorama of a built-in sky; level ground gets π of luminance, its sun is at azimuth 0."""
    sky = ALL_SKIES[name]
    toward = directions(HEIGHT)
    up = np.clip(toward[..., 2], 0.0, 1.0)
    elevation = np.radians(sky.sun_elevation_deg)
    sun_direction = np.array([np.cos(elevation), 0.0, np.sin(elevation)])
    from_sun = np.arccos(np.clip(toward @ sun_direction, -1, 1))
    radiance = _clear(sky, up, from_sun)
    radiance = _clouded(sky, name, radiance, toward, from_sun)
    radiance[toward[..., 2] < 0] = 0
    radiance *= (
        (1 - sky.sun)
        * np.pi
        / luminance(irradiance(radiance.astype(np.float32), (0, 0, 1)).astype(np.float32))
    )
    if sky.sun > 0:
        radiance += _sun(sky, from_sun, up)
    below = toward[..., 2] < 0
    # The ground that the sky itself knows: what it sheds on level ground, sent back by a fifth.
    radiance[below] = 0.2 * irradiance(radiance.astype(np.float32), (0, 0, 1)) / np.pi
    return radiance.astype(np.float32)


def _clear(sky: Sky, up: NDArray[np.float64], from_sun: NDArray[np.float64]) -> NDArray[np.float64]:
    (a, b), (c, d, e) = sky.gradation, sky.indicatrix
    gradation = 1 + a * np.exp(b / np.maximum(up, 0.02))
    indicatrix = 1 + c * (np.exp(d * from_sun) - np.exp(d * np.pi / 2)) + e * np.cos(from_sun) ** 2
    color = linear(np.array([sky.zenith, sky.horizon, sky.sun_color]) / 255).astype(np.float64)
    high = (up**0.45)[..., None]
    tint = color[0] * high + color[1] * (1 - high)
    warm = np.exp(-from_sun / 0.35)[..., None] * 0.6
    tint = tint * (1 - warm) + color[2] * warm
    tint /= (tint @ np.array([0.2126, 0.7152, 0.0722]))[..., None]
    return np.asarray(np.maximum(gradation * indicatrix, 0.01)[..., None] * tint)


def _clouded(
    sky: Sky,
    name: str,
    radiance: NDArray[np.float64],
    toward: NDArray[np.float64],
    from_sun: NDArray[np.float64],
) -> NDArray[np.float64]:
    if sky.clouds <= 0:
        return radiance
    up = np.maximum(toward[..., 2], 0.06)
    shape = tile("clouds", name, slope=1.9)
    n = len(shape)
    # Clouds lie in a flat layer, so that they crowd together towards the horizon.
    i = (toward[..., 0] / up * 60).astype(np.int64) % n
    j = (toward[..., 1] / up * 60).astype(np.int64) % n
    threshold = np.quantile(shape, 1 - sky.clouds)
    cover = np.clip((shape[i, j] - threshold) / 0.6, 0, 1) * np.clip(toward[..., 2] / 0.15, 0, 1)
    mean = (radiance * solid_angles(len(radiance)))[toward[..., 2] > 0].sum(axis=0) / (2 * np.pi)
    grey = float(mean @ np.array([0.2126, 0.7152, 0.0722])) * np.array([1.0, 1.0, 1.02])
    bright = (1.1 + 1.2 * np.exp(-from_sun / 0.6) - 0.35 * cover)[..., None] * grey
    share = (0.85 * cover)[..., None]
    return np.asarray(radiance * (1 - share) + bright * share)


def _sun(sky: Sky, from_sun: NDArray[np.float64], up: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the radiance of a soft disc that sheds `sky.sun` of π of luminance on level ground."""
    disc = np.exp(-0.5 * (from_sun / np.radians(sky.sun_width_deg)) ** 2)
    disc[from_sun > np.radians(4 * sky.sun_width_deg)] = 0
    color = linear(np.array(sky.sun_color) / 255).astype(np.float64)
    color /= color @ np.array([0.2126, 0.7152, 0.0722])
    total = (disc * up * solid_angles(HEIGHT)[..., 0]).sum()
    return np.asarray((disc / total * sky.sun * np.pi)[..., None] * color)
