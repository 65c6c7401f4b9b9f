"""A folder of animated models, proposed as its manifest, with a sheet of each for a person to look at."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from fathom.assets.animated.clips import RULES
from fathom.assets.animated.lexicon import Lexicon, lexicon_in, read_lexicon, unmet
from fathom.assets.animated.library import AnimatedAsset, asset_of
from fathom.assets.animated.manifest import (
    CATEGORIES,
    FILE_NAME,
    PROPOSED_NAME,
    AnimatedEntry,
    AnimatedManifest,
    write_animated_manifest,
)
from fathom.assets.animated.motion import measures
from fathom.assets.blender.converting import Converted
from fathom.assets.gltf.container import open_container
from fathom.assets.gltf.limits import LIMITS, BrokenError
from fathom.assets.model import Model, Points
from fathom.geometry.views import fitted_orbit
from fathom.indexing.proposing import AnimatedProposal, propose_animated
from fathom.store.files import write_bytes

SHEETS = "fathom-cast-sheets"
"""The folder of the sheets, one an asset."""

SURE = 0.75
"""Fronts that are guessed with less confidence are named."""

_SMALL_M, _LARGE_M = 0.05, 30.0
_TILE, _COLUMNS, _LABEL, _MARGIN = 160, 6, 250, 20
_ASKED = 200
"""So many files are asked whether anything moves in them."""

_PAPER, _INK, _FAINT = (255, 255, 255), (28, 30, 33), (112, 117, 124)

Say = Callable[[str, int, int], None]
Picture = NDArray[np.uint8]


def mostly_animated(folder: Path) -> bool:
    """Return whether most of the glTF and GLB files in a folder have animations."""
    found = sorted(p for p in folder.rglob("*") if p.suffix.lower() in (".glb", ".gltf"))
    moving = still = 0
    for path in found[:_ASKED]:
        try:
            animations = open_container(path, folder, LIMITS).gltf.animations
        except BrokenError:
            continue
        moving, still = moving + bool(animations), still + (not animations)
    return moving > still


def index_animated(
    folder: Path,
    out: Path | None = None,
    lexicon: Path | None = None,
    say: Say = lambda w, d, t: None,
    converted: Converted | None = None,
) -> str:
    """Write the proposed manifest and the sheets to `out` (else the folder itself); say what to check.

    Raises AssetError where nothing can be used.
    """
    place, words = out or folder, read_lexicon(lexicon_in(folder, lexicon))
    proposal = propose_animated(folder, RULES, words, say, converted)
    write_animated_manifest(place / PROPOSED_NAME, proposal.manifest)
    assets = proposal.manifest.assets
    for k, entry in enumerate(assets):
        write_bytes(place / SHEETS / sheet_name(k, entry.name), _sheet(folder, entry, words))
        say("sheets", k + 1, len(assets))
    return "\n".join(_said(folder, place, proposal, words))


def sheet_name(number: int, name: str) -> str:
    """Return the name of an asset's sheet, in signs that every file system takes."""
    return f"{number + 1:03d}-{re.sub(r'[^A-Za-z0-9._-]+', '_', name)[:60]}.png"


def _said(folder: Path, place: Path, proposal: AnimatedProposal, lexicon: Lexicon) -> Iterator[str]:
    """Yield what was found, and what only a person can tell."""
    manifest = proposal.manifest
    clips = [(a, c) for a in manifest.assets for c in a.clips]
    worded = sum(bool(c.verb) for _, c in clips)
    yield (
        f"{folder}: {len(manifest.assets)} animated models can be used, {len(manifest.refused)} cannot; "
        f"{len(clips)} clips, {worded} with a verb"
    )
    yield from (f"  {file}: {why}" for file, why in manifest.refused.items())
    yield from _some("made by Blender from other formats, and kept beside them", proposal.converted)
    lost = [f"{a.name}: {loss}" for a in manifest.assets for loss in a.losses]
    yield from _some("not shown as the file has it", lost)
    left_out = [f"{a.name} / {c.name}: {c.reason}" for a, c in clips if c.reason]
    yield from _some("clips that are left out", left_out)
    yield "To be checked by a person, with the sheets:"
    unsure = [f"{n} ({g.front})" for n, g in proposal.fronts.items() if g.confidence < SURE]
    yield from _some("front: guessed without much to go by", unsure)
    odd = [f"{a.name} ({a.size_m:g} m)" for a in manifest.assets if not _SMALL_M <= a.size_m <= _LARGE_M]
    yield "  size_m: taken from the file, whose unit nobody knows; correct it to the real longest side"
    yield from _some("size_m: hardly meant in metres", odd)
    unnamed = [a.name for a in manifest.assets if a.noun == "thing"]
    yield "  noun and category: what questions call it, and one of " + ", ".join(CATEGORIES)
    yield from _some("noun: no name says what it is", unnamed)
    verbless = [f"{a.name} / {c.name}" for a, c in clips if not c.verb and not c.reason]
    yield from _some(
        f"verb: the name of the clip suggests none of the {len(lexicon.verbs)} of the lexicon (left out "
        "until it has one; a verb of your own goes into fathom-lexicon.json)",
        verbless,
    )
    yield "  verb, materials, limbs: whether each clip shows what its verb says, and words for what is seen"
    yield from _some(
        "verb: the clip was not measured to move as it implies", _unlike(folder, manifest, lexicon)
    )
    yield f"{place / PROPOSED_NAME}"
    yield f"{place / SHEETS}"
    yield (
        f"Look at the sheets, correct the proposal, set reviewed to true, and save it as "
        f"{folder / FILE_NAME}; then: fathom build BENCHMARK --assets {folder} --out DATASET"
    )


