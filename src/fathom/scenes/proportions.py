"""How large the props of the shelf are, and what fits where."""

from __future__ import annotations

import numpy as np

from fathom.assets.model import Points
from fathom.assets.props.catalogue import PROPS, prop_model
from fathom.assets.spec import AssetSpec

LEAST_ROOM = 0.15
"""The least radius that a prop on the ground has to itself, in units."""

WIDEST = 0.22
"""The radius of what stands in a screen, at most, in units: what is wider is smaller there."""


def room_of(name: str) -> float:
    """Return the radius that a prop on the ground has to itself, in units: it may turn into another one."""
    return max(radius_of(name) * PROPS[name].relative_size, LEAST_ROOM)


def slimmed(name: str) -> float:
    """Return how large a prop is in a screen against how large it is elsewhere: less where it is wide."""
    return min(1.0, WIDEST / room_of(name))


def fits_on(top: AssetSpec, carrier: AssetSpec) -> bool:
    """Return whether a prop can stand on another."""
    return (
        not top.carries
        and radius_of(top.name) * top.relative_size <= 1.05 * carrier.carries * carrier.relative_size
    )


def _points(name: str) -> Points:
    return np.concatenate([p.vertices for p in prop_model(name).parts])


def radius_of(name: str) -> float:
    """Return the radius of a prop about its origin, as a share of its longest extent."""
    return float(np.hypot(*_points(name)[:, :2].T).max())


def height_of(name: str) -> float:
    """Return the height of a prop over its origin, as a share of its longest extent."""
    return float(_points(name)[:, 2].max())


def cover_of(name: str, slope: float) -> float:
    """Return how high a wall at a prop's middle hides it, in units, from where one looks down by a slope."""
    points = _points(name)
    high = points[:, 2] + slope * np.hypot(points[:, 0], points[:, 1])
    return float(high.max()) * PROPS[name].relative_size


def size_of(prop: AssetSpec, longest_m: float) -> tuple[float, float, float]:
    """Return the extents in metres of a prop of a length."""
    x, y, z = prop_model(prop.name).extents
    return (round(x * longest_m, 6), round(y * longest_m, 6), round(z * longest_m, 6))
