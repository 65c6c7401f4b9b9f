"""What is in a story besides its actor: which props stand about, and what is worn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from fathom.assets.animated.library import AnimatedAsset
from fathom.assets.model import Model
from fathom.assets.props.catalogue import (
    BACK,
    BELLY,
    GROUND,
    HAND,
    HEAD,
    PROPS,
    props_for,
)
from fathom.assets.spec import AssetSpec
from fathom.geometry.poses import to_world
from fathom.programs.growths import BRIGHT, different
from fathom.records import Pose, SceneObject
from fathom.scenes.actions import ends
from fathom.scenes.animated_assets import upright
from fathom.scenes.attachment_visibility import SIDES, pierced
from fathom.scenes.attachments import Anchor, following, has_hands, scale_of
from fathom.scenes.designs import SceneDraft
from fathom.scenes.growth_room import crowded
from fathom.scenes.growths import GROWN, GrowthPlan, enough_around, grown_objects, words_of
from fathom.scenes.overall_colors import actor_colors
from fathom.scenes.paint import is_free
from fathom.scenes.proportions import fits_on, size_of
from fathom.scenes.scene_at_time import prop_ref

SINK = 0.06
"""How deep what is worn or grows sits in the surface, as a share of its own size."""


OFF_SHARE = 0.04
"""How much further from the actor's corners what it wears may come, as a share of its longest side."""

NEXT_WORN = 0.4
"""How many times as likely the second thing is that an actor wears among props."""

MOST_WORN = ((0, 1, 2, 2), (1, 3, 4, 4))
"""How many things at most an object alone wears or holds, as often one as another: without hands, with them.
What would hang in the air is left out."""

NEAR = {"orange": ("brown",), "tan": ("brown",), "black": ("gray",), "white": ("gray",)}
"""Colours of actors for which those of props could be taken."""

ALWAYS = {"wheels": "black"}
"""What has parts of a color of their own, as tires have, is of that one: else it would have two."""

GROWN_SIDES = 0.25
"""From which share of the sides each part that grows is seen at least: of some in a row one hides another."""

STACKING = 4
"""Among fewer props none stands on another: those two could not stand in screens."""


@dataclass(frozen=True)
class Wish:
    """A prop that is to be in a story: what and which colour, and what it stands on (-1: ground)."""

    name: str
    color: str
    on: int = -1


def wishes(draft: SceneDraft) -> tuple[Wish, ...]:
    """Return the props that stand about in a story; what stands on another comes right after it."""
    d = draft.design
    count = int(draft.rng("props", "count").integers(d.props[0], d.props[1] + 1))
    pairs = _grouped(draft, count) if d.groups else _different(draft, count)
    out = [Wish(n, c) for n, c in pairs]
    if len(out) >= STACKING and float(draft.rng("stack").random()) < d.stacked:
        g = draft.rng("stack", "which")
        stacks = _stacks(out, d.groups, draft.asset)
        if stacks:
            carrier, tops = stacks[int(g.integers(len(stacks)))]
            out[0] = Wish(carrier.name, out[0].color)
            out[1] = Wish(tops[int(g.integers(len(tops)))].name, out[1].color, on=0)
    return tuple(out)


def _stacks(
    wanted: Sequence[Wish], groups: bool, asset: AnimatedAsset
) -> list[tuple[AssetSpec, list[AssetSpec]]]:
    """Return what could carry something instead of the first prop, and what could stand on it."""
    out = []
    for carrier in others_for(GROUND, asset):
        if not carrier.carries or carrier.name in {w.name for w in wanted[1:]}:
            continue
        taken = {carrier.name, *(w.name for w in wanted)}
        tops = [p for p in others_for(GROUND, asset) if p.name not in taken and fits_on(p, carrier)]
        if groups and fits_on(PROPS[wanted[1].name], carrier):
            tops = [PROPS[wanted[1].name]]
        if tops:
            out.append((carrier, tops))
    return out


def _grouped(draft: SceneDraft, count: int) -> list[tuple[str, str]]:
    """Return several of one kind, several of one colour, and others: what is counted is told by either.

    No two are of the same kind and colour: one that comes could be taken for one that went.
    """
    g, colors = draft.rng("props", "groups"), _shades(draft)
    kinds = [p.name for p in others_for(GROUND, draft.asset)]
    kinds = [kinds[int(k)] for k in g.permutation(len(kinds))]
    shade = [colors[int(k)] for k in g.permutation(len(colors))]
    size = int(g.integers(2, max(min(count - 2, 4), 2) + 1))
    out = [(kinds[0], c) for c in shade[:size]]
    if len(out) < count:
        out.append((kinds[1], shade[0]))
    while len(out) < count:
        # A second group, or one more of the first one's colour.
        kind = kinds[1] if g.random() < 0.5 else kinds[2 + int(g.integers(3))]
        color = shade[0] if g.random() < 0.3 else shade[int(g.integers(len(shade)))]
        if (kind, color) not in out:
            out.append((kind, color))
    return [out[int(i)] for i in g.permutation(len(out))]


