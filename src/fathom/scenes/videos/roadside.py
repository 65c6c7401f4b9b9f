"""What stands along a street: buildings, parked cars, trees, lamps, lights, signs, benches and the like."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np

from fathom.assets.street.catalogue import BUILT_IN, FRONTAGES, StreetAssets
from fathom.geometry.poses import Array
from fathom.scenes.videos.bodies import Stem, bodies_at
from fathom.scenes.videos.boxes import Boxes, Size, above_m, apart_m, boxes_at, joined_boxes
from fathom.scenes.videos.driving import DrivingPlan, drawn_kind
from fathom.scenes.videos.lanes import LanePath
from fathom.scenes.videos.street_surfaces import KERB_WIDE_M, parked_m
from fathom.scenes.videos.streets import ZEBRA_M, Kerb, Street

ROOM_M = 0.3
"""How far what stands keeps from all else."""

PARKED = {
    "sedan": 0.28, "wagon": 0.16, "suv": 0.2, "minivan": 0.12, "van": 0.1, "pickup": 0.07, "motorcycle": 0.07,
}  # fmt: skip

SMALL = {
    "bench": 1.0, "bin": 1.2, "hydrant": 0.8, "post box": 0.6, "bollard": 0.8, "planter": 0.8,
    "parking sign": 0.8, "speed sign": 0.6, "warning sign": 0.5, "globe lamp": 0.4,
    "bus shelter": 0.35, "bush": 0.3, "cone": 0.5, "barrier": 0.2,
}  # fmt: skip
"""What stands on pavements now and then, and how often one against another."""

LEAST_FRONT_M, CORNER_M = 7.0, 10.0
"""The narrowest front of a building, and how deep one is at least whose side is seen."""

TREES = ("broad tree", "tall tree", "fir")


@dataclass(frozen=True)
class Reach:
    """How much of a street is filled: from one length of the main road to another, and of the other road."""

    main: tuple[float, float]
    side_m: float


@dataclass(frozen=True, eq=False)
class Stood:
    """Something that stands still: its kind, size and colour, where its footprint's middle is, its heading.

    `number` is of frontages, and draws what they look like.
    """

    kind: str
    size_m: Size
    color: str
    place_m: tuple[float, float]
    heading_rad: float
    number: int = -1
    stem: Stem | None = None
    said: tuple[tuple[str, str], ...] = ()

    def bodies(self) -> list[Boxes]:
        """Return the boxes (1,) that it takes up."""
        return bodies_at(
            self.size_m, self.stem, np.array([[*self.place_m, 0.0]]), np.array([self.heading_rad])
        )


@dataclass(eq=False)
class Ground:
    """All that stands on a street so far, and the room that others need at times."""

    assets: StreetAssets = BUILT_IN
    make: int = 0
    stood: list[Stood] = field(default_factory=list)
    _bodies: list[Boxes] = field(default_factory=list)
    _all: Boxes | None = None

    def put(self, obj: Stood, room_m: float = ROOM_M) -> bool:
        """Stand an object where it is to stand, if there is room; say whether there was."""
        bodies = obj.bodies()
        if any(self.meets(b, room_m) for b in bodies):
            return False
        self.stood.append(obj)
        self.keep(bodies)
        return True

    def stand(
        self, kind: str, size: Size, color: str, place: Array, heading: float, *said: tuple[str, str]
    ) -> bool:
        """Stand an object of these assets somewhere, if there is room; say whether there was."""
        at = (round(float(place[0]), 6), round(float(place[1]), 6))
        return self.put(Stood(kind, size, color, at, heading, -1, self.assets.stem(kind, size), said))

    def keep(self, bodies: Iterable[Boxes]) -> None:
        """Keep boxes (n,) free of others."""
        self._bodies += bodies
        self._all = None

    def forget(self) -> None:
        """Let go of what was only kept free."""
        self._bodies = [b for obj in self.stood for b in obj.bodies()]
        self._all = None

    def meets(self, boxes: Boxes, room_m: float = ROOM_M) -> bool:
        """Return whether any of some boxes (n,) is less than `room_m` beside something at the same height."""
        if not self._bodies:
            return False
        if self._all is None:
            self._all = joined_boxes(self._bodies)
        every = self._all
        reach = _radius(every.corners)
        apart = np.linalg.norm(boxes.centres[:, None] - every.centres[None], axis=-1)
        near = apart < reach[None] + _radius(boxes.corners)[:, None] + room_m
        i, j = np.nonzero(near)
        if not len(i):
            return False
        one = Boxes(boxes.corners[i], boxes.low[i], boxes.high[i])
        two = Boxes(every.corners[j], every.low[j], every.high[j])
        return bool(((apart_m(one.corners, two.corners) < room_m) & (above_m(one, two) < 0)).any())


def _radius(corners: Array) -> Array:
    return np.asarray(np.linalg.norm(corners - corners.mean(axis=-2, keepdims=True), axis=-1).max(axis=-1))


def zebra_room(street: Street) -> list[Boxes]:
    """Return the boxes over pedestrian crossings and the pavements at their ends that are to stay free."""
    found = []
    for zebra in street.zebras():
        place, heading = street.road(zebra.line).at(zebra.at_m)
        size = (ZEBRA_M + 1.2, 2 * (street.kerb_m + 2.4), 2.2)
        found.append(boxes_at(size, np.array([[*place, 0.0]]), np.array([float(heading)])))
    return found


def put_buildings(g: np.random.Generator, street: Street, ground: Ground, reach: tuple[float, float]) -> None:
    """Line the street with buildings, along the main road within `reach`, and round its corners."""
    off = street.pavement_m + street.garden_m
    inner = street.kerb_m + off
    for kerb in street.kerbs():
        corner = inner - street.mouth_m
        first, last = kerb.first_m, kerb.last_m
        begin = first - corner if first > 0 else max(first, kerb.way.nearest(street.main.at(reach[0])[0]))
        end = (
            last + corner
            if kerb.beside_m and first == 0
            else min(last, kerb.way.nearest(street.main.at(reach[1])[0]))
        )
        _row(g, street, ground, kerb, begin, end, off)
        for a, b in kerb.beside_m:
            deep = 13.0 + off
            if a == 0.0:
                _row(g, street, ground, kerb, max(a, b - 120.0), b - deep, off)
            else:
                _row(g, street, ground, kerb, a + deep, min(b, a + 120.0), off)


def _row(
    g: np.random.Generator, street: Street, ground: Ground, kerb: Kerb, first: float, last: float, off: float
) -> None:
    at, joins = first, False
    while last - at > LEAST_FRONT_M:
        kind, size = _frontage(g, street, ground.assets)
        gap = float(g.uniform(3.0, 7.0)) if street.garden_m else (float(g.random() < 0.12) * 4.0 + 0.1)
        width = min(size[1], last - at)
        alone = not joins or gap > 1.0 or last - at - width - gap <= LEAST_FRONT_M
        kind, size = _seen_from_aside(kind, size) if alone or width < size[1] else (kind, size)
        size = (size[0], round(width, 6), size[2])
        ends, _ = kerb.behind(np.array([at, at + width / 2, at + width]), off)
        middle, heading = kerb.behind(at + width / 2, off)
        toward = float(heading) - kerb.side * math.pi / 2
        out = np.array([math.cos(toward), math.sin(toward)])
        # On a bend a straight wall would cut into the pavement.
        into = max(0.0, float(((ends - middle) @ out).max()), float(((middle - ends) @ out).max()))
        place = middle - out * (size[0] / 2 + into)
        stood = Stood(kind, size, "", (round(float(place[0]), 6), round(float(place[1]), 6)), toward,
                      int(g.integers(2**31)))  # fmt: skip
        fits = ground.put(stood, 0.02)
        joins = fits and gap < 1.0
        at += width + gap if fits else 3.0


def _seen_from_aside(kind: str, size: Size) -> tuple[str, Size]:
    """Return what stands at a corner or beside a gap: the sides of libraries' town houses are bare."""
    if kind in FRONTAGES:
        return kind, size
    return "building", (max(size[0], CORNER_M), size[1], size[2])


