"""One model of a folder looked at, and what was found kept in a file of its own: a stopped index goes on."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache, partial
from pathlib import Path

from fathom.assets.animated.clips import RULES, ClipRules
from fathom.assets.animated.lexicon import FILE as LEXICON
from fathom.assets.animated.lexicon import Lexicon, read_lexicon, unmet
from fathom.assets.animated.library import asset_of, let_go, opened_model
from fathom.assets.animated.manifest import AnimatedEntry, AnimatedManifest
from fathom.assets.animated.motion import measures
from fathom.indexing.fronts import Guess
from fathom.indexing.proposing import propose_asset, seems_up
from fathom.indexing.sheets import sheet, sheet_name
from fathom.records import DataError, InputError, Record
from fathom.store.files import read_json, sha256_file, write_bytes, write_json
from fathom.workers import spread

WORK = "fathom-cast-work"
"""The folder of what has been looked at, one file a model; gone when all of them have been."""

VERSION = "2"
"""Raised whenever the same model is looked at differently."""


class LookedAt(Record, frozen=True, kw_only=True):
    """What was found of one model: its entry, or why it cannot be used.

    known : what it was looked at with; unlike : its clips whose motion is not what their verb implies
    front, confidence, reasons : how its front was guessed
    up : the axis of the file that it seems to stand along, where that is not +y
    """

    known: str
    entry: AnimatedEntry | None = None
    refused: str = ""
    sha256: str = ""
    front: str = "+z"
    confidence: float = 0.5
    reasons: tuple[str, ...] = ()
    unlike: tuple[str, ...] = ()
    up: str = ""

    @property
    def guess(self) -> Guess:
        """How its front was guessed."""
        return Guess(self.front, self.confidence, self.reasons)


Named = tuple[int, str, str]
"""The number of a model in its folder, its file there, and its name."""


def look(
    folder: Path,
    place: Path | None,
    lexicon: Path | None,
    named: Sequence[Named],
    workers: int,
    say: Callable[[int, int], None] = lambda done, total: None,
) -> dict[str, LookedAt]:
    """Return what was found of each file. With a `place` sheets are drawn there, and it can go on later."""
    one = partial(_looked_at, folder, place, lexicon)
    found: dict[str, LookedAt] = {}
    for file, seen in spread(one, named, workers):
        found[file] = seen
        say(len(found), len(named))
    return found


def _looked_at(folder: Path, place: Path | None, lexicon: Path | None, named: Named) -> tuple[str, LookedAt]:
    _, file, name = named
    path = None if place is None else place / WORK / f"{hashlib.sha256(file.encode()).hexdigest()[:24]}.json"
    known = _known(folder / file, name, lexicon)
    if path is not None and path.is_file() and (before := _read(path)) and before.known == known:
        return file, before
    found = _new(folder, place, _words(lexicon), named, known)
    let_go()
    if path is not None:
        write_json(path, found)
    return file, found


def _read(path: Path) -> LookedAt | None:
    try:
        return read_json(path, LookedAt)
    except DataError:
        return None


def _known(path: Path, name: str, lexicon: Path | None) -> str:
    """Return what decides what is found: the model, its name, the verbs, and how it is looked at."""
    verbs = sha256_file(lexicon or LEXICON)
    return hashlib.sha256(f"{VERSION}|{sha256_file(path)}|{name}|{verbs}".encode()).hexdigest()


@lru_cache(maxsize=1)
def _words(lexicon: Path | None) -> Lexicon:
    return read_lexicon(lexicon)


def _new(
    folder: Path, place: Path | None, words: Lexicon, named: Named, known: str, rules: ClipRules = RULES
) -> LookedAt:
    number, file, name = named
    try:
        entry, guess = propose_asset(folder, file, name, rules, words)
        unlike = tuple(_unlike(folder, entry, words))
        up = seems_up(opened_model(folder, file))
        if place is not None:
            write_bytes(place / sheet_name(number, name), sheet(folder, entry, words))
    except InputError as e:
        return LookedAt(known=known, refused=str(e))
    return LookedAt(
        known=known, entry=entry, sha256=sha256_file(folder / file), unlike=unlike,
        front=guess.front, confidence=guess.confidence, reasons=guess.reasons, up=up,
    )  # fmt: skip


def _unlike(folder: Path, entry: AnimatedEntry, lexicon: Lexicon) -> Iterator[str]:
    """Yield the clips whose motion is not what their verb implies, with what was found."""
    asset = asset_of(folder, entry, AnimatedManifest(name="proposed", assets=(entry,)))
    for clip in asset.clips:
        if clip.verb and (missing := unmet(lexicon.verb(clip.verb), measures(asset, clip))):
            yield f"{asset.name} / {clip.name} ({clip.verb}: {'; '.join(missing)})"
