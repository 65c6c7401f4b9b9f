"""What the tests of bicycles and motorbikes measure on a model."""

from collections import Counter

import numpy as np
from numpy.typing import NDArray

from fathom.assets.model import Faces, Model, Points
from fathom.assets.shapes import Shell, volume


def points_of(model: Model, name: str, material: str | None = None) -> Points:
    """Return the (n, 3) vertices of a named part, of one material or of all."""
    chosen = [p.vertices for p in model.parts if p.name == name and material in (None, p.material.name)]
    assert chosen, f"{model.name} has no part {name}"
    return np.concatenate(chosen)


def welded(vertices: Points, faces: Faces) -> NDArray[np.int64]:
    """Return the faces with corners at one place given one index, collapsed ones dropped."""
    _, place = np.unique(np.round(vertices, 6), axis=0, return_inverse=True)
    f: NDArray[np.int64] = place.reshape(-1)[faces].astype(np.int64)
    kept: NDArray[np.int64] = f[(f[:, 0] != f[:, 1]) & (f[:, 1] != f[:, 2]) & (f[:, 2] != f[:, 0])]
    return kept


def open_edges(vertices: Points, faces: Faces) -> int:
    """Return how many edges lack a neighbour that runs the other way."""
    f = welded(vertices, faces)
    edges = Counter(map(tuple, np.concatenate([f[:, [0, 1]], f[:, [1, 2]], f[:, [2, 0]]]).tolist()))
    return sum(abs(n - edges.get((b, a), 0)) for (a, b), n in edges.items())


def is_solid(shell: Shell) -> bool:
    """Return whether a shell is closed and faces outwards."""
    return open_edges(*shell) == 0 and volume(shell) > 0


def seen(
    model: Model, azimuth_deg: float, elevation_deg: float = 30.0, across: int = 110
) -> dict[str, float]:
    """Return the share of the model's pixels that each material covers, seen from far away."""
    from trimesh import Trimesh
    from trimesh.ray.ray_pyembree import RayMeshIntersector

    offsets = np.cumsum([0, *(len(p.vertices) for p in model.parts)])
    faces = np.concatenate([p.faces + o for p, o in zip(model.parts, offsets, strict=False)])
    names = np.concatenate([np.full(len(p.faces), p.material.name) for p in model.parts])
    mesh = Trimesh(np.concatenate([p.vertices for p in model.parts]), faces, process=False)
    a, e = np.radians(azimuth_deg), np.radians(elevation_deg)
    towards = np.array([np.cos(a) * np.cos(e), np.sin(a) * np.cos(e), np.sin(e)])
    right = np.array([-np.sin(a), np.cos(a), 0.0])
    u, v = np.meshgrid(np.linspace(-0.6, 0.6, across), np.linspace(-0.6, 0.6, across))
    start = (
        u.reshape(-1, 1) * right + v.reshape(-1, 1) * np.cross(towards, right) + 3 * towards + [0, 0, 0.25]
    )
    hit = RayMeshIntersector(mesh).intersects_first(start, np.tile(-towards, (len(start), 1)))
    count = Counter(names[hit[hit >= 0]].tolist())
    return {name: n / count.total() for name, n in count.items()}


def offcentre(model: Model, name: str) -> float:
    """Return how far to the left the middle of a part's surface is, in metres."""
    t = np.concatenate([p.vertices[p.faces] for p in model.parts if p.name == name])
    size = np.linalg.norm(np.cross(t[:, 1] - t[:, 0], t[:, 2] - t[:, 0]), axis=1)
    return float(size @ t[..., 1].mean(axis=1) / size.sum())
