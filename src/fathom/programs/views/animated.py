"""What happens in a film, and how objects stand at each of its frames: what programs run on.

    story = animated_view(scene, play)
    run(question.program, story).answer      # fathom.programs.engine

Frames are those of the film, numbered from 0; a moment is a range of them, both ends included.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import combinations
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from fathom.programs.rules import ANIMATED_RULES, TILE, AnimatedRules
from fathom.programs.state import ACTS, SCREEN, AttributeSpan, Course, SceneState, scene_state
from fathom.programs.values import Scenes, Value, ValueType, members
from fathom.programs.visibility_grid import VisibilityGrid
from fathom.records import Scene

Moment = tuple[int, int]
"""The first and the last of some frames."""

Mask = NDArray[np.bool_]

UNKNOWN: Course = (AttributeSpan(""),)
"""The colour of a part of which none is known."""

QUARTERS = ("front", "left", "behind", "right")
"""The quarters around a heading, counter-clockwise: the centre of the k-th lies k · 90° from it."""


@dataclass(frozen=True)
class SceneEvent:
    """An action of the actor (`what` is "acts", `detail` its verb) or an event of an object.

    In its frames, from `first` to `last`, it goes on; before them all is as before, past them as after. A
    sudden one has happened already in its own frame.
    """

    object_id: int
    what: str
    first: int
    last: int
    key: str
    detail: str = ""
    sudden: bool = False

    @property
    def over(self) -> int:
        """The first frame that shows what has become of it."""
        return self.first if self.sudden else self.last + 1

    @property
    def frames(self) -> int:
        """How many frames it takes."""
        return self.last - self.first + 1


@dataclass(frozen=True, eq=False)
class AnimatedView:
    """One film as programs see it. Axes: V views, G frames of the grid, F frames of the film, T objects.

    objects, keys : (T,) ids, and how questions name them: the colour and the name that each has at first
    names, colors : (T,) for each frame what the object is called and its colour
    places : (T,) where on the actor an object is worn or held, "" where it stands on its own
    parts : the actor's parts: name → its colour at each frame
    positions_m : (F, T, 2) world, centre of the footprint; NaN where the object is not there
    headings_rad : (F, T) of the object's forward axis, counter-clockwise from world +x
    happenings : in the order of their first frames
    screens : the objects that only hide others: no question counts or names them
    azimuths_rad : (V,) where each camera stands around what all look at, against the actor's first heading
    picture_px : how many pixels a picture has
    heights_m : (F,) how high the actor stands or hovers
    main : the actor's part that a recolouring without a part's name is of
    eyes_m : (V, 3) world, where each camera stands; none where nobody looks
    focal_shares : (V,) the cameras' focal lengths, as shares of the width of their pictures
    """

    scene: str
    visibility: VisibilityGrid
    rules: AnimatedRules
    objects: tuple[str, ...]
    keys: tuple[str, ...]
    names: tuple[tuple[str, ...], ...]
    colors: tuple[tuple[str, ...], ...]
    places: tuple[str, ...]
    parts: Mapping[str, tuple[str, ...]]
    positions_m: NDArray[np.float64]
    headings_rad: NDArray[np.float64]
    happenings: tuple[SceneEvent, ...]
    azimuths_rad: NDArray[np.float64]
    heights_m: NDArray[np.float64]
    subject_size_m: float
    screens: frozenset[int] = frozenset()
    picture_px: int = 0
    main: str = ""
    eyes_m: NDArray[np.float64] = field(default_factory=lambda: np.zeros((0, 3)))
    focal_shares: NDArray[np.float64] = field(default_factory=lambda: np.zeros(0))
    scenes: ClassVar[Scenes] = Scenes.ANIMATED

    @cached_property
    def memo(self) -> dict[Hashable, Any]:
        """What was worked out of this film, by what was asked; empty in each copy that is changed."""
        return {}

    @property
    def frames(self) -> int:
        """The number of frames of the film."""
        return len(self.positions_m)

    @property
    def clear_part_px(self) -> float:
        """From how many pixels of its pictures on a part or a limb counts as seen."""
        return self.rules.clear_part_tile_px * (self.picture_px / TILE**2 or 1.0)

    @property
    def standing(self) -> tuple[int, ...]:
        """The objects but the actor that stand on their own."""
        return tuple(k for k in self.subjects if not self.places[k])

    @property
    def subjects(self) -> tuple[int, ...]:
        """The objects but the actor that questions speak of."""
        return tuple(k for k in range(1, len(self.objects)) if k not in self.screens)

    def objects_of(self, kind: ValueType, value: Value) -> tuple[str, ...]:
        """Return the ids of the objects that a step's value selects, or to which its events happen."""
        found: tuple[int, ...] = ()
        if kind is ValueType.OBJECT:
            found = (value,)
        elif kind is ValueType.OBJECTS:
            found = members(value)
        elif kind is ValueType.EVENT:
            found = (self.happenings[value].object_id,)
        elif kind is ValueType.EVENTS:
            found = tuple(sorted({self.happenings[k].object_id for k in members(value)}))
        return tuple(self.objects[k] for k in found)

    def fits(self, key: str, obj: int) -> bool:
        """Return whether a key ("barrel", "red barrel") fits an object."""
        return key in (self.keys[obj], self.names[obj][self.debut(obj)])

    def debut(self, obj: int) -> int:
        """Return the first frame at which an object is there, 0 where it never is."""
        return int(np.argmax(self.visibility.there[:, obj]))

    def called(self, obj: int, first: int, last: int) -> str:
        """Return what an object is called from one frame to another: "brown teapot or brown rubber duck"."""
        rows = [f for f in range(max(first, 0), last + 1) if self.visibility.there[f, obj]]
        looks = [f"{self.colors[obj][f]} {self.names[obj][f]}".strip() for f in rows]
        return " or ".join(dict.fromkeys(looks)) or self.keys[obj]

    @cached_property
    def swapped(self) -> frozenset[int]:
        """The objects that turn into others: no one name is right for them at all times."""
        return frozenset(k for k in range(1, len(self.objects)) if len(set(self.names[k])) > 1)

    @cached_property
    def mistakable(self) -> frozenset[int]:
        """The objects that come or go while another one that looks the same goes or comes: whether that is
        another one, or the same one elsewhere, cannot be seen.
        """
        kinds: dict[int, set[str]] = {}
        for h in self.happenings:
            if h.object_id and h.what in ("appears", "vanishes"):
                kinds.setdefault(h.object_id, set()).add(h.what)
        looks = {k: set(zip(self.colors[k], self.names[k], strict=True)) for k in kinds}
        found = set()
        for one, other in combinations(kinds, 2):
            if looks[one] & looks[other] and len(kinds[one] | kinds[other]) > 1:
                found |= {one, other}
        return frozenset(found)

    @cached_property
    def leans_deg(self) -> NDArray[np.float64]:
        """How far the actor's body leans at each frame (F,), degrees from upright; 0 where untold."""
        ups = self.visibility.actor_ups
        if ups is None:
            return np.zeros(self.frames)
        return np.degrees(np.arccos(np.clip(np.nan_to_num(ups, nan=1.0)[:, 2], -1.0, 1.0)))

    def upright(self, moment: Moment) -> float:
        """Return how firmly the actor is upright all through a moment: a ratio, 0 where it is not."""
        lean = float(self.leans_deg[moment[0] : moment[1] + 1].max())
        return max(self.rules.upright_deg - lean, 0.0) / self.rules.upright_tolerance_deg

    @cached_property
    def bearings_rad(self) -> NDArray[np.float64]:
        """Where each object lies around the actor, (F, T), −π..π from its heading; NaN where it is not
        there.
        """
        offset = self.positions_m - self.positions_m[:, :1]
        angle = np.arctan2(offset[..., 1], offset[..., 0]) - self.headings_rad[:, :1]
        wrapped: NDArray[np.float64] = (angle + math.pi) % (2 * math.pi) - math.pi
        return wrapped

    @cached_property
    def clear(self) -> Mask:
        """In which cells each object is clear, (V, G, T)."""
        rules, visibility = self.rules, self.visibility
        least = np.array([rules.clear_carried_px if p else rules.clear_px for p in self.places])
        return np.asarray((visibility.px >= least) & (self.shares >= rules.clear_share))

    @cached_property
    def plain_shares(self) -> NDArray[np.float64]:
        """How much shows of each object of the most that any view shows of it at that time, (V, G, T)."""
        most = self.visibility.px.max(axis=0, keepdims=True)
        return np.asarray(self.visibility.px / np.maximum(most, 1))

    @cached_property
    def shares(self) -> NDArray[np.float64]:
        """How much of each object's silhouette shows, (V, G, T)."""
        return self.visibility.shares()

    def grid(self, moment: Moment) -> slice:
        """Return the frames of the grid that a moment touches, as a slice of the axis G."""
        return slice(self.visibility.at(moment[0]), self.visibility.at(moment[1]) + 1)

    def views_from(self, quarter: str) -> NDArray[np.intp]:
        """Return the views that look from a side of the actor as it stands at first."""
        wanted = QUARTERS.index(quarter) * math.pi / 2
        off = np.abs((self.azimuths_rad - wanted + math.pi) % (2 * math.pi) - math.pi)
        return np.flatnonzero(off <= math.radians(self.rules.side_views_deg) + 1e-6)

    def broadside(self, one: int, other: int, frame: int) -> Mask:
        """Return which views (V,) show how far two objects are apart: those that do not look along the line
        between them.
        """
        line = self.positions_m[frame, other] - self.positions_m[frame, one]
        off = self.azimuths_rad + self.headings_rad[0, 0] - math.atan2(line[1], line[0])
        return np.asarray(np.abs(np.sin(off)) >= math.sin(math.radians(self.rules.broadside_deg)))

    def moved(self, shift_m: NDArray[np.float64], turn_rad: NDArray[np.float64]) -> AnimatedView:
        """Return the story with every object moved by (T, 2) and turned by (T,), the same at all times."""
        return replace(
            self, positions_m=self.positions_m + shift_m, headings_rad=self.headings_rad + turn_rad
        )


