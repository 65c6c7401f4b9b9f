"""Which props of a story stand in screens, which way these open, and how large they are.

Screens open outwards from the actor, to sides spread evenly around: of two props in two of them one view
seldom shows both.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from fathom.build.assets.props.screens import ROOM, SCREENS, reach, screen_hash
from fathom.build.worlds.designs import Draft
from fathom.build.worlds.dressing import rounded
from fathom.geometry.poses import heading_rad, yaw_quaternion
from fathom.records import AssetRef, Thing

MOST = 4
"""How many screens stand in a story at most: more, and the picture is of screens."""

TILT, ASIDE = math.radians(50), math.radians(75)
"""How far from straight outwards a screen is meant to open, and opens, at most."""

SHOWN_DEG = (15.0, 120.0, 240.0)
"""Azimuths of the views 1, 8 and 16 of 24, which the paper shows to models."""

SHOWN = 0.9
"""How likely a screen is to be open to one of these."""

INSIDE = math.radians(40)
"""Up to how far from its opening one sees what stands in a screen, to be sure."""

LOOKS, LEAST_LOOKS = 24, 4
"""Of so many directions evenly around, so many at least must show what stands in a screen."""

LEAST_HEIGHT = 0.38
"""How high what stands in a screen is taken to be at least, in the props' unit: it may turn into another."""


@dataclass(frozen=True)
class Bay:
    """A screen about a prop: its kind, where it opens to, how far its sides stand off, its height."""

    name: str
    opening_rad: float
    half_m: float
    height_m: float

    @property
    def radius_m(self) -> float:
        """How far it reaches on the ground from the prop."""
        return reach(self.name) * self.half_m

    def outwards(self, bearing_rad: float) -> Bay:
        """Return it where it stands at a bearing from the actor: it opens no more than `ASIDE` from that."""
        tilt = math.remainder(self.opening_rad - bearing_rad, 2 * math.pi)
        return replace(self, opening_rad=bearing_rad + min(max(tilt, -ASIDE), ASIDE))

    def thing(self, index: int, x: float, y: float) -> Thing:
        """Return it as a thing that stands about a place."""
        size = (self.half_m, self.half_m, self.height_m)
        return Thing(
            id=f"screen{index}",
            category="screen",
            subtype=self.name,
            size_m=(round(size[0], 6), round(size[1], 6), round(size[2], 6)),
            poses=(rounded(np.array([x, y, 0.0]), yaw_quaternion(self.opening_rad)),),
            asset=AssetRef(name=f"screen:{self.name}", sha256=screen_hash(self.name)),
            attributes={"name": self.name, "color": ""},
        )


def screened(draft: Draft, free: Sequence[int]) -> tuple[int, ...]:
    """Return which of the props that could stand in a screen do."""
    share = draft.staging.hidden_share if draft.design.screens else 0.0
    count = min(math.ceil(share * len(free) - 1e-9), MOST)
    g = draft.rng("screens")
    return tuple(sorted(free[int(k)] for k in g.permutation(len(free))[:count]))


def openings(g: np.random.Generator, bearings_rad: Sequence[float]) -> list[float]:
    """Return where screens at some bearings from the actor open to: evenly around, and outwards."""
    count = len(bearings_rad)
    if not count:
        return []
    order = np.argsort(np.mod(bearings_rad, 2 * math.pi))
    around = np.mod(np.array(bearings_rad)[order], 2 * math.pi)
    apart = np.arange(count) * 2 * math.pi / count
    off = np.angle(np.exp(1j * (around - apart)).sum()) + g.normal(0, math.radians(6))
    out = np.zeros(count)
    for k, place in enumerate(order):
        tilt = (apart[k] + off - around[k] + math.pi) % (2 * math.pi) - math.pi
        out[place] = around[k] + float(np.clip(tilt, -TILT, TILT))
    return [float(_towards(a)) if g.random() < SHOWN else float(a) for a in out]


def _towards(opening_rad: float) -> float:
    """Return an opening, turned as little as it takes for one of the views that are shown to see inside."""
    off = [(math.radians(a) - opening_rad + math.pi) % (2 * math.pi) - math.pi for a in SHOWN_DEG]
    least = min(off, key=abs)
    return opening_rad + math.copysign(max(abs(least) - INSIDE, 0.0), least)


def open_enough(screens: Sequence[Thing], elevation_deg: float) -> bool:
    """Return whether no screen hides from most sides what another one is open to."""
    around = np.arange(LOOKS) * 2 * math.pi / LOOKS
    ways, down = np.column_stack([np.cos(around), np.sin(around)]), math.tan(math.radians(elevation_deg))
    spots = np.array([s.poses[0].position_m[:2] for s in screens])
    for k, screen in enumerate(screens):
        opening = heading_rad(screen.poses[0])
        free = np.abs(np.angle(np.exp(1j * (around - opening)))) <= INSIDE + 0.1
        for other, spot in zip(screens, spots, strict=True):
            off = spot - spots[k]
            ahead, beside = ways @ off, np.abs(ways @ np.array([[0, -1], [1, 0]]) @ off)
            high = other.size_m[2] - ahead * down > 0.4 * screen.size_m[2]
            free &= ~((ahead > 0) & (beside < 1.1 * other.size_m[1]) & high) | (other is screen)
        if np.count_nonzero(free) < LEAST_LOOKS:
            return False
    return True


def bay(name: str, opening_rad: float, radius_m: float, height_m: float, elevation_deg: float) -> Bay:
    """Return the screen that hides something of a radius and a height from all sides but one."""
    half = 1.05 * radius_m / ROOM
    # Over the top of a wall one looks down into it, more so the further away it stands.
    down = math.tan(math.radians(elevation_deg)) * half
    return Bay(name, opening_rad, half, 0.95 * height_m + 1.05 * down)


def kind_of_screen(draft: Draft) -> str:
    """Return the one kind of screen that a story has."""
    names = list(SCREENS)
    return names[int(draft.rng("screens", "kind").integers(len(names)))]
