"""What is in a story besides its actor: props that stand about, what is worn, and what becomes of them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from fathom.build.assets.model import Model, Points
from fathom.build.assets.props.shelf import (
    BACK,
    BELLY,
    GROUND,
    HAND,
    HEAD,
    PROPS,
    Prop,
    props_for,
)
from fathom.build.worlds.acts import ends
from fathom.build.worlds.clearing import Clearing
from fathom.build.worlds.designs import Draft
from fathom.build.worlds.dressing import Anchor, following, rounded, scale_of
from fathom.build.worlds.players import hovers, upright
from fathom.build.worlds.proportions import fits_on, height_of, room_of, size_of, slimmed
from fathom.build.worlds.screening import (
    LEAST_HEIGHT,
    Bay,
    bay,
    kind_of_screen,
    open_enough,
    openings,
    screened,
)
from fathom.build.worlds.staging import prop_ref
from fathom.geometry.poses import to_world, yaw_quaternion
from fathom.records import Pose, Thing

CARDINAL = 0.7
"""How likely a prop stands straight ahead, behind, to the left or to the right, give or take some degrees."""

SPREAD_RAD = math.radians(11)
SMALLER = 0.8
"""How large props that stand on the ground are, against what the shelf says."""

LOW = 0.55
"""Beside actors lower than this share of their unit, props are smaller."""

FACING_RAD = math.radians(35)
"""How far what stands in a screen is turned from the opening at most."""

SINK = 0.06
"""How deep what is worn or grows sits in the surface, as a share of its own size."""


OFF_SHARE = 0.04
"""How much further from the actor's corners what it wears may come, as a share of its longest side."""

STACKING = 4
"""Among fewer props none stands on another: those two could not stand in screens."""


@dataclass(frozen=True)
class Wish:
    """A prop that is to be in a story: what and which colour, and what it stands on (-1: ground)."""

    name: str
    color: str
    on: int = -1


def wishes(draft: Draft) -> tuple[Wish, ...]:
    """Return the props that stand about in a story; what stands on another comes right after it."""
    d = draft.design
    count = int(draft.rng("props", "count").integers(d.props[0], d.props[1] + 1))
    pairs = _grouped(draft, count) if d.groups else _different(draft, count)
    out = [Wish(n, c) for n, c in pairs]
    if len(out) >= STACKING and float(draft.rng("stack").random()) < d.stacked:
        g = draft.rng("stack", "which")
        stacks = _stacks(out, d.groups)
        if stacks:
            carrier, tops = stacks[int(g.integers(len(stacks)))]
            out[0] = Wish(carrier.name, out[0].color)
            out[1] = Wish(tops[int(g.integers(len(tops)))].name, out[1].color, on=0)
    return tuple(out)


def _stacks(wanted: Sequence[Wish], groups: bool) -> list[tuple[Prop, list[Prop]]]:
    """Return what could carry something instead of the first prop, and what could stand on it."""
    out = []
    for carrier in props_for(GROUND):
        if not carrier.carries or carrier.name in {w.name for w in wanted[1:]}:
            continue
        taken = {carrier.name} | (set() if groups else {w.name for w in wanted})
        tops = [p for p in props_for(GROUND) if p.name not in taken and fits_on(p, carrier)]
        if groups and fits_on(PROPS[wanted[1].name], carrier):
            tops = [PROPS[wanted[1].name]]
        if tops:
            out.append((carrier, tops))
    return out


def _grouped(draft: Draft, count: int) -> list[tuple[str, str]]:
    """Return a group of one kind and colour, mostly the same kind in another colour and the same colour on
    another kind, and others: what is counted is told by both.
    """
    g, colors = draft.rng("props", "groups"), draft.staging.colors
    kinds = [p.name for p in props_for(GROUND)]
    first = kinds[int(g.integers(len(kinds)))]
    size = int(g.integers(2, max(min(count - 2, 4), 2) + 1))
    shade = [colors[int(k)] for k in g.permutation(len(colors))]
    out = [(first, shade[0])] * size
    others = [kinds[int(k)] for k in g.permutation(len(kinds)) if kinds[int(k)] != first]
    if g.random() < 0.7:
        out.append((first, shade[1]))
    if len(out) < count and g.random() < 0.7:
        out.append((others[0], shade[0]))
    for name in others[1:]:
        if len(out) >= count:
            break
        part = int(g.integers(1, count - len(out) + 1))
        out += [(name, colors[int(g.integers(len(colors)))])] * part
    return [out[int(i)] for i in g.permutation(len(out))]


