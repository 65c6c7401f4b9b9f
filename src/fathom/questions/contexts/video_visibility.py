"""What the frames that are shown of a video let one see of each object, and what that is enough for.

Thresholds are settings: who is meant is unique among all that can be made out at all, and only what can be
seen clearly is asked about.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import msgspec
import numpy as np
from numpy.typing import NDArray

from fathom.ground_truth.cell_files import TruthCells
from fathom.ground_truth.cells import TruthCell
from fathom.programs.views.video import VideoView
from fathom.questions.contexts.video_nouns import FACED, USUAL
from fathom.records import InputError, Need, Scene

Mask = NDArray[np.bool_]


@dataclass(frozen=True)
class Seeing:
    """From when on something can be seen well enough.

    made_out_px, made_out_share : visible pixels, and share of the silhouette, from which a thing can be made
        out at all; whatever can is a rival of what is described
    glimpsed_px : visible pixels from which somebody may notice that there is something
    clear_px, clear_share : the same, from which it can be asked about
    whole_share : the share of the silhouette from which its size can be asked for, in two frames
    narrow_px : the pixels of the narrower side of the rectangle around its box, the same
    face_deg : by how many degrees a sign may be turned away from the camera, the same
    clear_frames : in how many shown frames, at least, it is clear
    named_px : the pixels of the wider side of that rectangle, in one of them, from which a van is told from a
        car
    front_px : the pixels of the wider side of that rectangle, from which its front can be told
    span_share : in which share of the shown frames of a span; at both ends of it always
    parallax : how far the camera has to get while it sees an object, ÷ the distance, where nothing of a usual
        size is seen with it and meters are asked for
    anchored_share : in which share of the shown frames of a span something is clear, so that the camera's
        own motion can be seen
    """

    made_out_px: int = 40
    glimpsed_px: int = 6
    made_out_share: float = 0.05
    clear_px: int = 250
    clear_share: float = 0.6
    whole_share: float = 0.9
    narrow_px: float = 6.0
    face_deg: float = 60.0
    clear_frames: int = 5
    named_px: float = 24.0
    front_px: float = 40.0
    span_share: float = 0.6
    parallax: float = 0.1
    anchored_share: float = 0.8

    def __post_init__(self) -> None:
        """Raise InputError where something would be clear that cannot be made out."""
        if self.clear_px < self.made_out_px or self.clear_share < self.made_out_share:
            raise InputError(
                f"seeing: clear from {self.clear_px} pixels and a share of {self.clear_share:g}, made out "
                f"from {self.made_out_px} and {self.made_out_share:g}: expected at least as much of what is "
                "clear; raise the first two"
            )


@dataclass(frozen=True)
class Reading:
    """What a careful person is taken to read from frames.

    edge_px : to how many pixels an edge, or the middle of an object, is found
    least_scale : no more finely than to this share are meters known, whatever stands in view: nobody sees
        of which make a car is
    alike : which part of the error in meters is the same for all objects of a scene: whose idea of usual
        sizes is off takes all of them for too large, or too small
    turn_deg : to how many degrees a turn of the view is told; `yaw_deg` an object's own front
    """

    edge_px: float = 2.0
    least_scale: float = 0.04
    alike: float = 0.5
    turn_deg: float = 2.0
    yaw_deg: float = 8.0


@dataclass(frozen=True, eq=False)
class Sights:
    """What is seen of T objects in the G frames that are shown.

    objects : (T,) ids, in the scene's order
    frames : (G,) numbers of the frames, increasing
    visible_px : (T, G) pixels that show the object
    full_px : (T, G) pixels of its silhouette if it stood alone, those beyond the picture's edges included
    depth_m : (T, G) median depth of what is visible, NaN where nothing is
    """

    scene: str
    objects: tuple[str, ...]
    frames: tuple[int, ...]
    visible_px: NDArray[np.int64]
    full_px: NDArray[np.int64]
    depth_m: NDArray[np.float64]

    @property
    def shares(self) -> NDArray[np.float64]:
        """(T, G) the visible share of each silhouette, 0 where there is none."""
        return np.asarray(self.visible_px / np.maximum(self.full_px, 1))

    def of(self, rows: Sequence[int], objects: tuple[str, ...]) -> Sights:
        """Return the sights of other objects, each of a row of these; −1: nothing is seen of it."""
        there = np.array(rows)[:, None] >= 0
        return Sights(
            self.scene,
            objects,
            self.frames,
            np.where(there, self.visible_px[rows], 0),
            np.where(there, self.full_px[rows], 0),
            np.where(there, self.depth_m[rows], np.nan),
        )

    def made_out(self, seeing: Seeing) -> Mask:
        """(T, G) whether an object can be made out at all."""
        return (self.visible_px >= seeing.made_out_px) & (self.shares >= seeing.made_out_share)

    def clear(self, seeing: Seeing) -> Mask:
        """(T, G) whether an object is seen well enough to be asked about."""
        return (self.visible_px >= seeing.clear_px) & (self.shares >= seeing.clear_share)


def sights_of(scene: Scene, cells: Iterable[TruthCell]) -> Sights:
    """Return what is seen in the cells of a video's one view, one for each frame that is shown.

    Raises InputError where there are none, or several of one frame.
    """
    found = sorted(cells, key=lambda c: c.frame)
    frames = tuple(c.frame for c in found)
    if (
        not frames
        or len(set(frames)) < len(frames)
        or any(len(c.objects) != len(scene.objects) for c in found)
    ):
        raise InputError(
            f"scene {scene.id}: sights of {len(scene.objects)} things need one cell for each frame that is "
            f"shown, and the frames given are {list(frames)}; render each of them once"
        )
    visible = np.array(
        [np.bincount(c.ids[c.ids >= 0], minlength=len(scene.objects)) for c in found], dtype=np.int64
    )
    full = np.array([[g.full_px for g in c.objects] for c in found], dtype=np.int64)
    depth = np.array([[_median(g.depth_m) for g in c.objects] for c in found])
    return Sights(scene.id, tuple(t.id for t in scene.objects), frames, visible.T, full.T, depth.T)


def sights_in(scene: Scene, cells: TruthCells) -> Sights:
    """Return what the cells show of every object of the scene; of the structure, all one there, nothing."""
    listed = {t.id: t for t in scene.objects}
    first = scene.objects[0]
    objects = tuple(listed.get(name) or msgspec.structs.replace(first, id=name) for name in cells.objects)
    filmed: Scene = msgspec.structs.replace(scene, objects=objects)
    found = sights_of(filmed, (cells.read(*at) for at in cells.cells))
    row = {name: k for k, name in enumerate(found.objects)}
    return found.of([row.get(t.id, -1) for t in scene.objects], tuple(t.id for t in scene.objects))


def _median(depth_m: NDArray[np.float64]) -> float:
    return float(np.median(depth_m)) if len(depth_m) else float("nan")


def seen_by(tracks: VideoView, visibility: Sights, seeing: Seeing) -> VideoView:
    """Return the tracks with what can be made out in the frames that are shown, and what is clear.

    Raises InputError where sights and tracks are of different objects.
    """
    if visibility.objects != tracks.objects:
        raise InputError(
            f"scene {tracks.scene}: its sights are of {len(visibility.objects)} other things than its "
            f"{len(tracks.objects)}; make them anew"
        )
    found = tracks.with_seen(visibility.frames, visibility.made_out(seeing).T)
    clear = visibility.clear(seeing) & (sides_px(found).min(axis=2) >= seeing.narrow_px)
    told = found.with_seen(visibility.frames, found.seen, (clear & faces(found, seeing.face_deg)).T)
    return replace(told, glimpsed=(visibility.visible_px >= seeing.glimpsed_px).T)


def sides_px(tracks: VideoView) -> NDArray[np.float64]:
    """Return (T, G, 2) how wide and high the rectangle around each object's box is in the frames shown.

    As if all of it lay at the distance of its centre; 0 behind the camera.
    """
    views = tracks.views[tracks.shown]
    rays = tracks.centres_m[:, tracks.shown] - tracks.eyes_m[tracks.shown]
    ahead = np.einsum("tgi,gi->tg", rays, views[..., 2])
    turned = np.abs(np.swapaxes(views, 1, 2)[None, :, :2] @ tracks.rotations[:, tracks.shown])
    extents = (turned @ tracks.sizes_m[:, None, :, None])[..., 0]
    pixels = np.array(tracks.focal_px) / np.maximum(ahead, 0.05)[..., None]
    return np.asarray(np.where(ahead[..., None] > 0, extents * pixels, 0.0))


def faces(tracks: VideoView, most_deg: float) -> Mask:
    """Return (T, G) whether what has a face to be read shows it; what has none counts as if it did."""
    away = tracks.eyes_m[tracks.shown] - tracks.centres_m[:, tracks.shown]
    away[..., 2] = 0.0
    front = tracks.rotations[..., 0][:, tracks.shown]
    turned = np.einsum("tgi,tgi->tg", away, front) / np.maximum(np.linalg.norm(away, axis=2), 1e-9)
    read = np.array([name.endswith(FACED) for name in tracks.names], dtype=bool)
    return np.asarray(~read[:, None] | (turned >= np.cos(np.radians(most_deg))))


def has_scale(tracks: VideoView, clear: Mask, obj: int, seeing: Seeing) -> bool:
    """Return whether metres can be judged of a thing: the camera goes far enough while it sees it, or another
    object of a usual size is seen with it. `clear` is (T, G).
    """
    own = np.flatnonzero(clear[obj])
    if not len(own):
        return False
    eyes = tracks.eyes_m[tracks.shown[own]]
    away = np.linalg.norm(tracks.centres_m[obj, tracks.shown[own]] - eyes, axis=1)
    if float(np.linalg.norm(eyes - eyes[0], axis=1).max()) >= seeing.parallax * float(np.median(away)):
        return True
    usual = [k for k in range(len(tracks.objects)) if k != obj and tracks.names[k] in USUAL]
    return bool(clear[usual][:, own].any())


def cells_text(frames: Sequence[int], mask: Mask) -> str:
    """Return which of the shown frames are meant, as ranges: "0-41,103"."""
    runs: list[list[int]] = []
    for k in np.flatnonzero(mask).tolist():
        if runs and runs[-1][1] == k - 1:
            runs[-1][1] = k
        else:
            runs.append([k, k])
    return ",".join(str(frames[a]) if a == b else f"{frames[a]}-{frames[b]}" for a, b in runs)


def need(what: str, frames: Sequence[int], mask: Mask) -> Need:
    """Return what has to be seen, and in which of the shown frames it can be."""
    return Need(what=what, cells={0: cells_text(frames, mask)})
