"""A document as a moving model: posed at any time of its animations, the same triangles always.

Ref: Khronos glTF 2.0 specification §3.11 (animations).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

import numpy as np

from fathom.assets.gltf.document import Document, KeyframeClip, read_document
from fathom.assets.gltf.hierarchy import Hierarchy, Ints, JointPose, hierarchy_of
from fathom.assets.gltf.keyframes import Tracks, tracks_of, weight_tracks
from fathom.assets.gltf.limits import LIMITS, REMEDY, BrokenError, FileLimits
from fathom.assets.gltf.skinning import Bones, RestPiece, Skinning, skinned
from fathom.assets.model import Part, Points
from fathom.records import AssetError

MOVING_LIMITS = replace(LIMITS, vertices=3_000_000, vertices_kept=400_000, triangles=4_000_000)
"""What moves is posed again for every frame: large models are simplified, larger ones refused."""

_AT_ONCE = 400_000
"""Vertices and joints, over all moments, that are placed by one product."""

REST = ""
"""The name that stands for the pose of the file itself, without any clip."""


@dataclass(frozen=True, eq=False)
class MovingClip:
    """A named animation, from its first keyframe to its last, in the file's seconds."""

    name: str
    begin_s: float
    end_s: float
    tracks: tuple[Tracks, ...]
    morphs: Mapping[int, Tracks]

    @property
    def duration_s(self) -> float:
        """How long it takes from the first keyframe to the last."""
        return self.end_s - self.begin_s


@dataclass(frozen=True)
class Towards:
    """Another pose, at a time of a clip, and how much of the way to it a model has gone: 0 to 1."""

    clip: str
    time_s: float
    share: float


