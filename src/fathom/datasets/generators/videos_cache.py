"""What is kept of a video while its dataset is built: what its frames show, and the faults of its world."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fathom.datasets.proofs import ScenePart
from fathom.questions.contexts.video_visibility import Sights
from fathom.records import Media, Record, Scene
from fathom.scenes.videos.audit import Fault, VideoAudit
from fathom.store.datasets import MEDIA_FOLDER


class SeenObjects(Record, frozen=True, kw_only=True):
    """What the shown frames of a video let one see of each object, as `Sights` has it; lists of frames."""

    frames: tuple[int, ...]
    visible_px: tuple[tuple[int, ...], ...]
    full_px: tuple[tuple[int, ...], ...]
    depth_m: tuple[tuple[float | None, ...], ...]


class VideoOwn(Record, frozen=True, kw_only=True):
    """What is seen of a video, and the faults of its world."""

    seen: SeenObjects
    faults: tuple[tuple[str, str, int, float, float, str], ...]


Part = ScenePart[VideoOwn]


def media_of_video(scene: Scene) -> Media:
    """Return the record of a scene's one film, still without pictures, named as the video is."""
    camera, name = scene.cameras[0], scene.source["video"]
    step = (scene.times_s[-1] - scene.times_s[0]) / (len(scene.times_s) - 1)
    return Media(
        id=name,
        path=f"{MEDIA_FOLDER}/{name}.mp4",
        kind="video",
        size=(camera.width, camera.height),
        sha256="",
        scene=scene.id,
        frames=len(scene.times_s),
        fps=round(1 / step, 6),
    )


def sights_of_part(part: Part) -> Sights:
    """Return what is seen of a video, as questions take it."""
    seen = part.own.seen
    depth = [[np.nan if d is None else d for d in row] for row in seen.depth_m]
    return Sights(
        part.scene.id,
        tuple(t.id for t in part.scene.objects),
        seen.frames,
        np.array(seen.visible_px, dtype=np.int64),
        np.array(seen.full_px, dtype=np.int64),
        np.array(depth, dtype=np.float64),
    )


def audited(part: Part) -> VideoAudit:
    """Return what was looked at in a video's world, and what is wrong."""
    loose = [t for t in part.scene.objects if t.category != "structure"]
    moving = sum(len(t.poses) > 1 for t in loose)
    return VideoAudit(
        1, len(loose), moving, len(part.scene.times_s), tuple(Fault(*f) for f in part.own.faults)
    )


def seen_in(visibility: Sights) -> SeenObjects:
    """Return what sights hold, as it is kept."""
    return SeenObjects(
        frames=visibility.frames,
        visible_px=tuple(map(_whole, visibility.visible_px)),
        full_px=tuple(map(_whole, visibility.full_px)),
        depth_m=tuple(tuple(map(_depth, row)) for row in visibility.depth_m),
    )


def _whole(values: NDArray[np.int64]) -> tuple[int, ...]:
    return tuple(int(v) for v in values)


def _depth(value: float) -> float | None:
    return None if np.isnan(value) else round(float(value), 5)