def animated_view(
    scene: Scene, visibility: VisibilityGrid, rules: AnimatedRules = ANIMATED_RULES
) -> AnimatedView:
    """Return what programs run on, from an animated scene's record and what shows in it."""
    state = scene_state(scene, visibility)
    count, fps = len(state.times_s), state.fps
    objects = range(len(state.objects))
    names = tuple(state.at_frames(state.course(k, "name")) for k in objects)
    colors = tuple(state.at_frames(state.course(k, "color")) for k in objects)
    debuts = [int(np.argmax(visibility.there[:, k])) for k in objects]
    keys = tuple(f"{c[d]} {n[d]}".strip() for n, c, d in zip(names, colors, debuts, strict=True))
    where = state.poses.positions_m[..., :2].swapaxes(0, 1).copy()
    # Where an object is not there, its pose means nothing.
    where[~visibility.there] = np.nan
    headings = state.poses.headings_rad.T
    happenings = [*_actions(state, count, fps), *_happened(state, keys, count, fps)]
    worn, held = state.first("worn_on"), state.first("held_in")
    return AnimatedView(
        scene=state.scene,
        visibility=visibility,
        rules=rules,
        objects=state.objects,
        keys=keys,
        names=names,
        colors=colors,
        places=tuple(w or h for w, h in zip(worn, held, strict=True)),
        parts=_part_colors(state),
        positions_m=where,
        headings_rad=headings,
        happenings=tuple(sorted(happenings, key=lambda h: (h.first, h.last, h.key))),
        azimuths_rad=_azimuths(state.cameras.positions_m[:, 0, :2], float(headings[0, 0])),
        subject_size_m=float(state.sizes_m[0].max()),
        screens=frozenset(k for k, category in enumerate(state.categories) if category == SCREEN),
        main=state.first("main")[0],
        heights_m=np.broadcast_to(state.poses.positions_m[0, :, 2], count),
        eyes_m=state.cameras.positions_m[:, 0],
        focal_shares=state.focal_px[:, 0] / state.image_px[:, 0],
        picture_px=int(state.image_px[0].prod()) if len(state.image_px) else 0,
    )


