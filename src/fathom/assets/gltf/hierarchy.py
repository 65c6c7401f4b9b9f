"""The nodes of a document, and where each of them is at some moments of its animations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fathom.assets.gltf.document import Document, Node
from fathom.assets.gltf.keyframes import Tracks, slerp
from fathom.assets.gltf.limits import BrokenError, shown
from fathom.assets.model import Points

Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class JointPose:
    """How all nodes lie on what they hang on at some moments: (t, n, 3) places, (t, n, 4) turns, (t, n, 3)
    scales; `still` (n,) are those that nothing moves.
    """

    translation: Points
    rotation_xyzw: Points
    scale: Points
    still: NDArray[np.bool_]

    def mixed(self, other: JointPose, share: float) -> JointPose:
        """Return the pose that is so far (0 to 1) on the way to another: each turn on its shorter arc."""
        return JointPose(
            self.translation + share * (other.translation - self.translation),
            slerp(self.rotation_xyzw, other.rotation_xyzw, np.full((*self.scale.shape[:2], 1), share)),
            self.scale + share * (other.scale - self.scale),
            self.still & other.still,
        )


@dataclass(frozen=True, eq=False)
class Hierarchy:
    """The nodes with their own places, and who hangs on whom, a generation at a time.

    `fixed` are the nodes whose place is written as a matrix, which may be sheared; `matrices` those.
    """

    translation: Points
    rotation_xyzw: Points
    scale: Points
    fixed: Ints
    matrices: Points
    generations: tuple[tuple[Ints, Ints], ...]

    def pose(self, tracks: Sequence[Tracks], moments_s: Points) -> JointPose:
        """Return how the nodes lie at moments (t,) of some tracks; what none of them moves lies as in the
        file.
        """
        count = len(moments_s)
        own = {
            "translation": np.repeat(self.translation[None], count, axis=0),
            "rotation": np.repeat(self.rotation_xyzw[None], count, axis=0),
            "scale": np.repeat(self.scale[None], count, axis=0),
        }
        still = np.ones(len(self.scale), dtype=np.bool_)
        for t in tracks:
            own[t.path][:, t.nodes] = t.at(moments_s)
            still[t.nodes] = False
        return JointPose(own["translation"], own["rotation"], own["scale"], still)

    def worlds(self, pose: JointPose) -> Points:
        """Return the (t, n, 4, 4) matrices from every node to the file's frame."""
        world = _matrices(pose.translation, pose.rotation_xyzw, pose.scale)
        if len(self.fixed):
            still = pose.still[self.fixed]
            world[:, self.fixed[still]] = self.matrices[still]
        of_node = world.swapaxes(0, 1)
        for nodes, parents in self.generations:
            of_node[nodes] = of_node[parents] @ of_node[nodes]
        return world


def _matrices(translation: Points, rotation_xyzw: Points, scale: Points) -> Points:
    """Return the (t, n, 4, 4) matrices of translations, unit quaternions and scales."""
    x, y, z, w = rotation_xyzw.reshape(-1, 4).T
    m = np.zeros((len(x), 4, 4))
    m[:, 0, 0], m[:, 0, 1], m[:, 0, 2] = 1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)
    m[:, 1, 0], m[:, 1, 1], m[:, 1, 2] = 2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)
    m[:, 2, 0], m[:, 2, 1], m[:, 2, 2] = 2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)
    m[:, :3, :3] *= scale.reshape(-1, 1, 3)
    m[:, :3, 3] = translation.reshape(-1, 3)
    m[:, 3, 3] = 1.0
    return m.reshape(*translation.shape[:2], 4, 4)


def hierarchy_of(document: Document) -> Hierarchy:
    """Return the nodes' own places. Raises BrokenError where one is turned by no rotation."""
    nodes = document.nodes
    apart = [_taken_apart(n) for n in nodes]
    depth = np.zeros(len(nodes), dtype=np.int64)
    for i in document.order:
        depth[i] = 0 if nodes[i].parent < 0 else depth[nodes[i].parent] + 1
    parents = np.array([n.parent for n in nodes], dtype=np.int64)
    levels = np.argsort(depth, kind="stable")
    cuts = np.flatnonzero(np.diff(depth[levels])) + 1
    fixed = [i for i, n in enumerate(nodes) if n.matrix is not None]
    return Hierarchy(
        translation=np.array([t for t, _, _ in apart]).reshape(-1, 3),
        rotation_xyzw=np.array([r for _, r, _ in apart]).reshape(-1, 4),
        scale=np.array([s for _, _, s in apart]).reshape(-1, 3),
        fixed=np.array(fixed, dtype=np.int64),
        matrices=np.array([nodes[i].matrix for i in fixed]).reshape(-1, 4, 4),
        generations=tuple((g, parents[g]) for g in np.split(levels, cuts)[1:]),
    )


def _taken_apart(node: Node) -> tuple[Points, Points, Points]:
    """Return translation, unit rotation (x, y, z, w) and scale of a node."""
    if node.matrix is not None:
        return _from_matrix(node.matrix)
    q = np.asarray(node.rotation_xyzw, dtype=np.float64)
    length = float(np.linalg.norm(q))
    if not 1e-6 < length < 1e6:
        raise BrokenError(f"node {shown(node.name)} is turned by a quaternion of length {length:g}")
    return np.asarray(node.translation), q / length, np.asarray(node.scale)


def _from_matrix(m: Points) -> tuple[Points, Points, Points]:
    """Return what a matrix without shear is made of, for nodes that a clip moves in spite of it."""
    scale = np.linalg.norm(m[:3, :3], axis=0)
    scale[0] *= -1 if np.linalg.det(m[:3, :3]) < 0 else 1
    t = m[:3, :3] / np.where(np.abs(scale) > 1e-12, scale, 1.0)
    # The largest of the four squares is the safe one to divide by (Shepperd 1978).
    squares = np.array([t[0, 0], t[1, 1], t[2, 2], np.trace(t)])
    i = int(np.argmax(squares))
    if i == 3:
        q = np.array([t[2, 1] - t[1, 2], t[0, 2] - t[2, 0], t[1, 0] - t[0, 1], 1 + squares[3]])
    else:
        j, k = (i + 1) % 3, (i + 2) % 3
        q = np.zeros(4)
        q[i] = 1 - squares[3] + 2 * t[i, i]
        q[j], q[k], q[3] = t[j, i] + t[i, j], t[k, i] + t[i, k], t[k, j] - t[j, k]
    length = float(np.linalg.norm(q))
    good = np.isfinite(length) and length > 1e-9
    return m[:3, 3].copy(), q / length if good else np.array([0.0, 0.0, 0.0, 1.0]), scale
