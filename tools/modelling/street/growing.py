"""Trees and bushes at their usual sizes, trunks over the origin."""

from __future__ import annotations

import math

import numpy as np

from fathom.assets.model import Part
from fathom.assets.shapes import Shell, ellipsoid, lathe, merged, part, tube
from fathom.assets.street.finishes import BARK, LEAVES, NEEDLES
from fathom.geometry.poses import Array
from fathom.store.seeds import rng

Parts = tuple[Part, ...]


def _ruffled(shell: Shell, share: float, *names: str | int) -> Shell:
    """Return the shell with its points moved in or out at random, the same way where they coincide."""
    vertices, faces = shell
    centre = vertices.mean(axis=0)
    places, back = np.unique(np.round(vertices, 6), axis=0, return_inverse=True)
    factors = 1 + rng("leaves", *names).uniform(-share, share, len(places))
    return centre + (vertices - centre) * factors[back.reshape(-1)][:, None], faces


def _crown(blobs: list[tuple[float, float, float, float, float]], name: str) -> Parts:
    """Return blobs of leaves (x, y, z, radius, half height) in three greens."""
    groups: list[list[Shell]] = [[], [], []]
    for k, (x, y, z, r, h) in enumerate(blobs):
        groups[k % 3].append(_ruffled(ellipsoid((x, y, z), (r, r, h), 14, 9), 0.10, name, k))
    return tuple(
        part(f"leaves{k}", merged(*g), LEAVES[k], 180) for k, g in enumerate(groups) if g
    )  # the crease is off: leaves have no edges that far away


def _ring(count: int, radius: float, z: float, r: float, h: float, start: float) -> list[Array]:
    a = start + np.arange(count) * 2 * math.pi / count
    return [np.array([radius * math.cos(t), radius * math.sin(t), z, r, h]) for t in a]


def _trunk(height: float, radius: float) -> Part:
    path = [(0, 0, 0), (0.02, 0, 0.3 * height), (-0.02, 0.03, 0.7 * height), (0, 0, height)]
    return part("trunk", tube(path, [radius * 1.25, radius, radius * 0.9, radius * 0.7], 9), BARK, 60)


def broad_tree() -> Parts:
    """Return a tree with a round crown, 7 m high, bare up to 2.6 m."""
    blobs = [*_ring(5, 1.05, 4.0, 1.15, 1.05, 0.3), *_ring(4, 0.75, 5.3, 1.1, 1.05, 0.9)]
    blobs.append(np.array([0, 0, 6.1, 1.0, 0.9]))
    return (_trunk(3.6, 0.16), *_crown([tuple(map(float, b)) for b in blobs], "broad"))  # type: ignore[misc]


def tall_tree() -> Parts:
    """Return a slender tree, 9 m high, bare up to 2.6 m."""
    blobs = [*_ring(4, 0.65, 4.0, 0.95, 1.25, 0.2), *_ring(4, 0.6, 5.8, 0.9, 1.25, 0.9)]
    blobs += [*_ring(3, 0.35, 7.3, 0.75, 1.1, 0.4), np.array([0, 0, 8.3, 0.5, 0.7])]
    return (_trunk(3.8, 0.15), *_crown([tuple(map(float, b)) for b in blobs], "tall"))  # type: ignore[misc]


def fir() -> Parts:
    """Return a fir, 7 m high, with branches from 0.7 m on."""
    skirts = []
    for k in range(6):
        low, wide = 0.7 + 1.0 * k, 1.55 - 0.24 * k
        skirt = lathe([(1e-3, low + 0.18), (wide, low), (0.42 * wide, low + 0.9), (1e-3, low + 1.3)], "z", 16)
        skirts.append(_ruffled(skirt, 0.05, "fir", k))
    return part("trunk", tube([(0, 0, 0), (0, 0, 1.4)], 0.14, 8), BARK, 60), part(
        "needles", merged(*skirts), NEEDLES, 60
    )


def bush() -> Parts:
    """Return a bush, 1 m high, down to the ground."""
    blobs = [(0, 0, 0.5, 0.5, 0.5), (0.38, 0.1, 0.4, 0.38, 0.4), (-0.35, -0.12, 0.42, 0.4, 0.42),
             (0.05, 0.4, 0.36, 0.36, 0.36), (-0.02, -0.42, 0.38, 0.36, 0.38)]  # fmt: skip
    return _crown([(x, y, z, r, h) for x, y, z, r, h in blobs], "bush")
