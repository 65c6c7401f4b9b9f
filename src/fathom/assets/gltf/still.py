"""A document as a still model: nodes in their default places, skins and morph targets at rest."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from fathom.assets.gltf.document import Document, Node
from fathom.assets.gltf.limits import REMEDY, BrokenError, shown
from fathom.assets.gltf.meshes import Primitive
from fathom.assets.gltf.surface import DEFAULT, Surface, srgb
from fathom.assets.model import BODY, Part, Points
from fathom.records import AssetError

FLATTEST = 1e-6
"""Triangles narrower than this, in lengths of their longest side, are lines up to the digits of a file."""

SAMPLES = 200_000
"""At so many places, over all triangles, a surface is asked whether its texture cuts a hole there."""

MOST_CUT = 0.005
"""So little of a surface may be cut out: the border of a picture that was filtered."""


def local_matrix(node: Node) -> Points:
    """Return the (4, 4) matrix from a node to its parent."""
    if node.matrix is not None:
        return node.matrix
    q = np.asarray(node.rotation_xyzw, dtype=np.float64)
    length = float(np.linalg.norm(q))
    if not 1e-6 < length < 1e6:
        raise BrokenError(f"node {shown(node.name)} is turned by a quaternion of length {length:g}")
    x, y, z, w = (q / length).tolist()
    turn = np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
        ]
    )
    m = np.eye(4)
    m[:3, :3] = turn * np.asarray(node.scale)
    m[:3, 3] = node.translation
    return m


def world_matrices(document: Document, locals_: Sequence[Points] | None = None) -> Points:
    """Return the (n, 4, 4) matrices from every node to the file's frame.

    `locals_` are other local matrices than the file's, one a node: a pose of an animation.
    """
    own = locals_ if locals_ is not None else [local_matrix(n) for n in document.nodes]
    world = np.stack(own) if own else np.zeros((0, 4, 4))
    for i in document.order:
        parent = document.nodes[i].parent
        if parent >= 0:
            world[i] = world[parent] @ own[i]
    return world


def still_parts(document: Document) -> tuple[Part, ...]:
    """Return the parts of a document at rest, in the file's frame and units.

    Triangles without area and vertices that no triangle uses are left out. Raises AssetError where nothing
    is left, or something lies nowhere.
    """
    try:
        with np.errstate(all="ignore"):
            parts = _parts(document)
            if not parts:
                raise BrokenError("it has no triangles with an area")
            points = np.concatenate([p.vertices for p in parts])
            span = float(np.max(points.max(axis=0) - points.min(axis=0)))
            if not np.isfinite(points).all() or not 1e-7 < span < 1e9:
                raise BrokenError("its nodes place it at no finite size")
            return parts
    except BrokenError as e:
        raise AssetError(f"{document.path}: {e}; {REMEDY}") from e


def _parts(document: Document) -> tuple[Part, ...]:
    world = world_matrices(document)
    parts = []
    for i in document.shown:
        node = document.nodes[i]
        if node.mesh < 0:
            continue
        mesh = document.meshes[node.mesh]
        joints = _joint_matrices(document, node.skin, world) if node.skin >= 0 else None
        for primitive in mesh.primitives:
            surface = document.surfaces[primitive.surface] if primitive.surface >= 0 else DEFAULT
            if not surface.unseen:
                name = node.name or mesh.name
                weights = node.weights or mesh.weights
                part = _part(name, _morphed(primitive, weights), surface, world[i], joints)
                parts += [part] if part is not None else []
    return tuple(parts)


def _joint_matrices(document: Document, index: int, world: Points) -> Points:
    skin = document.skins[index]
    return np.asarray(world[list(skin.joints)] @ skin.inverse_bind)


def _morphed(p: Primitive, weights: Sequence[float]) -> Primitive:
    """Return the primitive with its morph targets on as far as `weights` say."""
    positions, normals = p.positions, p.normals
    for weight, target in zip(weights, p.targets, strict=False):
        if weight and "POSITION" in target:
            positions = positions + weight * target["POSITION"]
        if weight and normals is not None and "NORMAL" in target:
            normals = normals + weight * target["NORMAL"]
    return p if positions is p.positions else replace(p, positions=positions, normals=normals)


def _part(name: str, p: Primitive, surface: Surface, world: Points, joints: Points | None) -> Part | None:
    """Return a placed primitive, or None where no triangle has an area."""
    vertices, normals, mirrored = _placed(p, world, joints)
    faces = p.faces[:, ::-1] if mirrored else p.faces
    corners = vertices[faces]
    edges = corners[:, 1:] - corners[:, :1]
    area = np.linalg.norm(np.cross(edges[:, 0], edges[:, 1]), axis=1)
    longest = np.abs(edges).max(axis=(1, 2))
    keep = ~(area <= FLATTEST * longest**2)
    if not keep.any():
        return None
    used, renamed = np.unique(faces[keep], return_inverse=True)
    return dressed(name, p, surface, used, renamed.reshape(-1, 3), vertices, normals)


def dressed(
    name: str,
    p: Primitive,
    surface: Surface,
    used: NDArray[np.integer],
    faces: NDArray[np.integer],
    vertices: Points,
    normals: Points | None,
) -> Part:
    """Return the vertices `used` of a placed primitive as a part with its surface; `faces` count them."""
    uv = _texture_coordinates(p, surface)
    if surface.holes is not None and uv is not None:
        check_whole(surface, uv[used], vertices[used], faces)
    colors = None if p.colors is None else srgb(p.colors[used])
    material = surface.material if uv is not None else replace(surface.material, texture=None)
    if material.name == BODY:
        material = replace(material, name=f"{BODY} as made")
    return Part(
        name=_printable(name),
        vertices=np.ascontiguousarray(vertices[used]),
        faces=np.ascontiguousarray(faces.astype(np.int32)),
        material=material,
        normals=None if normals is None else np.ascontiguousarray(normals[used]),
        uv=None if uv is None else np.ascontiguousarray(uv[used]),
        vertex_colors=colors,
    )


def check_whole(surface: Surface, uv: Points, vertices: Points, faces: NDArray[np.integer]) -> None:
    """Raise BrokenError where a texture cuts holes into a surface: what is seen, and what is derived from
    triangles, would not be the same object.
    """
    holes = surface.holes
    assert holes is not None
    height, width = holes.shape
    steps = np.arange(min(max(SAMPLES // len(faces), 4), 1024))[:, None]
    # Evenly spread over a triangle: two irrational steps, folded along the diagonal.
    a, b = (0.5 + steps * 0.7548776662466927) % 1, (0.5 + steps * 0.5698402909980532) % 1
    a, b = np.where(a + b > 1, 1 - a, a), np.where(a + b > 1, 1 - b, b)
    corners = uv[faces]
    at = corners[:, :1] + a * (corners[:, 1:2] - corners[:, :1]) + b * (corners[:, 2:] - corners[:, :1])
    columns = np.floor(at[..., 0] % 1 * width).astype(np.int64) % width
    rows = np.floor((1 - at[..., 1]) % 1 * height).astype(np.int64) % height
    sides = vertices[faces[:, 1:]] - vertices[faces[:, :1]]
    area = np.linalg.norm(np.cross(sides[:, 0], sides[:, 1]), axis=1)
    share = float((holes[rows, columns].mean(axis=1) * area).sum() / max(float(area.sum()), 1e-30))
    if share > MOST_CUT:
        name = surface.material.name or "without a name"
        raise BrokenError(
            f"the texture of the material {shown(name)} cuts holes into {share:.1%} of its surface (alpha "
            "mode MASK), and cut-out surfaces are not drawn; model the holes, or make the material opaque"
        )


def _placed(p: Primitive, world: Points, joints: Points | None) -> tuple[Points, Points | None, bool]:
    """Return vertices and normals in the file's frame, and whether the placing mirrors them."""
    if joints is None or p.joints is None or p.weights is None:
        m = world[:3, :3]
        vertices = p.positions @ m.T + world[:3, 3]
        determinant = float(np.linalg.det(m))
        if p.normals is None or abs(determinant) < 1e-30:
            return vertices, None, determinant < 0
        return vertices, _unit(p.normals @ np.linalg.inv(m)), determinant < 0
    if len(p.joints) and (int(p.joints.max()) >= len(joints) or int(p.joints.min()) < 0):
        raise BrokenError(f"a vertex hangs on joint {int(p.joints.max())} of {len(joints)}")
    vertices = np.zeros_like(p.positions)
    normals = np.zeros_like(p.positions)
    for k in range(p.joints.shape[1]):
        m, w = joints[p.joints[:, k]], p.weights[:, k, None]
        vertices += w * (np.einsum("nij,nj->ni", m[:, :3, :3], p.positions) + m[:, :3, 3])
        if p.normals is not None:
            normals += w * np.einsum("nij,nj->ni", m[:, :3, :3], p.normals)
    return vertices, None if p.normals is None else _unit(normals), False


def _unit(normals: Points) -> Points | None:
    lengths = np.linalg.norm(normals, axis=1, keepdims=True)
    good = np.isfinite(lengths).all() and bool((lengths > 1e-12).all())
    return normals / lengths if good else None


def _texture_coordinates(p: Primitive, surface: Surface) -> Points | None:
    """Return (n, 2) coordinates, v upwards; None where there is no texture, or nothing says where it lies."""
    uv = p.uv_sets.get(surface.uv_set)
    if surface.material.texture is None or uv is None:
        return None
    if surface.uv_transform is not None:
        uv = uv @ surface.uv_transform[:2, :2].T + surface.uv_transform[:2, 2]
    clipped = np.where(surface.clamped, np.clip(uv, 0.0005, 0.9995), uv)
    return np.column_stack([clipped[:, 0], 1 - clipped[:, 1]])


def _printable(name: str) -> str:
    return "".join(c if c.isprintable() else " " for c in name)[:64]
