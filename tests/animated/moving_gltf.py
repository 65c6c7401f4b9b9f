"""Tiny animated glTF files made by hand: the wedge of the other tests, moved, turned, skinned and morphed."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.assets.tiny_gltf import POINTS, Array, Tiny, f4, wedge

Track = tuple[int, str, object, object]
"""The node that is moved, the path, times and values."""


def clip(tiny: Tiny, name: str, *tracks: Track, interpolation: str = "LINEAR") -> Tiny:
    """Add an animation to a file."""
    samplers, channels = [], []
    for node, path, times, values in tracks:
        flat = f4(values)
        flat = flat.reshape(-1, 1) if path == "weights" else flat
        samplers.append(
            {
                "input": tiny.add(f4(times).reshape(-1, 1)),
                "output": tiny.add(flat),
                "interpolation": interpolation,
            }
        )
        channels.append({"sampler": len(samplers) - 1, "target": {"node": node, "path": path}})
    found = tiny.json.setdefault("animations", [])
    found.append({"name": name, "samplers": samplers, "channels": channels})
    return tiny


def sliding() -> Tiny:
    """Return the wedge that slides 4 along x in 2 seconds."""
    return clip(wedge(), "Slide", (0, "translation", [0, 2], [[0, 0, 0], [4, 0, 0]]))


def primitive(tiny: Tiny) -> Any:
    """Return the record of the wedge's only primitive."""
    return tiny.json["meshes"][0]["primitives"][0]


def skinned(weights: Array | None = None, name: str = "Bend") -> Tiny:
    """Return the wedge on two joints, its low z on the first; the second is lifted 3 in a second."""
    tiny = wedge()
    front = (POINTS[:, 2] > 0).astype(np.float32)
    if weights is None:
        weights = np.stack([1 - front, front, 0 * front, 0 * front], axis=-1)
    primitive(tiny)["attributes"] |= {
        "JOINTS_0": tiny.add(np.tile(np.array([0, 1, 0, 0], np.uint8), (6, 1))),
        "WEIGHTS_0": tiny.add(f4(weights)),
        "NORMAL": tiny.add(np.tile(f4([0, 1, 0]), (6, 1))),
    }
    tiny.json["nodes"] = [
        {"name": "wedge", "mesh": 0, "skin": 0},
        {"name": "Back.L"},
        {"name": "Head.R"},
    ]
    tiny.json["scenes"] = [{"nodes": [0, 1, 2]}]
    bind = np.tile(np.eye(4, dtype=np.float32).reshape(1, 16), (2, 1))
    tiny.json["skins"] = [{"joints": [1, 2], "inverseBindMatrices": tiny.add(bind)}]
    return clip(tiny, name, (2, "translation", [0, 1], [[0, 0, 0], [0, 3, 0]]))


def hopping(name: str = "Hop") -> Tiny:
    """Return the wedge that rises 2 and comes down again, in 2 seconds."""
    times = np.linspace(0, 2, 9)
    lift = 2 * np.sin(np.pi * times / 2)
    return clip(wedge(), name, (0, "translation", times, np.stack([0 * times, lift, 0 * times], axis=-1)))
