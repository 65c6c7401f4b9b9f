"""Skins, morph targets and rigid pieces of a document as sparse matrices, made once a file.

Every vertex is a weighted sum of its place in a few joints' frames, so that a whole pose is one product of a
sparse matrix with the joints' matrices of that moment. What hangs on no skin hangs on its node with weight 1;
each morph target is a matrix of its own, which is added as far as the target is on.

Ref: Khronos glTF 2.0 specification §3.7.2.2 (morph targets) and §3.7.3 (skins).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from fathom.assets.gltf.document import Document
from fathom.assets.gltf.hierarchy import Hierarchy, Ints
from fathom.assets.gltf.keyframes import Tracks
from fathom.assets.gltf.limits import BrokenError
from fathom.assets.gltf.meshes import Primitive
from fathom.assets.gltf.still import FLATTEST, dressed
from fathom.assets.gltf.surface import DEFAULT, Surface
from fathom.assets.model import Faces, Part, Points

if TYPE_CHECKING:
    from scipy.sparse import csr_array


@dataclass(frozen=True, eq=False)
class Bones:
    """What vertices hang on: nodes with, for joints of skins, the matrices of their bind poses.

    `targets` gives, for every node whose mesh has morph targets, how far each is on in the file, and where
    its weights lie among those of all nodes.
    """

    nodes: Ints
    inverse_bind: Points
    targets: Mapping[int, tuple[Points, slice]]
    weights: int

    def matrices(self, worlds: Points) -> Points:
        """Return the (t, b, 4, 4) matrices from where vertices lie in the file to where they are."""
        return np.asarray(worlds[:, self.nodes] @ self.inverse_bind)

    def morphs(self, tracks: Mapping[int, Tracks], moments_s: Points) -> Points:
        """Return (t, m) how far each morph target is on at some moments (t,)."""
        found = np.zeros((len(moments_s), self.weights))
        for node, (default, rows) in self.targets.items():
            found[:, rows] = tracks[node].at(moments_s)[:, 0] if node in tracks else default
        return found


@dataclass(frozen=True, eq=False)
class RestPiece:
    """One part as the file has it at rest, and where its vertices lie among those of all parts.

    joint : (n,) the node that each vertex hangs on most
    """

    still: Part
    rows: slice
    joint: Ints


@dataclass(frozen=True, eq=False)
class Skinning:
    """Sparse matrices from joints to vertices (n, 4b) and to normals (n, 3b); and those of morph targets."""

    count: int
    points_of: csr_array | None
    normals_of: csr_array | None
    points_by: tuple[csr_array | None, ...]
    normals_by: tuple[csr_array | None, ...]

    def of(self, rows: Ints) -> Skinning:
        """Return what some vertices (r,) hang on."""

        def chosen(matrix: csr_array | None) -> csr_array | None:
            return None if matrix is None else matrix[rows]

        return Skinning(
            count=len(rows),
            points_of=chosen(self.points_of),
            normals_of=chosen(self.normals_of),
            points_by=tuple(chosen(m) for m in self.points_by),
            normals_by=tuple(chosen(m) for m in self.normals_by),
        )

    def points(self, joints: Points, weights: Points) -> Points:
        """Return the (t, n, 3) vertices, of joints (t, b, 4, 4) and weights of morph targets (t, m)."""
        return self._summed(self.points_of, self.points_by, joints[:, :, :3], weights)

    def normals(self, joints: Points, weights: Points) -> Points:
        """Return the (t, n, 3) unit normals; upwards where there is none."""
        turns = _cofactors(joints[:, :, :3, :3].reshape(-1, 3, 3)).reshape(*joints.shape[:2], 3, 3)
        found = self._summed(self.normals_of, self.normals_by, turns, weights)
        length = np.sqrt(np.einsum("tni,tni->tn", found, found))
        lost = ~(length > 1e-9)
        found /= np.where(lost, 1.0, length)[..., None]
        found[lost] = (0.0, 1.0, 0.0)
        return found

    def _summed(
        self,
        base: csr_array | None,
        offsets: Sequence[csr_array | None],
        joints: Points,
        weights: Points,
    ) -> Points:
        """Return (t, n, 3): all moments are columns of one product with joints (t, b, 3, 3 or 4)."""
        moments = len(joints)
        stacked = np.ascontiguousarray(joints.transpose(1, 3, 0, 2)).reshape(-1, 3 * moments)
        shape = (self.count, moments, 3)
        found = np.zeros(shape) if base is None else np.asarray(base @ stacked).reshape(shape)
        for offset, weight in zip(offsets, weights.T, strict=True):
            if offset is not None and weight.any():
                found += weight[:, None] * np.asarray(offset @ stacked).reshape(shape)
        return np.ascontiguousarray(found.transpose(1, 0, 2))


def _cofactors(m: Points) -> Points:
    """Return what turns normals where (n, 3, 3) turns points, at the size of a rotation.

    It is the inverse transposed, times the determinant's size; so flattened joints are no trouble.
    """
    a, b, c = m[:, :, 0], m[:, :, 1], m[:, :, 2]
    found = np.stack([np.cross(b, c), np.cross(c, a), np.cross(a, b)], axis=-1)
    mirrored = np.einsum("ni,ni->n", a, found[:, :, 0]) < 0
    size = np.sqrt((found * found).sum(axis=(1, 2)) / 3)
    found /= np.where(size > 1e-30, size, 1.0)[:, None, None]
    found[mirrored] *= -1
    return found


@dataclass
class _Rows:
    """Entries of a sparse matrix in the making, `width` columns a bone."""

    width: int
    rows: list[Ints] = field(default_factory=list)
    columns: list[Ints] = field(default_factory=list)
    values: list[Points] = field(default_factory=list)

    def add(self, first: int, values: Points, bones: Ints, weights: Points) -> None:
        """Add (n, width) values from row `first` on, hung on (n, k) bones with (n, k) weights."""
        where, which = np.nonzero((weights != 0) & (values != 0).any(axis=1)[:, None])
        bone = bones[where, which]
        self.rows.append(np.repeat(first + where, self.width))
        self.columns.append((self.width * bone[:, None] + np.arange(self.width)).reshape(-1))
        self.values.append((weights[where, which, None] * values[where]).reshape(-1))

    def matrix(self, rows: int, bones: int) -> csr_array | None:
        """Return the matrix, or None where nothing was added."""
        from scipy.sparse import csr_array

        if not sum(len(v) for v in self.values):
            return None
        entries: Any = (
            np.concatenate(self.values),
            (np.concatenate(self.rows), np.concatenate(self.columns)),
        )
        return csr_array(entries, shape=(rows, self.width * bones))


@dataclass(frozen=True, eq=False)
class _Hung:
    """A primitive's vertices that triangles use, and what they hang on: (n, k) bones and weights."""

    part: Part
    positions: Points
    normals: Points | None
    targets: tuple[Mapping[str, Points], ...]
    bones: Ints
    weights: Points
    first_weight: int


