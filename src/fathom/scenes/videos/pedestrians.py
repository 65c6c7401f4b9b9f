"""People on foot: along the pavements, across where the lights let them, and some who stand."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from fathom.geometry.poses import Array
from fathom.records import Pose
from fathom.scenes.videos import routes
from fathom.scenes.videos.boxes import Boxes, Size, apart_m, boxes_at
from fathom.scenes.videos.driving import DrivingPlan
from fathom.scenes.videos.lanes import LanePath, drawn_way
from fathom.scenes.videos.roadside import Ground, Reach, stretches
from fathom.scenes.videos.streets import Kerb, Street, Zebra

PACE = (0.9, 1.7)
"""How fast people walk, m/s."""

ROOM_M = 0.25
CARS_M = 1.0
"""How far people keep from what stands and from each other, and from what drives."""

LOOK_EVERY = 6
"""At which frames it is looked whether somebody has room: every so many."""


@dataclass(frozen=True, eq=False)
class Walker:
    """Somebody who walks: what they look like, and where they are at every frame."""

    kind: str
    size_m: Size
    color: str
    places_m: Array
    headings_rad: Array

    def boxes(self) -> Boxes:
        """Return the boxes (F,) that they take up."""
        level = np.column_stack([self.places_m, np.zeros(len(self.places_m))])
        return boxes_at(self.size_m, level, self.headings_rad)

    def poses(self, times_s: Array) -> tuple[Pose, ...]:
        """Return their poses."""
        level = np.column_stack([self.places_m, np.zeros(len(self.places_m))])
        return routes.upright_poses(level, self.headings_rad, times_s)


@dataclass(eq=False)
class Crowd:
    """Those who walk so far, and all who drive, as boxes (F,)."""

    vehicles: list[Boxes]
    walkers: list[Walker]

    def add(self, walker: Walker, ground: Ground) -> bool:
        """Let somebody walk where there is room all the time; say whether there was."""
        boxes = walker.boxes()
        some = slice(None, None, LOOK_EVERY)
        if ground.meets(Boxes(boxes.corners[some], boxes.low[some], boxes.high[some]), ROOM_M):
            return False
        if any(_meet(boxes, b, CARS_M) for b in self.vehicles):
            return False
        if any(_meet(boxes, w.boxes(), ROOM_M) for w in self.walkers):
            return False
        self.walkers.append(walker)
        return True


def _meet(a: Boxes, b: Boxes, room_m: float) -> bool:
    near = np.linalg.norm(a.centres - b.centres, axis=1) < 9.0
    return bool(near.any() and (apart_m(a.corners[near], b.corners[near]) < room_m).any())


def walked(
    g: np.random.Generator, street: Street, plan: DrivingPlan, ground: Ground, crowd: Crowd, count: int,
    reach: Reach, times_s: Array,
) -> bool:  # fmt: skip
    """Fill a street with about `count` people; False where a story needs somebody who found no room."""
    if plan.story == "zebra":
        zebra = next(z for z in street.zebras() if z.line == "main" and z.at_m == street.zebra_m)
        if not any(
            crowd.add(_across(g, street, plan, zebra, times_s, plan.main_s), ground) for _ in range(12)
        ):
            return False
    for _ in range(count):
        if g.random() < 0.3 and (held := _held(street, plan)):
            zebra = held[int(g.integers(len(held)))]
            crowd.add(_across(g, street, plan, zebra, times_s, None), ground)
        elif g.random() < 0.2:
            _standing(g, street, ground, crowd, reach)
        else:
            crowd.add(_along(g, street, plan, reach, times_s), ground)
    return True


def _looks(g: np.random.Generator, plan: DrivingPlan, posture: str) -> tuple[str, Size, str]:
    kind = plan.assets.pick(g, f"{posture} {'ab'[int(g.integers(2))]}")
    return kind, plan.assets.size(g, kind), plan.assets.color(g, kind)


def _held(street: Street, plan: DrivingPlan) -> list[Zebra]:
    """Return the pedestrian crossings at which traffic is held for a while."""
    zebras = [z for z in street.zebras() if z.line == "cross" or z.at_m != street.zebra_m]
    if plan.main_s > 4.0 and plan.cross_s > 0:
        return [z for z in zebras if z.line == "main"]
    return [z for z in zebras if z.line == "cross"] if plan.cross_s <= 0 else []


def _kerb_near(g: np.random.Generator, street: Street, reach: Reach) -> tuple[Kerb, float]:
    """Return a place at a kerb near the camera."""
    kerbs = stretches(street, reach)
    long = np.array([b - a for _, a, b in kerbs])
    kerb, first, last = kerbs[int(g.choice(len(kerbs), p=long / long.sum()))]
    return kerb, float(g.uniform(first + 1, last - 1))


def _along(g: np.random.Generator, street: Street, plan: DrivingPlan, reach: Reach, times_s: Array) -> Walker:
    """Return somebody who walks along a pavement."""
    kerb, at = _kerb_near(g, street, reach)
    off = float(g.uniform(1.5, street.pavement_m - 0.55))
    way = kerb.way.offset(kerb.side * off)
    at = way.nearest(kerb.behind(at, off)[0])
    if g.random() < 0.5:
        way, at = way.reversed(), way.length_m - at
    return _walker(g, plan, way, at, float(g.uniform(*PACE)), times_s)


def _across(
    g: np.random.Generator,
    street: Street,
    plan: DrivingPlan,
    zebra: Zebra,
    times_s: Array,
    clear_s: float | None,
) -> Walker:
    """Return somebody who crosses a road and goes on along the pavement; off the road at `clear_s`."""
    road = street.road(zebra.line)
    side = 1 if g.random() < 0.5 else -1
    pace = float(g.uniform(1.15, PACE[1]))
    _, heading = road.at(zebra.at_m)
    onto = street.kerb_m + float(g.uniform(1.7, max(1.8, street.pavement_m - 0.8)))
    if clear_s is not None:
        start = street.kerb_m - pace * (clear_s - 0.3)
    else:
        start = -street.kerb_m - float(g.uniform(-2.0, street.pavement_m - 0.6))
    place, _ = road.beside(zebra.at_m + float(g.uniform(-0.9, 0.9)), side * start)
    toward = float(heading) + side * math.pi / 2
    radius, left = 1.0, 1 if g.random() < 0.5 else -1
    bend = (radius * math.pi / 2, left / radius)
    straight = onto - start - radius - 0.6
    way = drawn_way((float(place[0]), float(place[1])), toward, [(straight, 0.0), bend, (30.0, 0.0)], 0.8)
    return _walker(g, plan, way, 0.0, pace, times_s)


def _walker(
    g: np.random.Generator, plan: DrivingPlan, way: LanePath, at: float, pace: float, times_s: Array
) -> Walker:
    kind, size, color = _looks(g, plan, "walker")
    slow, fast = float(g.uniform(0.02, 0.07)), float(g.uniform(0.1, 0.25))
    phase = float(g.uniform(0, 2 * math.pi))
    w = 2 * math.pi * fast
    # Nobody walks quite evenly.
    gone = pace * (times_s - slow / w * (np.cos(w * times_s + phase) - math.cos(phase)))
    places, headings = way.at(at + gone)
    return Walker(kind, size, color, places, headings)


def _standing(g: np.random.Generator, street: Street, ground: Ground, crowd: Crowd, reach: Reach) -> None:
    """Stand somebody on a pavement where nobody walks."""
    kerb, at = _kerb_near(g, street, reach)
    kind = ground.assets.pick(g, f"stander {'ab'[int(g.integers(2))]}")
    size, color = ground.assets.size(g, kind), ground.assets.color(g, kind)
    place, _ = kerb.behind(at, float(g.uniform(1.0, street.pavement_m - 0.6)))
    heading = float(g.uniform(-math.pi, math.pi))
    own = boxes_at(size, np.array([[*place, 0.0]]), np.array([heading]))
    for walker in crowd.walkers:
        boxes = walker.boxes()
        if (apart_m(boxes.corners, np.broadcast_to(own.corners, boxes.corners.shape)) < ROOM_M).any():
            return
    ground.stand(kind, size, color, place, heading)
