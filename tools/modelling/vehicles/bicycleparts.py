"""What the bicycles share: the joints of a frame, and all that is hung on it.

The (first) bottom bracket stands at x = 0; tubes and saddles are thicker than life.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from fathom.assets.model import Material, Points
from fathom.assets.shapes import Shell, box, lathe, merged, moved, tube, turned
from tools.modelling.solids import both_sides
from tools.modelling.vehicles.materials import PAINT, RUBBER, STEEL, TRIM, WHITE
from tools.modelling.vehicles.twowheelers import (
    Piece,
    Wheel,
    across,
    bent,
    chain,
    offset,
    pairs,
    pod,
    rod,
    smooth,
    taillamp,
    wheel,
)

Path3 = Sequence[tuple[float, float, float]]


@dataclass(frozen=True, kw_only=True)
class Frame:
    """Where a frame's joints lie, in metres and degrees; x from the bottom bracket.

    back, front : x of the axles
    radius : radius of the wheels
    crank : height of the bottom bracket
    head : lowest and highest z of the head tube
    head_deg, seat_deg : slope of the steering axis and of the seat tube
    rake : distance of the front axle ahead of the steering axis
    seat_top, saddle : heights of the seat tube's end and of the saddle's clamp
    seat_x : x of the bracket that this seat tube rises from
    """

    back: float
    front: float
    radius: float
    crank: float
    head: tuple[float, float]
    head_deg: float
    rake: float
    seat_deg: float
    seat_top: float
    saddle: float
    seat_x: float = 0.0

    def steering(self, z: float) -> Points:
        """Return the point of the steering axis at the height `z`."""
        angle = math.radians(self.head_deg)
        at_axle = self.front - self.rake / math.sin(angle)
        return np.array([at_axle - (z - self.radius) / math.tan(angle), 0.0, z])

    def seat(self, z: float) -> Points:
        """Return the point of the seat tube's axis at the height `z`."""
        return np.array([self.seat_x - (z - self.crank) / math.tan(math.radians(self.seat_deg)), 0.0, z])

    @property
    def bracket(self) -> Points:
        """The centre of the bottom bracket that the seat tube rises from."""
        return np.array([self.seat_x, 0.0, self.crank])

    @property
    def back_axle(self) -> Points:
        """The centre of the back wheel."""
        return np.array([self.back, 0.0, self.radius])

    @property
    def front_axle(self) -> Points:
        """The centre of the front wheel."""
        return np.array([self.front, 0.0, self.radius])


def wheels(f: Frame, w: Wheel) -> list[Piece]:
    """Return both wheels, of one kind."""
    return [*wheel("front_wheel", w, f.front), *wheel("back_wheel", w, f.back)]


def diamond(f: Frame, down: float, top: float, stay: float) -> list[Piece]:
    """Return the painted tubes of a diamond frame, given the radii of its down tube, top tube and stays."""
    low, high = f.steering(f.head[0] + 0.04), f.steering(f.head[1] - 0.03)
    cluster = f.seat(f.seat_top)
    tubes = [
        rod(f.steering(f.head[0]), f.steering(f.head[1]), down * 1.08, 14),
        rod(f.bracket, low, [down * 1.1, down], 14),
        rod(f.seat(f.seat_top - 0.04), high, [top, top * 1.12], 14),
        rod(f.bracket, f.seat(f.seat_top + 0.03), [down, top * 1.05], 14),
        bracket_shell(f),
    ]
    return [("frame", s, PAINT) for s in [*tubes, stays(f, stay, cluster)]]


def bracket_shell(f: Frame, radius: float = 0.044) -> Shell:
    """Return the shell that the cranks' axle runs in."""
    return lathe([(radius, -1.02 * radius), (radius, 1.02 * radius)], "y", 18, f.bracket)


def stays(f: Frame, radius: float, cluster: Points) -> Shell:
    """Return the seat stays from the seat `cluster`, and the chain stays, of both sides, with dropouts."""
    drop = offset(f.back_axle, 0.0, 0.07, 0.0)
    seat = bent([offset(cluster, 0, 0.012, -0.02), offset(cluster, -0.06, 0.05, -0.08), drop], 0.05)
    run = bent([offset(f.bracket, -0.01, 0.03, 0.0), offset(f.bracket, -0.10, 0.052, 0.0), drop], 0.05)
    end = lathe([(0.026, -0.008), (0.026, 0.008)], "y", 14, drop)
    return both_sides(merged(tube(seat, radius, 10), tube(run, radius * 1.15, 10), end))


def fork(f: Frame, radius: float, spread: float) -> list[Piece]:
    """Return the painted blades of a rigid fork, bowed forward to the axle."""
    crown = f.steering(f.head[0] - 0.01)
    knee = f.steering((f.head[0] + 2 * f.radius) / 3)
    tip = f.front_axle
    out = (0.0, spread, 0.0)
    blade = smooth(
        [offset(crown, 0, 0.55 * spread, 0), offset(crown, 0.004, spread, -0.05), knee + out, tip + out]
    )
    radii = np.linspace(radius, radius * 0.72, len(blade))
    end = lathe([(0.024, -0.012), (0.024, 0.012)], "y", 14, tip + out)
    bar = rod(offset(crown, 0, -0.8 * spread, 0), offset(crown, 0, 0.8 * spread, 0), radius * 1.25, 12)
    return [("fork", merged(both_sides(merged(tube(blade, list(radii), 10), end)), bar), PAINT)]


