"""Spreading answers of several numbers over their ranges, as `answer_balancing` does with one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from fathom.questions.numeric.answer_balancing import (
    SHORT,
    TRIMS,
    Orders,
    Want,
    density,
    orders_of,
    shared_out,
    taken_in_turn,
)
from fathom.questions.numeric.error_sampling import (
    Floats,
    nearest_of_each,
    patterns,
    sampled_errors,
)
from fathom.questions.numeric.vector_answers import Vector, kept_within
from fathom.records import UnfitError
from fathom.store.seeds import Name, rng

PROPOSALS = 64
AT_ONCE = 2_000


@dataclass(frozen=True)
class LevelledParts:
    """Which rows would do for each question, the kind of answer with bounds that their options keep, and what
    is missing.
    """

    orders: Orders
    vector: Vector
    missing: float

    @property
    def indices(self) -> tuple[int, ...]:
        """The first choice of each question that no earlier one has taken; −1: there is none."""
        return taken_in_turn(self.orders)


def levelled_parts(rows: Floats, wants: Sequence[Want], vector: Vector, *names: Name) -> LevelledParts:
    """Return for each question that is wanted which of the answers (n, d) of one form would do: the parts
    that vary spread evenly over their ranges. Wanted are the errors of its options and, of what varies in
    one part, the place of the answer (−1: any).

    Parts are taken to vary independently of one another. Where the ends of the ranges are too thin, they are
    left out, and the options of a question then have to stay within what is left. Raises UnfitError where
    there are fewer answers than wanted, or no room for five options.
    """
    free = np.flatnonzero(vector.weights)
    best: tuple[float, Vector, NDArray[np.intp], Floats] | None = None
    for trim in TRIMS if len(rows) >= len(wants) else ():
        bounded = _bounded(vector, np.quantile(rows, [trim, 1 - trim], axis=0))
        low = np.array([p.low for p in bounded.parts])
        high = np.array([p.high for p in bounded.parts])
        inside = np.flatnonzero(((rows >= low) & (rows <= high))[:, free].all(axis=1))
        if len(inside) < len(wants):
            continue
        crowd = np.prod([density(places) / len(inside) for places in _places(rows[inside], vector)], axis=0)
        rooms = {
            (e, rank): _room(rows[inside], replace(bounded, errors=e), rank, (*names, f"{e.least:g}"))
            for e, rank in dict.fromkeys(wants)
        }
        chances, missing = shared_out(np.stack([rooms[want] for want in wants]), crowd)
        if chances.any() and (best is None or missing < best[0]):
            best = missing, bounded, inside, chances
        if best and best[0] <= SHORT:
            break
    if best is None:
        raise UnfitError(
            f"answers for {'/'.join(map(str, names))}: expected at least {len(wants)} with room for five "
            f"options, found {len(rows)} that leave none; make more candidates, or hold more parts alike"
        )
    missing, bounded, inside, chances = best
    return LevelledParts(orders_of(inside, chances, *names), bounded, missing)


def _bounded(vector: Vector, ends: Floats) -> Vector:
    """Return the kind of answer with the parts that vary bound to the ends (2, d)."""
    return replace(
        vector,
        parts=tuple(
            replace(p, low=max(p.low, float(a)), high=min(p.high, float(b))) if p.weight else p
            for p, a, b in zip(vector.parts, *ends, strict=True)
        ),
    )


def _places(rows: Floats, vector: Vector) -> Floats:
    """Return (k, n) where answers lie along each of the directions in which options differ."""
    weighted = np.where(vector.weights > 0, rows * vector.weights, 0.0)
    found: Floats = np.einsum("nkd,nd->kn", vector.axes(rows), weighted)
    return found


def _room(rows: Floats, vector: Vector, place: int, names: Sequence[Name]) -> Floats:
    """Return the share of proposed sets that is kept for each of the answers, (n,), if they are to have this
    place in the pattern; −1: any.
    """
    free = np.flatnonzero(vector.weights)
    axes = vector.axes(rows)
    g = rng("room for options", *names)
    shapes = patterns(g, PROPOSALS, axes.shape[1])
    rank = g.integers(shapes.shape[1], size=PROPOSALS) if place < 0 else np.full(PROPOSALS, place)
    each = np.arange(PROPOSALS)
    error = sampled_errors(vector.errors, (each + 0.5) / PROPOSALS)
    scale = error / nearest_of_each(shapes)[each, rank]
    offsets = (shapes - shapes[each, rank][:, None]) * scale[:, None, None]
    kept = kept_within(vector)
    out = []
    for start in range(0, len(rows), AT_ONCE):
        some = np.repeat(rows[start : start + AT_ONCE, None, None], PROPOSALS, axis=1)
        some = np.repeat(some, shapes.shape[1], axis=2)
        turned = np.einsum("psk,nkd->npsd", offsets, axes[start : start + AT_ONCE][:, :, free])
        some[..., free] += turned / vector.weights[free]
        out.append(kept(some.reshape(-1, *some.shape[2:])).reshape(-1, PROPOSALS).mean(axis=1))
    found: Floats = np.concatenate(out)
    return found
