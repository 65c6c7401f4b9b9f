"""Is a video's world possible? Support, clearance, reach, speeds and accelerations, from the record alone.

found = audit(scene, DESKTOP)
found.counts()["support"]     # how many objects float, sink, or stand on what they are not said to stand on
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fathom.geometry.poses import Array
from fathom.records import Pose, Scene, SceneObject
from fathom.scenes.videos.bodies import OPEN, bodies_at, stem_said
from fathom.scenes.videos.boxes import Boxes, above_m, apart_m, tracks_of_boxes, within

STRUCTURE = "structure"
KINDS = ("support", "clearance", "reach", "speed", "acceleration", "turning", "camera")
"""What is looked at."""

STILL_M = 2e-5
"""What moves less from one frame to the next is at rest."""


@dataclass(frozen=True)
class MotionLimits:
    """What is possible at one scale; metres, seconds, radians.

    floats_m : how far above what carries it an object at rest may be, or below
    overlap_m : how deep two boxes may be in one another
    rise_m : how far above what it stood on at first an object may be carried
    arm_m : how far from the nearest edge of the table, or of whatever carries all, something is moved
    near_m : how near the camera may come to an object's box
    near_walls_m : how near it may come to the box of a part of the structure
    """

    floats_m: float
    overlap_m: float
    rise_m: float
    arm_m: float
    speed: float
    acceleration: float
    turning: float
    camera_speed: float
    camera_acceleration: float
    camera_turning: float
    near_m: float
    near_walls_m: float = 0.0


DESKTOP = MotionLimits(
    floats_m=0.001, overlap_m=2e-5, rise_m=0.6, arm_m=0.8,
    speed=0.8, acceleration=4.0, turning=4.0,
    camera_speed=0.8, camera_acceleration=3.0, camera_turning=1.5, near_m=0.1,
)  # fmt: skip
"""What hands do at a table, and whoever films it."""

INDOOR = MotionLimits(
    floats_m=0.001, overlap_m=2e-5, rise_m=0.05, arm_m=100.0,
    speed=1.0, acceleration=3.0, turning=3.0,
    camera_speed=1.3, camera_acceleration=3.0, camera_turning=1.15, near_m=0.25, near_walls_m=0.25,
)  # fmt: skip
"""What small machines do on floors, and somebody who walks through a room and films."""

OUTDOOR = MotionLimits(
    floats_m=0.01, overlap_m=2e-5, rise_m=0.01, arm_m=1000.0,
    speed=17.0, acceleration=5.0, turning=2.0,
    camera_speed=17.0, camera_acceleration=3.0, camera_turning=1.0, near_m=0.8,
)  # fmt: skip
"""What drivers and people on foot do in streets, and a car that films; what carries all is the ground."""


@dataclass(frozen=True)
class Fault:
    """What is wrong: with which object, worst at which frame, by how much against what is allowed."""

    kind: str
    object_id: str
    frame: int
    value: float
    limit: float
    words: str


@dataclass(frozen=True)
class VideoAudit:
    """What was looked at, and what is wrong."""

    scenes: int
    objects: int
    moving: int
    frames: int
    faults: tuple[Fault, ...]

    def counts(self) -> Counter[str]:
        """Return how many faults there are of each kind, 0 where there is none."""
        return Counter({**dict.fromkeys(KINDS, 0), **Counter(f.kind for f in self.faults)})

    def lines(self) -> tuple[str, ...]:
        """Return what a build prints at its end."""
        found = ", ".join(f"{kind} {count}" for kind, count in self.counts().items())
        objects = f"{self.objects} objects ({self.moving} move)"
        head = f"placement: {self.scenes} videos, {objects}, {self.frames} frames"
        return (f"{head}; faults: {found}", *(f"  {f.words}" for f in self.faults))


def together(audits: Iterable[VideoAudit]) -> VideoAudit:
    """Return the audits of many videos as one."""
    every = tuple(audits)
    return VideoAudit(
        sum(a.scenes for a in every),
        sum(a.objects for a in every),
        sum(a.moving for a in every),
        sum(a.frames for a in every),
        tuple(f for a in every for f in a.faults),
    )


def audit(scene: Scene, limits: MotionLimits = DESKTOP) -> VideoAudit:
    """Return what is wrong with a video's world; one fault for each kind and thing, its worst frame named."""
    times = np.asarray(scene.times_s, dtype=np.float64)
    objects = scene.objects
    boxes = tracks_of_boxes(objects, len(times))
    places = np.stack([_places(t.poses, len(times)) for t in objects])
    loose = [k for k, t in enumerate(objects) if t.category != STRUCTURE]
    faults = [
        *_support(scene, boxes, places, loose, limits),
        *_clearance(scene, boxes, loose, limits),
        *_reach(scene, boxes, loose, limits),
        *(f for k in loose for f in _motion(scene, objects[k].id, objects[k].poses, times, limits, False)),
        *_motion(scene, "the camera", scene.cameras[0].poses, times, limits, True),
        *_camera(scene, boxes, loose, limits),
    ]
    moving = sum(len(objects[k].poses) > 1 for k in loose)
    return VideoAudit(1, len(loose), moving, len(times), tuple(faults))


