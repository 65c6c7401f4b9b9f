"""What can be measured of a folder of animated models, proposed as its manifest for a person to correct.

Folders by uid (UID.glb, or UID/ANYTHING.glb) are named by the uid.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import msgspec
import numpy as np

from fathom.assets.animated.clips import RULES, ClipRules, cycles, measured, sampled
from fathom.assets.animated.lexicon import Lexicon, read_lexicon
from fathom.assets.animated.library import AnimatedAsset, asset_of
from fathom.assets.animated.manifest import (
    AnimatedEntry,
    AnimatedManifest,
    ClipEntry,
    MaterialEntry,
)
from fathom.assets.blender.converting import Converted, convert_folder
from fathom.assets.gltf.moving import REST, Moving, open_moving
from fathom.assets.model import Part, Points
from fathom.indexing.fronts import Guess
from fathom.records import AssetError, InputError
from fathom.store.files import sha256_file

MOST_FILES = 100_000
NOTHING_MOVES = "nothing moves"

ONE_COLOR = 0.9
"""Of so many of a material's triangles a colour has to be that the material is said to have."""

_UID = re.compile(r"[0-9a-f]{32}")
_ENDINGS = (".glb", ".gltf")

_LEFT = r"(?:.*(?:[._ -][Ll](?:[._ -]?\d*)?|[Ll]eft.*))"
_RIGHT = r"(?:.*(?:[._ -][Rr](?:[._ -]?\d*)?|[Rr]ight.*))"
_LIMBS = {
    "head": r"(?i:.*head.*)",
    "tail": r"(?i:.*tail.*)",
    "left arm": rf"(?=(?i:.*(arm|shoulder)))(?!(?i:.*armature)){_LEFT}",
    "right arm": rf"(?=(?i:.*(arm|shoulder)))(?!(?i:.*armature)){_RIGHT}",
    "left leg": rf"(?=(?i:.*(leg|thigh|calf|foot))){_LEFT}",
    "right leg": rf"(?=(?i:.*(leg|thigh|calf|foot))){_RIGHT}",
    "left wing": rf"(?=(?i:.*wing)){_LEFT}",
    "right wing": rf"(?=(?i:.*wing)){_RIGHT}",
}
"""Limbs by the names that exporters give to joints."""

_SAID = {
    "death": "fall", "dead": "fall", "idle": "idle", "swim": "swim", "fly": "fly", "eat": "eat",
    "walk": "walk", "gallop": "gallop", "run": "run", "jump": "jump", "wave": "wave", "dance": "dance",
    "punch": "punch",
    "kick": "kick", "bite": "bite", "roll": "roll", "yes": "nod", "no": "shake_head", "headbutt": "headbutt",
    "hit": "flinch", "attack": "attack", "open": "open", "close": "close", "sit": "sit", "crawl": "slither",
}  # fmt: skip
"""Words in names of clips, and the verb that is proposed for them."""


@dataclass(frozen=True)
class AnimatedProposal:
    """A proposed manifest, how sure each asset's front is, and the files that were made of other formats."""

    manifest: AnimatedManifest
    fronts: Mapping[str, Guess]
    converted: tuple[str, ...] = ()


def propose_animated(
    folder: Path,
    rules: ClipRules = RULES,
    lexicon: Lexicon | None = None,
    say: Callable[[str, int, int], None] = lambda what, done, total: None,
    converted: Converted | None = None,
) -> AnimatedProposal:
    """Return the proposed manifest of all animated glTF and GLB files in a folder and the folders in it.

    Models of other formats are made into GLB first, beside them, where Blender is at hand and it was not done
    already (`converted`).
    Files that cannot be used, and those without a clip in which something moves, stand in `refused` with the
    reason. Raises AssetError where no file is left.
    """
    if not folder.is_dir():
        raise AssetError(f"{folder}: expected a folder of animated models, but there is none; check the path")
    converted = converted or convert_folder(folder, say)
    refused = dict(converted.refused)
    files = sorted(p for p in folder.rglob("*") if p.suffix.lower() in _ENDINGS and p.is_file())
    if len(files) > MOST_FILES:
        raise AssetError(f"{folder}: has {len(files):,} models; index at most {MOST_FILES:,} at a time")
    words = lexicon or read_lexicon()
    assets: list[AnimatedEntry] = []
    fronts: dict[str, Guess] = {}
    taken: set[str] = set()
    for k, path in enumerate(files):
        file = path.relative_to(folder).as_posix()
        name = _free(name_of(Path(file)), taken)
        try:
            entry, fronts[name] = propose_asset(folder, file, name, rules, words)
            assets.append(entry)
        except InputError as e:
            refused[file] = str(e)
            taken.discard(name)
        say(folder.name, k + 1, len(files))
    if not assets:
        first = next(iter(refused.values()), "no file ends with .gltf or .glb")
        raise AssetError(f"{folder}: holds no animated model that can be used ({first})")
    manifest = AnimatedManifest(
        name=folder.resolve().name,
        assets=tuple(assets),
        files={a.file: sha256_file(folder / a.file) for a in assets},
        refused=refused,
    )
    return AnimatedProposal(manifest, fronts, converted.made)


