"""What is in a story besides its actor: props that stand about, what is worn, and what becomes of them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import msgspec
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
    prop_model,
    props_for,
)
from fathom.build.worlds.acts import ends
from fathom.build.worlds.clearing import Clearing
from fathom.build.worlds.designs import Draft
from fathom.build.worlds.dressing import Anchor, following, rounded, scale_of
from fathom.build.worlds.players import upright
from fathom.build.worlds.staging import prop_ref
from fathom.geometry.poses import yaw_quaternion
from fathom.records import Event, Pose, Thing

CARDINAL = 0.7
"""How likely a prop stands straight ahead, behind, to the left or to the right, give or take some degrees."""

SPREAD_RAD = math.radians(11)
SINK = 0.06
"""How deep what is worn or grows sits in the surface, as a share of its own size."""


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
    if len(out) >= 2 and float(draft.rng("stack").random()) < d.stacked:
        g = draft.rng("stack", "which")
        carriers = [p for p in props_for(GROUND) if p.carries and p.name not in {w.name for w in out[1:]}]
        if carriers:
            carrier = carriers[int(g.integers(len(carriers)))]
            taken = {w.name for w in out} | {carrier.name} if not d.groups else {carrier.name}
            tops = [p for p in props_for(GROUND) if p.name not in taken and _fits_on(p, carrier)]
            if d.groups and _fits_on(PROPS[out[1].name], carrier):
                tops = [PROPS[out[1].name]]
            top = tops[int(g.integers(len(tops)))]
            out[0] = Wish(carrier.name, out[0].color)
            out[1] = Wish(top.name, out[1].color, on=0)
    return tuple(out)


def _grouped(draft: Draft, count: int) -> list[tuple[str, str]]:
    """Return groups of one kind and colour: one large, the others smaller, one perhaps of another colour."""
    g, colors = draft.rng("props", "groups"), draft.staging.colors
    kinds = [p.name for p in props_for(GROUND)]
    first = kinds[int(g.integers(len(kinds)))]
    size = int(g.integers(2, min(count - 1, 5) + 1))
    shade = [colors[int(k)] for k in g.permutation(len(colors))]
    out = [(first, shade[0])] * size
    others = [kinds[int(k)] for k in g.permutation(len(kinds)) if kinds[int(k)] != first]
    same_kind = bool(g.random() < 0.5)
    k = 0
    while len(out) < count:
        part = int(g.integers(1, count - len(out) + 1))
        name = first if same_kind and k == 0 else others[k]
        color = shade[1] if name == first else colors[int(g.integers(len(colors)))]
        out += [(name, color)] * part
        k += 1
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
    return tuple(
        _worn(k, prop, anchor, colors[int(c)], draft, models, poses)
        for k, ((prop, anchor), c) in enumerate(zip(chosen, drawn, strict=True))
    )


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
        size_m=_size(prop, size),
        poses=following(anchor, models, poses, sink),
        asset=prop_ref(prop.name),
        attributes={"name": prop.name, "color": color, **where},
    )


def placed(
    draft: Draft, wanted: Sequence[Wish], clearing: Clearing, attempt: int
) -> tuple[Thing, ...] | None:
    """Return the props where they stand; None where one finds no place near enough."""
    g = draft.rng("places", attempt)
    sizes = [PROPS[w.name].size * draft.unit for w in wanted]
    bearings = _bearings(g, len(wanted))
    things: list[Thing] = []
    for k, (wish, size) in enumerate(zip(wanted, sizes, strict=True)):
        turn = yaw_quaternion(float(g.uniform(0, 2 * math.pi)))
        extra = {}
        if wish.on >= 0:
            under = things[wish.on]
            x, y, _ = under.poses[0].position_m
            z = under.size_m[2]
            extra = {"stands_on": under.id}
        else:
            radius, height = _radius(wish.name) * size, _height(wish.name) * size
            radius = max(radius, 0.16 * draft.unit)
            if k + 1 < len(wanted) and wanted[k + 1].on == k:
                height += _height(wanted[k + 1].name) * sizes[k + 1]
            spot = _spot(g, clearing, bearings[k], radius, height, draft.unit)
            if spot is None:
                return None
            (x, y), z = spot, 0.0
            clearing.put(x, y, radius, height)
        things.append(
            Thing(
                id=f"prop{k}",
                category="prop",
                subtype=wish.name,
                size_m=_size(PROPS[wish.name], size),
                poses=(rounded(np.array([x, y, z]), turn),),
                asset=prop_ref(wish.name),
                attributes={"name": wish.name, "color": wish.color, **extra},
            )
        )
    return tuple(things)


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
    further = best[0] + float(g.uniform(0.0, 0.12)) * unit
    for d in (further, best[0]):
        x, y = d * math.cos(best[1]), d * math.sin(best[1])
        if clearing.free(x, y, radius, height):
            return x, y
    return None


def with_events(draft: Draft, things: Sequence[Thing]) -> tuple[Thing, ...]:
    """Return the things with what becomes of them at the story's moments; the first is the actor.

    Nothing that carries another, or stands on it, comes or goes: it would hang in the air.
    """
    g = draft.rng("events")
    out = list(things)
    carrying = {t.attributes["stands_on"] for t in things if "stands_on" in t.attributes}
    free = [k for k, t in enumerate(things) if k and t.attributes.get("worn_on") not in (BELLY,)]
    if draft.twist and draft.twist.attached[0]:
        free = [k for k in free if things[k].id != "worn0"]
    order = [free[int(k)] for k in g.permutation(len(free))]
    repaint_actor = bool(things[0].attributes["main"]) and g.random() < draft.design.actor_changes
    for n, frame in enumerate(draft.moments):
        if n == 0 and repaint_actor:
            out[0] = _recoloured(g, out[0], frame, draft)
            continue
        together = 2 if draft.design.groups and g.random() < 0.4 else 1
        for _ in range(min(together, len(order))):
            k = order.pop()
            stuck = things[k].id in carrying or "stands_on" in things[k].attributes
            out[k] = _changed(g, out[k], frame, draft, stuck, {t.attributes["name"] for t in out})
    return tuple(out)


def _changed(
    g: np.random.Generator, thing: Thing, frame: int, draft: Draft, stuck: bool, names: set[str]
) -> Thing:
    kinds = ["recolours"] if stuck else ["appears", "vanishes", "swaps", "recolours"]
    if draft.design.groups and not stuck:
        kinds = ["appears", "vanishes"]
    what = kinds[int(g.integers(len(kinds)))]
    if what == "recolours":
        return _recoloured(g, thing, frame, draft)
    detail = ""
    if what == "swaps":
        others = [p.name for p in _stand_ins(thing) if p.name not in names]
        if not others:
            return _recoloured(g, thing, frame, draft)
        detail = others[int(g.integers(len(others)))]
    return _with_event(
        thing, Event(what=what, start_s=_at(draft, frame), end_s=_at(draft, frame), detail=detail)
    )


def _recoloured(g: np.random.Generator, thing: Thing, frame: int, draft: Draft) -> Thing:
    """Return the thing in another colour from a frame on; of the actor it is the main part that changes."""
    taken = {thing.attributes["color"]}
    if "worn_on" in thing.attributes or "held_in" in thing.attributes:
        taken.add(draft.actor.attributes["color"])
    colors = [c for c in draft.staging.colors if c not in taken]
    color, at = colors[int(g.integers(len(colors)))], _at(draft, frame)
    main = thing.attributes.get("main", "")
    detail = f"{main}={color}" if main else color
    return _with_event(thing, Event(what="recolours", start_s=at, end_s=at, detail=detail))


def _stand_ins(thing: Thing) -> tuple[Prop, ...]:
    """Return what a thing can turn into where it is: of the ground, not wider than the room that it takes."""
    where, a = GROUND, thing.attributes
    if "held_in" in a:
        where = HAND
    elif "worn_on" in a:
        where = a["worn_on"]
    own = PROPS[a["name"]]
    room = max(_radius(own.name) * own.size, 0.16)
    return tuple(
        p
        for p in props_for(where)
        if p.name != own.name and (where != GROUND or _radius(p.name) * p.size <= room)
        if where != BACK or (GROUND not in p.places and p.name not in ("wings", "backpack"))
    )


def _with_event(thing: Thing, event: Event) -> Thing:
    return msgspec.structs.replace(thing, events=(*thing.events, event))


def _at(draft: Draft, frame: int) -> float:
    return round(frame / draft.staging.fps, 9)


def _fits_on(top: Prop, carrier: Prop) -> bool:
    return not top.carries and _radius(top.name) * top.size <= 1.05 * carrier.carries * carrier.size


def _points(name: str) -> Points:
    return np.concatenate([p.vertices for p in prop_model(name).parts])


def _radius(name: str) -> float:
    """Return the radius of a prop about its origin, as a share of its longest extent."""
    return float(np.hypot(*_points(name)[:, :2].T).max())


def _height(name: str) -> float:
    return float(_points(name)[:, 2].max())


def _size(prop: Prop, longest_m: float) -> tuple[float, float, float]:
    x, y, z = prop_model(prop.name).extents
    return (round(x * longest_m, 6), round(y * longest_m, 6), round(z * longest_m, 6))
