"""What the ground looks like: asphalt, concrete, grass … as albedo at points of the plane z = 0.

Textures are sums of tileable noises with features from metres down to centimetres, each averaged over what a
pixel covers of the ground: the far ground neither shimmers nor goes blank, because something is always about
as large as a pixel.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fathom.render.color import Floats, linear
from fathom.render.noise import SIZE, averaged, pyramid

Flat = NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Spot:
    """Points of the ground, one a pixel: (n,) x and y in metres, and the width of a pixel there."""

    x_m: Flat
    y_m: Flat
    pixel_m: Flat

    def turned(self, angle_rad: float) -> Spot:
        """The same points in axes turned by `angle_rad`."""
        c, s = np.float32(np.cos(angle_rad)), np.float32(np.sin(angle_rad))
        return Spot(c * self.x_m + s * self.y_m, c * self.y_m - s * self.x_m, self.pixel_m)


def _grain(
    spot: Spot, name: str, period_m: float, slope: float, coarse_m: float, fine_m: float, along: float = 1.0
) -> Flat:
    """Return noise of spread 1 with features between `coarse_m` and `fine_m`, `along` times as long in y."""
    levels = pyramid(name, slope=slope, low=period_m / coarse_m, high=min(period_m / fine_m, SIZE / 2.5))
    return averaged(levels, spot.x_m / period_m, spot.y_m / (period_m * along), spot.pixel_m / period_m)


def _toned(base: tuple[int, int, int], stops: Flat) -> Floats:
    """Return the sRGB colour `base`, brighter by a factor of 2 a stop."""
    return np.asarray(linear(np.array(base) / 255) * (2.0**stops)[:, None], dtype=np.float32)


def _mixed(a: Floats, b: Floats, share: Flat) -> Floats:
    return np.asarray(a + (b - a) * share[:, None], dtype=np.float32)


def _asphalt(spot: Spot) -> Floats:
    wear = _grain(spot, "asphalt wear", 23.0, 1.2, 8.0, 0.12)
    patches = _grain(spot, "asphalt patches", 5.3, 1.0, 1.2, 0.03)
    stones = _grain(spot, "asphalt stones", 1.9, 0.2, 0.06, 0.012)
    grey = _toned((118, 117, 116), 0.07 * wear + 0.09 * patches + 0.22 * stones)
    light = np.clip(stones - 1.7, 0, 1) * 0.5
    return _mixed(grey, np.broadcast_to(linear(np.array([176, 172, 166]) / 255), grey.shape), light)


def _concrete(spot: Spot) -> Floats:
    clouds = _grain(spot, "concrete clouds", 17.0, 1.2, 6.0, 0.1)
    pores = _grain(spot, "concrete pores", 1.7, 0.3, 0.05, 0.012)
    brush = _grain(spot, "concrete brush", 4.1, 0.9, 0.6, 0.03)
    slab_x, slab_y = np.floor(spot.x_m / 2.8), np.floor(spot.y_m / 2.8)
    shade = np.sin(slab_x * 12.9898 + slab_y * 78.233) * 43758.5453
    shade = (shade - np.floor(shade) - 0.5).astype(np.float32)
    stops = 0.07 * clouds + 0.06 * brush + 0.07 * pores + 0.10 * shade
    return _toned((168, 164, 157), stops) * (1 - 0.55 * _joints(spot, 2.8, 0.016))[:, None]


def _joints(spot: Spot, spacing_m: float, width_m: float) -> Flat:
    """Return how much of a pixel is a joint of a square grid, 0..1."""
    reach = 0.5 * (width_m + spot.pixel_m)
    cover = np.zeros_like(spot.x_m)
    for along in (spot.x_m, spot.y_m):
        off = np.abs((along / spacing_m + 0.5) % 1.0 - 0.5) * spacing_m
        inside = np.clip((reach - off) / np.maximum(spot.pixel_m, 1e-3) + 0.0, 0, 1)
        cover = np.maximum(cover, inside * np.minimum(1.0, width_m / np.maximum(spot.pixel_m, 1e-3)))
    return np.asarray(cover, dtype=np.float32)


def _setts(spot: Spot) -> Floats:
    """Small paving stones in offset rows."""
    size = 0.24
    bend = 0.02 * _grain(spot, "setts bend", 3.7, 1.2, 1.2, 0.2)
    row = np.floor((spot.y_m + bend) / size)
    along = (spot.x_m + bend) / size + 0.5 * (row % 2)
    column = np.floor(along)
    shade = np.sin(column * 127.1 + row * 311.7) * 43758.5453
    shade = (shade - np.floor(shade) - 0.5).astype(np.float32)
    edge = np.maximum(
        np.abs(along - column - 0.5), np.abs((spot.y_m + bend) / size - row - 0.5)
    )  # 0.5 at the rim of a stone
    soft = np.maximum(0.06, 0.7 * spot.pixel_m / size)
    joint = np.clip((edge - 0.45) / soft + 0.5, 0, 1) * np.clip(1.5 - spot.pixel_m / 0.12, 0.25, 1)
    face = _grain(spot, "setts face", 1.9, 0.6, 0.12, 0.012)
    wear = _grain(spot, "setts wear", 19.0, 1.2, 6.0, 0.2)
    stone = _toned((150, 143, 134), 0.38 * shade + 0.10 * face + 0.08 * wear)
    sand = _toned((104, 96, 86), 0.15 * face)
    return _mixed(stone, sand, joint.astype(np.float32))


def _grass(spot: Spot) -> Floats:
    meadow = _grain(spot, "grass meadow", 29.0, 1.1, 6.0, 0.15)
    tufts = _grain(spot, "grass tufts", 4.7, 0.8, 0.7, 0.04)
    blades = _grain(spot, "grass blades", 1.3, 0.1, 0.05, 0.01)
    green = _toned((112, 121, 66), 0.10 * meadow + 0.20 * tufts + 0.36 * blades)
    straw = _toned((158, 148, 98), 0.10 * tufts + 0.30 * blades)
    dry = np.clip(0.30 + 0.12 * meadow + 0.12 * tufts + 0.10 * blades, 0, 1)
    return _mixed(green, straw, dry.astype(np.float32))


def _sand(spot: Spot) -> Floats:
    """Sand with short wind ripples, a hand wide."""
    dunes = _grain(spot, "sand dunes", 21.0, 1.2, 7.0, 0.15)
    hollows = _grain(spot, "sand hollows", 5.9, 1.0, 0.9, 0.04)
    ripples = np.tanh(_grain(spot, "sand ripples", 4.3, 0.0, 0.17, 0.11, along=5.0))
    where = np.clip(0.55 + 0.35 * dunes, 0, 1)
    grains = _grain(spot, "sand grains", 1.9, 0.2, 0.07, 0.012)
    stops = 0.04 * dunes + 0.06 * hollows + 0.10 * where * ripples + 0.17 * grains
    return _toned((193, 172, 138), stops.astype(np.float32))


def _gravel(spot: Spot) -> Floats:
    bed = _grain(spot, "gravel bed", 19.0, 1.2, 6.0, 0.12)
    heaps = _grain(spot, "gravel heaps", 5.1, 0.9, 0.9, 0.05)
    pebbles = _grain(spot, "gravel pebbles", 2.3, 0.4, 0.16, 0.02)
    dust = _grain(spot, "gravel dust", 1.7, 0.2, 0.03, 0.012)
    tint = _grain(spot, "gravel tint", 2.9, 0.0, 0.12, 0.05)
    grey, warm = _toned((150, 144, 136), 0 * bed), _toned((158, 138, 116), 0 * bed)
    stone = _mixed(grey, warm, np.clip(0.4 + 0.4 * tint, 0, 1))
    stops = 0.05 * bed + 0.10 * heaps + 0.34 * np.tanh(pebbles) + 0.14 * dust
    stops -= 0.25 * np.clip(-pebbles - 1.0, 0, 1)
    return np.asarray(stone * (2.0**stops)[:, None], dtype=np.float32)


def _earth(spot: Spot) -> Floats:
    bed = _grain(spot, "earth bed", 21.0, 1.2, 7.0, 0.12)
    clods = _grain(spot, "earth clods", 4.1, 0.9, 0.9, 0.03)
    crumbs = _grain(spot, "earth crumbs", 1.3, 0.1, 0.05, 0.012)
    return _toned((140, 118, 96), 0.07 * bed + 0.18 * clods + 0.22 * crumbs)


def _smooth(spot: Spot) -> Floats:
    """A cast floor: almost even."""
    clouds = _grain(spot, "smooth clouds", 17.0, 1.2, 6.0, 0.1)
    pores = _grain(spot, "smooth pores", 1.7, 0.4, 0.06, 0.012)
    return _toned((160, 160, 160), 0.035 * clouds + 0.035 * pores)


def _paper(spot: Spot) -> Floats:
    """A white sweep, for contact sheets."""
    return np.full((len(spot.x_m), 3), 0.8, dtype=np.float32)


GROUNDS: dict[str, Callable[[Spot], Floats]] = {
    "asphalt": _asphalt,
    "concrete": _concrete,
    "setts": _setts,
    "grass": _grass,
    "sand": _sand,
    "gravel": _gravel,
    "earth": _earth,
    "smooth": _smooth,
    "paper": _paper,
}
"""Ground by name → its albedo (n, 3), linear, at points of the plane."""


def ground_albedo(name: str, spot: Spot, angle_rad: float = 0.0) -> Floats:
    """Return the (n, 3) linear albedo in 0.02..0.8 of the named ground at points of the plane."""
    return np.clip(GROUNDS[name](spot.turned(angle_rad)), 0.02, 0.8)
