"""Stories: an actor, what it does, what stands about it, and what becomes of all that in a few seconds.

    library = open_animated_library(folder)          # or built_in_animated()
    scene = draw_animated_scene(17, "seed", library, Staging())
    models_at(scene, library, 12)                  # fathom.scenes.scene_at_time

Everything is drawn from stable names, and what is drawn for one purpose does not depend on what was drawn for
another: kind, actor, clips, props, colours and times tell nothing of each other.

Ref: 4D-Bench §3.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import msgspec
import numpy as np

from fathom.assets.animated.library import AnimatedAsset, AnimatedLibrary
from fathom.assets.model import Model, Points
from fathom.assets.props.catalogue import BELLY, PROPS, prop_model
from fathom.geometry.poses import pose_at
from fathom.records import AssetRef, Camera, Environment, Scene, SceneObject, UnfitError
from fathom.scenes.act_planning import doing, planned_acts
from fathom.scenes.actions import PlannedAction, animation_of, shown_clips
from fathom.scenes.animated_assets import hovers, unit_m
from fathom.scenes.attachment_visibility import worn_in_sight
from fathom.scenes.attachments import Anchor, anchors_of, rounded, scale_of
from fathom.scenes.counterfactuals import Twist, main_part, many_legged, part_colors, twist_of
from fathom.scenes.courses import poses_of
from fathom.scenes.designs import SceneDraft, design_of, scene_rng
from fathom.scenes.framing import framed
from fathom.scenes.free_space import FreeSpace, surface_points, thinned
from fathom.scenes.growth_changes import come_and_gone
from fathom.scenes.growths import GrowthPlan, growths_of
from fathom.scenes.looks import MISSING, fewer_legs, in_paint
from fathom.scenes.overall_colors import unnamed_colors, whole_color
from fathom.scenes.prop_placement import placed
from fathom.scenes.props import grown_on, is_grown, kept_in_sight, wishes, worn_objects
from fathom.scenes.scene_at_time import ACTOR, Staging, model_at
from fathom.scenes.state_changes import with_events
from fathom.store.seeds import digest, rng

VERSION = "9"

HOVER = 0.35
"""How high above the ground a hovering actor is before it is known where its clips take it, in its unit."""

DEEPEST = 0.01
"""How deep, as a share of the actor's longest side, its clips may take it into the ground."""

LOWEST = 0.1
"""How high above the ground a hovering actor comes at its lowest, whichever way it turns, in its unit."""

UNTRUE = "counterfactual"
"""The kind of story whose actor is edited; one that cannot be has a story of another kind."""

PLAIN_SHARE = 0.0045
"""How much of a picture what comes or goes takes up at least, from where it looks largest: a little more than
has to be seen of a change (`change_share` of the rules of animated scenes).
"""

RARE, MOST_OFTEN = 6, 8.0
"""One actor in so many of many legs is as many as there should be; how much likelier its edit is at most."""

ARRANGEMENTS = 200
"""How often so many changes are tried to be spread over the film, before there is one less."""

TRIES = 24

CELLS = 40
"""So many points at most lie along the actor's size."""


def draw_animated_scene(index: int, seed: str, library: AnimatedLibrary, staging: Staging) -> Scene:
    """Return story `index` of the stories that belong to `seed`.

    Raises UnfitError where no place can be found for the props.
    """
    uid = digest(seed, "story", index).hex()[:32]
    draft = draft_of(index, seed, library, staging)
    objects, points, moments = _furnished(draft)
    source = {"kind": draft.kind, "asset": draft.asset.name, "index": str(index)}
    return Scene(
        id=uid,
        generator="stories",
        version=VERSION,
        seed=seed,
        objects=objects,
        cameras=_cameras(draft, points, moments),
        environment=Environment(name=staging.environment),
        times_s=times_of(staging),
        truth=f"truth/{uid}.npz",
        source=source | (draft.twist.source() if draft.twist else {}),
    )