def _different(draft: Draft, count: int) -> list[tuple[str, str]]:
    g, colors = draft.rng("props", "kinds"), draft.staging.colors
    kinds = [p.name for p in props_for(GROUND)]
    chosen = [kinds[int(k)] for k in g.permutation(len(kinds))[:count]]
    shades = draft.rng("props", "colors").integers(len(colors), size=count)
    return [(n, colors[int(k)]) for n, k in zip(chosen, shades, strict=True)]


def worn_things(draft: Draft, models: Sequence[Model], poses: Sequence[Pose]) -> tuple[Thing, ...]:
    """Return what the actor wears, holds and carries: one pose a frame, moving with a limb."""
    chosen: list[tuple[Prop, Anchor]] = []
    if draft.twist and draft.twist.attached[0]:
        name, place = draft.twist.attached
        chosen.append((PROPS[name], next(a for a in draft.anchors if a.place == place)))
    g = draft.rng("worn")
    order = [draft.anchors[int(k)] for k in g.permutation(len(draft.anchors))]
    for anchor in order:
        likely = draft.design.worn if not chosen else 0.4 * draft.design.worn
        fitting = [p for p in props_for(anchor.place) if _suits(p, anchor, draft)]
        fitting = [p for p in fitting if p.name not in {c.name for c, _ in chosen}]
        taken = {(a.place, a.side) for _, a in chosen}
        if fitting and len(chosen) < 2 and (anchor.place, anchor.side) not in taken and g.random() < likely:
            chosen.append((fitting[int(g.integers(len(fitting)))], anchor))
    # In the colour of what it lies on it would not be made out.
    colors = [c for c in draft.staging.colors if c != draft.actor.attributes["color"]]
    drawn = draft.rng("worn", "colors").integers(len(colors), size=len(chosen))
    worn = tuple(
        _worn(k, prop, anchor, colors[int(c)], draft, models, poses)
        for k, ((prop, anchor), c) in enumerate(zip(chosen, drawn, strict=True))
    )
    fixed = 1 if draft.twist and draft.twist.attached[0] else 0
    return worn[:fixed] + tuple(t for t in worn[fixed:] if _stays(t, draft, models, poses))


def _stays(thing: Thing, draft: Draft, models: Sequence[Model], poses: Sequence[Pose]) -> bool:
    """Return whether what is worn stays where it was put: a body that bends would leave it in the air."""
    away = []
    for frame in range(0, len(models), 6):
        points = to_world(poses[frame], np.concatenate([p.vertices for p in models[frame].parts]))
        away.append(float(np.linalg.norm(points - thing.poses[frame].position_m, axis=1).min()))
    return max(away) - min(away) <= OFF_SHARE * max(draft.player.extents_m)


def _suits(prop: Prop, anchor: Anchor, draft: Draft) -> bool:
    """Return whether nobody would wonder at a prop at that place."""
    if anchor.place == BELLY or GROUND in prop.places or prop.name == "wings":
        return False
    if anchor.place == BACK and any(ends(a.clip) for a in draft.acts):
        return False
    if anchor.place == BACK:
        return (prop.name == "backpack") == upright(draft.player)
    return anchor.place in (HEAD, HAND)


def _worn(
    k: int,
    prop: Prop,
    anchor: Anchor,
    color: str,
    draft: Draft,
    models: Sequence[Model],
    poses: Sequence[Pose],
) -> Thing:
    size = scale_of(prop, anchor, draft.player)
    sink = SINK * size if anchor.place in (HEAD, BACK) and prop.name not in ("backpack", "wings") else 0.0
    where = {"held_in": f"{anchor.side} hand"} if anchor.place == HAND else {"worn_on": anchor.place}
    return Thing(
        id=f"worn{k}",
        category="prop",
        subtype=prop.name,
        size_m=size_of(prop, size),
        poses=following(anchor, models, poses, sink),
        asset=prop_ref(prop.name),
        attributes={"name": prop.name, "color": color, **where},
    )


