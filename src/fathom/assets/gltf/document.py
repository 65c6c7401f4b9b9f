"""A glTF file as plain arrays: everything that a still or a moving model is made from, placed nowhere yet.

Coordinates are the file's: +Y up and, by convention, +Z forward.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from fathom.assets.gltf import schema
from fathom.assets.gltf.arrays import Arrays, floats, normalized
from fathom.assets.gltf.container import Container, open_container
from fathom.assets.gltf.images import ModelImages
from fathom.assets.gltf.limits import LIMITS, REMEDY, BrokenError, FileLimits, shown
from fathom.assets.gltf.losses import losses_of
from fathom.assets.gltf.meshes import FAN, LISTS, STRIP, Mesh, read_mesh
from fathom.assets.gltf.simplifying import simplified
from fathom.assets.gltf.surface import Surface, surfaces_of
from fathom.assets.model import Points
from fathom.records import AssetError


@dataclass(frozen=True, eq=False)
class Node:
    """A place in the hierarchy: a matrix (4, 4), or translation, rotation (x, y, z, w) and scale."""

    name: str
    parent: int
    translation: tuple[float, float, float]
    rotation_xyzw: tuple[float, float, float, float]
    scale: tuple[float, float, float]
    matrix: Points | None
    mesh: int
    skin: int
    weights: tuple[float, ...]


@dataclass(frozen=True, eq=False)
class Skin:
    """Joints (indices of nodes) and, for each, the (4, 4) matrix from the mesh to it in the bind pose."""

    joints: tuple[int, ...]
    inverse_bind: Points


@dataclass(frozen=True, eq=False)
class Channel:
    """What happens to one property of a node: times (k,) in seconds, values (k or 3k, components)."""

    node: int
    path: str
    interpolation: str
    times_s: Points
    values: Points


@dataclass(frozen=True, eq=False)
class KeyframeClip:
    """A named animation."""

    name: str
    channels: tuple[Channel, ...]


@dataclass(frozen=True, eq=False)
class Document:
    """A whole file; `order` has all nodes, parents first, `shown` those of the default scene.

    `broken` says of each animation that cannot be read, by its place in the file and its name, why not;
    `losses` what of the rest is not shown as the file has it.
    """

    path: Path
    nodes: tuple[Node, ...]
    order: tuple[int, ...]
    shown: tuple[int, ...]
    meshes: Mapping[int, Mesh]
    skins: Mapping[int, Skin]
    surfaces: tuple[Surface, ...]
    clips: tuple[KeyframeClip, ...]
    limits: FileLimits
    broken: tuple[tuple[str, str], ...] = ()
    losses: tuple[str, ...] = ()


def read_document(
    path: Path, folder: Path | None = None, limits: FileLimits = LIMITS, clips: bool = False
) -> Document:
    """Return what a GLB or glTF file holds; its animations only where `clips` are asked for.

    What the file points to must lie in `folder` (the file's own where none is given). Raises AssetError,
    with one sentence, for anything that cannot be read or is larger than `limits`.
    """
    try:
        # Numbers that are not finite are refused by name; until then they may pass through casts.
        with np.errstate(all="ignore"):
            return _document(open_container(path, folder or path.parent, limits), clips)
    except BrokenError as e:
        raise AssetError(f"{path}: {e}; {REMEDY}") from e
    except (MemoryError, RecursionError, OverflowError) as e:
        raise AssetError(f"{path}: is too large or nested too deeply to be read; {REMEDY}") from e


def _document(container: Container, clips: bool) -> Document:
    gltf, arrays = container.gltf, Arrays(container)
    order, parents = _hierarchy(gltf)
    visible = _shown(gltf, order, parents)
    nodes, copies = _instanced([_node(n, parents.get(i, -1)) for i, n in enumerate(gltf.nodes)], arrays)
    seen = set(visible)
    visible = (*visible, *(k for k in copies if nodes[k].parent in seen))
    order = (*order, *copies)
    meshes = sorted({nodes[i].mesh for i in visible if nodes[i].mesh >= 0})
    skins = sorted({nodes[i].skin for i in visible if nodes[i].mesh >= 0 and nodes[i].skin >= 0})
    _count(container, [nodes[i].mesh for i in visible if nodes[i].mesh >= 0])
    read, coarser = simplified({i: read_mesh(i, arrays) for i in meshes}, container.limits.vertices_kept)
    images = ModelImages(container)
    used = {p.surface for m in read.values() for p in m.primitives}
    found, broken = _clips(gltf, arrays) if clips else ((), ())
    return Document(
        path=container.path,
        nodes=nodes,
        order=order,
        shown=visible,
        meshes=read,
        skins={i: _skin(i, arrays) for i in skins},
        surfaces=surfaces_of(gltf, images, used),
        clips=found,
        limits=container.limits,
        broken=broken,
        losses=(*losses_of(gltf, used), *images.losses(), *([coarser] if coarser else [])),
    )


def _instanced(nodes: list[Node], arrays: Arrays) -> tuple[tuple[Node, ...], tuple[int, ...]]:
    """Return all nodes, with a child for each instance of a mesh that is drawn often, and which those are.

    The node itself has no mesh then: its animations move all instances.
    """
    made = list(nodes)
    for i, record in enumerate(arrays.container.gltf.nodes):
        if record.extensions.instancing is None or record.mesh is None:
            continue
        what = f"the instances of node {i}"
        rows = {
            key: floats(normalized(arrays.read(accessor)), 4 if key == "ROTATION" else 3, what)
            for key, accessor in record.extensions.instancing.attributes.items()
            if key in ("TRANSLATION", "ROTATION", "SCALE")
        }
        count = min((len(r) for r in rows.values()), default=0)
        if not count or len(made) + count > arrays.container.limits.nodes:
            raise BrokenError(
                f"node {i} is drawn {count:,} times; 1 to {arrays.container.limits.nodes:,} are"
            )
        made[i] = replace(made[i], mesh=-1, weights=())
        for k in range(count):
            at = {key: tuple(r[k].tolist()) for key, r in rows.items()}
            made.append(
                Node(
                    name=record.name,
                    parent=i,
                    translation=at.get("TRANSLATION", (0.0, 0.0, 0.0)),
                    rotation_xyzw=at.get("ROTATION", (0.0, 0.0, 0.0, 1.0)),
                    scale=at.get("SCALE", (1.0, 1.0, 1.0)),
                    matrix=None,
                    mesh=record.mesh,
                    skin=-1,
                    weights=tuple(record.weights),
                )
            )
    return tuple(made), tuple(range(len(nodes), len(made)))


def _hierarchy(gltf: schema.Gltf) -> tuple[tuple[int, ...], dict[int, int]]:
    """Return all nodes, parents first, and each one's parent."""
    parents: dict[int, int] = {}
    for i, node in enumerate(gltf.nodes):
        for child in node.children:
            if child >= len(gltf.nodes):
                raise BrokenError(f"node {i} has the child {child}, but there are {len(gltf.nodes)} nodes")
            if child in parents:
                raise BrokenError(f"node {child} hangs in the hierarchy twice")
            parents[child] = i
    order = [i for i in range(len(gltf.nodes)) if i not in parents]
    at = 0
    while at < len(order):
        order.extend(gltf.nodes[order[at]].children)
        at += 1
    if len(order) < len(gltf.nodes):
        raise BrokenError("its nodes hang in a circle")
    return tuple(order), parents


def _shown(gltf: schema.Gltf, order: tuple[int, ...], parents: Mapping[int, int]) -> tuple[int, ...]:
    """Return the nodes of the default scene, parents first; without scenes, all nodes."""
    if not gltf.scenes:
        return order
    scene = gltf.scene or 0
    if scene >= len(gltf.scenes):
        raise BrokenError(f"scene {scene} is the default, but there are {len(gltf.scenes)}")
    # Some exporters list children among the roots, with or without their parents.
    shown = set(gltf.scenes[scene].nodes)
    if any(r >= len(gltf.nodes) for r in shown):
        raise BrokenError(f"its scene starts from a node that is not there ({len(gltf.nodes)} nodes)")
    for i in order:
        if parents.get(i, -1) in shown:
            shown.add(i)
    return tuple(i for i in order if i in shown)


def _node(node: schema.GltfNode, parent: int) -> Node:
    matrix = None if node.matrix is None else np.array(node.matrix, dtype=np.float64).reshape(4, 4).T
    return Node(
        name=node.name,
        parent=parent,
        translation=node.translation,
        rotation_xyzw=node.rotation,
        scale=node.scale,
        matrix=matrix,
        mesh=-1 if node.mesh is None else node.mesh,
        skin=-1 if node.skin is None else node.skin,
        weights=tuple(node.weights),
    )


def _count(container: Container, meshes: list[int]) -> None:
    """Refuse, before anything is decoded, what announces more than the limits, instances counted."""
    gltf, limits = container.gltf, container.limits
    triangles = vertices = parts = 0
    for index in meshes:
        if index >= len(gltf.meshes):
            raise BrokenError(f"mesh {index} is used, but there are {len(gltf.meshes)}")
        for p in gltf.meshes[index].primitives:
            counts = [gltf.accessors[i].count if i < len(gltf.accessors) else 0
                      for i in (p.attributes.get("POSITION"), p.indices) if i is not None]  # fmt: skip
            corners = counts[-1] if counts else 0
            triangles += corners // 3 if p.mode == LISTS else corners * (p.mode in (STRIP, FAN))
            vertices += counts[0] if counts else 0
            parts += 1
    for what, found, most in (
        ("triangles", triangles, limits.triangles),
        ("vertices", vertices, limits.vertices),
        ("pieces", parts, limits.parts),
    ):
        if found > most:
            raise BrokenError(f"it has {found:,} {what}; at most {most:,} are read, so simplify it")


def _skin(index: int, arrays: Arrays) -> Skin:
    gltf = arrays.container.gltf
    if index >= len(gltf.skins):
        raise BrokenError(f"skin {index} is used, but there are {len(gltf.skins)}")
    record = gltf.skins[index]
    if not record.joints or max(record.joints) >= len(gltf.nodes):
        raise BrokenError(f"skin {index} has no joints, or one that is not a node")
    if record.inverse_bind_matrices is None:
        inverse = np.broadcast_to(np.eye(4), (len(record.joints), 4, 4))
    else:
        flat = floats(arrays.read(record.inverse_bind_matrices), 16, f"the bind pose of skin {index}")
        inverse = flat.reshape(-1, 4, 4).transpose(0, 2, 1)
    if len(inverse) < len(record.joints):
        raise BrokenError(f"skin {index} has {len(record.joints)} joints, but {len(inverse)} matrices")
    return Skin(tuple(record.joints), inverse[: len(record.joints)])


def _clips(gltf: schema.Gltf, arrays: Arrays) -> tuple[tuple[KeyframeClip, ...], tuple[tuple[str, str], ...]]:
    """Return the animations that can be read, and names and reasons of the others: the model stays whole."""
    found, broken = [], []
    for record in gltf.animations:
        try:
            found.append(_clip(record, arrays))
        except BrokenError as e:
            broken.append((record.name, str(e)))
    return tuple(found), tuple(broken)


def _clip(record: schema.GltfAnimation, arrays: Arrays) -> KeyframeClip:
    channels = []
    for c in record.channels:
        if c.target.node is None or c.target.path not in ("translation", "rotation", "scale", "weights"):
            continue
        if c.sampler >= len(record.samplers) or c.target.node >= len(arrays.container.gltf.nodes):
            raise BrokenError(f"animation {shown(record.name)} moves something that is not there")
        sampler = record.samplers[c.sampler]
        times, values = arrays.read(sampler.input), normalized(arrays.read(sampler.output))
        what = f"animation {shown(record.name)}"
        channels.append(
            Channel(
                node=c.target.node,
                path=c.target.path,
                interpolation=sys.intern(sampler.interpolation),
                times_s=floats(times, 1, what)[:, 0],
                values=floats(values, values.shape[1], what),
            )
        )
    return KeyframeClip(record.name, tuple(channels))
