"""Props that stand on the ground: about one metre in their longest extent, front towards +x."""

from __future__ import annotations

import math

import numpy as np

from fathom.assets.model import Part, Points
from fathom.assets.shapes import (
    Shell,
    box,
    cut,
    ellipsoid,
    extrude,
    lathe,
    loft,
    merged,
    moved,
    part,
    stretched,
    tube,
    turned,
)
from tools.modelling.props.finishes import BARK, BEAK, DARK, GLOW, PAINT, WHITE
from tools.modelling.solids import both_sides

Parts = tuple[Part, ...]


def arc(radius: float, start_deg: float, end_deg: float, steps: int) -> Points:
    """Return (steps, 2) points on a circle about the origin."""
    a = np.radians(np.linspace(start_deg, end_deg, steps))
    return np.column_stack([radius * np.cos(a), radius * np.sin(a)])


def ball() -> Parts:
    """Return a ball with a white band about it, tilted."""
    t = np.linspace(0, math.pi, 15)
    globe = lathe(np.column_stack([0.5 * np.sin(t).clip(1e-4), -0.5 * np.cos(t)]), "z", 28)
    edge = np.linspace(-0.05, 0.05, 4)
    band = lathe(
        [(0.49, -0.05), *((math.hypot(0.506, 0) - 2 * e * e, e) for e in edge), (0.49, 0.05)], "z", 32
    )
    tilted = turned(turned(band, "y", math.radians(32)), "z", 0.5)
    return part("ball", moved(globe, (0, 0, 0.5)), PAINT, 80), part("band", moved(tilted, (0, 0, 0.5)), WHITE)


def cube() -> Parts:
    """Return a plain cube with blunted edges."""
    return (part("cube", box((0, 0, 0.4), (0.8, 0.8, 0.8), 0.035), PAINT, 20),)


def gift_box() -> Parts:
    """Return a box with a lid, tied up with a white ribbon and its bow."""
    body = box((0, 0, 0.3), (0.74, 0.74, 0.6), 0.012)
    lid = box((0, 0, 0.63), (0.82, 0.82, 0.16), 0.012)
    bands = [box((0, 0, 0.3), s, 0.0) for s in ((0.76, 0.15, 0.602), (0.15, 0.76, 0.602))]
    bands += [box((0, 0, 0.632), s, 0.0) for s in ((0.84, 0.15, 0.17), (0.15, 0.84, 0.17))]
    angle = np.linspace(0, 2 * math.pi, 17)
    loop = np.column_stack([0.0 * angle, 0.17 - 0.17 * np.cos(angle), 0.11 * np.sin(angle)])
    bow = []
    for turn in (0.25, 0.25 + math.pi / 2, 0.25 + math.pi, 0.25 - math.pi / 2):
        ring = tube(loop[:-1], 0.035, 6, closed=True)
        bow.append(moved(turned(turned(ring, "x", 0.62), "z", turn), (0, 0, 0.74)))
    knot = ellipsoid((0, 0, 0.76), (0.08, 0.08, 0.06), 10, 7)
    return part("box", merged(body, lid), PAINT), part("ribbon", merged(*bands, *bow, knot), WHITE)


def barrel() -> Parts:
    """Return a barrel with dark hoops."""
    z = np.linspace(0, 1, 11)
    r = 0.30 + 0.085 * np.sin(math.pi * z)
    staves = lathe([*zip(r, z, strict=True), (0.25, 1.0), (0.25, 0.94)], "z", 28)
    hoops = []
    for at in (0.06, 0.27, 0.73, 0.94):
        low, high = (0.012 + 0.30 + 0.085 * math.sin(math.pi * (at + d)) for d in (-0.035, 0.035))
        ring = [(0.2, at - 0.035), (low, at - 0.035), (high, at + 0.035), (0.2, at + 0.035)]
        hoops.append(lathe(ring, "z", 28))
    inside = [
        h if k < 3 else cut(h, lathe([(0.25, 0.88), (0.25, 1.1)], "z", 28)) for k, h in enumerate(hoops)
    ]
    return part("barrel", staves, PAINT), part("hoops", merged(*inside), DARK)


