"""What a picture's light and air are like, from the panorama that lights it and the numbers of its air."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fathom.records import Environment
from fathom.render.lights import light_of

SKY = "sky:"
LUMINANCE = np.array([0.2126, 0.7152, 0.0722])


@dataclass(frozen=True)
class Daylight:
    """The light and the air of a picture outdoors.

    sun_deg : how high the sun stands; NaN where none is seen
    bright : the light of the sky, that of a day being 1
    seen_m : how far one sees
    drops, flakes, lies : how much rain and how much snow falls, and how much snow lies
    """

    sun_deg: float
    bright: float
    seen_m: float
    drops: float
    flakes: float
    lies: float


SUN_OVER_SKY = 20.0
"""A sun is so many times as bright as the sky around it, at least."""


def daylight_of(environment: Environment) -> Daylight | None:
    """Return what the light and the air of an environment are like; None where there is no built-in sky."""
    if not environment.name.startswith(SKY):
        return None
    said = environment.detail
    return Daylight(
        sun_deg=_sun_deg(environment),
        bright=said.get("dim", 1.0),
        seen_m=said.get("fog_m", np.inf),
        drops=said.get("rain", 0.0),
        flakes=said.get("snowfall", 0.0),
        lies=said.get("snow", 0.0),
    )


def _sun_deg(environment: Environment) -> float:
    """Return how high the brightest spot of the panorama is, where it outshines the sky."""
    panorama = light_of(environment).panorama
    upper = panorama[: len(panorama) // 2] @ LUMINANCE
    if upper.max() < SUN_OVER_SKY * np.median(upper):
        return float("nan")
    row = int(np.unravel_index(int(upper.argmax()), upper.shape)[0])
    return 90.0 - 180.0 * (row + 0.5) / len(panorama)
