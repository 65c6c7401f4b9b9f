"""A folder of animated models, proposed as its manifest, with a sheet of each for a person to look at."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from fathom.assets.animated.lexicon import Lexicon, lexicon_in, read_lexicon
from fathom.assets.animated.manifest import (
    CATEGORIES,
    FILE_NAME,
    PROPOSED_NAME,
    AnimatedManifest,
    write_animated_manifest,
)
from fathom.assets.blender.converting import Converted
from fathom.assets.gltf.container import open_container
from fathom.assets.gltf.limits import LIMITS, BrokenError
from fathom.indexing.model_names import NOTHING, noun_of
from fathom.indexing.proposal import AnimatedProposal, propose_animated
from fathom.indexing.sheets import SHEETS

SURE = 0.75
"""Fronts that are guessed with less confidence are named."""

_SMALL_M, _LARGE_M = 0.05, 30.0
_ASKED = 200
"""So many files are asked whether anything moves in them."""

Say = Callable[[str, int, int], None]


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
    place, verbs = out or folder, lexicon_in(folder, lexicon)
    words = read_lexicon(verbs)
    proposal = propose_animated(folder, place, verbs, say, converted)
    write_animated_manifest(place / PROPOSED_NAME, proposal.manifest)
    return "\n".join(_said(folder, place, proposal, words))


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
    odd = [f"{a.name} ({a.size_m:g} m{_unit(a.size_m)})" for a in manifest.assets if _unit(a.size_m)]
    yield "  size_m: taken from the file, whose unit nobody knows; correct it to the real longest side"
    yield from _some("size_m: hardly meant in meters", odd)
    yield from _some("up: its head lies beside its legs, not above them; is it the file's z?", proposal.lying)
    yield "  noun and category: what questions call it, and one of " + ", ".join(CATEGORIES)
    unnamed = [a.name for a in manifest.assets if noun_of(a.name)[0] == NOTHING]
    yield from _some("noun: no name says what it is", unnamed)
    verbless = [f"{a.name} / {c.name}" for a, c in clips if not c.verb and not c.reason]
    yield from _some(
        f"verb: the name of the clip and its motion tell none of the {len(lexicon.verbs)} of the lexicon "
        "(left out where others of the model have one; a verb of your own goes into fathom-lexicon.json)",
        verbless,
    )
    yield from _some("verb: not sure, of the words or the motion that follow", _unsure(manifest))
    yield "  limbs: by the names of joints, which stand in each entry under `joints`"
    yield from _some("limbs: no joint is named after one", [a.name for a in manifest.assets if not a.limbs])
    yield "  verb, materials, limbs: whether each clip shows what its verb says, and words for what is seen"
    yield from _some("verb: the clip was not measured to move as it implies", proposal.unlike)
    yield from (f"{place / name}" for name in (PROPOSED_NAME, SHEETS))
    yield (
        f"Look at the sheets, correct the proposal, set reviewed to true, and save it as "
        f"{folder / FILE_NAME}; then: fathom build BENCHMARK --assets {folder} --out DATASET"
    )


def _unsure(manifest: AnimatedManifest) -> list[str]:
    """Return the clips whose verb is a guess, with what told it."""
    return [
        f"{a.name} / {c.name} ({c.verb}: {c.told_by})"
        for a in manifest.assets
        for c in a.clips
        if c.verb and c.confidence < SURE
    ]


def _unit(size_m: float) -> str:
    """Return in which unit a size is probably meant that no such model has in metres, as it is said."""
    if _SMALL_M <= size_m <= _LARGE_M:
        return ""
    if size_m > _LARGE_M:
        return ", centimetres?" if size_m / 100 <= _LARGE_M else ", millimeters?"
    return ", kilometers, or a scale that was left out?"


def _some(what: str, names: Sequence[str], most: int = 12) -> Iterator[str]:
    if names:
        more = f" … and {len(names) - most} more" if len(names) > most else ""
        yield f"  {what} ({len(names)}): {'; '.join(names[:most])}{more}"
