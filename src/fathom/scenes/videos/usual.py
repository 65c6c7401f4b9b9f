"""How much objects of one noun differ in size, as the worlds draw them: what a noun tells about metres."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import cache
from types import MappingProxyType

import numpy as np

from fathom.assets.furniture import shelf as furniture
from fathom.assets.street import kinds as street
from fathom.assets.tabletop import shelf as tabletop
from fathom.scenes.videos.desktop import Desktop
from fathom.scenes.videos.indoor import Indoor

_AXES = 3

_SHARES: Mapping[str, float] = MappingProxyType(
    {"desktop": Desktop.spread, "indoor": Indoor.spread, "outdoor": street.Kind.spread}
)
"""Scale → by which share the size of an object differs from its usual one at most, unless its kind says."""


def spread_of(scale: str, noun: str) -> float:
    """Return the standard deviation of a side of an object of this noun, as a share of it; of a noun that no
    table has, that of most objects at the scale.
    """
    return _spreads(scale).get(noun, _deviation(_SHARES[scale], _AXES))


def _deviation(share: float, axes: int) -> float:
    """Return the deviation of sides of which so many are drawn evenly, up to a share of them either way."""
    return share * math.sqrt(axes / _AXES / 3)


@cache
def _spreads(scale: str) -> Mapping[str, float]:
    return MappingProxyType({"desktop": _tabletop, "indoor": _furniture, "outdoor": _street}[scale]())


def _tabletop() -> dict[str, float]:
    share = _SHARES["desktop"]
    return {w.name.lower(): _deviation(share, _drawn(w.varies)) for w in tabletop.WARES.values()}


def _furniture() -> dict[str, float]:
    share = _SHARES["indoor"]
    return {k.name.lower(): _deviation(share, _drawn(k.varies)) for k in furniture.FURNITURE.values()}


def _street() -> dict[str, float]:
    """Return it of streets, where kinds of one noun may be of different sizes: that counts as well, in the
    side in which they differ least.
    """
    kinds: dict[str, list[str]] = defaultdict(list)
    for name, kind in street.KINDS.items():
        kinds[kind.name.lower()].append(name)
    return {noun: _of_kinds(names) for noun, names in kinds.items()}


def _of_kinds(names: Sequence[str]) -> float:
    drawn = [_deviation(street.KINDS[n].spread, _drawn(street.KINDS[n].varies)) for n in names]
    usual = np.log([street.BUILT_IN.model(n).extents for n in names]) if len(names) > 1 else np.zeros((1, 3))
    return math.sqrt(float(np.mean(np.square(drawn))) + float(usual.var(axis=0).min()))


def _drawn(varies: Sequence[str]) -> int:
    return sum(map(len, varies))