def skinned(document: Document, hierarchy: Hierarchy) -> tuple[tuple[RestPiece, ...], Bones, Skinning]:
    """Return the parts of a document, what they hang on, and how.

    Raises BrokenError where no triangle is left.
    """
    bones, first = _bones(document)
    mirrored = np.linalg.det(hierarchy.worlds(hierarchy.pose((), np.zeros(1)))[0, :, :3, :3]) < 0
    targets = _targets(document)
    hung: list[_Hung] = []
    for i in document.shown:
        node = document.nodes[i]
        for p in document.meshes[node.mesh].primitives if node.mesh >= 0 else ():
            surface = _named(document.surfaces[p.surface] if p.surface >= 0 else DEFAULT, p.surface)
            if surface.unseen:
                continue
            which, weights = _hangs_on(document, i, p, first)
            flip = bool(mirrored[i]) and which.shape[1] == 1
            at = targets[i][1].start if i in targets else 0
            name = node.name or document.meshes[node.mesh].name
            found = _hung(name, replace(p, joints=which, weights=weights), surface, flip, at)
            hung += [found] if found is not None else []
    if not hung:
        raise BrokenError("it has no triangles with an area")
    count = sum(len(default) for default, _ in targets.values())
    pieces = _pieces(hung, bones[0])
    return pieces, Bones(*bones, targets, count), _skinning(hung, len(bones[0]), count)


def _named(surface: Surface, index: int) -> Surface:
    """Return a surface that can be told from others: materials without a name bear their number."""
    if surface.material.name:
        return surface
    name = f"material {index}" if index >= 0 else "no material"
    return replace(surface, material=replace(surface.material, name=name))


def _bones(document: Document) -> tuple[tuple[Ints, Points], Mapping[int, int]]:
    """Return all nodes, then each skin's joints, with their bind poses; and where each skin begins."""
    first, nodes = {}, [np.arange(len(document.nodes))]
    inverse: list[Points] = [np.broadcast_to(np.eye(4), (len(document.nodes), 4, 4))]
    for index, skin in document.skins.items():
        first[index] = sum(len(n) for n in nodes)
        nodes.append(np.array(skin.joints))
        inverse.append(skin.inverse_bind)
    return (np.concatenate(nodes).astype(np.int64), np.concatenate(inverse)), first


