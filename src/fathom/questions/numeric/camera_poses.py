"""Five poses of one camera of which nothing but the time tells which one is asked for.

The false ones are true poses of the same camera at other times, before and after, about as far apart from
one another as the sampled error; one weight draws them to the answer until the nearest lies at it. Who knows
how cameras are carried finds five that are carried so.

How far a camera has gone after so many seconds could be known too, roughly; and where ways are much alike,
when it is at which place. So answers are chosen with their rates (way gone, or time expected, ÷ time) spread
evenly, and the rates of all five of a set lie within the same span: of whatever rate a camera is taken to be,
there are as many answers that have it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from fathom.questions.numeric.answer_balancing import (
    SHORT,
    Orders,
    Span,
    Want,
    density,
    orders_of,
    shared_out,
    taken_in_turn,
)
from fathom.questions.numeric.error_sampling import (
    POINTS,
    Floats,
    nearest_of_each,
    sampled_errors,
)
from fathom.questions.numeric.expected_poses import expected_times
from fathom.questions.numeric.measures import QuantityMeasure
from fathom.questions.numeric.set_sampling import BATCH, BATCHES, SampledSet, drawn_nearer
from fathom.questions.numeric.vector_answers import Vector
from fathom.records import UnfitError
from fathom.store.seeds import Name, rng

FARTHER = 1.15
"""How far along the way the nearest false pose is taken before it is drawn nearer, in errors."""

UNEVEN = 0.3
"""By how much the distances along the way from one pose of a set to the next differ, at most."""

NEARER = 0.5
"""The greatest weight: from what is drawn nearer by more, one might tell to where it was drawn."""

PROPOSALS = 24
"""For each place of the answer, and each level."""

PLACE = np.array([1.0, 1.0, 1.0, 0.0, 0.0, 0.0])
"""What each part of a pose counts where turns count nothing."""

AROUND, SLOWEST = 15, 0.5
"""Over so many frames to either side it is looked how much passes, and at least such a share of the mean."""

TIMES, FEWEST = 5, 40
"""Into how many parts times are divided, each with at least so many ways."""

WAY_TRIMS = (0.0, 0.01, 0.03, 0.075, 0.15, 0.25, 0.4, 0.5)
MOST_TRIMMED = 0.6
"""Which share of the slowest and fastest may be left out: cars that turn all drive alike, but for a few."""


@dataclass(frozen=True, eq=False)
class CameraPath:
    """The poses of a camera at all frames of a video, and the frame that is asked about.

    poses : (F, 6) x, y, z in metres, and yaw (unwrapped), pitch and roll in degrees, from the first one
    times_s : (F,) seconds since the first frame
    expected_s : (F,) when one who knows other cameras would expect this one there, where ways are alike
    """

    poses: Floats
    times_s: Floats
    frame: int
    expected_s: Floats | None = None

    @property
    def turned(self) -> Floats:
        """(F, 6) the poses with yaws a whole number of turns off, so that the answer's is in (−180, 180]."""
        out = self.poses.copy()
        yaw = float(out[self.frame, 3])
        out[:, 3] += 180.0 - (180.0 - yaw) % 360.0 - yaw
        return out

    @property
    def answer(self) -> Floats:
        """(6,) the pose that is asked for."""
        found: Floats = self.turned[self.frame]
        return found

    def along(self, weights: Floats) -> Floats:
        """Return (F,) how far the camera has come by each frame, in metres; turns count by `weights` (6,)."""
        steps = np.linalg.norm(np.diff(self.poses, axis=0) * weights, axis=1)
        return np.concatenate([[0.0], np.cumsum(steps)])

    @property
    def passed(self) -> Floats:
        """(F,) what could be guessed from the time: when the camera is expected there, else how far it has
        gone.
        """
        return self.along(PLACE) if self.expected_s is None else self.expected_s

    @property
    def rate(self) -> float:
        """What has passed in a second until the time that is asked about."""
        return float(self.passed[self.frame] / max(float(self.times_s[self.frame]), 1e-9))

    def pace(self, weights: Floats) -> float:
        """Return how far the camera comes around the time that is asked about, ÷ what passes meanwhile."""
        ends = [max(self.frame - AROUND, 0), min(self.frame + AROUND, len(self.poses) - 1)]
        (way, passed, lasts) = (np.diff(v[ends])[0] for v in (self.along(weights), self.passed, self.times_s))
        mean = self.passed[-1] / max(float(self.times_s[-1]), 1e-9)
        return float(way / max(passed, SLOWEST * mean * lasts, 1e-12))


@dataclass(frozen=True)
class LevelledWays:
    """Which ways would do for each question; all ways, as what they are asked about; within what rates their
    options lie, and which share of a level spread is missing.
    """

    orders: Orders
    ways: tuple[CameraPath, ...]
    rates: Span
    missing: float

    @property
    def indices(self) -> tuple[int, ...]:
        """The first choice of each question that no earlier one has taken; −1: there is none."""
        return taken_in_turn(self.orders)


