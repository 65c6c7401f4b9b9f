"""Spreading the answers of a form over its range, so that a usual size is no better a guess than another.

Five options that are a decimetre apart are told by who knows how tall chairs are, unless the chairs asked
about are chosen to be of all heights. Answers are chosen as they would come if sets of options had been drawn
first, evenly over the range of the form, and one of the five had then been made the answer: fewer towards
the ends.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from fathom.questions.numeric.error_sampling import POINTS, Floats, sampled_errors
from fathom.questions.numeric.measures import QuantityMeasure
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


Want = tuple[QuantityMeasure, int]
"""What the options of one question are to be: the range of their errors, and the place of the answer."""

Orders = tuple[tuple[int, ...], ...]
"""For each of the questions that are wanted the answers that would do, the first choice first."""


@dataclass(frozen=True)
class Levelled:
    """Which values would do for each question, the span for their options, and which share of a level spread
    is missing.
    """

    orders: Orders
    span: Span
    missing: float

    @property
    def indices(self) -> tuple[int, ...]:
        """The first choice of each question that no earlier one has taken; −1: there is none."""
        return taken_in_turn(self.orders)


def kept_on_line(sets: Floats, measure: QuantityMeasure, span: Span) -> Floats:
    """Return the probabilities (n,) with which sets (n, 5) of scalars are kept, up to the answers' density.

    Zero where a set leaves the span or, of positive quantities, comes too near zero.
    """
    low, high = sets.min(axis=1), sets.max(axis=1)
    inside = (low >= span.low) & (high <= span.high)
    if measure.positive and not measure.ratio:
        inside &= low >= CLEARANCE * (high - low) / (POINTS - 1)
    kept: Floats = inside.astype(np.float64)
    return kept


def density_ratio(answers: Floats, sets: Floats, measure: QuantityMeasure) -> Floats:
    """Return what turns a set's probability into one given its answer, (n,): at most 1.

    Evenly on a logarithmic scale, small answers come more often than large ones beside them; without this the
    lowest option would be right more often than its share. Fives that differ by equal factors need none.
    """
    if measure.even == "linear" or measure.ratio:
        return np.ones(len(answers))
    # No answer of a set above zero is more than twice its mean.
    ratio: Floats = answers / np.maximum(sets.mean(axis=1), 1e-12) / 2
    return ratio


def room(values: Floats, measure: QuantityMeasure, span: Span, rank: int = -1) -> Floats:
    """Return the share of proposed sets that is kept for answers with these values, (n,), if they are to have
    this place among the five; −1: any.
    """
    errors = sampled_errors(measure, (np.arange(STEPS) + 0.5) / STEPS)
    places = np.arange(POINTS) if rank < 0 else np.array([rank])
    offsets = (np.arange(POINTS)[:, None] - places)[:, None] * errors[None, :, None]
    steps = offsets.reshape(POINTS, 1, -1)
    sets = values[:, None] * np.exp(steps) if measure.ratio else values[:, None] + steps
    # The five lie in the first axis: the least and greatest of many fives come far faster so.
    flat = sets.reshape(POINTS, -1).T
    kept = kept_on_line(flat, measure, span)
    kept = kept * density_ratio(np.repeat(values, sets.shape[2]), flat, measure)
    found: Floats = kept.reshape(len(values), -1).mean(axis=1)
    return found


def levelled(values: Sequence[float], wants: Sequence[Want], *names: Name) -> Levelled:
    """Return for each question that is wanted which of the values of one form would do, so that five options
    tell nothing of the answer: who sees the five finds each of them right as often as the others.

    Where the ends of the range are too thin for that, the span is narrowed until the rest can be level, and
    the options of a question then have to stay within it. Raises UnfitError where there are fewer values
    than wanted, or no span with room for five options.
    """
    return NumberLot(values, wants[0][0].even, *names).levelled(wants)


class NumberLot:
    """Values of one form. What is found of them is kept for when other questions are wanted."""

    def __init__(self, values: Sequence[float], even: str, *names: Name) -> None:
        self._values, self._log, self._names = np.asarray(values, dtype=np.float64), even == "log", names
        self._places = np.log(np.maximum(self._values, 1e-12)) if self._log else self._values
        self._rooms: dict[tuple[Span, Want], Floats] = {}

    def levelled(self, wants: Sequence[Want]) -> Levelled:
        """Return what `levelled` does."""
        return self.levelled_by_kind([(want,) for want in wants], np.zeros(len(self._values), dtype=np.intp))

    def levelled_by_kind(self, wants: Sequence[Sequence[Want | None]], kinds: NDArray[np.intp]) -> Levelled:
        """Return the same where options differ by the kind of a value, (n,): each question wants one thing of
        each kind, None where five options of that kind cannot be as they should. Kinds have to be such that
        they say nothing of the values.
        """
        best: tuple[float, Span, NDArray[np.intp], Floats] | None = None
        for span, inside, crowd in self._trimmed if len(self._values) >= len(wants) else ():
            if len(inside) < len(wants):
                continue
            rooms = np.stack([self._rooms_of(span, inside, own, kinds[inside]) for own in wants])
            chances, missing = shared_out(rooms, crowd)
            if chances.any() and (best is None or missing < best[0]):
                best = missing, span, inside, chances
            if best and best[0] <= SHORT:
                break
        if best is None:
            least = min((w[0].least for own in wants for w in own if w), default=0.0)
            raise UnfitError(
                f"answers for {'/'.join(map(str, self._names))}: expected at least {len(wants)} with room "
                f"for five options {least:g} apart, found {len(self._values)} values that leave none; make "
                "more candidates, or ask for fewer questions"
            )
        missing, span, inside, chances = best
        return Levelled(orders_of(inside, chances, *self._names), span, missing)

    @cached_property
    def _trimmed(self) -> list[tuple[Span, NDArray[np.intp], Floats]]:
        """Spans, the widest first, with the values inside, and how many are like each of them."""
        trims = np.array(TRIMS)
        out = []
        for low, high in zip(*np.quantile(self._values, [trims, 1 - trims]), strict=True):
            inside = np.flatnonzero((self._values >= low) & (self._values <= high))
            crowd = density(self._places[inside]) if len(inside) else np.zeros(0)
            out.append((Span(float(low), float(high)), inside, crowd))
        return out

    def _rooms_of(
        self, span: Span, inside: NDArray[np.intp], wants: Sequence[Want | None], kinds: NDArray[np.intp]
    ) -> Floats:
        found = np.zeros(len(inside))
        for kind, want in enumerate(wants):
            if want is not None and (kinds == kind).any():
                found = np.where(kinds == kind, self._room(span, inside, want), found)
        return found

    def _room(self, span: Span, inside: NDArray[np.intp], want: Want) -> Floats:
        """Return how much room each of the values inside a span has for what is wanted."""
        if (span, want) not in self._rooms:
            places = self._places[inside]
            grid = np.linspace(places.min(), places.max(), 4 * MOST_BINS)
            own = room(np.exp(grid) if self._log else grid, want[0], span, want[1])
            self._rooms[span, want] = np.interp(places, grid, own)
        return self._rooms[span, want]


def orders_of(rows: NDArray[np.intp], chances: Floats, *names: Name) -> Orders:
    """Return for each question the rows (n,) that would do, by its chances (questions, n), each by one of its
    own.

    Taken at even distances, a value would be told by those that others have.
    """
    g = rng("levelled", *names)
    out = []
    for own in chances:
        # Who comes first of clocks that ring at such rates comes first with just these chances.
        late = g.exponential(size=len(own)) / np.maximum(own, 1e-300)
        would = np.argsort(late, kind="stable")[: np.count_nonzero(own)]
        out.append(tuple(int(i) for i in rows[would]))
    return tuple(out)


def taken_in_turn(orders: Orders) -> tuple[int, ...]:
    """Return for each question its first choice that no earlier one has taken; −1: there is none."""
    taken: dict[int, None] = {}
    out = []
    for order in orders:
        k = next((k for k in order if k not in taken), -1)
        taken[k] = None
        out.append(k)
    return tuple(out)


def density(places: Floats) -> Floats:
    """Return how many of the places (n,) lie in the same part of their range as each of them."""
    bins = int(np.clip(len(places) // 20, 5, MOST_BINS))
    edges = np.linspace(places.min(), places.max(), bins + 1)
    own = np.clip(np.searchsorted(edges, places, side="right") - 1, 0, bins - 1)
    crowd: Floats = np.bincount(own, minlength=bins)[own].astype(np.float64)
    return crowd


def shared_out(rooms: Floats, crowd: Floats) -> tuple[Floats, float]:
    """Return chances (questions, n) in proportion to the room that each answer has for each question, ÷ how
    many answers are like it, and which share of them there is not, since no answer can be asked for twice.
    """
    ratio = rooms / crowd
    total = ratio.sum(axis=1, keepdims=True)
    chances = np.divide(ratio, total, out=np.zeros_like(ratio), where=total > 0)
    return chances, 1 - float(np.minimum(1, chances.sum(axis=0)).sum()) / len(rooms)