def placed(
    draft: Draft, wanted: Sequence[Wish], clearing: Clearing, attempt: int
) -> tuple[Thing, ...] | None:
    """Return the props where they stand, then the screens; None where one finds no place near enough."""
    g = draft.rng("places", attempt)
    unit = prop_unit(draft)
    sizes = [PROPS[w.name].size * unit for w in wanted]
    bearings = _bearings(g, len(wanted))
    bays = _bays(g, draft, wanted, unit, bearings)
    sizes = [
        s * slimmed(w.name) if k in bays else s for k, (s, w) in enumerate(zip(sizes, wanted, strict=True))
    ]
    things: list[Thing] = []
    screens: list[Thing] = []
    for k, wish in enumerate(wanted):
        turn = float(g.uniform(0, 2 * math.pi))
        extra = {}
        if wish.on >= 0:
            under = things[wish.on]
            x, y, _ = under.poses[0].position_m
            z = under.size_m[2]
            extra = {"stands_on": under.id}
        else:
            radius, height = (
                (bays[k].radius_m, bays[k].height_m) if k in bays else _room_for(wanted, sizes, k, unit)
            )
            spot = _spot(g, clearing, bearings[k], radius, height, draft.unit)
            if spot is None:
                return None
            (x, y), z = spot, 0.0
            clearing.put(x, y, radius, height)
            if k in bays:
                bay_here = bays[k].outwards(math.atan2(y, x))
                # Seen through the opening it shows what it is.
                turn = bay_here.opening_rad + float(g.uniform(-FACING_RAD, FACING_RAD))
                screens.append(bay_here.thing(len(screens), x, y))
                extra = {"stands_in": screens[-1].id}
        things.append(_standing(k, wish, sizes[k], np.array([x, y, z]), turn, extra))
    return (*things, *screens) if open_enough(screens, draft.staging.elevation_deg) else None


def _standing(
    k: int, wish: Wish, longest_m: float, at: Points, turn_rad: float, extra: dict[str, str]
) -> Thing:
    return Thing(
        id=f"prop{k}",
        category="prop",
        subtype=wish.name,
        size_m=size_of(PROPS[wish.name], longest_m),
        poses=(rounded(at, yaw_quaternion(turn_rad)),),
        asset=prop_ref(wish.name),
        attributes={"name": wish.name, "color": wish.color, **extra},
    )


def _room_for(wanted: Sequence[Wish], sizes: Sequence[float], k: int, unit: float) -> tuple[float, float]:
    """Return the radius and the height in metres of a prop on the ground with what stands on it."""
    height = height_of(wanted[k].name) * sizes[k]
    if k + 1 < len(wanted) and wanted[k + 1].on == k:
        height += height_of(wanted[k + 1].name) * sizes[k + 1]
    return room_of(wanted[k].name) * unit, height


def _bays(
    g: np.random.Generator,
    draft: Draft,
    wanted: Sequence[Wish],
    unit: float,
    bearings: list[float],
) -> dict[int, Bay]:
    """Return the screens about some of the props, which come first in the choice of a side."""
    stacked = {i for k, w in enumerate(wanted) if w.on >= 0 for i in (k, w.on)}
    chosen = screened(draft, [k for k in range(len(wanted)) if k not in stacked])
    rest = [k for k in range(len(wanted)) if k not in chosen]
    for k, bearing in zip((*chosen, *rest), list(bearings), strict=True):
        bearings[k] = bearing
    kind = kind_of_screen(draft)
    out = {}
    for k, opening in zip(chosen, openings(g, [bearings[k] for k in chosen]), strict=True):
        name = wanted[k].name
        slim = slimmed(name)
        high = max(height_of(name) * PROPS[name].size * slim, LEAST_HEIGHT)
        out[k] = bay(kind, opening, room_of(name) * slim * unit, high * unit, draft.staging.elevation_deg)
    return out


def prop_unit(draft: Draft) -> float:
    """Return the length in metres that props on the ground are sized by: less beside an actor that is low."""
    low = 1.0 if hovers(draft.player) else draft.player.extents_m[2] / (LOW * draft.unit)
    return SMALLER * draft.unit * min(max(low, 0.7), 1.0)


def _bearings(g: np.random.Generator, count: int) -> list[float]:
    """Return a direction for each prop: mostly one of the four sides of the actor, each side as often."""
    sides = [float(s) * math.pi / 2 for _ in range(count // 4 + 1) for s in g.permutation(4)][:count]
    return [
        s + float(g.normal(0, SPREAD_RAD)) if g.random() < CARDINAL else float(g.uniform(0, 2 * math.pi))
        for s in sides
    ]


def _spot(
    g: np.random.Generator, clearing: Clearing, bearing: float, radius: float, height: float, unit: float
) -> tuple[float, float] | None:
    """Return a free place along a bearing, or one nearby where that is too far away."""
    best: tuple[float, float] | None = None
    for turn in (0.0, 0.35, -0.35, 0.7, -0.7):
        found = clearing.nearest(bearing + turn, radius, height, 2.4 * unit)
        if found is not None and (best is None or found < best[0] - 0.25 * unit):
            best = (found, bearing + turn)
    if best is None:
        return None
    further = best[0] + float(g.uniform(0.0, 0.06)) * unit
    for d in (further, best[0]):
        x, y = d * math.cos(best[1]), d * math.sin(best[1])
        if clearing.free(x, y, radius, height):
            return x, y
    return None
