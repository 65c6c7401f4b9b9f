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

from fathom.records import Record

AXES = "xyz"

WIDE = 2.4
"""How many times the smallest of a kind that comes in all sizes the largest is."""

WELL_KNOWN = 0.06
"""Up to such a deviation a size is what everybody takes it for."""


class Growth(Record, frozen=True, kw_only=True):
    """Axes that grow together; all factors between the least and the greatest are as likely by logarithm.

    axes : some of "xyz": length, width, height
    by : larger or smaller by up to this share of the usual size; 0 where `wide` is said
    wide : the middle, in usual sizes, of what comes in all sizes (`WIDE`); 0 where `by` is said
    """

    axes: str
    by: float = 0.0
    wide: float = 0.0

    @property
    def low(self) -> float:
        """The least factor."""
        return self.wide / math.sqrt(WIDE) if self.wide else 1 / (1 + self.by)

    @property
    def high(self) -> float:
        """The greatest factor."""
        return self.wide * math.sqrt(WIDE) if self.wide else 1 + self.by


Varies = tuple[Growth, ...]
"""How a kind varies: an axis that stands in several takes all their factors."""


def by(axes: str, share: float) -> Growth:
    """Return axes that are larger or smaller by up to a share of the usual size."""
    return Growth(axes=axes, by=share)


def evenly(share: float) -> Varies:
    """Return how what keeps its shape is larger or smaller by up to a share of the usual size."""
    return (by("xyz", share),)


def near(axes: str) -> Growth:
    """Return axes by which one object of a kind is a bit stouter than the next."""
    return by(axes, 0.08)


def wide(axes: str, middle: float = 1.0) -> Growth:
    """Return axes that come in all sizes about `middle` times that of the model."""
    return Growth(axes=axes, wide=middle)


def drawn_factors(g: np.random.Generator, varies: Varies, times: float = 1.0) -> NDArray[np.float64]:
    """Return by which factor each axis is larger than the model, (3,). `times` is by how much more, or less,
    than usual the logarithms differ; 0: all are of the middle size.
    """
    logs = np.zeros(len(AXES))
    for growth in varies:
        low, high = math.log(growth.low), math.log(growth.high)
        middle, reach = (high + low) / 2, (high - low) / 2
        own = middle + times * reach * float(g.uniform(-1, 1))
        logs[[AXES.index(a) for a in growth.axes]] += own
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
    own = [(v.low, v.high) for v in varies if AXES[axis] in v.axes]
    return sum(math.log(low) for low, _ in own), sum(math.log(high) for _, high in own)


def log_deviation(varies: Varies, axis: int) -> float:
    """Return the standard deviation of the logarithm of an axis: that of a side, as a share of it."""
    own = [math.log(v.high / v.low) for v in varies if AXES[axis] in v.axes]
    return math.sqrt(sum(width**2 for width in own) / 12)


def steady(varies: Varies) -> bool:
    """Return whether objects of a kind are so much alike that who knows the kind knows their size."""
    return all(log_deviation(varies, axis) <= WELL_KNOWN for axis in range(len(AXES)))
