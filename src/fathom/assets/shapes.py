"""Shells to make models from: boxes, lofts, extrusions, tubes and lathes.

A shell is (vertices, faces): (n, 3) float metres and (m, 3) int indices, counter-clockwise from outside.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from fathom.assets.model import Faces, Material, Part, Points

Shell = tuple[Points, Faces]


def merged(*shells: Shell) -> Shell:
    """Return one shell that holds all of them."""
    vertices, faces, offset = [], [], 0
    for v, f in shells:
        vertices.append(v)
        faces.append(f + offset)
        offset += len(v)
    return np.concatenate(vertices), np.concatenate(faces).astype(np.int32)


def moved(shell: Shell, by: ArrayLike) -> Shell:
    """Return the shell shifted by (3,) metres."""
    return shell[0] + np.asarray(by, dtype=np.float64), shell[1]


def turned(shell: Shell, axis: str, angle_rad: float, about: ArrayLike = (0.0, 0.0, 0.0)) -> Shell:
    """Return the shell turned about the axis "x", "y" or "z" through the point `about`."""
    c, s = math.cos(angle_rad), math.sin(angle_rad)
    i = "xyz".index(axis)
    m = np.eye(3)
    a, b = (i + 1) % 3, (i + 2) % 3
    m[a, a], m[a, b], m[b, a], m[b, b] = c, -s, s, c
    origin = np.asarray(about, dtype=np.float64)
    return (shell[0] - origin) @ m.T + origin, shell[1]


def stretched(shell: Shell, factors: ArrayLike) -> Shell:
    """Return the shell scaled along x, y and z by three positive factors."""
    return shell[0] * np.asarray(factors, dtype=np.float64), shell[1]


def mirrored(shell: Shell) -> Shell:
    """Return the shell on the other side (y negated), still wound outwards."""
    return shell[0] * np.array([1.0, -1.0, 1.0]), np.ascontiguousarray(shell[1][:, ::-1])


def loft(sections: ArrayLike, caps: bool = True) -> Shell:
    """Return the skin over rings: `sections` is (k, n, 3), each ring wound the same way, k ≥ 2.

    Rings run counter-clockwise seen from the end that the sections start from looking back at it; where
    they run the other way the shell is turned inside out, so that it always faces outwards.
    """
    rings = np.asarray(sections, dtype=np.float64)
    k, n, _ = rings.shape
    vertices = rings.reshape(-1, 3)
    i, j = np.meshgrid(np.arange(k - 1), np.arange(n), indexing="ij")
    a, b = i * n + j, i * n + (j + 1) % n
    c, d = a + n, b + n
    faces = [np.stack([a, b, d], -1).reshape(-1, 3), np.stack([a, d, c], -1).reshape(-1, 3)]
    if caps:
        centres = np.stack([rings[0].mean(axis=0), rings[-1].mean(axis=0)])
        vertices = np.concatenate([vertices, centres])
        j1 = np.arange(n)
        j2 = (j1 + 1) % n
        first = np.full(n, k * n)
        faces.append(np.stack([first, j2, j1], -1))
        last, base = np.full(n, k * n + 1), (k - 1) * n
        faces.append(np.stack([last, base + j1, base + j2], -1))
    shell = vertices, np.concatenate(faces).astype(np.int32)
    return shell if not caps or volume(shell) >= 0 else inside_out(shell)


def volume(shell: Shell) -> float:
    """Return the signed volume in cubic metres; negative where the faces look inwards."""
    t = shell[0][shell[1]]
    return float(np.einsum("ij,ij->i", t[:, 0], np.cross(t[:, 1], t[:, 2])).sum() / 6)


def inside_out(shell: Shell) -> Shell:
    """Return the shell with its faces wound the other way."""
    return shell[0], np.ascontiguousarray(shell[1][:, ::-1])


def extrude(outline: ArrayLike, low: float, high: float, plane: str = "xz") -> Shell:
    """Return the solid over a simple (n, 2) outline between two coordinates along the third axis.

    `plane` names the axes of the outline: "xz" (a side view, extruded along y), "xy" (a plan, along z) or
    "yz" (a front view, along x).
    """
    import manifold3d

    points = np.asarray(outline, dtype=np.float64)
    area = float(np.sum(points[:, 0] * np.roll(points[:, 1], -1) - np.roll(points[:, 0], -1) * points[:, 1]))
    points = points if area > 0 else points[::-1]
    caps = np.asarray(manifold3d.triangulate([np.ascontiguousarray(points)]), dtype=np.int32)
    n = len(points)
    u, v = ("xyz".index(plane[0]), "xyz".index(plane[1]))
    w = 3 - u - v
    vertices = np.zeros((2 * n, 3))
    vertices[:n, u] = vertices[n:, u] = points[:, 0]
    vertices[:n, v] = vertices[n:, v] = points[:, 1]
    vertices[:n, w], vertices[n:, w] = low, high
    j1 = np.arange(n)
    j2 = (j1 + 1) % n
    sides = np.concatenate([np.stack([j1, j2, n + j2], -1), np.stack([j1, n + j2, n + j1], -1)])
    faces = np.concatenate([caps[:, ::-1], caps + n, sides]).astype(np.int32)
    shell = vertices, faces
    return shell if volume(shell) >= 0 else inside_out(shell)


def box(centre: ArrayLike, size: ArrayLike, bevel: float = 0.0) -> Shell:
    """Return a box of (3,) size, its edges cut at 45° by `bevel` metres where that is positive."""
    half = np.asarray(size, dtype=np.float64) / 2
    b = min(bevel, float(half.min()) * 0.999)

    def ring(x: float, inset: float) -> Points:
        y, z = half[1] - inset, half[2] - inset
        if b <= 0:
            corners = [(y, z), (-y, z), (-y, -z), (y, -z)]
        else:
            corners = [
                (y, z - b), (y - b, z), (-y + b, z), (-y, z - b),
                (-y, -z + b), (-y + b, -z), (y - b, -z), (y, -z + b),
            ]  # fmt: skip
        return np.array([(x, p, q) for p, q in corners])

    if b <= 0:
        sections = np.stack([ring(-half[0], 0), ring(half[0], 0)])
    else:
        xs = [(-half[0], b), (-half[0] + b, 0.0), (half[0] - b, 0.0), (half[0], b)]
        full = [ring(x, 0.0) for x, _ in xs]
        scale = [(1 - i / half[1], 1 - i / half[2]) for _, i in xs]
        sections = np.stack([r * np.array([1.0, sy, sz]) for r, (sy, sz) in zip(full, scale, strict=True)])
    return moved(loft(sections), centre)


def tube(path: ArrayLike, radius: float | Sequence[float], sides: int = 8, closed: bool = False) -> Shell:
    """Return a round tube along (k, 3) points, of one radius or one a point; no twist along the way."""
    points = np.asarray(path, dtype=np.float64)
    radii = np.broadcast_to(np.asarray(radius, dtype=np.float64), (len(points),))
    if closed:
        tangents = np.roll(points, -1, axis=0) - np.roll(points, 1, axis=0)
    else:
        tangents = np.gradient(points, axis=0)
    tangents /= np.linalg.norm(tangents, axis=1, keepdims=True)
    seed = np.eye(3)[int(np.argmin(np.abs(tangents[0])))]
    normal = np.cross(tangents[0], seed)
    angle = np.linspace(0, 2 * math.pi, sides, endpoint=False)
    rings = []
    for p, t, r in zip(points, tangents, radii, strict=True):
        normal = normal - t * float(normal @ t)
        normal /= np.linalg.norm(normal)
        side = np.cross(t, normal)
        rings.append(p + r * (np.cos(angle)[:, None] * normal + np.sin(angle)[:, None] * side))
    if closed:
        rings.append(rings[0])
    return loft(np.stack(rings), caps=not closed)


def lathe(profile: ArrayLike, axis: str = "y", sides: int = 24, centre: ArrayLike = (0.0, 0.0, 0.0)) -> Shell:
    """Return the solid of revolution of a (k, 2) profile (radius, position along `axis`).

    A profile that starts and ends at radius 0 is closed; otherwise it is capped flat. A closed loop (first
    point repeated at the end) makes a ring, such as a tyre.
    """
    p = np.asarray(profile, dtype=np.float64)
    angle = np.linspace(0, 2 * math.pi, sides, endpoint=False)
    i = "xyz".index(axis)
    rings = np.zeros((len(p), sides, 3))
    rings[:, :, i] = p[:, 1][:, None]
    rings[:, :, (i + 1) % 3] = p[:, 0][:, None] * np.cos(angle)
    rings[:, :, (i + 2) % 3] = p[:, 0][:, None] * np.sin(angle)
    loop = bool(np.allclose(p[0], p[-1]))
    shell = loft(rings, caps=not loop)
    if loop and volume(shell) < 0:
        shell = inside_out(shell)
    return moved(shell, centre)


def ellipsoid(centre: ArrayLike, radii: ArrayLike, sides: int = 16, rings: int = 9) -> Shell:
    """Return an ellipsoid with its poles along x."""
    t = np.linspace(0, math.pi, rings)
    unit = lathe(np.column_stack([np.sin(t).clip(1e-4), -np.cos(t)]), "x", sides)
    return moved(stretched(unit, radii), centre)


def cut(shell: Shell, *tools: Shell) -> Shell:
    """Return the shell less the tools; all must be closed solids."""
    import manifold3d

    def solid(s: Shell) -> manifold3d.Manifold:
        v, inverse = np.unique(np.round(s[0], 7), axis=0, return_inverse=True)
        f = inverse.reshape(-1)[s[1]]
        f = f[(f[:, 0] != f[:, 1]) & (f[:, 1] != f[:, 2]) & (f[:, 2] != f[:, 0])]
        mesh = manifold3d.Mesh(vert_properties=v.astype(np.float32), tri_verts=f.astype(np.uint32))
        return manifold3d.Manifold(mesh)

    result = solid(shell)
    for tool in tools:
        result = result - solid(tool)
    mesh = result.to_mesh()
    return np.asarray(mesh.vert_properties, dtype=np.float64), np.asarray(mesh.tri_verts, dtype=np.int32)


def part(name: str, shell: Shell, material: Material, crease_deg: float = 35.0) -> Part:
    """Return a named part with normals that are smooth except over edges sharper than `crease_deg`.

    Degenerate triangles are dropped.
    """
    vertices, faces = shell
    corners = vertices[faces]
    cross = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    area = np.linalg.norm(cross, axis=1)
    keep = area > 1e-12
    faces, cross, area = faces[keep], cross[keep], area[keep]
    unit = cross / area[:, None]
    normals = _shared_normals(vertices, faces, unit, area, math.cos(math.radians(crease_deg)))
    flat = vertices[faces].reshape(-1, 3)
    # Minus zero becomes zero: they count as equal, and which of the two a sort leaves first is not told.
    rows = np.round(np.concatenate([flat, normals], axis=1), 6) + 0.0
    packed, index = np.unique(rows, axis=0, return_inverse=True)
    return Part(
        name=name,
        vertices=np.ascontiguousarray(packed[:, :3]),
        faces=np.ascontiguousarray(index.reshape(-1, 3).astype(np.int32)),
        material=material,
        normals=np.ascontiguousarray(packed[:, 3:]),
    )


def _shared_normals(vertices: Points, faces: Faces, unit: Points, area: Points, limit: float) -> Points:
    """Return the (3 m, 3) normals of all corners, those of one face together.

    Corners at one position whose faces turn by less than the crease share the mean of the faces' normals,
    weighted by area. `unit` (m, 3) and `area` (m,) are the faces' own, `limit` the crease's cosine.
    """
    _, place = np.unique(np.round(vertices, 6), axis=0, return_inverse=True)
    corner_place = place.reshape(-1)[faces].reshape(-1)
    corner_face = np.repeat(np.arange(len(faces)), 3)
    order = np.argsort(corner_place, kind="stable")
    starts = np.flatnonzero(np.r_[True, np.diff(corner_place[order]) > 0])
    counts = np.diff(np.r_[starts, len(order)])
    normals = np.empty((len(order), 3))
    for count in np.unique(counts):  # all positions with as many corners at once
        ids = order[starts[counts == count][:, None] + np.arange(count)]
        own = unit[corner_face[ids]]
        alike = np.einsum("gik,gjk->gij", own, own) >= limit
        total = np.einsum("gij,gjk->gik", alike, own * area[corner_face[ids]][..., None])
        normals[ids] = total / np.maximum(np.linalg.norm(total, axis=-1, keepdims=True), 1e-15)
    return normals
