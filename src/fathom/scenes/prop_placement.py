"""Where the props of a story stand, and the screens about some of them: near the actor, not before it."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from fathom.assets.model import Points
from fathom.assets.props.catalogue import PROPS
from fathom.assets.props.screens import reach
from fathom.geometry.poses import yaw_quaternion
from fathom.records import SceneObject
from fathom.scenes.attachments import rounded
from fathom.scenes.designs import SceneDraft
from fathom.scenes.framing import behind, framed
from fathom.scenes.free_space import FreeSpace
from fathom.scenes.proportions import cover_of, height_of, room_of, size_of, slimmed
from fathom.scenes.props import Wish
from fathom.scenes.scene_at_time import prop_ref
from fathom.scenes.screening import (
    LEAST_COVER,
    LEAST_HEIGHT,
    LOOKS,
    SHOWN_DEG,
    Bay,
    bay,
    kind_of_screen,
    open_enough,
    openings,
    screened,
    slope_of,
)

CARDINAL = 0.7
"""How likely a prop stands straight ahead, behind, to the left or to the right, give or take some degrees."""

SPREAD_RAD = math.radians(11)
AWAY_RAD = math.radians(80)
"""No screen is meant to stand nearer to straight ahead of the actor."""

SMALLER = 0.85
"""How large props that stand on the ground are, against what the shelf says."""

LOW, LEAST = 0.55, 0.8
"""Beside actors lower than this share of their unit, props are smaller, down to that share."""

FACING_RAD = math.radians(35)
"""How far what stands in a screen is turned from the opening at most."""

ACROSS = {"teapot": math.radians(90), "mailbox": math.radians(50)}
"""How far what is not known from its front is turned before it is looked at."""

FRONT_RAD = math.radians(45)
"""Up to how far to either side of the actor's front no screen stands before it."""

FRONT_HIDDEN, HIDDEN = 0.012, 0.08
"""Which share of the actor's places screens may hide from there, and from elsewhere, in a clear view."""

PROP_HIDDEN = 0.06
"""Which share of that a prop without a screen may hide from the actor's front."""

OPEN, SLIM = "alcove", 0.7
"""Such a prop hides what a plain screen of its height would, of that share of its room."""

CLEAR_VIEWS = 0.54
"""Which share of the views must be clear at least."""

TRIES_EACH = 8
"""After so many tries there is one screen less."""

LOOKED_AT = 900
"""At about so many points it is tried whether the actor is hidden."""

FARTHEST, STEP = 2.4, 0.06
"""How far from the middle a prop stands at most, and by how much it is moved, in the actor's unit."""


