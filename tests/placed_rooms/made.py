"""A folder in HSSD's format, made of built-in furniture, with faults where they are asked for."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from fathom.assets.catalogue import MODELS

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
