"""How options are written: one step for all five, one unit, and as many decimals."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from fathom.questions.numeric.error_sampling import Floats

FINENESS = 0.1
"""By which share of the smallest gap of a set rounding may change a distance."""

TRUE = 0.02
"""By which share of a number its written digits may be off."""

MINUS = "−"


def step_for(gap: float, dimensions: int = 1, smallest: float = math.inf) -> float:
    """Return the step to which five options are rounded: the largest power of ten that is fine enough, so
    that all digits that are written are true.

    Two points `gap` apart in so many dimensions, each rounded to the step, then are at most a tenth of the
    gap nearer or farther than they were, and no number from `smallest` on is off by more than 2 %.
    """
    finest = min(FINENESS * gap / math.sqrt(dimensions), 2 * TRUE * smallest)
    return float(10.0 ** math.floor(math.log10(finest) + 1e-9))


def rounded(values: Floats, step: float) -> Floats:
    """Return the multiples of `step` that are nearest to the values, zero without a sign."""
    found: Floats = np.round(np.round(np.asarray(values) / step) * step, decimals_of(step)) + 0.0
    return found


def decimals_of(step: float) -> int:
    """Return how many decimals a multiple of `step` has."""
    return max(0, -math.floor(math.log10(step) + 1e-9))


def number(value: float, step: float) -> str:
    """Return a multiple of `step` with all its decimals; what is below zero has a minus, not a hyphen."""
    text = f"{abs(value):.{decimals_of(step)}f}"
    return f"{MINUS}{text}" if value < 0 else text


def with_unit(value: float, step: float, unit: str) -> str:
    """Return a number with its unit: "12.4 cm", "−35°"."""
    return f"{number(value, step)}{unit}" if unit == "°" else f"{number(value, step)} {unit}"


def to_a_side(value: float, step: float, unit: str) -> str:
    """Return an angle with the side it is to, counter-clockwise being left: "35° to the right"."""
    return f"{with_unit(abs(value), step, unit)} to the {'left' if value > 0 else 'right'}"


def box(numbers: Sequence[str]) -> str:
    """Return a box from x, y, z of its centre, length, width and height in metres, and its yaw in degrees."""
    x, y, z, length, width, height, yaw = numbers
    return f"center ({x}, {y}, {z}) m, length {length} m, width {width} m, height {height} m, yaw {yaw}°"


def centre(numbers: Sequence[str]) -> str:
    """Return a centre from x, y and z in metres."""
    return f"({', '.join(numbers)}) m"


def pose(numbers: Sequence[str]) -> str:
    """Return a pose from x, y, z in metres, and yaw, pitch and roll in degrees."""
    x, y, z, yaw, pitch, roll = numbers
    return f"position ({x}, {y}, {z}) m, yaw {yaw}°, pitch {pitch}°, roll {roll}°"
