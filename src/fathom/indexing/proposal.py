"""A folder of animated models, proposed as its manifest: one model at a time, whatever their number.

Folders by uid (UID.glb, or UID/ANYTHING.glb) are named by the uid.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from fathom.assets.animated.manifest import AnimatedManifest
from fathom.assets.blender.converting import Converted, convert_folder
from fathom.indexing.fronts import Guess
from fathom.indexing.looking import WORK, Named, look
from fathom.indexing.model_names import name_of
from fathom.records import AssetError
from fathom.workers import cores

MOST_FILES = 100_000
ALONE_FROM = 12
"""From so many models on they are looked at by several processes."""

_ENDINGS = (".glb", ".gltf")


@dataclass(frozen=True)
class AnimatedProposal:
    """A proposed manifest, how sure each asset's front is, and the files that were made of other formats.

    unlike, lying : the clips whose motion is not what their verb implies, and the models that seem to lie,
        each with its axis up
    """

    manifest: AnimatedManifest
    fronts: Mapping[str, Guess]
    converted: tuple[str, ...] = ()
    unlike: tuple[str, ...] = ()
    lying: tuple[str, ...] = ()


def propose_animated(
    folder: Path,
    place: Path | None = None,
    lexicon: Path | None = None,
    say: Callable[[str, int, int], None] = lambda what, done, total: None,
    converted: Converted | None = None,
) -> AnimatedProposal:
    """Return the proposed manifest of all animated glTF and GLB files in a folder and the folders in it.

    Models of other formats are made into GLB first, beside them, where Blender is at hand and it was not done
    already (`converted`). With a `place` a sheet of each model is drawn there, and what has been looked at is
    kept until all has been: started again, it goes on. Files that cannot be used, and those without a clip in
    which something moves, stand in `refused` with the reason. Raises AssetError where no file is left.
    """
    if not folder.is_dir():
        raise AssetError(f"{folder}: expected a folder of animated models, but there is none; check the path")
    converted = converted or convert_folder(folder, say)
    named = _named(folder)
    workers = cores() if len(named) >= ALONE_FROM else 1
    found = look(folder, place, lexicon, named, workers, lambda done, total: say(folder.name, done, total))
    looked = [found[file] for _, file, _ in named]
    refused = dict(converted.refused)
    refused |= {file: found[file].refused for _, file, _ in named if found[file].refused}
    if all(seen.entry is None for seen in looked):
        first = next(iter(refused.values()), "no file ends with .gltf or .glb")
        raise AssetError(f"{folder}: holds no animated model that can be used ({first})")
    manifest = AnimatedManifest(
        name=folder.resolve().name,
        assets=tuple(seen.entry for seen in looked if seen.entry is not None),
        files={seen.entry.file: seen.sha256 for seen in looked if seen.entry is not None},
        refused=refused,
    )
    if place is not None:
        shutil.rmtree(place / WORK, ignore_errors=True)
    fronts = {seen.entry.name: seen.guess for seen in looked if seen.entry is not None}
    unlike = tuple(u for seen in looked for u in seen.unlike)
    lying = tuple(f"{seen.entry.name} ({seen.up})" for seen in looked if seen.entry is not None and seen.up)
    return AnimatedProposal(manifest, fronts, converted.made, unlike, lying)


def _named(folder: Path) -> list[Named]:
    """Return the models of a folder with names of their own."""
    files = sorted(p for p in folder.rglob("*") if p.suffix.lower() in _ENDINGS and p.is_file())
    if len(files) > MOST_FILES:
        raise AssetError(f"{folder}: has {len(files):,} models; index at most {MOST_FILES:,} at a time")
    taken: set[str] = set()
    out = []
    for number, path in enumerate(files):
        file = path.relative_to(folder)
        out.append((number, file.as_posix(), _free(name_of(file), taken)))
    return out


def _free(name: str, taken: set[str]) -> str:
    """Return the name, or the name with a number where it is taken, and take it."""
    free, k = name, 1
    while free in taken:
        k += 1
        free = f"{name} ({k})"
    taken.add(free)
    return free
