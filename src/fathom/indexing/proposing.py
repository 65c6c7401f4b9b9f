"""What can be measured of an animated model, proposed as its entry of a manifest for a person to correct."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

import msgspec
import numpy as np

from fathom.assets.animated.clips import RULES, ClipRules, PosedClip, cycles, measured, moments, telling
from fathom.assets.animated.lexicon import Lexicon, read_lexicon
from fathom.assets.animated.library import AnimatedAsset, asset_of, opened_model
from fathom.assets.animated.manifest import (
    AnimatedEntry,
    AnimatedManifest,
    ClipEntry,
    MaterialEntry,
)
from fathom.assets.animated.motion import thinned
from fathom.assets.gltf.hierarchy import Ints
from fathom.assets.gltf.moving import REST, Moving
from fathom.assets.model import Part, Points
from fathom.indexing.clip_motions import moved_verb
from fathom.indexing.clip_names import NOTHING, NamedVerb, known_as_several, named_verb
from fathom.indexing.fronts import Guess
from fathom.indexing.joint_names import HEAD, LEG, TAIL, limb_of, limbs_of, side_of
from fathom.indexing.model_names import NOTHING as NAMELESS
from fathom.indexing.model_names import called_by_limbs, noun_of
from fathom.indexing.swimmers import swimmer_of
from fathom.records import AssetError

MOST_FILES = 100_000
NOTHING_MOVES = "nothing moves"

ONE_COLOR = 0.9
"""Of so many of a material's triangles a colour has to be that the material is said to have."""

AHEAD = 0.07
"""Joints that lie nearer than this share of the size to where all of them lie point nowhere."""

SWIMS, SWIMMING = 0.8, ("fish", "fish")
"""How sure the front is of what swims with its tail, and what it is called whose name says nothing."""

_UID = re.compile(r"[0-9a-f]{32}")
_ENDINGS = (".glb", ".gltf")


def propose_asset(
    folder: Path, file: str, name: str, rules: ClipRules = RULES, lexicon: Lexicon | None = None
) -> tuple[AnimatedEntry, Guess]:
    """Return what can be measured of one file, and how its front was guessed.

    Raises AssetError where it cannot be used or nothing in it moves.
    """
    moving = opened_model(folder, file)
    parts = moving.parts_at("", 0.0)
    guess = front_of(moving)
    size = float(np.ptp(moving.vertices_at("", 0.0), axis=0).max())
    noun, category = noun_of(name)
    limbs = limbs_of(moving)
    swimmer = None if limbs else swimmer_of(moving)
    if swimmer is not None:
        limbs = swimmer.limbs()
        guess = Guess(swimmer.front, SWIMS, ("what swings farthest as it swims is its tail",))
    if noun == NAMELESS:
        noun, category = called_by_limbs(limbs) if swimmer is None else SWIMMING
    entry = AnimatedEntry(
        file=file,
        name=name,
        noun=noun,
        category=category,
        size_m=round(min(max(size, 0.001), 1000.0), 3),
        front=guess.front,
        materials={m: MaterialEntry(color=c) for m, c in colors_of(parts)},
        limbs=limbs,
        joints=joints_of(moving),
        note=(
            f"{sum(len(p.vertices) for p in parts):,} vertices, {len(moving.clips)} clips; "
            f"front guessed with confidence {guess.confidence:.2f}"
        ),
        losses=moving.document.losses,
    )
    asset = asset_of(folder, entry, AnimatedManifest(name="proposed", assets=(entry,)))
    words = lexicon or read_lexicon()
    clips = tuple(_worded(c, entry, folder, words) for c in _clips(asset, moving, size, rules))
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

    said = {name: (side_of(name), limb_of(name)) for name in places}

    def mean(what: str) -> Points | None:
        found = [places[name] for name, own in said.items() if what in own]
        return np.mean(found, axis=0) if found else None

    left, right, head, tail = map(mean, ("left", "right", HEAD, TAIL))
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