def at_rest(places_m: Array) -> NDArray[np.bool_]:
    """Return (..., F) whether what is at places (..., F, 3) moves neither to nor from a frame."""
    steps = np.linalg.norm(np.diff(places_m, axis=-2), axis=-1) > STILL_M
    moves = np.zeros(places_m.shape[:-1], dtype=bool)
    moves[..., :-1] |= steps
    moves[..., 1:] |= steps
    return ~moves


def carried_by(boxes: Boxes, k: int, slack_m: float) -> NDArray[np.bool_]:
    """Return (T + 1, F) whether object `k` stands on each object, and in the last row on the ground."""
    on = np.abs(boxes.low[k][None] - boxes.high) <= slack_m
    on[k] = False
    touches = np.flatnonzero(on.any(axis=1))
    on[touches] &= within(boxes.corners[k].mean(axis=-2)[None], boxes.corners[touches])
    return np.concatenate([on, (np.abs(boxes.low[k]) <= slack_m)[None]])


def _support(
    scene: Scene, boxes: Boxes, places: Array, loose: list[int], limits: MotionLimits
) -> Iterable[Fault]:
    rest = at_rest(places)
    ids = [*(t.id for t in scene.objects), "ground"]
    for k in loose:
        on = carried_by(boxes, k, limits.floats_m)
        bad = rest[k] & ~on.any(axis=0)
        obj = scene.objects[k]
        if bad.any():
            under = np.where(within(boxes.centres[k][None], boxes.corners), boxes.high, 0.0)
            under[k] = 0.0
            under[under > boxes.low[k] + limits.floats_m] = 0.0
            gaps = np.where(bad, boxes.low[k] - under.max(axis=0), -np.inf)
            frame = int(np.argmax(gaps))
            yield _fault("support", scene, obj.id, frame, float(gaps[frame]), limits.floats_m,
                         "m above what is below it, at rest")  # fmt: skip
            continue
        said = obj.attributes.get("stands_on", "")
        if said and (said not in ids or not on[ids.index(said), 0]):
            yield _fault("support", scene, obj.id, 0, 0.0, 0.0, f": it does not stand on {said} as it says")


