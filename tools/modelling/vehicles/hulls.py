"""Lower and upper bodies of cars and buses as closed shells, from a few curves and a cross-section."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from fathom.assets.model import Points
from fathom.assets.shapes import Shell, loft

Curve = tuple[tuple[float, float], ...]


def along(curve: Curve, at: NDArray[np.float64] | float) -> NDArray[np.float64]:
    """Return a curve through (position, value) pairs, with no overshoot, constant beyond its ends."""
    from scipy.interpolate import PchipInterpolator

    p = np.asarray(sorted(curve))
    return np.asarray(PchipInterpolator(p[:, 0], p[:, 1])(np.clip(at, p[0, 0], p[-1, 0])))


CAR_SECTION = np.array(
    [
        (0.00, 0.000), (0.87, 0.000), (0.945, 0.030), (0.970, 0.110), (0.982, 0.320), (0.988, 0.560),
        (1.000, 0.665), (0.996, 0.710), (0.980, 0.800), (0.964, 0.880), (0.940, 0.945), (0.905, 0.988),
        (0.85, 1.000), (0.62, 1.000), (0.30, 1.000),
    ]
)  # fmt: skip
"""Half a cross-section from the middle of the floor to the bonnet: share of half-width, share of height."""


@dataclass(frozen=True)
class Hull:
    """The lower body: from the sills to the shoulder line, with bonnet and boot.

    front, back : the ends, metres
    half_width : (x, half-width) from above
    sill, shoulder : (x, z) of the lower and the upper edge of the side
    crown : how much higher the middle of the bonnet is than its edge
    nose, tail : (z, how far the end lies behind its furthest point) in side view
    nose_bow, tail_bow : how far the corners of the ends lie behind the middle, seen from above
    round_m : the radius of the edges of the ends
    section : half a cross-section as shares of half-width and height, from the middle of the floor
    ease : over what length the shapes of the front and the back fade into the straight body
    """

    front: float
    back: float
    half_width: Curve
    sill: Curve
    shoulder: Curve
    nose: Curve
    tail: Curve
    crown: float = 0.06
    nose_bow: float = 0.22
    tail_bow: float = 0.14
    round_m: float = 0.09
    section: NDArray[np.float64] = field(default_factory=lambda: CAR_SECTION, compare=False)
    stations: int = 20
    ease: tuple[float, float] = (0.9, 0.7)


def _ease(t: NDArray[np.float64]) -> NDArray[np.float64]:
    t = np.clip(t, 0, 1)
    return np.asarray(t * t * (3 - 2 * t))


def hull_shell(h: Hull) -> Shell:
    """Return the lower body as a closed shell."""
    r = h.round_m
    steps = r * (1 - np.cos(np.linspace(0, np.pi / 2, 4)))
    inner = np.linspace(h.back + r, h.front - r, h.stations)
    xs = np.concatenate([h.back + steps[:-1], inner, h.front - steps[:-1][::-1]])
    rings = [_ring(h, float(x)) for x in xs]
    first, last = rings[0], rings[-1]
    shrink = (0.8, 0.4)
    caps = [[_towards_middle(ring, k) for k in shrink] for ring in (first, last)]
    return loft(np.stack([_bent(h, ring) for ring in (*caps[0][::-1], *rings, *caps[1])]))


def _towards_middle(ring: Points, k: float) -> Points:
    middle = np.array([ring[0, 0], 0.0, (ring[:, 2].min() + ring[:, 2].max()) / 2])
    return np.asarray(middle + (ring - middle) * k)


def _ring(h: Hull, x: float) -> Points:
    w, low, high = (float(along(c, x)) for c in (h.half_width, h.sill, h.shoulder))
    d = min(x - h.back, h.front - x)
    r = h.round_m
    inset = r - np.sqrt(max(r * r - max(r - d, 0.0) ** 2, 0.0))
    y, z = h.section[:, 0] * w, low + h.section[:, 1] * (high - low)
    top = h.section[:, 1] >= 1.0
    edge = h.section[top, 0].max()
    z = np.where(top, z + h.crown * (1 - (h.section[:, 0] / edge) ** 2), z)
    y = y * (1 - inset / w)
    middle = (low + high) / 2
    z = middle + (z - middle) * (1 - inset / ((high - low) / 2))
    half = np.column_stack([np.full(len(y), x), y, z])
    crown = np.array([[x, 0.0, z[-1] + (z[-1] - z[-2]) * 0.35]])
    other = half[1:][::-1] * np.array([1.0, -1.0, 1.0])
    return np.concatenate([half, crown, other])


def _bent(h: Hull, ring: Points) -> Points:
    v = ring.copy()
    w = max(a for _, a in h.half_width)
    bow = np.abs(ring[:, 1] / w) ** 2.4
    ahead = _ease((ring[:, 0] - (h.front - h.ease[0])) / h.ease[0])
    behind = _ease(((h.back + h.ease[1]) - ring[:, 0]) / h.ease[1])
    v[:, 0] -= ahead * (along(h.nose, ring[:, 2]) + h.nose_bow * bow)
    v[:, 0] += behind * (along(h.tail, ring[:, 2]) + h.tail_bow * bow)
    return v


@dataclass(frozen=True)
class Cabin:
    """The upper body: levels of (z, front x, back x, half-width), from within the hull to the roof's edge."""

    levels: tuple[tuple[float, float, float, float], ...]
    arch: float = 0.05
    crown: float = 0.035
    round_m: float = 0.09
    front_power: float = 4.2
    back_power: float = 5.0
    side_power: float = 9.0

    def edge(self, z: float) -> tuple[float, float, float]:
        """Return front x, back x and half-width at a height."""
        a = np.asarray(self.levels)
        return (
            float(np.interp(z, a[:, 0], a[:, 1])),
            float(np.interp(z, a[:, 0], a[:, 2])),
            float(np.interp(z, a[:, 0], a[:, 3])),
        )

    def top(self, x: float) -> float:
        """Return the height of the roof's edge at x; it falls away from the middle."""
        front, back, _ = self.edge(self.roof)
        return self.roof - self.arch * ((x - (front + back) / 2) / ((front - back) / 2)) ** 2

    @property
    def roof(self) -> float:
        """The height of the roof's edge."""
        return self.levels[-1][0]


