"""Loading and hashing models: built-in ones, which are exact, and those of folders.

built_in_model("street", "street lamp")          # at its usual size, facing +x
unit_model(spec), shape_hash(spec)               # of any entry of any catalogue
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import replace
from functools import cache, lru_cache
from pathlib import Path

import numpy as np

from fathom.assets.catalogue import MODELS, REMEDY, catalogue
from fathom.assets.gltf import LIMITS, FileLimits, read_document, resource_hashes, still_parts
from fathom.assets.gltf.axes import turned
from fathom.assets.gltf.document import Document
from fathom.assets.gltf.moving import Moving, open_moving
from fathom.assets.gltf.surface import DEFAULT
from fathom.assets.model import BODY, Model, Part, Points, standing
from fathom.assets.spec import AssetSpec
from fathom.records import AssetError, InputError
from fathom.store.files import inside

CREATURES = MODELS / "creatures"
"""The built-in animated models: a folder like any other of animated models, with its manifest."""

READER = "1"
"""Raised whenever the same file of a folder gives another model."""

USUAL_LENGTH_M = 0.85
"""The longer footprint side of unit models of classes that the built-in vehicles do not have."""


def unit_model(spec: AssetSpec) -> Model:
    """Return a model at unit size, standing over the origin, facing +x.

    Raises AssetError where its file cannot be used.
    """
    return built_in_model(spec.pack, spec.name) if spec.built_in else folder_model(spec)


def shape_hash(spec: AssetSpec) -> str:
    """Return what scenes keep of a model to know it by: the SHA-256 of what makes its shape."""
    return spec.shape if spec.built_in else folder_hash(spec)


@cache
def built_in_model(pack: str, name: str) -> Model:
    """Return a built-in model at its usual size, facing +x.

    Raises InputError where there is no such model, AssetError where its file is not that of the catalogue.
    """
    spec = spec_of(pack, name)
    model = as_it_lies(spec, _checked(spec))
    factors = np.array(spec.box_m) / model.extents
    return Model(model.name, model.category, model.subtype, tuple(_fitted(p, factors) for p in model.parts))


def as_it_lies(spec: AssetSpec, path: Path) -> Model:
    """Return the model in a built-in asset's file, facing +x, as large as the file has it."""
    parts = turned(_parts(read_document(path)), "+z", "+y")
    return Model(name=spec.name, category=spec.category, subtype=spec.name, parts=parts)


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
    factors = np.array(spec_of(pack, name).box_m) / np.ptp(rest[:, [2, 0, 1]], axis=0)
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


def load(spec: AssetSpec, limits: FileLimits = LIMITS) -> Model:
    """Return a model of a folder at unit size, standing over the origin, facing +x.

    Raises AssetError, with one sentence, where the file cannot be used or lies outside the folder.
    """
    document = read_document(model_file(spec), Path(spec.folder), limits)
    parts = turned(still_parts(document), spec.front, spec.up)
    if spec.body_materials:
        parts = _with_body(parts, spec.body_materials, document.path)
    model = Model(spec.name, spec.category, spec.subtype, parts)
    length, width, height = model.extents
    if max(length, width) < 1e-4 * height:
        raise AssetError(f"{document.path}: has no footprint to stand on; check its `up` ({spec.up})")
    # What is taller than long must not tower over everything else.
    longest = unit_length_m(spec.category, spec.subtype) * min(1.0, max(length, width) / height)
    return standing(model, longest)


def model_file(spec: AssetSpec) -> Path:
    """Return where a folder's model lies. Raises AssetError where that is outside the folder."""
    folder = Path(spec.folder)
    try:
        inside(folder, spec.file)
    except (InputError, OSError, ValueError, RuntimeError) as e:
        raise AssetError(f"{spec.file!r}: lies outside the folder {folder}; correct the manifest") from e
    return folder / spec.file


def unit_length_m(category: str, subtype: str) -> float:
    """Return the longer footprint side at unit size: as long as the built-in models of the same kind."""
    vehicles = catalogue("vehicles")
    known = vehicles.get(subtype)
    if known is not None and known.category == category:
        return known.longest_m
    alike = [m.longest_m for m in vehicles.values() if m.category == category]
    return round(sum(alike) / len(alike), 4) if alike else USUAL_LENGTH_M


def folder_model(spec: AssetSpec) -> Model:
    """Return `load`'s model, kept for the next time."""
    return _loaded(spec.source)


@lru_cache(maxsize=128)
def _loaded(source: AssetSpec) -> Model:
    return load(source)


def folder_hash(spec: AssetSpec) -> str:
    """Return the SHA-256 of everything that makes a model: its files, and how the catalogue turns them.

    The model is loaded once on the way, so that one that cannot be used is found before anything is built.
    """
    return _hashed(spec.source)


@lru_cache(maxsize=4096)
def _hashed(source: AssetSpec) -> str:
    _loaded(source)
    h = hashlib.sha256()
    h.update(f"{READER}|{source.front}|{source.up}|{'|'.join(sorted(source.body_materials))}".encode())
    h.update(f"|{unit_length_m(source.category, source.subtype)}".encode())
    for digest in resource_hashes(model_file(source), Path(source.folder), LIMITS):
        h.update(digest.encode())
    return h.hexdigest()


def _with_body(parts: Sequence[Part], names: Sequence[str], path: Path) -> tuple[Part, ...]:
    """Return the parts with the materials in `names` as the body that takes a colour."""
    there = sorted({p.material.name for p in parts})
    for name in names:
        if name not in there:
            known = ", ".join(map(repr, there))
            raise AssetError(f"{path}: has no material {name!r} for body_materials; there are {known}")
    for p in parts:
        if p.material.name in names and (p.material.texture is not None or p.vertex_colors is not None):
            raise AssetError(
                f"{path}: the material {p.material.name!r} is colored by a texture or by its vertices and "
                "cannot take another color; take it out of body_materials"
            )
    return tuple(
        replace(p, material=replace(p.material, name=BODY)) if p.material.name in names else p for p in parts
    )
