"""Which clip of an actor plays, from where points of its surface are seen: looked up in its repertoire.

At every frame looked at, the points are held against every clip at every time, each wherever the actor may
stand and face. A clip goes on in time, and an actor stands where it stood unless it goes: the course of least
cost through the film decides.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from fathom.assets.model import Points
from fathom.verify.observed.blends import Blend, blends_of
from fathom.verify.observed.motion_library import MotionClip, MotionLibrary
from fathom.verify.observed.upright import UprightPose, Values, middles, turned, upright_fit, wrapped

POINTS_USED = 240
"""So many surface points are used at a frame."""

SIGMA = 0.004
"""What a fit leaves over is counted in this share of the actor's size."""

WORST = 60.0
"""The cost of a frame that a clip does not fit at all."""

SWITCH = 6.0
TURN, SHIFT = 3.0, 20.0
"""The cost of another clip; of a turn of one radian; of going as far as the actor is long."""

COARSE_S, FINE = 1 / 18, 4
"""Clips are posed at such steps of their own time, so many between; in a straight line if they may be."""

SLOWEST, FASTEST = 0.55, 1.55
FITS = 0.02
"""A clip that leaves over more than this share of the actor's size is not what is seen."""

BACKWARDS, OFF_PACE = 2.0, 0.02
"""The cost of a clip that plays backwards, a frame; and of each of its times too many or too few."""

STRAIGHT = 0.004
"""Where half-way a point is further off a straight line than this share of the actor's size, all is posed."""

CLEARER = 0.4
"""By how much less a frame the cost must be than that of a clip with another verb."""


@dataclass(frozen=True, eq=False)
class SurfaceSample:
    """What is seen of the actor at one frame: (k,) triangles, (k, 3) weights of their corners, and where."""

    faces: NDArray[np.int32]
    weights: NDArray[np.float64]
    world_m: Points


@dataclass(frozen=True, eq=False)
class MotionEstimate:
    """What an actor does and where it stands at (G,) frames looked at.

    routine : index into the repertoire's routines, -1 where none fits
    time_s : the clip's own time
    pace : how much of the clip's own time passes until the next frame looked at
    yaw, shift_m, rms_m : how the actor's own frame lies in the world, and what the fit leaves over
    ease : (G, R) the least cost of each routine at any time, whatever comes before and after
    sure : whether no clip with another verb would do nearly as well
    blends : by index the frames at which it goes over from one routine to another
    """

    routine: NDArray[np.int64]
    time_s: Values
    pace: Values
    yaw: Values
    shift_m: Points
    rms_m: Values
    ease: Values
    sure: NDArray[np.bool_]
    blends: Mapping[int, Blend]


@dataclass(frozen=True, eq=False)
class _Table:
    """A routine at about J times: (G, J) times, costs and headings, (G, J, 3) shifts as shares of the actor's
    size, and (G, J) metres left over; `step` is how many of its times pass between two frames looked at.
    """

    routine: MotionClip
    times_s: Values
    step: float
    cost: Values
    yaw: Values
    shift: Values
    rms_m: Values


def evenly_drawn(sample: SurfaceSample) -> SurfaceSample:
    """Return the sample with just `POINTS_USED` points, some of them more than once where it has fewer."""
    chosen = np.linspace(0, len(sample.faces) - 1, POINTS_USED).round().astype(np.int64)
    return SurfaceSample(sample.faces[chosen], sample.weights[chosen], sample.world_m[chosen])


def course_of(repertoire: MotionLibrary, samples: Sequence[SurfaceSample], step_s: float) -> MotionEstimate:
    """Return what the actor does, from samples that are `step_s` apart. Needs a point in each."""
    drawn = [evenly_drawn(s) for s in samples]
    corners = repertoire.faces[np.stack([s.faces for s in drawn])]
    weights = np.stack([s.weights for s in drawn])
    world = np.stack([s.world_m for s in drawn])
    tables = [_table(repertoire, r, corners, weights, world, step_s) for r in repertoire.routines]
    ease = np.stack([t.cost.min(axis=1) for t in tables], axis=1)
    which, at = _cheapest(tables, len(samples))
    frames = range(len(samples))
    chosen = [tables[c] for c in which]
    rms = np.array([t.rms_m[g, j] for g, t, j in zip(frames, chosen, at, strict=True)])
    time = np.array([t.times_s[g, j] for g, t, j in zip(frames, chosen, at, strict=True)])
    yaw = np.array([t.yaw[g, j] for g, t, j in zip(frames, chosen, at, strict=True)])
    shift = np.stack([t.shift[g, j] for g, t, j in zip(frames, chosen, at, strict=True)])
    shift = repertoire.size_m * shift
    blends = blends_of(repertoire, which, time, rms, step_s, (corners, weights, world))
    for g, b in blends.items():
        which[g], time[g], yaw[g], shift[g], rms[g] = b.one, b.one_s, b.yaw, b.shift_m, b.rms_m
    fits = _fits(which, rms / repertoire.size_m)
    routine = np.where(fits, np.array(which), -1)
    return MotionEstimate(
        routine=routine,
        time_s=time,
        pace=_pace(tables, which, at, step_s, blends),
        yaw=yaw,
        shift_m=shift,
        rms_m=rms,
        ease=ease,
        sure=_sure(tables, which, blends) & fits,
        blends=blends,
    )