def _part_colors(state: SceneState) -> dict[str, tuple[str, ...]]:
    """Return the color of each of the actor's parts at every frame."""
    own = (p for p in state.parts if not p.object_id)
    return {p.name: state.at_frames(p.attributes.get("color", UNKNOWN)) for p in own}


def frames_of(start_s: float, end_s: float, fps: float, count: int) -> Moment:
    """Return the frames of an event from `start_s` to `end_s`; a sudden one takes the frame it is at."""
    first = round(start_s * fps)
    return min(first, count - 1), min(max(first, round(end_s * fps) - 1), count - 1)


def _actions(state: SceneState, count: int, fps: float) -> list[SceneEvent]:
    """Return the actor's actions; those of one verb that follow one another at once are one."""
    found: list[SceneEvent] = []
    for e in state.events:
        if e.object_id or e.what != ACTS:
            continue
        first = max(math.ceil(e.start_s * fps - 1e-6), 0)
        last = min(math.ceil(e.end_s * fps - 1e-6) - 1, count - 1)
        if last < first:
            continue
        before = found[-1] if found else None
        if before and before.key == e.detail and first - before.last <= ANIMATED_RULES.joined_frames:
            found[-1] = replace(before, last=last)
        else:
            found.append(SceneEvent(0, ACTS, first, last, e.detail, e.detail))
    return found


def _happened(state: SceneState, keys: Sequence[str], count: int, fps: float) -> list[SceneEvent]:
    """Return what happens to objects; `keys` (T,) are how questions name them."""
    found = []
    for e in state.events:
        if e.what == ACTS:
            continue
        first, last = frames_of(e.start_s, e.end_s, fps, count)
        name = f"{e.what}:{keys[e.object_id]}:{e.detail}" if e.detail else f"{e.what}:{keys[e.object_id]}"
        sudden = round(e.end_s * fps) <= round(e.start_s * fps)
        found.append(SceneEvent(e.object_id, e.what, first, last, name, e.detail, sudden))
    return found


def _azimuths(places_m: NDArray[np.float64], heading_rad: float) -> NDArray[np.float64]:
    """Return where each camera (V, 2) stands around the point that all look at; its height plays no part."""
    # Cameras stand evenly on a circle, so that their mean is what they look at.
    out = places_m - places_m.mean(axis=0)
    return np.asarray(np.arctan2(out[:, 1], out[:, 0]) - heading_rad)
