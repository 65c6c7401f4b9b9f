"""Drawing sets of five options so that each of the five is as likely to be the answer.

A set is proposed by drawing the error, the pattern of five points and which of them is the answer; it is
kept with a probability that hangs on the set alone, but for the density of the answers. Where answers are
spread as `levelled` spreads them, who sees the set then knows nothing of which one is right. Conditions on
the answer itself ("the error is at most a quarter of it") would tell.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from fathom.questions.numeric.error_sampling import (
    POINTS,
    Floats,
    adjusted,
    distances,
    nearest_of_each,
    patterns,
    sampled_errors,
)
from fathom.questions.numeric.measures import QuantityMeasure
from fathom.records import UnfitError
from fathom.store.seeds import Name, rng

BATCH, BATCHES = 64, 100

Kept = Callable[[Floats], Floats]
"""From proposed sets (n, 5, d) to the probabilities (n,) with which they are kept."""


@dataclass(frozen=True)
class SampledSet:
    """Five points (5, d), which of them is the answer, its error, the weight, and the smallest gap of all.

    Points on a line are sorted, and `rank` is the answer's place among them.
    """

    points: Floats
    rank: int
    error: float
    weight: float
    gap: float


def draw(
    answer: Floats,
    weights: Floats,
    errors: QuantityMeasure,
    kept: Kept,
    *names: Name,
    axes: Floats | None = None,
    rank: int = -1,
) -> SampledSet:
    """Return a set of five for an answer (d,); numbers without weight are the same in all five.

    `axes` (k, d) are the directions in which the five differ: those of the numbers with weight unless given.
    `rank` is which of the pattern's points is the answer, on a line by size; −1: any, each as likely.

    The nearest other point lies at an error drawn evenly on a logarithmic scale, and so do those of the
    others. Raises UnfitError where no set is found.
    """
    g = rng("five options", *names)
    free = np.flatnonzero(weights)
    ways = (np.eye(len(weights))[free] if axes is None else axes)[:, free]
    for _ in range(BATCHES):
        error = sampled_errors(errors, g.random(BATCH))
        pattern = patterns(g, BATCH, len(ways))
        ranks = np.full(BATCH, rank) if rank >= 0 else g.integers(POINTS, size=BATCH)
        rows = np.arange(BATCH)
        gaps = nearest_of_each(pattern)
        offsets = (pattern - pattern[rows, ranks][:, None]) @ ways / gaps[rows, ranks][:, None, None]
        gaps = gaps * (error / gaps[rows, ranks])[:, None]
        sets = np.broadcast_to(answer, (BATCH, POINTS, len(answer))).copy()
        sets[:, :, free] += offsets * error[:, None, None] / weights[free]
        within = (gaps.min(axis=1) >= errors.least) & (gaps.max(axis=1) <= errors.most)
        found = np.flatnonzero(within & (g.random(BATCH) < kept(sets)))
        if len(found):
            first = int(found[0])
            initial = np.broadcast_to(answer, (POINTS, len(answer))).copy()
            initial[:, free] += offsets[first] * errors.most / weights[free]
            return drawn_nearer(answer, initial, weights, int(ranks[first]), float(error[first]))
    raise UnfitError(
        f"options for {np.round(answer, 4).tolist()} ({'/'.join(map(str, names))}): expected room for five "
        f"options at least {errors.least:g} apart within the bounds, found none in {BATCH * BATCHES} draws; "
        "ask about another quantity, or widen the span of its answers"
    )


def drawn_nearer(answer: Floats, initial: Floats, weights: Floats, rank: int, error: float) -> SampledSet:
    """Return the set that the paper's formula makes of five points (5, d), of which one is the answer."""
    others = np.delete(initial, rank, axis=0)
    moved, weight = adjusted(answer, others, error, weights)
    points = np.insert(moved, rank, answer, axis=0)
    if len(answer) == 1:
        order = np.argsort(points[:, 0], kind="stable")
        points, rank = points[order], int(np.flatnonzero(order == rank)[0])
    gap = min(float(distances(p, np.delete(points, i, axis=0), weights).min()) for i, p in enumerate(points))
    return SampledSet(points, rank, error, weight, gap)
