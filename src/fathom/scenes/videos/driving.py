"""What happens on a street: the car that films, those ahead, those that come, those that cross."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from fathom.assets.street.catalogue import BUILT_IN, StreetAssets
from fathom.geometry.poses import Array
from fathom.scenes.videos.boxes import Boxes, Size, apart_m, boxes_at
from fathom.scenes.videos.streets import Street
from fathom.scenes.videos.traffic import Driver, Route, StopLine, driven
from fathom.store.seeds import rng

EGO_M: Size = (4.6, 1.9, 1.5)
"""The size of the car that films."""

START_M = 60.0
"""Where along its lane it is at first."""

SOFTLY = (0.7, 2.8)
"""Between what its drivers bear to the side in a turn, m/s²: some take a corner at twice the speed of others.
Were they all alike, the time would tell how far past a corner the camera is."""

GENTLY = 2.1
"""The hardest that it brakes, m/s²."""

ROOM_M = 0.5
"""How far vehicles keep from each other at least."""

NEVER_S = 1e6

MIX = {
    "sedan": 0.24, "wagon": 0.12, "suv": 0.18, "minivan": 0.11, "van": 0.12, "lorry": 0.07, "pickup": 0.06,
    "bus": 0.04, "double-decker": 0.02, "school bus": 0.02, "cyclist": 0.05,
}  # fmt: skip
"""What drives, and how often."""

VEHICLES = ("car", "van", "truck", "bus", "motorcycle", "cyclist")
"""Categories of what drives."""

TURNS = {"main>": ("cross<", "cross>"), "main<": ("cross>", "cross<"),
         "cross>": ("main>", "main<"), "cross<": ("main<", "main>")}  # fmt: skip
"""Lane → the lanes into which one turns to the right and to the left."""

STORIES = ("cruise", "follow", "halt", "go", "left", "right", "zebra")
"""What the car that films does: drive on, drive behind somebody who slows down, stop at a crossing, leave
one, turn, or let somebody walk across."""


@dataclass(frozen=True, eq=False)
class Vehicle:
    """Something that drives: kind, size, colour and driver; the car that films has the kind ""."""

    kind: str
    size_m: Size
    color: str
    driver: Driver


@dataclass(frozen=True, eq=False)
class Moved:
    """Vehicles and where they are: (N, F) lengths along their ways; the first is the car that films."""

    vehicles: tuple[Vehicle, ...]
    lengths_m: Array
    speeds: Array

    def boxes(self, k: int) -> Boxes:
        """Return the boxes (F,) of one of them."""
        places, headings = self.vehicles[k].driver.centres(self.lengths_m[k])
        level = np.column_stack([places, np.zeros(len(places))])
        return boxes_at(self.vehicles[k].size_m, level, headings)


@dataclass(frozen=True)
class DrivingPlan:
    """A story, and who may go when: the main road from `main_s` on, the other road until `cross_s`.

    With `signs` there are stop signs at a crossing, before the road that has to wait; otherwise lights.
    """

    story: str
    main_s: float
    cross_s: float
    wish: float
    signs: bool = False
    make: int = 0
    assets: StreetAssets = BUILT_IN


def drawn_kind(
    g: np.random.Generator, kinds: dict[str, float], assets: StreetAssets, make: int
) -> tuple[str, Size, str]:
    """Return a kind, a size and a colour; in a world, which `make` tells, vehicles of a kind are one make."""
    names = list(kinds)
    shares = np.array([kinds[k] for k in names])
    kind = assets.pick(g, names[int(g.choice(len(names), p=shares / shares.sum()))])
    same = assets.category(kind) in VEHICLES
    return kind, assets.size(rng(make, "make", kind) if same else g, kind), assets.color(g, kind)


def drawn_traffic(
    g: np.random.Generator, street: Street, plan: DrivingPlan, busy: tuple[int, int], times_s: Array
) -> Moved | None:
    """Return the traffic of a street; None where the car that films is in somebody's way.

    `busy` bounds how many others drive. Whoever would come too near to another is left out.
    """
    ego = _ego(g, street, plan)
    others = _others(g, street, plan, ego)
    most = int(g.integers(busy[0], busy[1] + 1))
    kept = [others[int(k)] for k in sorted(g.permutation(len(others))[:most])]
    vehicles = [Vehicle("", EGO_M, "", ego), *kept]
    for _ in range(8):
        moved = Moved(tuple(vehicles), *driven([v.driver for v in vehicles], times_s))
        clash = _clash(moved)
        if clash is None:
            return moved if len(vehicles) > busy[0] else None
        if clash == 0:
            return None
        del vehicles[clash]
    return None


def _ego(g: np.random.Generator, street: Street, plan: DrivingPlan) -> Driver:
    speed = plan.wish * float(g.uniform(0.85, 1.0))
    stops: tuple[StopLine, ...] = ()
    route, start = street.straight("main>"), START_M
    if plan.story in ("left", "right"):
        route = street.turned("main>", TURNS["main>"][plan.story == "left"])
    if plan.story == "zebra":
        stops = (
            StopLine(street.lanes["main>"].nearest(street.main.at(street.zebra_m)[0]) - 2.3, plan.main_s),
        )
    if plan.story in ("halt", "go"):
        stops = (StopLine(street.line_on("main>"), plan.main_s),)
    if plan.story == "go":
        start, speed = street.line_on("main>") - 0.78 * EGO_M[0] - float(g.uniform(0.9, 2.0)), 0.0
    pulls, brakes = float(g.uniform(1.2, 1.8)), float(g.uniform(1.3, 1.7))
    return Driver(
        route,
        EGO_M[0],
        start,
        speed,
        plan.wish,
        stops,
        pulls=pulls,
        brakes=brakes,
        sideways=float(g.uniform(*SOFTLY)),
        hardest=GENTLY,
    )


def _others(g: np.random.Generator, street: Street, plan: DrivingPlan, ego: Driver) -> list[Vehicle]:
    """Return all who might drive, each lane's in order, none too near to who is ahead."""
    found = _ahead(g, street, plan, ego)
    far = street.main.length_m
    first = far - START_M - float(g.uniform(25, 55))
    found += _row(
        g, street, plan, "main<", first, int(g.integers(1, 5)), plan.wish * float(g.uniform(0.8, 1.1))
    )
    if street.crossed:
        for lane in ("cross>", "cross<"):
            line, count = street.line_on(lane), int(g.integers(0, 4))
            if plan.cross_s > 0:  # they have a green light
                at, speed = line + float(g.uniform(-25, 18)), float(g.uniform(7, 11))
            else:
                at, speed = line - float(g.uniform(5, 25)), float(g.uniform(3, 9))
            found += _row(g, street, plan, lane, at, count, speed)
    return found


