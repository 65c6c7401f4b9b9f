"""Bodies in one watertight piece, on which windows are sunk, panels raised, joints scored and arches bored.

A body is a closed solid. Each step cuts with, or adds, a prism over an outline drawn in one of five views,
shaped by the bare surface moved along its normals, so that glass and lamps follow the curve of the body
exactly. The solid remembers which faces came from which step, and so which part and material they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import manifold3d as m3
import numpy as np
from numpy.typing import ArrayLike, NDArray

from fathom.assets.model import Faces, Material, Part, Points
from fathom.assets.shapes import Shell, part

FAR = 30.0
"""Further out than any body reaches, metres."""

SMALLEST = 0.003
"""Vertices that shape the surface by less than this, in metres, are left out of the finished parts."""

VIEWS: dict[str, tuple[tuple[int, int], int, int]] = {
    "left": ((0, 2), 1, 1),
    "right": ((0, 2), 1, -1),
    "front": ((1, 2), 0, 1),
    "back": ((1, 2), 0, -1),
    "top": ((0, 1), 2, 1),
}
"""View → the axes of an outline drawn in it, the axis along which one looks, and the side one looks from.

Besides these there is "side", for the same on the left and on the right; `{side}` in a name is then replaced.
"""

Outline = Any
"""A plane region (a manifold3d cross-section), in metres along the two axes of its view."""

Tag = tuple[str, Material]


@dataclass(frozen=True)
class Skin:
    """The bare surface of a body, ready to be moved along its normals.

    vertices, faces, normals : as in a part, so that sharp edges keep two normals
    outward : (n, 3) unit vectors, one a place, along which the surface moves
    """

    vertices: Points
    faces: Faces
    normals: Points
    outward: Points


@dataclass(frozen=True)
class Body:
    """A solid in the making.

    solid : the manifold so far; its vertex properties 3–5 are unit normals
    skin : the bare surface that panels and pockets follow
    tags : where faces came from → the part's name and material
    areas : name, view, outline and innermost coordinate of areas of the bare surface that are parts
    """

    solid: Any
    skin: Skin
    tags: dict[int, Tag]
    areas: tuple[tuple[str, str, Outline, float], ...] = ()


def outline(points: ArrayLike, round_m: float = 0.0) -> Outline:
    """Return the region inside a polygon (n, 2), its convex corners rounded to a radius."""
    p = np.asarray(points, dtype=np.float64)
    area = float(np.sum(p[:, 0] * np.roll(p[:, 1], -1) - np.roll(p[:, 0], -1) * p[:, 1]))
    region = m3.CrossSection([np.ascontiguousarray(p if area > 0 else p[::-1])])
    return rounded(region, round_m)


def rectangle(low: Sequence[float], high: Sequence[float], round_m: float = 0.0) -> Outline:
    """Return the region between two opposite corners."""
    return outline([low, (high[0], low[1]), high, (low[0], high[1])], round_m)


def disc(centre: Sequence[float], radius: float, sides: int = 32) -> Outline:
    """Return the region inside a circle."""
    return m3.CrossSection.circle(radius, sides).translate((centre[0], centre[1]))


def rounded(region: Outline, round_m: float) -> Outline:
    """Return the region with its convex corners rounded to a radius."""
    return region if round_m <= 0 else grown(grown(region, -round_m, sharp=True), round_m)


def grown(region: Outline, by_m: float, sharp: bool = False) -> Outline:
    """Return the region widened all round, or narrowed where `by_m` is negative."""
    join = m3.JoinType.Miter if sharp else m3.JoinType.Round
    return region.offset(by_m, join, 4.0, 12)


def rim(region: Outline, width_m: float) -> Outline:
    """Return the band of a width that runs along the edge of the region, half within it."""
    return grown(region, width_m / 2) - grown(region, -width_m / 2)


def mirror_image(region: Outline) -> Outline:
    """Return the region with its first coordinate negated."""
    return region.mirror((1.0, 0.0))


def smooth_normals(shell: Shell) -> Points:
    """Return (n, 3) unit normals: the mean over the faces that meet at a place, weighted by their angles."""
    v, f = shell
    _, place = np.unique(np.round(v, 6), axis=0, return_inverse=True)
    place = place.reshape(-1)
    t = v[f]
    cross = np.cross(t[:, 1] - t[:, 0], t[:, 2] - t[:, 0])
    unit = cross / np.maximum(np.linalg.norm(cross, axis=1, keepdims=True), 1e-15)
    total = np.zeros((place.max() + 1, 3))
    for k in range(3):
        a, c = t[:, (k + 1) % 3] - t[:, k], t[:, (k + 2) % 3] - t[:, k]
        length = np.linalg.norm(a, axis=1) * np.linalg.norm(c, axis=1)
        angle = np.arccos(np.clip(np.einsum("ij,ij->i", a, c) / np.maximum(length, 1e-15), -1, 1))
        np.add.at(total, place[f[:, k]], unit * angle[:, None])
    total /= np.maximum(np.linalg.norm(total, axis=1, keepdims=True), 1e-15)
    return np.asarray(total[place])


def _skin(shell: Shell, name: str, material: Material, crease_deg: float = 35.0) -> Skin:
    p = part(name, shell, material, crease_deg)
    assert p.normals is not None
    return Skin(p.vertices, p.faces, p.normals, smooth_normals((p.vertices, p.faces)))


def _solid(skin: Skin, by_m: float = 0.0) -> tuple[Any, int]:
    """Return the skin, moved outwards, as a manifold with normals, and the number its faces are known by."""
    number = m3.Manifold.reserve_ids(1)
    moved = skin.vertices + skin.outward * by_m
    mesh = m3.Mesh(
        vert_properties=np.concatenate([moved, skin.normals], axis=1).astype(np.float32),
        tri_verts=skin.faces.astype(np.uint32),
        run_index=np.array([0, 3 * len(skin.faces)], dtype=np.uint32),
        run_original_id=np.array([number], dtype=np.uint32),
    )
    mesh.merge()
    made = m3.Manifold(mesh)
    if made.status() != m3.Error.NoError:
        raise ValueError(f"the shell is not a closed solid: {made.status()}")
    return made, number


def solid_of(shell: Shell, tag: Tag, crease_deg: float = 35.0) -> tuple[Any, int]:
    """Return the shell as a manifold that carries its normals, and the number its faces are known by."""
    return _solid(_skin(shell, *tag, crease_deg))


def body(shell: Shell, material: Material, name: str = "body") -> Body:
    """Return a body with nothing on it yet."""
    skin = _skin(shell, name, material)
    solid, number = _solid(skin)
    return Body(solid, skin, {number: (name, material)})


def union(*shells: Shell) -> Shell:
    """Return the skin of closed solids taken together."""
    total, *others = (m3.Manifold(_plain_mesh(s)) for s in shells)
    for s in others:
        total = total + s
    mesh = total.to_mesh()
    return np.asarray(mesh.vert_properties, dtype=np.float64), np.asarray(mesh.tri_verts, dtype=np.int32)


def _plain_mesh(shell: Shell) -> Any:
    v, inverse = np.unique(np.round(shell[0], 6), axis=0, return_inverse=True)
    f = inverse.reshape(-1)[shell[1]]
    f = f[(f[:, 0] != f[:, 1]) & (f[:, 1] != f[:, 2]) & (f[:, 2] != f[:, 0])]
    return m3.Mesh(vert_properties=v.astype(np.float32), tri_verts=f.astype(np.uint32))


def prism(region: Outline, view: str, start: float, end: float = FAR) -> tuple[Any, int]:
    """Return the solid over a region between two distances from the origin, and the number of its faces."""
    (u, v), axis, side = VIEWS[view]
    made = m3.Manifold.extrude(region, end - start)
    number = made.original_id()
    m = np.zeros((3, 4))
    m[u, 0] = m[v, 1] = 1.0
    m[axis, 2], m[axis, 3] = side, side * start
    return made.transform(m), number


def _sides(view: str, tag: Tag) -> list[tuple[str, Tag]]:
    if view != "side":
        return [(view, tag)]
    return [(v, (tag[0].format(side=v), tag[1])) for v in ("left", "right")]


def sunk(
    b: Body,
    view: str,
    region: Outline,
    depth_m: float,
    tag: Tag,
    start: float = 0.0,
    edge: Material | None = None,
) -> Body:
    """Return the body with the region of its surface lowered, and given a name and a material.

    The walls around it are of the material `edge`, where one is given.
    """
    for v, own in _sides(view, tag):
        floor, number = _solid(b.skin, -depth_m)
        wall, edges = prism(region, v, start)
        tags = {**b.tags, number: own, edges: (own[0], edge or own[1])}
        b = replace(b, solid=b.solid - (wall - floor), tags=tags)
    return b


def raised(b: Body, view: str, region: Outline, height_m: float, tag: Tag, start: float = 0.0) -> Body:
    """Return the body with the region of its surface lifted, and given a name and a material.

    A negative height fills a pocket up to below the bare surface.
    """
    for v, own in _sides(view, tag):
        top, number = _solid(b.skin, height_m)
        wall, edges = prism(region, v, start)
        tags = {**b.tags, number: own, edges: own}
        b = replace(b, solid=b.solid + (wall ^ top), tags=tags)
    return b


def bored(b: Body, shell: Shell, tag: Tag) -> Body:
    """Return the body less a closed solid; the walls of the hole get the name and the material."""
    tool, number = solid_of(shell, tag)
    return replace(b, solid=b.solid - tool, tags={**b.tags, number: tag})


def joined(b: Body, shell: Shell, tag: Tag, crease_deg: float = 35.0) -> Body:
    """Return the body and a closed solid as one; what stands out gets the name and the material."""
    extra, number = solid_of(shell, tag, crease_deg)
    return replace(b, solid=b.solid + extra, tags={**b.tags, number: tag})


def scored(
    b: Body, view: str, region: Outline, name: str, tag: Tag, width_m: float = 0.016, start: float = 0.0
) -> Body:
    """Return the body with a joint scored along the edge of a region, which becomes a part called `name`."""
    lined = sunk(b, view, rim(region, width_m), 0.009, tag, start)
    areas = [(named, v, region, start) for v, (named, _) in _sides(view, (name, tag[1]))]
    return replace(lined, areas=(*lined.areas, *areas))


def parts_of(b: Body) -> tuple[Part, ...]:
    """Return the body's faces as parts, one for each name and material."""
    mesh = b.solid.simplify(SMALLEST).to_mesh()
    properties = np.asarray(mesh.vert_properties, dtype=np.float64)
    vertices = properties[:, :3]
    given = properties[:, 3:6] if properties.shape[1] >= 6 else np.zeros_like(vertices)
    faces = np.asarray(mesh.tri_verts, dtype=np.int64)
    origin = np.repeat(np.asarray(mesh.run_original_id), np.diff(np.asarray(mesh.run_index)) // 3)
    t = vertices[faces]
    cross = np.cross(t[:, 1] - t[:, 0], t[:, 2] - t[:, 0])
    area = np.linalg.norm(cross, axis=1)
    unit = cross / np.maximum(area, 1e-15)[:, None]
    groups: dict[tuple[str, str], list[NDArray[np.bool_]]] = {}
    materials: dict[tuple[str, str], Material] = {}
    bare: NDArray[np.bool_] = np.equal(origin, next(iter(b.tags)))
    named = _area_names(b, t.mean(axis=1), bare)
    for number, (name, material) in b.tags.items():
        own = np.equal(origin, number)
        for label in np.unique(named[own]):
            key = (str(label) or name, material.name)
            groups.setdefault(key, []).append(own & (named == label))
            materials[key] = material
    return tuple(
        _packed(key[0], vertices, faces, given, unit, np.logical_or.reduce(masks), materials[key])
        for key, masks in groups.items()
    )


def _area_names(b: Body, centres: Points, bare: NDArray[np.bool_]) -> NDArray[np.str_]:
    names = np.full(len(centres), "", dtype="<U32")
    for name, view, region, start in b.areas:
        (u, v), axis, side = VIEWS[view]
        inside = bare & (centres[:, axis] * side > start)
        inside[inside] = _within(region, centres[inside][:, [u, v]])
        names[inside] = name
    return names


def _within(region: Outline, points: NDArray[np.float64]) -> NDArray[np.bool_]:
    odd = np.zeros(len(points), dtype=bool)
    for polygon in region.to_polygons():
        a = np.asarray(polygon, dtype=np.float64)
        c = np.roll(a, -1, axis=0)
        for (x0, y0), (x1, y1) in zip(a, c, strict=True):
            if y0 == y1:
                continue
            crosses = (y0 > points[:, 1]) != (y1 > points[:, 1])
            odd ^= crosses & (points[:, 0] < x0 + (points[:, 1] - y0) * (x1 - x0) / (y1 - y0))
    return odd


def _packed(
    name: str,
    vertices: Points,
    faces: NDArray[np.int64],
    given: Points,
    unit: Points,
    mask: NDArray[np.bool_],
    material: Material,
) -> Part:
    """Return one part; corners with no carried normal take their face's, and inward ones are turned round.

    Triangles of no area stay, because their neighbours meet in them and the body would not be closed.
    """
    chosen = faces[mask]
    normals = given[chosen]
    flat = np.repeat(unit[mask][:, None, :], 3, axis=1)
    facing = np.einsum("ijk,ijk->ij", normals, flat)
    normals = np.where((facing < -0.3)[..., None], -normals, normals)
    normals = np.where((np.abs(facing) <= 0.3)[..., None], flat, normals).reshape(-1, 3)
    length = np.linalg.norm(normals, axis=1, keepdims=True)
    normals = np.where(length > 0.5, normals / np.maximum(length, 1e-15), (0.0, 0.0, 1.0))
    rows = np.concatenate([vertices[chosen].reshape(-1, 3), normals], axis=1)
    packed, index = np.unique(np.round(rows, 6), axis=0, return_inverse=True)
    kept: Faces = index.reshape(-1, 3).astype(np.int32)
    return Part(name, packed[:, :3].copy(), kept, material, packed[:, 3:].copy())
