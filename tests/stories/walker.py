"""A made-up walker: a body on two feet that take turns on the ground, where they go back at a known speed."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from fathom.assets.animated.library import AnimatedAsset, asset_of
from fathom.assets.animated.manifest import AnimatedEntry, AnimatedManifest, ClipEntry
from tests.animated.moving_gltf import clip
from tests.assets.tiny_gltf import wedge

SPEED_MPS = 0.4
"""How fast the foot that stands goes back under the body, in metres a second: the walker is 2 m long."""


def walker(folder: Path, **more: str) -> AnimatedAsset:
    """Return an asset that walks on the spot, in steps of half a second, and nods and falls."""
    tiny = wedge()
    tiny.json["nodes"] = [
        {"name": "body", "mesh": 0, "translation": [0, 1.0, 0], "scale": [0.5, 0.6, 1.0]},
        {"name": "foot.L", "mesh": 0, "translation": [0.4, 0, 0], "scale": [0.15, 0.1, 0.1]},
        {"name": "foot.R", "mesh": 0, "translation": [-0.4, 0, 0], "scale": [0.15, 0.1, 0.1]},
    ]
    tiny.json["scenes"] = [{"nodes": [0, 1, 2]}]
    times = np.linspace(0, 1, 41)
    for_file = 2.0  # the file is 4 long, the asset 2 m
    reach = SPEED_MPS * for_file * 0.5
    tracks = []
    for node, side, late in ((1, 0.4, 0.0), (2, -0.4, 0.5)):
        phase = (times + late) % 1.0
        down = phase < 0.5
        ahead = np.where(down, 0.5 - phase / 0.5, (phase - 0.5) / 0.5 - 0.5) * reach
        lift = np.where(down, 0.0, 0.4 * np.sin(np.pi * (phase - 0.5) / 0.5))
        tracks.append((node, "translation", times, np.stack([0 * times + side, lift, ahead], axis=-1)))
    clip(tiny, "Walk", *tracks)
    clip(tiny, "Nod", (0, "translation", [0, 0.5, 1], [[0, 1, 0], [0, 1.6, 0], [0, 1, 0]]))
    half = np.sqrt(0.5)
    clip(tiny, "Tip", (0, "rotation", [0, 1], [[0, 0, 0, 1], [half, 0, 0, half]]))
    tiny.write(folder / "walker.gltf")
    verbs = {"Walk": "walk", "Nod": "nod", "Tip": "bow"} | more
    entry = AnimatedEntry(
        file="walker.gltf", name="walker", noun="walker", category="robot", size_m=2.0, reviewed=True,
        clips=tuple(
            ClipEntry(name=n, verb=v, end_s=1.0, duration_s=1.0, loops=n != "Tip") for n, v in verbs.items()
        ),
    )  # fmt: skip
    return asset_of(folder, entry, AnimatedManifest(name="made", assets=(entry,)))