def _plan(c: Cabin, front: float, back: float, w: float, inset: float, n: int = 9) -> Points:
    """Return a ring of 4 n points: a rounded rectangle, more bowed in front."""
    t = (np.arange(4 * n) + 0.5) * 2 * np.pi / (4 * n)
    cs, sn = np.cos(t), np.sin(t)
    power = np.where(cs > 0, c.front_power, c.back_power)
    middle, half = (front + back) / 2, (front - back) / 2
    x = middle + (half - inset) * np.sign(cs) * np.abs(cs) ** (2 / c.side_power)
    y = (w - inset) * np.sign(sn) * np.abs(sn) ** (2 / power)
    return np.column_stack([x, y])


def cabin_shell(c: Cabin) -> Shell:
    """Return the upper body as a closed shell."""
    rings: list[Points] = []
    z0, z1 = c.levels[0][0], c.roof - c.round_m
    front, back, w = c.edge(c.roof)
    middle, half = (front + back) / 2, (front - back) / 2

    def ring(z: float, f: float, b: float, hw: float, inset: float, blend: float, scale: float = 1.0) -> None:
        p = _plan(c, f, b, hw, inset)
        centre = np.array([(f + b) / 2, 0.0])
        p = centre + (p - centre) * scale
        drop = c.arch * ((p[:, 0] - middle) / half) ** 2 * blend
        up = c.crown * (1 - (p[:, 1] / w) ** 2) * (1 if scale < 1 else 0)
        rings.append(np.column_stack([p, z - drop + up]))

    for z in np.linspace(z0, z1, 5):
        ring(float(z), *c.edge(float(z)), 0.0, float((z - z0) / (c.roof - z0)))
    for a in np.linspace(0, np.pi / 2, 4)[1:]:
        z = z1 + c.round_m * np.sin(a)
        ring(float(z), *c.edge(float(z)), float(c.round_m * (1 - np.cos(a))), 1.0)
    f, b, hw = c.edge(c.roof)
    for scale in (0.94, 0.75, 0.4):
        ring(c.roof, f, b, hw, c.round_m, 1.0, scale)
    return loft(np.stack(rings))
