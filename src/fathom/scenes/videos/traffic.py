"""Drivers who keep to their lanes, follow each other, slow down for turns, and stop where they have to.

Each goes along a route by the intelligent driver model (Treiber, Hennecke, Helbing 2000): towards the speed
that the road allows, held back by whoever is ahead. What turns is slowed beforehand to what a turn bears.

    lengths, speeds = driven(drivers, times)          # (N, F) metres and metres a second
    poses = drivers[0].poses(lengths[0], times)
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from fathom.geometry.poses import Array
from fathom.records import Pose
from fathom.scenes.videos import routes
from fathom.scenes.videos.lanes import LanePath, joined_paths, put, reach_m

AXLE = 0.28
"""How far behind the middle the rear axle is, as a share of the length: it is what follows the way."""

SIDEWAYS = 2.2
"""The acceleration to the side that drivers bear in a turn, m/s²."""

BRAKES, PULLS = 3.0, 2.0
"""The hardest that is braked, and the most that an engine gives, m/s²."""

LAG_S = 0.25
"""How long a foot takes: accelerations do not jump."""

AHEAD_S = 0.5
"""How far ahead, in time, the speed that a road allows is looked up."""

LEAVING_M, JOINING_M = 9.0, 6.0
"""How much of a turn off a lane, and into one, still counts as being on it for those who follow."""


@dataclass(frozen=True)
class RouteStretch:
    """A piece of a route: from `first_m` to `last_m` of it one is on `lane`, at first at `lane_m` of it."""

    lane: str
    first_m: float
    last_m: float
    lane_m: float


@dataclass(frozen=True, eq=False)
class Route:
    """A way through the streets, and the lanes that it goes along."""

    way: LanePath
    stretches: tuple[RouteStretch, ...]

    def met(self, lane: str, lane_m: float) -> float | None:
        """Return the length along the route at which a point of a lane is passed; None where it is not."""
        for s in self.stretches:
            at = s.first_m + lane_m - s.lane_m
            if s.lane == lane and s.first_m <= at <= s.last_m:
                return at
        return None


def along(lane: str, way: LanePath) -> Route:
    """Return the route along one lane from its begin to its end."""
    return Route(way, (RouteStretch(lane, 0.0, way.length_m, 0.0),))


def turning(first: str, first_way: LanePath, then: str, then_way: LanePath, bend: LanePath) -> Route:
    """Return the route along a lane, through a bend where it meets another, and along that one.

    Both lanes are straight there.
    """
    corner = _corner(first_way, then_way)
    off, onto, before = first_way.nearest(corner), then_way.nearest(corner), reach_m(bend)
    begin, begins = off - before, onto + before
    place, heading = first_way.at(begin)
    curve = put(bend, place, float(heading))
    way = joined_paths(first_way.part(0.0, begin), curve, then_way.part(begins, then_way.length_m))
    done = begin + curve.length_m
    return Route(
        way,
        (
            RouteStretch(first, 0.0, begin, 0.0),
            RouteStretch(f"{first}{then}", begin, done, 0.0),
            RouteStretch(then, done, way.length_m, begins),
        ),
    )


def _corner(a: LanePath, b: LanePath) -> Array:
    """Return where the straight line of the second way crosses the first."""
    k = int(np.argmin(np.abs(_aside(b, a.places_m))))
    p, h = a.places_m[k], float(a.headings_rad[k])
    along = np.array([math.cos(h), math.sin(h)])
    here, step = float(_aside(b, p[None])[0]), float(_aside(b, (p + along)[None])[0])
    return np.asarray(p - along * here / (step - here))


def _aside(way: LanePath, points: Array) -> Array:
    """Return how far points (n, 2) are to the left of a straight way's line."""
    h = float(way.headings_rad[0])
    return np.asarray((points - way.places_m[0]) @ np.array([-math.sin(h), math.cos(h)]))