def _frontage(g: np.random.Generator, street: Street, assets: StreetAssets) -> tuple[str, Size]:
    if street.garden_m:
        size = (g.uniform(8.5, 10.5), g.uniform(9.0, 14.0), g.uniform(6.5, 8.8))
        return "house", tuple(round(float(v), 6) for v in size)  # type: ignore[return-value]
    floors = int(g.integers(2, 6))
    size = (g.uniform(10.0, 12.5), g.uniform(10.0, 19.0), 4.2 + 3.1 * floors + g.uniform(-0.3, 0.4))
    kind = assets.pick(g, "building") if g.random() < 0.5 else "shops"
    if kind not in FRONTAGES:
        return kind, assets.size(g, kind)
    return kind, tuple(round(float(v), 6) for v in size)  # type: ignore[return-value]


def put_parked(g: np.random.Generator, street: Street, ground: Ground, reach: Reach, share: float) -> None:
    """Park cars at the kerbs, in the direction of the lane; `share` of the room is taken."""
    if not street.parking_m:
        return
    rows = [(street.main, max(a, reach.main[0]), min(b, reach.main[1])) for a, b in parked_m(street)]
    if street.crossed and reach.side_m:
        off, middle = street.line_m + 5.0, street.cross.length_m / 2
        rows += [(street.cross, middle + off, middle + reach.side_m)]
        rows += [(street.cross, middle - reach.side_m, middle - off)]
    for way, first, last in rows:
        for side in (-1, 1):
            _park(g, street, ground, way, first, last, side, share)


