"""How much built-in objects of one kind differ in size, and drawing sizes.

varies = (wide("xyz"), near("xy"), near("z"))      # a bottle: of all sizes, stout or slim
factors = drawn_factors(g, varies)
low, high = log_range(varies, 2)                   # of its height

Some kinds are of much the same size everywhere: they tell whoever looks how large the rest is. Others come in
all sizes, so that only looking tells.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

AXES = "xyz"

WIDE = 2.4
"""How many times the smallest of a kind that comes in all sizes the largest is."""

WELL_KNOWN = 0.06
"""Up to such a deviation a size is what everybody takes it for."""

Growth = tuple[str, float, float]
"""Axes that grow together, and by which factor at least and at most; all between are as likely by their
logarithm."""

Varies = tuple[Growth, ...]
"""How a kind varies: an axis that stands in several takes all their factors."""


def by(axes: str, share: float) -> Growth:
    """Return axes that are larger or smaller by up to a share of the usual size."""
    return axes, 1 / (1 + share), 1 + share


def evenly(share: float) -> Varies:
    """Return how what keeps its shape is larger or smaller by up to a share of the usual size."""
    return (by("xyz", share),)


def near(axes: str) -> Growth:
    """Return axes by which one object of a kind is a bit stouter than the next."""
    return by(axes, 0.08)


def wide(axes: str, middle: float = 1.0) -> Growth:
    """Return axes that come in all sizes about `middle` times that of the model."""
    reach = math.sqrt(WIDE)
    return axes, middle / reach, middle * reach


def drawn_factors(g: np.random.Generator, varies: Varies, times: float = 1.0) -> NDArray[np.float64]:
    """Return by which factor each axis is larger than the model, (3,). `times` is by how much more, or less,
    than usual the logarithms differ; 0: all are of the middle size.
    """
    logs = np.zeros(len(AXES))
    for axes, low, high in varies:
        middle, reach = (math.log(high) + math.log(low)) / 2, (math.log(high) - math.log(low)) / 2
        own = middle + times * reach * float(g.uniform(-1, 1))
        logs[[AXES.index(a) for a in axes]] += own
    return np.asarray(np.exp(logs))


def drawn_size(
    g: np.random.Generator, usual_m: Sequence[float], varies: Varies, times: float = 1.0
) -> tuple[float, float, float]:
    """Return length, width and height of an object whose model has the sides `usual_m`; micrometres are
    kept.
    """
    x, y, z = (float(u * f) for u, f in zip(usual_m, drawn_factors(g, varies, times), strict=True))
    return round(x, 6), round(y, 6), round(z, 6)


def log_range(varies: Varies, axis: int) -> tuple[float, float]:
    """Return the logarithms of the least and the greatest factor of an axis."""
    own = [(low, high) for axes, low, high in varies if AXES[axis] in axes]
    return sum(math.log(low) for low, _ in own), sum(math.log(high) for _, high in own)


def log_deviation(varies: Varies, axis: int) -> float:
    """Return the standard deviation of the logarithm of an axis: that of a side, as a share of it."""
    own = [math.log(high / low) for axes, low, high in varies if AXES[axis] in axes]
    return math.sqrt(sum(width**2 for width in own) / 12)


def steady(varies: Varies) -> bool:
    """Return whether objects of a kind are so much alike that who knows the kind knows their size."""
    return all(log_deviation(varies, axis) <= WELL_KNOWN for axis in range(len(AXES)))
