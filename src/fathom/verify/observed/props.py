"""Which of the built-in props something is, and where it stands, from the triangles that are seen of it.

A prop is what it is taken for if, moved and sized as a whole, its triangles lie where they are seen.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache

import numpy as np
from numpy.typing import NDArray

from fathom.assets.model import BODY, Faces, Points
from fathom.assets.props.catalogue import PROPS, prop_model
from fathom.verify.observed.upright import Values

FEWEST = 24
"""From fewer surface points nothing is told."""

FITS = 0.01
"""What a prop may leave over, as a share of its size."""

CLEARER = 3.0
"""By how many times less than any other prop it must leave over."""

ROUNDS = 8
STEPS, DAMPING, EXACT = 24, 1e-6, 1e-4
"""How often a placing is improved, how much its steps are held back at first, and what is good enough."""

YAWS = tuple(np.linspace(0, 2 * np.pi, 12, endpoint=False))

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
class PropShape:
    """A prop as the shelf has it: parts' names, which of them take its colour, vertices and triangles."""

    name: str
    parts: tuple[str, ...]
    painted: tuple[int, ...]
    vertices: Points
    faces: Faces


@cache
def shapes() -> tuple[PropShape, ...]:
    """Return all props of the shelf."""
    return tuple(_shape(name) for name in PROPS)


@cache
def _shape(name: str) -> PropShape:
    parts = prop_model(name).parts
    starts = np.cumsum([0] + [len(p.vertices) for p in parts])[:-1]
    return PropShape(
        name=name,
        parts=tuple(p.name for p in parts),
        painted=tuple(k for k, p in enumerate(parts) if p.material.name == BODY),
        vertices=np.concatenate([p.vertices for p in parts]),
        faces=np.concatenate([p.faces + s for p, s in zip(parts, starts, strict=True)]),
    )


def recognised(
    parts: Sequence[str], faces: NDArray[np.int32], world: Points
) -> tuple[PropShape | None, Placed | None]:
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


def placed_as(shape: PropShape, faces: NDArray[np.int32], world: Points) -> Placed:
    """Return how a prop must lie for its triangles to be where they are seen."""
    corners = shape.vertices[shape.faces[faces]]
    placed = _settled(corners, _similar(corners.mean(axis=1), world), world)
    if placed.rms_m <= FITS * placed.scale:
        return placed
    # Few large triangles, of one side only: their middles mislead. Then it is tried standing, any way round.
    every = [_settled(corners, _standing(corners.mean(axis=1), world, yaw), world) for yaw in YAWS]
    return min([placed, *every], key=lambda p: p.rms_m / p.scale)


def _settled(corners: Points, placed: Placed, world: Points) -> Placed:
    """Return the placing that is arrived at from a first one, and what it leaves over."""
    for _ in range(ROUNDS):
        placed = _similar(nearest_on(corners, placed.own(world)), world)
    return _slid(corners, placed, world)


def _standing(own: Points, world: Points, yaw: float) -> Placed:
    """Return a first placing of something upright that faces one way."""
    turn = _rotation(np.array([0.0, 0.0, yaw]))
    a, b = (own - own.mean(axis=0)) @ turn.T, world - world.mean(axis=0)
    scale = max(float(np.sqrt((b**2).sum() / max(float((a**2).sum()), 1e-18))), 1e-6)
    return Placed(scale, turn, world.mean(axis=0) - scale * turn @ own.mean(axis=0), np.inf)


def left_over(shape: PropShape, placed: Placed, faces: NDArray[np.int32], world: Points) -> float:
    """Return how far, root mean square, points seen on triangles are from them where the prop lies."""
    return _off(shape.vertices[shape.faces[faces]], placed, world)


def _off(corners: Points, placed: Placed, world: Points) -> float:
    own = placed.own(world)
    return placed.scale * float(np.sqrt(((own - nearest_on(corners, own)) ** 2).sum(axis=1).mean()))


def nearest_on(corners: Points, points: Points) -> Points:
    """Return the nearest points of triangles (k, 3, 3): straight below on the plane, else on an edge."""
    sides = np.roll(corners, -1, axis=1) - corners
    along = ((points[:, None] - corners) * sides).sum(axis=-1) / np.maximum((sides**2).sum(axis=-1), 1e-18)
    edges = corners + np.clip(along, 0.0, 1.0)[..., None] * sides
    best = np.argmin(((edges - points[:, None]) ** 2).sum(axis=-1), axis=1)
    normals = np.cross(sides[:, 0], sides[:, 1])
    normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-18)
    height = ((points - corners[:, 0]) * normals).sum(axis=1, keepdims=True)
    outward = np.cross(sides, normals[:, None])
    inside = (((points[:, None] - corners) * outward).sum(axis=-1) <= 0).all(axis=1)
    edge = np.take_along_axis(edges, best[:, None, None], axis=1)[:, 0]
    return np.asarray(np.where(inside[:, None], points - height * normals, edge))


def _similar(own: Points, world: Points) -> Placed:
    """Return turn, size and shift that best take own points to the world (Umeyama 1991)."""
    a, b = own - own.mean(axis=0), world - world.mean(axis=0)
    u, spread, vt = np.linalg.svd(a.T @ b)
    signs = np.array([1.0, 1.0, float(np.sign(np.linalg.det(u @ vt)))])
    turn = vt.T @ np.diag(signs) @ u.T
    scale = max(float((spread * signs).sum() / max(float((a**2).sum()), 1e-18)), 1e-6)
    return Placed(scale, turn, world.mean(axis=0) - scale * turn @ own.mean(axis=0), np.inf)


def _slid(corners: Points, placed: Placed, world: Points) -> Placed:
    """Return the placing improved by Levenberg's steps on the distances to the triangles: to their planes,
    and where a point is beside its triangle, to the nearest point of it.
    """
    best = replace(placed, rms_m=_off(corners, placed, world))
    damping = DAMPING
    for _ in range(STEPS):
        if best.rms_m <= EXACT * best.scale:
            break
        tried = _step(corners, best, world, damping)
        # As a share of its size, or it would shrink into a point.
        better = tried.rms_m / tried.scale < best.rms_m / best.scale
        damping = damping / 10 if better else damping * 10
        best = tried if better else best
    return best


def _step(corners: Points, placed: Placed, world: Points, damping: float) -> Placed:
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-18)
    own = placed.own(world)
    away = own - nearest_on(corners, own)
    far = np.linalg.norm(away, axis=1, keepdims=True)
    beside = np.abs((away * normals).sum(axis=1, keepdims=True)) < 0.99 * far
    way = np.where(beside, away / np.maximum(far, 1e-18), normals)
    off = (away * way).sum(axis=1)
    rows = np.column_stack([np.cross(own, way), (own * way).sum(axis=1), way])
    step = np.linalg.solve(rows.T @ rows + damping * len(rows) * np.eye(7), -rows.T @ off)
    # own → own + w × own + s·own + t; the placing takes the inverse of that.
    turn, size = _rotation(step[:3]), float(np.exp(np.clip(step[3], -0.3, 0.3)))
    scale = placed.scale / size
    moved = Placed(
        scale, placed.turn @ turn.T, placed.shift_m - scale * placed.turn @ turn.T @ step[4:], np.inf
    )
    return replace(moved, rms_m=_off(corners, moved, world))


def _rotation(w: Values) -> Points:
    """Return the turn about an axis by its length in radians (Rodrigues)."""
    angle = float(np.linalg.norm(w))
    x, y, z = w / max(angle, 1e-18)
    k = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.asarray(np.eye(3) + np.sin(angle) * k + (1 - np.cos(angle)) * k @ k)
