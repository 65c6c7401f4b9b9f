"""Small folders of animated models, made by hand: one that is good enough, and all that goes wrong."""

from __future__ import annotations

from pathlib import Path

import msgspec
import numpy as np

from fathom.assets.animated.manifest import (
    FILE_NAME,
    PROPOSED_NAME,
    AnimatedEntry,
    AnimatedManifest,
    ClipEntry,
    read_animated_manifest,
    write_animated_manifest,
)
from tests.animated.moving_gltf import clip, primitive, skinned, sliding
from tests.assets.tiny_gltf import Tiny, f4, png, u2, wedge

UID = "0123456789abcdef0123456789abcdef"
SMALL = {"stage": "props", "views": "6", "frames": "24", "size_px": "192"}
"""The settings of films that are built in seconds."""

SET = tuple(word for name, value in SMALL.items() for word in ("--set", f"{name}={value}"))


def _ball(tiny: Tiny, color: tuple[float, ...], stretch: tuple[float, ...], around: tuple[float, ...]) -> int:
    """Add a ball of 264 triangles in a colour of its own; return its mesh."""
    across, along = 12, 12
    theta = np.linspace(0, np.pi, across)[:, None]
    phi = np.linspace(0, 2 * np.pi, along, endpoint=False)[None, :]
    points = np.stack(
        [np.sin(theta) * np.cos(phi), np.cos(theta) * np.ones_like(phi), np.sin(theta) * np.sin(phi)], axis=-1
    ).reshape(-1, 3)
    i, j = np.meshgrid(np.arange(across - 1), np.arange(along), indexing="ij")
    a, b = i * along + j, i * along + (j + 1) % along
    faces = np.concatenate(
        [np.stack([a, b, a + along], axis=-1), np.stack([b, b + along, a + along], axis=-1)]
    )
    if tiny.json["meshes"] == [{"primitives": []}]:
        tiny.json["meshes"], tiny.json["materials"] = [], []
    number = len(tiny.json["materials"])
    tiny.json["materials"].append(
        {"name": f"paint {number}", "pbrMetallicRoughness": {"baseColorFactor": [*color, 1]}}
    )
    found = {
        "attributes": {"POSITION": tiny.add(f4(points * stretch + around))},
        "indices": tiny.add(u2(faces.reshape(-1))),
        "material": number,
    }
    tiny.json["meshes"].append({"primitives": [found]})
    return len(tiny.json["meshes"]) - 1


def bird(color: tuple[float, ...] = (0.8, 0.02, 0.02)) -> Tiny:
    """Return a body with a head before it, which jumps, nods and glides."""
    tiny = Tiny()
    body = _ball(tiny, color, (0.5, 0.4, 0.9), (0, 0.5, 0))
    head = _ball(tiny, (0.02, 0.5, 0.05), (0.3, 0.3, 0.3), (0, 0, 0))
    tiny.json["nodes"] = [
        {"name": "body", "mesh": body, "children": [1]},
        {"name": "head", "mesh": head, "translation": [0, 1.0, 1.0]},
    ]
    times = np.linspace(0, 1, 9)
    up = np.sin(np.pi * times)
    clip(tiny, "Jump", (0, "translation", times, np.stack([0 * up, up, 0 * up], axis=-1)))
    down = 0.5 * np.sin(np.pi * times) ** 2
    nod = np.stack([0 * down, 1.0 - down, 1.0 + down / 2], axis=-1)
    clip(tiny, "Yes", (1, "translation", times, nod))
    turn = np.stack([0 * times, np.sin(np.pi * times), 0 * times, np.cos(np.pi * times)], axis=-1)
    return clip(tiny, "Whirl", (0, "rotation", times, turn))


def unweighted() -> Tiny:
    """Return bones that no vertex hangs on."""
    return skinned(np.zeros((6, 4), np.float32), "Jump")


def _cyclic() -> Tiny:
    tiny = sliding()
    tiny.json["nodes"] = [{"mesh": 0, "children": [1]}, {"children": [0]}]
    return tiny