def bucket() -> Parts:
    """Return an open bucket with its handle up."""
    wall = lathe(
        [(0.27, 0.0), (0.40, 0.66), (0.43, 0.66), (0.43, 0.71), (0.385, 0.71), (0.255, 0.03)], "z", 28
    )
    handle = np.column_stack([np.zeros(15), arc(0.41, 0, 180, 15)]) * np.array([1, 1, 0.86]) + (0, 0, 0.66)
    grip = tube([(0, -0.10, 1.012), (0, 0.10, 1.012)], 0.035, 8)
    return part("bucket", wall, PAINT), part("handle", merged(tube(handle, 0.016, 6), grip), DARK)


def traffic_cone() -> Parts:
    """Return a traffic cone: a square foot and two white bands."""
    foot = box((0, 0, 0.035), (0.74, 0.74, 0.07), 0.02)
    edges = [
        (0.28, 0.05),
        (0.225, 0.30),
        (0.185, 0.46),
        (0.155, 0.58),
        (0.115, 0.74),
        (0.06, 0.96),
        (0.03, 0.98),
    ]
    cone = lathe(edges, "z", 24)
    bands = [lathe([(r + 0.006, z) for r, z in pair], "z", 24) for pair in (edges[1:3], edges[3:5])]
    return part("cone", merged(foot, cone), PAINT), part("bands", merged(*bands), WHITE)


def mushroom() -> Parts:
    """Return a mushroom with white dots on its cap."""
    cap = [(1e-4, 0.92), *((0.5 * math.sin(a), 0.50 + 0.42 * math.cos(a)) for a in np.linspace(0.2, 1.75, 9))]
    cap += [(0.42, 0.42), (0.12, 0.46), (1e-4, 0.46)]
    stalk = lathe([(0.17, 0.0), (0.13, 0.12), (0.11, 0.3), (0.13, 0.5)], "z", 18)
    dots = []
    for k, (tilt, turn) in enumerate(((0.1, 0.4), *((0.75 + 0.25 * (k % 2), 1.05 * k) for k in range(6)))):
        size = 0.085 if k % 2 else 0.105
        dot = moved(stretched(ellipsoid((0, 0, 0), (1, 1, 1), 10, 6), (size, size, 0.03)), (0, 0, 0.424))
        dot = turned(dot, "y", tilt)
        dots.append(moved(turned(stretched(dot, (0.5 / 0.42, 0.5 / 0.42, 1)), "z", turn), (0, 0, 0.5)))
    return (
        part("cap", lathe(cap[::-1], "z", 28), PAINT, 60),
        part("stalk", merged(stalk, *dots), WHITE, 60),
    )


def _fluted(path: Points, radii: np.ndarray, flutes: int = 7) -> Shell:
    """Return a ribbed stem along (k, 3) points, nowhere level."""
    angle = np.arange(flutes * 2) * math.pi / flutes
    wave = 1 + 0.13 * np.cos(angle * flutes)
    tangents = np.gradient(path, axis=0)
    rings = []
    for p, t, r in zip(path, tangents, radii, strict=True):
        t = t / np.linalg.norm(t)
        u = np.cross((1.0, 0.0, 0.0), t)
        u /= np.linalg.norm(u)
        v = np.cross(t, u)
        rings.append(p + r * wave[:, None] * (np.cos(angle)[:, None] * u + np.sin(angle)[:, None] * v))
    return loft(np.stack(rings))


def cactus() -> Parts:
    """Return a cactus with two arms in a white pot."""
    z = np.array([0.18, 0.4, 0.7, 0.88, 0.95, 0.99, 1.005])
    trunk = _fluted(
        np.column_stack([0 * z, 0 * z, z]), np.array([0.14, 0.15, 0.15, 0.14, 0.11, 0.06, 0.01]), 8
    )
    bend = arc(0.16, -90, 0, 6)
    arms = []
    for side, height, up in ((1, 0.42, 0.22), (-1, 0.56, 0.14)):
        y = [0.0, *(0.15 + bend[:, 0]), 0.31, 0.31, 0.31, 0.31]
        zs = [0.0, *(0.16 + bend[:, 1]), 0.16 + up * 0.6, 0.16 + up, 0.2 + up, 0.215 + up]
        zs[0] = zs[1] - 0.001
        path = np.column_stack([np.zeros(len(y)), side * np.array(y), np.array(zs) + height])
        arms.append(_fluted(path, np.array([0.085] * 8 + [0.08, 0.055, 0.01]), 6))
    pot = lathe([(0.17, 0.0), (0.24, 0.22), (0.27, 0.22), (0.27, 0.29), (0.22, 0.29), (1e-4, 0.25)], "z", 24)
    return part("cactus", merged(trunk, *arms), PAINT, 30), part("pot", pot, WHITE)


