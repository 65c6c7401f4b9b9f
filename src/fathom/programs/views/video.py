"""Where the camera and all objects are at every frame of a video: what programs about tracks run on.

    tracks = video_view(scene)
    run(question.program, tracks).value      # fathom.programs.engine

World: z up, metres. Camera axes: x right, y down, z forward. A *body* is the index of an object, or `CAMERA`.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from fathom.programs.rules import SETTING_OF, VideoRules, video_rules
from fathom.programs.state import STRUCTURE, SceneState, scene_state
from fathom.programs.values import Scenes, Value, ValueType, members
from fathom.records import InputError, Scene

Array = NDArray[np.float64]
Mask = NDArray[np.bool_]
Ints = NDArray[np.intp]

CAMERA = -1
"""The body that films."""

Span = tuple[int, int]
"""The first and the last of some frames."""


@dataclass(frozen=True, eq=False)
class Course:
    """The places of one body at every frame.

    positions_m : (F, 3) world; the centre of an object's box, the camera's centre of projection
    valid : (F,) whether it is known where the body is
    sigmas_m : (F,) standard deviation of each coordinate
    """

    positions_m: Array
    valid: Mask
    sigmas_m: Array


@dataclass(frozen=True, eq=False)
class VideoView:
    """One video as programs see it. Axes: F frames, T objects, G frames that are shown.

    objects, names, colors : (T,) ids, nouns and nameable colours ("" where there is none)
    stands : (T,) whether an object is part of the structure, which no question names
    fronts : (T,) whether its forward axis is its front, and not just one way to lay a box around it
    times_s : (F,) increasing
    eyes_m, views : (F, 3) and (F, 3, 3) the camera: its place, and its axes (x right, y down, z forward) as
        columns in the world
    eye_valid, eye_sigmas_m, view_sigmas_rad : (F,)
    positions_m, rotations : (T, F, 3) and (T, F, 3, 3) of objects: the origin of their own frame (the middle
        of the underside) and its axes (x forward, y left, z up) as columns, in the world
    valid, sigmas_m, sigmas_rad : (T, F)
    sizes_m : (T, 3) extents along the objects' own axes
    focal_px, size_px : (2,) of the camera, and the picture's width and height
    shown : (G,) the frames that are shown, increasing
    seen : (G, T) which objects can be made out in each of them
    clear : (G, T) which of these so clearly that others can be told by them; None: all
    glimpsed : (G, T) of which anything shows that somebody could notice; None: of those that can be made out
    place : what kind of room it is; "" where there is none
    texts : (T,) what is written on each object; "" for nothing
    carriers : (T,) on what that is written: poster, screen …
    does : (T,) of people what they do: walks, stands, sits; "" of all else
    acts : (T,) of who acts in time what they do with what, and when: "sits thing3 2.000 3.250; …"
    weather, daytime : what the sky shows; "" where none is seen
    """

    scene: str
    rules: VideoRules
    objects: tuple[str, ...]
    names: tuple[str, ...]
    colors: tuple[str, ...]
    stands: tuple[bool, ...]
    fronts: tuple[bool, ...]
    times_s: Array
    eyes_m: Array
    views: Array
    eye_valid: Mask
    eye_sigmas_m: Array
    view_sigmas_rad: Array
    positions_m: Array
    rotations: Array
    valid: Mask
    sigmas_m: Array
    sigmas_rad: Array
    sizes_m: Array
    focal_px: tuple[float, float]
    size_px: tuple[int, int]
    shown: Ints
    seen: Mask
    clear: Mask | None = None
    glimpsed: Mask | None = None
    place: str = ""
    texts: tuple[str, ...] = ()
    carriers: tuple[str, ...] = ()
    does: tuple[str, ...] = ()
    acts: tuple[str, ...] = ()
    weather: str = ""
    daytime: str = ""
    memo: dict[Hashable, Any] = field(default_factory=dict, repr=False)
    scenes: ClassVar[Scenes] = Scenes.VIDEO

    @property
    def frames(self) -> int:
        """The number of frames of the video."""
        return len(self.times_s)

    @cached_property
    def period_s(self) -> float:
        """The time from one frame to the next: the median, since measured clocks skip."""
        return float(np.median(np.diff(self.times_s))) if self.frames > 1 else 1.0

    @cached_property
    def centres_m(self) -> Array:
        """The centres of the objects' boxes, (T, F, 3) in the world."""
        return np.asarray(self.positions_m + self.rotations[..., 2] * self.sizes_m[:, None, 2:] / 2)

    def objects_of(self, kind: ValueType, value: Value) -> tuple[str, ...]:
        """Return the ids of the objects that a step's value selects."""
        found = (value,) if kind is ValueType.OBJECT else members(value) if kind is ValueType.OBJECTS else ()
        return tuple(self.objects[k] for k in found)

    def index(self, obj: str) -> int:
        """Return the place of an object. Raises InputError where there is no such object."""
        if obj not in self.objects:
            raise InputError(f"scene {self.scene}: there is no thing {obj!r} to ask about")
        return self.objects.index(obj)

    def course(self, body: int) -> Course:
        """Return where a body is at every frame."""
        if body == CAMERA:
            return Course(self.eyes_m, self.eye_valid, self.eye_sigmas_m)
        return Course(self.centres_m[body], self.valid[body], self.sigmas_m[body])

    def at(self, time_s: float) -> int:
        """Return the frame nearest to a time. Raises InputError more than one frame outside the video."""
        first, last = float(self.times_s[0]), float(self.times_s[-1])
        # A video lasts until the frame after its last one would begin.
        slack = self.period_s * 1.001
        if not first - slack <= time_s <= last + slack:
            raise InputError(
                f"scene {self.scene}: {time_s:g} s lies outside the video, "
                f"which shows {first:g} s to {last:g} s"
            )
        return int(np.argmin(np.abs(self.times_s - time_s)))

    def span(self, start_s: float, end_s: float) -> Span:
        """Return the frames nearest to the ends of a span of time. Raises InputError where it is empty."""
        first, last = self.at(start_s), self.at(end_s)
        if last <= first:
            raise InputError(
                f"scene {self.scene}: a span must begin before it ends, at least a frame later, "
                f"and {start_s:g} s to {end_s:g} s does not"
            )
        return first, last

    def shown_in(self, span: Span) -> Ints:
        """Return which of the shown frames, as places in `shown`, lie in a span."""
        return np.flatnonzero((self.shown >= span[0]) & (self.shown <= span[1]))

    def pixel_m(self, body: int, frame: int) -> float:
        """Return how large one pixel is at the distance of an object, in metres; 0 for the camera."""
        if body == CAMERA:
            return 0.0
        away = np.linalg.norm(self.centres_m[body, frame] - self.eyes_m[frame])
        return float(away) / min(self.focal_px)

    def clear_in(self, span: Span) -> Mask:
        """Return (g, T) which objects are clear in each of the shown frames of a span."""
        return (self.seen if self.clear is None else self.clear)[self.shown_in(span)]

    def glimpsed_at(self, frame: int) -> set[int]:
        """Return the objects, but the structure, of which anything shows at a frame that is shown."""
        rows = self.shown_in((frame, frame))
        shows = np.any((self.seen if self.glimpsed is None else self.glimpsed)[rows], axis=0)
        return {k for k in np.flatnonzero(shows).tolist() if not self.stands[k]}

    def with_seen(self, frames: Sequence[int], seen: Mask, clear: Mask | None = None) -> VideoView:
        """Return the tracks with which objects (T) can be made out in which shown frames (G), `seen` (G, T),
        and which are clear.
        """
        for mask in (seen, seen if clear is None else clear):
            if np.shape(mask) != (len(frames), len(self.objects)):
                raise InputError(
                    f"scene {self.scene}: what is seen must be told for {len(frames)} frames and "
                    f"{len(self.objects)} things, but the array has shape {np.shape(mask)}"
                )
        shown, seen = np.asarray(frames, dtype=np.intp), np.asarray(seen, dtype=bool)
        return replace(self, shown=shown, seen=seen, clear=clear, glimpsed=None, memo={})