def _fits(which: Sequence[int], rms: Values) -> NDArray[np.bool_]:
    """Return at which frames a clip is what is seen: in most of its stretch well, and nowhere badly."""
    out = rms <= 3 * FITS
    for a, b in stretches(which):
        out[a : b + 1] &= float(np.median(rms[a : b + 1])) <= FITS
    return out


def stretches(values: Sequence[object]) -> list[tuple[int, int]]:
    """Return where a sequence stays the same: first and last index of each stretch."""
    cuts = [0, *(k for k in range(1, len(values)) if values[k] != values[k - 1]), len(values)]
    return [(a, b - 1) for a, b in pairwise(cuts)] if len(values) else []


def _table(
    repertoire: MotionLibrary,
    routine: MotionClip,
    corners: NDArray[np.int32],
    weights: NDArray[np.float64],
    world: Points,
    step_s: float,
) -> _Table:
    length = max(routine.end_s - routine.start_s, 0.0)
    count = max(1, round(length / COARSE_S))
    times = np.linspace(routine.start_s, routine.end_s, FINE * count + 1)
    fits: list[UprightPose] = []
    rms: list[Values] = []
    aside = np.zeros((len(times), len(world)))
    before: Points | None = None
    for posed in _motion(repertoire, routine, times, corners, weights):
        fit = upright_fit(posed, world)
        fits.append(fit)
        rms.append(fit.rms_m)
        if before is not None:
            j = len(fits) - 2
            share, left = _between(before, posed, world, fits[j])
            for at, nearer, off in ((j, share <= 0.5, share), (j + 1, share > 0.5, share - 1)):
                better = nearer & (left < rms[at])
                rms[at], aside[at] = np.where(better, left, rms[at]), np.where(better, off, aside[at])
        before = posed
    fine = length / (FINE * count)
    left_over = np.stack(rms, axis=1)
    return _Table(
        routine=routine,
        times_s=times + aside.T * fine,
        step=step_s / max(fine, 1e-9),
        cost=np.minimum((left_over / (SIGMA * repertoire.size_m)) ** 2, WORST),
        yaw=np.stack([f.yaw for f in fits], axis=1),
        shift=np.stack([f.shift_m for f in fits], axis=1) / repertoire.size_m,
        rms_m=left_over,
    )


def _motion(
    repertoire: MotionLibrary,
    routine: MotionClip,
    times_s: Values,
    corners: NDArray[np.int32],
    weights: NDArray[np.float64],
) -> Iterator[Points]:
    """Yield (G, k, 3) where the points seen are at each time of a clip, in the actor's own frame."""

    def posed(time_s: float) -> Points:
        vertices = repertoire.posed(routine.name, time_s)
        return np.asarray(np.einsum("gkc,gkcx->gkx", weights, vertices[corners]))

    before = posed(float(times_s[0]))
    yield before
    for k in range(0, len(times_s) - 1, FINE):
        half, now = posed(float(times_s[k + 2])), posed(float(times_s[k + 4]))
        bend = np.linalg.norm(2 * half - before - now, axis=-1).max(initial=0.0) / 2
        straight = bend <= STRAIGHT * repertoire.size_m
        yield (before + half) / 2 if straight else posed(float(times_s[k + 1]))
        yield half
        yield (half + now) / 2 if straight else posed(float(times_s[k + 3]))
        yield now
        before = now


def _between(one: Points, other: Points, world: Points, stand: UprightPose) -> tuple[Values, Values]:
    """Return at which share of the way between two poses points come nearest, and what is left over then.

    Where the body stands and faces is free all along the way, so that it takes no part in it.
    """
    first, last = (turned(p, stand.yaw[:, None]) for p in (one, other))
    first, last, seen = (p - middles(p)[:, None] for p in (first, last, world))
    spin = np.stack([-first[..., 1], first[..., 0], np.zeros(first.shape[:2])], axis=-1)

    def along(p: Points, q: Points) -> Values:
        return np.asarray(np.einsum("gn,gn->g", p.reshape(len(p), -1), q.reshape(len(q), -1)))

    def unturned(p: Points) -> Points:
        share = along(p, spin) / np.maximum(along(spin, spin), 1e-18)
        return np.asarray(p - share[:, None, None] * spin)

    off, way = unturned(seen - first), unturned(last - first)
    share = np.clip(along(off, way) / np.maximum(along(way, way), 1e-18), 0.0, 1.0)
    left = off - share[:, None, None] * way
    return share, np.sqrt(along(left, left) / one.shape[1])


def _moved(yaw: Values, shift: Values, yaw_before: Values, shift_before: Values) -> Values:
    """Return what it costs to get from one placing to another; shifts are shares of the actor's size."""
    far = np.linalg.norm(shift - shift_before, axis=-1)
    return np.asarray(TURN * np.abs(wrapped(yaw - yaw_before)) + SHIFT * far)