def star_shell(outer: float, inner: float, thick: float) -> Shell:
    """Return a five-pointed star in the y-z plane about the origin, raised in the middle on both faces."""
    a = np.radians(90 + 36 * np.arange(10))
    r = np.where(np.arange(10) % 2 == 0, outer, inner)
    rim = np.column_stack([r * np.cos(a), r * np.sin(a)])
    rings = [
        np.column_stack([np.full(10, x), rim * s])
        for x, s in ((-thick, 0.05), (-0.03, 1), (0.03, 1), (thick, 0.05))
    ]
    return loft(np.stack(rings))


def star() -> Parts:
    """Return a star that stands on two of its points."""
    shell = star_shell(0.55, 0.25, 0.15)
    return (part("star", moved(shell, (0, 0, -shell[0][:, 2].min())), PAINT, 12),)


def ring() -> Parts:
    """Return a thick ring that stands upright."""
    circle = arc(0.36, 0, 345, 24)
    hoop = tube(np.column_stack([np.zeros(24), circle]), 0.13, 12, closed=True)
    return (part("ring", moved(hoop, (0, 0, 0.49)), PAINT, 60),)


def pyramid() -> Parts:
    """Return a pyramid on a square."""
    base = np.array([(0.5, 0.5), (-0.5, 0.5), (-0.5, -0.5), (0.5, -0.5)])
    rings = [np.column_stack([base * s, np.full(4, z)]) for s, z in ((1.0, 0.0), (1.0, 0.03), (0.01, 0.8))]
    return (part("pyramid", loft(np.stack(rings)), PAINT, 20),)


def chair() -> Parts:
    """Return a chair with two slats in its back."""
    seat = box((0.02, 0, 0.46), (0.46, 0.46, 0.05), 0.012)
    front = both_sides(box((0.21, 0.19, 0.22), (0.05, 0.05, 0.44), 0.006))
    back = both_sides(box((-0.19, 0.19, 0.5), (0.05, 0.05, 1.0), 0.006))
    slats = [box((-0.19, 0, z), (0.03, 0.38, 0.11), 0.006) for z in (0.70, 0.90)]
    return (part("chair", merged(seat, front, back, *slats), PAINT),)


def table() -> Parts:
    """Return a round table on one leg."""
    top = lathe([(0.44, 0.58), (0.46, 0.60), (0.46, 0.64), (0.44, 0.66)], "z", 32)
    leg = lathe([(0.26, 0.0), (0.26, 0.03), (0.07, 0.08), (0.05, 0.2), (0.06, 0.5), (0.12, 0.59)], "z", 18)
    return part("top", top, PAINT), part("leg", leg, WHITE)


def tree() -> Parts:
    """Return a fir with three tiers."""
    tiers = []
    for low, high, r in ((0.20, 0.55, 0.36), (0.42, 0.76, 0.29), (0.64, 1.0, 0.21)):
        tiers.append(
            lathe([(r * 0.55, low + 0.05), (r, low), (r * 0.97, low + 0.03), (0.004, high)], "z", 18)
        )
    trunk = lathe([(0.075, 0.0), (0.06, 0.3)], "z", 12)
    return part("crown", merged(*tiers), PAINT, 50), part("trunk", trunk, BARK)


