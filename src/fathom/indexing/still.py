"""What can be measured of a folder of models, proposed as its manifest and drawn for a person to correct."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from fathom.assets.blender.converting import NOTHING_CONVERTED, Converted
from fathom.assets.catalogue import FILE_NAME, PROPOSED_NAME, write_catalogue
from fathom.assets.gltf import LIMITS, read_document, still_parts
from fathom.assets.gltf.axes import turned
from fathom.assets.libraries import VEHICLES
from fathom.assets.loading import unit_length_m
from fathom.assets.model import Model, Part, standing
from fathom.assets.spec import AssetSpec, Catalogue
from fathom.indexing.fronts import Guess, guess_front
from fathom.records import AssetError, InputError
from fathom.store.files import sha256_file, write_bytes

SHEET_NAME = "fathom-assets.png"
MOST_FILES = 2_000
SHEET_ROWS = 24
"""Rows of one contact sheet; larger folders get several."""

AZIMUTHS_DEG = (90.0, 40.0, 220.0)
"""From the side, with the front to the right; from ahead; from behind."""

_SYNONYMS = {
    "pickup": "truck", "motorcycle": "cruiser", "motorbike": "cruiser", "bus": "regular", "estate": "wagon",
    "plane": "airliner", "airplane": "airliner", "bike": "road", "bicycle": "road",
}  # fmt: skip
_ALONE = frozenset({"truck", "road", "regular", "double", "school", "utility", "jet"})
"""Subtypes that another word before them makes into something else: a fire truck is no pickup truck."""

_BODY = re.compile(r"paint|body|lack|carrosserie|chassis", re.I)


@dataclass(frozen=True)
class MeasuredModel:
    """One model as it was found: its proposed entry, the model facing its believed front, and the guess."""

    entry: AssetSpec
    model: Model
    guess: Guess


@dataclass(frozen=True)
class Proposal:
    """A proposed catalogue, and what it was read from."""

    catalogue: Catalogue
    measured: tuple[MeasuredModel, ...]


def propose(
    folder: Path,
    say: Callable[[str, int, int], None] = lambda what, done, total: None,
    converted: Converted = NOTHING_CONVERTED,
) -> Proposal:
    """Return the proposed catalogue of all glTF and GLB files in a folder and the folders in it.

    Files that cannot be used, and those that could not be `converted`, stand in `refused`, with the reason.
    Raises AssetError where no file can.
    """
    if not folder.is_dir():
        raise AssetError(f"{folder}: expected a folder of models, but there is none; check the path")
    files = _files(folder)
    if len(files) > MOST_FILES:
        raise AssetError(f"{folder}: has {len(files):,} models; index at most {MOST_FILES:,} at a time")
    measured, refused = [], dict(converted.refused)
    for k, path in enumerate(files):
        name = path.relative_to(folder).as_posix()
        try:
            measured.append(measure(folder, name))
        except InputError as e:
            refused[name] = str(e)
        say(folder.name, k + 1, len(files))
    if not measured:
        first = next(iter(refused.values()), "no file ends with .gltf or .glb")
        raise AssetError(f"{folder}: holds no model that can be used ({first})")
    found = Catalogue(
        name=folder.resolve().name,
        models=tuple(m.entry for m in measured),
        files={m.entry.file: sha256_file(folder / m.entry.file) for m in measured},
        refused=refused,
    )
    return Proposal(found, tuple(measured))


def measure(folder: Path, name: str) -> MeasuredModel:
    """Return what one file holds. Raises AssetError where it cannot be used."""
    parts = still_parts(read_document(folder / name, folder, LIMITS))
    guess = guess_front(parts)
    facing = turned(parts, guess.front, "+y")
    category, subtype = words_for(Path(name).stem, folder.resolve().name)
    model = Model(Path(name).stem, category, subtype, facing)
    length, width, height = model.extents
    if max(length, width) < 1e-4 * height:
        raise AssetError(f"{folder / name}: has no footprint to stand on")
    textures = len({id(p.material.texture) for p in parts if p.material.texture is not None})
    entry = AssetSpec(
        file=name,
        name=Path(name).with_suffix("").as_posix(),
        category=category,
        subtype=subtype,
        size_m=round(min(max(length, 0.001), 1000.0), 3),
        front=guess.front,
        body_materials=body_materials(parts),
        note=(
            f"measured {length:.3g} × {width:.3g} × {height:.3g} in the file's units, {model.triangles:,} "
            f"triangles, {textures} textures; "
            f"front guessed with confidence {guess.confidence:.2f} from {', '.join(guess.reasons)}"
        ),
    )
    longest = unit_length_m(category, subtype) * min(1.0, max(length, width) / height)
    return MeasuredModel(entry, standing(model, longest), guess)


def words_for(stem: str, folder: str) -> tuple[str, str]:
    """Return a category and a subtype in small letters, from the name of a file and its folder."""
    spaced = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", stem).lower()
    words = [w for w in re.findall(r"[a-z]+", spaced) if len(w) > 1] or ["thing"]
    known = _SYNONYMS.get(words[-1], words[-1])
    if known in VEHICLES and (len(words) == 1 or known not in _ALONE):
        return VEHICLES[known].category, known
    place = " ".join(re.findall(r"[a-z]+", folder.lower())) or "thing"
    return place[:40].strip(), " ".join(words)[:40].strip()


def body_materials(parts: Sequence[Part]) -> tuple[str, ...]:
    """Return the untextured material that is called like a body's and covers the most, or nothing."""
    area: dict[str, float] = {}
    coloured = set()
    for p in parts:
        t = p.vertices[p.faces]
        covered = float(np.linalg.norm(np.cross(t[:, 1] - t[:, 0], t[:, 2] - t[:, 0]), axis=1).sum())
        area[p.material.name] = area.get(p.material.name, 0.0) + covered
        if p.material.texture is not None or p.vertex_colors is not None:
            coloured.add(p.material.name)
    found = [n for n in area if _BODY.search(n) and n not in coloured]
    best = max(found, key=area.__getitem__, default="")
    return (best,) if best and area[best] > 0.15 * sum(area.values()) else ()


