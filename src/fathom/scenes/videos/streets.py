"""Streets: a main road, straight or gently curved, with lanes, kerbs, pavements, and perhaps a crossing.

A street is a few numbers, from which its ways, kerbs and markings follow; a scene keeps them as text. The
main road runs along +x where it is crossed, and the other road crosses it at a right angle. Traffic keeps to
the right.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from functools import cached_property

import numpy as np

from fathom.geometry.poses import Array
from fathom.records import DataError
from fathom.scenes.videos.lanes import LanePath, drawn_way, joined_paths, turn
from fathom.scenes.videos.traffic import Route, along, turning

SMOOTH_M = 14.0
"""Over what length the main road's bends begin and end."""

CORNER_M = 6.0
"""The radius of the kerbs at a crossing."""

SIDE_M = 150.0
"""How far the crossing road goes to either side."""

ZEBRA_M, BEFORE_ZEBRA_M = 3.0, 0.8
"""How long the bars of a pedestrian crossing are, and how far from the rounded kerb they begin."""

STOP_LINE_M = 1.2
"""How far before a pedestrian crossing the line to stop at is."""

RIGHT_M, LEFT_M, EASE_M = 6.8, 11.0, 7.0
"""The tightest radii of turns to the right and to the left, and over what length a wheel is turned."""

LANES = ("main>", "main<", "cross>", "cross<")
"""With the main road and against it; on the crossing road to the left, and to the right of the main road."""


@dataclass(frozen=True)
class Zebra:
    """A pedestrian crossing over the road `line` ("main" or "cross"), its middle at `at_m` along it."""

    line: str
    at_m: float


@dataclass(frozen=True)
class Street:
    """The numbers that make a street.

    bends : pieces (length, curvature) of the main road, one after the other
    lane_m : how wide a lane is; there is one each way
    parking_m : how wide the lanes for parking are, 0 without
    pavement_m : how wide the pavements are
    garden_m : how far behind the pavements the houses stand
    crossing_m : where along the main road another road crosses, less than 0 where none does
    zebra_m : where pedestrians cross the main road between crossings, less than 0 where they do not
    """

    bends: tuple[tuple[float, float], ...]
    lane_m: float
    parking_m: float
    pavement_m: float
    garden_m: float
    crossing_m: float = -1.0
    zebra_m: float = -1.0

    @property
    def crossed(self) -> bool:
        """Whether another road crosses."""
        return self.crossing_m >= 0

    @property
    def kerb_m(self) -> float:
        """How far from the middle of a road its kerbs are."""
        return self.lane_m + (self.parking_m or 0.35)

    @property
    def mouth_m(self) -> float:
        """How far from the middle of the crossing the kerbs begin to round off."""
        return self.kerb_m + CORNER_M

    @property
    def line_m(self) -> float:
        """How far from the middle of the crossing the lines to stop at are."""
        return self.mouth_m + BEFORE_ZEBRA_M + ZEBRA_M + STOP_LINE_M

    @cached_property
    def main(self) -> LanePath:
        """The middle of the main road; it runs along +x where it is crossed, and at its begin otherwise."""
        way = drawn_way((0.0, 0.0), 0.0, list(self.bends), SMOOTH_M)
        if not self.crossed:
            return way
        turned = -float(way.at(self.crossing_m)[1])
        return drawn_way((0.0, 0.0), turned, list(self.bends), SMOOTH_M)

    @cached_property
    def cross(self) -> LanePath:
        """The middle of the crossing road, from right to left; it meets the main road in its middle."""
        (x, y), _ = self.main.at(self.crossing_m)
        return drawn_way((float(x), float(y) - SIDE_M), math.pi / 2, [(2 * SIDE_M, 0.0)], 1.0)

    @cached_property
    def lanes(self) -> dict[str, LanePath]:
        """The middle of each lane, in the direction of its traffic."""
        half = self.lane_m / 2
        found = {"main>": self.main.offset(-half), "main<": self.main.reversed().offset(-half)}
        if self.crossed:
            found["cross>"] = self.cross.offset(-half)
            found["cross<"] = self.cross.reversed().offset(-half)
        return found

    def zebras(self) -> tuple[Zebra, ...]:
        """Return the pedestrian crossings: four at a crossing, and the one between crossings."""
        found = [Zebra("main", self.zebra_m)] if self.zebra_m >= 0 else []
        if self.crossed:
            off = self.mouth_m + BEFORE_ZEBRA_M + ZEBRA_M / 2
            found += [Zebra("main", self.crossing_m + side * off) for side in (-1, 1)]
            found += [Zebra("cross", SIDE_M + side * off) for side in (-1, 1)]
        return tuple(found)

    def road(self, line: str) -> LanePath:
        """Return the middle of the road called "main" or "cross"."""
        return self.main if line == "main" else self.cross

    def straight(self, lane: str) -> Route:
        """Return the route along one lane."""
        return along(lane, self.lanes[lane])

    def turned(self, first: str, then: str) -> Route:
        """Return the route from one lane into another at the crossing."""
        a, b = (float(self.lanes[k].at(self._at(k))[1]) for k in (first, then))
        angle = math.remainder(b - a, 2 * math.pi)
        bend = turn(angle, RIGHT_M if angle < 0 else LEFT_M, EASE_M)
        return turning(first, self.lanes[first], then, self.lanes[then], bend)

    def line_on(self, lane: str) -> float:
        """Return where along a lane the line to stop at before the crossing is."""
        return self._at(lane) - self.line_m

    def _at(self, lane: str) -> float:
        return self.lanes[lane].nearest(self.main.at(self.crossing_m)[0])

    def kerbs(self) -> tuple[Kerb, ...]:
        """Return the kerbs: two along an uncrossed street, four round the corners of a crossing."""
        both = ((-1, self.main.offset(-self.kerb_m)), (1, self.main.offset(self.kerb_m)))
        if not self.crossed:
            return tuple(Kerb(way, side, 0.0, way.length_m) for side, way in both)
        return tuple(self._corner(way, side, after) for side, way in both for after in (False, True))

    def _corner(self, way: LanePath, side: int, after: bool) -> Kerb:
        """Return the kerb along a side of the main road, and round the corner before or after a crossing."""
        (x, y), _ = self.main.at(self.crossing_m)
        at = way.nearest((float(x), float(y) + side * self.kerb_m))
        quarter = (math.pi / 2 * CORNER_M, side / CORNER_M)
        out = SIDE_M - self.mouth_m
        if not after:
            first = way.part(0.0, at - self.mouth_m)
            arc = _bow(first.places_m[-1], float(first.headings_rad[-1]), quarter)
            rest = _bow(arc.places_m[-1], float(arc.headings_rad[-1]), (out, 0.0))
            return Kerb(joined_paths(first, arc, rest), side, 0.0, first.length_m)
        # The kerb comes in along the crossing road, from the side to the main road.
        start = np.array([float(x) + self.kerb_m, float(y) + side * SIDE_M])
        come = _bow(start, -side * math.pi / 2, (out, 0.0))
        arc = _bow(come.places_m[-1], float(come.headings_rad[-1]), quarter)
        last = way.part(at + self.mouth_m, way.length_m)
        whole = joined_paths(come, arc, last)
        return Kerb(whole, side, whole.length_m - last.length_m, whole.length_m)


