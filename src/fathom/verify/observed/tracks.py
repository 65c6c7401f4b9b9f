"""Where an object is between the frames that show it: every way that they allow, as far as ways are smooth.

Where an object lies the same before and after, it stood still. Else it went from one place to the other, and
how is not seen: six smooth ways are laid through its places, which start and stop as early and as late as
can be. What they make of a quantity is how sure it is.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from fathom.verify.observed.extents import turn_between_deg

Array = NDArray[np.float64]
Ints = NDArray[np.intp]
Mask = NDArray[np.bool_]
GoesOn = Literal["natural", "not-a-knot"]

WAYS = 6
"""So many ways are laid between places."""

STILL_M, STILL_DEG = 3e-4, 0.15
"""What moves and turns less than this between two frames shown stood still."""

BRIDGED_S = 0.8
"""For longer than this nobody guesses where something is that moves."""

BENT = 0.3
"""By such a share of how far a place is off the smooth way through all others, a way may be off between two
places.
"""

LATE = 0.4
"""By so much of the time between two frames a start may lie after the first, or a stop before the last."""


@dataclass(frozen=True, eq=False)
class ObservedTrack:
    """Where a body is: its places (K, F, 3) on each way at every frame, world; at which frames (F,) that is
    known; how far a place may be off.
    """

    places_m: Array
    known: Mask
    unsure_m: float = 0.0


def course_of(
    times_s: Array, frames: Ints, places_m: Array, turns: Array, unsure_m: float
) -> tuple[ObservedTrack, Mask]:
    """Return a thing's course from its places (G, 3) and axes (G, 3, 3) at the frames that show it, and (F,)
    where it stands still.
    """
    count = len(times_s)
    out, known, still = np.full((WAYS, count, 3), np.nan), np.zeros(count, bool), np.zeros(count, bool)
    known[frames] = True
    out[:, frames] = places_m
    rests = [
        float(np.linalg.norm(places_m[g + 1] - places_m[g])) <= STILL_M
        and turn_between_deg(turns[g], turns[g + 1]) <= STILL_DEG
        for g in range(len(frames) - 1)
    ]
    for g in (g for g, rest in enumerate(rests) if rest):
        rows = np.arange(frames[g], frames[g + 1] + 1)
        share = (times_s[rows] - times_s[rows[0]]) / (times_s[rows[-1]] - times_s[rows[0]])
        out[:, rows] = places_m[g] + share[:, None] * (places_m[g + 1] - places_m[g])
        known[rows], still[rows] = True, True
    for a, b in _runs(times_s[frames], rests):
        rows = np.arange(frames[a], frames[b] + 1)
        ends = (a > 0 and rests[a - 1], b < len(rests) and rests[b])
        for way, places in enumerate(
            _ways(times_s[frames[a : b + 1]], places_m[a : b + 1], ends, times_s[rows])
        ):
            out[way, rows] = places
        known[rows] = True
    return ObservedTrack(out, known, unsure_m), still


def _runs(times: Array, rests: list[bool]) -> Iterable[tuple[int, int]]:
    """Yield from which to which place an object moves without a rest and without being lost."""
    goes = [not r and times[g + 1] - times[g] <= BRIDGED_S for g, r in enumerate(rests)]
    g = 0
    while g < len(goes):
        if not goes[g]:
            g += 1
            continue
        first = g
        while g < len(goes) and goes[g]:
            g += 1
        yield first, g


def _ways(times: Array, places: Array, rests: tuple[bool, bool], wanted: Array) -> Iterable[Array]:
    """Yield the ways (n, 3) at the wanted times.

    Smooth, with starts and stops early; the same late; one that bends on at its ends as it did before; one
    that goes at each place as its neighbours tell; and the first one bent either way as far as a place is off
    the smooth way through all others.
    """
    from scipy.interpolate import CubicHermiteSpline

    likely = _smooth(times, places, rests, wanted)
    yield likely
    shift, late = np.diff(times) * (LATE if len(times) > 2 else LATE / 2), times.copy()
    late[0] += shift[0] if rests[0] else 0.0
    late[-1] -= shift[-1] if rests[1] else 0.0
    yield _smooth(late, places, rests, np.clip(wanted, late[0], late[-1]))
    yield _smooth(times, places, rests, wanted, "not-a-knot")
    slopes = np.gradient(places, times, axis=0)
    for k, rest in ((0, rests[0]), (-1, rests[1])):
        slopes[k] = 0.0 if rest else slopes[k]
    yield CubicHermiteSpline(times, places, slopes)(wanted)
    bend = _bend(times, places, rests, wanted)
    yield likely + bend
    yield likely - bend


def _smooth(
    times: Array, places: Array, rests: tuple[bool, bool], wanted: Array, goes_on: GoesOn = "natural"
) -> Array:
    """Return the places (n, 3) at the wanted times on the cubic spline that starts and stops from and to
    rest, and elsewhere goes on with no bend, or with the one that it has.
    """
    from scipy.interpolate import CubicSpline

    # At rest there is no speed.
    ends: list[Literal["clamped"] | GoesOn] = ["clamped" if rest else goes_on for rest in rests]
    return np.asarray(CubicSpline(times, places, bc_type=(ends[0], ends[1]))(wanted))


def _bend(times: Array, places: Array, rests: tuple[bool, bool], wanted: Array) -> Array:
    """Return (n, 3) by how much the way may be off between places, 0 at each of them."""
    inner = range(1, len(times) - 1)
    off = [
        places[k] - _smooth(np.delete(times, k), np.delete(places, k, 0), rests, times[k : k + 1])[0]
        for k in inner
    ]
    if not off:
        return np.zeros((len(wanted), 3))
    at = np.clip(np.searchsorted(times, wanted, side="right") - 1, 0, len(times) - 2)
    near = np.clip(np.stack([at - 1, at]), 0, len(off) - 1)
    share = (wanted - times[at]) / (times[at + 1] - times[at])
    rows = np.array(off)
    larger = np.where(np.linalg.norm(rows[near[0]], axis=1) > np.linalg.norm(rows[near[1]], axis=1), *near)
    return np.asarray(BENT * (16 * (share * (1 - share)) ** 2)[:, None] * rows[larger])