def _targets(document: Document) -> dict[int, tuple[Points, slice]]:
    """Return, for each node whose mesh has morph targets, how far they are on, and their place among all."""
    found: dict[int, tuple[Points, slice]] = {}
    start = 0
    for i in document.shown:
        node = document.nodes[i]
        mesh = document.meshes[node.mesh] if node.mesh >= 0 else None
        count = 0 if mesh is None else max((len(p.targets) for p in mesh.primitives), default=0)
        if mesh is not None and count:
            written = (node.weights or mesh.weights)[:count]
            found[i] = np.array([*written, *[0.0] * (count - len(written))]), slice(start, start + count)
            start += count
    return found


def _hangs_on(document: Document, node: int, p: Primitive, first: Mapping[int, int]) -> tuple[Ints, Points]:
    """Return the (n, k) bones and weights of a primitive; without a skin, its node alone."""
    skin = document.nodes[node].skin
    if skin < 0 or p.joints is None or p.weights is None:
        n = len(p.positions)
        return np.full((n, 1), node, dtype=np.int64), np.ones((n, 1))
    joints = len(document.skins[skin].joints)
    if len(p.joints) and (int(p.joints.max()) >= joints or int(p.joints.min()) < 0):
        raise BrokenError(f"a vertex hangs on joint {int(p.joints.max())} of {joints}")
    return p.joints + first[skin], p.weights


def _hung(name: str, p: Primitive, surface: Surface, flip: bool, first_weight: int) -> _Hung | None:
    """Return a primitive that hangs on bones; None where no triangle can ever have an area."""
    assert p.joints is not None and p.weights is not None
    faces = p.faces[:, ::-1] if flip else p.faces
    faces = faces[_may_open(faces, p)]
    if not len(faces):
        return None
    used, renamed = np.unique(faces, return_inverse=True)
    return _Hung(
        part=dressed(name, p, surface, used, renamed.reshape(-1, 3), p.positions, p.normals),
        positions=p.positions[used],
        normals=None if p.normals is None else p.normals[used],
        targets=tuple({k: v[used] for k, v in t.items()} for t in p.targets),
        bones=p.joints[used],
        weights=p.weights[used],
        first_weight=first_weight,
    )


def _may_open(faces: Faces, p: Primitive) -> NDArray[np.bool_]:
    """Return which triangles have an area, or may have one when joints or morph targets pull at them."""
    assert p.joints is not None and p.weights is not None
    a, b, c = faces.T
    distinct = (a != b) & (b != c) & (c != a)
    if any("POSITION" in t for t in p.targets):
        return np.asarray(distinct)
    corners = p.positions[faces]
    edges = corners[:, 1:] - corners[:, :1]
    area = np.linalg.norm(np.cross(edges[:, 0], edges[:, 1]), axis=1)
    flat = area <= FLATTEST * np.abs(edges).max(axis=(1, 2)) ** 2
    pulled = np.zeros(len(faces), dtype=bool)
    for one, other in ((a, b), (a, c)):
        pulled |= (p.joints[one] != p.joints[other]).any(axis=1)
        pulled |= (p.weights[one] != p.weights[other]).any(axis=1)
    return np.asarray(distinct & (~flat | pulled))


def _pieces(hung: Sequence[_Hung], nodes: Ints) -> tuple[RestPiece, ...]:
    pieces, at = [], 0
    for h in hung:
        n = len(h.positions)
        most = h.bones[np.arange(n), h.weights.argmax(axis=1)]
        pieces.append(RestPiece(h.part, slice(at, at + n), nodes[most]))
        at += n
    return tuple(pieces)


def _skinning(hung: Sequence[_Hung], bones: int, morphs: int) -> Skinning:
    points, normals = _Rows(4), _Rows(3)
    points_by, normals_by = [_Rows(4) for _ in range(morphs)], [_Rows(3) for _ in range(morphs)]
    at = 0
    for h in hung:
        points.add(at, np.column_stack([h.positions, np.ones(len(h.positions))]), h.bones, h.weights)
        if h.normals is not None:
            normals.add(at, h.normals, h.bones, h.weights)
        for k, target in enumerate(h.targets):
            if "POSITION" in target:
                offset = np.column_stack([target["POSITION"], np.zeros(len(h.positions))])
                points_by[h.first_weight + k].add(at, offset, h.bones, h.weights)
            if h.normals is not None and "NORMAL" in target:
                normals_by[h.first_weight + k].add(at, target["NORMAL"], h.bones, h.weights)
        at += len(h.positions)
    return Skinning(
        count=at,
        points_of=points.matrix(at, bones),
        normals_of=normals.matrix(at, bones),
        points_by=tuple(r.matrix(at, bones) for r in points_by),
        normals_by=tuple(r.matrix(at, bones) for r in normals_by),
    )