def index_folder(
    folder: Path,
    out: Path | None = None,
    say: Callable[[str, int, int], None] = lambda w, d, t: None,
    converted: Converted = NOTHING_CONVERTED,
) -> str:
    """Write the proposal and its contact sheets to `out` (else the folder itself); say what was found.

    Raises AssetError where nothing can be used, MissingExtraError where nothing can be drawn.
    """
    place = out or folder
    proposal = propose(folder, say, converted)
    write_catalogue(place / PROPOSED_NAME, proposal.catalogue)
    sheets = _draw(proposal, place, say)
    unsure = [m for m in proposal.measured if m.guess.confidence < 0.75]
    lines = [
        f"{folder}: {len(proposal.measured)} models can be used, {len(proposal.catalogue.refused)} cannot"
    ]
    lines += [f"  {reason}" for reason in proposal.catalogue.refused.values()]
    if unsure:
        lines.append("fronts to look at first: " + ", ".join(m.entry.name for m in unsure))
    lines += [
        f"{place / PROPOSED_NAME}",
        *(f"{s}" for s in sheets),
        "Look at the sheet, correct front, category, subtype, size_m and body_materials, set reviewed to "
        f"true, and save the file as {folder / FILE_NAME}",
    ]
    return "\n".join(lines)


def _files(folder: Path) -> list[Path]:
    found = (p for p in folder.rglob("*") if p.suffix.lower() in (".gltf", ".glb"))
    return sorted(p for p in found if not any(s.startswith(".") for s in p.relative_to(folder).parts))


def _draw(proposal: Proposal, place: Path, say: Callable[[str, int, int], None]) -> list[Path]:
    """Draw the contact sheets with the believed front of each model marked by an arrow."""
    from fathom.render.sheet import sheet
    from fathom.render.tone import png
    from fathom.render.variants import engine

    paints = engine()
    groups = [proposal.measured[i : i + SHEET_ROWS] for i in range(0, len(proposal.measured), SHEET_ROWS)]
    written = []
    for k, group in enumerate(groups):
        notes = [f"front {m.guess.front}, {m.guess.confidence:.0%} sure" for m in group]
        shown = [
            replace(m.model, subtype=m.entry.name, category=f"{m.entry.category}, {m.entry.subtype}")
            for m in group
        ]
        page = sheet(shown, paints, AZIMUTHS_DEG, 140, True, notes, proposal.catalogue.name)
        name = SHEET_NAME if len(groups) == 1 else f"{Path(SHEET_NAME).stem}-{k + 1}.png"
        write_bytes(place / name, png(page))
        written.append(place / name)
        say("contact sheets", k + 1, len(groups))
    return written