def _unlike(folder: Path, manifest: AnimatedManifest, lexicon: Lexicon) -> list[str]:
    """Return the clips whose motion is not what their verb implies, with what was found."""
    found = []
    for entry in manifest.assets:
        asset = asset_of(folder, entry, manifest)
        for clip in asset.clips:
            missing = unmet(lexicon.verb(clip.verb), measures(asset, clip))
            found += [f"{asset.name} / {clip.name} ({clip.verb}: {'; '.join(missing)})"] if missing else []
    return found


def _some(what: str, names: Sequence[str], most: int = 12) -> Iterator[str]:
    if names:
        more = f" … and {len(names) - most} more" if len(names) > most else ""
        yield f"  {what} ({len(names)}): {'; '.join(names[:most])}{more}"


def _sheet(folder: Path, entry: AnimatedEntry, lexicon: Lexicon) -> bytes:
    """Return a page of one asset: all around as it stands, and six moments of each clip."""
    from PIL import Image, ImageDraw, ImageFont

    from fathom.render.tone import png

    asset = asset_of(folder, entry, AnimatedManifest(name="proposed", assets=(entry,)))
    shown = [c for c in entry.clips if not c.reason]
    rows = len(shown) + 1
    size = (_LABEL + _COLUMNS * _TILE + 2 * _MARGIN, rows * _TILE + 5 * _MARGIN)
    page = Image.new("RGB", size, _PAPER)
    draw = ImageDraw.Draw(page)
    title, font, small = (ImageFont.load_default(s) for s in (20, 14, 12))
    draw.text((_MARGIN, _MARGIN), f"{entry.name}: {entry.noun}, {entry.category}", _INK, title)
    top = 4 * _MARGIN
    draw.text((_MARGIN, top + 40), "as it stands", _INK, font)
    draw.text((_MARGIN, top + 62), f"front {entry.front}, {entry.size_m:g} m", _FAINT, small)
    for k, (picture, side) in enumerate(
        zip(_around(asset), ("front", "left", "behind", "right"), strict=True)
    ):
        x = _MARGIN + _LABEL + k * _TILE
        page.paste(Image.fromarray(picture), (x, top))
        draw.text((x + _TILE / 2, top - 4), f"its {side}" if side != "behind" else side, _FAINT, small, "ms")
    for row, clip in enumerate(shown, 1):
        y = top + row * _TILE
        said = lexicon.verb(clip.verb).plain if clip.verb else "no verb: left out until it has one"
        draw.text((_MARGIN, y + 30), _short(clip.name, 32), _INK, font)
        draw.text((_MARGIN, y + 52), _short(f"{clip.verb}: {said}", 44) if clip.verb else said, _FAINT, small)
        times_done = "once" if clip.cycles == 1 else f"{clip.cycles} times"
        span = f"{clip.start_s:.2f} to {clip.end_s:.2f} s, {times_done}{', loops' if clip.loops else ''}"
        draw.text((_MARGIN, y + 70), span, _FAINT, small)
        times = np.linspace(clip.start_s, clip.end_s, _COLUMNS)
        for k, picture in enumerate(_moments(asset, clip.name, times)):
            page.paste(Image.fromarray(picture), (_MARGIN + _LABEL + k * _TILE, y))
    return png(np.asarray(page))


def _short(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 3].rstrip()}..."


def _around(asset: AnimatedAsset) -> list[Picture]:
    """Return the asset as it stands from its front, its left, behind and its right."""
    return [_drawn([asset.model_at("", 0.0)], view, 4)[0] for view in range(4)]


def _moments(asset: AnimatedAsset, clip: str, times: Sequence[float] | Points) -> list[Picture]:
    """Return the asset at some times of a clip, from its front and a little from its left."""
    return _drawn([asset.model_at(clip, float(t)) for t in times], 1, 8)


def _drawn(models: Sequence[Model], view: int, views: int) -> list[Picture]:
    """Return models before one of the cameras that stand around all of them."""
    from fathom.curation.previews import drawn, face_colors, joined_faces, on_white, outermost

    points = [np.concatenate([p.vertices for p in m.parts]) for m in models]
    reach = np.concatenate([outermost(p) for p in points])
    camera = fitted_orbit(reach, math.radians(15), views, (_TILE, _TILE), math.radians(30), 0.04)[view]
    faces, colors = joined_faces(models[0].parts), face_colors(models[0].parts)
    return [on_white(drawn(p, faces, colors, camera)) for p in points]
