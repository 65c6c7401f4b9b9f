"""What becomes of a story's objects at its moments: they appear, vanish, turn into others, change colour."""

from __future__ import annotations

import math
from collections.abc import Sequence

import msgspec
import numpy as np

from fathom.assets.props.catalogue import BACK, BELLY, GROUND, HAND, PROPS
from fathom.assets.spec import AssetSpec
from fathom.geometry.poses import heading_rad
from fathom.records import Event, SceneObject
from fathom.scenes.designs import SceneDraft
from fathom.scenes.proportions import cover_of, height_of, room_of
from fathom.scenes.props import others_for, taken_colors
from fathom.scenes.screening import LEAST_COVER, LEAST_HEIGHT, shown_through, slope_of

CHANGE_INSIDE = 0.9
"""How likely it is that what stands in a screen is taken first for what changes."""


def with_events(draft: SceneDraft, objects: Sequence[SceneObject]) -> tuple[SceneObject, ...]:
    """Return the objects with what becomes of them at the story's moments; the first is the actor.

    Nothing that carries another, or stands on it, comes or goes: it would hang in the air.
    """
    g = draft.rng("events")
    out = list(objects)
    carrying = {t.attributes["stands_on"] for t in objects if "stands_on" in t.attributes}
    free = [k for k, t in enumerate(objects) if k and t.category == "prop"]
    free = [k for k in free if objects[k].attributes.get("worn_on") != BELLY]
    if draft.twist and draft.twist.attached[0]:
        free = [k for k in free if objects[k].id != "worn0"]
    order = _order(g, objects, free)
    repaint_actor = bool(objects[0].attributes["main"]) and g.random() < draft.design.actor_changes
    for n, frame in enumerate(draft.moments):
        if n == 0 and repaint_actor:
            out[0] = _recoloured(g, out[0], frame, draft, looks_of(out))
            continue
        together = 2 if draft.design.groups and g.random() < 0.4 else 1
        for _ in range(min(together, len(order))):
            k = order.pop(0)
            stuck = objects[k].id in carrying or "stands_on" in objects[k].attributes
            out[k] = _changed(g, out[k], frame, draft, stuck, looks_of(out))
    return tuple(out)


def _order(g: np.random.Generator, objects: Sequence[SceneObject], free: Sequence[int]) -> list[int]:
    """Return which objects change, one after the other: mostly what stands in screens first, and no two after
    one another in screens that are seen into from the same side, where that can be.
    """
    left = [free[int(k)] for k in g.permutation(len(free))]
    left.sort(key=lambda k: "stands_in" not in objects[k].attributes or g.random() >= CHANGE_INSIDE)
    by_id = {t.id: t for t in objects}

    def side(k: int) -> int:
        screen = objects[k].attributes.get("stands_in")
        return shown_through(heading_rad(by_id[screen].poses[0])) if screen else -1

    out: list[int] = []
    while left:
        other = [k for k in left if not out or side(k) == -1 or side(k) != side(out[-1])]
        out.append((other or left)[0])
        left.remove(out[-1])
    return out


def looks_of(objects: Sequence[SceneObject]) -> set[tuple[str, str]]:
    """Return the name and colour of every object at any time."""
    out = set()
    for obj in objects:
        name, color = obj.attributes["name"], obj.attributes.get("color", "")
        out.add((name, color))
        for e in sorted(obj.events, key=lambda e: e.start_s):
            name = e.detail if e.what == "swaps" else name
            color = e.detail.rpartition("=")[2] if e.what == "recolours" else color
            out.add((name, color))
    return out


def _changed(
    g: np.random.Generator,
    obj: SceneObject,
    frame: int,
    draft: SceneDraft,
    stuck: bool,
    looks: set[tuple[str, str]],
) -> SceneObject:
    """Return the object with what becomes of it: never what another is, looks like or was at any time."""
    kinds = ["recolours"] if stuck else ["appears", "vanishes", "swaps", "recolours"]
    if draft.design.groups and not stuck:
        kinds = ["appears", "vanishes"]
    what = kinds[int(g.integers(len(kinds)))]
    if what == "recolours":
        return _recoloured(g, obj, frame, draft, looks)
    detail = ""
    if what == "swaps":
        names = {name for name, _ in looks}
        others = [p.name for p in _stand_ins(obj, draft) if p.name not in names]
        if not others:
            return _recoloured(g, obj, frame, draft, looks)
        detail = others[int(g.integers(len(others)))]
    return _with_event(
        obj, Event(what=what, start_s=_at(draft, frame), end_s=_at(draft, frame), detail=detail)
    )


def _recoloured(
    g: np.random.Generator, obj: SceneObject, frame: int, draft: SceneDraft, looks: set[tuple[str, str]]
) -> SceneObject:
    """Return the object in another colour from a frame on; of the actor it is the main part that changes.

    Props do not take the actor's colour, nor the actor theirs.
    """
    main, name = obj.attributes.get("main", ""), obj.attributes["name"]
    taken = {c for n, c in looks if n == name}
    taken |= {c for _, c in looks} if main else taken_colors(draft.actor)
    left = [c for c in draft.staging.colors if c not in taken]
    colors = left or [c for c in draft.staging.colors if (name, c) not in looks]
    color, at = colors[int(g.integers(len(colors)))], _at(draft, frame)
    detail = f"{main}={color}" if main else color
    return _with_event(obj, Event(what="recolours", start_s=at, end_s=at, detail=detail))


def _stand_ins(obj: SceneObject, draft: SceneDraft) -> tuple[AssetSpec, ...]:
    """Return what an object can turn into where it is: of the ground, not wider than the room that it takes.

    What stands in a screen is hidden by it as well after it has changed.
    """
    where, a = GROUND, obj.attributes
    if "held_in" in a:
        where = HAND
    elif "worn_on" in a:
        where = a["worn_on"]
    own, slope = PROPS[a["name"]], slope_of(draft.staging.elevation_deg)
    most = (math.inf, math.inf)
    if "stands_in" in a:
        high = max(height_of(own.name) * own.relative_size, LEAST_HEIGHT)
        most = (high, max(cover_of(own.name, slope), LEAST_COVER))
    return tuple(
        p
        for p in others_for(where, draft.asset)
        if p.name != own.name
        if where != GROUND or (room_of(p.name) <= room_of(own.name) and _within(p, slope, most))
        if where != BACK or (GROUND not in p.places and p.name not in ("wings", "backpack"))
    )


def _within(prop: AssetSpec, slope: float, most: tuple[float, float]) -> bool:
    """Return whether a prop is no higher, and no harder to hide, than may be."""
    return height_of(prop.name) * prop.relative_size <= most[0] and cover_of(prop.name, slope) <= most[1]


def _with_event(obj: SceneObject, event: Event) -> SceneObject:
    return msgspec.structs.replace(obj, events=(*obj.events, event))


def _at(draft: SceneDraft, frame: int) -> float:
    return round(frame / draft.staging.fps, 9)
