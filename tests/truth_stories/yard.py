"""A small film in which everything is known: a robot walks ahead past objects, then bows twice, turning left.

Frames are 12 a second; every second one is looked at. What becomes of objects happens on even frames.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from functools import cache

import msgspec
import numpy as np

from fathom.assets.props.catalogue import prop_model
from fathom.datasets.generators.animated_motions import motion_library_of
from fathom.geometry.poses import yaw_quaternion
from fathom.geometry.views import fitted_orbit
from fathom.ground_truth.cells import TruthCell, cells_of
from fathom.programs.engine import operators_on, run
from fathom.programs.values import Scenes
from fathom.programs.views.animated import AnimatedView, animated_view
from fathom.records import Animation, AssetRef, Camera, Environment, Event, Pose, Scene, SceneObject, Step
from fathom.scenes.animated_assets import built_in_animated
from fathom.scenes.attachments import anchors_of, following
from fathom.scenes.scene_at_time import limbs_of, model_at, models_at, prop_ref
from fathom.scenes.visibility_grids import grid_of, visibility_grid_of
from fathom.verify.observed.animation import ObservedAnimation, observed_animation

FRAMES, FPS = 48, 12.0
BOWS = 16
TURN = math.radians(70)
WAY_M = 1.3
VIEWS, SIZE = 8, 400


def at(x: float, y: float, yaw: float = 0.0, z: float = 0.0) -> Pose:
    return Pose(position_m=(x, y, z), rotation_wxyz=yaw_quaternion(yaw))


def prop(
    name: str, kind: str, color: str, long_m: float, poses: Sequence[Pose], *events: Event, **more: str
) -> SceneObject:
    x, y, z = (round(v * long_m, 6) for v in prop_model(kind).extents)
    return SceneObject(
        id=name, category="prop", subtype=kind, size_m=(x, y, z), poses=tuple(poses), asset=prop_ref(kind),
        attributes={"name": kind, "color": color, **more}, events=events,
    )  # fmt: skip


def event(what: str, frame: int, detail: str = "") -> Event:
    return Event(what=what, start_s=frame / FPS, end_s=frame / FPS, detail=detail)


def actor() -> SceneObject:
    asset = built_in_animated().asset("Robot")
    walk = [at(WAY_M * k / BOWS, 0.0) for k in range(BOWS)]
    turn = [at(WAY_M, 0.0, TURN * k / (FRAMES - BOWS - 1)) for k in range(FRAMES - BOWS)]
    length, width, height = asset.extents_m
    return SceneObject(
        id="actor", category=asset.category, subtype=asset.noun, size_m=(length, width, height),
        poses=(*walk, *turn), asset=AssetRef(name=asset.name, sha256=asset.sha256),
        attributes={"name": asset.noun, "color": "cyan", "main": "body"},
        parts={p.word: {"color": p.color, "word": p.word} for p in asset.parts},
        animations=(
            Animation(clip="Walk", start_s=0, end_s=BOWS / FPS, loop=True, verb="walk"),
            Animation(clip="Bow", start_s=BOWS / FPS, end_s=FRAMES / FPS, rate=1.5, loop=True, verb="bow"),
        ),
        events=(event("recolours", 10, "body=green"),),
    )  # fmt: skip


@cache
def yard() -> Scene:
    library, who = built_in_animated(), actor()
    asset = library.asset("Robot")
    models = [model_at(who, library, k / FPS) for k in range(FRAMES)]
    stance = [m for m in models if m is not None]
    anchors = {(a.place, a.side): a for a in anchors_of(asset)}
    head, hand = (following(anchors[key], stance, who.poses) for key in (("head", ""), ("hand", "left")))
    top = prop_model("table").extents[2] * 1.2
    objects = (
        who,
        prop("worn0", "top hat", "gray", 0.5, head, worn_on="head"),
        prop("worn1", "sword", "red", 0.9, hand, held_in="left hand"),
        prop("prop0", "table", "green", 1.2, [at(-0.6, -2.1)]),
        prop("prop1", "teapot", "yellow", 0.5, [at(-0.6, -2.1, 1.0, round(top, 6))], stands_on="prop0"),
        prop("prop2", "ball", "red", 0.6, [at(0.5, 1.5)], event("recolours", 26, "blue")),
        prop("prop3", "barrel", "brown", 0.9, [at(-2.2, 0.0)], event("vanishes", 12)),
        prop("prop4", "cube", "purple", 0.6, [at(3.8, 0.0, 0.3)], event("appears", 6)),
        prop("prop5", "vase", "cyan", 0.7, [at(1.6, 3.0)], event("swaps", 34, "lantern")),
        prop("prop6", "house", "gray", 1.9, [at(-2.6, 2.0)]),
        prop("prop7", "star", "blue", 0.6, [at(-2.6, 4.0)]),
    )
    corners = np.array([(x, y, z) for x in (-3.2, 4.4) for y in (-2.8, 4.4) for z in (0.0, 2.4)])
    return Scene(
        id="e5" * 16, generator="stories", version="1", seed="yard", objects=objects,
        cameras=fitted_orbit(corners, math.radians(15), VIEWS, (SIZE, SIZE), math.radians(30)),
        environment=Environment(name="white"), times_s=tuple(k / FPS for k in range(FRAMES)),
    )  # fmt: skip


def close_up(extents_m: Sequence[float], size_px: int) -> tuple[Camera, ...]:
    """Return cameras all around something of this size in the origin, which is large in their pictures."""
    reach, height = 0.7 * max(extents_m), 1.2 * extents_m[2]
    corners = [(x, y, z) for x in (-reach, reach) for y in (-reach, reach) for z in (0.0, height)]
    return fitted_orbit(np.array(corners), math.radians(15), VIEWS, (size_px, size_px), math.radians(30))


class Shots:
    """Cells in memory."""

    def __init__(self, made: Mapping[tuple[int, int], TruthCell]) -> None:
        self.made = made

    @property
    def cells(self) -> tuple[tuple[int, int], ...]:
        return tuple(self.made)

    def read(self, view: int, frame: int) -> TruthCell:
        return self.made[view, frame]


def shots(scene: Scene) -> Shots:
    library = built_in_animated()
    stance = model_at(scene.objects[0], library, scene.times_s[0])
    assert stance is not None
    made = {}
    for frame in grid_of(FRAMES):
        models = models_at(scene, library, frame)
        for cell in cells_of(scene, models, frame, range(VIEWS), {scene.objects[0].id: stance}):
            made[cell.view, frame] = cell
    return Shots(made)


def seen(scene: Scene) -> ObservedAnimation:
    """The film as its cells show it."""
    return observed_animation(scene, shots(scene), motion_library_of(scene, built_in_animated()))


def told(record: Scene, shown: Scene | None = None) -> AnimatedView:
    """The film as a record tells it, for the first derivation; shown as that record says, or another."""
    library = built_in_animated()
    scene = shown or record
    visibility = visibility_grid_of(
        scene, lambda f: models_at(scene, library, f), grid_of(FRAMES), limbs_of(scene, library)
    )
    return animated_view(record, visibility)


def program(text: str, *choices: str) -> tuple[Step, ...]:
    """Return a program written from last step to first: "verb first actions"; arguments after bars."""
    tokens = [t.split("|") for t in text.split()]
    steps: list[Step] = []

    def add() -> int:
        op, *args = tokens.pop(0)
        inputs = tuple(add() for _ in operators_on(Scenes.ANIMATED)[op][0].takes)
        steps.append(Step(op=op, inputs=inputs, args=tuple(a.replace("_", " ") for a in args)))
        return len(steps) - 1

    last = add()
    return (*steps, Step(op="choose", inputs=(last,), args=choices))


def first_answer(steps: Sequence[Step], timeline: AnimatedView) -> str | None:
    return run(steps, timeline).answer


Change = Callable[[SceneObject], SceneObject]


def mutated(scene: Scene, changes: Mapping[str, Change]) -> Scene:
    """Return the record with some objects changed, by their ids."""
    objects = tuple(changes[t.id](t) if t.id in changes else t for t in scene.objects)
    return msgspec.structs.replace(scene, objects=objects)


def moved_to(x: float, y: float) -> Change:
    return lambda t: msgspec.structs.replace(t, poses=(at(x, y, 0.0, t.poses[0].position_m[2]),))


def with_events(*events: Event) -> Change:
    return lambda t: msgspec.structs.replace(t, events=events)


def looking(**attributes: str) -> Change:
    return lambda t: msgspec.structs.replace(t, attributes={**t.attributes, **attributes})