def placed(
    draft: SceneDraft, wanted: Sequence[Wish], clearing: FreeSpace, attempt: int
) -> tuple[SceneObject, ...] | None:
    """Return the props where they stand, then the screens; None where one finds no place near enough."""
    g = draft.rng("places", attempt)
    unit = prop_unit(draft)
    bearings = _bearings(g, len(wanted))
    bays = _bays(g, draft, wanted, unit, bearings, attempt // TRIES_EACH)
    sizes = [
        PROPS[w.name].relative_size * unit * (slimmed(w.name) if k in bays else 1.0)
        for k, w in enumerate(wanted)
    ]
    objects: dict[int, SceneObject] = {}
    screens: list[SceneObject] = []
    before = _before(draft, clearing.swept)
    # What stands in screens comes first: there are fewer places for it.
    for k in sorted(range(len(wanted)), key=lambda k: (k not in bays, k)):
        wish, turn, extra, z = wanted[k], _turned(g, wanted[k].name), {}, 0.0
        if wish.on >= 0:
            under = objects[wish.on]
            x, y, _ = under.poses[0].position_m
            z, extra = under.size_m[2], {"stands_on": under.id}
        else:
            room = _room_for(wanted, sizes, k, unit)
            spot = _place(g, draft, clearing, bearings[k], bays.get(k), room, before)
            if spot is None:
                return None
            x, y = spot
        if k in bays:
            here = bays[k].outwards(math.atan2(y, x))
            # Seen through the opening it shows what it is.
            turn = here.opening_rad + ACROSS.get(wish.name, 0.0) + float(g.uniform(-FACING_RAD, FACING_RAD))
            screens.append(here.obj(len(screens), x, y))
            extra = {"stands_in": screens[-1].id}
        objects[k] = _standing(k, wish, sizes[k], np.array([x, y, z]), turn, extra)
    out = (*(objects[k] for k in range(len(wanted))), *screens)
    if not open_enough(screens, draft.staging.elevation_deg):
        return None
    return out if _clear(draft, clearing.swept, out, screens) else None


def _place(
    g: np.random.Generator,
    draft: SceneDraft,
    clearing: FreeSpace,
    bearing: float,
    screen: Bay | None,
    room_m: tuple[float, float],
    before: Callable[[SceneObject], float],
) -> tuple[float, float] | None:
    """Return where a screen, or a prop of a radius and a height without one, leaves the actor to be seen.

    The place is taken; None where there is none.
    """
    here = screen or Bay(OPEN, 0.0, SLIM * room_m[0], room_m[1])
    radius, height = (here.radius_m, here.height_m) if screen else room_m
    most = FRONT_HIDDEN if screen else PROP_HIDDEN

    def fits(x: float, y: float) -> bool:
        return before(here.outwards(math.atan2(y, x)).obj(0, x, y)) <= most

    spot = _spot(g, clearing, bearing, radius, height, draft.unit, fits)
    if spot is not None:
        clearing.put(*spot, radius, height)
    return spot


def _before(draft: SceneDraft, swept: Points) -> Callable[[SceneObject], float]:
    """Return what says which share of where the actor is one screen hides from its front, at most."""
    points = _some(swept)
    azimuth = np.linspace(-FRONT_RAD, FRONT_RAD, 7)
    away = 5.0 * draft.unit
    flat = np.column_stack([np.cos(azimuth), np.sin(azimuth)]) * away
    up = np.full(len(azimuth), away * math.tan(math.radians(draft.staging.elevation_deg)))
    eyes = np.column_stack([flat, up]) + (swept.min(axis=0) + swept.max(axis=0)) / 2

    def share(screen: SceneObject) -> float:
        return float(behind(points, eyes, [screen], [_reach(screen)]).max())

    return share


def _clear(
    draft: SceneDraft, swept: Points, objects: Sequence[SceneObject], screens: Sequence[SceneObject]
) -> bool:
    """Return whether the screens leave the actor to be seen: from its front, and from most sides."""
    if not screens:
        return True
    corners = [
        np.array(t.poses[0].position_m) + np.array([x * t.size_m[0], y * t.size_m[0], z * t.size_m[2]])
        for t in objects
        for x in (-1.0, 1.0)
        for y in (-1.0, 1.0)
        for z in (0.0, 1.0)
    ]
    # As many views whatever is filmed: the story does not depend on that.
    cameras = framed(np.concatenate([swept, corners]), replace(draft.staging, views=LOOKS))
    eyes = np.array([c.poses[0].position_m for c in cameras])
    hidden = behind(_some(swept), eyes, screens, [_reach(s) for s in screens])
    azimuth = np.arange(len(eyes)) * 2 * math.pi / len(eyes)
    front = np.abs(np.angle(np.exp(1j * azimuth))) <= FRONT_RAD + 1e-9
    return bool(hidden[front].max() <= FRONT_HIDDEN and (hidden <= HIDDEN).mean() >= CLEAR_VIEWS)


def _some(points: Points) -> Points:
    return points[:: max(1, len(points) // LOOKED_AT)]


def _reach(screen: SceneObject) -> float:
    """Return how far a screen's sides stand from its middle, in metres, half its eaves included."""
    return 0.5 * (1.0 + reach(screen.subtype) / math.sqrt(2)) * screen.size_m[0]


def _turned(g: np.random.Generator, name: str) -> float:
    """Return how a prop is turned: what is not known from its front, so that no shown view sees that."""
    turn = float(g.uniform(0, 2 * math.pi))
    if name not in ACROSS:
        return turn
    turns = turn + np.linspace(0, 2 * math.pi, 24, endpoint=False)
    off = np.abs(np.sin(turns[:, None] - np.radians(SHOWN_DEG)))
    return float(turns[int(off.min(axis=1).argmax())] % (2 * math.pi))


def _standing(
    k: int, wish: Wish, longest_m: float, at: Points, turn_rad: float, extra: dict[str, str]
) -> SceneObject:
    return SceneObject(
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
    draft: SceneDraft,
    wanted: Sequence[Wish],
    unit: float,
    bearings: list[float],
    fewer: int,
) -> dict[int, Bay]:
    """Return the screens about some of the props, which stand beside the actor and behind it."""
    stacked = {i for k, w in enumerate(wanted) if w.on >= 0 for i in (k, w.on)}
    chosen = screened(draft, [k for k in range(len(wanted)) if k not in stacked], fewer)
    rest = [k for k in range(len(wanted)) if k not in chosen]
    sides = _beside(g, len(chosen))
    # The others take what is free, straight ahead first.
    free = sorted(bearings, key=lambda b: sum(math.cos(b - s) > 0.8 for s in sides))
    for k, bearing in zip((*chosen, *rest), [*sides, *free][: len(wanted)], strict=True):
        bearings[k] = bearing
    kind, slope = kind_of_screen(draft), slope_of(draft.staging.elevation_deg)
    out = {}
    for k, opening in zip(chosen, openings(g, [bearings[k] for k in chosen]), strict=True):
        name = wanted[k].name
        size = slimmed(name) * unit
        high = max(height_of(name) * PROPS[name].relative_size, LEAST_HEIGHT) * size
        cover = max(cover_of(name, slope), LEAST_COVER) * size
        out[k] = bay(kind, opening, room_of(name) * size, high, cover, draft.staging.elevation_deg)
    return out


def prop_unit(draft: SceneDraft) -> float:
    """Return the length in metres that props on the ground are sized by: less beside an actor that is low."""
    low = draft.asset.extents_m[2] / (LOW * draft.unit)
    return SMALLER * draft.unit * min(max(low, LEAST), 1.0)


def _bearings(g: np.random.Generator, count: int) -> list[float]:
    """Return a direction for each prop: mostly one of the four sides of the actor, each side as often."""
    sides = [float(s) * math.pi / 2 for _ in range(count // 4 + 1) for s in g.permutation(4)][:count]
    return [
        s + float(g.normal(0, SPREAD_RAD)) if g.random() < CARDINAL else float(g.uniform(0, 2 * math.pi))
        for s in sides
    ]


def _beside(g: np.random.Generator, count: int) -> list[float]:
    """Return a direction for each screen: to the left, to the right, behind, or between these."""
    sides = np.radians((90.0, 180.0, 270.0))[g.permutation(3)]
    spread = [float(s + g.normal(0, SPREAD_RAD)) for s in sides]
    spread += [float(g.uniform(AWAY_RAD, 2 * math.pi - AWAY_RAD)) for _ in range(count)]
    return [min(max(s, AWAY_RAD), 2 * math.pi - AWAY_RAD) for s in spread[:count]]


def _spot(
    g: np.random.Generator,
    clearing: FreeSpace,
    bearing: float,
    radius: float,
    height: float,
    unit: float,
    fits: Callable[[float, float], bool] = lambda x, y: True,
) -> tuple[float, float] | None:
    """Return a free place along a bearing that fits, or one nearby where that is too far away."""
    best: tuple[float, float] | None = None
    for turn in (0.0, 0.35, -0.35, 0.7, -0.7):
        found = _nearest(clearing, bearing + turn, radius, height, unit, fits)
        if found is not None and (best is None or found < best[0] - 0.25 * unit):
            best = (found, bearing + turn)
    if best is None:
        return None
    further = best[0] + float(g.uniform(0.0, 0.06)) * unit
    for d in (further, best[0]):
        x, y = d * math.cos(best[1]), d * math.sin(best[1])
        if clearing.free(x, y, radius, height) and fits(x, y):
            return x, y
    return None


def _nearest(
    clearing: FreeSpace,
    bearing: float,
    radius: float,
    height: float,
    unit: float,
    fits: Callable[[float, float], bool],
) -> float | None:
    """Return how far along a bearing, at least, a prop is free and fits; None up to the farthest."""
    d = clearing.nearest(bearing, radius, height, FARTHEST * unit)
    while d is not None and d <= FARTHEST * unit:
        x, y = d * math.cos(bearing), d * math.sin(bearing)
        if clearing.free(x, y, radius, height) and fits(x, y):
            return d
        d += STEP * unit
    return None
