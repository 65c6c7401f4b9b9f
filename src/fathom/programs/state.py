"""One scene as arrays: what a still, an animated scene and a video have in common, and views are made from.

    state = scene_state(scene)             # or scene_state(scene, grid), where a grid of visibility is known
    state.objects, state.times_s           # (O,) ids, (T,) seconds
    state.poses.positions_m                # (O, T, 3) metres in the world
    state.cameras.rotations                # (V, T, 3, 3) camera axes as columns in the world

A still is one time and one camera, an animated scene many times and many cameras, a video many times and one
camera that moves. Axes, everywhere in this order: V cameras, O objects, T times. What is not known is marked
so: poses by `valid`, parts nobody has counted by −1, what nobody has looked at by None.

It stands beside the programs, and not with what draws scenes, since programs lie below that; the second
derivation, which may import neither, reads the record of a scene by itself.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from fathom.geometry.poses import Array, rotation_matrices
from fathom.programs.visibility_grid import Visibility, visibility_of
from fathom.records import DataError, Event, InputError, Pose, Scene, SceneObject

Mask = NDArray[np.bool_]

ACTS = "acts"
"""What an event is in which an object does something."""

TOGETHER = "+"
"""Stands between things that are done, of which nothing says which is first."""

HARDLY_SHOWS = frozenset(("flinch",))
"""What nobody would call so who sees a few frames of it: it is over in one of them, or could be a punch."""

LEAPS = frozenset(("jump", "jump_up", "leap", "hop"))
"""Actions that nobody calls so who does not see the actor off the ground."""

STRUCTURE = "structure"
"""The category of what only stands there: walls, floors, roads."""

SCREEN = "screen"
"""The category of objects that only hide others."""

CHANGED_BY = {"name": "swaps", "color": "recolours"}
"""Attribute → the events of an object that change it."""

NEVER_M = 2000.0
"""The way in metres until a contact that never comes: beyond any world."""

DRIVES = ("forward", "backward")

EPS_S = 1e-6


@dataclass(frozen=True, eq=False)
class BodyPoses:
    """Where bodies are, objects or cameras. Axes: B bodies, T times.

    positions_m : (B, T, 3) world; the origin of the body's own frame
    rotations : (B, T, 3, 3) the body's own axes as columns, in the world
    valid : (B, T) whether it is known where the body is
    position_sigmas_m : (B, T) standard deviation of each coordinate, 0 where it is exact
    rotation_sigmas_rad : (B, T) standard deviation about each axis, 0 where it is exact
    """

    positions_m: Array
    rotations: Array
    valid: Mask
    position_sigmas_m: Array
    rotation_sigmas_rad: Array

    @cached_property
    def headings_rad(self) -> Array:
        """Where the first axis points on the ground, (B, T), −π..π counter-clockwise from world +x."""
        return np.asarray(np.arctan2(self.rotations[..., 1, 0], self.rotations[..., 0, 0]))


@dataclass(frozen=True)
class AttributeSpan:
    """The time in which an attribute has a value: all through it, from `from_s` to `until_s`.

    Between one stretch and the next the attribute is changing.
    """

    value: str
    from_s: float = -math.inf
    until_s: float = math.inf


Course = tuple[AttributeSpan, ...]
"""The values of one attribute, in order."""


@dataclass(frozen=True)
class PartState:
    """One part of an object: what it is called, its attributes, and how many of its pixels show in a still
    (−1: nobody has counted).
    """

    object_id: int
    name: str
    attributes: Mapping[str, Course]
    visible_px: int = -1


@dataclass(frozen=True)
class StateEvent:
    """Something that happens to an object from one time to another, or that it does.

    `what` is "acts" (`detail`: the verb), "appears", "vanishes", "recolours" (`detail`: the new colour, or
    "part=colour") or "swaps" (`detail`: what it turns into).
    """

    object_id: int
    what: str
    detail: str
    start_s: float
    end_s: float


@dataclass(frozen=True, eq=False)
class Swept:
    """What the real shapes say of an object that drives: (2, O, O) arrays, forward and backward, in metres.

    `into` is how far the mover i could be shifted to either side and still hits j, negative where it misses;
    `soonest` and `latest` the way until contact. NaN where only the rectangles speak.
    """

    into: Array
    soonest: Array
    latest: Array


@dataclass(frozen=True, eq=False)
class SceneState:
    """One scene. Axes: V cameras, O objects, T times.

    objects, categories, subtypes : (O,) ids and kinds
    sizes_m : (O, 3) extents along the objects' own axes
    times_s : (T,)
    poses : of the objects (B = O): the middle of the underside; axes x forward, y left, z up
    cameras : (B = V) the centre of projection; axes x right, y down, z forward
    focal_px, image_px : (V, 2) focal lengths along x and y; width and height
    attributes : (O,) for each object its attributes, with the stretches of time in which they hold
    presence : (O,) in which stretches each object is there ("there"), or not ("")
    parts : the parts of all objects, one object after the other
    events : what objects do, then what happens to them, one object after the other
    visibility : what the cameras see; None where nobody has looked
    swept : what the real shapes touch when an object drives straight on; None where shapes are not known
    directions : (2,) unit vectors on the ground that a published file gives for relation words
    """

    scene: str
    objects: tuple[str, ...]
    categories: tuple[str, ...]
    subtypes: tuple[str, ...]
    sizes_m: Array
    times_s: Array
    poses: BodyPoses
    cameras: BodyPoses
    focal_px: Array
    image_px: Array
    attributes: tuple[Mapping[str, Course], ...]
    presence: tuple[Course, ...]
    parts: tuple[PartState, ...]
    events: tuple[StateEvent, ...]
    visibility: Visibility | None = None
    swept: Swept | None = None
    directions: Mapping[str, Array] = field(default_factory=dict)

    def first(self, attribute: str, unknown: str = "") -> tuple[str, ...]:
        """Return (O,) the first value of an attribute, `unknown` for an object that has none."""
        return tuple(a[attribute][0].value if attribute in a else unknown for a in self.attributes)

    def course(self, obj: int, attribute: str) -> Course:
        """Return the values of an attribute of an object."""
        return self.attributes[obj].get(attribute) or (AttributeSpan(""),)

    @property
    def fps(self) -> float:
        """How many times a second has by the first two; 1 where there is one time alone."""
        return 1.0 / float(self.times_s[1] - self.times_s[0]) if len(self.times_s) > 1 else 1.0

    def at_frames(self, course: Course) -> tuple[str, ...]:
        """Return (T,) the value at every time: what a change makes of it holds once the change is over."""
        return at_frames(course, len(self.times_s), self.fps)


def scene_state(scene: Scene, visibility: Visibility | None = None) -> SceneState:
    """Return a scene as arrays.

    Parameters
    ----------
    scene
        Any scene. Of each object and camera one pose (it stands still) or one for every time.
    visibility
        What its cameras see; where None, the summary that the record of a still carries, if there is one.

    Raises
    ------
    InputError
        Where the number of poses of an object or camera does not fit the times.
    DataError
        Where its sweeps speak of what is not in the scene.
    """
    count, ids = len(scene.times_s), tuple(t.id for t in scene.objects)
    if visibility is None and scene.visibility:
        visibility = visibility_of((scene.visibility,), ids)
    return SceneState(
        scene=scene.id,
        objects=ids,
        categories=tuple(t.category for t in scene.objects),
        subtypes=tuple(t.subtype for t in scene.objects),
        sizes_m=np.array([t.size_m for t in scene.objects], dtype=np.float64).reshape(-1, 3),
        times_s=np.asarray(scene.times_s, dtype=np.float64),
        poses=body_poses(scene.id, {f"thing {t.id}": t.poses for t in scene.objects}, count),
        cameras=body_poses(scene.id, _camera_poses(scene), count),
        focal_px=np.array([(c.fx, c.fy) for c in scene.cameras], dtype=np.float64).reshape(-1, 2),
        image_px=np.array([(c.width, c.height) for c in scene.cameras], dtype=np.float64).reshape(-1, 2),
        attributes=tuple(_attributes(t) for t in scene.objects),
        presence=tuple(presence_of(t) for t in scene.objects),
        parts=_parts(scene),
        events=tuple(e for k, t in enumerate(scene.objects) for e in _events(k, t)),
        visibility=visibility,
        swept=_swept(scene, ids) if scene.sweeps else None,
        directions={word: np.array(v[:2], dtype=np.float64) for word, v in scene.directions.items()},
    )


def _camera_poses(scene: Scene) -> dict[str, tuple[Pose, ...]]:
    if len(scene.cameras) == 1:
        return {"the camera": scene.cameras[0].poses}
    return {f"camera {k}": c.poses for k, c in enumerate(scene.cameras)}


def body_poses(scene: str, poses: Mapping[str, Sequence[Pose]], count: int) -> BodyPoses:
    """Return the poses of bodies, by what each is called, at `count` times.

    Raises InputError where a body has neither one pose nor one for each time.
    """
    for what, own in poses.items():
        if len(own) not in (1, count):
            raise InputError(
                f"scene {scene}: {what} needs one pose, or one for each of the {count} frames, "
                f"and has {len(own)}"
            )
    rows = np.array(
        [
            (*p.position_m, *p.rotation_wxyz, p.valid, p.position_sigma_m, p.rotation_sigma_rad)
            for own in poses.values()
            for p in own
        ],
        dtype=np.float64,
    ).reshape(-1, 10)
    lengths = np.array([len(own) for own in poses.values()], dtype=np.intp)
    starts = np.cumsum(lengths) - lengths
    # What has one pose has that one at all times.
    place = starts[:, None] + np.where(lengths[:, None] == count, np.arange(count), 0)
    rotations = rotation_matrices(rows[:, 3:7])
    return BodyPoses(
        positions_m=rows[place, :3],
        rotations=rotations[place],
        valid=rows[place, 7].astype(bool),
        position_sigmas_m=rows[place, 8],
        rotation_sigmas_rad=rows[place, 9],
    )


def _start(event: Event) -> float:
    return event.start_s


def course_of(first: str, changes: Sequence[tuple[Event, str]]) -> Course:
    """Return an attribute's course: its first value, and what each event, in order, makes of it."""
    values = (first, *(value for _, value in changes))
    begins = (-math.inf, *(e.end_s for e, _ in changes))
    ends = (*(e.start_s for e, _ in changes), math.inf)
    return tuple(AttributeSpan(v, a, b) for v, a, b in zip(values, begins, ends, strict=True))