def _ahead(g: np.random.Generator, street: Street, plan: DrivingPlan, ego: Driver) -> list[Vehicle]:
    """Return who drives ahead of the car that films, the farthest first."""
    count = {"follow": 1 + int(g.integers(2)), "zebra": 0}.get(plan.story, int(g.integers(0, 3)))
    found: list[Vehicle] = []
    at = ego.at_m + ego.ahead_m
    for k in range(count):
        kind, size, color = drawn_kind(g, MIX, plan.assets, plan.make)
        speed = ego.speed * float(g.uniform(0.85, 1.1))
        gap = float(g.uniform(2.2, 4.0)) if plan.story == "go" else 5 + speed * float(g.uniform(1.2, 2.4))
        driver = _driver(g, street, plan, "main>", kind, size, at + gap + 0.22 * size[0], speed)
        if plan.story == "follow" and k == 0:
            driver = _slowed(g, driver)
        if plan.story == "go":
            driver = replace(driver, at_m=driver.at_m + street.line_m + 8.0)
        found.append(Vehicle(kind, size, color, driver))
        at = driver.at_m + driver.ahead_m
    return found


def _slowed(g: np.random.Generator, driver: Driver) -> Driver:
    """Return a driver who slows down or stops for a while, as if for somebody who parks."""
    at = driver.at_m + driver.ahead_m + max(driver.speed**2 / 2.4, 12.0) * float(g.uniform(1.0, 1.5))
    return replace(driver, stops=(*driver.stops, StopLine(at, float(g.uniform(3.0, 7.5)))))


