"""Made-up films: scenes and plays that nobody rendered, from a few numbers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from fathom.benchmarks.fourdbench.construction import recipe
from fathom.programs.state import LEAPS
from fathom.programs.views.animated import AnimatedView, animated_view
from fathom.programs.visibility_grid import VisibilityGrid
from fathom.questions.animated_candidate import AnimatedQuestionRecipe
from fathom.questions.contexts.animated_words import ActionWords
from fathom.questions.distractors.sources import Supply
from fathom.questions.mix import AnimatedMix
from fathom.records import (
    Animation,
    AssetRef,
    Camera,
    Environment,
    Event,
    Pose,
    Scene,
    SceneObject,
)
from fathom.store.seeds import digest, rng

FPS, FRAMES, VIEWS = 12.0, 48, 12
SILHOUETTE_PX = 2000
COLORS = ("red", "blue", "green", "yellow", "purple", "gray")
NAMES = ("ball", "cube", "barrel", "vase", "chair", "rocket", "star", "teapot", "lantern", "house")
WORDS = {
    v: ActionWords(v, f"{v}ing", f"{v}s")
    for v in ("walk", "jump", "kick", "eat", "bow", "wave", "spin", "sneeze")
}
LIMBS = ("head", "tail", "front left leg", "front right leg", "back left leg", "back right leg")


@dataclass(frozen=True)
class Prop:
    """An object that stands `far` metres off, at a bearing from the actor's first heading, in degrees."""

    name: str
    color: str
    bearing: float = 0.0
    far: float = 2.0
    events: tuple[Event, ...] = ()
    attributes: dict[str, str] = field(default_factory=dict)


def at(what: str, frame: int, detail: str = "") -> Event:
    """Return a sudden event."""
    return Event(what=what, start_s=frame / FPS, end_s=frame / FPS, detail=detail)