def vase() -> Parts:
    """Return a vase with a narrow neck, a wide lip and a white band."""
    z = np.array([0.0, 0.04, 0.16, 0.30, 0.42, 0.54, 0.66, 0.76, 0.86, 0.95, 1.0])
    r = np.array([0.16, 0.18, 0.26, 0.32, 0.335, 0.29, 0.19, 0.115, 0.095, 0.14, 0.20])
    body = lathe([*zip(r, z, strict=True), (0.17, 0.99), (0.07, 0.86), (1e-4, 0.8)], "z", 28)
    band = lathe([(0.335, 0.36), (0.342, 0.39), (0.342, 0.45), (0.332, 0.48)], "z", 28)
    return part("vase", body, PAINT, 60), part("band", band, WHITE)


def lantern() -> Parts:
    """Return a lantern: a light between a foot and a roof, four bars, a ring on top."""
    foot = box((0, 0, 0.06), (0.5, 0.5, 0.12), 0.03)
    eaves = np.array([(0.3, 0.3), (-0.3, 0.3), (-0.3, -0.3), (0.3, -0.3)])
    rings = [
        np.column_stack([eaves * s, np.full(4, z)])
        for s, z in ((0.92, 0.62), (1, 0.65), (0.16, 0.84), (0.14, 0.88))
    ]
    bars = both_sides(merged(*(box((x, 0.2, 0.38), (0.05, 0.05, 0.54)) for x in (-0.2, 0.2))))
    circle = arc(0.075, 0, 330, 12)
    hook = moved(tube(np.column_stack([np.zeros(12), circle]), 0.02, 6, closed=True), (0, 0, 0.93))
    light = lathe([(0.14, 0.12), (0.155, 0.3), (0.155, 0.5), (0.12, 0.63)], "z", 16)
    return part("frame", merged(foot, loft(np.stack(rings)), bars, hook), PAINT), part("light", light, GLOW)


def rocket() -> Parts:
    """Return a rocket on three fins, with a white nose and a round window."""
    hull = [(0.10, 0.10), (0.15, 0.13), (0.20, 0.30), (0.205, 0.48), (0.185, 0.64)]
    nose = [(0.185, 0.64), (0.14, 0.79), (0.08, 0.91), (0.002, 1.0)]
    fin = extrude([(0.12, 0.30), (0.28, 0.22), (0.36, 0.0), (0.27, 0.0), (0.12, 0.13)], -0.022, 0.022, "xz")
    fins = merged(*(turned(fin, "z", math.pi + k * 2 * math.pi / 3) for k in range(3)))
    nozzle = lathe([(0.12, 0.03), (0.09, 0.12)], "z", 18)
    panes = [
        moved(turned(lathe(p, "x", 16), "z", 0.0), (0.155, 0, 0.48))
        for p in (((0.1, 0), (0.1, 0.06)), ((0.07, 0), (0.07, 0.07)))
    ]
    return (
        part("hull", lathe(hull, "z", 24), PAINT, 50),
        part("fins", merged(fins, lathe(nose, "z", 24), panes[0]), WHITE, 50),
        part("window", merged(panes[1], nozzle), DARK),
    )


def teapot() -> Parts:
    """Return a teapot: its spout is in front."""
    body = lathe([(0.2, 0.0), (0.3, 0.08), (0.365, 0.24), (0.35, 0.38), (0.26, 0.52), (0.2, 0.56)], "z", 28)
    lid = lathe([(0.2, 0.56), (0.17, 0.61), (0.08, 0.65), (0.05, 0.66)], "z", 24)
    knob = ellipsoid((0, 0, 0.70), (0.06, 0.06, 0.055), 12, 8)
    spout = tube([(0.26, 0, 0.18), (0.40, 0, 0.22), (0.48, 0, 0.36), (0.53, 0, 0.50), (0.585, 0, 0.545)],
                 [0.10, 0.08, 0.055, 0.045, 0.045], 10)  # fmt: skip
    a = np.radians(np.linspace(70, 290, 12))
    handle = tube(np.column_stack([-0.33 + 0.19 * np.cos(a), 0 * a, 0.31 + 0.17 * np.sin(a)]), 0.035, 8)
    return part("pot", merged(body, spout, handle), PAINT, 50), part("lid", merged(lid, knob), WHITE, 50)