def attribute_course(obj: SceneObject, attribute: str, unknown: str = "") -> Course:
    """Return the values of an object's attribute; `unknown` is the first one where its record has none."""
    if not obj.events:
        return (AttributeSpan(obj.attributes.get(attribute, unknown)),)
    what = CHANGED_BY.get(attribute)
    changes = [(e, e.detail) for e in obj.events if e.what == what and "=" not in e.detail]
    return course_of(obj.attributes.get(attribute, unknown), sorted(changes, key=lambda c: c[0].start_s))


_THERE: Course = (AttributeSpan("there"),)


def presence_of(obj: SceneObject) -> Course:
    """Return in which stretches an object is there ("there"), or not ("")."""
    if not obj.events:
        return _THERE
    coming = sorted((e for e in obj.events if e.what in ("appears", "vanishes")), key=_start)
    first = "" if coming and coming[0].what == "appears" else "there"
    return course_of(first, [(e, "there" if e.what == "appears" else "") for e in coming])


def at_frames(course: Course, count: int, fps: float) -> tuple[str, ...]:
    """Return the value at each of `count` frames: what a change makes of it holds once it is over.

    A sudden change is over in the frame in which it happens.
    """
    values = [course[0].value] * count
    for s in course[1:]:
        over = round(s.from_s * fps)
        values[over:] = [s.value] * (count - over)
    return tuple(values)