@dataclass(frozen=True)
class StopLine:
    """A line at `at_m` of a route that no bumper crosses from `from_s` to `until_s`, if it can still stop."""

    at_m: float
    until_s: float
    from_s: float = 0.0


@dataclass(frozen=True, eq=False)
class Driver:
    """Somebody at a wheel: the route, the vehicle's length, where it is at first and how fast.

    at_m : where along the route the rear axle is at first
    aside_m : how far to the left of the middle of the lane it keeps
    """

    route: Route
    length_m: float
    at_m: float
    speed: float
    wish: float
    stops: tuple[StopLine, ...] = ()
    aside_m: float = 0.0
    pulls: float = 1.5
    brakes: float = 1.6
    headway_s: float = 1.4
    gap_m: float = 2.2
    sideways: float = SIDEWAYS
    hardest: float = BRAKES
    axle: float = AXLE
    _way: list[LanePath] = field(default_factory=list)

    @property
    def way(self) -> LanePath:
        """The way that the rear axle follows."""
        if not self._way:
            self._way.append(self.route.way if not self.aside_m else self.route.way.offset(self.aside_m))
        return self._way[0]

    @property
    def ahead_m(self) -> float:
        """How far before the rear axle the front bumper is."""
        return (0.5 + self.axle) * self.length_m

    @property
    def behind_m(self) -> float:
        """How far behind the rear axle the rear bumper is."""
        return (0.5 - self.axle) * self.length_m

    def centres(self, lengths_m: Array) -> tuple[Array, Array]:
        """Return the (F, 2) places of the vehicle's middle and its (F,) headings."""
        places, heading = self.way.at(lengths_m)
        toward = np.stack([np.cos(heading), np.sin(heading)], axis=-1)
        return places + self.axle * self.length_m * toward, heading

    def poses(self, lengths_m: Array, times_s: Array) -> tuple[Pose, ...]:
        """Return its poses on level ground."""
        places, heading = self.centres(lengths_m)
        return routes.upright_poses(np.column_stack([places, np.zeros(len(places))]), heading, times_s)


def allowed(driver: Driver) -> tuple[Array, Array]:
    """Return lengths along a driver's way, every half metre, and the speed that is allowed there."""
    way = driver.way
    s = np.arange(0.0, way.length_m, 0.5)
    curve = np.abs(np.interp(s, way.s_m, way.curvatures))
    top = np.minimum(driver.wish, np.sqrt(driver.sideways / np.maximum(curve, 1e-6)))
    squares = top**2
    for k in range(len(s) - 2, -1, -1):
        squares[k] = min(squares[k], squares[k + 1] + 2 * 0.5 * 0.8 * driver.brakes)
    return s, np.sqrt(squares)


def driven(drivers: list[Driver], times_s: Array) -> tuple[Array, Array]:
    """Return the (N, F) lengths of all rear axles along their ways, and their speeds."""
    n, frames = len(drivers), len(times_s)
    limits = [allowed(d) for d in drivers]
    low, high, shift = _shared(drivers)
    ahead, behind = (np.array([getattr(d, k) for d in drivers]) for k in ("ahead_m", "behind_m"))
    wants = _Wants(*(np.array([getattr(d, k) for d in drivers])
                     for k in ("pulls", "brakes", "headway_s", "gap_m", "hardest")))  # fmt: skip
    s = np.array([d.at_m for d in drivers])
    v = np.array([min(d.speed, float(np.interp(d.at_m, *limits[k]))) for k, d in enumerate(drivers)])
    push = np.zeros(n)
    lengths, speeds = np.zeros((n, frames)), np.zeros((n, frames))
    for f in range(frames):
        lengths[:, f], speeds[:, f] = s, v
        if f + 1 == frames:
            break
        dt = float(times_s[f + 1] - times_s[f])
        gaps, closing = _leaders(s, v, ahead, behind, low, high, shift)
        lines = np.array([_line(d, s[k] + ahead[k], v[k], float(times_s[f])) for k, d in enumerate(drivers)])
        nearer = lines < gaps
        gaps, closing = np.where(nearer, lines, gaps), np.where(nearer, v, closing)
        top = np.array([np.interp(s[k] + v[k] * AHEAD_S, *limits[k]) for k in range(n)])
        push += (wants.push(v, top, gaps, closing) - push) * min(1.0, dt / LAG_S)
        after = np.maximum(v + push * dt, 0.0)
        after = np.where((after < 0.05) & (push <= 0), 0.0, after)
        push = np.where((after == 0) & (push < 0), 0.0, push)
        s, v = s + (v + after) / 2 * dt, after
    return lengths, speeds