def _clearance(scene: Scene, boxes: Boxes, loose: list[int], limits: MotionLimits) -> Iterable[Fault]:
    closed = [k for k, t in enumerate(scene.objects) if t.attributes.get("shape") != OPEN["shape"]]
    structures = [k for k in closed if k not in loose]
    bodies = {k: _bodies(scene.objects[k], boxes, k) for k in closed}
    pairs = [(a, b) for i, a in enumerate(loose) for b in (*loose[i + 1 :], *structures) if b in bodies]
    for a, b in _ever_near(boxes, pairs):
        some = slice(0, 1) if len(scene.objects[a].poses) == len(scene.objects[b].poses) == 1 else slice(None)
        deep = np.max([_deep(one, two, some) for one in bodies[a] for two in bodies[b]], axis=0)
        frame = int(np.argmax(deep))
        if deep[frame] > limits.overlap_m:
            yield _fault("clearance", scene, scene.objects[a].id, frame, float(deep[frame]), limits.overlap_m,
                         f"m deep in {scene.objects[b].id}")  # fmt: skip


def _deep(one: Boxes, two: Boxes, some: slice) -> Array:
    """Return how deep two bodies are in one another at some frames; less than 0 where they are apart."""
    a, b = (Boxes(x.corners[some], x.low[some], x.high[some]) for x in (one, two))
    return np.asarray(-np.maximum(apart_m(a.corners, b.corners), above_m(a, b)))


def _bodies(obj: SceneObject, boxes: Boxes, k: int) -> list[Boxes]:
    """Return the boxes (F,) that a thing takes up: its own, or those of its stem and of what is above it."""
    stem = stem_said(obj.attributes)
    if stem is None:
        return [Boxes(boxes.corners[k], boxes.low[k], boxes.high[k])]
    edge = boxes.corners[k, :, 0] - boxes.corners[k, :, 1]
    places = np.column_stack([boxes.corners[k].mean(axis=-2), boxes.low[k]])
    return bodies_at(obj.size_m, stem, places, np.arctan2(edge[:, 1], edge[:, 0]))


