"""Lamps, lights, signs, benches and all else that stands on pavements, at real sizes, fronts towards +x."""

from __future__ import annotations

import math

import numpy as np

from fathom.assets.model import Material, Part
from fathom.assets.shapes import Shell, box, ellipsoid, extrude, lathe, merged, moved, part, tube
from fathom.assets.street import finishes as f
from fathom.geometry.poses import Array

Parts = tuple[Part, ...]


def _post(height: float, radius: float, x: float = 0.0, y: float = 0.0) -> Shell:
    return tube([(x, y, 0.0), (x, y, height)], radius, 10)


def _polygon(count: int, radius: float, start_deg: float = 0.0) -> Array:
    a = np.radians(start_deg) + np.arange(count) * 2 * math.pi / count
    return np.column_stack([radius * np.cos(a), radius * np.sin(a)])


def _plate(outline: Array, z: float, front: float, back: float) -> Shell:
    return moved(extrude(outline, back, front, "yz"), (0, 0, z))


def street_lamp() -> Parts:
    """Return a lamp on a bent arm, 7 m high."""
    arm = [(0, 0, 5.6), (0.05, 0, 6.3), (0.35, 0, 6.78), (0.9, 0, 6.92), (1.5, 0, 6.94)]
    pole = merged(tube([(0, 0, 0), (0, 0, 0.9)], 0.12, 10), tube([(0, 0, 0.8), (0, 0, 5.7)], 0.075, 10))
    head = box((1.7, 0, 6.92), (0.62, 0.26, 0.15), 0.05)
    glass = box((1.72, 0, 6.835), (0.46, 0.18, 0.03))
    return (
        part("pole", merged(pole, tube(arm, 0.05, 8)), f.DARK_STEEL, 50),
        part("head", head, f.STEEL), part("glass", glass, f.GLOBE),
    )  # fmt: skip


def globe_lamp() -> Parts:
    """Return a lamp of a park: a globe on a post, 4 m high."""
    base = lathe([(1e-3, 0), (0.16, 0), (0.13, 0.5), (0.06, 0.62), (1e-3, 0.62)], "z", 14)
    t = np.linspace(0, math.pi, 11)
    globe = lathe(np.column_stack([0.24 * np.sin(t).clip(1e-4), 3.74 - 0.24 * np.cos(t)]), "z", 18)
    cap = lathe([(1e-3, 3.9), (0.2, 3.9), (0.05, 4.05), (1e-3, 4.05)], "z", 14)
    return (
        part("post", merged(base, tube([(0, 0, 0.6), (0, 0, 3.54)], 0.045, 10), cap), f.DARK_STEEL, 50),
        part("globe", globe, f.GLOBE, 80),
    )


def traffic_light() -> Parts:
    """Return a traffic light on a post, 3.4 m high; its lamps are named after their colours."""
    case = box((0, 0, 2.92), (0.20, 0.30, 0.95), 0.03)
    lamps, visors = [], []
    for color, z in (("red", 3.21), ("amber", 2.92), ("green", 2.63)):
        disc = moved(lathe([(1e-3, 0), (0.105, 0), (0.09, 0.02), (1e-3, 0.025)], "x", 16), (0.10, 0, z))
        lamps.append(part(f"lamp {color}", disc, f.LAMPS[color], 60))
        a = np.radians(np.linspace(10, 170, 9))
        rim = np.concatenate([np.column_stack([r * np.cos(b), r * np.sin(b)])
                              for r, b in ((0.125, a), (0.112, a[::-1]))])  # fmt: skip
        visors.append(moved(extrude(rim, 0.10, 0.26, "yz"), (0, 0, z)))
    return (
        part("post", merged(_post(2.5, 0.055), moved(case, (0, 0, 0))), f.BLACK, 50),
        part("visors", merged(*visors), f.BLACK, 50),
        *lamps,
    )


def _sign(outline: Array, rim: Material, face: Material, z: float, marks: tuple[Part, ...] = ()) -> Parts:
    return (
        part("post", _post(z + 0.2, 0.035), f.STEEL, 50),
        part("back", _plate(outline, z, 0.041, 0.034), f.STEEL),
        part("rim", _plate(outline, z, 0.055, 0.04), rim),
        part("face", _plate(outline * 0.86, z, 0.062, 0.05), face),
        *marks,
    )


