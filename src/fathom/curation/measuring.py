"""Everything that is measured of one object before it is decided which objects stay.

Its frames are asked for once, looked at one by one, and let go; what is left is a small record, so that a
pool may be any size, and objects may be measured by several processes and on several days.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from fathom.assets.model import Part
from fathom.curation.agreement import displacements
from fathom.curation.duplicates import Fingerprint, color_histogram, look_of, shape_histogram
from fathom.curation.motion import MOTION, Floats, Motion, MotionSettings, joined, view_change
from fathom.curation.pixels import Picture, Small, reduced, thumbnail
from fathom.curation.quality import FrameQuality, Gaze, MeshQuality, shape_of
from fathom.records import FathomError
from fathom.records.scene import Record

LOOK_EVERY = 8
"""Every so many frames of a view one is taken for colours and coverage, and for comparing objects."""

THUMBNAIL_PX = 16
_SMALL_PX = 256

Grade = Callable[[Sequence[Picture]], float]
"""From a few views of an object to the probability that people would keep it."""


@dataclass(frozen=True)
class PoolObject:
    """An object that may become one of the dataset's.

    `films` gives, each time it is called, the films of all views one after the other, each frame (height,
    width, 3 or 4) uint8; `parts` its triangles as they stand at first, and `positions` the (n, 3) vertices of
    every frame, in the unit in which it is `size` long. None where there is no such object. `motions` are the
    kinds of motion in it, `sequence` names its clips and edits in order, and `asset` what it is made from.
    `pictures` are what a classifier grades, where it is not the first frame of each view.
    """

    name: str
    category: str
    films: Callable[[], Iterable[Iterable[Picture]]]
    fps: float
    motions: tuple[str, ...] = ()
    asset: str = ""
    sequence: tuple[str, ...] = ()
    parts: Callable[[], Sequence[Part]] | None = None
    positions: Callable[[], Iterable[Floats]] | None = None
    size: float = 1.0
    pictures: Callable[[], Sequence[Picture]] | None = None


class MeasuredObject(Record, frozen=True, kw_only=True):
    """What is known of one object; `failed` says why nothing could be measured, "" where it could."""

    name: str
    category: str
    motions: tuple[str, ...] = ()
    asset: str = ""
    motion: Motion | None = None
    true_steps: tuple[float, ...] | None = None
    shape: MeshQuality | None = None
    look: FrameQuality | None = None
    fingerprint: Fingerprint | None = None
    grade: float | None = None
    failed: str = ""


def measure(
    candidate: PoolObject,
    settings: MotionSettings = MOTION,
    grade: Grade | None = None,
    strict: bool = False,
) -> MeasuredObject:
    """Return what can be measured of an object.

    What cannot be read or rendered is said in `failed`; with `strict` its error is raised instead.
    """
    try:
        return _measured(candidate, settings, grade)
    except FathomError as e:
        if strict:
            raise
        return MeasuredObject(
            name=candidate.name,
            category=candidate.category,
            motions=candidate.motions,
            asset=candidate.asset,
            failed=str(e),
        )


def _measured(candidate: PoolObject, settings: MotionSettings, grade: Grade | None) -> MeasuredObject:
    parts = candidate.parts() if candidate.parts else None
    watcher = _Watcher(graded=grade is not None)
    changes = [view_change(watcher.passing(film), candidate.fps, settings) for film in candidate.films()]
    steps = displacements(candidate.positions(), candidate.size) if candidate.positions else None
    return MeasuredObject(
        name=candidate.name,
        category=candidate.category,
        motions=candidate.motions,
        asset=candidate.asset,
        motion=joined(changes, candidate.fps, settings),
        true_steps=None if steps is None else tuple(steps.round(8).tolist()),
        shape=None if parts is None else shape_of(parts),
        look=watcher.gaze.look(),
        fingerprint=Fingerprint(
            name=candidate.name,
            shape=() if parts is None else shape_histogram(parts),
            color=() if parts is None else color_histogram(parts),
            sequence=candidate.sequence,
            look=look_of(watcher.thumbnails),
        ),
        grade=None if grade is None else round(grade(_graded(candidate, watcher)), 6),
    )


def _graded(candidate: PoolObject, watcher: _Watcher) -> Sequence[Picture]:
    return candidate.pictures() if candidate.pictures else watcher.views


class _Watcher:
    """Looks at frames as they pass on to another."""

    def __init__(self, graded: bool) -> None:
        self.gaze = Gaze(_SMALL_PX)
        self.thumbnails: list[Small] = []
        self.views: list[Picture] = []
        self.graded = graded

    def passing(self, film: Iterable[Picture]) -> Iterator[Picture]:
        """Yield the frames of one view; the first of them is kept for grading."""
        for number, frame in enumerate(film):
            if number % LOOK_EVERY == 0:
                self.gaze.add(frame)
                self.thumbnails.append(thumbnail(reduced(frame, _SMALL_PX), THUMBNAIL_PX))
                if number == 0 and self.graded:
                    self.views.append(frame)
            yield frame
