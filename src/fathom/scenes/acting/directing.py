"""From a story and a room to a performance: where everything is done.

found = directed(g, stage, story, scale)      # None where there is no free way
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace

import numpy as np

from fathom.geometry.poses import Array
from fathom.scenes.acting.footsteps import FloorSpot
from fathom.scenes.acting.performance import Held, Performance
from fathom.scenes.acting.stage import (
    EDGE_M,
    Stage,
    before,
    behind,
    lifted_off,
    local,
    pushed_on,
    seat_of,
)
from fathom.scenes.acting.stories import GESTURES, Story
from fathom.scenes.videos.boxes import boxes_at
from fathom.scenes.videos.furnishing_rooms import Stand

SPOTS, WALL_M, AROUND_M = 30, 0.7, 0.45
"""So many spots on the floor are tried, so far from walls and from all else."""

RESTS_S, LAST_S = 0.25, 0.5
"""How long somebody does nothing between two things, and after the last one."""

LONG_M = 0.9
"""How far somebody walks at least to somewhere."""

ASTRAY_M = 0.04
"""How far aside of the middle of something it is pushed at most."""

APART_M = 0.06
"""How far what is put down is from what stands there."""


@dataclass(eq=False)
class _Scene:
    """A performance while it is directed."""

    g: np.random.Generator
    stage: Stage
    show: Performance
    seat: Stand | None = None
    taken: Stand | None = None
    turn_rad: float = 0.0
    crowded: bool = False
    bearers: list[Stand] = field(default_factory=list)
    later: Stage | None = None

    @property
    def now(self) -> Stage:
        """The room as it is by now: something may have been pushed elsewhere."""
        return self.later or self.stage

    def walk(self, to: FloorSpot, obj: str) -> bool:
        """Walk to a spot; say whether the way is free and long enough."""
        here = self.show.steps.here
        far = math.hypot(to.x - here.x, to.y - here.y)
        if far >= 0.05 and (far < LONG_M or not self.now.free(here, to)):
            return False
        self.show.go(to, obj)
        self.show.rest(RESTS_S)
        return True


@dataclass(frozen=True, eq=False)
class Directed:
    """A performance, the room in which it is given, what is held or pushed there, how that is turned against
    who does so, and the room as it is after something was pushed.
    """

    show: Performance
    stage: Stage
    taken: Stand | None
    turn_rad: float
    later: Stage | None = None


def directed(g: np.random.Generator, stage: Stage, story: Story, scale: float) -> Directed | None:
    """Return who does what a story tells in a room; None where there is no free way."""
    seat = stage.seats[int(g.integers(len(stage.seats)))]
    start = _middle(g, stage) if not story.seated else seat_of(seat, scale)[0]
    if start is None:
        return None
    scene = _Scene(g, stage, Performance(start, scale), seat)
    scene.bearers = [stage.bearers[int(k)] for k in g.permutation(len(stage.bearers))]
    if story.seated:
        _, high, back = seat_of(seat, scale)
        scene.show.begin_seated(high, back)
    if story.holds:
        scene.taken = stage.things[0]
        scene.stage = lifted_off(stage, scene.taken)
        scene.taken = scene.stage.things[0]
        turn = scene.turn_rad = float(g.uniform(-math.pi, math.pi))
        scene.show.give(Held(scene.stage.name(scene.taken), scene.taken.size_m, turn))
        scene.bearers.sort(key=lambda b: b is not stage.bearers[0])
    for deed in story.deeds:
        if not _done(scene, deed):
            return None
        scene.show.rest(RESTS_S)
    scene.show.rest(LAST_S)
    return Directed(scene.show, scene.stage, scene.taken, scene.turn_rad, scene.later)


def _done(scene: _Scene, deed: str) -> bool:
    """Let a thing be done; say whether there is room for it."""
    if deed in GESTURES:
        return _gestured(scene, deed)
    if deed == "rises":
        assert scene.seat is not None
        scene.show.get_up(scene.stage.name(scene.seat))
        return True
    return {"sits": _sat, "picks": _picked, "puts": _put, "pushes": _pushed}[deed](scene)


def _gestured(scene: _Scene, deed: str) -> bool:
    if scene.crowded:
        spot = _middle(scene.g, scene.now, scene.show.steps.here)
        if spot is None or not scene.walk(spot, ""):
            return False
        scene.crowded = False
    {"waves": scene.show.wave, "crouches": scene.show.crouch, "stretches": scene.show.stretch}[deed]()
    return True


def _sat(scene: _Scene) -> bool:
    assert scene.seat is not None
    spot, high, back = seat_of(scene.seat, scene.show.scale)
    if not scene.walk(spot, scene.stage.name(scene.seat)):
        return False
    scene.show.sit(high, back, scene.stage.name(scene.seat))
    return True


def _picked(scene: _Scene) -> bool:
    stage, bearer = scene.stage, scene.bearers[0]
    index = next(k for k, s in enumerate(stage.layout.stands) if s is bearer)
    there = [s for s in stage.things if s.on == index]
    thing = there[int(scene.g.integers(len(there)))]
    spot = _facing(bearer, np.array(thing.place_m[:2]), scene.show.scale)
    if not scene.walk(spot, stage.name(bearer)):
        return False
    here = scene.show.steps.here
    turn = scene.turn_rad = thing.heading_rad - here.heading_rad
    x, y = local(here, np.array(thing.place_m[:2]), scene.show.scale)
    scene.taken, scene.crowded = thing, True
    scene.show.pick(Held(stage.name(thing), thing.size_m, turn), (x, y, thing.place_m[2] / scene.show.scale))
    scene.bearers.reverse()
    return True


def _put(scene: _Scene) -> bool:
    """Put what is held on the first of the bearers, where it has room beside what stands there."""
    bearer, held, scale = scene.bearers[0], scene.taken, scene.show.scale
    assert held is not None and scene.show.held is not None
    turn = scene.show.held.turn_rad
    c, s = abs(math.cos(turn)), abs(math.sin(turn))
    deep = (c * held.size_m[0] + s * held.size_m[1]) / 2
    wide = (s * held.size_m[0] + c * held.size_m[1]) / 2
    room = bearer.size_m[1] * bearer.asset.carries / 2 - wide
    if room <= 0 or 2 * deep > bearer.size_m[0] * bearer.asset.carries:
        return False
    ahead = bearer.size_m[0] / 2 * (0.55 + 0.45 * bearer.asset.carries) - deep - EDGE_M
    high = bearer.place_m[2] + bearer.size_m[2]
    others = [s for s in scene.stage.layout.stands if s is not held]
    layout = scene.stage.layout.with_stands(others)
    for _ in range(SPOTS):
        place = bearer.ahead(ahead, float(scene.g.uniform(-room, room)))
        spot = _facing(bearer, place, scale)
        box = boxes_at(held.size_m, np.array([[*place, high]]), np.array([spot.heading_rad + turn]))
        if not layout.beside_all(box, APART_M):
            continue
        if not scene.walk(spot, scene.stage.name(bearer)):
            return False
        x, y = local(scene.show.steps.here, place, scale)
        scene.show.put((x, y, high / scale))
        scene.crowded = True
        return True
    return False


def _pushed(scene: _Scene) -> bool:
    """Push what can be pushed ahead, where its way is free."""
    stage, scale = scene.stage, scene.show.scale
    target = stage.pushed
    assert target is not None
    found = behind(stage, scale, float(scene.g.uniform(-ASTRAY_M, ASTRAY_M)))
    later = pushed_on(stage)
    if found is None or later is None or not scene.walk(found[0], stage.name(target)):
        return False
    here = scene.show.steps.here
    turn = scene.turn_rad = target.heading_rad - here.heading_rad
    x, y = local(here, np.array(target.place_m[:2]), scale)
    held = Held(stage.name(target), target.size_m, turn)
    scene.show.push(held, (x, y, 0.0), found[1], stage.far_m / scale)
    scene.taken, scene.later = target, later
    return True


def _facing(bearer: Stand, place: Array, scale: float) -> FloorSpot:
    """Return where somebody stands before furniture who has to do with a place on it."""
    off = np.asarray(place) - np.array(bearer.place_m[:2])
    left = -math.sin(bearer.heading_rad) * off[0] + math.cos(bearer.heading_rad) * off[1]
    return before(bearer, float(left), scale)


def _middle(g: np.random.Generator, stage: Stage, here: FloorSpot | None = None) -> FloorSpot | None:
    """Return a spot on the floor with room around it, which can be walked to from another one."""
    x0, y0, x1, y1 = stage.layout.room.plan[0]
    for _ in range(SPOTS):
        x, y = float(g.uniform(x0 + WALL_M, x1 - WALL_M)), float(g.uniform(y0 + WALL_M, y1 - WALL_M))
        heading = float(g.uniform(-math.pi, math.pi))
        around = boxes_at((2 * AROUND_M, 2 * AROUND_M, 1.7), np.array([[x, y, 0.0]]), np.array([0.0]))
        spot = FloorSpot(x, y, heading)
        if not stage.layout.beside_all(around, 0.0):
            continue
        if here is None or (math.hypot(x - here.x, y - here.y) >= LONG_M and stage.free(here, spot)):
            return spot if here is None else replace(spot, heading_rad=math.atan2(y - here.y, x - here.x))
    return None