def _pointlike() -> Tiny:
    tiny = sliding()
    tiny.json["nodes"][0]["scale"] = [0, 0, 0]
    return tiny


def _huge() -> Tiny:
    tiny = sliding()
    tiny.json["accessors"].append({"componentType": 5126, "count": 7_000_000, "type": "VEC3"})
    primitive(tiny)["attributes"]["POSITION"] = len(tiny.json["accessors"]) - 1
    return tiny


def _badly_textured() -> Tiny:
    tiny = sliding()
    tiny.json["images"] = [{"bufferView": tiny.add_bytes(png()[:30])}]
    tiny.json["textures"] = [{"source": 0}]
    tiny.json["materials"][0]["pbrMetallicRoughness"]["baseColorTexture"] = {"index": 0}
    return tiny


def _plain() -> Tiny:
    tiny = sliding()
    del tiny.json["materials"]
    del primitive(tiny)["material"]
    return tiny


def _twice() -> Tiny:
    return clip(sliding(), "Slide", (0, "translation", [0, 1], [[0, 0, 0], [0, 2, 0]]))


def _moved(times: object, values: object) -> Tiny:
    return clip(wedge(), "Jump", (0, "translation", times, values))


REFUSED = {
    "cyclic": (_cyclic, "circle"),
    "zero-length": (lambda: _moved([0.5, 0.5], [[0, 0, 0], [1, 0, 0]]), "no time"),
    "moves-nothing": (lambda: _moved([0, 1], [[0, 0, 0], [0, 0, 0]]), "nothing moves"),
    "pointlike": (_pointlike, "no finite size"),
    "not-numbers": (lambda: _moved([0, 1], [[0, 0, 0], [np.nan, 0, 0]]), "not finite"),
    "huge": (_huge, "7,000,000 vertices"),
    "badly-textured": (_badly_textured, "cannot be decoded"),
    "unweighted": (unweighted, "nothing moves"),
}
"""What cannot be used at all, and a word of the reason."""

ODD = {"twice": _twice, "Ärger 走る": sliding, "plain": _plain}
"""What looks odd, and can be used or not, but ends nothing."""


def bad_folder(folder: Path) -> Path:
    """Write a folder with a bird in a folder named by a uid, and everything that goes wrong beside it."""
    bird().write(folder / UID / "model.gltf")
    for name, (make, _) in REFUSED.items():
        make().write(folder / f"{name}.gltf")
    for name, make in ODD.items():
        make().write(folder / f"{name}.gltf")
    whole = sliding().glb()
    (folder / "truncated.glb").write_bytes(whole[: len(whole) // 2])
    return folder


def reviewed(folder: Path, **changes: object) -> AnimatedManifest:
    """Save the proposal as a person would who lets everything pass; `changes` are those of every actor."""
    proposed = read_animated_manifest(folder / PROPOSED_NAME)
    assets = tuple(
        msgspec.structs.replace(
            a, reviewed=True, clips=tuple(_with_verb(c) for c in a.clips if not c.reason), **changes
        )
        for a in proposed.assets
    )
    manifest: AnimatedManifest = msgspec.structs.replace(proposed, assets=assets)
    write_animated_manifest(folder / FILE_NAME, manifest)
    return manifest


def _with_verb(found: ClipEntry) -> ClipEntry:
    return msgspec.structs.replace(found, verb=found.verb or ("spin" if found.name == "Whirl" else "jump"))


def believed(file: str, clip_name: str = "Jump") -> AnimatedEntry:
    """Return the entry of a file of which a person believed, before it broke, that it jumps."""
    jump = ClipEntry(name=clip_name, verb="jump", end_s=1.0, duration_s=1.0)
    return AnimatedEntry(
        file=file, name=f"believed {Path(file).stem}", noun="thing", category="object", size_m=1.0,
        clips=(jump,), reviewed=True,
    )  # fmt: skip
