"""Models with a skeleton and clips as GLB files: every vertex hangs on one joint.

Files have +Y up and +Z forward, as those of `glb.py`; nodes at rest are the pose in which they are bound.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fathom.assets.model import Part, Points
from tools.modelling import glb


@dataclass(frozen=True)
class Bone:
    """A joint: its name, the number of what it hangs from (-1: nothing), its place (3,) at rest in metres."""

    name: str
    parent: int
    at_m: Points


@dataclass(frozen=True)
class Keys:
    """A clip: `times_s` (k,), and where every joint is then in the frame of what it hangs from.

    shifts_m : (k, joints, 3) places; turns_wxyz : (k, joints, 4) unit quaternions
    """

    name: str
    times_s: Points
    shifts_m: Points
    turns_wxyz: Points


@dataclass(frozen=True)
class Rigged:
    """A model with a skeleton: its parts at rest with the joint of each vertex; -1 hangs on none."""

    name: str
    bones: tuple[Bone, ...]
    parts: tuple[tuple[Part, NDArray[np.int64]], ...]
    clips: tuple[Keys, ...]


def rigged_glb(model: Rigged) -> bytes:
    """Return the GLB file of a model with a skeleton; joints that a clip does not move are left out of it."""
    buffer, materials = glb.Buffer(), list(dict.fromkeys(p.material for p, _ in model.parts))
    meshes, nodes, roots = [], [], list(range(len(model.parts)))
    first = len(model.parts)
    for k, (p, joint) in enumerate(model.parts):
        hung = bool((joint >= 0).all())
        primitive = glb.primitive(buffer, p, materials.index(p.material))
        if hung:
            primitive["attributes"] |= _influences(buffer, joint)
        meshes.append({"primitives": [primitive]})
        nodes.append({"name": p.name, "mesh": k} | ({"skin": 0} if hung else {}))
    for k, bone in enumerate(model.bones):
        parent = model.bones[bone.parent].at_m if bone.parent >= 0 else np.zeros(3)
        below = [first + i for i, b in enumerate(model.bones) if b.parent == k]
        node: dict[str, Any] = {"name": bone.name, "translation": _floats(glb.turned(bone.at_m - parent))}
        nodes.append(node | ({"children": below} if below else {}))
        roots += [first + k] if bone.parent < 0 else []
    bind = np.tile(np.eye(4, dtype="<f4"), (len(model.bones), 1, 1))
    bind[:, 3, :3] = [-glb.turned(b.at_m) for b in model.bones]  # written column by column
    matrices = buffer.accessor(4, bind, componentType=glb.FLOAT, count=len(bind), type="MAT4")
    return glb.file(
        {
            "asset": {"version": "2.0", "generator": glb.GENERATOR},
            "scene": 0,
            "scenes": [{"name": model.name, "nodes": roots}],
            "nodes": nodes,
            "meshes": meshes,
            "materials": [glb.material(m) for m in materials],
            "skins": [
                {"joints": [first + k for k in range(len(model.bones))], "inverseBindMatrices": matrices}
            ],
            "animations": [_animation(buffer, model, clip, first) for clip in model.clips],
            "accessors": buffer.accessors,
        },
        buffer.views,
    )


def _influences(buffer: glb.Buffer, joint: NDArray[np.int64]) -> dict[str, int]:
    joints, weights = np.zeros((len(joint), 4), np.uint8), np.zeros((len(joint), 4), np.uint8)
    joints[:, 0], weights[:, 0] = joint, 255
    more = {"componentType": glb.UBYTE, "count": len(joint), "type": "VEC4"}
    return {
        "JOINTS_0": buffer.accessor(1, joints, **more),
        "WEIGHTS_0": buffer.accessor(1, weights, **more, normalized=True),
    }


def _animation(buffer: glb.Buffer, model: Rigged, clip: Keys, first: int) -> dict[str, Any]:
    times = clip.times_s.astype("<f4")
    ends = {"min": [float(times[0])], "max": [float(times[-1])]}
    at = buffer.accessor(
        4, times, componentType=glb.FLOAT, count=len(times), type="SCALAR", **ends
    )  # fmt: skip
    samplers: list[dict[str, Any]] = []
    channels: list[dict[str, Any]] = []
    for k, bone in enumerate(model.bones):
        parent = model.bones[bone.parent].at_m if bone.parent >= 0 else np.zeros(3)
        rows = [
            ("translation", glb.turned(clip.shifts_m[:, k]), glb.turned(bone.at_m - parent), "VEC3"),
            ("rotation", _xyzw(clip.turns_wxyz[:, k]), np.array([0.0, 0.0, 0.0, 1.0]), "VEC4"),
        ]
        for path, values, rest, kind in rows:
            if np.abs(values - rest).max() < 1e-9:
                continue
            keys = np.ascontiguousarray(values.astype("<f4"))
            out = buffer.accessor(4, keys, componentType=glb.FLOAT, count=len(keys), type=kind)
            channels.append({"sampler": len(samplers), "target": {"node": first + k, "path": path}})
            samplers.append({"input": at, "output": out, "interpolation": "LINEAR"})
    return {"name": clip.name, "samplers": samplers, "channels": channels}


def _xyzw(turns_wxyz: Points) -> Points:
    """Return (k, 4) turns of a model in the file's frame and order."""
    return np.column_stack([glb.turned(turns_wxyz[:, 1:]), turns_wxyz[:, 0]])


def _floats(values: Points) -> list[float]:
    return [float(v) for v in np.asarray(values, dtype=np.float32)]


def quaternion(turn: Points) -> Points:
    """Return (4,) w, x, y, z of a rotation (3, 3), w not negative."""
    four = np.array(
        [
            1 + turn[0, 0] + turn[1, 1] + turn[2, 2], 1 + turn[0, 0] - turn[1, 1] - turn[2, 2],
            1 - turn[0, 0] + turn[1, 1] - turn[2, 2], 1 - turn[0, 0] - turn[1, 1] + turn[2, 2],
        ]
    )  # fmt: skip
    most = int(four.argmax())
    a, b, c = turn[2, 1] - turn[1, 2], turn[0, 2] - turn[2, 0], turn[1, 0] - turn[0, 1]
    d, e, f = turn[0, 1] + turn[1, 0], turn[0, 2] + turn[2, 0], turn[1, 2] + turn[2, 1]
    rows = ([four[0], a, b, c], [a, four[1], d, e], [b, d, four[2], f], [c, e, f, four[3]])
    found = np.array(rows[most]) / np.linalg.norm(rows[most])
    return np.asarray(found if found[0] >= 0 else -found)


def painted_alone(
    parts: Sequence[tuple[Part, NDArray[np.int64]]],
) -> tuple[tuple[Part, NDArray[np.int64]], ...]:
    """Return parts with a material of their own each, by whose name a manifest gives them a word."""
    return tuple((replace(p, material=replace(p.material, name=paint_of(p.name))), j) for p, j in parts)


def paint_of(part: str) -> str:
    """Return the name of a part's own material."""
    return f"{part} paint"
