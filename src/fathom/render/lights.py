"""What lights a scene, ready to paint with: a balanced panorama, and the ground that goes with it."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from fathom.records import Environment, InputError
from fathom.render.balance import PALER, fit_light
from fathom.render.color import LUMINANCE, Floats, desaturated, luminance
from fathom.render.grounds import GROUNDS, Spot, ground_albedo
from fathom.render.panorama import irradiance, lookup, shrunk
from fathom.render.probes import read_probe, stamp
from fathom.render.sky import ALL_SKIES, STREET_SKIES, sky_panorama

LIGHT_HEIGHT, PHOTO_HEIGHT = 256, 1024
"""Rows of the panorama that sheds light, and at most of the one that is laid out on the ground."""

EYE_M = 4.0
"""From how high a probe is laid out on the ground; twice a tripod's height, objects being half as large."""

OWN_GROUND_M = (4.0, 10.0)
"""How far from its middle a probe's own ground is shown as it is, and from where on only its mean is: what
stands on it, walls above all, would lie there as smears."""

GROUND_ALBEDO = (0.19, 0.42)
"""The darkest and the lightest that a probe's ground may be on average."""

UNEVEN, COLORFUL = 0.3, 0.09
"""How much a probe's ground may vary in brightness (e-folds) and colour before it is evened out: it holds
light, shadow and furniture of its own."""


@dataclass(frozen=True, eq=False)
class Light:
    """A panorama in which white level ground has a radiance of 1, turned about the vertical, and its ground.

    panorama : (h, 2h, 3) float32, world axes once turned by `rotation_rad`
    photo : (h, 2h, 3) float32, the probe's own ground for laying out, relative to its mean; None for a sky
    ground : name of the ground's texture
    ground_tint : (3,) linear albedo of a probe's ground on average; None: the texture's own
    """

    panorama: Floats
    rotation_rad: float
    ground: str
    ground_angle_rad: float
    photo: Floats | None = None
    ground_tint: Floats | None = None


def light_of(environment: Environment, folder: Path | None = None) -> Light:
    """Return the light of an environment; probes are read from `folder`.

    Raises InputError where the sky, the ground or the folder is not there, AssetError where the probe's
    file is not the one that the record names.
    """
    if environment.name.startswith("sky:"):
        name = environment.name.removeprefix("sky:")
        if name not in ALL_SKIES or environment.ground not in GROUNDS:
            raise InputError(
                f"environment {environment.name!r} on {environment.ground!r}: there are the skies "
                f"{', '.join(ALL_SKIES)} and the grounds {', '.join(GROUNDS)}"
            )
        return Light(
            panorama=_sky_light(name),
            rotation_rad=environment.rotation_rad,
            ground=environment.ground,
            ground_angle_rad=environment.detail.get("ground_angle_rad", 0.0),
        )
    if folder is None:
        raise InputError(
            f"environment {environment.name!r}: it is a light probe, and no folder of probes was given; "
            "pass the folder with --set environment=FOLDER"
        )
    return _probe_light(environment, folder)


def ground_seen(light: Light, spot: Spot) -> Floats:
    """Return the (n, 3) linear albedo of the ground at points of the plane."""
    texture = ground_albedo(light.ground, spot, light.ground_angle_rad)
    if light.photo is None or light.ground_tint is None:
        return texture
    x, y = turned_back(spot.x_m, spot.y_m, light.rotation_rad)
    laid = lookup(light.photo, np.stack([x, y, np.full_like(x, -EYE_M)], axis=-1))
    near, far = OWN_GROUND_M
    own = np.clip((far - np.hypot(x, y)) / (far - near), 0, 1)[:, None]
    laid = np.asarray(1 + own**2 * (3 - 2 * own) * (laid - 1), dtype=np.float32)
    detail = texture / texture.mean(axis=0)
    grey = luminance(detail)[:, None]
    return np.asarray(np.clip(light.ground_tint * laid * (0.3 * detail + 0.7 * grey), 0.02, 0.8), np.float32)


def turned_back(x: Floats, y: Floats, angle_rad: float) -> tuple[Floats, Floats]:
    """Return world directions on the ground in the axes of a panorama that is turned by `angle_rad`."""
    c, s = np.float32(math.cos(angle_rad)), np.float32(math.sin(angle_rad))
    return c * x + s * y, c * y - s * x


@cache
def _sky_light(name: str) -> Floats:
    panorama = sky_panorama(name)
    # Of these it is to be seen what sky they are: they keep their own light.
    return panorama if name in STREET_SKIES else fit_light(panorama, paler=0.25, balance=0.4)[0]


@lru_cache(maxsize=4)
def _probe(path: Path, sha256: str, written: tuple[int, int]) -> Light:
    probe = read_probe(path, sha256)
    panorama, gain = fit_light(shrunk(probe, LIGHT_HEIGHT))
    own = np.asarray(desaturated(shrunk(probe, PHOTO_HEIGHT), PALER) * gain, dtype=np.float32)
    photo, tint, ground = ground_of(own)
    return Light(panorama, 0.0, ground, 0.0, photo, tint)


def _probe_light(environment: Environment, folder: Path) -> Light:
    path = folder / environment.name
    return replace(
        _probe(path, environment.sha256, stamp(path)),
        rotation_rad=environment.rotation_rad,
        ground_angle_rad=environment.detail.get("ground_angle_rad", 0.0),
    )


def ground_of(panorama: Floats) -> tuple[Floats, Floats, str]:
    """Return a probe's own ground: its relative picture, its mean albedo (3,) and the texture nearest to it.

    What the probe's ground sends out over what falls on it is its albedo. The picture is evened out a
    little, because it holds light and shadow of its own.
    """
    h = len(panorama)
    lower = panorama[int(h * 0.56) :]
    mean = np.asarray(lower.mean(axis=(0, 1)), dtype=np.float64)
    tint = mean / float(irradiance(panorama, (0, 0, 1)) @ LUMINANCE) * np.pi
    strength = float(tint @ LUMINANCE)
    tint = tint * (float(np.clip(strength, *GROUND_ALBEDO)) / max(strength, 1e-6))
    relative = np.asarray(np.maximum(panorama, 0) / np.maximum(mean, 1e-6), dtype=np.float32)
    bright = np.clip(luminance(relative)[..., None], 1e-3, None)
    hue = relative / bright
    band = slice(int(h * 0.56), int(h * 0.86), 8)
    uneven, colorful = float(np.log(bright[band]).std()), float(hue[band].std(axis=(0, 1)).mean())
    power = min(0.75, UNEVEN / max(uneven, 1e-6))
    photo = desaturated(hue, max(0.4, 1 - COLORFUL / max(colorful, 1e-6))) * np.clip(bright**power, 0.35, 1.9)
    return np.asarray(photo, dtype=np.float32), tint.astype(np.float32), _nearest_ground(lower, tint)


def _nearest_ground(lower: Floats, tint: NDArray[np.float64]) -> str:
    """Return the texture whose grain suits a probe's ground, from its colour and its unevenness."""
    low, high = float(tint.min()), float(tint.max())
    saturation = (high - low) / max(high, 1e-9)
    lum = np.log(np.maximum(luminance(lower), 1e-4))
    rough = float(np.abs(np.diff(lum, axis=1)).mean())
    if saturation > 0.45 and tint[1] >= tint[0]:
        return "grass"
    if saturation > 0.4 and rough > 0.05:
        return "earth"
    return "asphalt" if rough > 0.05 else "smooth"
