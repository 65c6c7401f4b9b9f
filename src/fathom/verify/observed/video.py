"""A video as its truth cells show it: where each object lies at the frames shown, and how large it is.

    video = observed_video(scene, cells)

The record gives the camera, the clock, and what things are and are called. Where they are, how large they are
and how they move comes from the cells alone.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from fathom.geometry.cameras import project
from fathom.ground_truth.cells import TruthCell
from fathom.ground_truth.footage import BACKDROP, STRUCTURE, firm_points
from fathom.records import Camera, DataError, Pose, Scene, SceneObject
from fathom.verify.observed.daylight import Daylight, daylight_of
from fathom.verify.observed.extents import Extent, Fit, extent_of, fitted, rotation_of, turn_between_deg
from fathom.verify.observed.figures import Figures, figures_of
from fathom.verify.observed.lettering import LETTERING, read_word
from fathom.verify.observed.tracks import Array, Ints, Mask, ObservedTrack, course_of
from fathom.verify.registry import SceneKind
from fathom.verify.undecided import InsufficientEvidence, OpenPolicy
from fathom.verify.values import SPREAD

ACTING = ("man", "woman")
"""What those are called who act."""

CAMERA = -1
"""The body that films."""

MADE_OUT = (40.0, 0.05)
"""From so many visible pixels, and such a share of its silhouette, an object can be made out."""

NEAR_IT = 0.1
"""Within such a share of either number nobody can tell whether it can."""

NOTICED_PX = 10.0
"""Of what shows in fewer pixels nobody notices anything."""

SAME_PX = 0.5
"""The camera of the record sees what a cell shows within so many pixels of where the cell shows it."""

FIT_PX = 0.5
"""Of a pose that may be off by more pixels than this nothing is told."""

TURNING_DEG = 20.0
"""Between two frames shown between which an object turns by more, nobody knows how it lies."""


@dataclass(frozen=True)
class MotionScale:
    """What stands still, and what is a way worth telling, on a desk, in a room, on a street."""

    still_mps: float
    leg_m: float


SCALES = {
    "desktop": MotionScale(0.015, 0.03),
    "indoor": MotionScale(0.1, 0.2),
    "acted": MotionScale(0.1, 0.2),
    "outdoor": MotionScale(0.3, 2.0),
}


@dataclass(frozen=True, eq=False)
class ObservedVideo:
    """What 30 frames show. Axes: F frames, G frames shown, T objects.

    objects, names, colors, fronts : (T,) ids, nouns, colours ("" for none), whether a front is known
    times_s : (F,); eyes_m, views : (F, 3) and (F, 3, 3) the camera's places and axes (columns), world
    size_px : (2,) the picture's width and height
    shown : (G,) frames; sure, perhaps : (G, T) what can surely, or perhaps, be made out in them
    glimpsed : (G, T) of which something shows that can be noticed; shares : (G, T) of its silhouette how much
    fits, extents, courses, still : (T,) of each object its pose at each frame shown, its size, its places at
        every frame, and at which of these it stands still
    written : the words that are read in the first frame shown, and on what each stands
    daylight : the light and the air outdoors; None where there is no sky
    surfaces : (T,) of each object the points that the first frame shown shows, in its own frame and in the
        world, (k, 3) each
    figures : of who acts, by their place among the objects, where head, hands and feet are
    """

    scene: str
    scale: MotionScale
    objects: tuple[str, ...]
    names: tuple[str, ...]
    colors: tuple[str, ...]
    fronts: tuple[bool, ...]
    times_s: Array
    eyes_m: Array
    views: Array
    focal_px: float
    size_px: tuple[int, int]
    shown: Ints
    sure: Mask
    perhaps: Mask
    glimpsed: Mask
    shares: Array
    fits: tuple[tuple[Fit | None, ...], ...]
    extents: tuple[Extent, ...]
    courses: tuple[ObservedTrack, ...]
    still: tuple[Mask, ...]
    written: tuple[tuple[str, str], ...] = ()
    daylight: Daylight | None = None
    surfaces: tuple[tuple[Array, Array], ...] = ()
    figures: Mapping[int, Figures] = field(default_factory=dict)
    memo: dict[Hashable, Any] = field(default_factory=dict, repr=False)

    @property
    def kind(self) -> SceneKind:
        """Which operators run on it."""
        return SceneKind.VIDEO

    @property
    def policy(self) -> OpenPolicy:
        """How what is undecided is taken: each on its own."""
        return OpenPolicy()

    def object_id(self, index: int) -> str:
        """Return the id of an object."""
        return self.objects[index]

    @property
    def period_s(self) -> float:
        """The usual time from one frame to the next; 1 s of a single picture."""
        return float(np.median(np.diff(self.times_s))) if len(self.times_s) > 1 else 1.0

    def course(self, body: int) -> ObservedTrack:
        """Return where a body is: the camera's centre of projection, the middle of an object's box."""
        if body == CAMERA:
            return ObservedTrack(self.eyes_m[None], np.ones(len(self.times_s), bool))
        return self.courses[body]

    def ways(self, body: int, rows: Ints | int) -> Array:
        """Return (K, n, 3) the places of a body at some frames on each way. Raises InsufficientEvidence where
        they are unknown.
        """
        course, at = self.course(body), np.atleast_1d(rows)
        if not course.known[at].all():
            raise InsufficientEvidence
        return course.places_m[:, at]

    def spread_m(self, body: int, rows: Ints) -> Array:
        """Return (n,) how far the ways of a body lie apart at some frames, from the likeliest one."""
        ways = self.ways(body, rows)
        return np.asarray(SPREAD * np.linalg.norm(ways - ways[0], axis=2).max(axis=0))

    def size(self, obj: int) -> Array:
        """Return (3,) the extents of an object. Raises InsufficientEvidence where it was seen too little to
        tell.
        """
        if not np.isfinite(self.extents[obj].size_m).all():
            raise InsufficientEvidence
        return self.extents[obj].size_m

    def turn(self, obj: int, frame: int, exact: bool = False) -> Array:
        """Return the axes (3, 3) of a thing at a frame. Raises InsufficientEvidence where they are not seen.

        Between two frames shown they are those of the nearer one, unless the object turns by much in between;
        where that must be `exact`, unless it turns at all.
        """
        fits = [(abs(int(f) - frame), int(f), fit) for f, fit in zip(self.shown, self.fits[obj], strict=True)]
        known = [row for row in fits if row[2] is not None]
        before = max((r for r in known if r[1] <= frame), key=lambda r: r[1], default=None)
        after = min((r for r in known if r[1] >= frame), key=lambda r: r[1], default=None)
        if before is None or after is None or before[2] is None or after[2] is None:
            raise InsufficientEvidence
        turned = turn_between_deg(before[2].turn, after[2].turn)
        if turned > TURNING_DEG or (exact and turned > 0.2 and before[1] != frame):
            raise InsufficientEvidence
        return before[2].turn if before[0] <= after[0] else after[2].turn

    def pixel_m(self, body: int, frame: int) -> float:
        """Return how large one pixel is at a body's distance, in metres; 0 for the camera."""
        if body == CAMERA:
            return 0.0
        off = self.ways(body, frame)[0, 0] - self.eyes_m[frame]
        return float(np.linalg.norm(off)) / self.focal_px

    def among(self, span: tuple[int, int]) -> Ints:
        """Return which of the frames shown, as places among them, lie in a span."""
        return np.flatnonzero((self.shown >= span[0]) & (self.shown <= span[1]))


