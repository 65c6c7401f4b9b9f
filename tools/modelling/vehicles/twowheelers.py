"""What bicycles and motorbikes are made of: wheels, mudguards, lamps, bent tubes, sheets and smooth pods.

Everything is in metres, x forward, y left, z up, the wheels standing on z = 0.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from fathom.assets.model import Material, Model, Part, Points
from fathom.assets.shapes import (
    Shell,
    box,
    inside_out,
    lathe,
    loft,
    merged,
    mirrored,
    moved,
    part,
    tube,
    turned,
    volume,
)
from tools.modelling.solids import both_sides
from tools.modelling.vehicles.materials import (
    CHROME,
    HEADLAMP,
    RUBBER,
    STEEL,
    TAILLAMP,
    TRIM,
    TYRE,
    WHITE,
)

Piece = tuple[str, Shell, Material]
"""A shell on its way into a model: the part it belongs to, its triangles, its material."""

CREASE_DEG = 46.0
"""Tubes of eight or more sides come out round, the edges of plates sharp."""


def assembled(category: str, subtype: str, pieces: Iterable[Piece]) -> Model:
    """Return the model of all pieces; those of one name and material become one part."""
    grouped: dict[tuple[str, str], tuple[list[Shell], Material]] = {}
    for name, shell, material in pieces:
        grouped.setdefault((name, material.name), ([], material))[0].append(shell)
    parts: list[Part] = [
        part(name, merged(*shells), material, CREASE_DEG) for (name, _), (shells, material) in grouped.items()
    ]
    return Model(name=subtype, category=category, subtype=subtype, parts=tuple(parts))


def offset(point: ArrayLike, ahead: float, left: float, up: float) -> Points:
    """Return the point, or the (k, 3) points, moved by three distances."""
    moved_to: Points = np.asarray(point, dtype=np.float64) + np.array([ahead, left, up])
    return moved_to


def outwards(shell: Shell) -> Shell:
    """Return the closed shell with its faces looking outwards."""
    return shell if volume(shell) >= 0 else inside_out(shell)


def smooth(points: ArrayLike, steps: int = 4) -> Points:
    """Return (k·steps + 1 - steps, …) samples of the Catmull-Rom curve through (k, …) points or rows."""
    p = np.asarray(points, dtype=np.float64)
    padded = np.concatenate([2 * p[:1] - p[1:2], p, 2 * p[-1:] - p[-2:-1]])
    a, b, c, d = padded[:-3], padded[1:-2], padded[2:-1], padded[3:]
    t = np.linspace(0, 1, steps, endpoint=False).reshape(-1, *(1,) * p.ndim)
    curve = 0.5 * (2 * b + (c - a) * t + (2 * a - 5 * b + 4 * c - d) * t**2 + (3 * b - a - 3 * c + d) * t**3)
    return np.concatenate([curve.swapaxes(0, 1).reshape(-1, *p.shape[1:]), p[-1:]])


def bent(points: ArrayLike, radius: float, steps: int = 4) -> Points:
    """Return the polyline through (k, 3) points with its corners rounded over `radius` metres."""
    p = np.asarray(points, dtype=np.float64)
    out = [p[0]]
    for a, b, c in zip(p, p[1:], p[2:], strict=False):
        before, after = a - b, c - b
        reach = min(radius, 0.49 * float(np.linalg.norm(before)), 0.49 * float(np.linalg.norm(after)))
        start = b + before / np.linalg.norm(before) * reach
        end = b + after / np.linalg.norm(after) * reach
        out += [
            (1 - t) ** 2 * start + 2 * t * (1 - t) * b + t * t * end for t in np.linspace(0, 1, steps + 1)
        ]
    out.append(p[-1])
    return np.array(out)


def across(half: ArrayLike) -> Points:
    """Return a path from the right end over the middle to the left end, given its (k, 3) left half."""
    left = np.asarray(half, dtype=np.float64)
    return np.concatenate([left[:0:-1] * np.array([1.0, -1.0, 1.0]), left])


def rod(a: ArrayLike, b: ArrayLike, radius: float | Sequence[float], sides: int = 10) -> Shell:
    """Return a straight tube between two points, of one radius or of one at each end."""
    return tube(np.array([a, b], dtype=np.float64), radius, sides)


def sheet(grid: ArrayLike, thickness: float) -> Shell:
    """Return the closed plate of some thickness around a (k, n, 3) surface."""
    g = np.asarray(grid, dtype=np.float64)
    normal = np.cross(np.gradient(g, axis=0), np.gradient(g, axis=1))
    normal /= np.maximum(np.linalg.norm(normal, axis=-1, keepdims=True), 1e-12)
    rim = np.concatenate([g + normal * thickness / 2, (g - normal * thickness / 2)[:, ::-1]], axis=1)
    k, n, _ = rim.shape
    w = n // 2
    body = loft(rim, caps=False)
    ends = []
    for row in (0, k - 1):
        i = row * n + np.arange(w - 1)
        j = row * n + (n - 1) - np.arange(w - 1)
        quads = np.concatenate([np.stack([i, i + 1, j - 1], -1), np.stack([i, j - 1, j], -1)])
        ends.append(quads if row else quads[:, ::-1])
    return outwards((body[0], np.concatenate([body[1], *ends]).astype(np.int32)))


def blade(rows: Sequence[tuple[float, float, float]], crown: float, thickness: float = 0.012) -> Shell:
    """Return an open mudguard along (x, z, half width) rows, its edges `crown` lower than its middle."""
    over = np.linspace(-1, 1, 7)
    return sheet([[(x, w * v, z - crown * v * v) for v in over] for x, z, w in smooth(rows)], thickness)


def pod(rows: ArrayLike, sides: int = 20, steps: int = 3, square: float = 2.0) -> Shell:
    """Return a smooth hull along x: each row is (x, lowest z, highest z, half width), at least two.

    `square` is the exponent of the super-ellipse of its sections: 2 is round, 4 nearly a rounded box.
    """
    r = np.asarray(rows, dtype=np.float64)
    r = smooth(r, steps) if steps > 1 else r
    t = np.linspace(0, 2 * math.pi, sides, endpoint=False) + math.pi / sides
    y = np.sign(np.cos(t)) * np.abs(np.cos(t)) ** (2 / square)
    z = np.sign(np.sin(t)) * np.abs(np.sin(t)) ** (2 / square)
    sections = np.zeros((len(r), sides, 3))
    sections[..., 0] = r[:, :1]
    sections[..., 1] = np.maximum(r[:, 3:4], 1e-4) * y
    sections[..., 2] = (r[:, 1:2] + r[:, 2:3]) / 2 + np.maximum(r[:, 2:3] - r[:, 1:2], 2e-4) / 2 * z
    return loft(sections)


@dataclass(frozen=True, kw_only=True)
class Wheel:
    """A wheel and its tyre, in metres.

    radius : from the axle to the tread
    half_width, tyre : half the width and the height of the tyre
    rim : depth of the rim
    spokes, spoke : how many, and their radius
    hub, hub_half : radius and half the width of the hub
    knobs : how many rows of blocks are on the tread, 0 for a smooth tyre
    disc : radius of the brake disc, 0 for none
    """

    radius: float
    half_width: float
    tyre: float
    rim: float
    spokes: int
    hub: float = 0.02
    hub_half: float = 0.04
    knobs: int = 0
    rim_material: Material = STEEL
    spoke: float = 0.0028
    disc: float = 0.0
    whitewall: bool = False


def wheel(name: str, w: Wheel, x: float, sides: int = 42) -> list[Piece]:
    """Return the tyre, rim, spokes and hub of a wheel that stands at `x`."""
    axle = (x, 0.0, w.radius)
    bead = w.radius - w.tyre
    angle = np.linspace(0, 2 * math.pi, 11)
    mid = (w.radius + bead) / 2
    squareness = 0.8
    c, s = np.cos(angle), np.sin(angle)
    loop = np.column_stack(
        [
            mid + w.tyre / 2 * np.sign(c) * np.abs(c) ** squareness,
            w.half_width * np.sign(s) * np.abs(s) ** squareness,
        ]
    )
    loop[-1] = loop[0]
    inner, half = bead - w.rim, w.half_width * 0.72
    rim = [(bead + 0.004, half), (inner + 0.3 * w.rim, half), (inner, 0.45 * half), (inner, -0.45 * half),
           (inner + 0.3 * w.rim, -half), (bead + 0.004, -half), (bead + 0.004, half)]  # fmt: skip
    pieces: list[Piece] = [
        (name, lathe(loop, "y", sides, axle), TYRE),
        (name, lathe(rim, "y", sides, axle), w.rim_material),
        (name, spokes(w, axle, inner + 0.002), CHROME),
        (name, hub(w, axle), STEEL),
    ]
    if w.whitewall:
        out = 1.01 * w.half_width
        far, near = bead + 0.66 * w.tyre, bead + 0.24 * w.tyre
        band = [(far, out), (near, out), ((far + near) / 2, 0.8 * w.half_width), (far, out)]
        pieces.append((name, both_sides(lathe(band, "y", 36, axle)), WHITE))
    if w.knobs:
        pieces.append((name, knobs(w, axle), RUBBER))
    if w.disc:
        ring = [
            (w.disc, 0.003),
            (0.6 * w.disc, 0.003),
            (0.6 * w.disc, -0.003),
            (w.disc, -0.003),
            (w.disc, 0.003),
        ]
        pieces.append((name, moved(lathe(ring, "y", 22), (x, w.hub_half + 0.008, w.radius)), STEEL))
    return pieces


def hub(w: Wheel, axle: ArrayLike) -> Shell:
    """Return the hub of a wheel, with a flange on each side."""
    r, h = w.hub, w.hub_half
    profile = [(0.35 * r, -h), (r, -h), (r, -0.8 * h), (0.6 * r, -0.7 * h)]
    return lathe(profile + [(a, -b) for a, b in reversed(profile)], "y", 11, axle)


def spokes(w: Wheel, axle: ArrayLike, outer: float) -> Shell:
    """Return thin crossed spokes from the flanges of the hub to the rim."""
    shells = []
    for i in range(w.spokes):
        at = 2 * math.pi * i / w.spokes
        lean = 0.9 if i // 2 % 2 else -0.9
        side = 0.75 * w.hub_half * (1 if i % 2 else -1)
        inside = (0.8 * w.hub * math.cos(at + lean), side, 0.8 * w.hub * math.sin(at + lean))
        outside = (outer * math.cos(at), 0.1 * side, outer * math.sin(at))
        shells.append(rod(inside, outside, w.spoke, 4))
    return moved(merged(*shells), axle)


def knobs(w: Wheel, axle: ArrayLike) -> Shell:
    """Return the blocks of a knobbly tyre, in the middle and on both shoulders by turns."""
    shells = []
    length = 2 * math.pi * w.radius / w.knobs
    for i in range(w.knobs):
        angle = 2 * math.pi * i / w.knobs
        rows = ((0.0, 0.0),) if i % 2 else ((0.62, 0.55), (-0.62, -0.55))
        for y, tilt in rows:
            block = box((0, 0, 0), (0.55 * length, 0.62 * w.half_width, 0.22 * w.tyre))
            block = turned(block, "x", -tilt)
            drop = 0.16 * w.tyre if y else 0.02 * w.tyre
            block = moved(block, (0, y * w.half_width, w.radius - drop))
            shells.append(turned(block, "y", angle))
    return moved(merged(*shells), axle)


def mudguard(
    axle: ArrayLike,
    radius: float,
    degrees: tuple[float, float],
    half_width: float,
    drop: float,
    steps: int = 20,
) -> Shell:
    """Return an arched guard over a wheel between two angles from forward (0°) over up (90°).

    Its sides come down by `drop` metres towards the axle.
    """
    around = np.radians(np.linspace(*degrees, steps))[:, None]
    over = np.linspace(-math.pi / 2, math.pi / 2, 8)[None, :]
    out = radius - drop * (1 - np.cos(over))
    grid = np.stack(
        [out * np.cos(around), half_width * np.sin(over) * np.ones_like(around), out * np.sin(around)],
        axis=-1,
    )
    return moved(sheet(grid, 0.006), axle)


def _bowl_and_dome(radius: float, depth: float, flange: float) -> tuple[Shell, Shell]:
    """Return the bowl of a lamp that looks ahead, and its domed lens, which also shows from the side."""
    r, d, rim = radius, depth, flange * radius
    bowl = [(0.001, -d), (0.55 * r, -0.9 * d), (0.92 * r, -0.4 * d), (rim, -0.05 * d), (rim, 0.12 * d)]
    rise = np.linspace(0, math.pi / 2, 4)
    dome = [(max(0.93 * r * math.cos(t), 0.001), 0.12 * d + 0.6 * r * math.sin(t)) for t in rise]
    return lathe(bowl, "x", 18), lathe([(0.001, 0.05 * d), *dome], "x", 18)


def headlamp(at: ArrayLike, radius: float, depth: float, material: Material) -> list[Piece]:
    """Return a round white lamp about the point `at`, in a bowl of some material, looking ahead."""
    bowl, dome = _bowl_and_dome(radius, depth, 1.0)
    return [("head_light", moved(bowl, at), material), ("head_light", moved(dome, at), HEADLAMP)]


def taillamp(at: ArrayLike, radius: float, depth: float) -> list[Piece]:
    """Return a round red lamp about the point `at`, looking back; its dark rim sets it off from red paint."""
    bowl, dome = (turned(s, "z", math.pi) for s in _bowl_and_dome(radius, depth, 1.35))
    return [("tail_light", moved(bowl, at), TRIM), ("tail_light", moved(dome, at), TAILLAMP)]


def pairs(name: str, shell: Shell, material: Material) -> list[Piece]:
    """Return the shell as the part `left_…` and its mirror image as `right_…`."""
    return [(f"left_{name}", shell, material), (f"right_{name}", mirrored(shell), material)]


def chain(points: ArrayLike, half: float = 0.005, height: float = 0.012) -> Shell:
    """Return a flat band along a closed loop of (k, 3) points in a plane of constant y."""
    p = np.asarray(points, dtype=np.float64)
    links = []
    for a, b in itertools.pairwise([*p, p[0]]):
        d = b - a
        link = box((0, 0, 0), (float(np.linalg.norm(d)) + 0.004, 2 * half, height))
        links.append(moved(turned(link, "y", -math.atan2(d[2], d[0])), (a + b) / 2))
    return merged(*links)
