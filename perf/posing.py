"""How many poses a CPU second gives: a made-up model of 10,000 vertices and 60 bones, and real ones.

    python perf/posing.py [--assets DIR] [--seconds S]

Prints frames per CPU second of whole parts (vertices and normals) and of vertices alone, for a chain of 60
bones with four weights a vertex and all three tracks a bone, then for every model in DIR, all its clips.
"""

from __future__ import annotations

import argparse
import json
import struct
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from fathom.assets.gltf.moving import Moving, open_moving

VERTICES, BONES, KEYS = 10_000, 60, 48
_KINDS = {"u1": 5121, "u2": 5123, "f4": 5126}
_TYPES = {1: "SCALAR", 3: "VEC3", 4: "VEC4", 16: "MAT4"}


def made_up(path: Path) -> Path:
    """Write a tube of VERTICES vertices around a chain of BONES bones, four weights each, one clip."""
    g = np.random.default_rng(0)
    data, views, accessors = bytearray(), [], []

    def add(values: np.ndarray) -> int:
        flat = np.ascontiguousarray(values.reshape(len(values), -1))
        views.append({"buffer": 0, "byteOffset": len(data), "byteLength": flat.nbytes})
        kind = _KINDS[flat.dtype.str[1:]]
        accessors.append(
            {
                "bufferView": len(views) - 1,
                "componentType": kind,
                "count": len(flat),
                "type": _TYPES[flat.shape[1]],
            }
        )
        data.extend(flat.tobytes() + b"\0" * (-flat.nbytes % 4))
        return len(accessors) - 1

    around, rings = 100, VERTICES // 100
    i, j = np.divmod(np.arange(VERTICES), around)
    angle = 2 * np.pi * j / around
    normals = np.stack([np.cos(angle), np.zeros(VERTICES), np.sin(angle)], axis=-1)
    points = normals + np.stack([np.zeros(VERTICES), i * BONES / rings, np.zeros(VERTICES)], axis=-1)
    a, b = np.meshgrid(np.arange(rings - 1), np.arange(around), indexing="ij")
    corner = a * around + b
    right = a * around + (b + 1) % around
    faces = np.stack([corner, corner + around, right, right, corner + around, right + around], axis=-1)
    weights = g.random((VERTICES, 4)) + 0.05
    joints = np.clip(np.floor(points[:, 1:2]) + np.arange(-1, 3), 0, BONES - 1)
    bind = np.tile(np.eye(4), (BONES, 1, 1))
    bind[:, 3, 1] = -np.arange(BONES)
    times = add(np.linspace(0, 2, KEYS).astype("f4"))
    tracks = {
        "translation": np.tile(np.array([0, 1, 0]), (BONES, KEYS, 1)) + 0.05 * g.random((BONES, KEYS, 3)),
        "rotation": g.normal(size=(BONES, KEYS, 4)) * 0.1 + np.array([0, 0, 0, 1]),
        "scale": 1 + 0.05 * g.random((BONES, KEYS, 3)),
    }
    samplers: list[dict[str, int]] = []
    channels: list[dict[str, Any]] = []
    for name, values in tracks.items():
        for k in range(BONES):
            channels.append({"sampler": len(samplers), "target": {"node": k + 1, "path": name}})
            samplers.append({"input": times, "output": add(values[k].astype("f4"))})
    attributes = {
        "POSITION": add(points.astype("f4")),
        "NORMAL": add(normals.astype("f4")),
        "JOINTS_0": add(joints.astype("u1")),
        "WEIGHTS_0": add((weights / weights.sum(axis=1, keepdims=True)).astype("f4")),
    }
    gltf: dict[str, Any] = {
        "asset": {"version": "2.0"},
        "scenes": [{"nodes": [0, 1]}],
        "nodes": [{"mesh": 0, "skin": 0}, *({"children": [k + 2]} for k in range(BONES - 1)), {}],
        "meshes": [
            {"primitives": [{"attributes": attributes, "indices": add(faces.reshape(-1).astype("u2"))}]}
        ],
        "skins": [{"joints": list(range(1, BONES + 1)), "inverseBindMatrices": add(bind.astype("f4"))}],
        "animations": [{"name": "All", "samplers": samplers, "channels": channels}],
        "accessors": accessors,
        "bufferViews": views,
        "buffers": [{"byteLength": len(data)}],
    }
    text = json.dumps(gltf).encode()
    text += b" " * (-len(text) % 4)
    body = struct.pack("<II", len(text), 0x4E4F534A) + text + struct.pack("<II", len(data), 0x4E4942) + data
    path.write_bytes(struct.pack("<4sII", b"glTF", 2, 12 + len(body)) + body)
    return path


def rate(pose: Callable[[str, float], object], moving: Moving, seconds: float) -> float:
    """Return frames per CPU second over all clips of a model, the first round not counted."""
    asked = [
        (c.name, c.begin_s + u * c.duration_s) for c in moving.clips for u in np.linspace(0, 1, 17).tolist()
    ]
    for clip, time_s in asked[:17]:
        pose(clip, time_s)
    frames, start = 0, time.process_time()
    while time.process_time() - start < seconds:
        clip, time_s = asked[frames % len(asked)]
        pose(clip, time_s)
        frames += 1
    return frames / (time.process_time() - start)


def line(name: str, path: Path, seconds: float) -> float:
    """Print one model's numbers; return frames per CPU second of whole parts."""
    start = time.process_time()
    moving = open_moving(path)
    opened = time.process_time() - start
    vertices = sum(len(p.joint) for p in moving.pieces)
    whole = rate(moving.parts_at, moving, seconds)
    alone = rate(moving.vertices_at, moving, seconds)
    print(
        f"{name:28} {vertices:7,} vertices {len(moving.document.nodes):4} nodes {len(moving.clips):3} clips "
        f"{whole:7,.0f} frames/s {alone:7,.0f} without normals  opened in {1000 * opened:4.0f} ms"
    )
    return whole


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--assets", type=Path)
    parser.add_argument("--seconds", type=float, default=1.0)
    asked = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        line("made up", made_up(Path(folder) / "made-up.glb"), asked.seconds)
    if asked.assets is None:
        return
    files = sorted(p for p in asked.assets.iterdir() if p.suffix in (".glb", ".gltf"))
    found = [line(p.stem, p, asked.seconds / 4) for p in files]
    print(f"slowest of {len(found)}: {min(found):,.0f} frames/s; median {np.median(found):,.0f}")


if __name__ == "__main__":
    main()
