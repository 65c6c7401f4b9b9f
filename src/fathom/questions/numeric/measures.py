"""Within what errors a quantity is asked in each setting, and the unit in which it is written.

Values are in metres, seconds and degrees. Lengths have the paper's ranges; the others are ours: where a turn
begins and ends nobody sees to the centimetre, so that trajectories differ by three times as much. Where
positions and angles make one distance, ten degrees count as a centimetre on a desktop, as ten centimetres
indoors, and as a metre outdoors: so the ranges of lengths and of angles are the same there.

Ref: STI-Bench §3.2, step 1.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

from fathom.records import InputError

SETTINGS = ("desktop", "indoor", "outdoor")


@dataclass(frozen=True)
class QuantityMeasure:
    """How a quantity is asked: its unit, what one of it is in base units, and the range of the errors.

    Errors lie between `least` and `most`, in base units. `positive`: only numbers above zero make sense.
    `even` says on which scale answers are to be spread evenly. `ratio`: the five differ by equal factors, and
    errors are their logarithms.
    """

    unit: str
    one: float
    least: float
    most: float
    positive: bool = True
    even: Literal["log", "linear"] = "log"
    ratio: bool = False


def _angle() -> QuantityMeasure:
    return QuantityMeasure("°", 1.0, 5.0, 50.0, positive=False, even="linear")


MEASURES: Mapping[tuple[str, str], QuantityMeasure] = MappingProxyType(
    {
        ("desktop", "length"): QuantityMeasure("cm", 0.01, 0.005, 0.05),
        ("indoor", "length"): QuantityMeasure("m", 1.0, 0.05, 0.5),
        ("outdoor", "length"): QuantityMeasure("m", 1.0, 0.5, 5.0),
        ("desktop", "speed"): QuantityMeasure("cm/s", 0.01, 0.005, 0.05),
        ("indoor", "speed"): QuantityMeasure("m/s", 1.0, 0.05, 0.5),
        ("outdoor", "speed"): QuantityMeasure("m/s", 1.0, 0.5, 5.0),
        ("desktop", "acceleration"): QuantityMeasure("cm/s²", 0.01, 0.01, 0.1, False, "linear"),
        ("indoor", "acceleration"): QuantityMeasure("m/s²", 1.0, 0.02, 0.2, False, "linear"),
        ("outdoor", "acceleration"): QuantityMeasure("m/s²", 1.0, 0.1, 1.0, False, "linear"),
        **{(setting, "angle"): _angle() for setting in SETTINGS},
        ("desktop", "trajectory"): QuantityMeasure("cm", 0.01, 0.02, 0.2),
        ("indoor", "trajectory"): QuantityMeasure("m", 1.0, 0.15, 1.5),
        ("outdoor", "trajectory"): QuantityMeasure("m", 1.0, 1.5, 15.0),
    }
)
"""(setting, kind of quantity) → how it is asked."""

KINDS: Mapping[str, str] = MappingProxyType(
    {
        **dict.fromkeys(("length", "width", "height", "distance", "gap"), "length"),
        **dict.fromkeys(("least_distance", "greatest_distance", "displacement", "path_length"), "length"),
        **dict.fromkeys(("speed", "average_speed", "velocity"), "speed"),
        **dict.fromkeys(("acceleration", "mean_acceleration"), "acceleration"),
        **dict.fromkeys(("angle", "azimuth_change"), "angle"),
    }
)  # fmt: skip
"""Quantity, as programs over tracks call it → the kind that it is."""

BASE_UNITS: Mapping[str, str] = MappingProxyType(
    {"length": "m", "speed": "m/s", "acceleration": "m/s²", "angle": "°"}
)
"""Kind of quantity → the base unit that errors and precisions are in."""

METRES_PER_DEGREE: Mapping[str, float] = MappingProxyType({"desktop": 0.001, "indoor": 0.01, "outdoor": 0.1})
"""What a degree counts where positions and angles make one distance."""


def measure_of(setting: str, quantity: str) -> QuantityMeasure:
    """Return how a quantity is asked in a setting. Raises InputError where nothing is known of either."""
    found = MEASURES.get((setting, KINDS.get(quantity, quantity)))
    if found is None:
        raise InputError(
            f"options for {quantity!r} in the setting {setting!r}: expected a setting of "
            f"{', '.join(SETTINGS)} and a quantity of {', '.join(KINDS)}; add a line to the table MEASURES"
        )
    return found