def observed_video(
    scene: Scene, cells: Iterable[TruthCell], made_out: tuple[float, float] = MADE_OUT
) -> ObservedVideo:
    """Return what the cells of a video show, one for each frame that is shown.

    `scene` is as it was drawn, or `as_filmed`; of its objects those in the cells that are no structure are
    watched. `made_out` are the pixels and the share of its silhouette from which a thing can be made out.
    Raises DataError where the record's camera does not see what the cells show.
    """
    found = _checked(scene, sorted(cells, key=lambda c: c.frame))
    objects, where = _watched(scene, found[0])
    shown, times = np.array([c.frame for c in found], np.intp), np.asarray(scene.times_s, np.float64)
    poses = _poses(scene.cameras[0], len(times))
    fits = [tuple(_fit(c, k) for c in found) for k in where]
    px, shares = _visible(found, where)
    extents = [
        extent_of([c.objects[k] for c in found], own, [c.camera for c in found], seen)
        for k, own, seen in zip(where, fits, px.T.tolist(), strict=True)
    ]
    ways = [_course(times, shown, own, size) for own, size in zip(fits, extents, strict=True)]
    return ObservedVideo(
        scene=scene.id,
        scale=SCALES[_setting(scene)],
        objects=tuple(t.id for t in objects),
        names=tuple(t.attributes.get("name") or t.category for t in objects),
        colors=tuple(t.attributes.get("color", "") for t in objects),
        fronts=tuple(t.attributes.get("front", "known") == "known" for t in objects),
        times_s=times,
        eyes_m=np.array([p.position_m for p in poses], dtype=np.float64),
        views=np.stack([rotation_of(p) for p in poses]),
        focal_px=min(scene.cameras[0].fx, scene.cameras[0].fy),
        size_px=(scene.cameras[0].width, scene.cameras[0].height),
        shown=shown,
        sure=(px >= made_out[0] * (1 + NEAR_IT)) & (shares >= made_out[1] * (1 + NEAR_IT)),
        perhaps=(px >= made_out[0] * (1 - NEAR_IT)) & (shares >= made_out[1] * (1 - NEAR_IT)),
        glimpsed=px >= NOTICED_PX,
        shares=shares,
        fits=tuple(fits),
        extents=tuple(extents),
        courses=tuple(w[0] for w in ways),
        still=tuple(w[1] for w in ways),
        written=_written(found[0], objects, where, fits),
        daylight=daylight_of(scene.environment),
        surfaces=_surfaces(found[0], where),
        figures=_figures(scene, found, objects, where),
    )


