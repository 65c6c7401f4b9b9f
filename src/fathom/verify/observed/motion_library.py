"""What is known of an actor whatever film it is in: its clips, its limbs, and how it can be posed.

It is to the second derivation of films what a field guide is to somebody who watches animals: what is seen is
looked up in it. It does not say what is done in any film.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from fathom.assets.model import Faces, Points


@dataclass(frozen=True)
class MotionClip:
    """A clip: its verb, "" where nobody has said, and from when to when in its own time something moves."""

    name: str
    verb: str
    start_s: float
    end_s: float
    loops: bool


@dataclass(frozen=True, eq=False)
class MotionLibrary:
    """An actor as its model is, edits included.

    limbs, limb_of_vertex : names, and (n,) for each vertex which one it belongs to; -1 for none
    faces : (m, 3) the triangles of all parts, one part after the other
    stance_m : (n, 3) the vertices that rest positions of the truth belong to, in the actor's own frame
    posed : returns (n, 3), the vertices at a time of a clip, in the same frame
    mixed : returns the same for a share of the way from a time of one clip to a time of another
    parts, part_of_face : names, and (m,) for each triangle which one it belongs to
    """

    routines: tuple[MotionClip, ...]
    limbs: tuple[str, ...]
    limb_of_vertex: NDArray[np.int64]
    faces: Faces
    stance_m: Points
    posed: Callable[[str, float], Points]
    mixed: Callable[[str, float, str, float, float], Points]
    parts: tuple[str, ...]
    part_of_face: NDArray[np.int64]

    @cached_property
    def size_m(self) -> float:
        """The longest side of the actor in its stance."""
        used = self.stance_m[np.unique(self.faces)]
        return float((used.max(axis=0) - used.min(axis=0)).max())

    @cached_property
    def limb_of_face(self) -> NDArray[np.int64]:
        """(m,) the limb that two corners of a triangle belong to at least, else that of its first one."""
        a, b, c = self.limb_of_vertex[self.faces].T
        return np.asarray(np.where(b == c, b, a))

    @cached_property
    def limb_weights(self) -> tuple[NDArray[np.float64], ...]:
        """For each limb the (n,) shares of the vertices in the middle of its surface; 0 where it has none."""
        corners = self.stance_m[self.faces]
        cross = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
        area = np.linalg.norm(cross, axis=1)
        out = []
        for limb in range(len(self.limbs)):
            own = np.flatnonzero(self.limb_of_face == limb)
            weights = np.zeros(len(self.stance_m))
            np.add.at(weights, self.faces[own].ravel(), np.repeat(area[own], 3))
            out.append(weights / max(float(weights.sum()), 1e-12))
        return tuple(out)

    def weights_of(self, faces: NDArray[np.int32], rest_m: Points) -> NDArray[np.float64]:
        """Return (k, 3) how much of each corner there is in points at rest on the triangles `faces`."""
        return barycentric(self.stance_m[self.faces[faces]], rest_m)


def barycentric(corners: Points, points: Points) -> NDArray[np.float64]:
    """Return (k, 3) weights of the corners (k, 3, 3) for the points (k, 3); outside ones are drawn in."""
    a, u, v = corners[:, 0], corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    p = points - a
    uu, uv, vv = (u * u).sum(1), (u * v).sum(1), (v * v).sum(1)
    pu, pv = (p * u).sum(1), (p * v).sum(1)
    det = np.maximum(uu * vv - uv * uv, 1e-18)
    second, third = (vv * pu - uv * pv) / det, (uu * pv - uv * pu) / det
    weights = np.clip(np.stack([1 - second - third, second, third], axis=1), 0.0, None)
    return np.asarray(weights / np.maximum(weights.sum(axis=1, keepdims=True), 1e-12))
