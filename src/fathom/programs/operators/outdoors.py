"""What the sky and the air of a picture of a street show: the weather, and the time of day.

Ref: SEED-Bench §3.1; docs/benchmarks/seed-bench-built.md.
"""

from __future__ import annotations

from fathom.programs.operators.measuring import measured
from fathom.programs.registry import VIDEO, Operator, declare
from fathom.programs.values import Measured, TruthValue, Unanswerable, ValueType
from fathom.programs.views.video import VideoView

WEATHERS = ("sunny", "overcast", "rain", "snow", "fog")
DAYTIMES = ("noon", "low sun", "twilight", "night")
"""The times of day that show: under clouds that hide the sun nobody could tell."""

FIRM = 2.0
"""How firmly a weather or a time shows that was drawn as one: they have no border in common."""


def weather(tracks: VideoView, frame: int) -> Measured:
    """Return the weather, where there is light to see it by."""
    return _told(tracks.weather if tracks.weather in WEATHERS else "")


def daytime(tracks: VideoView, frame: int) -> Measured:
    """Return the time of day: how high the sun is, or that it is below the horizon, or long gone."""
    return _told(tracks.daytime if tracks.daytime in DAYTIMES else "")


def _told(word: str) -> Measured:
    if not word:
        raise Unanswerable("nobody could tell from such a sky")
    return Measured(word, truth=TruthValue(FIRM, word, 1.0, "sights"))


declare(
    *(
        Operator(act.__name__, (ValueType.TIME,), ValueType.QUANTITY, measured(act), VIDEO)
        for act in (weather, daytime)
    )
)