@dataclass(frozen=True, eq=False)
class Kerb:
    """A kerb with the pavement on its left (`side` 1) or right (-1); from `first_m` to `last_m` it runs along
    the main road.
    """

    way: LanePath
    side: int
    first_m: float
    last_m: float

    def behind(self, s_m: Array | float, off_m: Array | float) -> tuple[Array, Array]:
        """Return places so far behind the kerb, on the pavement's side, and the kerb's headings there."""
        return self.way.beside(s_m, self.side * np.asarray(off_m, dtype=np.float64))

    @property
    def beside_m(self) -> tuple[tuple[float, float], ...]:
        """The stretches along the crossing road, from one length to another; none on an uncrossed street."""
        found = []
        arc = CORNER_M * math.pi / 2
        if self.first_m > 0:
            found.append((0.0, self.first_m - arc))
        if self.last_m < self.way.length_m:
            found.append((self.last_m + arc, self.way.length_m))
        return tuple(found)


def _bow(start_m: Array, heading_rad: float, piece: tuple[float, float]) -> LanePath:
    return drawn_way((float(start_m[0]), float(start_m[1])), heading_rad, [piece], 0.1)


def edits_of(street: Street) -> tuple[str, ...]:
    """Return a street as a scene keeps it."""
    bends = ";".join(f"{m:.9g},{c:.9g}" for m, c in street.bends)
    numbers = (f"{k.name}:{getattr(street, k.name):.9g}" for k in fields(Street)[1:])
    return (f"bends:{bends}", *numbers)


def rounded_street(street: Street) -> Street:
    """Return the street as it is read back: to nine digits."""
    return street_of(edits_of(street))


def street_of(edits: tuple[str, ...]) -> Street:
    """Return the street that a scene keeps. Raises DataError where a number is missing or none."""
    found = dict(e.partition(":")[::2] for e in edits)
    try:
        pairs = [p.split(",") for p in found.pop("bends").split(";")]
        bends = tuple((float(m), float(c)) for m, c in pairs)
        return Street(bends, **{k: float(v) for k, v in found.items()})
    except (KeyError, ValueError, TypeError) as e:
        raise DataError(
            f"street: its edits {', '.join(edits)[:80]!r} do not describe a street ({e}); use the scene as "
            "it was written"
        ) from e
