"""People and animals as they stand, walk or sit at one moment: specs like those of furniture.

LIVING                       # the built-in ones by the names that scenes call them
living_in(folder)            # those of a folder of animated models that fit into a room
posed_model(spec)            # at its usual size, standing over the origin, its front towards +x
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

import numpy as np

from fathom.assets.animated.library import AnimatedAsset, AnimatedLibrary, AssetClip, open_animated_library
from fathom.assets.catalogue import catalogue
from fathom.assets.loading import CREATURES, built_in_model, built_in_parts_at
from fathom.assets.model import SWINGING, Model, Part
from fathom.assets.sizes import by
from fathom.assets.spec import PERSON, AssetSpec

KINDS = (PERSON, "animal", "character", "robot")
"""The categories of what lives, or moves as if it did."""

VERBS = ("idle", "walk", "sit", "eat", "look_around", "wave")
"""What it may be doing in a room, by the verbs of clips."""

FITS_M: Mapping[str, tuple[float, float]] = {
    PERSON: (0.6, 2.0),
    "animal": (0.3, 1.3),
    "character": (0.3, 1.95),
    "robot": (0.3, 1.95),
}
"""Category → between which lengths its longest side is where it comes into a room."""

MOMENT = 0.3
"""At which share of a clip it is seen."""


class Posed(AssetSpec, frozen=True, kw_only=True):
    """A model that can move, as it is at one moment.

    of : what its own pack calls it
    clip, time_s : the moment, in the file's seconds; no clip: as the file has it
    factor : its usual size here, in sizes there
    """

    of: str = ""
    clip: str = ""
    time_s: float = 0.0
    factor: float = 1.0

    @property
    def shape_of_moment(self) -> str:
        """The hash of what makes its shape."""
        said = f"{self.shape or self.sha256}|{self.clip}|{self.time_s:g}|{self.factor:g}"
        return hashlib.sha256(said.encode()).hexdigest()


def posed_model(spec: Posed) -> Model:
    """Return a model at its moment, standing over the origin.

    Raises AssetError where its file cannot be used.
    """
    return _posed(spec)


@lru_cache(maxsize=256)
def _posed(spec: Posed) -> Model:
    parts = _street_parts(spec) if spec.pack == "street" else _animated_parts(spec)
    points = np.concatenate([p.vertices for p in parts])
    low, high = points.min(axis=0), points.max(axis=0)
    shift = np.array([(low[0] + high[0]) / 2, (low[1] + high[1]) / 2, low[2]])
    stood = (
        replace(
            p,
            # Nothing of it moves while it is looked at.
            name=p.name.removeprefix(SWINGING).strip(),
            vertices=(p.vertices - shift) * spec.factor,
            material=replace(p.material, emission=0.0),
        )
        for p in parts
    )
    return Model(spec.name, spec.category, spec.noun, tuple(stood))


def _street_parts(spec: Posed) -> tuple[Part, ...]:
    if not spec.clip:
        return built_in_model("street", spec.of).parts
    return built_in_parts_at("street", spec.of, spec.clip, spec.time_s)


def _animated_parts(spec: Posed) -> tuple[Part, ...]:
    folder = Path(spec.folder) if spec.folder else CREATURES
    return _library(folder).asset(spec.of).model_at(spec.clip, spec.time_s).parts


@lru_cache(maxsize=8)
def _library(folder: Path) -> AnimatedLibrary:
    return open_animated_library(folder)


PACES = (0.1, 0.35, 0.6)
"""The phases of a stride at which people are seen who walk."""

PEOPLE: Mapping[str, tuple[str, str]] = {"a": ("woman", "women"), "b": ("man", "men")}
"""How people of the street look → what they are called in rooms: one, several."""


def _people() -> Iterator[Posed]:
    """Yield people of the street, who stand and who walk."""
    known = catalogue("street")
    for looks, (noun, plural) in PEOPLE.items():
        stander, walker = known[f"stander {looks}"], known[f"walker {looks}"]
        yield _person(stander, f"standing {noun}", noun, plural)
        for pace in PACES:
            name = f"walking {noun} {pace:g}"
            yield _person(walker, name, noun, plural, walker.stride_clip, pace)


def _person(spec: AssetSpec, name: str, noun: str, plural: str, clip: str = "", time_s: float = 0.0) -> Posed:
    return Posed(
        file=spec.file,
        category=PERSON,
        subtype=noun,
        name=name,
        noun=noun,
        plural=plural,
        recolourable=True,
        color_told=False,
        varies=(by("xyz", 0.06),),
        named_parts=(("head", "head"),),
        palette=spec.palette,
        colors=spec.colors,
        shape=spec.shape,
        license=spec.license,
        pack="street",
        of=spec.name,
        clip=clip,
        time_s=time_s,
    )


def living_in(folder: Path) -> tuple[Posed, ...]:
    """Return what lives in a folder of animated models, at moments of what it may be doing in a room.

    Raises AssetError where the folder has no manifest, or nobody has reviewed an entry.
    """
    found = (_moments(asset, str(folder)) for asset in _library(folder).assets)
    return tuple(spec for some in found for spec in some)


def _moments(asset: AnimatedAsset, folder: str, factor: float = 1.0) -> Iterator[Posed]:
    low, high = FITS_M.get(asset.category, (1.0, 0.0))
    if not low <= asset.size_m * factor <= high:
        return
    clips = {clip.verb: clip for clip in reversed(asset.clips) if clip.verb in VERBS}
    for verb in (v for v in VERBS if v in clips):
        yield _moment(asset, clips[verb], folder, factor)


def _moment(asset: AnimatedAsset, clip: AssetClip, folder: str, factor: float) -> Posed:
    time_s = round(clip.start_s + MOMENT * (clip.end_s - clip.start_s), 4)
    # Who sits down does so in the course of the clip.
    time_s = round((clip.start_s + clip.end_s) / 2, 4) if clip.verb == "sit" else time_s
    length = asset.model_at(clip.name, time_s).extents[0]
    return Posed(
        file=asset.entry.file,
        category=asset.category,
        subtype=asset.noun,
        name=f"{asset.name}, {clip.verb}",
        noun=asset.noun,
        plural=asset.plural,
        size_m=round(float(length) * factor, 6),
        varies=(by("xyz", 0.06),),
        sha256=asset.sha256,
        license=asset.entry.license,
        folder=folder,
        of=asset.name,
        clip=clip.name,
        time_s=time_s,
        factor=factor,
    )


ANIMALS: Mapping[str, float] = {"Dog": 0.6, "Robot": 0.7}
"""The built-in creatures that come into rooms, and how large they are there, in their usual sizes."""


def _creatures() -> Iterator[Posed]:
    for name, factor in ANIMALS.items():
        yield from _moments(_library(CREATURES).asset(name), "", factor)


@lru_cache(maxsize=1)
def living() -> Mapping[str, Posed]:
    """Return the built-in people and animals by the names that scenes call them."""
    return {spec.asset: spec for spec in (*_people(), *_creatures())}