def _rules_of(scene: Scene) -> VideoRules:
    """Return the rules of a scene's setting."""
    return video_rules(scene.source.get("setting") or SETTING_OF.get(scene.generator, scene.generator))


def _nouns(state: SceneState, stands: Sequence[bool]) -> tuple[str, ...]:
    """Return what each object is called; "" of what only stands there."""
    named = zip(stands, state.first("name"), state.categories, strict=True)
    return tuple("" if still else name or category for still, name, category in named)


def video_view(scene: Scene, rules: VideoRules | None = None) -> VideoView:
    """Return the tracks of a scene, exact, at every frame; all frames count as shown, and all there is as
    seen.

    Parameters
    ----------
    scene
        A video: one camera; of it and of each object one pose (it stands still) or one for every frame.
    rules
        Those of the scene's setting where None.

    Raises
    ------
    InputError
        Where the camera, or the number of poses, or the clock, is not as it must be.
    """
    if len(scene.cameras) != 1:
        raise InputError(f"scene {scene.id}: a video has one camera, and this has {len(scene.cameras)}")
    state = scene_state(scene)
    if len(state.times_s) == 0 or (np.diff(state.times_s) <= 0).any():
        raise InputError(f"scene {scene.id}: the times of its frames must increase; fix its clock")
    poses, eye = state.poses, state.cameras
    stands = tuple(category == STRUCTURE for category in state.categories)
    return VideoView(
        scene=state.scene,
        rules=rules or _rules_of(scene),
        objects=state.objects,
        names=_nouns(state, stands),
        colors=state.first("color"),
        stands=stands,
        fronts=tuple(front == "known" for front in state.first("front", "known")),
        times_s=state.times_s,
        eyes_m=eye.positions_m[0],
        views=eye.rotations[0],
        eye_valid=eye.valid[0],
        eye_sigmas_m=eye.position_sigmas_m[0],
        view_sigmas_rad=eye.rotation_sigmas_rad[0],
        positions_m=poses.positions_m,
        rotations=poses.rotations,
        valid=poses.valid,
        sigmas_m=poses.position_sigmas_m,
        sigmas_rad=poses.rotation_sigmas_rad,
        sizes_m=state.sizes_m,
        focal_px=(float(state.focal_px[0, 0]), float(state.focal_px[0, 1])),
        size_px=(scene.cameras[0].width, scene.cameras[0].height),
        shown=np.arange(len(state.times_s)),
        seen=poses.valid.T.copy(),
        place=next((room for room in state.first("room") if room), ""),
        texts=state.first("text"),
        carriers=state.first("written_on"),
        does=state.first("does"),
        acts=state.first("acts"),
        weather=next((sky for sky in state.first("weather") if sky), ""),
        daytime=next((time for time in state.first("time") if time), ""),
    )