def _ever_near(boxes: Boxes, pairs: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return those pairs of objects whose footprints could ever touch."""
    if not pairs:
        return []
    centres = boxes.centres
    radii = np.linalg.norm(boxes.corners[:, 0] - centres[:, :1], axis=-1).max(axis=1)
    a, b = np.array(pairs).T
    apart = np.array([np.linalg.norm(centres[i] - centres[j], axis=-1).min() for i, j in pairs])
    return [pairs[int(k)] for k in np.flatnonzero(apart <= radii[a] + radii[b])]


def _reach(scene: Scene, boxes: Boxes, loose: list[int], limits: MotionLimits) -> Iterable[Fault]:
    """Yield what leaves the table on which it stands, is lifted too high, or moved too far from its edges."""
    ids = [t.id for t in scene.objects]
    for k in loose:
        obj = scene.objects[k]
        bottom = _table_under(scene, obj)
        if bottom is not None:
            edge = boxes.corners[ids.index(bottom.id)]
            inside = within(boxes.corners[k], edge[:, None], 1e-6).all(axis=-1)
            if not inside.all():
                frame = int(np.argmin(inside))
                yield _fault("reach", scene, obj.id, frame, 0.0, 0.0, f": it reaches beyond {bottom.id}")
            if len(obj.poses) > 1:
                far = _inside_by(boxes.centres[k], edge)
                frame = int(np.argmax(far))
                if far[frame] > limits.arm_m:
                    yield _fault("reach", scene, obj.id, frame, float(far[frame]), limits.arm_m,
                                 f"m from the nearest edge of {bottom.id}")  # fmt: skip
        rise = boxes.low[k] - boxes.low[k, 0]
        frame = int(np.argmax(rise))
        if rise[frame] > limits.rise_m:
            yield _fault("reach", scene, obj.id, frame, float(rise[frame]), limits.rise_m, "m up")


def _table_under(scene: Scene, obj: SceneObject) -> SceneObject | None:
    """Return the part of the structure on which a thing stands in the end, through whatever lies between."""
    by_id = {t.id: t for t in scene.objects}
    seen: set[str] = set()
    at: SceneObject | None = obj
    while at is not None and at.category != STRUCTURE and at.id not in seen:
        seen.add(at.id)
        at = by_id.get(at.attributes.get("stands_on", ""))
    return at if at is not None and at.category == STRUCTURE else None


def _inside_by(points_m: Array, corners: Array) -> Array:
    """Return (F,) how far points (F, 2) lie inside rectangles (F, 4, 2), from the nearest edge."""
    edges = np.roll(corners, -1, axis=-2) - corners
    to = points_m[:, None] - corners
    left = (edges[..., 0] * to[..., 1] - edges[..., 1] * to[..., 0]) / np.linalg.norm(edges, axis=-1)
    return np.asarray(left.min(axis=-1))


def _motion(
    scene: Scene, name: str, poses: tuple[Pose, ...], times: Array, limits: MotionLimits, films: bool
) -> Iterable[Fault]:
    if len(poses) < 3:
        return
    rows = np.array([(*p.position_m, *p.rotation_wxyz) for p in poses])
    places, turns = rows[:, :3], rows[:, 3:] / np.linalg.norm(rows[:, 3:], axis=1, keepdims=True)
    step = np.diff(times)
    velocity = np.diff(places, axis=0) / step[:, None]
    speed = np.linalg.norm(velocity, axis=1)
    gain = np.linalg.norm(np.diff(velocity, axis=0), axis=1) / ((step[1:] + step[:-1]) / 2)
    cosine = np.abs((turns[1:] * turns[:-1]).sum(axis=1)).clip(0, 1)
    # Near 1 the arc cosine of a rounded number is noise; the chord is not.
    chord = np.minimum(
        np.linalg.norm(turns[1:] - turns[:-1], axis=1), np.linalg.norm(turns[1:] + turns[:-1], axis=1)
    )
    turned = np.where(cosine > 0.99, 2 * chord, 2 * np.arccos(cosine)) / step
    top = (
        (limits.camera_speed, limits.camera_acceleration, limits.camera_turning)
        if films
        else (limits.speed, limits.acceleration, limits.turning)
    )
    for kind, values, limit, unit in zip(
        ("speed", "acceleration", "turning"),
        (speed, gain, turned),
        top,
        ("m/s", "m/s²", "rad/s"),
        strict=True,
    ):
        frame = int(np.argmax(values))
        if values[frame] > limit:
            yield _fault(kind, scene, name, frame + 1, float(values[frame]), limit, unit)


def _camera(scene: Scene, boxes: Boxes, loose: list[int], limits: MotionLimits) -> Iterable[Fault]:
    eyes = _places(scene.cameras[0].poses, len(scene.times_s))
    for k, obj in enumerate(scene.objects):
        near = np.min([_off(eyes, b) for b in _bodies(obj, boxes, k)], axis=0)
        frame = int(np.argmin(near))
        limit = limits.near_m if k in loose else limits.near_walls_m
        if near[frame] < limit:
            yield _fault("camera", scene, obj.id, frame, float(near[frame]), limit,
                         "m from the camera")  # fmt: skip


def _off(points_m: Array, body: Boxes) -> Array:
    """Return (F,) how far points (F, 3) are off a body, along the axis where they are farthest."""
    upwards = np.maximum(body.low - points_m[:, 2], points_m[:, 2] - body.high)
    return np.asarray(np.maximum(-_inside_by(points_m[:, :2], body.corners), upwards))


def _places(poses: tuple[Pose, ...], frames: int) -> Array:
    rows = np.array([p.position_m for p in poses], dtype=np.float64)
    return np.asarray(np.broadcast_to(rows, (frames, 3)))


def _fault(kind: str, scene: Scene, obj: str, frame: int, value: float, limit: float, what: str) -> Fault:
    time = scene.times_s[frame]
    words = f"{scene.id}: {kind}: {obj} at {time:.2f} s: "
    words += f"{value:.4g} {what}, where {limit:g} is allowed" if not what.startswith(":") else what[2:]
    return Fault(kind, obj, frame, value, limit, words)