def chainring(at: Points, ring: float, y: float = -0.062) -> list[Piece]:
    """Return a toothless chainring of the radius `ring` about the crank at the point `at`."""
    star = [(ring, -0.003), (ring, 0.003), (ring * 0.72, 0.003), (ring * 0.72, -0.003), (ring, -0.003)]
    arm = box((ring * 0.4, 0, 0), (ring * 0.8, 0.006, 0.018))
    arms = [turned(arm, "y", 2 * math.pi * i / 5) for i in range(5)]
    return [("chainring", moved(merged(lathe(star, "y", 28), *arms), offset(at, 0, y, 0)), STEEL)]


def drive(back: Points, cog: float, front: Points, ring: float, y: float = -0.062) -> list[Piece]:
    """Return a chainring about the point `front`, and its chain to a cog about the point `back`."""
    loop = belt((back[0], back[2]), cog, (front[0], front[2]), ring + 0.004)
    path = np.column_stack([loop[:, 0], np.full(len(loop), y), loop[:, 1]])
    return [
        *chainring(front, ring, y),
        ("chain", chain(path), TRIM),
        ("chain", lathe([(cog, -0.006), (cog, 0.006)], "y", 18, offset(back, 0, y, 0)), STEEL),
    ]


def pedals(f: Frame, tilt_deg: float = -20.0, tag: str = "") -> list[Piece]:
    """Return both cranks and pedals, the right one ahead, turned by `tilt_deg` from level."""
    axle = rod(f.bracket - (0, 0.085, 0), offset(f.bracket, 0, 0.085, 0), 0.02, 12)
    pieces: list[Piece] = [(f"right_crank{tag}", axle, STEEL)]
    a = math.radians(tilt_deg)
    reach = 0.17 * np.array([math.cos(a), 0.0, math.sin(a)])
    for name, side in (("left", 1.0), ("right", -1.0)):
        end = offset(f.bracket - side * reach, 0, side * 0.09, 0)
        arm = rod(offset(f.bracket, 0, side * 0.082, 0), end, [0.016, 0.012], 10)
        pedal = box(offset(end, 0, side * 0.06, 0), (0.10, 0.095, 0.026), 0.007)
        pieces += [(f"{name}_crank{tag}", arm, STEEL), (f"{name}_pedal{tag}", pedal, RUBBER)]
    return pieces


def belt(a: tuple[float, float], r: float, b: tuple[float, float], s: float) -> Points:
    """Return the (k, 2) loop of a belt around two circles in the side view, `a` behind `b`."""
    up = np.linspace(math.pi / 2, 3 * math.pi / 2, 9)
    down = np.linspace(-math.pi / 2, math.pi / 2, 11)
    back = np.column_stack([a[0] + r * np.cos(up), a[1] + r * np.sin(up)])
    front = np.column_stack([b[0] + s * np.cos(down), b[1] + s * np.sin(down)])
    return np.concatenate([back, front])


def gears(f: Frame, cog: float) -> list[Piece]:
    """Return a stack of cogs and the derailleur under it."""
    x, y, z = f.back, -0.05, f.radius
    steps = [(0.4 * cog, -0.014), (cog, -0.014), (0.85 * cog, 0.0), (0.7 * cog, 0.014), (0.55 * cog, 0.028)]
    cage = turned(box((0, 0, -0.055), (0.022, 0.012, 0.13), 0.004), "y", math.radians(-20))
    jockey = lathe([(0.022, -0.006), (0.022, 0.006)], "y", 12, (x, -0.065, z))
    return [
        ("chain", lathe(steps, "y", 20, (x, y, z)), STEEL),
        ("derailleur", moved(cage, (x, -0.075, z - 0.03)), TRIM),
        ("derailleur", merged(moved(jockey, (0.01, 0, -0.06)), moved(jockey, (0.05, 0, -0.13))), TRIM),
    ]


def post(f: Frame, radius: float = 0.016) -> list[Piece]:
    """Return the seat post with its clamp."""
    top = f.seat(f.saddle)
    clamp = box(offset(top, 0, 0, -0.005), (0.09, 0.035, 0.03), 0.008)
    return [("seat_post", merged(rod(f.seat(f.seat_top), top, radius, 12), clamp), STEEL)]


_SADDLE = (
    (-0.50, -0.10, 0.30, 0.55),
    (-0.47, -0.42, 0.42, 0.86),
    (-0.36, -0.55, 0.42, 1.0),
    (-0.20, -0.45, 0.34, 0.90),
    (0.0, -0.30, 0.26, 0.52),
    (0.25, -0.34, 0.24, 0.34),
    (0.44, -0.42, 0.16, 0.27),
    (0.50, -0.30, 0.0, 0.16),
)
"""A saddle as a pod of length 1, half width 1."""