def _cameras(draft: SceneDraft, points: Points, moments: Sequence[Points]) -> tuple[Camera, ...]:
    """Return the cameras: around an object alone they begin anywhere, among props at its front."""
    if draft.staging.stage != "alone":
        return framed(points, draft.staging)
    first = round(float(draft.rng("first camera").uniform(0.0, 2 * math.pi)), 6)
    return framed(points, draft.staging, moments, first)


def times_of(staging: Staging) -> tuple[float, ...]:
    """Return when each frame is shown, in seconds."""
    return tuple(round(k / staging.fps, 9) for k in range(staging.frames))


def draft_of(index: int, seed: str, library: AnimatedLibrary, staging: Staging) -> SceneDraft:
    """Return what is drawn for a story before anything is placed."""
    asset = _whose(index, seed, library)
    kind = _kind(index, seed, kinds_for(asset, library, staging.kinds))
    anchors = anchors_of(asset)
    twist = twist_of(asset, anchors, scene_rng(seed, index, "twists")) if kind == UNTRUE else None
    if kind == UNTRUE and twist is None:
        rest = {k: w for k, w in staging.kinds.items() if k != UNTRUE and w > 0}
        kind = _kind(index, seed, rest or {"action": 1.0})
    if staging.stage == "alone" and twist is None:
        twist = fewer_legs(asset, index, seed, scene_rng(seed, index, "legs"))
    bounds, moments = _times(index, seed, asset, kind, staging)
    acts = planned_acts(index, seed, asset, kind, twist, [0, *bounds, staging.frames], staging)
    actor = _actor(scene_rng(seed, index, "turn"), asset, anchors, twist, acts, staging)
    growths: tuple[GrowthPlan, ...] = ()
    if staging.stage == "alone":
        attached = twist.attached if twist else ("", "")
        growths = growths_of(asset, anchors, index, seed, scene_rng(seed, index, "growth"), attached)
        growths = tuple(p for p in growths if p.comes or twist is None)
    plain = twist is None or not twist.edits or twist.kind == MISSING
    if staging.stage == "alone" and plain and (not growths or (index % 2 and not growths[0].comes)):
        actor = in_paint(actor, asset, scene_rng(seed, index, "paint"))
    return SceneDraft(seed, index, kind, asset, staging, anchors, twist, acts, tuple(moments), actor, growths)


