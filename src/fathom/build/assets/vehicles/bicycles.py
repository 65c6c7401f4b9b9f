"""The built-in bicycles: road, utility, mountain and tandem.

Tubes, lamps and saddles are thicker than life, so that the colour and the heading can be made out in a
picture sixty pixels wide. The (first) bottom bracket stands at x = 0.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from fathom.build.assets.model import Material, Model, Points
from fathom.build.assets.shapes import Shell, both_sides, box, extrude, lathe, merged, moved, tube, turned
from fathom.build.assets.vehicles.materials import (
    CHROME,
    HEADLAMP,
    LEATHER,
    PAINT,
    RUBBER,
    STEEL,
    TAILLAMP,
    TRIM,
    WHITE,
)
from fathom.build.assets.vehicles.twowheelers import (
    Piece,
    Wheel,
    across,
    assembled,
    bent,
    chain,
    lamp,
    mudguard,
    pairs,
    pod,
    rod,
    sheet,
    smooth,
    wheel,
)

WICKER = Material("wicker", (0.80, 0.74, 0.62), roughness=0.8)
TAN = Material("tan", (0.42, 0.22, 0.10), roughness=0.6)


@dataclass(frozen=True)
class Frame:
    """Where a frame's joints lie, in metres and degrees; x from the bottom bracket.

    back, front : x of the axles
    crank : height of the bottom bracket
    head : lowest and highest z of the head tube
    rake : distance of the front axle ahead of the steering axis
    """

    back: float
    front: float
    radius: float
    crank: float
    head: tuple[float, float]
    head_deg: float = 72.0
    rake: float = 0.05
    seat_deg: float = 73.0
    seat_top: float = 0.80
    saddle: float = 0.97
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
        """The centre of the bottom bracket."""
        return np.array([0.0, 0.0, self.crank])

    @property
    def back_axle(self) -> Points:
        """The centre of the back wheel."""
        return np.array([self.back, 0.0, self.radius])

    @property
    def front_axle(self) -> Points:
        """The centre of the front wheel."""
        return np.array([self.front, 0.0, self.radius])


def _diamond(f: Frame, down: float, top: float, stay: float) -> list[Piece]:
    """Return the painted tubes of a diamond frame, given the radii of its down tube, top tube and stays."""
    low, high = f.steering(f.head[0] + 0.04), f.steering(f.head[1] - 0.03)
    cluster = f.seat(f.seat_top)
    tubes = [
        rod(f.steering(f.head[0]), f.steering(f.head[1]), down * 1.08, 14),
        rod(f.bracket, low, [down * 1.1, down], 14),
        rod(f.seat(f.seat_top - 0.04), high, [top, top * 1.12], 14),
        rod(f.bracket, f.seat(f.seat_top + 0.03), [down, top * 1.05], 14),
        lathe([(0.044, -0.045), (0.044, 0.045)], "y", 18, f.bracket),
    ]
    return [("frame", s, PAINT) for s in [*tubes, _stays(f, stay, cluster)]]


def _stays(f: Frame, radius: float, cluster: Points) -> Shell:
    """Return the seat stays and the chain stays of both sides, with their dropouts."""
    drop = f.back_axle + np.array([0.0, 0.07, 0.0])
    seat = bent([cluster + (0, 0.012, -0.02), cluster + (-0.06, 0.05, -0.08), drop], 0.05)
    run = bent([f.bracket + (-0.01, 0.03, 0.0), f.bracket + (-0.10, 0.052, 0.0), drop], 0.05)
    end = lathe([(0.026, -0.008), (0.026, 0.008)], "y", 14, drop)
    return both_sides(merged(tube(seat, radius, 10), tube(run, radius * 1.15, 10), end))


def _fork(f: Frame, radius: float, spread: float) -> list[Piece]:
    """Return the painted blades of a rigid fork, bowed forward to the axle."""
    crown = f.steering(f.head[0] - 0.01)
    knee = f.steering((f.head[0] + 2 * f.radius) / 3)
    tip = f.front_axle
    blade = smooth(
        [crown + (0, spread * 0.55, 0.0), crown + (0.004, spread, -0.05), knee + (0, spread, 0), tip + (0, spread, 0)]
    )
    radii = np.linspace(radius, radius * 0.72, len(blade))
    end = lathe([(0.024, -0.012), (0.024, 0.012)], "y", 14, tip + (0, spread, 0))
    crown_bar = tube([crown + (0, -spread * 0.8, 0), crown + (0, spread * 0.8, 0)], radius * 1.25, 12)
    return [("fork", merged(both_sides(merged(tube(blade, list(radii), 10), end)), crown_bar), PAINT)]


def _drive(f: Frame, at: float, ring: float, cog: float, chain_to: float | None, side: float = -1.0) -> list[Piece]:
    """Return a chainring with its chain to the cog at `chain_to`, cranks and pedals; the crank stands at `at`."""
    y = side * 0.062
    centre = (at, y, f.crank)
    star = [(ring, -0.003), (ring, 0.003), (ring * 0.72, 0.003), (ring * 0.72, -0.003), (ring, -0.003)]
    arms = [
        turned(box((ring * 0.4, 0, 0), (ring * 0.8, 0.006, 0.018)), "y", 2 * math.pi * i / 5) for i in range(5)
    ]
    pieces: list[Piece] = [("chainring", moved(merged(lathe(star, "y", 28), *arms), centre), STEEL)]
    if chain_to is not None:
        level = f.crank if chain_to > f.back + 0.01 else f.radius
        path = _around((chain_to, level), cog, (at, f.crank), ring + 0.004)
        pieces.append(("chain", chain(np.column_stack([path[:, 0], np.full(len(path), y), path[:, 1]])), TRIM))
        teeth = [(cog, -0.006), (cog, 0.006)]
        pieces.append(("chain", lathe(teeth, "y", 18, (chain_to, y, level)), STEEL))
    return pieces


def _pedals(f: Frame, at: float, tilt_deg: float = -20.0, tag: str = "") -> list[Piece]:
    """Return both cranks and pedals, the right one ahead, turned by `tilt_deg` from level."""
    pieces: list[Piece] = []
    for name, side, way in (("left", 1.0, -1.0), ("right", -1.0, 1.0)):
        a = math.radians(tilt_deg)
        end = np.array([at + way * 0.17 * math.cos(a), side * 0.09, f.crank + way * 0.17 * math.sin(a)])
        arm = rod((at, side * 0.082, f.crank), end, [0.016, 0.012], 10)
        pedal = box(end + (0, side * 0.06, 0), (0.10, 0.095, 0.026), 0.007)
        pieces += [(f"{name}_crank{tag}", arm, STEEL), (f"{name}_pedal{tag}", pedal, RUBBER)]
    axle = rod((at, -0.085, f.crank), (at, 0.085, f.crank), 0.02, 12)
    return [*pieces, (f"right_crank{tag}", axle, STEEL)]


def _around(a: tuple[float, float], r: float, b: tuple[float, float], s: float) -> Points:
    """Return the (k, 2) loop of a belt around two circles in the side view, `a` behind `b`."""
    up = np.linspace(math.pi / 2, 3 * math.pi / 2, 9)
    down = np.linspace(-math.pi / 2, math.pi / 2, 11)
    back = np.column_stack([a[0] + r * np.cos(up), a[1] + r * np.sin(up)])
    front = np.column_stack([b[0] + s * np.cos(down), b[1] + s * np.sin(down)])
    return np.concatenate([back, front])


def _saddle(at: ArrayLike, material: Material, length: float = 0.27, half: float = 0.075) -> Shell:
    """Return a saddle whose middle rests on the point `at`: broad behind, its nose ahead."""
    plan = [
        (-0.50, -0.10, 0.30, 0.55), (-0.47, -0.42, 0.42, 0.86), (-0.36, -0.55, 0.42, 1.0), (-0.20, -0.45, 0.34, 0.90),
        (0.0, -0.30, 0.26, 0.52), (0.25, -0.34, 0.24, 0.34), (0.44, -0.42, 0.16, 0.27), (0.50, -0.30, 0.0, 0.16),
    ]  # fmt: skip
    rows = np.array(plan) * np.array([length, 0.08, 0.08, half])
    return moved(pod(rows, 18, 3, 2.6), np.asarray(at, dtype=np.float64) + (0.01, 0, 0.03))


def _post(f: Frame, radius: float = 0.016) -> list[Piece]:
    """Return the seat post with its clamp."""
    top = f.seat(f.saddle)
    clamp = box(top + (0, 0, -0.005), (0.09, 0.035, 0.03), 0.008)
    return [("seat_post", rod(f.seat(f.seat_top), top, radius, 12), STEEL), ("seat_post", clamp, STEEL)]


def _bar(middle: Points, half: Sequence[tuple[float, float, float]], radius: float, steps: int = 4) -> Shell:
    """Return a handlebar through its left half, given from the clamp as (ahead, left, up)."""
    return tube(smooth(across(np.array(half) + middle), steps), radius, 10)


def _stem(f: Frame, ahead: float, up: float, material: Material = TRIM) -> tuple[list[Piece], Points]:
    """Return the stem and the point where it clamps the handlebar."""
    base = f.steering(f.head[1])
    top = f.steering(f.head[1] + up)
    clamp = top + (ahead, 0.0, 0.02)
    shells = [
        rod(base, top + (0, 0, 0.02), 0.021, 12),
        rod(top, clamp, 0.02, 12),
        rod(clamp + (0, -0.03, 0), clamp + (0, 0.03, 0), 0.024, 12),
    ]
    return [("stem", merged(*shells), material)], clamp


def _grips(a: ArrayLike, b: ArrayLike, material: Material = RUBBER, radius: float = 0.02) -> list[Piece]:
    """Return a grip on the left from `a` to `b`, and its mirror image."""
    return pairs("grip", rod(a, b, [radius, radius * 1.1], 12), material)


def _bottle(at: ArrayLike, way: ArrayLike) -> list[Piece]:
    """Return a bottle with its mouth along `way`."""
    p, w = np.asarray(at, dtype=np.float64), np.asarray(way, dtype=np.float64)
    w = w / np.linalg.norm(w)
    return [
        ("bottle", tube([p, p + 0.15 * w, p + 0.165 * w], [0.037, 0.037, 0.026], 16), WHITE),
        ("bottle", tube([p + 0.164 * w, p + 0.185 * w], [0.024, 0.015], 14), TRIM),
    ]


def _wheels(f: Frame, w: Wheel) -> list[Piece]:
    return [*wheel("front_wheel", w, f.front), *wheel("back_wheel", w, f.back)]


_DROPS = ((0, 0, 0), (0.0, 0.10, 0), (0.0, 0.19, 0), (0.03, 0.215, 0), (0.09, 0.22, 0.005), (0.125, 0.222, -0.045),
          (0.10, 0.226, -0.11), (0.04, 0.23, -0.14), (-0.04, 0.235, -0.145))  # fmt: skip


def _drop_bar(clamp: Points) -> list[Piece]:
    """Return a racing handlebar with its brake hoods."""
    hood = pod([(0.0, -0.02, 0.02, 0.016), (0.05, -0.014, 0.026, 0.019), (0.085, -0.006, 0.05, 0.017),
                (0.105, 0.01, 0.055, 0.008)], 12, 2)  # fmt: skip
    hood = moved(hood, clamp + (0.065, 0.22, 0.012))
    lever = tube(smooth([(0.165, 0.222, 0.02), (0.17, 0.224, -0.05), (0.15, 0.226, -0.11)], 3) + clamp, 0.008, 8)
    return [
        ("handle", _bar(clamp, _DROPS, 0.017, 3), RUBBER),
        *pairs("brake", hood, RUBBER),
        *pairs("brake", lever, STEEL),
    ]


def road() -> Model:
    """Return a racing bicycle: drop bars, thin tyres on deep painted rims, no mudguards."""
    f = Frame(-0.41, 0.58, 0.34, 0.275, (0.73, 0.87), 73, 0.045, 73.5, 0.80, 0.97)
    stem, clamp = _stem(f, 0.10, 0.03)
    w = Wheel(0.34, 0.015, 0.024, 0.055, 16, 0.022, 0.045, rim_material=PAINT, spoke=0.0032)
    pieces = [
        *_wheels(f, w),
        *_diamond(f, 0.032, 0.025, 0.013),
        *_fork(f, 0.021, 0.05),
        *_drive(f, 0.0, 0.105, 0.045, f.back),
        *_pedals(f, 0.0),
        *_post(f),
        ("saddle", _saddle(f.seat(f.saddle), RUBBER), RUBBER),
        *stem,
        *_drop_bar(clamp),
        *_bottle((0.12, 0, 0.455), f.steering(0.78) - f.bracket),
        *lamp("head_light", clamp + (0.06, 0, -0.045), 0.042, 0.06, HEADLAMP, TRIM),
        *lamp("tail_light", f.seat(0.88) + (-0.05, 0, 0), 0.04, 0.035, TAILLAMP, TRIM, ahead=False),
    ]
    return assembled("bicycle", "road", pieces)


def mountain() -> Model:
    """Return a mountain bicycle: fat knobbly tyres, a suspension fork, a flat broad bar."""
    f = Frame(-0.43, 0.70, 0.36, 0.32, (0.78, 0.89), 69, 0.045, 73, 0.74, 0.98)
    stem, clamp = _stem(f, 0.06, 0.03)
    w = Wheel(0.36, 0.036, 0.062, 0.03, 16, 0.03, 0.05, knobs=48, rim_material=TRIM, spoke=0.0032, disc=0.09)
    flat = [(0, 0, 0), (0.0, 0.05, 0.0), (-0.01, 0.14, 0.03), (-0.03, 0.36, 0.04)]
    pieces = [
        *_wheels(f, w),
        *_diamond(f, 0.038, 0.029, 0.016),
        *_suspension(f),
        *_drive(f, 0.0, 0.09, 0.06, f.back),
        *_pedals(f, 0.0),
        *_post(f, 0.018),
        ("saddle", _saddle(f.seat(f.saddle), RUBBER, 0.27, 0.07), RUBBER),
        *stem,
        ("handle", _bar(clamp, flat, 0.017), TRIM),
        *_grips(clamp + (-0.019, 0.25, 0.037), clamp + (-0.031, 0.375, 0.041), RUBBER, 0.022),
        *lamp("head_light", clamp + (0.06, 0, 0.02), 0.045, 0.06, HEADLAMP, TRIM),
        *lamp("tail_light", f.seat(0.90) + (-0.05, 0, 0), 0.04, 0.035, TAILLAMP, TRIM, ahead=False),
    ]
    return assembled("bicycle", "mountain", pieces)


def _suspension(f: Frame) -> list[Piece]:
    """Return a telescopic fork: bright upper tubes in painted lowers joined by an arch."""
    y, crown, tip = 0.065, f.steering(f.head[0] - 0.015), f.front_axle
    down = tip - crown - (f.rake, 0, 0)
    split = crown + 0.36 * down
    low = crown + 1.0 * down + (0.02, 0, 0)
    upper = rod(crown + (0.02, y, 0.02), split + (0.02, y, 0), 0.019, 12)
    lower = tube(np.array([split, low, tip]) + (0.02, y, 0) - np.array([[0, 0, 0], [0, 0, 0], [0.02, 0, 0]]),
                 [0.031, 0.029, 0.025], 14)  # fmt: skip
    bridge = box(crown + (0.012, 0, 0), (0.06, 2 * y + 0.055, 0.045), 0.012)
    arch = tube(smooth(across(np.array([(0.05, 0, 0.05), (0.05, 0.04, 0.045), (0.03, y, 0.0)]) + split), 3), 0.016, 10)
    return [
        ("fork", both_sides(upper), CHROME),
        ("fork", merged(both_sides(lower), arch, bridge), PAINT),
    ]


def utility() -> Model:
    """Return a town bicycle: step-through frame, basket ahead, rack, skirt guard and mudguards."""
    f = Frame(-0.46, 0.62, 0.345, 0.29, (0.74, 0.93), 69, 0.06, 69, 0.72, 0.93)
    stem, clamp = _stem(f, 0.03, 0.10, CHROME)
    w = Wheel(0.345, 0.022, 0.04, 0.03, 16, 0.028, 0.045, rim_material=CHROME, spoke=0.003)
    swept = [(0, 0, 0), (0.05, 0.08, 0.02), (0.05, 0.19, 0.05), (-0.04, 0.27, 0.05), (-0.20, 0.29, 0.03)]
    pieces = [
        *_wheels(f, w),
        *_step_through(f),
        *_fork(f, 0.024, 0.058),
        *_pedals(f, 0.0),
        *_chain_case(f),
        *_post(f),
        ("saddle", _saddle(f.seat(f.saddle), LEATHER, 0.27, 0.11), LEATHER),
        *stem,
        ("handle", _bar(clamp, swept, 0.015), CHROME),
        *_grips(clamp + (-0.09, 0.28, 0.045), clamp + (-0.21, 0.291, 0.028), LEATHER, 0.021),
        *_guards(f),
        *_carrier(f),
        *_basket(clamp),
        *lamp("head_light", f.steering(0.80) + (0.15, 0, 0.0), 0.06, 0.08, HEADLAMP, CHROME),
    ]
    return assembled("bicycle", "utility", pieces)


def _step_through(f: Frame) -> list[Piece]:
    """Return the painted tubes of a frame with a low, curved way through."""
    high, low = f.steering(f.head[1] - 0.05), f.steering(f.head[0] + 0.04)
    seat = f.seat(0.47)
    swan = smooth([high, high + (-0.13, 0, -0.21), (0.13, 0, 0.47), seat], 6)
    down = smooth([low, low + (-0.13, 0, -0.21), (0.16, 0, 0.335), f.bracket], 6)
    tubes = [
        rod(f.steering(f.head[0]), f.steering(f.head[1]), 0.033, 14),
        tube(swan, 0.025, 12),
        tube(down, 0.031, 12),
        rod(f.bracket, f.seat(f.seat_top), 0.027, 14),
        lathe([(0.044, -0.045), (0.044, 0.045)], "y", 18, f.bracket),
    ]
    return [("frame", s, PAINT) for s in [*tubes, _stays(f, 0.014, f.seat(f.seat_top - 0.02))]]


def _chain_case(f: Frame) -> list[Piece]:
    """Return the painted case around the chain."""
    loop = _around((f.back, f.radius), 0.06, (0.0, f.crank), 0.115)
    return [("chain_case", moved(extrude(loop, -0.018, 0.018), (0, -0.062, 0)), PAINT)]


def _guards(f: Frame) -> list[Piece]:
    """Return the painted mudguards, and the skirt guard over the back wheel."""
    r = f.radius + 0.022
    back = mudguard(f.back_axle, r, (35, 205), 0.042, 0.03, 26)
    front = mudguard(f.front_axle, r, (15, 165), 0.042, 0.03, 24)
    angle = np.radians(np.linspace(48, 172, 18))[:, None]
    out = np.linspace(r - 0.012, 0.14, 4)[None, :]
    skirt = np.stack([out * np.cos(angle), np.full((18, 4), 0.058), out * np.sin(angle)], -1)
    return [
        ("back_mudguard", back, PAINT),
        ("front_mudguard", front, PAINT),
        ("skirt_guard", moved(both_sides(sheet(skirt, 0.005)), f.back_axle), PAINT),
    ]


def _carrier(f: Frame) -> list[Piece]:
    """Return the rack over the back wheel with the tail lamp at its end."""
    z = 2 * f.radius + 0.05
    rails = [rod((f.back - 0.24, y, z), (f.back + 0.17, y, z), 0.010, 8) for y in (-0.06, 0.0, 0.06)]
    ties = [rod((f.back + x, -0.065, z), (f.back + x, 0.065, z), 0.010, 8) for x in (-0.24, -0.03, 0.17)]
    legs = both_sides(rod((f.back, 0.078, f.radius), (f.back - 0.08, 0.065, z), 0.009, 8))
    return [
        ("carrier", merged(*rails, *ties, legs), STEEL),
        *lamp("tail_light", (f.back - 0.27, 0, z - 0.03), 0.05, 0.03, TAILLAMP, TRIM, ahead=False),
    ]


def _basket(clamp: Points) -> list[Piece]:
    """Return a wicker basket that hangs ahead of the handlebar."""
    top, low = clamp[2] + 0.01, clamp[2] - 0.22
    x0 = clamp[0] + 0.10

    def ring(z: float, grow: float, inset: float) -> list[tuple[float, float, float]]:
        a, b = 0.10 + 0.03 * grow - inset, 0.15 + 0.035 * grow - inset
        t = np.linspace(0, 2 * math.pi, 24, endpoint=False)
        x = np.sign(np.cos(t)) * np.abs(np.cos(t)) ** 0.5 * a
        y = np.sign(np.sin(t)) * np.abs(np.sin(t)) ** 0.5 * b
        return [(x0 + 0.09 + u, v, z) for u, v in zip(x, y, strict=True)]

    from fathom.build.assets.shapes import loft

    bands = []
    for i in range(6):
        z = low + (top - low) * i / 6
        bands += [ring(z, i / 6, 0.004), ring(z + 0.01, i / 6, 0.0), ring(z + 0.028, i / 6, 0.0)]
    bands += [ring(top, 1, -0.006), ring(top + 0.014, 1, -0.006), ring(top + 0.014, 1, 0.016), ring(low + 0.02, 0, 0.016)]
    return [("basket", loft(np.array(bands)), WICKER)]


def tandem() -> Model:
    """Return a bicycle for two: two saddles, two handlebars, a long frame."""
    f = Frame(-1.13, 0.60, 0.34, 0.28, (0.72, 0.87), 73, 0.045, 73.5, 0.80, 0.97)
    g = Frame(-1.13, 0.60, 0.34, 0.28, (0.72, 0.87), 73, 0.045, 73.5, 0.74, 0.95, seat_x=-0.70)
    stem, clamp = _stem(f, 0.08, 0.05)
    w = Wheel(0.34, 0.019, 0.034, 0.04, 18, 0.026, 0.045, rim_material=PAINT, spoke=0.0032)
    bar = [(0, 0, 0), (0.0, 0.06, 0.0), (0.01, 0.16, 0.02), (-0.03, 0.26, 0.03), (-0.12, 0.28, 0.02)]
    rear = f.seat(0.90)
    clamp2 = rear + (-0.16, 0, 0.04)
    pieces = [
        *_wheels(f, w),
        *_long_frame(f, g),
        *_fork(f, 0.024, 0.052),
        *_drive(f, -0.70, 0.10, 0.045, f.back),
        *_pedals(f, 0.0),
        *_pedals(f, -0.70, tag="_2"),
        *_drive(f, 0.0, 0.075, 0.075, -0.70, 1.0),
        *_post(f),
        *_post(g),
        ("saddle", _saddle(f.seat(f.saddle), RUBBER, 0.28, 0.085), RUBBER),
        ("saddle_2", _saddle(g.seat(g.saddle), RUBBER, 0.28, 0.085), RUBBER),
        *stem,
        ("handle", _bar(clamp, bar, 0.016), CHROME),
        *_grips(clamp + (-0.04, 0.262, 0.03), clamp + (-0.13, 0.281, 0.019)),
        ("stem_2", rod(rear, clamp2, 0.018, 12), TRIM),
        ("handle_2", _bar(clamp2, bar, 0.016), CHROME),
        *_grips(clamp2 + (-0.04, 0.262, 0.03), clamp2 + (-0.13, 0.281, 0.019)),
        ("back_mudguard", mudguard(f.back_axle, 0.365, (60, 195), 0.034, 0.02, 22), PAINT),
        ("front_mudguard", mudguard(f.front_axle, 0.365, (25, 150), 0.034, 0.02, 20), PAINT),
        *lamp("head_light", f.steering(0.80) + (0.12, 0, 0), 0.055, 0.07, HEADLAMP, CHROME),
        *lamp("tail_light", (f.back - 0.33, 0, 0.60), 0.045, 0.03, TAILLAMP, TRIM, ahead=False),
    ]
    return assembled("bicycle", "tandem", pieces)


def _long_frame(f: Frame, g: Frame) -> list[Piece]:
    """Return the painted tubes of a tandem: two triangles on one keel, and a brace through both."""
    low, high = f.steering(f.head[0] + 0.04), f.steering(f.head[1] - 0.03)
    second = np.array([g.seat_x, 0.0, g.crank])
    tubes = [
        rod(f.steering(f.head[0]), f.steering(f.head[1]), 0.035, 14),
        rod(f.bracket, low, 0.033, 14),
        rod(high, f.seat(f.seat_top - 0.03), 0.026, 14),
        rod(f.bracket, f.seat(f.seat_top + 0.03), 0.028, 14),
        rod(f.bracket, second, 0.033, 14),
        rod(second, g.seat(g.seat_top + 0.03), 0.028, 14),
        rod(f.seat(f.seat_top - 0.06), g.seat(g.seat_top - 0.04), 0.026, 14),
        rod(f.steering(f.head[0] + 0.07), second, 0.022, 12),
        lathe([(0.044, -0.045), (0.044, 0.045)], "y", 18, f.bracket),
        lathe([(0.044, -0.045), (0.044, 0.045)], "y", 18, second),
    ]
    drop = g.back_axle + np.array([0.0, 0.07, 0.0])
    cluster = g.seat(g.seat_top - 0.02)
    seat = bent([cluster + (0, 0.012, -0.02), cluster + (-0.06, 0.05, -0.08), drop], 0.05)
    run = bent([second + (-0.01, 0.03, 0.0), second + (-0.10, 0.052, 0.0), drop], 0.05)
    stays = both_sides(merged(tube(seat, 0.014, 10), tube(run, 0.016, 10)))
    return [("frame", s, PAINT) for s in [*tubes, stays]]
