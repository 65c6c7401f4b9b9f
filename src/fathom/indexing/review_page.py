"""Pages on which animated models are reviewed: every clip plays beside what is believed of it."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np

from fathom.assets.animated.lexicon import Lexicon, lexicon_in, read_lexicon
from fathom.assets.animated.library import asset_of, let_go
from fathom.assets.animated.manifest import (
    CATEGORIES,
    AnimatedEntry,
    AnimatedManifest,
    ClipEntry,
    read_animated_manifest,
)
from fathom.assets.gltf.axes import AXES
from fathom.indexing.review_table import COLUMNS, TABLE, UNKNOWN, manifest_file, table_of
from fathom.indexing.sheets import around, look_of, moments
from fathom.pages.html import render
from fathom.pages.pictures import playing_film
from fathom.records import InputError
from fathom.store.files import write_bytes, write_text
from fathom.workers import cores, spread

PAGE, PREVIEWS = "fathom-cast-review{}.html", "fathom-cast-previews"

ON_A_PAGE = 40
"""Models on one page."""

SURE = 0.75
TILE, FRAMES, ROUND_MS = 144, 12, 1_600
_ALONE_FROM = 4


@dataclass(frozen=True)
class ClipRow:
    """A clip on the page: its preview, and what is believed of it; `sure` is none, low or high."""

    name: str
    preview: str
    verb: str
    said: str
    confidence: str
    sure: str
    told_by: str
    left_out: str


@dataclass(frozen=True)
class ModelCard:
    """A model on the page."""

    entry: AnimatedEntry
    around: str
    clips: tuple[ClipRow, ...]
    facts: tuple[str, ...]


def review(
    folder: Path,
    out: Path | None = None,
    lexicon: Path | None = None,
    say: Callable[[str, int, int], None] = lambda what, done, total: None,
) -> str:
    """Write the table and the pages of a folder's manifest to `out` (else the folder); say where they are.

    The manifest is the folder's own, or where there is none the proposed one. Raises AssetError without any.
    """
    place = out or folder
    manifest = read_animated_manifest(manifest_file(folder))
    words = read_lexicon(lexicon_in(folder, lexicon))
    drawn = partial(_previewed, folder, place)
    workers = cores() if len(manifest.assets) >= _ALONE_FROM else 1
    numbered = list(enumerate(manifest.assets))
    for done, _ in enumerate(spread(drawn, numbered, workers), 1):
        say("previews", done, len(numbered))
    write_text(place / TABLE, table_of(manifest))
    pages = _pages(place, manifest, words)
    clips = [c for a in manifest.assets for c in a.clips if not c.reason]
    told, unsure = sum(bool(c.verb) for c in clips), sum(bool(c.verb) and c.confidence < SURE for c in clips)
    return "\n".join(
        (
            f"{len(manifest.assets)} models, {len(clips)} clips: {told - unsure} verbs that are sure, "
            f"{unsure} that are not, {len(clips) - told} clips of which nothing tells what they show",
            *map(str, pages),
            f"Look at {'the page' if len(pages) == 1 else 'the pages'}, correct what is wrong there and save "
            f"the table, or correct {place / TABLE}; then: fathom assets accept {folder} --table TABLE",
        )
    )


def _pages(place: Path, manifest: AnimatedManifest, lexicon: Lexicon) -> list[Path]:
    cards = [_card(k, a, lexicon) for k, a in enumerate(manifest.assets)]
    parts = [cards[k : k + ON_A_PAGE] for k in range(0, len(cards), ON_A_PAGE)]
    names = [PAGE.format("" if k == 0 else f"-{k + 1}") for k in range(len(parts))]
    for part, name in zip(parts, names, strict=True):
        page = render(
            "cast.html.j2", "cast.css", "cast.js", pictures="file: 'self'",
            title=manifest.name, cards=part, pages=names, own=name, unknown=UNKNOWN,
            categories=CATEGORIES, axes=AXES, verbs=lexicon.verbs,
            data={"columns": COLUMNS, "name": TABLE.replace(".tsv", "-corrected.tsv")},
        )  # fmt: skip
        write_text(place / name, page)
    return [place / name for name in names]


def _card(number: int, entry: AnimatedEntry, lexicon: Lexicon) -> ModelCard:
    limbs = ", ".join(entry.limbs) or "no limbs known"
    facts = (f"joints: {', '.join(entry.joints)}",) if entry.joints else ()
    return ModelCard(
        entry=entry,
        around=_preview(number, entry, 0),
        clips=tuple(_row(number, entry, k, c, lexicon) for k, c in enumerate(entry.clips, 1)),
        facts=(entry.note, limbs, *entry.losses, *facts),
    )


def _row(number: int, entry: AnimatedEntry, k: int, clip: ClipEntry, lexicon: Lexicon) -> ClipRow:
    known = clip.verb in lexicon.by_key
    level = "high" if clip.confidence >= SURE else "low"
    return ClipRow(
        name=clip.name,
        preview="" if clip.reason else _preview(number, entry, k),
        verb=clip.verb,
        said=lexicon.verb(clip.verb).plain if known else "",
        confidence=f"{clip.confidence:.0%}" if clip.verb else "",
        sure=level if clip.verb else "none",
        told_by=clip.told_by,
        left_out=clip.reason,
    )


def _preview(number: int, entry: AnimatedEntry, k: int) -> str:
    plain = re.sub(r"[^A-Za-z0-9._-]+", "_", entry.name)[:40]
    return f"{PREVIEWS}/{number + 1:04d}-{plain}-{k}.webp"


def _previewed(folder: Path, place: Path, numbered: tuple[int, AnimatedEntry]) -> int:
    """Draw the previews of one model that are not there yet: all around, and every clip as it plays."""
    number, entry = numbered
    wanted = [(0, None), *((k, c) for k, c in enumerate(entry.clips, 1) if not c.reason)]
    missing = [(k, c) for k, c in wanted if not (place / _preview(number, entry, k)).is_file()]
    if not missing:
        return number
    from PIL import Image

    try:
        asset = asset_of(folder, entry, AnimatedManifest(name="reviewed", assets=(entry,)))
        look = look_of(asset)
        for k, clip in missing:
            if clip is None:
                pictures = around(asset, look, TILE, 8)
            else:
                times = np.linspace(clip.start_s, clip.end_s, FRAMES, endpoint=not clip.loops)
                pictures = moments(asset, look, clip.name, times, TILE)
            film = playing_film([Image.fromarray(p) for p in pictures], round(ROUND_MS / len(pictures)))
            write_bytes(place / _preview(number, entry, k), film)
    except InputError:
        return number  # a build refuses it with the reason
    finally:
        let_go()
    return number
