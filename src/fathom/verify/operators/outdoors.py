"""The weather and the time of day of a picture, in the second derivation: from its light and its air.

docs/benchmarks/seed-bench-built.md says what is meant.
"""

from __future__ import annotations

import math

from fathom.verify.observed.daylight import Daylight
from fathom.verify.observed.video import ObservedVideo
from fathom.verify.registry import VIDEO, declare, measure
from fathom.verify.undecided import InsufficientEvidence
from fathom.verify.values import DerivedAnswer, word

DUSKY, DARK = 0.3, 0.05
"""The light of a twilight is no more than the first, that of a night no more than the second."""

THICK_M = 90.0
LOW_DEG, HIGH_DEG = 20.0, 45.0


def _light(video: ObservedVideo) -> Daylight:
    if video.daylight is None:
        raise InsufficientEvidence
    return video.daylight


def what_weather(video: ObservedVideo, frame: int) -> DerivedAnswer:
    """Return the weather of a picture."""
    return weather_in(_light(video))


def weather_in(light: Daylight) -> DerivedAnswer:
    """Return the weather: what falls, how far one sees, and whether the sun is out."""
    if light.bright <= DUSKY or (light.drops and light.flakes):
        raise InsufficientEvidence
    if light.drops:
        return word("rain")
    if light.flakes:
        return word("snow")
    if light.seen_m <= THICK_M:
        return word("fog")
    return word("overcast" if math.isnan(light.sun_deg) else "sunny")


def what_time(video: ObservedVideo, frame: int) -> DerivedAnswer:
    """Return the time of day of a picture."""
    return time_in(_light(video))


def time_in(light: Daylight) -> DerivedAnswer:
    """Return the time of day: how light it is, and how high the sun stands, if it is out."""
    if light.bright <= DUSKY:
        return word("night" if light.bright <= DARK else "twilight")
    if light.sun_deg >= HIGH_DEG:
        return word("noon")
    if light.sun_deg <= LOW_DEG:
        return word("low sun")
    raise InsufficientEvidence


declare(VIDEO, {"weather": measure(what_weather), "daytime": measure(what_time)})
