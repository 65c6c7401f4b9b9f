"""The assets of a folder that can be used, and why the others are left out.

A folder that was reviewed may hold files that were cut short or changed since, clips that nobody has a verb
for, and the same model twice. What cannot be used is found before anything is made of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from pathlib import Path

import numpy as np

from fathom.assets.animated.lexicon import Lexicon, lexicon_of
from fathom.assets.animated.library import AnimatedAsset, AnimatedLibrary, asset_of
from fathom.assets.animated.manifest import AnimatedEntry, AnimatedManifest, manifest_in, verify_file
from fathom.curation.curate import Dropped
from fathom.curation.duplicates import Fingerprint, color_histogram, find_duplicates, shape_histogram
from fathom.datasets.generators.animated_stirring import hardly_moves
from fathom.records import AssetError, InputError, Record
from fathom.workers import cores, spread

UNREADABLE, STATIC, DUPLICATE, CLIP = "unreadable", "static", "duplicate", "clip"

_SAMPLES = 9
_LEAST_MOTION = 1e-3
"""A clip none of whose vertices gets so far, in sizes of the model, moves nothing."""

_ALONE_FROM = 24
"""From so many models on they are looked at by several processes."""


class Examination(Record, frozen=True, kw_only=True):
    """What was found of one asset: why it is left out, its clips that are, and what it is known by."""

    name: str
    reason: str = ""
    stage: str = UNREADABLE
    clips: dict[str, str] = {}
    known_by: Fingerprint | None = None


def opened(folder: Path, without: Sequence[tuple[str, str]] = ()) -> AnimatedLibrary:
    """Return a folder's library without some assets (name, "") and of their clips (name, clip)."""
    manifest = manifest_in(folder)
    out = set(without)
    assets = [asset_of(folder, e, manifest) for e in manifest.assets if (e.name, "") not in out]
    return AnimatedLibrary(manifest.name, tuple(_without(a, out) for a in assets))


def _without(asset: AnimatedAsset, out: set[tuple[str, str]]) -> AnimatedAsset:
    kept = tuple(c for c in asset.clips if (asset.name, c.name) not in out)
    return asset if len(kept) == len(asset.clips) else replace(asset, clips=kept)


def examined(
    folder: Path, lexicon: Path | None = None, strict: bool = False, workers: int = 0
) -> tuple[Dropped, ...]:
    """Return which assets of a folder are left out, and clips of others ("asset / clip"), with the reasons.

    Raises AssetError where the folder has no manifest or nothing is left; with `strict` at the first that is.
    """
    _manifest.cache_clear()
    manifest = _manifest(folder)
    found = [
        Dropped(name=file, stage=UNREADABLE, reason=why) for file, why in sorted(manifest.refused.items())
    ]
    names = [a.name for a in manifest.assets]
    look = partial(_examine, folder, lexicon)
    many = (workers or cores()) if len(names) >= _ALONE_FROM else 1
    looked = {e.name: e for e in spread(look, names, many)}
    for entry in manifest.assets:
        found += _dropped(looked[entry.name])
    prints = [e.known_by for e in looked.values() if e.known_by is not None]
    same = find_duplicates(prints).reasons()
    found += [Dropped(name=name, stage=DUPLICATE, reason=why) for name, why in sorted(same.items())]
    if strict and found:
        raise AssetError(f"{folder}: {found[0].name}: {found[0].reason}; fix it, or build without --strict")
    gone = {d.name for d in found}
    if not [n for n in names if n not in gone]:
        raise AssetError(f"{folder}: holds no model that can be used ({found[0].name}: {found[0].reason})")
    return tuple(found)


def without_of(left_out: Sequence[Dropped]) -> tuple[tuple[str, str], ...]:
    """Return what is left out as pairs of an asset and a clip of it, "" for all of it."""
    pairs = []
    for d in left_out:
        asset, clip = d.name.split(_BETWEEN, 1) if d.stage == CLIP else (d.name, "")
        pairs.append((asset, clip))
    return tuple(pairs)


def clips_left_out(folder: Path, names: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """Return which clips of some assets of a folder a build leaves out, as pairs of asset and clip, whatever
    words it has for what they show.
    """
    manifest = manifest_in(folder)
    assets = [asset_of(folder, e, manifest) for e in manifest.assets if e.name in names]
    return tuple((a.name, c.name) for a in assets for c in a.clips if _wrong(a, c.name, None))


_BETWEEN = " / "


def _dropped(e: Examination) -> Iterator[Dropped]:
    if e.reason:
        yield Dropped(name=e.name, stage=e.stage, reason=e.reason)
        return
    for clip, why in e.clips.items():
        yield Dropped(name=f"{e.name}{_BETWEEN}{clip}", stage=CLIP, reason=why)


def _examine(folder: Path, extra: Path | None, name: str) -> Examination:
    manifest = _manifest(folder)
    entry = next(a for a in manifest.assets if a.name == name)
    try:
        return _examined(folder, entry, manifest, lexicon_of(folder, extra))
    except InputError as e:
        return Examination(name=name, reason=str(e))


@lru_cache(maxsize=1)
def _manifest(folder: Path) -> AnimatedManifest:
    return manifest_in(folder)


def _examined(
    folder: Path, entry: AnimatedEntry, manifest: AnimatedManifest, lexicon: Lexicon
) -> Examination:
    if not entry.reviewed:
        raise AssetError(
            "nobody has reviewed it; look at its sheet, correct its entry and set `reviewed` to true"
        )
    if entry.file in manifest.files:
        verify_file(folder, manifest, entry.file)
    asset = asset_of(folder, entry, manifest)
    if not asset.clips:
        return Examination(name=entry.name, stage=STATIC, reason="no clip of it can be shown")
    clips = {c.name: why for c in asset.clips if (why := _wrong(asset, c.name, lexicon))}
    if len(clips) == len(asset.clips):
        first = next(iter(clips.values()))
        return Examination(name=entry.name, stage=STATIC, reason=f"no clip of it can be shown ({first})")
    parts = asset.model_at("", 0.0).parts
    known_by = Fingerprint(
        name=entry.name,
        shape=shape_histogram(parts),
        color=color_histogram(parts),
        sequence=tuple(sorted(f"{c.name} {c.duration_s:.2f}" for c in asset.clips)),
    )
    return Examination(name=entry.name, clips=clips, known_by=known_by)


def _wrong(asset: AnimatedAsset, name: str, lexicon: Lexicon | None) -> str:
    """Return why a clip cannot be shown, "" where it can."""
    clip = asset.clip(name)
    if lexicon is not None and clip.verb and clip.verb not in lexicon.by_key:
        return (
            f"its verb {clip.verb!r} is not in the lexicon; correct it, or add the verb to a file and "
            "name that with --set lexicon=FILE"
        )
    left_out: Mapping[str, str] = asset.moving.left_out
    if name in left_out:
        return left_out[name]
    try:
        poses = asset.vertices_over(name, np.linspace(clip.start_s, clip.end_s, _SAMPLES))
    except AssetError as e:
        return str(e)
    reach = float(np.linalg.norm(poses - poses[0], axis=2).max())
    if reach < _LEAST_MOTION * asset.size_m:
        return f"nothing moves in it from {clip.start_s:g} to {clip.end_s:g} s"
    return hardly_moves(asset, clip)
