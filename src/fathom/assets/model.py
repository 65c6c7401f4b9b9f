"""What every model of an object is to the passes that draw it: parts with triangles and materials."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

Points = NDArray[np.float64]
Faces = NDArray[np.int32]
Rgb = tuple[float, float, float]

BODY = "body"
"""The name of the material that takes the body colour."""

SWINGING = "swinging"
"""How the names of parts begin that move against the rest of an object: its pose is that of the rest."""


@dataclass(frozen=True)
class Material:
    """A principled surface; colours are sRGB in 0..1, `texture` is (h, w, 3 or 4) sRGB in 0..255."""

    name: str
    color: Rgb = (0.8, 0.8, 0.8)
    metallic: float = 0.0
    roughness: float = 0.5
    clearcoat: float = 0.0
    emission: float = 0.0
    texture: NDArray[np.uint8] | None = field(default=None, compare=False)


@dataclass(frozen=True)
class Part:
    """A named piece of a model: one material, triangles in the object's frame.

    vertices : (n, 3) metres, x forward, y left, z up, origin at the centre of the footprint on the ground
    faces : (m, 3) vertex indices, counter-clockwise seen from outside
    normals : (n, 3) unit vectors for smooth shading, or None for flat shading
    uv : (n, 2) texture coordinates, v upwards, or None
    vertex_colors : (n, 3) sRGB in 0..1, or None
    """

    name: str
    vertices: Points
    faces: Faces
    material: Material
    normals: Points | None = None
    uv: Points | None = None
    vertex_colors: Points | None = None


@dataclass(frozen=True)
class Model:
    """A model at its unit size: the longer side of its footprint is as long as the library says."""

    name: str
    category: str
    subtype: str
    parts: tuple[Part, ...]

    @property
    def triangles(self) -> int:
        """The number of triangles of all parts."""
        return sum(len(p.faces) for p in self.parts)

    @property
    def extents(self) -> tuple[float, float, float]:
        """Length (x), width (y) and height (z) of the bounding box, in metres."""
        points = np.concatenate([p.vertices for p in self.parts])
        span = points.max(axis=0) - points.min(axis=0)
        return (float(span[0]), float(span[1]), float(span[2]))


def mirrored_model(model: Model) -> Model:
    """Return the model with left and right exchanged (y negated), still wound outwards."""
    across = np.array([1.0, -1.0, 1.0])
    parts = (
        replace(
            p,
            vertices=p.vertices * across,
            faces=np.ascontiguousarray(p.faces[:, ::-1]),
            normals=None if p.normals is None else p.normals * across,
        )
        for p in model.parts
    )
    return replace(model, parts=tuple(parts))


def scaled(model: Model, factor: float) -> Model:
    """Return the model, uniformly larger by `factor`."""
    return replace(model, parts=tuple(replace(p, vertices=p.vertices * factor) for p in model.parts))


def stretched(model: Model, factors: Sequence[float] | Points) -> Model:
    """Return the model larger by a factor along each axis, (3,); normals stay upright on its surface."""
    f = np.asarray(factors, dtype=np.float64)
    return replace(model, parts=tuple(_stretched(p, f) for p in model.parts))


def _stretched(piece: Part, factors: Points) -> Part:
    normals = piece.normals
    if normals is not None:
        normals = normals / factors
        normals = normals / np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-12)
    return replace(piece, vertices=piece.vertices * factors, normals=normals)


def stretched_to(model: Model, size_m: Sequence[float]) -> Model:
    """Return the model, standing, with exactly these extents, metres."""
    return stretched(model, np.asarray(size_m, dtype=np.float64) / model.extents)


def painted(model: Model, color: Rgb) -> Model:
    """Return the model with its body material in another colour (sRGB in 0..1)."""
    return replace(
        model,
        parts=tuple(
            replace(p, material=replace(p.material, color=color)) if p.material.name == BODY else p
            for p in model.parts
        ),
    )


def standing(model: Model, longest_m: float) -> Model:
    """Return the model centred over the origin, on the ground, its longer footprint side `longest_m`."""
    points = np.concatenate([p.vertices for p in model.parts])
    low, high = points.min(axis=0), points.max(axis=0)
    shift = np.array([(low[0] + high[0]) / 2, (low[1] + high[1]) / 2, low[2]])
    factor = longest_m / max(high[0] - low[0], high[1] - low[1])
    moved = tuple(replace(p, vertices=(p.vertices - shift) * factor) for p in model.parts)
    return replace(model, parts=moved)


def fingerprint(model: Model) -> str:
    """Return the SHA-256 of the model's shape, rounded to a micrometre, and of its material names."""
    h = hashlib.sha256()
    for p in model.parts:
        h.update(f"{p.name}:{p.material.name}:".encode())
        h.update(np.round(p.vertices * 1e6).astype("<i8").tobytes())
        h.update(p.faces.astype("<i4").tobytes())
    return h.hexdigest()