def _onwards(table: _Table, g: int, best: Values) -> tuple[Values, NDArray[np.int64]]:
    """Return for each time of a routine at frame g the least cost of having gone on in it, and since when."""
    count = table.times_s.shape[1]
    j = np.arange(count)
    shortest, longest = max(1, int(SLOWEST * table.step)), max(2, int(np.ceil(FASTEST * table.step)))
    cost, whence = np.full(count, np.inf), np.zeros(count, np.int64)
    for ahead in (*range(shortest, longest + 1), *range(-longest, -shortest + 1)):
        before = j - ahead
        if table.routine.loops:
            before = before % max(count - 1, 1)
            fine = np.ones(count, np.bool_)
        else:
            fine = (before >= 0) & (before < count)
            before = before.clip(0, count - 1)
        way = best[before] + OFF_PACE * abs(abs(ahead) - table.step) + (BACKWARDS if ahead < 0 else 0.0)
        way = way + _moved(table.yaw[g], table.shift[g], table.yaw[g - 1][before],
                           table.shift[g - 1][before])  # fmt: skip
        way = np.where(fine, way, np.inf)
        better = way < cost
        cost, whence = np.where(better, way, cost), np.where(better, before, whence)
    for end, near in ((count - 1, slice(max(0, count - 1 - longest), count)), (0, slice(0, longest + 1))):
        # What has come to its end stays there.
        stay = best[near] + _moved(table.yaw[g, end], table.shift[g, end], table.yaw[g - 1, near],
                                   table.shift[g - 1, near])  # fmt: skip
        k = int(np.argmin(stay))
        if stay[k] < cost[end]:
            cost[end], whence[end] = stay[k], (near.start or 0) + k
    return cost, whence


def _cheapest(tables: Sequence[_Table], frames: int) -> tuple[list[int], list[int]]:
    """Return routine and time index at every frame, of the course that costs least."""
    best = [t.cost[0].copy() for t in tables]
    back: list[list[tuple[NDArray[np.int64], NDArray[np.int64]]]] = []
    for g in range(1, frames):
        ends = [(c, int(np.argmin(b))) for c, b in enumerate(best)]
        new, links = [], []
        for c, table in enumerate(tables):
            cost, whence = _onwards(table, g, best[c])
            other = np.full(len(cost), c)
            for d, j in ends:
                way = best[d][j] + SWITCH + _moved(table.yaw[g], table.shift[g], tables[d].yaw[g - 1, j],
                                                   tables[d].shift[g - 1, j])  # fmt: skip
                better = way < cost
                cost, whence = np.where(better, way, cost), np.where(better, j, whence)
                other = np.where(better, d, other)
            new.append(cost + table.cost[g])
            links.append((other, whence))
        best = new
        back.append(links)
    c = int(np.argmin([b.min() for b in best]))
    j = int(np.argmin(best[c]))
    which, at = [c], [j]
    for links in reversed(back):
        other, whence = links[c]
        c, j = int(other[j]), int(whence[j])
        which.append(c)
        at.append(j)
    return which[::-1], at[::-1]


def _alone(table: _Table, first: int, last: int) -> float:
    """Return the least cost of one routine going on from a frame to another."""
    best = table.cost[first].copy()
    for g in range(first + 1, last + 1):
        best = _onwards(table, g, best)[0] + table.cost[g]
    return float(best.min())


def _sure(tables: Sequence[_Table], which: Sequence[int], blends: Collection[int]) -> NDArray[np.bool_]:
    """Return at which frames no routine with another verb would do nearly as well in its stretch."""
    out = np.zeros(len(which), np.bool_)
    for a, b in stretches([None if g in blends else tables[c].routine.verb for g, c in enumerate(which)]):
        if a in blends:
            continue
        verb = tables[which[a]].routine.verb
        cost: dict[bool, float] = {True: np.inf, False: np.inf}
        for t in tables:
            own = t.routine.verb == verb
            cost[own] = min(cost[own], _alone(t, a, b))
        out[a : b + 1] = cost[False] > cost[True] + CLEARER * (b - a + 1)
    return out


def _pace(
    tables: Sequence[_Table], which: Sequence[int], at: Sequence[int], step_s: float, blends: Collection[int]
) -> Values:
    """Return how much of the clip's time passes from each frame looked at to the next."""
    pace = np.zeros(len(which))
    for g in range(len(which)):
        t = tables[which[g]]
        if g + 1 == len(which) or which[g + 1] != which[g] or {g, g + 1} & set(blends):
            pace[g] = pace[g - 1] if g and which[g - 1] == which[g] else step_s
            continue
        passed = float(t.times_s[g + 1, at[g + 1]] - t.times_s[g, at[g]])
        length = t.routine.end_s - t.routine.start_s
        if t.routine.loops and length > 0:
            ways = [passed, passed + length, passed - length]
            passed = min(ways, key=lambda v: abs(abs(v) - step_s) + (0.0 if v > 0 else 1e-3))
        pace[g] = passed
    return pace