def seems_up(moving: Moving) -> str:
    """Return the axis of the file along which a model's head lies from its legs, "" where that is +y.

    Such a model lies on its back: its file has z up, and nobody said so.
    """
    places = _places(moving)
    legs, head = ([p for name, p in places.items() if limb_of(name) == limb] for limb in (LEG, HEAD))
    if not legs or not head:
        return ""
    rise = np.mean(head, axis=0) - np.mean(legs, axis=0)
    size = float(np.ptp(moving.vertices_at(REST, 0.0), axis=0).max())
    axis = int(np.abs(rise).argmax())
    # What stands on four legs has its head ahead of them, and above: lying, it is not above at all.
    if float(rise[1]) > -0.05 * size and (axis != 2 or float(rise[1]) > 0.05 * size):
        return ""
    return f"{'+' if rise[axis] > 0 else '-'}{'xyz'[axis]}"


def _level(direction: Points, size: float) -> Points:
    """Return the level part of a direction at length 1; nothing where it is too short to say anything."""
    level = direction * (1.0, 0.0, 1.0)
    length = float(np.linalg.norm(level))
    return np.asarray(level / length if length > AHEAD * size else np.zeros(3))


def _places(moving: Moving) -> dict[str, Points]:
    """Return where the vertices of each joint are at rest, on average."""
    points = moving.vertices_at(REST, 0.0)
    joint = np.concatenate([p.joint for p in moving.pieces])
    names = moving.document.nodes
    return {names[j].name: points[joint == j].mean(axis=0) for j in np.unique(joint).tolist()}


def _worded(clip: ClipEntry, entry: AnimatedEntry, folder: Path, lexicon: Lexicon) -> ClipEntry:
    """Return a clip with what is believed to be done in it, and how sure that is."""
    if clip.reason:
        return clip
    found = verb_of(clip, entry, folder, lexicon)
    return msgspec.structs.replace(
        clip, verb=found.verb, confidence=found.confidence, told_by=found.words if found.verb else ""
    )


def _clips(asset: AnimatedAsset, moving: Moving, size: float, rules: ClipRules) -> Iterator[ClipEntry]:
    limb = np.concatenate(asset.limb_of_vertex())
    kept = thinned(np.arange(len(limb)))
    groups = [telling(kept[limb[kept] == k]) for k in range(-1, len(asset.limbs))]
    for c in moving.clips:
        posed = PosedClip(len(limb), partial(_posed, moving, c.name, size))
        found = measured(posed, c.begin_s, c.end_s, rules)
        if found is None:
            yield ClipEntry(name=c.name, duration_s=round(c.duration_s, 4), reason=NOTHING_MOVES)
            continue
        times = moments(found.start_s, found.end_s, rules)
        poses = posed.at(times, np.concatenate(groups))
        ends = np.cumsum([len(g) for g in groups])[:-1]
        yield ClipEntry(
            name=c.name,
            start_s=found.start_s,
            end_s=found.end_s,
            duration_s=round(c.duration_s, 4),
            loops=found.loops,
            cycles=cycles(np.split(poses, ends, axis=1), rules),
        )
    for name, reason in moving.left_out.items():
        yield ClipEntry(name=name, reason=reason)


def _posed(moving: Moving, clip: str, size: float, times_s: Points, rows: Ints) -> Points:
    return moving.vertices_over(clip, times_s, rows) / size


def verb_of(clip: ClipEntry, entry: AnimatedEntry, folder: Path, lexicon: Lexicon) -> NamedVerb:
    """Return the verb that the name of a clip says, or else its motion; none where neither tells."""
    own = lexicon.by_key.keys() - read_lexicon().by_key.keys()
    said = named_verb(clip.name, lexicon.by_key, entry.noun, own)
    if said.verb or known_as_several(clip.name):
        return said
    shown = msgspec.structs.replace(entry, clips=(clip,))
    asset = asset_of(folder, shown, AnimatedManifest(name="proposed", assets=(shown,)))
    found = moved_verb(asset, asset.clips[0])
    return found if found.verb in lexicon.by_key else NOTHING


def joints_of(moving: Moving) -> tuple[str, ...]:
    """Return the names of the nodes that vertices hang on most, in the order of the file."""
    used = np.unique(np.concatenate([p.joint for p in moving.pieces]))
    return tuple(dict.fromkeys(moving.document.nodes[i].name for i in used.tolist()))


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
