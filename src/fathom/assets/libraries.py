"""A library of models, wherever they come from: what a world draws its objects from."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from fathom.assets.builtin import AssetSpec
from fathom.assets.folders import folder_hash, folder_model
from fathom.assets.library import LIBRARY, VERSION, built_in
from fathom.assets.manifest import manifest_of
from fathom.assets.model import Model
from fathom.records import AssetError, AssetRef, InputError


@dataclass(frozen=True)
class Entry:
    """One model of a library; `model` returns it at unit size, standing over the origin, facing +x.

    `length_m` is its real length from front to back; 0 where nobody said.
    """

    name: str
    category: str
    subtype: str
    model: Callable[[], Model]
    sha256: Callable[[], str]
    recolourable: bool = True
    length_m: float = 0.0


@dataclass(frozen=True)
class Library:
    """Models by name; several entries may share a subtype."""

    name: str
    entries: tuple[Entry, ...]

    def subtypes(self) -> tuple[tuple[str, str], ...]:
        """Return the (category, subtype) pairs that can be drawn, in a stable order."""
        return tuple(dict.fromkeys((e.category, e.subtype) for e in self.entries))

    def of_subtype(self, subtype: str) -> tuple[Entry, ...]:
        """Return the entries of one subtype."""
        return tuple(e for e in self.entries if e.subtype == subtype)

    def entry(self, name: str) -> Entry:
        """Return the entry called `name`. Raises InputError that lists what there is."""
        for e in self.entries:
            if e.name == name:
                return e
        known = ", ".join(e.name for e in self.entries)
        raise InputError(f"{name!r}: no such model in the library {self.name}; there are {known}")

    def ref(self, name: str) -> AssetRef:
        """Return the reference that a scene keeps of the model called `name`."""
        return AssetRef(name=name, sha256=self.entry(name).sha256())


def built_in_library() -> Library:
    """Return the library of the 21 built-in vehicles."""
    entries = tuple(
        Entry(
            name=m.id,
            category=m.category,
            subtype=m.id,
            model=partial(built_in, m.id),
            sha256=partial(_shape, m),
        )
        for m in LIBRARY.values()
    )
    return Library(name=f"built-in-{VERSION}", entries=entries)


def _shape(spec: AssetSpec) -> str:
    return spec.shape


def open_library(folder: Path | None) -> Library:
    """Return the library of a folder of models with a manifest; without a folder, the built-in one.

    Raises AssetError where the manifest is missing or wrong, or names models that nobody has reviewed.
    """
    if folder is None:
        return built_in_library()
    manifest = manifest_of(folder)
    unseen = [m.called for m in manifest.models if not m.reviewed]
    if unseen:
        some = ", ".join(unseen[:3]) + (" …" if len(unseen) > 3 else "")
        raise AssetError(
            f"{folder}: {len(unseen)} models were not reviewed ({some}); look at the contact sheet, correct "
            "their entries and set `reviewed` to true, or take them out"
        )
    entries = tuple(
        Entry(
            name=m.called,
            category=m.category,
            subtype=m.subtype,
            model=partial(folder_model, folder, m),
            sha256=partial(folder_hash, folder, m),
            recolourable=bool(m.body_materials),
            length_m=m.size_m,
        )
        for m in manifest.models
    )
    return Library(name=manifest.name, entries=entries)


def joined_library(folders: Sequence[Path]) -> Library | None:
    """Return what several folders hold as one library, None of no folder; names tell the folder where there
    are several.
    """
    found = [open_library(f) for f in folders]
    if len(found) < 2:
        return found[0] if found else None
    entries = (replace(e, name=f"{x.name}:{e.name}") for x in found for e in x.entries)
    return Library("+".join(x.name for x in found), tuple(entries))