@dataclass(frozen=True, eq=False)
class _Wants:
    """What each driver is like, (N,) each."""

    pulls: Array
    brakes: Array
    headway_s: Array
    gap_m: Array
    hardest: Array

    def push(self, v: Array, top: Array, gaps: Array, closing: Array) -> Array:
        """Return the accelerations wanted at speeds v where `top` is allowed, behind `gaps` that close."""
        free = np.where(
            v < top,
            self.pulls * (1 - (v / np.maximum(top, 0.1)) ** 4),
            np.maximum((top - v) / 0.5, -self.hardest),
        )
        wished = self.gap_m + np.maximum(
            0.0, v * self.headway_s + v * closing / (2 * np.sqrt(self.pulls * self.brakes))
        )
        held = self.pulls * (wished / np.maximum(gaps, 0.2)) ** 2
        return np.asarray(np.clip(free - held, -self.hardest, PULLS))


def _line(driver: Driver, bumper_m: float, speed: float, time_s: float) -> float:
    """Return how far before the bumper the next line is that is still closed; infinite where none is."""
    # A driver keeps a gap to whoever is ahead, and stands about a metre before a line.
    room = driver.gap_m - 1.0
    needs = speed**2 / (2 * driver.hardest) - 0.5
    left = [s.at_m - bumper_m for s in driver.stops if s.from_s <= time_s < s.until_s]
    return float(min((m + room for m in left if m > needs), default=math.inf))


def _shared(drivers: list[Driver]) -> tuple[Array, Array, Array]:
    """Return (N, N, P): from `low` to `high` of j's route it is on i's, at its own length plus `shift`."""
    most = max(len(d.route.stretches) for d in drivers) ** 2
    n = len(drivers)
    low, high, shift = (np.full((n, n, most), v) for v in (np.inf, -np.inf, 0.0))
    for i, a in enumerate(drivers):
        for j, b in enumerate(drivers):
            if i == j:
                continue
            pairs = ((p, q) for p in a.route.stretches for q in b.route.stretches if p.lane == q.lane)
            for k, (p, q) in enumerate(pairs):
                late = 0.0 if q is b.route.stretches[-1] else LEAVING_M
                early = 0.0 if q is b.route.stretches[0] else JOINING_M
                low[i, j, k], high[i, j, k] = q.first_m - early, q.last_m + late
                shift[i, j, k] = p.first_m - p.lane_m + q.lane_m - q.first_m
    return low, high, shift


def _leaders(
    s: Array, v: Array, ahead: Array, behind: Array, low: Array, high: Array, shift: Array
) -> tuple[Array, Array]:
    """Return (N,) the gap to whoever is next ahead, infinite where nobody is, and how fast it closes."""
    there = (s[None, :, None] >= low) & (s[None, :, None] <= high)
    gaps = s[None, :, None] + shift - behind[None, :, None] - (s + ahead)[:, None, None]
    # Who is beside or behind is nobody's leader.
    gaps = np.where(there & (gaps > -behind[None, :, None] - ahead[None, :, None]), gaps, np.inf).min(axis=2)
    gaps = np.where(gaps > -1.0, gaps, np.inf)
    leader = np.argmin(gaps, axis=1)
    nearest = gaps[np.arange(len(s)), leader]
    return nearest, np.where(np.isfinite(nearest), v - v[leader], 0.0)