def others_for(place: str, asset: AnimatedAsset) -> tuple[AssetSpec, ...]:
    """Return the props for a place that are called neither as the actor is nor as a limb or a part of it:
    "the sword" of an android that has one is one object.
    """
    own = words_of(asset)
    return tuple(p for p in props_for(place) if not {p.name, *p.name.split(" ")[-1:]} & own)


def _shades(draft: SceneDraft) -> list[str]:
    """Return the colours that props have: none that the actor has mostly, or that is taken for that."""
    taken = taken_colors(draft.actor)
    return [c for c in draft.staging.colors if c not in taken] or list(draft.staging.colors)


def taken_colors(actor: SceneObject) -> frozenset[str]:
    """Return the colours that an actor is known by, and those of props that could be taken for them."""
    own = actor_colors(actor)
    return own.union(*(NEAR.get(c, ()) for c in own))


def _different(draft: SceneDraft, count: int) -> list[tuple[str, str]]:
    g, colors = draft.rng("props", "kinds"), _shades(draft)
    kinds = [p.name for p in others_for(GROUND, draft.asset)]
    chosen = [kinds[int(k)] for k in g.permutation(len(kinds))[:count]]
    shades = draft.rng("props", "colors").integers(len(colors), size=count)
    return [(n, colors[int(k)]) for n, k in zip(chosen, shades, strict=True)]


def worn_objects(
    draft: SceneDraft, models: Sequence[Model], poses: Sequence[Pose], hands_only: bool = False
) -> tuple[SceneObject, ...]:
    """Return what the actor wears, holds and carries: one pose a frame, moving with a limb.

    Beside what grows on a head or a back a hat gets lost: there only hands hold something.
    """
    chosen: list[tuple[AssetSpec, Anchor]] = []
    if draft.twist and draft.twist.attached[0]:
        name, place = draft.twist.attached
        chosen.append((PROPS[name], next(a for a in draft.anchors if a.place == place)))
    g = draft.rng("worn")
    order = [draft.anchors[int(k)] for k in g.permutation(len(draft.anchors))]
    if hands_only:
        order = [a for a in order if a.place == HAND]
    for anchor in order:
        likely = _how_likely(draft, len(chosen))
        fitting = [p for p in others_for(anchor.place, draft.asset) if _suits(p, anchor, draft)]
        fitting = [p for p in fitting if p.name not in {c.name for c, _ in chosen}]
        taken = {(a.place, a.side) for _, a in chosen}
        if fitting and (anchor.place, anchor.side) not in taken and g.random() < likely:
            chosen.append((fitting[int(g.integers(len(fitting)))], anchor))
    # In the colour of what it lies on it would not be made out.
    own = actor_colors(draft.actor)
    colors = [c for c in draft.staging.colors if c not in own] or list(draft.staging.colors)
    drawn = draft.rng("worn", "colors").integers(len(colors), size=len(chosen))
    worn = tuple(
        _worn(k, prop, anchor, colors[int(c)], draft, models, poses)
        for k, ((prop, anchor), c) in enumerate(zip(chosen, drawn, strict=True))
    )
    fixed = _attached(draft)
    return (
        *worn[:fixed],
        *(t for t in worn[fixed:] if _stays(t, draft, models, poses) and not pierced(t, models[0], poses[0])),
    )


def kept_in_sight(
    draft: SceneDraft, worn: Sequence[SceneObject], seen: Sequence[float]
) -> tuple[SceneObject, ...]:
    """Return what of the objects that an actor wears stays on it: what belongs to its edit, and what is seen
    from enough sides; of what grows in a row all or nothing, of what grows all around enough or nothing.
    """
    shown = [t for t, s in zip(worn, seen, strict=True) if is_grown(t) and s >= GROWN_SIDES]
    around = any(p.comes for p in draft.growths)
    enough = enough_around(shown) if around else len(shown) == sum(map(is_grown, worn))
    return tuple(
        t
        for k, (t, s) in enumerate(zip(worn, seen, strict=True))
        if k < _attached(draft) or (enough and t in shown if is_grown(t) else s >= SIDES)
    )


