"""The built-in models: GLB files, one folder a pack, each with a catalogue of what lies in it.

catalogue("street")["street lamp"].size_m
built_in_model("street", "street lamp")
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path

import msgspec
import numpy as np

from fathom.assets.gltf.axes import turned
from fathom.assets.gltf.document import Document, read_document
from fathom.assets.gltf.moving import Moving, open_moving
from fathom.assets.gltf.surface import DEFAULT
from fathom.assets.model import Model, Part, Points
from fathom.records import AssetError, InputError, Record

MODELS = Path(__file__).with_name("models")
CATALOGUE = "catalogue.json"

CREATURES = MODELS / "creatures"
"""The built-in animated models: a folder like any other of animated models, with its manifest."""

REMEDY = "install fathom again, or write the files again with tools/make_assets.py"


class AssetSpec(Record, frozen=True, kw_only=True):
    """What the catalogue says of one model.

    id : what scenes and tables call it; `noun` and `category` are words that questions can use
    file : where it lies under the folder of models; its front is towards
        +z and its top towards +y
    sha256 : the hash of the file; `shape` that of the model's vertices in micrometres, which scenes keep
    size_m : its exact length, width and height, which the file's float32 positions are fitted to
    triangles : how many there are of it
    recolourable : whether a part of it takes a body colour
    """

    id: str
    noun: str
    category: str
    file: str
    sha256: str
    shape: str
    size_m: tuple[float, float, float]
    triangles: int
    recolourable: bool
    license: str

    @property
    def longest_m(self) -> float:
        """The longer side of its footprint."""
        return max(self.size_m[:2])


class Catalogue(Record, frozen=True, kw_only=True):
    """What lies in a folder of built-in models, in a fixed order."""

    name: str
    models: tuple[AssetSpec, ...]


@cache
def catalogue(pack: str) -> Mapping[str, AssetSpec]:
    """Return the models of a built-in pack by their ids. Raises AssetError where it cannot be read."""
    path = MODELS / pack / CATALOGUE
    try:
        found = msgspec.json.decode(path.read_bytes(), type=Catalogue)
    except (OSError, msgspec.MsgspecError) as e:
        raise AssetError(f"{path}: is no catalogue of built-in models ({e}); {REMEDY}") from e
    return {m.id: m for m in found.models}


@cache
def built_in_model(pack: str, name: str) -> Model:
    """Return a built-in model at its usual size, facing +x.

    Raises InputError where there is no such model, AssetError where its file is not that of the catalogue.
    """
    spec = spec_of(pack, name)
    parts = turned(_parts(read_document(_checked(spec))), "+z", "+y")
    model = Model(name=spec.id, category=spec.category, subtype=spec.id, parts=parts)
    factors = np.array(spec.size_m) / model.extents
    return Model(model.name, model.category, model.subtype, tuple(_fitted(p, factors) for p in parts))


def spec_of(pack: str, name: str) -> AssetSpec:
    """Return what the catalogue says of a built-in model. Raises InputError where there is none."""
    known = catalogue(pack)
    if name not in known:
        raise InputError(f"{name!r}: no such model in the built-in pack {pack}; there are {', '.join(known)}")
    return known[name]


def _checked(spec: AssetSpec) -> Path:
    """Return where a model's file lies. Raises AssetError where it is not that of the catalogue."""
    path = MODELS / spec.file
    try:
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError as e:
        raise AssetError(f"{path}: a built-in model cannot be read ({e.strerror or e}); {REMEDY}") from e
    if digest != spec.sha256:
        raise AssetError(
            f"{path}: its hash is {digest[:12]}, the catalogue says {spec.sha256[:12]}; {REMEDY}"
        )
    return path


def built_in_parts(pack: str, name: str) -> tuple[Part, ...]:
    """Return the parts of a built-in model."""
    return built_in_model(pack, name).parts


@cache
def built_in_moving(pack: str, name: str) -> Moving:
    """Return a built-in model that can be posed, in its file's frame. Raises as `built_in_model` does."""
    return open_moving(_checked(spec_of(pack, name)))


def built_in_parts_at(pack: str, name: str, clip: str, time_s: float) -> tuple[Part, ...]:
    """Return a model's parts at a time of a clip, with the triangles and the frame of `built_in_parts`."""
    still = built_in_parts(pack, name)
    moving = built_in_moving(pack, name)
    rest = np.concatenate([p.still.vertices for p in moving.pieces])
    factors = np.array(spec_of(pack, name).size_m) / np.ptp(rest[:, [2, 0, 1]], axis=0)
    posed = turned(moving.parts_at(clip, time_s), "+z", "+y")
    return tuple(
        replace(p, vertices=q.vertices * factors, normals=q.normals)
        for p, q in zip(still, posed, strict=True)
    )


def _parts(document: Document) -> tuple[Part, ...]:
    """Return every node's triangles as they are in the file: unlike files from outside, these are whole."""
    parts = []
    for i in document.shown:
        node = document.nodes[i]
        for p in document.meshes[node.mesh].primitives if node.mesh >= 0 else ():
            surface = document.surfaces[p.surface] if p.surface >= 0 else DEFAULT
            parts.append(Part(node.name, p.positions, p.faces, surface.material, _unit(p.normals)))
    return tuple(parts)


def _unit(normals: Points | None) -> Points | None:
    return None if normals is None else normals / np.linalg.norm(normals, axis=1, keepdims=True)


def _fitted(part: Part, factors: Points) -> Part:
    return Part(part.name, part.vertices * factors, part.faces, part.material, part.normals)
