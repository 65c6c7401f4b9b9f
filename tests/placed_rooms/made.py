"""A folder in HSSD's format, made of built-in furniture, with faults where they are asked for."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from fathom.assets.catalogue import MODELS
from tests.assets.tiny_gltf import Tiny, u2

FURNITURE = {
    "desk1": ("furniture/desk.glb", "desk", "+z"),
    "chair1": ("furniture/office-chair.glb", "office chair", "0,0,1"),
    "shelf1": ("furniture/bookshelf.glb", "bookshelf", "+z"),
    "sofa1": ("furniture/sofa.glb", "sofa", "+z"),
    "lamp1": ("furniture/table-lamp.glb", "table lamp", ""),
    "fan1": ("furniture/fan.glb", "fan", "+z"),
    "box1": ("furniture/cardboard-box.glb", "cardboard box", ""),
    "truck1": ("furniture/toy-truck.glb", "toy truck", "+z"),
    "picture1": ("indoors/wide-picture.glb", "picture", ""),
}
"""Template → its file among the built-in ones, what it is called, and where its front points."""

PLACES: Mapping[str, tuple[Sequence[float], float]] = {
    "desk1": ((0.0, 0.0, -1.8), 0.0),
    "chair1": ((0.1, 0.0, -0.9), 180.0),
    "shelf1": ((2.0, 0.0, -1.9), 0.0),
    "sofa1": ((-2.0, 0.0, 0.0), 90.0),
    "lamp1": ((0.35, 0.745, -1.8), 0.0),
    "fan1": ((1.6, 0.0, 0.6), 250.0),
    "box1": ((0.2, 0.0, 1.2), 20.0),
    "truck1": ((0.9, 0.0, 0.1), 120.0),
    "picture1": ((-1.2, 1.3, -2.1), 0.0),
}
"""Template → where it stands (x, y up, z, metres), and by how much it is turned about y, degrees."""


WALL_Z, OPENING_X, HIGH = -0.5, (-0.8, 0.8), 2.6
"""Where the wall inside the stage is, and its way through; how high it is, metres, y up."""

_BLOCK = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)], dtype=np.float32)
_SIDES = ((0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3))


def stage() -> bytes:
    """Return a house of one floor, a ceiling, and a wall with a way through, as GLB with y up."""
    boxes = (
        ((-4, -0.1, -4), (4, 0, 4)),
        ((-4, HIGH, -4), (4, HIGH + 0.1, 4)),
        ((-4, 0, WALL_Z - 0.05), (OPENING_X[0], HIGH, WALL_Z + 0.05)),
        ((OPENING_X[1], 0, WALL_Z - 0.05), (4, HIGH, WALL_Z + 0.05)),
    )
    tiny = Tiny()
    for low, high in boxes:
        points = np.array(low) + _BLOCK * (np.array(high) - low)
        faces = [f for a, b, c, d in _SIDES for f in (a, b, c, a, c, d)]
        positions = tiny.add(points.astype(np.float32))
        tiny.primitive(attributes={"POSITION": positions}, indices=tiny.add(u2(faces)))
    return tiny.glb()


def staged_folder(path: Path, model: bool = True) -> Path:
    """Return a folder with one room in a house, with the model of the house or without."""
    folder = folder_of(path)
    file = folder / "scenes" / "study.scene_instance.json"
    said = {**json.loads(file.read_text("utf-8")), "stage_instance": {"template_name": "stages/house"}}
    file.write_text(json.dumps(said), "utf-8")
    if model:
        (folder / "stages").mkdir()
        (folder / "stages" / "house.glb").write_bytes(stage())
    return folder


def entry(name: str, **more: Any) -> dict[str, Any]:
    """Return an object as a scene file writes it."""
    place, turn = PLACES[name]
    half = math.radians(turn) / 2
    return {
        "template_name": f"objects/{name}",
        "translation": list(place),
        "rotation": [math.cos(half), 0.0, math.sin(half), 0.0],
        **more,
    }


def folder_of(path: Path, entries: Sequence[Any] | None = None, without: Sequence[str] = ()) -> Path:
    """Return a folder with one room, its models, and the table of what they are."""
    (path / "scenes").mkdir(parents=True)
    (path / "objects").mkdir()
    (path / "semantics").mkdir()
    rows = ["id,name,front"]
    for name, (file, noun, front) in FURNITURE.items():
        rows.append(f'{name},{noun},"{front}"')
        if name not in without:
            (path / "objects" / f"{name}.glb").write_bytes((MODELS / file).read_bytes())
    (path / "semantics" / "objects.csv").write_text("\n".join(rows), "utf-8")
    said = {"object_instances": [entry(n) for n in PLACES] if entries is None else list(entries)}
    (path / "scenes" / "study.scene_instance.json").write_text(json.dumps(said), "utf-8")
    return path