def is_grown(obj: SceneObject) -> bool:
    """Return whether an object is one of the parts that grow on an actor."""
    return obj.id.startswith(GROWN)


def _attached(draft: SceneDraft) -> int:
    """Return how many of the objects come first that belong to the actor's edit."""
    return 1 if draft.twist and draft.twist.attached[0] else 0


def grown_on(
    draft: SceneDraft, plan: GrowthPlan, models: Sequence[Model], poses: Sequence[Pose]
) -> tuple[SceneObject, ...]:
    """Return what grows on the actor, in colors that nothing of it has, and with room beside what an edit has
    attached to it; () where that does not stay put.
    """
    found = grown_objects(plan, _growing_colors(draft, plan), draft.asset, draft.anchors, models, poses)
    attached = worn_objects(draft, models, poses, hands_only=True)[: _attached(draft)]
    tight = {k - len(attached) for k in crowded((*attached, *found))} if attached else set()
    kept = tuple(t for k, t in enumerate(found) if k not in tight and _stays(t, draft, models, poses))
    if plan.comes:
        return kept if enough_around(kept) else ()
    return kept if len(kept) == plan.count else ()


def _growing_colors(draft: SceneDraft, plan: GrowthPlan) -> list[str]:
    """Return the colors of what grows: one, or all around several, none of which is taken for another one."""
    taken = taken_colors(draft.actor) | {p["color"] for p in draft.actor.parts.values()}
    colors = [c for c in draft.staging.colors if c not in taken]
    if not plan.comes:
        colors = [c for c in colors if is_free(draft.asset, c)] or colors
    order = [colors[int(k)] for k in draft.rng("growth", "color").permutation(len(colors))]
    if not plan.comes:
        return order[:1]
    found: list[str] = []
    for color in order:
        if color in BRIGHT and different(color, found):
            found.append(color)
    return found or order[:1]


def _how_likely(draft: SceneDraft, there: int) -> float:
    """Return how likely it is that one more thing is worn or held where it could be: among props a second one
    seldom is.
    """
    if draft.staging.stage != "alone":
        return (draft.design.worn, NEXT_WORN * draft.design.worn, 0.0)[min(there, 2)]
    return float(there < int(draft.rng("worn", "amount").choice(MOST_WORN[has_hands(draft.asset)])))


def _stays(obj: SceneObject, draft: SceneDraft, models: Sequence[Model], poses: Sequence[Pose]) -> bool:
    """Return whether what is worn stays where it was put: a body that bends would leave it in the air."""
    away = []
    for frame in range(0, len(models), 6):
        points = to_world(poses[frame], np.concatenate([p.vertices for p in models[frame].parts]))
        away.append(float(np.linalg.norm(points - obj.poses[frame].position_m, axis=1).min()))
    return max(away) - min(away) <= OFF_SHARE * max(draft.asset.extents_m)


def _suits(prop: AssetSpec, anchor: Anchor, draft: SceneDraft) -> bool:
    """Return whether nobody would wonder at a prop at that place."""
    if anchor.place == BELLY or GROUND in prop.places or prop.name == "wings":
        return False
    # Nobody knows which side of an object is its back, nor sees what is on the back of who lies on it.
    if anchor.place == BACK and (draft.asset.category == "object" or any(ends(a.clip) for a in draft.acts)):
        return False
    if anchor.place == BACK:
        # Who has no arms has no straps to put them through.
        person = upright(draft.asset) and has_hands(draft.asset)
        return person if prop.name == "backpack" else not upright(draft.asset)
    return anchor.place in (HEAD, HAND)


def _worn(
    k: int,
    prop: AssetSpec,
    anchor: Anchor,
    color: str,
    draft: SceneDraft,
    models: Sequence[Model],
    poses: Sequence[Pose],
) -> SceneObject:
    size, color = scale_of(prop, anchor, draft.asset), ALWAYS.get(prop.name, color)
    sink = SINK * size if anchor.place in (HEAD, BACK) and prop.name not in ("backpack", "wings") else 0.0
    where = {"held_in": f"{anchor.side} hand"} if anchor.place == HAND else {"worn_on": anchor.place}
    return SceneObject(
        id=f"worn{k}",
        category="prop",
        subtype=prop.name,
        size_m=size_of(prop, size),
        poses=following(anchor, models, poses, sink),
        asset=prop_ref(prop.name),
        attributes={"name": prop.name, "color": color, **where},
    )