def name_of(file: Path) -> str:
    """Return what an asset is called: the uid in its path, or else the file's name without its ending."""
    if _UID.fullmatch(file.stem):
        return file.stem
    if file.parent.name and _UID.fullmatch(file.parent.name):
        return file.parent.name
    return file.stem


def noun_of(name: str) -> str:
    """Return what the name of an asset says it is, "thing" where it says nothing."""
    if _UID.fullmatch(name):
        return "thing"
    spaced = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name).lower()
    return " ".join(w for w in re.findall(r"[a-z]+", spaced) if len(w) > 1)[:40].strip() or "thing"


def _free(name: str, taken: set[str]) -> str:
    """Return the name, or the name with a number where it is taken, and take it."""
    free, k = name, 1
    while free in taken:
        k += 1
        free = f"{name} ({k})"
    taken.add(free)
    return free


def propose_asset(
    folder: Path, file: str, name: str, rules: ClipRules = RULES, lexicon: Lexicon | None = None
) -> tuple[AnimatedEntry, Guess]:
    """Return what can be measured of one file, and how its front was guessed.

    Raises AssetError where it cannot be used or nothing in it moves.
    """
    moving = open_moving(folder / file, folder)
    parts = moving.parts_at("", 0.0)
    guess = front_of(moving)
    size = float(np.ptp(moving.vertices_at("", 0.0), axis=0).max())
    entry = AnimatedEntry(
        file=file,
        name=name,
        noun=noun_of(name),
        category="object",
        size_m=round(min(max(size, 0.001), 1000.0), 3),
        front=guess.front,
        materials={m: MaterialEntry(color=c) for m, c in colors_of(parts)},
        limbs={limb: (pattern,) for limb, pattern in _limbs_in(moving)},
        note=(
            f"{sum(len(p.vertices) for p in parts):,} vertices, {len(moving.clips)} clips; "
            f"front guessed with confidence {guess.confidence:.2f}"
        ),
        losses=moving.document.losses,
    )
    asset = asset_of(folder, entry, AnimatedManifest(name="proposed", assets=(entry,)))
    clips = tuple(_clips(asset, moving, size, rules, lexicon or read_lexicon()))
    if not any(not c.reason for c in clips):
        why = clips[0].reason if clips else "it has no animation"
        raise AssetError(f"{folder / file}: has no clip that can be shown ({why}); leave it out")
    return msgspec.structs.replace(entry, clips=clips), guess


def front_of(moving: Moving) -> Guess:
    """Return the believed front of a model, +y up: from joints that are named left, right, head or tail.

    Where no name says anything it is the custom of the format, +z.
    """
    places = _places(moving)
    size = float(np.ptp(moving.vertices_at(REST, 0.0), axis=0).max())
    middle = np.mean(list(places.values()), axis=0)

    def mean(pattern: str) -> Points | None:
        found = [place for name, place in places.items() if re.fullmatch(pattern, name)]
        return np.mean(found, axis=0) if found else None

    left, right, head, tail = (mean(p) for p in (_LEFT, _RIGHT, _LIMBS["head"], _LIMBS["tail"]))
    votes: list[tuple[str, Points]] = []
    if left is not None and right is not None:
        votes.append(("left and right", 2 * _level(np.cross(left - right, (0.0, 1.0, 0.0)), size)))
    if head is not None:
        votes.append(("head", _level(head - middle, size)))
    if tail is not None:
        votes.append(("tail", _level(middle - tail, size)))
    total = np.sum([v for _, v in votes], axis=0) if votes else np.zeros(3)
    if np.abs(total).max() < 0.3:
        return Guess("+z", 0.5, ("the format's custom",))
    axis = int(np.abs(total).argmax())
    sure = float(np.abs(total[axis])) / sum(float(np.abs(v).max()) for _, v in votes)
    reasons = tuple(f"joints named {name}" for name, v in votes if np.abs(v).max() > 0)
    return Guess(f"{'+' if total[axis] > 0 else '-'}{'xyz'[axis]}", round(min(sure, 0.98), 2), reasons)


