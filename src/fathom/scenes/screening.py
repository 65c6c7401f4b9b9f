"""Which props of a story stand in screens, which way these open, and how large they are.

Screens open outwards from the actor, each to one of the views that are shown to models, and as few as can be
to the same: of two props in two of them one view seldom shows both.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product

import numpy as np

from fathom.assets.props.catalogue import SCREENS, prop_hash
from fathom.assets.props.screens import ROOM, reach
from fathom.geometry.poses import heading_rad, yaw_quaternion
from fathom.records import AssetRef, SceneObject
from fathom.scenes.attachments import rounded
from fathom.scenes.designs import SceneDraft

ASIDE = math.radians(75)
"""How far from straight outwards a screen opens at most."""

SHOWN_DEG = (15.0, 120.0, 240.0)
"""Azimuths of the views 1, 8 and 16 of 24, which the paper shows to models."""

OFF = math.radians(16)
"""How far from one of these a screen is meant to open at most."""

INSIDE = math.radians(40)
"""Up to how far from its opening one sees what stands in a screen, to be sure."""

LOOKS, LEAST_LOOKS = 24, 4
"""Of so many directions evenly around, so many at least must show what stands in a screen."""

LEAST_HEIGHT, LEAST_COVER = 0.4, 0.42
"""How high what stands in a screen is, and a wall that hides it, at least, in the props' unit: it may turn
into another.
"""

STEEPER = 1.35
"""How much more steeply than from afar one looks down into a screen that stands nearer than the actor."""

ONE_LESS = 0.2
"""How often there is one screen less than there could be."""

GAP = 1.02
"""How much wider a screen is than what it needs to hold."""


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

    def obj(self, index: int, x: float, y: float) -> SceneObject:
        """Return it as an object that stands about a place."""
        size = (self.half_m, self.half_m, self.height_m)
        return SceneObject(
            id=f"screen{index}",
            category="screen",
            subtype=self.name,
            size_m=(round(size[0], 6), round(size[1], 6), round(size[2], 6)),
            poses=(rounded(np.array([x, y, 0.0]), yaw_quaternion(self.opening_rad)),),
            asset=AssetRef(name=f"screen:{self.name}", sha256=prop_hash(self.name)),
            attributes={"name": self.name, "color": ""},
        )


def screened(draft: SceneDraft, free: Sequence[int], fewer: int = 0) -> tuple[int, ...]:
    """Return which of the props that could stand in a screen do, so many fewer than would be."""
    g = draft.rng("screens")
    most = draft.design.screens - fewer - int(g.random() < ONE_LESS)
    count = min(math.ceil(draft.staging.hidden_share * len(free) - 1e-9), max(most, 1))
    return tuple(sorted(free[int(k)] for k in g.permutation(len(free))[:count]))


def openings(g: np.random.Generator, bearings_rad: Sequence[float]) -> list[float]:
    """Return where screens at some bearings from the actor open to: outwards, to the shown views in turn."""
    count = len(bearings_rad)
    shown = np.radians(SHOWN_DEG)
    best: tuple[float, tuple[int, ...]] | None = None
    for chosen in product(range(len(shown)), repeat=count):
        each = [chosen.count(k) for k in range(len(shown))]
        if max(each) > min(each) + 1:
            continue
        off = [
            math.remainder(float(shown[k]) - b, 2 * math.pi)
            for k, b in zip(chosen, bearings_rad, strict=True)
        ]
        cost = sum(o * o for o in off)
        if best is None or cost < best[0]:
            best = (cost, chosen)
    return [float(shown[k] + g.uniform(-OFF, OFF)) for k in (best[1] if best else ())]


def shown_through(opening_rad: float) -> int:
    """Return which of the shown views looks most directly into a screen that opens there."""
    off = [abs(math.remainder(math.radians(a) - opening_rad, 2 * math.pi)) for a in SHOWN_DEG]
    return int(np.argmin(off))


def open_enough(screens: Sequence[SceneObject], elevation_deg: float) -> bool:
    """Return whether one can see into each screen past the others, from the shown view too."""
    around = np.concatenate([np.arange(LOOKS) * 2 * math.pi / LOOKS, np.radians(SHOWN_DEG)])
    ways, down = np.column_stack([np.cos(around), np.sin(around)]), math.tan(math.radians(elevation_deg))
    spots = np.array([s.poses[0].position_m[:2] for s in screens])
    for k, screen in enumerate(screens):
        opening = heading_rad(screen.poses[0])
        free = np.abs(np.angle(np.exp(1j * (around - opening)))) <= INSIDE + 0.1
        for other, spot in zip(screens, spots, strict=True):
            off = spot - spots[k]
            ahead, beside = ways @ off, np.abs(ways @ np.array([[0, -1], [1, 0]]) @ off)
            high = other.size_m[2] - ahead * down > 0.4 * screen.size_m[2] * SCREENS[screen.subtype].opening
            free &= ~((ahead > 0) & (beside < 1.1 * other.size_m[1]) & high) | (other is screen)
        if np.count_nonzero(free[:LOOKS]) < LEAST_LOOKS or not free[LOOKS + shown_through(opening)]:
            return False
    return True


def slope_of(elevation_deg: float) -> float:
    """Return how steeply one looks down into a screen at most."""
    return STEEPER * math.tan(math.radians(elevation_deg))


def bay(
    name: str, opening_rad: float, radius_m: float, height_m: float, cover_m: float, elevation_deg: float
) -> Bay:
    """Return the screen that hides something from all sides but one.

    `radius_m` and `height_m` are its own, `cover_m` how high a wall at its middle would have to be for that.
    """
    half = GAP * radius_m / ROOM
    share = SCREENS[name].opening
    if share < 1:
        # From ahead one looks down from under the eaves: what stands inside shows up to its top.
        down = math.tan(math.radians(elevation_deg)) * half
        return Bay(name, opening_rad, half, (height_m + 0.9 * down) / share)
    return Bay(name, opening_rad, half, cover_m + slope_of(elevation_deg) * half)


def kind_of_screen(draft: SceneDraft) -> str:
    """Return the one kind of screen that a story has."""
    names = list(SCREENS)
    return names[int(draft.rng("screens", "kind").integers(len(names)))]