def rubber_duck() -> Parts:
    """Return a rubber duck that looks ahead."""
    body = ellipsoid((0, 0, 0.27), (0.42, 0.31, 0.27), 22, 13)
    v = body[0].copy()
    back = np.clip(-v[:, 0] / 0.42, 0, 1)
    v[:, 2] += 0.20 * back**2
    v[:, 1] *= 1 - 0.55 * back**2
    head = ellipsoid((0.20, 0, 0.66), (0.22, 0.21, 0.21), 18, 11)
    wing = both_sides(
        turned(ellipsoid((-0.06, 0.28, 0.32), (0.21, 0.07, 0.13), 12, 9), "y", -0.25, (0, 0.28, 0.3))
    )
    beak = merged(
        ellipsoid((0.44, 0, 0.64), (0.13, 0.11, 0.03), 12, 8),
        ellipsoid((0.42, 0, 0.605), (0.09, 0.09, 0.025), 12, 7),
    )
    eyes = both_sides(ellipsoid((0.355, 0.115, 0.73), (0.035, 0.03, 0.04), 10, 7))
    return (
        part("duck", merged((v, body[1]), head, wing), PAINT, 60),
        part("beak", beak, BEAK, 60),
        part("eyes", eyes, DARK, 60),
    )


def mailbox() -> Parts:
    """Return a mailbox on a post, its white door in front."""
    tunnel = [
        (0.17, 0.62),
        (0.17, 0.80),
        *((y, z + 0.80) for y, z in arc(0.17, 15, 165, 11)),
        (-0.17, 0.80),
        (-0.17, 0.62),
    ]
    case = extrude(tunnel, -0.32, 0.30, "yz")
    outline = np.array(tunnel)
    middle = np.array([0.0, 0.79])
    door = extrude(middle + (outline - middle) * 0.90, 0.29, 0.325, "yz")
    post = merged(box((0, 0, 0.32), (0.10, 0.10, 0.64), 0.01), box((0, 0, 0.02), (0.34, 0.34, 0.04), 0.01))
    knob = ellipsoid((0.335, 0, 0.90), (0.025, 0.025, 0.025), 8, 6)
    return part("case", case, PAINT, 40), part("door", door, WHITE), part("post", merged(post, knob), DARK)


def ladder() -> Parts:
    """Return a stepladder that stands open."""
    pieces: list[Shell] = []
    for side in (-1, 1):
        for foot in (0.30, -0.30):
            wide, narrow = 0.27 * side, 0.19 * side
            pieces.append(tube([(foot, wide, 0.0), (foot * 0.08, narrow, 0.98)], 0.028, 4))
    for k in range(1, 5):
        share = k / 5
        x, y = 0.30 + (0.024 - 0.30) * share, 0.27 - 0.08 * share
        pieces.append(box((x, 0, 0.98 * share), (0.13, 2 * y, 0.035)))
    return (
        part("frame", merged(*pieces), PAINT),
        part("top", box((0, 0, 0.99), (0.20, 0.46, 0.05), 0.01), WHITE),
    )


def house() -> Parts:
    """Return a little house: roof and walls in one colour, dark chimney, white door and windows."""
    gable = [(-0.36, 0.0), (0.36, 0.0), (0.36, 0.48), (0.0, 0.80), (-0.36, 0.48)]
    walls = extrude(gable, -0.42, 0.42, "yz")
    slope = [(0.46, 0.395), (0.0, 0.80), (-0.46, 0.395), (-0.46, 0.46), (0.0, 0.87), (0.46, 0.46)]
    roof = extrude(slope, -0.49, 0.49, "yz")
    chimney = box((-0.2, 0.2, 0.78), (0.13, 0.13, 0.30))
    white = [box((0.42, 0, 0.17), (0.03, 0.20, 0.34)), box((-0.42, 0, 0.33), (0.03, 0.24, 0.2))]
    white += [box((x, y, 0.29), (0.2, 0.03, 0.19)) for x in (-0.2, 0.2) for y in (-0.36, 0.36)]
    return (
        part("walls", merged(walls, roof), PAINT),
        part("chimney", chimney, DARK),
        part("door", merged(*white), WHITE),
    )
