"""Spreading the answers of a form over its range, so that a usual size is no better a guess than another.

Five options that are a decimetre apart are told by who knows how tall chairs are, unless the chairs asked
about are chosen to be of all heights. Answers are chosen as they would come if sets of options had been drawn
first, evenly over the range of the form, and one of the five had then been made the answer: fewer towards
the ends.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fathom.build.options.fine.adjusting import POINTS, Floats, sampled_errors
from fathom.build.options.fine.measures import Measure
from fathom.records import UnfitError
from fathom.store.seeds import Name, rng

CLEARANCE = 0.5
"""How far the lowest of five positive options stays above zero, in gaps of the set."""

STEPS = 64
MOST_BINS = 40
TRIMS = (0.0, 0.005, 0.01, 0.02, 0.03, 0.05, 0.075, 0.1, 0.15, 0.2, 0.25)
SHORT = 0.03
"""Which share of a level spread may be missing before the rare answers at both ends are left out."""


@dataclass(frozen=True)
class Span:
    """Between what values all five options lie; an infinite end is open."""

    low: float = -np.inf
    high: float = np.inf


@dataclass(frozen=True)
class Levelled:
    """Which values were chosen, the span for their options, and which share of a level spread is missing."""

    indices: tuple[int, ...]
    span: Span
    missing: float


def kept_on_line(sets: Floats, measure: Measure, span: Span) -> Floats:
    """Return the probabilities (n,) with which sets (n, 5) of scalars are kept, up to the answers' density.

    Zero where a set leaves the span or, of positive quantities, comes too near zero.
    """
    low, high = sets.min(axis=1), sets.max(axis=1)
    inside = (low >= span.low) & (high <= span.high)
    if measure.positive:
        inside &= low >= CLEARANCE * (high - low) / (POINTS - 1)
    kept: Floats = inside.astype(np.float64)
    return kept


def density_ratio(answers: Floats, sets: Floats, measure: Measure) -> Floats:
    """Return what turns a set's probability into one given its answer, (n,): at most 1.

    Evenly on a logarithmic scale, small answers come more often than large ones beside them; without this the
    lowest option would be right more often than its share.
    """
    if measure.even == "linear":
        return np.ones(len(answers))
    # No answer of a set above zero is more than twice its mean.
    ratio: Floats = answers / np.maximum(sets.mean(axis=1), 1e-12) / 2
    return ratio


def room(values: Floats, measure: Measure, span: Span) -> Floats:
    """Return the share of proposed sets that is kept for answers with these values, (n,)."""
    errors = sampled_errors(measure, (np.arange(STEPS) + 0.5) / STEPS)
    offsets = (np.arange(POINTS)[None] - np.arange(POINTS)[:, None])[None] * errors[:, None, None]
    steps = offsets.reshape(-1, POINTS)
    out = np.zeros(len(values))
    for i, value in enumerate(values):
        sets = value + steps
        ratio = density_ratio(np.full(len(sets), value), sets, measure)
        out[i] = float((kept_on_line(sets, measure, span) * ratio).mean())
    return out


def levelled(values: Sequence[float], count: int, measure: Measure, *names: Name) -> Levelled:
    """Return `count` of the values of one form, spread so that five options tell nothing of the answer.

    Where the ends of the range are too thin for that, the span is narrowed until the rest can be level, and
    the options of a question then have to stay within it. Raises UnfitError where there are fewer values
    than wanted, or no span with room for five options.
    """
    found = np.asarray(values, dtype=np.float64)
    places = np.log(np.maximum(found, 1e-12)) if measure.even == "log" else found
    best: tuple[float, Span, NDArray[np.intp], Floats] | None = None
    for trim in TRIMS:
        if not len(found):
            break
        low, high = np.quantile(found, [trim, 1 - trim])
        inside = np.flatnonzero((found >= low) & (found <= high))
        if not len(inside):
            continue
        span = Span(float(low), float(high))
        chances, missing = _chances(found[inside], places[inside], count, measure, span)
        if len(chances) and (best is None or missing < best[0]):
            best = missing, span, inside, chances
        if best and best[0] <= SHORT:
            break
    if best is None:
        raise UnfitError(
            f"answers for {'/'.join(map(str, names))}: expected at least {count} with room for five options "
            f"{measure.least:g} apart, found {len(found)} values that leave none; make more candidates, "
            "or ask for fewer questions"
        )
    missing, span, inside, chances = best
    return Levelled(chosen(inside, chances, count, *names), span, missing)


def chosen(rows: NDArray[np.intp], chances: Floats, count: int, *names: Name) -> tuple[int, ...]:
    """Return `count` of the rows, each by a chance of its own.

    Taken at even distances, a value would be told by those that others have.
    """
    late = rng("levelled", *names).random(len(chances)) / np.maximum(chances, 1e-300)
    return tuple(sorted(int(i) for i in rows[np.argsort(late, kind="stable")[:count]]))


def _chances(
    values: Floats, places: Floats, count: int, measure: Measure, span: Span
) -> tuple[Floats, float]:
    """Return with what probability each value is chosen, `count` in all, and the share that is missing."""
    grid = np.linspace(places.min(), places.max(), 4 * MOST_BINS)
    at = np.exp(grid) if measure.even == "log" else grid
    wanted = np.interp(places, grid, room(at, measure, span))
    return shared_out(wanted / density(places), count)


def density(places: Floats) -> Floats:
    """Return how many of the places (n,) lie in the same part of their range as each of them."""
    bins = int(np.clip(len(places) // 20, 5, MOST_BINS))
    edges = np.linspace(places.min(), places.max(), bins + 1)
    own = np.clip(np.searchsorted(edges, places, side="right") - 1, 0, bins - 1)
    crowd: Floats = np.bincount(own, minlength=bins)[own].astype(np.float64)
    return crowd


def shared_out(ratio: Floats, count: int) -> tuple[Floats, float]:
    """Return chances in proportion to `ratio` (n,), at most 1 and `count` in all, and the share missing.

    Empty where fewer than `count` have one.
    """
    if np.count_nonzero(ratio) < max(count, 1):
        return np.zeros(0), 1.0
    low, high = 0.0, count / ratio[ratio > 0].min()
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (middle, high) if np.minimum(1, middle * ratio).sum() < count else (low, middle)
    chances = np.minimum(1, high * ratio)
    return chances, 1 - float(chances.sum() / (high * ratio).sum())