@dataclass(frozen=True)
class _Sets:
    """Proposed sets of some ways: five poses (ways, n, 5, 6) as they are, errors and ranks (n,).

    kept : (ways, n) whether they are of use, whatever the span of the rates
    slowest, fastest : (ways, n) the rates that cameras have that are at the first, at the last of the five
    """

    poses: Floats
    errors: Floats
    ranks: NDArray[np.intp]
    kept: NDArray[np.bool_]
    slowest: Floats
    fastest: Floats


@dataclass(frozen=True)
class _Steps:
    """Errors and ranks (n,) of proposed sets, and how far along the way from the answer their poses lie,
    (n, 5) in metres.
    """

    errors: Floats
    ranks: NDArray[np.intp]
    along: Floats


_Room = tuple[Floats, Floats, NDArray[np.bool_]]


def draw_on_way(way: CameraPath, vector: Vector, rates: Span, *names: Name, rank: int = -1) -> SampledSet:
    """Return a set of five poses on a way, in the order in which the camera takes them; `rank` is which of
    them is asked for, −1: any, each as likely.

    Raises UnfitError where none is found.
    """
    g = rng("five poses", *names)
    for _ in range(BATCHES):
        sets = _on_ways(_steps(g, vector.errors, BATCH, rank), [way], vector)
        kept = (sets.kept & (sets.slowest >= rates.low) & (sets.fastest <= rates.high))[0]
        if kept.any():
            k = int(np.argmax(kept))
            return drawn_nearer(
                way.answer, sets.poses[0, k], vector.weights, int(sets.ranks[k]), float(sets.errors[k])
            )
    raise UnfitError(
        f"options for the pose at {way.times_s[way.frame]:g} s ({'/'.join(map(str, names))}): expected five "
        f"poses of the camera at least {vector.errors.least:g} apart around it, found none in "
        f"{BATCH * BATCHES} draws; ask about another time"
    )


def levelled_ways(
    ways: Sequence[CameraPath], wants: Sequence[Want], vector: Vector, *names: Name, alike: bool = False
) -> LevelledWays:
    """Return for each question that is wanted which of the ways would do, their rates spread evenly, with the
    span that the rates of options keep to.

    `alike`: ways are much alike, as on streets, so that other cameras tell when one is where.

    Raises UnfitError where there are fewer, or no room for five options.
    """
    return WayLot(ways, vector, *names, alike=alike).levelled(wants)


class WayLot:
    """Ways that questions can be about. What is found of them is kept for when other questions are wanted."""

    def __init__(self, ways: Sequence[CameraPath], vector: Vector, *names: Name, alike: bool = False) -> None:
        self._ways = tuple(_expected(ways, vector.weights) if alike else ways)
        self._vector, self._names = vector, names
        self._rates = np.array([way.rate for way in self._ways])
        self._paces = np.array([way.pace(vector.weights) for way in self._ways])
        self._rooms: dict[Want, _Room] = {}

    def levelled(self, wants: Sequence[Want]) -> LevelledWays:
        """Return what `levelled_ways` does."""
        kinds = {want: k for k, want in enumerate(dict.fromkeys(wants))}
        which = [kinds[want] for want in wants]
        slow, fast, kept = (np.array(v) for v in zip(*map(self._room, kinds), strict=True))
        best: tuple[float, Span, NDArray[np.intp], Floats] | None = None
        for span, inside, crowd in self._trimmed if len(self._ways) >= len(wants) else ():
            if len(inside) < len(wants):
                continue
            fits = kept & (slow >= span.low) & (fast <= span.high)
            rooms = np.count_nonzero(fits, axis=2)[:, inside] / PROPOSALS * self._paces[inside]
            chances, missing = shared_out(rooms[which], crowd)
            if chances.any() and (best is None or missing < best[0]):
                best = missing, span, inside, chances
            if best and best[0] <= SHORT:
                break
        if best is None:
            raise UnfitError(
                f"poses for {'/'.join(map(str, self._names))}: expected at least {len(wants)} with room for "
                f"five options, found {len(self._ways)} that leave none; make more candidates"
            )
        missing, span, inside, chances = best
        return LevelledWays(orders_of(inside, chances, *self._names), self._ways, span, missing)

    @cached_property
    def _trimmed(self) -> list[tuple[Span, NDArray[np.intp], Floats]]:
        """Spans of rates, the widest first, with the ways inside, and how many are like each of them."""
        times, trims = np.array([way.times_s[way.frame] for way in self._ways]), np.array(_trims())
        lows, highs = np.quantile(self._rates, [trims[:, 0], 1 - trims[:, 1]])
        out = []
        for low, high in zip(lows, highs, strict=True):
            inside = np.flatnonzero((self._rates >= low) & (self._rates <= high))
            crowd = _crowd(self._rates[inside], times[inside]) if len(inside) else np.zeros(0)
            out.append((Span(float(low), float(high)), inside, crowd))
        return out

    def _room(self, want: Want) -> _Room:
        """Return (n, proposals) the slowest and fastest rates of proposed sets, and which are of use."""
        if want not in self._rooms:
            errors, rank = want
            vector = replace(self._vector, errors=errors)
            g = rng("room for poses", *self._names, rank, f"{errors.least:g}")
            steps = _steps(g, errors, PROPOSALS, rank)
            sets = _on_ways(steps, self._ways, vector)
            self._rooms[want] = sets.slowest, sets.fastest, sets.kept
        return self._rooms[want]