def stop_sign() -> Parts:
    """Return an eight-sided red sign, 2.6 m high."""
    bar = part("bar", box((0.064, 0, 2.22), (0.008, 0.44, 0.13)), f.WHITE)
    return _sign(_polygon(8, 0.40, 22.5), f.WHITE, f.RED, 2.22, (bar,))


def warning_sign() -> Parts:
    """Return a triangular sign with a red rim, 2.6 m high."""
    mark = part("mark", box((0.064, 0, 2.24), (0.008, 0.07, 0.26)), f.BLACK)
    return _sign(_polygon(3, 0.46, 90), f.RED, f.WHITE, 2.16, (mark,))


def parking_sign() -> Parts:
    """Return a square blue sign with a white letter, 2.5 m high."""
    strokes = (
        (-0.09, 2.2, 0.07, 0.36),
        (0.02, 2.345, 0.2, 0.07),
        (0.02, 2.2, 0.2, 0.07),
        (0.09, 2.27, 0.07, 0.2),
    )
    letter = merged(*(box((0.064, y, z), (0.008, wide, high)) for y, z, wide, high in strokes))
    return _sign(_polygon(4, 0.40, 45), f.WHITE, f.SIGN_BLUE, 2.2, (part("letter", letter, f.WHITE),))


def speed_sign() -> Parts:
    """Return a round white sign with a red rim, 2.5 m high."""
    # A 3 and a 0, seen from ahead, where left is -y.
    level = [(y, 2.2 + dz, 0.13, 0.04) for y in (-0.1, 0.1) for dz in (-0.13, 0.13)] + [
        (-0.1, 2.2, 0.13, 0.04)
    ]
    upright = [(y, 2.2, 0.04, 0.30) for y in (-0.04, 0.04, 0.16)]
    marks = merged(*(box((0.064, y, z), (0.008, wide, high)) for y, z, wide, high in (*level, *upright)))
    return _sign(_polygon(24, 0.34), f.RED, f.WHITE, 2.2, (part("number", marks, f.BLACK),))


def bench() -> Parts:
    """Return a bench with a back, 1.6 m wide; who sits on it looks towards +x."""
    planks = [box((0.02 + 0.13 * k, 0, 0.45), (0.11, 1.6, 0.04)) for k in range(-1, 3)]
    planks += [box((-0.24 - 0.03 * k, 0, 0.6 + 0.14 * k), (0.04, 1.6, 0.11)) for k in range(3)]
    legs = []
    for y in (-0.62, 0.62):
        legs += [box((0.24, y, 0.215), (0.06, 0.06, 0.43)), box((-0.16, y, 0.215), (0.06, 0.06, 0.43))]
        legs += [box((0.06, y, 0.41), (0.5, 0.05, 0.04)), tube([(-0.17, y, 0.4), (-0.33, y, 0.95)], 0.025, 6)]
    return part("planks", merged(*planks), f.PLANK), part("frame", merged(*legs), f.DARK_STEEL)


def rubbish_bin() -> Parts:
    """Return a round bin with a lid, 1 m high."""
    body = lathe([(1e-3, 0.04), (0.24, 0.04), (0.27, 0.82), (1e-3, 0.82)], "z", 20)
    lid = lathe([(0.2, 0.90), (0.29, 0.90), (0.24, 1.0), (1e-3, 1.04)], "z", 20)
    rods = [tube([(x, y, 0.8), (x, y, 0.93)], 0.02, 6) for x, y in ((0.2, 0), (-0.1, 0.17), (-0.1, -0.17))]
    foot = lathe([(1e-3, 0), (0.2, 0), (0.2, 0.05), (1e-3, 0.05)], "z", 16)
    return part("body", body, f.PAINT, 60), part("lid", merged(lid, foot, *rods), f.DARK_STEEL, 50)


def hydrant() -> Parts:
    """Return a fire hydrant, 0.8 m high."""
    profile = [(1e-3, 0), (0.17, 0), (0.17, 0.05), (0.11, 0.07), (0.11, 0.5), (0.145, 0.52), (0.145, 0.57),
               (0.11, 0.6), (0.09, 0.68), (0.04, 0.72), (0.04, 0.8), (1e-3, 0.8)]  # fmt: skip
    body = lathe(profile, "z", 20)
    side = lathe([(1e-3, -0.2), (0.06, -0.2), (0.06, 0.2), (1e-3, 0.2)], "y", 14, (0, 0, 0.42))
    front = lathe([(1e-3, 0), (0.08, 0), (0.08, 0.19), (1e-3, 0.19)], "x", 14, (0, 0, 0.4))
    return (part("body", merged(body, side, front), f.PAINT, 45),)


