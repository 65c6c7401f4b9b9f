"""Models out of a folder, as the manifest describes them."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from fathom.assets.gltf import LIMITS, FileLimits, read_document, resource_hashes, still_parts
from fathom.assets.gltf.axes import turned
from fathom.assets.library import LIBRARY
from fathom.assets.manifest import ModelEntry
from fathom.assets.model import BODY, Model, Part, standing
from fathom.records import AssetError, InputError
from fathom.store.files import inside

READER = "1"
"""Raised whenever the same file gives another model."""

USUAL_LENGTH_M = 0.85
"""The longer footprint side of unit models of classes that the built-in library does not have."""


def load(folder: Path, entry: ModelEntry, limits: FileLimits = LIMITS) -> Model:
    """Return a model of a folder at unit size, standing over the origin, facing +x.

    Raises AssetError, with one sentence, where the file cannot be used or lies outside the folder.
    """
    document = read_document(model_file(folder, entry), folder, limits)
    parts = turned(still_parts(document), entry.front, entry.up)
    if entry.body_materials:
        parts = _with_body(parts, entry.body_materials, document.path)
    model = Model(entry.called, entry.category, entry.subtype, parts)
    length, width, height = model.extents
    if max(length, width) < 1e-4 * height:
        raise AssetError(f"{document.path}: has no footprint to stand on; check its `up` ({entry.up})")
    # What is taller than long must not tower over everything else.
    longest = unit_length_m(entry.category, entry.subtype) * min(1.0, max(length, width) / height)
    return standing(model, longest)


def model_file(folder: Path, entry: ModelEntry) -> Path:
    """Return where a model lies. Raises AssetError where that is outside the folder."""
    try:
        inside(folder, entry.file)
    except (InputError, OSError, ValueError, RuntimeError) as e:
        raise AssetError(f"{entry.file!r}: lies outside the folder {folder}; correct the manifest") from e
    return folder / entry.file


def unit_length_m(category: str, subtype: str) -> float:
    """Return the longer footprint side at unit size: as long as the built-in models of the same kind."""
    known = LIBRARY.get(subtype)
    if known is not None and known.category == category:
        return known.longest_m
    alike = [m.longest_m for m in LIBRARY.values() if m.category == category]
    return round(sum(alike) / len(alike), 4) if alike else USUAL_LENGTH_M


@lru_cache(maxsize=128)
def folder_model(folder: Path, entry: ModelEntry) -> Model:
    """Return `load`'s model, kept for the next time."""
    return load(folder, entry)


@lru_cache(maxsize=4096)
def folder_hash(folder: Path, entry: ModelEntry) -> str:
    """Return the SHA-256 of everything that makes a model: its files, and how the manifest turns them.

    The model is loaded once on the way, so that one that cannot be used is found before anything is built.
    """
    folder_model(folder, entry)
    h = hashlib.sha256()
    h.update(f"{READER}|{entry.front}|{entry.up}|{'|'.join(sorted(entry.body_materials))}".encode())
    h.update(f"|{unit_length_m(entry.category, entry.subtype)}".encode())
    for digest in resource_hashes(model_file(folder, entry), folder, LIMITS):
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
                f"{path}: the material {p.material.name!r} is coloured by a texture or by its vertices and "
                "cannot take another colour; take it out of body_materials"
            )
    return tuple(
        replace(p, material=replace(p.material, name=BODY)) if p.material.name in names else p for p in parts
    )