def _whose(index: int, seed: str, library: AnimatedLibrary) -> AnimatedAsset:
    """Return whose story it is: each actor once a round, in another order every round."""
    count = len(library.assets)
    order = rng(seed, "stories", "actors", index // count).permutation(count)
    return library.assets[int(order[index % count])]


def kinds_for(asset: AnimatedAsset, library: AnimatedLibrary, kinds: Mapping[str, float]) -> dict[str, float]:
    """Return how much of each kind is wanted of an asset: in a large library few can be without some legs."""
    often = min(max(len(library.assets) / RARE, 1.0), MOST_OFTEN) if many_legged(asset) else 1.0
    return {k: w * often if k == UNTRUE else w for k, w in kinds.items()}


def _kind(index: int, seed: str, kinds: Mapping[str, float]) -> str:
    names = [k for k, weight in kinds.items() if weight > 0]
    shares = np.cumsum([kinds[k] for k in names])
    at = float(scene_rng(seed, index, "kind").random()) * float(shares[-1])
    return names[min(int(np.searchsorted(shares, at, side="right")), len(names) - 1)]


def _times(
    index: int, seed: str, asset: AnimatedAsset, kind: str, staging: Staging
) -> tuple[list[int], list[int]]:
    """Return the even frames at which acts begin, the first aside, and those at which objects change.

    Acts are `act_gap` long at least; changes, and the end of the film, are `change_gap` apart, the first one
    half of that from the beginning, and changes are `change_apart` from where an act begins.
    """
    g, design = scene_rng(seed, index, "times"), design_of(kind, staging)
    acts = 1 + int(g.choice(3, p=np.array(design.acts) / sum(design.acts)))
    acts = min(acts, len({doing(c) for c in shown_clips(asset)}), staging.frames // staging.act_gap)
    begins = _spaced(g, max(acts, 1) - 1, staging.act_gap, staging.frames, staging.act_gap)
    changes = int(g.integers(design.changes[0], design.changes[1] + 1))
    for count in range(changes, 0, -1):
        for _ in range(ARRANGEMENTS):
            found = _spaced(g, count, staging.change_gap, staging.frames, staging.change_gap // 2)
            if len(found) == count and all(abs(f - b) >= staging.change_apart for f in found for b in begins):
                return begins, found
    return begins, []


def _spaced(g: np.random.Generator, count: int, gap: int, frames: int, first: int) -> list[int]:
    """Return so many even frames, at least `gap` apart and from the end; none where they do not fit.

    The first is not before the frame `first`.
    """
    gap, first = gap + gap % 2, first + first % 2
    slack = (frames - count * gap - first) // 2
    if slack < 0:
        return []
    steps = np.sort(g.integers(0, slack + 1, count))
    return [int(first + k * gap + 2 * s) for k, s in enumerate(steps)]


def _actor(
    g: np.random.Generator,
    asset: AnimatedAsset,
    anchors: Sequence[Anchor],
    twist: Twist | None,
    acts: tuple[PlannedAction, ...],
    staging: Staging,
) -> SceneObject:
    height = HOVER * unit_m(asset) if hovers(asset) else 0.0
    if twist is not None and twist.attached[1] == BELLY:
        height = _on_wheels(asset, anchors)
    edits = twist.edits if twist else ()
    colors, main, unnamed = _colors(asset, edits), main_part(asset), unnamed_colors(asset)
    turn = float(g.uniform(math.radians(60), math.radians(110)))
    length, width, tall = (round(v, 6) for v in asset.extents_m)
    return SceneObject(
        id=ACTOR,
        category=asset.category,
        subtype=asset.noun,
        size_m=(length, width, tall),
        poses=poses_of(acts, asset, staging.frames, staging.fps, round(height, 6), turn),
        asset=AssetRef(name=asset.name, sha256=asset.sha256, edits=edits),
        attributes={"name": asset.noun, "color": whole_color(asset, unnamed | colors), "main": main},
        parts={
            **{name: {"color": color, "word": name} for name, color in colors.items()},
            **{name: {"color": color} for name, color in unnamed.items()},
        },
        animations=tuple(animation_of(a, staging.fps, a is acts[-1]) for a in acts),
    )


def _colors(asset: AnimatedAsset, edits: Sequence[str]) -> dict[str, str]:
    """Return the colour of each named part after the edits."""
    colors = part_colors(asset)
    for edit in edits:
        what, _, value = edit.partition(":")
        one, _, other = value.partition("=")
        if what == "color":
            colors[one] = other
        elif what == "exchange":
            colors[one], colors[other] = colors[other], colors[one]
    return colors


def _on_wheels(asset: AnimatedAsset, anchors: Sequence[Anchor]) -> float:
    """Return how high an actor is whose wheels stand on the ground."""
    anchor = next(a for a in anchors if a.place == BELLY)
    size = scale_of(PROPS["wheels"], anchor, asset)
    low = min(float(p.vertices[:, 2].min()) for p in prop_model("wheels").parts)
    return -float(anchor.at_m[2]) - low * size


def _furnished(draft: SceneDraft) -> tuple[tuple[SceneObject, ...], Points, list[Points]]:
    """Return the objects of a story, where its points are at some time of the film, (n, 3) world, and where
    those of the actor and of what it wears are at each of some times.
    """
    alone = AnimatedLibrary("", (draft.asset,))
    models = [model_at(draft.actor, alone, t) for t in times_of(draft.staging)]
    there = [m for m in models if m is not None]
    actor = draft.actor if hovers(draft.asset) else _grounded(draft.actor, there)
    worn = _worn_and_grown(draft, actor, there)
    moments = _moments(draft, actor, there, worn)
    swept = _swept(draft, moments)
    low = float(swept[:, 2].min())
    wheeled = draft.twist is not None and draft.twist.attached[1] == BELLY
    aloft = hovers(draft.asset) and not wheeled
    if aloft:
        up = LOWEST * draft.unit - low
        actor, worn, swept = (
            _raised(actor, up),
            tuple(_raised(t, up) for t in worn),
            swept + np.array([0.0, 0.0, up]),
        )
        moments = [m + np.array([0.0, 0.0, up]) for m in moments]
    wanted = wishes(draft)
    for attempt in range(TRIES):
        props = placed(draft, wanted, FreeSpace(swept, draft.staging.gap * draft.unit, not aloft), attempt)
        if props is not None:
            stand = [surface_points(_as_is(t), pose_at(t.poses, 0)) for t in props]
            objects = with_events(draft, (actor, *worn, *props))
            if any(p.comes for p in draft.growths):
                objects = come_and_gone(objects, draft.acts, draft.staging, draft.rng("growth", "events"))
            return objects, np.concatenate([swept, *stand]), moments
    raise UnfitError(
        f"story {draft.index}: {len(wanted)} props could not be placed about {draft.asset.name} in {TRIES} "
        "arrangements; use a smaller `gap`, or leave the actor out"
    )


def _worn_and_grown(
    draft: SceneDraft, actor: SceneObject, models: Sequence[Model]
) -> tuple[SceneObject, ...]:
    """Return what the actor wears, as far as it is seen, with the first of what may grow that is seen."""
    poses = [pose_at(actor.poses, f) for f in range(draft.staging.frames)]
    kept: tuple[SceneObject, ...] = ()
    for plan in (*draft.growths, None):
        grown = grown_on(draft, plan, models, poses) if plan else ()
        if plan and not grown:
            continue
        worn = (*worn_objects(draft, models, poses, bool(grown)), *grown)
        moments, comes = _moments(draft, actor, models, worn), plan is not None and plan.comes
        plain = (moments, PLAIN_SHARE) if comes else ((), 0.0)
        seen = worn_in_sight(actor, worn, models, _swept(draft, moments), draft.staging, *plain)
        kept = kept_in_sight(draft, worn, seen)
        if not grown or any(is_grown(t) for t in kept):
            break
    return kept


def _raised(obj: SceneObject, up_m: float) -> SceneObject:
    """Return the object higher at all times."""
    poses = tuple(
        rounded(np.add(p.position_m, (0.0, 0.0, up_m)), p.rotation_wxyz, p.valid) for p in obj.poses
    )
    return msgspec.structs.replace(obj, poses=poses)


def _as_is(obj: SceneObject) -> Model:
    model = model_at(obj, AnimatedLibrary("", ()), 0.0)
    assert model is not None, "props have no events yet"
    return model


def _grounded(actor: SceneObject, models: Sequence[Model]) -> SceneObject:
    """Return the actor higher by as much as its clips would sink it into the ground."""
    lows = [min(float(p.vertices[:, 2].min()) for p in m.parts) for m in models]
    if min(lows) > -DEEPEST * max(actor.size_m):
        return actor
    poses = []
    for frame, low in enumerate(lows):
        p = pose_at(actor.poses, frame)
        poses.append(rounded(np.add(p.position_m, (0.0, 0.0, max(-low, 0.0))), p.rotation_wxyz, p.valid))
    return msgspec.structs.replace(actor, poses=tuple(poses))


def _moments(
    draft: SceneDraft, actor: SceneObject, models: Sequence[Model], worn: Sequence[SceneObject]
) -> list[Points]:
    """Return points on the surface of the actor and of what it wears, at every frame."""
    out = []
    for frame in range(draft.staging.frames):
        pieces = [(models[frame], pose_at(actor.poses, frame))]
        pieces += [(_as_is(t), pose_at(t.poses, frame)) for t in worn]
        out.append(np.concatenate([thinned(surface_points(m, p), draft.unit / CELLS) for m, p in pieces]))
    return out


def _swept(draft: SceneDraft, moments: Sequence[Points]) -> Points:
    """Return the points of all moments together."""
    return thinned(np.concatenate(moments), draft.unit / CELLS)
