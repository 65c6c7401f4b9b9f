"""From the record of a story to what is there at a frame: clips, edits and events, from the record alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import pairwise
from typing import Literal

import numpy as np

from fathom.assets.animated.library import AnimatedAsset, AnimatedLibrary
from fathom.assets.gltf.moving import Towards
from fathom.assets.model import Model, painted, scaled, stretched
from fathom.assets.palette import BODY_COLORS
from fathom.assets.props.catalogue import PROPS, SCREEN, prop_hash, prop_model
from fathom.assets.props.screens import screen_model
from fathom.assets.shading import facing
from fathom.geometry.poses import pose_at
from fathom.programs.growths import GROWTHS
from fathom.programs.state import attribute_course, begun_by, presence_of
from fathom.records import Animation, AssetRef, DataError, InputError, Scene, SceneObject
from fathom.scenes.animated_assets import clip_of
from fathom.scenes.edits import edited, repainted
from fathom.scenes.paint import owners_of
from fathom.scenes.visibility_grids import Limbs

ACTOR = "actor"
"""The id of the object that a story is about."""

EPS_S = 1e-6

SPROUTING, SPROUTS_S = (0.45, 0.65, 0.85), 0.25
"""How large what grows on an actor is as it comes, step by step in so many seconds; as it goes, backwards."""

TINTS = {**BODY_COLORS, "gray": (0.5, 0.5, 0.5), "black": (0.075, 0.075, 0.08)}
"""What props are painted with, in sRGB: a darker gray is taken for black wherever it is shaded."""


@dataclass(frozen=True)
class Staging:
    """What stories are drawn from, and how they are filmed.

    Of six frames evenly spaced over the video, which are shown to models, one lies between any two changes
    and one in either half of an act.

    frames : frames of the animated scene
    fps : frames a second
    views : cameras, evenly around the object
    elevation_deg : how high the cameras stand, in degrees above the ground
    size_px : width and height of a frame in pixels
    fov_deg : horizontal field of view in degrees
    kinds : how much of each kind of animated scene is wanted, as weights
    colors : what props are painted with
    gap : how far objects stand apart at least, as a share of the animated object's size
    change_gap : frames between two changes, at least
    act_gap : frames that an act takes, at least
    change_apart : frames between a change and the beginning of an act, at least
    hidden_share : share of the props that stand inside screens, in the scenes that have any
    environment : what surrounds the object
    sampled : so many frames of a view, evenly spaced from the first, are shown to models: what each act shows
        in them is looked after
    repeats : how often an object alone that can does one thing once, twice or three times
    stage : props, the object among props that come, go and change; alone, nothing but the object and what it
        wears or carries
    """

    frames: int = 48
    fps: float = 12.0
    views: int = 24
    elevation_deg: float = 15.0
    size_px: int = 512
    fov_deg: float = 30.0
    kinds: Mapping[str, float] = field(
        default_factory=lambda: {
            "counting": 1.0, "spatial": 1.0, "temporal": 1.0, "action": 1.0, "appearance": 1.0,
            "counterfactual": 1.2,
        }
    )  # fmt: skip
    colors: tuple[str, ...] = tuple(BODY_COLORS)
    gap: float = 0.05
    change_gap: int = 8
    act_gap: int = 16
    change_apart: int = 4
    hidden_share: float = 0.75
    environment: str = "white"
    sampled: int = 6
    repeats: float = 0.4
    stage: Literal["alone", "props"] = "alone"

    def __post_init__(self) -> None:
        """Raise InputError where no kind of scene is wanted, or one less than not at all, and where `repeats`
        is no share.
        """
        if not 0 <= self.repeats <= 1:
            raise InputError(
                f"repeats={self.repeats:g}: is no share; expected 0 to 1, as in --set repeats=0.4"
            )
        if not sum(self.kinds.values()) > 0 or min(self.kinds.values()) < 0:
            asked = ", ".join(f"kinds.{k}={w:g}" for k, w in self.kinds.items())
            raise InputError(
                f"{asked}: no story can be drawn; expected weights of 0 or more, at least one above 0; "
                "raise one with --set kinds.NAME=1"
            )

    @property
    def sampled_frames(self) -> tuple[int, ...]:
        """The frames that are shown to models."""
        step = max(self.frames // max(self.sampled, 1), 1)
        return tuple(range(0, self.frames, step)[: max(self.sampled, 1)])


@dataclass(frozen=True)
class ObjectState:
    """What an object is at a time: whether it is there, what it is called, and its colour."""

    there: bool
    name: str
    color: str


def state_at(obj: SceneObject, time_s: float) -> ObjectState:
    """Return what has become of an object by a time."""
    return ObjectState(
        there=bool(begun_by(presence_of(obj), time_s)),
        name=begun_by(attribute_course(obj, "name", obj.subtype), time_s),
        color=begun_by(attribute_course(obj, "color"), time_s),
    )


def clip_time(
    asset: AnimatedAsset, animations: Sequence[Animation], time_s: float
) -> tuple[str, float, Towards | None]:
    """Return the clip that plays at a time of the film, the time within it, and what it goes over to, if
    anything; ("", 0.0, None) where none plays.

    Outside all of them the actor stands as at the end of the last one before, or as the first one begins.
    """
    if not animations:
        return "", 0.0, None
    ordered = sorted(animations, key=lambda a: a.start_s)
    for before, after in pairwise(ordered):
        ahead = after.start_s - time_s
        if EPS_S < ahead < after.blend_s - EPS_S:
            there = Towards(*_within(asset, after, time_s, after.blend_s), 1.0 - ahead / after.blend_s)
            return *_within(asset, before, time_s, after.blend_s), there
    begun = [a for a in ordered if a.start_s <= time_s + EPS_S]
    return *_within(asset, begun[-1] if begun else ordered[0], time_s), None


def _within(asset: AnimatedAsset, a: Animation, time_s: float, longer_s: float = 0.0) -> tuple[str, float]:
    """Return the clip and the time within it, which goes on for `longer_s` before and after it plays."""
    passed = min(max(time_s, a.start_s - longer_s), a.end_s + longer_s) - a.start_s
    clip = clip_of(asset, a.clip)
    begin, end = clip.start_s, clip.end_s
    local = a.from_s + passed * a.rate
    if a.loop:
        return a.clip, begin + (local - begin) % max(end - begin, EPS_S)
    return a.clip, min(max(local, begin), end)


def models_at(scene: Scene, library: AnimatedLibrary, frame: int) -> dict[str, Model]:
    """Return the models that are there at a frame by the objects' ids, each in its own frame.

    Clips, edits, recolouring and events are applied; what is not there is absent. Between events an object
    always has the same triangles.

    Raises DataError where an asset is not the one that the story was drawn with.
    """
    out = {}
    for obj in scene.objects:
        model = model_at(obj, library, scene.times_s[frame])
        if model is not None and pose_at(obj.poses, frame).valid:
            out[obj.id] = model
    return out


def model_at(obj: SceneObject, library: AnimatedLibrary, time_s: float) -> Model | None:
    """Return the model of one object at a time, in its own frame; None where it is not there."""
    state = state_at(obj, time_s)
    if not state.there:
        return None
    if obj.category == "prop":
        return replace(_prop(obj, state, size_share(obj, time_s)), name=obj.id)
    if obj.category == SCREEN:
        return replace(_screen(obj), name=obj.id)
    asset = _player(obj, library)
    model = asset.model_at(*clip_time(asset, obj.animations, time_s))
    model = edited(model, obj.asset.edits, asset)
    for e in sorted(obj.events, key=lambda e: e.start_s):
        part, is_one, color = e.detail.partition("=")
        if e.what == "recolours" and is_one and time_s >= e.start_s - EPS_S:
            model = repainted(model, part, color)
    return replace(model, name=obj.id, parts=tuple(facing(p) for p in model.parts))


def limbs_of(scene: Scene, library: AnimatedLibrary) -> dict[str, Limbs]:
    """Return what the actors' vertices belong to, by the objects' ids; a removed limb has none."""
    out = {}
    for obj in scene.objects:
        if obj.category in ("prop", SCREEN):
            continue
        asset = _player(obj, library)
        names = tuple(asset.limbs)
        gone = [names.index(e[7:]) for e in obj.asset.edits if e.startswith("remove:")]
        of = tuple(np.where(np.isin(v, gone), -1, v) for v in owners_of(asset, obj.asset.edits))
        rest = edited(asset.model_at("", 0.0), obj.asset.edits, asset)
        out[obj.id] = Limbs(names, of, np.concatenate([p.vertices for p in rest.parts]))
    return out


def prop_ref(name: str) -> AssetRef:
    """Return the reference that a scene keeps of a prop."""
    return AssetRef(name=f"prop:{name}", sha256=prop_hash(name))


def _player(obj: SceneObject, library: AnimatedLibrary) -> AnimatedAsset:
    asset = library.asset(obj.asset.name)
    if asset.sha256 != obj.asset.sha256:
        raise DataError(
            f"{obj.id}: the story was drawn with {obj.asset.name} {obj.asset.sha256[:12]}, but the "
            f"library {library.name} has {asset.sha256[:12]}; use the assets the dataset was built with"
        )
    return asset


def size_share(obj: SceneObject, time_s: float) -> float:
    """Return how large an object is at a time, against its size: what grows sprouts, and withers."""
    if obj.attributes.get("name") not in GROWTHS:
        return 1.0
    step = SPROUTS_S / len(SPROUTING)
    for e in obj.events:
        past = time_s - e.start_s if e.what == "appears" else e.start_s - time_s - step
        if e.what in ("appears", "vanishes") and -EPS_S <= past < SPROUTS_S - EPS_S:
            return SPROUTING[int((past + EPS_S) / step)]
    return 1.0


def _prop(obj: SceneObject, state: ObjectState, share: float) -> Model:
    """Return a prop in its size and colour: what it turned into is as large for its kind as it was."""
    first = obj.attributes.get("name", obj.subtype)
    if prop_hash(first) != obj.asset.sha256:
        raise DataError(
            f"{obj.id}: the story was drawn with another version of the built-in {first}; draw it again, "
            "or use the version that drew it"
        )
    factor = max(obj.size_m) * PROPS[state.name].relative_size / PROPS[first].relative_size
    return _painted_prop(state.name, round(factor * share, 9), state.color)


def _screen(obj: SceneObject) -> Model:
    """Return a screen, stretched to its size."""
    if prop_hash(obj.subtype) != obj.asset.sha256:
        raise DataError(
            f"{obj.id}: the story was drawn with another version of the built-in {obj.subtype}; draw it "
            "again, or use the version that drew it"
        )
    return _stretched_screen(obj.subtype, obj.size_m)


@lru_cache(maxsize=512)
def _stretched_screen(name: str, size_m: tuple[float, float, float]) -> Model:
    return stretched(screen_model(name), size_m)


@lru_cache(maxsize=512)
def _painted_prop(name: str, factor: float, color: str) -> Model:
    model = scaled(prop_model(name), factor)
    return painted(model, TINTS[color]) if color in TINTS else model