def cone() -> Parts:
    """Return a traffic cone, 0.75 m high."""
    foot = box((0, 0, 0.02), (0.4, 0.4, 0.04), 0.01)

    def ring(low: float, high: float, over: float) -> Shell:
        r = [0.15 - 0.155 * z + over for z in (low, high)]
        return lathe([(1e-3, low), (r[0], low), (r[1], high), (1e-3, high)], "z", 18)

    body = merged(foot, ring(0.04, 0.75, 0.0))
    return part("body", body, f.ORANGE, 40), part(
        "bands", merged(ring(0.28, 0.40, 0.004), ring(0.5, 0.6, 0.004)), f.WHITE, 40
    )


def post_box() -> Parts:
    """Return a pillar box, 1.4 m high."""
    body = lathe([(1e-3, 0), (0.25, 0), (0.25, 0.12), (0.22, 0.14), (0.22, 1.18), (0.27, 1.2), (0.26, 1.28),
                  (0.12, 1.36), (1e-3, 1.38)], "z", 24)  # fmt: skip
    slot = box((0.215, 0, 1.02), (0.03, 0.22, 0.05))
    label = box((0.212, 0, 0.82), (0.03, 0.16, 0.2))
    return part("body", body, f.PAINT, 50), part("slot", slot, f.BLACK), part("label", label, f.WHITE)


def bollard() -> Parts:
    """Return a bollard with a white band, 0.95 m high."""
    post = lathe([(1e-3, 0), (0.085, 0), (0.075, 0.85), (0.06, 0.93), (1e-3, 0.95)], "z", 16)
    band = lathe([(0.06, 0.68), (0.081, 0.68), (0.08, 0.78), (0.06, 0.78)], "z", 16)
    return part("post", post, f.DARK_STEEL, 50), part("band", band, f.WHITE, 50)


def planter() -> Parts:
    """Return a concrete tub with a small bush, 1 m high."""
    from tools.modelling.street.growing import bush

    tub = lathe([(1e-3, 0), (0.36, 0), (0.46, 0.5), (0.38, 0.5), (0.36, 0.44), (1e-3, 0.44)], "z", 22)
    leaves = tuple(
        part(p.name, (p.vertices * (0.5, 0.5, 0.55) + (0, 0, 0.45), p.faces), p.material, 180) for p in bush()
    )
    return part("tub", tub, f.CONCRETE, 40), *leaves


def barrier() -> Parts:
    """Return a red and white barrier of road works, 2 m wide, 1 m high."""
    beams, stripes = [], []
    for z in (0.55, 0.88):
        beams.append(box((0, 0, z), (0.04, 2.0, 0.2)))
        stripes += [box((0, y, z), (0.048, 0.25, 0.201)) for y in np.arange(-0.75, 0.8, 0.5)]
    legs = [box((x, y, z), s) for y in (-0.85, 0.85)
            for x, z, s in ((0, 0.5, (0.05, 0.05, 1.0)), (0, 0.025, (0.6, 0.08, 0.05)))]  # fmt: skip
    return (
        part("beams", merged(*beams), f.WHITE), part("stripes", merged(*stripes), f.RED),
        part("legs", merged(*legs), f.DARK_STEEL),
    )  # fmt: skip


def shelter() -> Parts:
    """Return a bus shelter, 3.6 m wide, open towards +x."""
    posts = [_post(2.35, 0.04, x, y) for x in (-0.62, 0.62) for y in (-1.7, 1.7)]
    roof = box((0, 0, 2.4), (1.6, 3.7, 0.1), 0.02)
    panes = [box((-0.62, y, 1.2), (0.02, 1.6, 1.9)) for y in (-0.84, 0.84)]
    panes.append(box((0, -1.7, 1.2), (1.1, 0.02, 1.9)))
    seat = merged(box((-0.3, 0, 0.45), (0.36, 2.4, 0.05)), box((-0.3, -1, 0.22), (0.06, 0.06, 0.44)),
                  box((-0.3, 1, 0.22), (0.06, 0.06, 0.44)))  # fmt: skip
    ball = ellipsoid((0.62, 1.7, 2.42), (0.05, 0.05, 0.05), 8, 5)
    return (
        part("posts", merged(*posts, ball), f.DARK_STEEL, 50), part("roof", roof, f.PAINT),
        part("panes", merged(*panes), f.GLASS), part("seat", seat, f.PLANK),
    )  # fmt: skip
