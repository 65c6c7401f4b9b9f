"""How much objects of one noun differ in size, as the worlds draw them: what a noun tells about metres."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache

import numpy as np

from fathom.assets.furniture.catalogue import furniture_assets, furniture_model
from fathom.assets.sizes import AXES, Varies, log_deviation, log_range
from fathom.assets.spec import BUILT_IN
from fathom.assets.street import catalogue as street
from fathom.assets.tabletop.catalogue import TABLETOP, tabletop_model

OTHERS: Mapping[str, float] = {"desktop": 0.11, "indoor": 0.06, "outdoor": 0.05}
"""Scale → the deviation of a side of an object of a noun that no table has, as a share of it."""

STEADIEST = 0.02
"""However alike all are, no size is known more finely than to this share."""

ALL_SIZES = 2.0
"""From which ratio of the greatest to the least on a noun does not tell a size."""


@dataclass(frozen=True)
class UsualSide:
    """What the objects of one noun measure along one axis: `middle_m` by the logarithm, in metres, and how
    far from it the logarithm of the least and of the greatest is.
    """

    middle_m: float
    low: float
    high: float

    @property
    def all_sizes(self) -> bool:
        """Whether a noun does not tell a size."""
        return self.high - self.low >= math.log(ALL_SIZES)


@dataclass(frozen=True)
class _Kind:
    asset: str
    noun: str
    usual_m: tuple[float, float, float]
    varies: Varies


def spread_of(scale: str, noun: str) -> float:
    """Return the standard deviation of the side in which objects of a noun differ least, as a share of it; of
    a noun that no table has, that of most objects at the scale.
    """
    found = [k for k in _kinds(scale) if k.noun == noun]
    if not found:
        return OTHERS[scale]
    usual = np.log([k.usual_m for k in found])
    drawn = np.array([[log_deviation(k.varies, axis) for axis in range(len(AXES))] for k in found])
    return max(STEADIEST, float(np.sqrt((drawn**2).mean(axis=0) + usual.var(axis=0)).min()))


@cache
def usual_side(scale: str, asset: str, noun: str, axis: int) -> UsualSide | None:
    """Return what built-in objects that are called as this one measure along an axis (x, y, z); None of other
    models, whose sizes the worlds do not draw from these tables.
    """
    if not any(k.asset == asset and k.noun == noun for k in _kinds(scale)):
        return None
    ends = [_ends(k, axis) for k in _kinds(scale) if k.noun == noun]
    low, high = min(a for a, _ in ends), max(b for _, b in ends)
    return UsualSide(math.exp((low + high) / 2), (low - high) / 2, (high - low) / 2)


def _ends(kind: _Kind, axis: int) -> tuple[float, float]:
    low, high = log_range(kind.varies, axis)
    usual = math.log(kind.usual_m[axis])
    return usual + low, usual + high


@cache
def _kinds(scale: str) -> tuple[_Kind, ...]:
    """Return the built-in kinds of a scale; all of one noun count."""
    return tuple({"desktop": _tabletop, "indoor": _furniture, "outdoor": _street}[scale]())


def _tabletop() -> Iterable[_Kind]:
    for a in TABLETOP.values():
        yield _Kind(a.asset, a.noun.lower(), tabletop_model(a).extents, a.varies)


def _furniture() -> Iterable[_Kind]:
    for a in furniture_assets().values():
        yield _Kind(a.asset, a.noun.lower(), furniture_model(a).extents, a.varies)


def _street() -> Iterable[_Kind]:
    for name, a in street.STREET.items():
        extents = street.BUILT_IN.model(name).extents
        yield _Kind(f"{BUILT_IN}:{name}", a.noun.lower(), extents, a.varies)