def saddle(
    f: Frame, half: float, length: float = 0.27, material: Material = RUBBER, tag: str = ""
) -> list[Piece]:
    """Return the saddle, broad behind, its nose ahead; `half` is half its width."""
    rows = np.array(_SADDLE) * np.array([length, 0.08, 0.08, half])
    return [(f"saddle{tag}", moved(pod(rows, 18, 3, 2.6), offset(f.seat(f.saddle), 0.01, 0, 0.03)), material)]


def handlebar(middle: Points, half: Path3, radius: float, steps: int = 4) -> Shell:
    """Return a handlebar through its left half, given from the clamp as (ahead, left, up)."""
    return tube(smooth(across(np.array(half) + middle), steps), radius, 10)


_DROPS = (
    (0.0, 0.0, 0.0),
    (0.0, 0.10, 0.0),
    (0.0, 0.19, 0.0),
    (0.03, 0.215, 0.0),
    (0.09, 0.22, 0.005),
    (0.125, 0.222, -0.045),
    (0.10, 0.226, -0.11),
    (0.04, 0.23, -0.14),
    (-0.04, 0.235, -0.145),
)
"""The left half of a racing handlebar, from its clamp."""

_HOOD = (
    (0.0, -0.02, 0.02, 0.016),
    (0.05, -0.014, 0.026, 0.019),
    (0.085, -0.006, 0.05, 0.017),
    (0.105, 0.01, 0.055, 0.008),
)


def drop_bar(clamp: Points) -> list[Piece]:
    """Return a racing handlebar with its brake hoods."""
    hood = pod(_HOOD, 12, 2)
    hood = moved(hood, offset(clamp, 0.065, 0.22, 0.012))
    lever = tube(
        smooth([(0.165, 0.222, 0.02), (0.17, 0.224, -0.05), (0.15, 0.226, -0.11)], 3) + clamp, 0.008, 8
    )
    return [
        ("handle", handlebar(clamp, _DROPS, 0.017, 3), RUBBER),
        *pairs("brake", hood, RUBBER),
        *pairs("brake", lever, STEEL),
    ]


def stem(f: Frame, ahead: float, up: float, material: Material = TRIM) -> tuple[list[Piece], Points]:
    """Return the stem and the point where it clamps the handlebar."""
    base = f.steering(f.head[1])
    top = f.steering(f.head[1] + up)
    clamp = offset(top, ahead, 0.0, 0.02)
    shells = [
        rod(base, offset(top, 0, 0, 0.02), 0.021, 12),
        rod(top, clamp, 0.02, 12),
        rod(offset(clamp, 0, -0.03, 0), offset(clamp, 0, 0.03, 0), 0.024, 12),
    ]
    return [("stem", merged(*shells), material)], clamp


def grips(a: ArrayLike, b: ArrayLike, material: Material = RUBBER, radius: float = 0.02) -> list[Piece]:
    """Return a grip on the left from `a` to `b`, and its mirror image."""
    return pairs("grip", rod(a, b, [radius, radius * 1.1], 12), material)


def cables(f: Frame, clamp: Points, out: float) -> list[Piece]:
    """Return the two cables from the brake levers to the head tube and to the fork."""
    to_frame = offset(f.steering(f.head[0] + 0.05), -0.06, 0.03, -0.02)
    to_fork = offset(f.steering(f.head[0] - 0.03), 0.03, -0.05, 0)
    left = np.array([(0.02, out, 0.01), (0.09, 0.4 * out, 0.0), (0.07, 0.03, -0.08), to_frame - clamp])
    right = np.array([(0.02, -out, 0.01), (0.10, -0.4 * out, -0.01), (0.08, -0.05, -0.12), to_fork - clamp])
    return [("cable", merged(*(tube(clamp + smooth(p), 0.005, 5) for p in (left, right))), TRIM)]


def bottle(at: ArrayLike, way: ArrayLike) -> list[Piece]:
    """Return a bottle with its mouth along `way`."""
    p, w = np.asarray(at, dtype=np.float64), np.asarray(way, dtype=np.float64)
    w = w / np.linalg.norm(w)
    return [
        ("bottle", tube([p, p + 0.15 * w, p + 0.165 * w], [0.037, 0.037, 0.026], 16), WHITE),
        ("bottle", tube([p + 0.164 * w, p + 0.185 * w], [0.024, 0.015], 14), TRIM),
    ]


def carrier(f: Frame) -> list[Piece]:
    """Return the rack over the back wheel with the tail lamp at its end."""
    z = 2 * f.radius + 0.05
    rails = [rod((f.back - 0.24, y, z), (f.back + 0.17, y, z), 0.010, 8) for y in (-0.06, 0.0, 0.06)]
    ties = [rod((f.back + x, -0.065, z), (f.back + x, 0.065, z), 0.010, 8) for x in (-0.24, -0.03, 0.17)]
    legs = both_sides(rod((f.back, 0.078, f.radius), (f.back - 0.08, 0.065, z), 0.009, 8))
    return [
        ("carrier", merged(*rails, *ties, legs), STEEL),
        *taillamp((f.back - 0.27, 0, z - 0.03), 0.055, 0.03),
    ]