def _row(
    g: np.random.Generator,
    street: Street,
    plan: DrivingPlan,
    lane: str,
    first_m: float,
    count: int,
    speed: float,
) -> list[Vehicle]:
    """Return who comes along a lane, one behind the other; the first has its axle at `first_m`."""
    found, at = [], first_m
    for _ in range(count):
        kind, size, color = drawn_kind(g, MIX, plan.assets, plan.make)
        driver = _driver(g, street, plan, lane, kind, size, at - 0.78 * size[0], speed)
        if driver.at_m < 3.0:
            break
        found.append(Vehicle(kind, size, color, driver))
        at = driver.at_m - 0.22 * size[0] - 6.0 - speed * float(g.uniform(1.0, 2.8))
    return found


def _driver(
    g: np.random.Generator,
    street: Street,
    plan: DrivingPlan,
    lane: str,
    kind: str,
    size: Size,
    at: float,
    speed: float,
) -> Driver:
    wish = plan.wish * float(g.uniform(0.85, 1.15))
    aside, slow = 0.0, plan.assets.category(kind) == "cyclist"
    if slow:
        wish, aside = float(g.uniform(3.8, 6.0)), -street.lane_m / 2 + 0.75
    route = _route(g, street, lane, slow or size[0] > 7.0)
    stops: tuple[StopLine, ...] = ()
    if street.crossed:
        line = street.line_on(lane)
        closed = (0.0, plan.main_s) if lane.startswith("main") else (max(plan.cross_s, 0.0), NEVER_S)
        if closed[1] > 0 and at + 0.78 * size[0] < line:
            stops = (StopLine(line, closed[1], closed[0]),)
            room = max(line - at - 0.78 * size[0], 0.0)
            if closed[0] == 0.0:
                speed = min(speed, (2 * 1.2 * max(room - 1.0, 0.0)) ** 0.5)
    if plan.story == "zebra" and lane == "main<":
        line = street.lanes[lane].nearest(street.main.at(street.zebra_m)[0]) - 2.3
        stops = (StopLine(line, plan.main_s),) if at + 0.78 * size[0] < line - 12 else ()
    return Driver(
        route, size[0], at, min(speed, wish), wish, stops, aside,
        pulls=float(g.uniform(1.0, 1.8)), brakes=float(g.uniform(1.4, 2.0)),
        headway_s=float(g.uniform(1.0, 1.7)), gap_m=float(g.uniform(1.8, 3.0)),
    )  # fmt: skip


def _route(g: np.random.Generator, street: Street, lane: str, stays: bool) -> Route:
    if not street.crossed or stays or g.random() > 0.4:
        return street.straight(lane)
    return street.turned(lane, TURNS[lane][int(g.random() < 0.4)])


def _clash(moved: Moved) -> int | None:
    """Return which vehicle comes too near to another, the one that was named later; None where none does."""
    boxes = [moved.boxes(k) for k in range(len(moved.vehicles))]
    reach = [float(np.hypot(*v.size_m[:2])) / 2 for v in moved.vehicles]
    for j in range(len(boxes) - 1, 0, -1):
        for i in range(j):
            apart = np.linalg.norm(boxes[i].centres - boxes[j].centres, axis=1)
            near = apart < reach[i] + reach[j] + ROOM_M
            if near.any() and (apart_m(boxes[i].corners[near], boxes[j].corners[near]) < ROOM_M).any():
                return j
    return None
