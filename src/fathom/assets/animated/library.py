"""Animated assets: models that stand on the ground, look along x, and can be posed at any time of a clip."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from fathom.assets.animated.manifest import (
    CLIPS,
    FILE,
    AnimatedEntry,
    AnimatedManifest,
    animated_manifest_of,
)
from fathom.assets.gltf import resource_hashes
from fathom.assets.gltf.axes import turn_of
from fathom.assets.gltf.limits import LIMITS
from fathom.assets.gltf.moving import REST, Moving, Towards, open_moving
from fathom.assets.model import Model, Points
from fathom.records import AssetError, AssetRef, InputError
from fathom.store.files import inside

READER = "1"
"""Raised whenever the same file and manifest give other poses."""

_OPEN = 24
"""How many files are kept open: memory stays flat over hundreds of assets."""


@dataclass(frozen=True)
class AssetClip:
    """One reviewed clip: what it shows, and from when to when, in the file's seconds, something moves."""

    name: str
    verb: str
    start_s: float
    end_s: float
    duration_s: float
    loops: bool
    cycles: int


@dataclass(frozen=True)
class AssetPart:
    """A material of an asset: its name in the file, the word for what it makes, and that for its colour."""

    material: str
    word: str
    color: str


@dataclass(frozen=True)
class Placing:
    """How an asset's file becomes its object frame: vertices @ turn.T * scale + shift."""

    turn: Points
    scale: float
    shift: Points

    def points(self, vertices: Points) -> Points:
        """Return vertices of the file, (…, 3), in metres: x forward, y left, z up."""
        return np.asarray(vertices @ (self.turn.T * self.scale) + self.shift)


@dataclass(frozen=True, eq=False)
class AnimatedAsset:
    """An animated model as the manifest describes it; its file is read when it is first posed.

    `size_m` is the longest side of its box in its stance; `limbs` are names from the manifest, left and right
    the asset's own. Models that it gives have the asset's `noun` as subtype; their parts bear the words of
    `parts`, or the material's name in brackets where it has none.
    """

    name: str
    category: str
    noun: str
    plural: str
    size_m: float
    clips: tuple[AssetClip, ...]
    limbs: tuple[str, ...]
    parts: tuple[AssetPart, ...]
    entry: AnimatedEntry
    folder: Path
    joints_of: Mapping[str, tuple[str, ...]]

    @property
    def path(self) -> Path:
        """Where its file lies."""
        return self.folder / self.entry.file

    def clip(self, name: str) -> AssetClip:
        """Return the clip called `name`. Raises AssetError that lists what there is."""
        for c in self.clips:
            if c.name == name:
                return c
        known = ", ".join(c.name for c in self.clips) or "none"
        raise AssetError(f"{self.path}: has no reviewed clip {name!r}; there are {known}; correct the name")

    @property
    def moving(self) -> Moving:
        """The file that can be posed; kept open for a while. Raises AssetError where it cannot be used."""
        return opened_model(self.folder, self.entry.file)

    @cached_property
    def placing(self) -> Placing:
        """How the file's frame becomes the asset's, the same for all clips and times."""
        return _placing(self.moving, self.entry, self.clips)

    @cached_property
    def extents_m(self) -> tuple[float, float, float]:
        """Length, width and height of its box in its stance."""
        low, high = _box(self.placing.points(_stance(self.moving, self.entry, self.clips)))
        length, width, height = (high - low).tolist()
        return (length, width, height)

    def model_at(self, clip: str, time_s: float, towards: Towards | None = None) -> Model:
        """Return the asset at `time_s`, in the file's seconds, of a clip of the file; "" is its stance.

        With `towards` it is on its way to another pose.

        In metres, in the object's frame. Before the clip's first keyframe it stands as there, after its last
        likewise. Raises AssetError for clips that the file does not have.
        """
        if clip == REST and self.entry.stance:
            clip, time_s = self.entry.stance, _first_s(self.moving, self.entry.stance, self.clips)
        turn = self.placing.turn.T
        parts = tuple(
            replace(
                p,
                name=name,
                vertices=self.placing.points(p.vertices),
                normals=None if p.normals is None else p.normals @ turn,
            )
            for p, name in zip(self.moving.parts_at(clip, time_s, towards), self._part_names, strict=True)
        )
        return Model(self.name, self.category, self.noun, parts)

    def vertices_at(self, clip: str, time_s: float, towards: Towards | None = None) -> Points:
        """Return the (n, 3) vertices of all parts, one after the other, as `model_at` places them."""
        if clip == REST and self.entry.stance:
            clip, time_s = self.entry.stance, _first_s(self.moving, self.entry.stance, self.clips)
        return self.placing.points(self.moving.vertices_at(clip, time_s, towards))

    def vertices_over(self, clip: str, times_s: Points, rows: NDArray[np.int64] | None = None) -> Points:
        """Return the (t, n, 3) vertices at times (t,) of a clip of the file, or those of some rows alone."""
        return self.placing.points(self.moving.vertices_over(clip, times_s, rows))

    def limb_of_vertex(self) -> tuple[NDArray[np.int64], ...]:
        """Return, per part, the (n,) index into `limbs` of what each vertex hangs on most; -1 for none."""
        limb = self._limb_of_node
        return tuple(limb[p.joint] for p in self.moving.pieces)

    def ref(self) -> AssetRef:
        """Return the reference that a scene keeps of this asset."""
        return AssetRef(name=self.name, sha256=self.sha256)

    @cached_property
    def sha256(self) -> str:
        """The hash of everything that makes its poses: its files, and how the manifest places them."""
        e = self.entry
        h = hashlib.sha256(f"{READER}|{e.front}|{e.up}|{e.size_m}|{e.stance}|{e.ground}".encode())
        # The stance is a moment of a clip, and the ground may lie under all of them.
        h.update("|".join(f"{c.name} {c.start_s} {c.end_s}" for c in self.clips).encode())
        for digest in resource_hashes(self.path, self.folder, LIMITS):
            h.update(digest.encode())
        return h.hexdigest()

    @cached_property
    def _part_names(self) -> tuple[str, ...]:
        words = {p.material: p.word for p in self.parts}
        return tuple(
            words.get(p.still.material.name) or f"({p.still.material.name})" for p in self.moving.pieces
        )

    @cached_property
    def _limb_of_node(self) -> NDArray[np.int64]:
        """Return (nodes,) indices into `limbs`: a node's own limb, or that of what it hangs on."""
        document = self.moving.document
        patterns = [[re.compile(p) for p in self.joints_of[limb]] for limb in self.limbs]
        found = np.full(len(document.nodes), -1, dtype=np.int64)
        for i in document.order:
            node = document.nodes[i]
            own = [k for k, ps in enumerate(patterns) if any(p.fullmatch(node.name) for p in ps)]
            found[i] = own[0] if own else (found[node.parent] if node.parent >= 0 else -1)
        return found


