"""Which of the built-in props something is, and where it stands, from the triangles that are seen of it.

A prop is what it is taken for if, moved and sized as a whole, its triangles lie where they are seen.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from fathom.build.assets.model import BODY, Faces, Points
from fathom.build.assets.props.shelf import PROPS, prop_model
from fathom.build.truth.repertoire import barycentric
from fathom.build.truth.upright import Values

FEWEST = 24
"""From fewer surface points nothing is told."""

FITS = 0.01
"""What a prop may leave over, as a share of its size."""

CLEARER = 3.0
"""By how many times less than any other prop it must leave over."""

ROUNDS = 8

POINTS_USED = 320
"""So many surface points are used, evenly drawn."""


@dataclass(frozen=True, eq=False)
class Placed:
    """Where something lies: world = scale · turn · own + shift; `rms_m` is what is left over."""

    scale: float
    turn: Points
    shift_m: Points
    rms_m: float

    def world(self, own: Points) -> Points:
        """Return own points (n, 3) in the world."""
        return np.asarray(self.scale * own @ self.turn.T + self.shift_m)

    def own(self, world: Points) -> Points:
        """Return world points (n, 3) in its own frame and size."""
        return np.asarray((world - self.shift_m) @ self.turn / self.scale)


@dataclass(frozen=True, eq=False)
class Shape:
    """A prop as the shelf has it: parts' names, which of them take its colour, vertices and triangles."""

    name: str
    parts: tuple[str, ...]
    painted: tuple[int, ...]
    vertices: Points
    faces: Faces


@cache
def shapes() -> tuple[Shape, ...]:
    """Return all props of the shelf."""
    return tuple(_shape(name) for name in PROPS)


@cache
def _shape(name: str) -> Shape:
    parts = prop_model(name).parts
    starts = np.cumsum([0] + [len(p.vertices) for p in parts])[:-1]
    return Shape(
        name=name,
        parts=tuple(p.name for p in parts),
        painted=tuple(k for k, p in enumerate(parts) if p.material.name == BODY),
        vertices=np.concatenate([p.vertices for p in parts]),
        faces=np.concatenate([p.faces + s for p, s in zip(parts, starts, strict=True)]),
    )


def recognised(
    parts: Sequence[str], faces: NDArray[np.int32], world: Points
) -> tuple[Shape | None, Placed | None]:
    """Return which prop is seen, and where it lies; None for what cannot be told.

    `parts` are the names of its model's parts; `faces` (k,) the triangles seen, `world` (k, 3) where.
    """
    if len(faces) < FEWEST:
        return None, None
    faces, world = thinned(faces, world)
    found = []
    for shape in shapes():
        if shape.parts == tuple(parts) and int(faces.max()) < len(shape.faces):
            placed = placed_as(shape, faces, world)
            found.append((placed.rms_m / placed.scale, shape, placed))
    found.sort(key=lambda f: f[0])
    if not found or not found[0][0] <= FITS:
        return None, None
    if len(found) > 1 and found[1][0] < CLEARER * max(found[0][0], FITS / CLEARER / 2):
        return None, None
    return found[0][1], found[0][2]


def thinned(faces: NDArray[np.int32], world: Points) -> tuple[NDArray[np.int32], Points]:
    """Return at most `POINTS_USED` of the points seen, evenly drawn."""
    stride = max(1, len(faces) // POINTS_USED)
    return faces[::stride], world[::stride]


def placed_as(shape: Shape, faces: NDArray[np.int32], world: Points) -> Placed:
    """Return how a prop must lie for its triangles to be where they are seen."""
    corners = shape.vertices[shape.faces[faces]]
    placed = _similar(corners.mean(axis=1), world)
    for _ in range(ROUNDS):
        placed = _similar(_nearest(corners, placed.own(world)), world)
    placed = _slid(corners, placed, world)
    left = placed.own(world) - _nearest(corners, placed.own(world))
    rms = placed.scale * float(np.sqrt((left**2).sum(axis=1).mean()))
    return Placed(placed.scale, placed.turn, placed.shift_m, rms)


def left_over(shape: Shape, placed: Placed, faces: NDArray[np.int32], world: Points) -> float:
    """Return how far, root mean square, points seen on triangles are from them where the prop lies."""
    corners = shape.vertices[shape.faces[faces]]
    own = placed.own(world)
    return placed.scale * float(np.sqrt(((own - _nearest(corners, own)) ** 2).sum(axis=1).mean()))


def _nearest(corners: Points, points: Points) -> Points:
    """Return about the nearest points of triangles (k, 3, 3): inside ones on the plane, others drawn in."""
    return np.asarray(np.einsum("kc,kcx->kx", barycentric(corners, points), corners))


def _similar(own: Points, world: Points) -> Placed:
    """Return turn, size and shift that best take own points to the world (Umeyama 1991)."""
    a, b = own - own.mean(axis=0), world - world.mean(axis=0)
    u, spread, vt = np.linalg.svd(a.T @ b)
    signs = np.array([1.0, 1.0, float(np.sign(np.linalg.det(u @ vt)))])
    turn = vt.T @ np.diag(signs) @ u.T
    scale = max(float((spread * signs).sum() / max(float((a**2).sum()), 1e-18)), 1e-6)
    return Placed(scale, turn, world.mean(axis=0) - scale * turn @ own.mean(axis=0), np.inf)


def _slid(corners: Points, placed: Placed, world: Points) -> Placed:
    """Return the placing improved by Gauss-Newton on the distances to the triangles' planes."""
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-18)
    for _ in range(ROUNDS):
        own = placed.own(world)
        off = ((own - corners[:, 0]) * normals).sum(axis=1)
        rows = np.column_stack([np.cross(own, normals), (own * normals).sum(axis=1), normals])
        step = np.linalg.solve(rows.T @ rows + 1e-9 * len(rows) * np.eye(7), -rows.T @ off)
        # own → own + w × own + s·own + t; the placing takes the inverse of that.
        turn, size = _rotation(step[:3]), float(np.exp(np.clip(step[3], -0.3, 0.3)))
        placed = Placed(
            placed.scale / size,
            placed.turn @ turn.T,
            placed.shift_m - placed.scale / size * placed.turn @ turn.T @ step[4:],
            np.inf,
        )
    return placed


def _rotation(w: Values) -> Points:
    """Return the turn about an axis by its length in radians (Rodrigues)."""
    angle = float(np.linalg.norm(w))
    x, y, z = w / max(angle, 1e-18)
    k = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.asarray(np.eye(3) + np.sin(angle) * k + (1 - np.cos(angle)) * k @ k)