def _park(
    g: np.random.Generator, street: Street, ground: Ground, way: LanePath, first: float, last: float,
    side: int, share: float,
) -> None:  # fmt: skip
    at = first + float(g.uniform(0, 3))
    while at < last:
        kind, size, color = drawn_kind(g, PARKED, ground.assets, ground.make)
        if at + size[0] > last:
            break
        if g.random() < share and size[1] <= street.parking_m:
            off = side * (street.kerb_m - 0.25 - size[1] / 2 - float(g.uniform(0.0, 0.12)))
            place, heading = way.beside(at + size[0] / 2, off)
            turned = float(heading) + (math.pi if side > 0 else 0.0) + float(g.normal(0, 0.012))
            ground.stand(kind, size, color, place, turned, ("parked", "yes"))
        at += size[0] + float(g.uniform(0.9, 2.6))


def put_lights(g: np.random.Generator, street: Street, ground: Ground, plan: DrivingPlan) -> None:
    """Stand lights, or stop signs on the road that has to wait, before the crossing, right of each lane.

    What a light shows stays the same all through a video.
    """
    if not street.crossed:
        return
    waits = "main" if plan.main_s > 0 else "cross"
    for lane, way in street.lanes.items():
        line = lane[:-1]
        if plan.signs and line != waits:
            continue
        kind = ground.assets.pick(g, "stop sign" if plan.signs else "traffic light")
        size, color = ground.assets.size(g, kind), ground.assets.color(g, kind)
        off = -(street.kerb_m - street.lane_m / 2 + 0.55)
        place, heading = way.beside(street.line_on(lane) + 0.2, off)
        said = () if plan.signs else (("signal", "red" if line == waits else "green"),)
        ground.stand(kind, size, color, place, float(heading) + math.pi, *said)


def stretches(street: Street, reach: Reach) -> list[tuple[Kerb, float, float]]:
    """Return the kerbs near the camera, each from one length to another."""
    found = []
    for kerb in street.kerbs():
        near, far = (kerb.way.nearest(street.main.at(m)[0]) for m in reach.main)
        found.append((kerb, max(kerb.first_m, near), min(kerb.last_m, far)))
        for a, b in kerb.beside_m if reach.side_m else ():
            short = (max(a, b - reach.side_m), b) if a == 0.0 else (a, min(b, a + reach.side_m))
            found.append((kerb, *short))
    return [(k, a, b) for k, a, b in found if b - a > 8.0]


def put_greenery(g: np.random.Generator, street: Street, ground: Ground, reach: Reach) -> None:
    """Stand trees and lamps along the kerbs in turn, and now and then something small."""
    green = float(g.uniform(0.3, 0.95))
    species = [ground.assets.pick(g, TREES[int(g.choice(3, p=(0.5, 0.4, 0.1)))]) for _ in range(2)]
    for kerb, first, last in stretches(street, reach):
        at, k = first + float(g.uniform(2.0, 8.0)), int(g.integers(3))
        while at < last - 2.0:
            _, heading = kerb.behind(at, 0.0)
            inward = float(heading) - kerb.side * math.pi / 2
            _tall(g, street, ground, kerb, at, inward, species, green, k % 3 == 2)
            for _ in range(int(g.integers(0, 3))):
                beside = at + float(g.uniform(1.5, 8.0))
                if beside < last - 1.0:
                    _small(g, street, ground, kerb, beside)
            k += 1
            at += float(g.uniform(7.5, 11.0))


def _tall(
    g: np.random.Generator, street: Street, ground: Ground, kerb: Kerb, at: float, inward: float,
    species: list[str], green: float, lamp: bool,
) -> None:  # fmt: skip
    if lamp:
        kind = ground.assets.pick(g, "street lamp")
        size = ground.assets.size(g, kind)
        stem = ground.assets.stem(kind, size)
        # What bears the lamp stands at the kerb; its arm reaches over the road.
        place, _ = kerb.behind(at, 0.6 + (stem[2] if stem else 0.0))
        ground.stand(kind, size, "", place, inward)
    elif g.random() < green:
        kind = species[int(g.integers(len(species)))]
        size = ground.assets.size(g, kind)
        low = ground.assets.stem(kind, size) is None
        off = street.pavement_m + street.garden_m / 2 if low else 0.9 if street.parking_m else 1.5
        if low and not street.garden_m:
            return
        place, _ = kerb.behind(at, off)
        ground.stand(kind, size, "", place, float(g.uniform(-math.pi, math.pi)))


def _small(g: np.random.Generator, street: Street, ground: Ground, kerb: Kerb, at: float) -> None:
    kind, size, color = drawn_kind(g, SMALL, ground.assets, ground.make)
    _, heading = kerb.behind(at, 0.0)
    inward = float(heading) - kerb.side * math.pi / 2
    behind = kind in ("bench", "bush", "planter", "bus shelter")
    deep = size[0] / 2 + 0.15
    off = street.pavement_m - deep if behind else KERB_WIDE_M + 0.25 + size[0] / 2
    if kind == "bush" and street.garden_m:
        off = street.pavement_m + float(g.uniform(0.8, max(1.0, street.garden_m - 1.2)))
    if ground.assets.category(kind) == "sign":
        # A sign faces those who come along the lane beside it.
        inward = float(heading) + (math.pi if kerb.side < 0 else 0.0)
    place, _ = kerb.behind(at, off)
    ground.stand(kind, size, color, place, inward)