def _expected(ways: Sequence[CameraPath], weights: Floats) -> list[CameraPath]:
    """Return the ways with the times at which each camera is expected along them."""
    cameras = {id(way.poses): way for way in ways}
    found = expected_times(
        [w.poses for w in cameras.values()], [w.times_s for w in cameras.values()], weights
    )
    clocks = dict(zip(cameras, found, strict=True))
    return [replace(way, expected_s=clocks[id(way.poses)]) for way in ways]


def _crowd(rates: Floats, times: Floats) -> Floats:
    """Return how many of the ways (n,) have a rate like each of them and are asked about at a like time."""
    out = np.zeros(len(rates))
    parts = min(TIMES, max(len(times) // FEWEST, 1))
    edges = np.quantile(times, np.linspace(0, 1, parts + 1)) if parts > 1 else np.zeros(2)
    part = np.clip(np.searchsorted(edges, times, side="right") - 1, 0, len(edges) - 2)
    ends = np.array([rates.min(), rates.max()])
    for k in np.unique(part):
        own = part == k
        # Both ends of the range are there, so that all times have the same parts of it.
        out[own] = density(np.concatenate([rates[own], ends]))[:-2] / own.sum()
    return out


def _trims() -> list[tuple[float, float]]:
    """Return which shares of the slowest and of the fastest are left out, the least first."""
    pairs = [(a, b) for a in WAY_TRIMS for b in WAY_TRIMS if a + b <= MOST_TRIMMED]
    return sorted(pairs, key=lambda pair: (sum(pair), pair))


def _steps(g: np.random.Generator, measure: QuantityMeasure, count: int, rank: int) -> _Steps:
    """Return how far along any way proposed sets lie."""
    errors, rows = sampled_errors(measure, g.random(count)), np.arange(count)
    gaps = 1.0 + g.uniform(-UNEVEN, UNEVEN, (count, POINTS - 1))
    ranks = np.full(count, rank) if rank >= 0 else g.integers(POINTS, size=count)
    line = np.concatenate([np.zeros((count, 1)), np.cumsum(gaps, axis=1)], axis=1)
    nearest = nearest_of_each(line[:, :, None])[rows, ranks]
    return _Steps(errors, ranks, (line - line[rows, ranks][:, None]) * (FARTHER * errors / nearest)[:, None])


def _on_ways(steps: _Steps, ways: Sequence[CameraPath], vector: Vector) -> _Sets:
    """Return the sets that lie so on each of the ways, (ways, n)."""
    errors, ranks, weights, rows = steps.errors, steps.ranks, vector.weights, np.arange(len(steps.errors))
    cameras = {id(way.poses): way for way in ways}
    lines = {camera: way.along(weights) for camera, way in cameras.items()}
    clocks = {camera: way.passed for camera, way in cameras.items()}
    alongs = [lines[id(way.poses)] for way in ways]
    own = np.array([along[way.frame] for along, way in zip(alongs, ways, strict=True)])[:, None]
    ends = np.array([along[-1] for along in alongs])[:, None]
    times = np.array([float(way.times_s[way.frame]) for way in ways])[:, None]
    lasts = np.array([float(way.times_s[-1]) for way in ways])[:, None]
    places = own[:, :, None] + steps.along
    # Any of the five could be the answer: before it and after it lies as much as all five are apart, and a
    # camera that had gone only as far as the first of them could still have gone as far as the last.
    length = places[..., -1] - places[..., 0]
    kept = (places[..., 0] >= length) & (own + length <= ends)
    passed, poses = np.empty(places.shape), np.empty((*places.shape, len(weights)))
    for k, (way, along) in enumerate(zip(ways, alongs, strict=True)):
        turned = way.turned
        passed[k] = np.interp(places[k], along, clocks[id(way.poses)])
        for part, column in enumerate(turned.T):
            poses[k, ..., part] = np.interp(places[k], along, column)
        poses[k, rows, ranks] = turned[way.frame]
    first, last = passed[..., 0], passed[..., -1]
    kept &= (first > 0) & (last * times <= first * lasts)
    apart = nearest_of_each((poses * weights).reshape(-1, *poses.shape[2:])).reshape(places.shape)
    nearer = errors / np.maximum(apart[:, rows, ranks], 1e-12)
    apart = apart * nearer[..., None]
    kept &= (apart.min(axis=2) >= vector.errors.least) & (apart.max(axis=2) <= vector.errors.most)
    kept &= (nearer >= 1.0 - NEARER) & (nearer <= 1.0)
    low, high = (np.array([getattr(p, end) for p in vector.parts]) for end in ("low", "high"))
    kept &= ((poses >= low) & (poses <= high)).all(axis=(2, 3))
    return _Sets(poses, errors, ranks, kept, first / times, last / times)