@dataclass(frozen=True, eq=False)
class Moving:
    """A file that can be posed.

    `clips` have names of their own even where the file repeats one; `left_out` maps clips that cannot be
    played to the reason.
    """

    document: Document
    clips: tuple[MovingClip, ...]
    left_out: Mapping[str, str]
    pieces: tuple[RestPiece, ...]
    hierarchy: Hierarchy
    bones: Bones
    skinning: Skinning

    def clip(self, name: str) -> MovingClip:
        """Return the clip called `name`. Raises AssetError that lists what there is."""
        if name not in self._by_name:
            known = ", ".join(self._by_name) or "none"
            raise AssetError(
                f"{self.document.path}: has no clip {name!r}; there are {known}; correct the name"
            )
        return self._by_name[name]

    @cached_property
    def _by_name(self) -> Mapping[str, MovingClip]:
        return {c.name: c for c in self.clips}

    def vertices_at(self, clip: str, time_s: float, towards: Towards | None = None) -> Points:
        """Return the (n, 3) vertices of all parts, one after the other, in the file's frame."""
        with np.errstate(all="ignore"):
            points, _, _ = self._placed(self.skinning, clip, np.array([time_s]), towards)
        return np.asarray(points[0])

    def vertices_over(self, clip: str, times_s: Points, rows: Ints | None = None) -> Points:
        """Return the (t, n, 3) vertices at times (t,) of a clip, or those of some rows (r,) alone."""
        skinning = self.skinning if rows is None else self.skinning.of(rows)
        found = np.empty((len(times_s), skinning.count, 3))
        # A stretch of moments at a time: of large models a whole clip's poses are large enough already.
        step = max(1, _AT_ONCE // (skinning.count + len(self.bones.nodes) + 1))
        with np.errstate(all="ignore"):
            for k in range(0, len(times_s), step):
                found[k : k + step] = self._placed(skinning, clip, times_s[k : k + step], None)[0]
        return found

    def parts_at(self, clip: str, time_s: float, towards: Towards | None = None) -> tuple[Part, ...]:
        """Return the parts at a time of a clip ("" is the pose of the file itself), in the file's frame.

        With `towards` the pose is on its way to another, joint by joint. Parts, faces and the order of
        vertices are the same for all clips and times. Raises AssetError for a clip that is not there and a
        pose that lies nowhere.
        """
        with np.errstate(all="ignore"):
            points, joints, weights = self._placed(self.skinning, clip, np.array([time_s]), towards)
            normals = self.skinning.normals(joints, weights)[0]
        return tuple(
            replace(
                p.still,
                vertices=points[0, p.rows],
                normals=None if p.still.normals is None else normals[p.rows],
            )
            for p in self.pieces
        )

    def joints_over(self, clip: str, times_s: Points, towards: Towards | None = None) -> JointPose:
        """Return how all nodes lie on what they hang on, at times (t,) of a clip."""
        pose = self.hierarchy.pose(() if clip == REST else self.clip(clip).tracks, times_s)
        if towards is None:
            return pose
        return pose.mixed(self.joints_over(towards.clip, np.array([towards.time_s])), towards.share)

    def _morphs_over(self, clip: str, times_s: Points, towards: Towards | None) -> Points:
        weights = self.bones.morphs({} if clip == REST else self.clip(clip).morphs, times_s)
        if towards is None:
            return weights
        other = self._morphs_over(towards.clip, np.array([towards.time_s]), None)
        return np.asarray(weights + towards.share * (other - weights))

    def _placed(
        self, skinning: Skinning, clip: str, times_s: Points, towards: Towards | None
    ) -> tuple[Points, Points, Points]:
        joints = self.bones.matrices(self.hierarchy.worlds(self.joints_over(clip, times_s, towards)))
        weights = self._morphs_over(clip, times_s, towards)
        points = skinning.points(joints, weights)
        if not np.isfinite(points).all():
            lost = times_s[~np.isfinite(points).all(axis=(1, 2))][0]
            raise AssetError(
                f"{self.document.path}: at {lost:g} s its clip {clip!r} places it nowhere; {REMEDY}"
            )
        return points, joints, weights


def open_moving(path: Path, folder: Path | None = None, limits: FileLimits = MOVING_LIMITS) -> Moving:
    """Return a GLB or glTF file that can be posed.

    What it points to must lie in `folder` (its own where none is given). Raises AssetError, with one
    sentence, where the model cannot be used at all; clips that cannot be played are `left_out`.
    """
    document = read_document(path, folder, limits, clips=True)
    try:
        with np.errstate(all="ignore"):
            return _moving(document)
    except BrokenError as e:
        raise AssetError(f"{path}: {e}; {REMEDY}") from e
    except MemoryError as e:
        raise AssetError(f"{path}: is too large to be posed; {REMEDY}") from e


def _moving(document: Document) -> Moving:
    hierarchy = hierarchy_of(document)
    pieces, bones, skinning = skinned(document, hierarchy)
    clips, left_out = _clips(document, bones)
    moving = Moving(document, clips, left_out, pieces, hierarchy, bones, skinning)
    points = moving.vertices_at(REST, 0.0)
    if not 1e-7 < float(np.ptp(points, axis=0).max()) < 1e9:
        raise BrokenError("its nodes place it at no finite size")
    return moving


def _clips(document: Document, bones: Bones) -> tuple[tuple[MovingClip, ...], dict[str, str]]:
    """Return the clips that can be played, under names of their own, and the others with the reason."""
    taken: Counter[str] = Counter()
    clips: list[MovingClip] = []
    left_out: dict[str, str] = {}
    for clip in document.clips:
        name = _own_name(clip.name, taken)
        try:
            clips.append(_clip(name, clip, bones))
        except BrokenError as e:
            left_out[name] = str(e)
    for written, reason in document.broken:
        left_out[_own_name(written, taken)] = reason
    return tuple(clips), left_out


def _own_name(written: str, taken: Counter[str]) -> str:
    """Return a printable name that no clip before has: "Run", "Run (2)" …"""
    plain = "".join(c if c.isprintable() else " " for c in written).strip() or "clip"
    taken[plain] += 1
    name = plain if taken[plain] == 1 else f"{plain} ({taken[plain]})"
    if name != plain and taken[name]:
        return _own_name(plain, taken)
    taken[name] += name != plain
    return name


def _clip(name: str, clip: KeyframeClip, bones: Bones) -> MovingClip:
    tracks = tracks_of(clip.channels)
    morphs: dict[int, Tracks] = {}
    for c in clip.channels:
        if c.path == "weights" and c.node in bones.targets:
            morphs[c.node] = weight_tracks(c, len(bones.targets[c.node][0]))
    every: list[Tracks] = [*tracks, *morphs.values()]
    if not every:
        raise BrokenError("it moves nothing that the model is made of")
    begin = min(float(t.times_s.min()) for t in every)
    end = max(float(t.times_s.max()) for t in every)
    if not end - begin > 1e-6:
        raise BrokenError(f"it takes no time: all its keyframes lie at {begin:g} s")
    return MovingClip(name, begin, end, tracks, morphs)