def begun_by(course: Course, time_s: float) -> str:
    """Return the value that is there or in the making at a time: a change counts as soon as it begins."""
    value = course[0].value
    for before, s in pairwise(course):
        if time_s < before.until_s - EPS_S:
            break
        value = s.value
    return value


def _attributes(obj: SceneObject) -> dict[str, Course]:
    happening = {e.what for e in obj.events}
    changing = {a for a, what in CHANGED_BY.items() if what in happening}
    return {a: attribute_course(obj, a) for a in (*obj.attributes, *sorted(changing - {*obj.attributes}))}


def _parts(scene: Scene) -> tuple[PartState, ...]:
    seen = {s.object_id: s.part_px for s in scene.visibility}
    found = []
    for k, obj in enumerate(scene.objects):
        pixels = seen.get(obj.id, {})
        for name, attributes in obj.parts.items():
            courses: dict[str, Course] = {a: (AttributeSpan(value),) for a, value in attributes.items()}
            recolored = [
                (e, e.detail.rpartition("=")[2])
                for e in sorted((e for e in obj.events if e.what == "recolours"), key=_start)
                if (e.detail.rpartition("=")[0] or obj.attributes.get("main", "")) == name
            ]
            if recolored:
                courses["color"] = course_of(attributes.get("color", ""), recolored)
            found.append(PartState(k, name, courses, pixels.get(name, 0) if pixels else -1))
    return tuple(found)


def _events(index: int, obj: SceneObject) -> list[StateEvent]:
    """Return what an object does, in order of time, and then what happens to it, as its record has it."""
    acts = sorted((a for a in obj.animations if a.verb), key=lambda a: a.start_s)
    return [
        *(StateEvent(index, ACTS, a.verb, a.start_s, a.end_s) for a in acts),
        *(StateEvent(index, e.what, e.detail, e.start_s, e.end_s) for e in obj.events),
    ]


def _swept(scene: Scene, ids: Sequence[str]) -> Swept:
    n, index = len(ids), {name: k for k, name in enumerate(ids)}
    into, soonest, latest = np.full((3, 2, n, n), np.nan)
    for s in scene.sweeps:
        if s.way not in DRIVES or s.object_id not in index or s.other not in index:
            raise DataError(
                f"scene {scene.id}: a sweep of {s.object_id} {s.way} towards {s.other}: expected ids of the "
                f"scene, and a way out of {', '.join(DRIVES)}; build the scene again"
            )
        at = DRIVES.index(s.way), index[s.object_id], index[s.other]
        into[at] = s.into_m
        soonest[at] = NEVER_M if s.soonest_m is None else s.soonest_m
        latest[at] = NEVER_M if s.latest_m is None else s.latest_m
    return Swept(into, soonest, latest)
