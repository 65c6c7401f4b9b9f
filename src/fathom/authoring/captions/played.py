"""A scene that is played: what is there in each frame, of which colour and kind, and what it does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby

import numpy as np

from fathom.authoring.captions.claims import IN_REVERSE
from fathom.geometry.cameras import project
from fathom.geometry.poses import pose_at, rotation_matrix
from fathom.programs.visibility_grid import VisibilityGrid
from fathom.records import Event, Scene, SceneObject


@dataclass(frozen=True)
class ObservedState:
    """What one object is in one frame; `color` and `kind` are "…" while they change."""

    there: bool
    color: str
    kind: str
    verb: str


@dataclass(frozen=True)
class Played:
    """A scene, frame by frame, and what of it shows, where that is known."""

    scene: Scene
    visibility: VisibilityGrid | None = None

    @cached_property
    def states(self) -> Mapping[str, list[ObservedState]]:
        """The state of each object in each frame, by the object's id."""
        return {
            t.id: [_state(t, i, time_s) for i, time_s in enumerate(self.scene.times_s)]
            for t in self.scene.objects
        }

    def obj(self, name: str) -> SceneObject:
        """Return the object of an id."""
        return next(t for t in self.scene.objects if t.id == name)

    def verbs(self, name: str) -> list[str]:
        """Return what an object does, in order."""
        return [verb for verb, _ in groupby(s.verb for s in self.states[name] if s.verb)]

    def times(self, name: str, verb: str) -> int:
        """Return how many times a clip of a verb begins to play, in any frame."""
        obj, clips = self.obj(name), self.obj(name).animations
        playing = [
            next(((k, _verb(obj, t)) for k, c in enumerate(clips) if c.start_s <= t < c.end_s), (-1, ""))
            for t in self.scene.times_s
        ]
        return sum(done in (verb, verb + IN_REVERSE) for (_, done), _ in groupby(playing))

    def changes(self, name: str) -> list[tuple[int, str]]:
        """Return (frame, "what:detail") of all that is seen to become of an object."""
        found: list[tuple[int, str]] = []
        settled = self.states[name][0]
        for i, now in enumerate(self.states[name][1:], 1):
            if now.there != settled.there:
                found.append((i, "appears:" if now.there else "vanishes:"))
            if now.color not in (settled.color, "…"):
                found.append((i, f"recolours:{now.color}"))
            if now.kind not in (settled.kind, "…"):
                found.append((i, f"swaps:{now.kind}"))
            settled = ObservedState(
                now.there,
                settled.color if now.color == "…" else now.color,
                settled.kind if now.kind == "…" else now.kind,
                now.verb,
            )
        return found

    def from_front(self, start_m: Sequence[float], end_m: Sequence[float]) -> tuple[float, float]:
        """Return how far one place is from another towards the actor's front and to its left, in metres.

        Both are measured in the picture of the camera that faces the actor as the scene begins.
        """
        actor = self.scene.objects[0].poses[0]
        at, ahead = np.asarray(actor.position_m), rotation_matrix(actor.rotation_wxyz)[:, 0]

        def facing(k: int) -> float:
            toward = np.asarray(self.scene.cameras[k].poses[0].position_m)[:2] - at[:2]
            return float(toward @ ahead[:2] / np.linalg.norm(toward))

        camera = self.scene.cameras[max(range(len(self.scene.cameras)), key=facing)]
        points = np.array([[*start_m[:2], 0.0], [*end_m[:2], 0.0]])
        pixels, depth = project(camera, points)
        across = (pixels[:, 0] - camera.cx) / camera.fx * depth
        level = float(np.hypot(*rotation_matrix(camera.poses[0].rotation_wxyz)[:2, 2]))
        return float(depth[0] - depth[1]) / level, float(across[1] - across[0])


def _state(obj: SceneObject, frame: int, time_s: float) -> ObservedState:
    color, kind = obj.attributes.get("color", ""), obj.attributes.get("name", "")
    for event in sorted(obj.events, key=lambda e: e.start_s):
        if event.what == "recolours":
            color = _after(event, time_s, color)
        elif event.what == "swaps":
            kind = _after(event, time_s, kind)
    pose = pose_at(obj.poses, frame)
    there = pose.valid and _is_there(obj.events, time_s)
    return ObservedState(there, color, kind, _verb(obj, time_s))


def _is_there(events: Sequence[Event], time_s: float) -> bool:
    turns = sorted((e for e in events if e.what in ("appears", "vanishes")), key=lambda e: e.start_s)
    begun = [e for e in turns if time_s >= (e.start_s if e.what == "appears" else e.end_s)]
    return begun[-1].what == "appears" if begun else not turns or turns[0].what != "appears"


def _after(event: Event, time_s: float, before: str) -> str:
    if time_s < event.start_s:
        return before
    return event.detail if time_s >= event.end_s else "…"


def _verb(obj: SceneObject, time_s: float) -> str:
    for clip in obj.animations:
        if clip.start_s <= time_s < clip.end_s:
            later = clip.from_s + (time_s + 1e-3 - clip.start_s) * clip.rate
            earlier = clip.from_s + (time_s - clip.start_s) * clip.rate
            return clip.verb + IN_REVERSE * (later < earlier)
    return ""