@dataclass(frozen=True)
class AnimatedLibrary:
    """Animated assets under a name, in a stable order."""

    name: str
    assets: tuple[AnimatedAsset, ...]

    def asset(self, name: str) -> AnimatedAsset:
        """Return the asset called `name`. Raises InputError that lists the first that there are."""
        for a in self.assets:
            if a.name == name:
                return a
        known = ", ".join(a.name for a in self.assets[:8])
        raise InputError(f"{name!r}: no such asset in the library {self.name}; there are {known}")


def open_animated_library(folder: Path) -> AnimatedLibrary:
    """Return the assets of a folder: as its own manifest says, or as the well-known packs say of its files.

    Nothing is posed yet. Raises AssetError where there is no manifest, or nobody has reviewed an entry.
    """
    manifest = animated_manifest_of(folder)
    unseen = [a.name for a in manifest.assets if not a.reviewed]
    if unseen:
        some = ", ".join(unseen[:3]) + (" …" if len(unseen) > 3 else "")
        raise AssetError(
            f"{folder}: {len(unseen)} actors were not reviewed ({some}); look at the sheets, correct their "
            "entries and set `reviewed` to true, or take them out"
        )
    return AnimatedLibrary(manifest.name, tuple(asset_of(folder, a, manifest) for a in manifest.assets))


def asset_of(folder: Path, entry: AnimatedEntry, manifest: AnimatedManifest) -> AnimatedAsset:
    """Return one asset of a manifest, with its clips that have a verb; where none has one, with all of them.

    Raises AssetError where its file lies outside the folder.
    """
    try:
        inside(folder, entry.file)
    except (InputError, OSError, ValueError, RuntimeError) as e:
        raise AssetError(f"{entry.file!r}: lies outside the folder {folder}; correct the manifest") from e
    limbs = manifest.limbs_of(entry)
    kept = [c for c in entry.clips if c.verb] or [c for c in entry.clips if not c.reason]
    return AnimatedAsset(
        name=entry.name,
        category=entry.category,
        noun=entry.noun,
        plural=entry.plural or f"{entry.noun}s",
        size_m=entry.size_m,
        clips=tuple(
            AssetClip(c.name, c.verb, c.start_s, c.end_s, c.duration_s, c.loops, c.cycles) for c in kept
        ),
        limbs=tuple(limbs),
        parts=tuple(AssetPart(k, m.word, m.color) for k, m in entry.materials.items()),
        entry=entry,
        folder=folder,
        joints_of=limbs,
    )


@lru_cache(maxsize=_OPEN)
def opened_model(folder: Path, file: str) -> Moving:
    """Return a file that can be posed, kept open for a while. Raises AssetError where it cannot be used."""
    return open_moving(folder / file, folder)


def let_go() -> None:
    """Close all files that are kept open: whoever goes through a large folder looks at each once."""
    opened_model.cache_clear()


def _first_s(moving: Moving, clip: str, clips: tuple[AssetClip, ...]) -> float:
    """Return when a clip begins to move: as reviewed, else its first keyframe."""
    known = [c.start_s for c in clips if c.name == clip]
    return known[0] if known else moving.clip(clip).begin_s


def _stance(moving: Moving, entry: AnimatedEntry, clips: tuple[AssetClip, ...]) -> Points:
    time_s = _first_s(moving, entry.stance, clips) if entry.stance else 0.0
    return moving.vertices_at(entry.stance, time_s)


def _box(points: Points) -> tuple[Points, Points]:
    return points.min(axis=0), points.max(axis=0)


def _placing(moving: Moving, entry: AnimatedEntry, clips: tuple[AssetClip, ...]) -> Placing:
    turn = turn_of(entry.front, entry.up)
    low, high = _box(_stance(moving, entry, clips) @ turn.T)
    longest = float((high - low).max())
    if not longest > 1e-9:
        raise AssetError(
            f"{moving.document.path}: is a point in its stance {entry.stance!r}; choose another `stance`"
        )
    ground = float(low[2])
    if entry.ground == FILE:
        ground = 0.0
    elif entry.ground == CLIPS:
        ground = min([ground, *(_lowest(moving, turn, c) for c in clips)])
    scale = entry.size_m / longest
    middle = (low + high) / 2
    return Placing(turn, scale, -scale * np.array([middle[0], middle[1], ground]))


def _lowest(moving: Moving, turn: Points, clip: AssetClip) -> float:
    times = np.linspace(clip.start_s, clip.end_s, 17)
    return float((moving.vertices_over(clip.name, times) @ turn[2]).min())