def acts(*verbs: str, lengths: Sequence[int] = ()) -> tuple[Animation, ...]:
    """Return clips one after the other, of so many frames each, else all alike."""
    sizes = list(lengths) or [FRAMES // len(verbs)] * len(verbs)
    edges = np.cumsum([0, *sizes])
    return tuple(
        Animation(clip=v, start_s=float(a / FPS), end_s=float(b / FPS), verb=v)
        for v, a, b in zip(verbs, edges[:-1], edges[1:], strict=True)
    )


def scene_of(
    props: Sequence[Prop],
    animations: tuple[Animation, ...] = (),
    *,
    name: str = "film",
    asset: str = "Fox",
    headings_deg: Sequence[float] = (0.0,),
    events: tuple[Event, ...] = (),
) -> Scene:
    """Return a scene about a fox in the origin."""
    actor = SceneObject(
        id="actor",
        category="animal",
        subtype="fox",
        size_m=(1.0, 0.4, 0.6),
        poses=tuple(_pose(0.0, 0.0, h) for h in headings_deg),
        asset=AssetRef(name=asset, sha256="0" * 64),
        attributes={"name": "fox", "color": "brown", "main": "coat"},
        parts={"coat": {"color": "brown", "word": "coat"}, "paws": {"color": "black", "word": "paws"}},
        animations=animations,
        events=events,
    )
    objects = [actor]
    for k, p in enumerate(props):
        angle = math.radians(p.bearing)
        objects.append(
            SceneObject(
                id=f"prop{k}",
                category="prop",
                subtype=p.name,
                size_m=(0.3, 0.3, 0.3),
                poses=(_pose(p.far * math.cos(angle), p.far * math.sin(angle), 0.0),),
                asset=AssetRef(name=f"prop:{p.name}", sha256="0" * 64),
                attributes={"name": p.name, "color": p.color, **p.attributes},
                events=p.events,
            )
        )
    cameras = tuple(
        Camera(width=512, height=512, fx=900, fy=900, cx=256, cy=256,
               poses=(_pose(6 * math.cos(a), 6 * math.sin(a), 0.0),))
        for a in np.arange(VIEWS) * 2 * math.pi / VIEWS
    )  # fmt: skip
    return Scene(
        id=digest("made", name).hex()[:32],
        generator="stories",
        version="1",
        seed="made",
        objects=tuple(objects),
        cameras=cameras,
        environment=Environment(name="white"),
        times_s=tuple(k / FPS for k in range(FRAMES)),
    )


def _pose(x: float, y: float, heading_deg: float) -> Pose:
    half = math.radians(heading_deg) / 2
    return Pose(position_m=(x, y, 0.0), rotation_wxyz=(math.cos(half), 0.0, 0.0, math.sin(half)))


def visibility_of(scene: Scene, open_deg: float = 180.0) -> VisibilityGrid:
    """Return the play of a scene; each prop shows clearly only from within an angle of its bearing."""
    grid = np.arange(0, FRAMES, 2, dtype=np.int32)
    count, g = len(scene.objects), len(grid)
    there = np.array([[_there(t, f / FPS) for t in scene.objects] for f in range(FRAMES)])
    full = np.where(there[grid], SILHOUETTE_PX, 0)[None].repeat(VIEWS, axis=0).astype(np.int32)
    px = full.copy()
    where = np.array([t.poses[0].position_m for t in scene.objects])
    azimuths = np.arange(VIEWS) * 2 * math.pi / VIEWS
    for k in range(1, count):
        off = azimuths - math.atan2(where[k, 1], where[k, 0])
        off = np.abs((off + math.pi) % (2 * math.pi) - math.pi)
        px[off > math.radians(open_deg) + 1e-9, :, k] //= 5
    centres = np.where(there[..., None], where[None], np.nan)
    return VisibilityGrid(
        scene=scene.id,
        objects=tuple(t.id for t in scene.objects),
        parts=((0, "coat"), (0, "paws")),
        limbs=tuple((0, n) for n in LIMBS),
        frames=grid,
        times_s=np.arange(FRAMES) / FPS,
        there=there,
        px=px,
        alone_px=full,
        full_px=full,
        hidden_px=np.zeros((VIEWS, g, count, count), np.int32),
        part_px=np.full((VIEWS, g, 2), SILHOUETTE_PX, np.int32),
        limb_px=np.full((VIEWS, g, len(LIMBS)), 100, np.int32),
        boxes=np.zeros((VIEWS, g, count, 4), np.int32),
        centres_m=centres,
        lows_m=centres - np.array([0.15, 0.15, 0.0]),
        highs_m=centres + np.array([0.15, 0.15, 0.3]),
        limb_centres_m=_limbs(scene.objects[0].animations),
    )


def _limbs(animations: Sequence[Animation] = ()) -> np.ndarray:
    """Return limbs of which the head goes up and down four times, and all others hardly move; halfway through
    a jump all are off the ground.
    """
    tracks = np.zeros((FRAMES, len(LIMBS), 3))
    phase = np.arange(FRAMES) / 12 * 2 * math.pi
    tracks[:, 0, 2] = 0.1 * (1 - np.cos(phase))
    tracks[:, 1, 1] = 0.02 * np.sin(phase)
    for act in (a for a in animations if a.verb in LEAPS):
        first, last = round(act.start_s * FPS), round(act.end_s * FPS)
        quarter = (last - first) // 4
        tracks[first + quarter : last - quarter, :, 2] += 0.3
    return tracks


def _there(obj: SceneObject, time_s: float) -> bool:
    coming = [e for e in obj.events if e.what in ("appears", "vanishes")]
    now = not (coming and coming[0].what == "appears")
    for e in coming:
        if e.start_s <= time_s + 1e-6:
            now = e.what == "appears"
    return now


def timeline(
    props: Sequence[Prop], animations: tuple[Animation, ...] = (), **settings: object
) -> AnimatedView:
    """Return the story of a made-up scene that shows everything from everywhere."""
    scene = scene_of(props, animations, **settings)  # type: ignore[arg-type]
    return animated_view(scene, visibility_of(scene))


def drawn(index: int, seed: str = "made") -> Scene:
    """Return a random scene: six objects or so, three actions, three changes; assets by turns."""
    g = rng(seed, "made", index)
    names = [NAMES[int(k)] for k in g.permutation(len(NAMES))]
    crowd = int(g.integers(1, 6))
    frames = [int(f) for f in np.sort(g.permutation(np.arange(4, 44, 5))[:3])]
    props = []
    for k in range(crowd + 4):
        name = names[0] if k < crowd else names[k - crowd + 1]
        color = COLORS[int(g.integers(len(COLORS)))]
        events: tuple[Event, ...] = ()
        if k >= crowd and k - crowd < 3:
            what = ("appears", "vanishes", "recolours")[int(g.integers(3))]
            other = [c for c in COLORS if c != color]
            detail = other[int(g.integers(len(other)))] if what == "recolours" else ""
            events = (at(what, 2 * (frames[k - crowd] // 2), detail),)
        bearing = 90.0 * k + float(g.uniform(-20, 20))
        props.append(Prop(name, color, bearing, float(g.uniform(1.0, 3.0)), events))
    verbs = [list(WORDS)[int(k)] for k in g.permutation(len(WORDS))[:3]]
    turn = float(g.integers(4)) * 90.0
    headings = [0.0] * 24 + [turn] * 24
    return scene_of(
        props, acts(*verbs, lengths=(12, 12, 24)), name=f"{seed}{index}", asset=f"Asset{index % 12}",
        headings_deg=headings,
    )  # fmt: skip


def made_recipe(mix: AnimatedMix | None = None, tries: int = 6) -> AnimatedQuestionRecipe:
    """Return how questions of made-up films are made."""
    supply = Supply({f"Asset{k}": tuple(WORDS) for k in range(12)} | {"Fox": tuple(WORDS)}, NAMES, COLORS)
    made = recipe("seed", supply, WORDS, mix, stage="props")
    values = {name: getattr(made, name) for name in made.__dataclass_fields__}
    return AnimatedQuestionRecipe(**{**values, "tries": tries, "shakes": 4})