def _watched(scene: Scene, cell: TruthCell) -> tuple[list[SceneObject], list[int]]:
    """Return the objects of a scene that are watched, and the place of each in a cell."""
    named = {g.object_id: k for k, g in enumerate(cell.objects)}
    some = [t for t in scene.objects if t.id in named and t.id != BACKDROP and t.category != STRUCTURE]
    return some, [named[t.id] for t in some]


def _figures(
    scene: Scene, cells: Sequence[TruthCell], objects: Sequence[SceneObject], where: Sequence[int]
) -> Mapping[int, Figures]:
    """Return where the parts of people are who act, by their place among the objects."""
    acting = [k for k, t in enumerate(objects) if t.subtype in ACTING] if _setting(scene) == "acted" else []
    return {k: figures_of(cells, where[k]) for k in acting}


def _surfaces(cell: TruthCell, where: Sequence[int]) -> tuple[tuple[Array, Array], ...]:
    """Return the points that a cell shows of each object, in its own frame and in the world."""
    return tuple((cell.objects[k].rest_m, cell.objects[k].points_m) for k in where)


def _poses(camera: Camera, frames: int) -> list[Pose]:
    """Return where a camera is at each frame; one with fewer poses stays at its last."""
    return [camera.poses[min(f, len(camera.poses) - 1)] for f in range(frames)]


def _written(
    cell: TruthCell,
    objects: Sequence[SceneObject],
    where: Sequence[int],
    fits: Sequence[tuple[Fit | None, ...]],
) -> tuple[tuple[str, str], ...]:
    """Return the words that a picture lets one read, and on what they stand, where it shows any lettering."""
    found = []
    for obj, k, own in zip(objects, where, fits, strict=True):
        if obj.category == LETTERING and own[0] is not None:
            word = read_word(cell, k, own[0])
            found += [(word, obj.attributes.get("written_on", ""))] if word else []
    return tuple(found)


def _checked(scene: Scene, cells: Sequence[TruthCell]) -> Sequence[TruthCell]:
    """Return cells. Raises DataError where there are none, or they are not what the record's camera sees."""
    if not cells:
        raise DataError(
            f"scene {scene.id}: expected the truth of its frames, but there is none; build it again"
        )
    for cell in cells:
        for g in cell.objects:
            if len(g.pixels):
                at, _ = project(_still(scene.cameras[0], cell.frame), g.points_m)
                off = float(np.abs(at - (g.pixels + 0.5)).max())
                if not off <= SAME_PX:
                    raise DataError(
                        f"scene {scene.id}: at frame {cell.frame} its camera sees {g.object_id} {off:.1f} px "
                        f"from where the truth shows it: expected at most {SAME_PX:g}; build the truth again"
                    )
    return cells


def _setting(scene: Scene) -> str:
    setting = scene.source.get("setting") or scene.generator
    if setting not in SCALES:
        raise DataError(
            f"scene {scene.id}: expected one that was drawn as {', '.join(SCALES)}, and found {setting!r}; "
            "answers are derived a second time of drawn worlds only"
        )
    return setting


def _still(camera: Camera, frame: int) -> Camera:
    return Camera(
        width=camera.width, height=camera.height, fx=camera.fx, fy=camera.fy, cx=camera.cx, cy=camera.cy,
        poses=(camera.poses[min(frame, len(camera.poses) - 1)],),
    )  # fmt: skip


def _fit(cell: TruthCell, obj: int) -> Fit | None:
    """Return an object's pose at a frame, None where it is less sure than a share of one pixel there."""
    glimpse, firm, camera = cell.objects[obj], firm_points(cell, obj), cell.camera
    fit = fitted(glimpse.rest_m[firm], glimpse.points_m[firm])
    if fit is None:
        return None
    pixel_m = float(np.median(glimpse.depth_m)) / min(camera.fx, camera.fy)
    return fit if fit.unsure_m <= FIT_PX * pixel_m else None


def _visible(cells: Sequence[TruthCell], where: Sequence[int]) -> tuple[Array, Array]:
    """Return (G, T) how many pixels show each object, and which share of its silhouette these are."""
    px = np.array([[np.count_nonzero(c.ids == k) for k in where] for c in cells], dtype=np.float64)
    full = np.array([[max(c.objects[k].full_px, 1) for k in where] for c in cells], dtype=np.float64)
    return px.reshape(len(cells), -1), (px / full).reshape(len(cells), -1)


def _course(
    times: Array, shown: Ints, fits: Sequence[Fit | None], size: Extent
) -> tuple[ObservedTrack, Mask]:
    """Return the course of the middle of an object's box, and at which frames it stands still."""
    some = [(int(f), fit) for f, fit in zip(shown, fits, strict=True) if fit is not None]
    if not some or not np.isfinite(size.size_m).all():
        count = len(times)
        return ObservedTrack(np.full((1, count, 3), np.nan), np.zeros(count, bool)), np.zeros(count, bool)
    half = float(size.size_m[2]) / 2
    places = np.array([fit.place_m + half * fit.turn[:, 2] for _, fit in some])
    turns = np.array([fit.turn for _, fit in some])
    unsure = max(fit.unsure_m for _, fit in some) + min(float(size.unsure_m[2]), 2 * half) / 2
    return course_of(times, np.array([f for f, _ in some]), places, turns, unsure)