def _level(direction: Points, size: float) -> Points:
    """Return the level part of a direction at length 1; nothing where it is too short to say anything."""
    level = direction * (1.0, 0.0, 1.0)
    length = float(np.linalg.norm(level))
    return np.asarray(level / length if length > 0.02 * size else np.zeros(3))


def _places(moving: Moving) -> dict[str, Points]:
    """Return where the vertices of each joint are at rest, on average."""
    points = moving.vertices_at(REST, 0.0)
    joint = np.concatenate([p.joint for p in moving.pieces])
    names = moving.document.nodes
    return {names[j].name: points[joint == j].mean(axis=0) for j in np.unique(joint).tolist()}


def _clips(
    asset: AnimatedAsset, moving: Moving, size: float, rules: ClipRules, lexicon: Lexicon
) -> Iterator[ClipEntry]:
    limb = np.concatenate(asset.limb_of_vertex())
    groups = [np.flatnonzero(limb == k) for k in range(-1, len(asset.limbs))]
    every = replace(rules, vertices=2**31)
    for c in moving.clips:
        posed = partial(_posed, moving, c.name, size)
        found = measured(posed, c.begin_s, c.end_s, rules)
        if found is None:
            yield ClipEntry(name=c.name, duration_s=round(c.duration_s, 4), reason=NOTHING_MOVES)
            continue
        _, poses = sampled(posed, found.start_s, found.end_s, every)
        yield ClipEntry(
            name=c.name,
            verb=verb_of(c.name, lexicon),
            start_s=found.start_s,
            end_s=found.end_s,
            duration_s=round(c.duration_s, 4),
            loops=found.loops,
            cycles=cycles([poses[:, g] for g in groups if len(g)], rules),
        )
    for name, reason in moving.left_out.items():
        yield ClipEntry(name=name, reason=reason)


def _posed(moving: Moving, clip: str, size: float, time_s: float) -> Points:
    return moving.vertices_at(clip, time_s) / size


def verb_of(clip: str, lexicon: Lexicon) -> str:
    """Return the verb that the name of a clip suggests, "" where it suggests none."""
    words = re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", clip.rsplit("|", 1)[-1])
    small = [w.lower() for w in words]
    for key in lexicon.by_key:
        if key.split("_") == small:
            return key
    for word in small:
        for start, verb in _SAID.items():
            exact = start in ("no", "yes")
            if (word == start if exact else word.startswith(start)) and verb in lexicon.by_key:
                return verb
    return ""


def _limbs_in(moving: Moving) -> Iterator[tuple[str, str]]:
    """Yield the limbs that some joint of the model is named after, with the pattern."""
    used = np.unique(np.concatenate([p.joint for p in moving.pieces]))
    names = [moving.document.nodes[i].name for i in used]
    for limb, pattern in _LIMBS.items():
        if any(re.fullmatch(pattern, n) for n in names):
            yield limb, pattern


def colors_of(parts: Sequence[Part]) -> Iterator[tuple[str, str]]:
    """Yield each material's name and the name of its colour, "" where it has a texture or several colours."""
    from fathom.curation.colors import NAMES, named
    from fathom.curation.duplicates import surface_colors

    for name in dict.fromkeys(p.material.name for p in parts):
        own = [p for p in parts if p.material.name == name]
        if any(p.material.texture is not None for p in own):
            yield name, ""
            continue
        shades = np.concatenate([np.broadcast_to(surface_colors(p), (len(p.faces), 3)) for p in own])
        counts = np.bincount(named(np.round(shades * 255)), minlength=len(NAMES))
        yield name, NAMES[int(counts.argmax())] if counts.max() >= ONE_COLOR * counts.sum() else ""
