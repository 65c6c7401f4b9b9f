"""Five options for an answer, as they stand in a question.

    span = levelled(values, 40, measure_of("indoor", "height"), seed, "height").span
    five(0.62, "indoor", "height", seed, question_id, span=span, place=places[question_id])
    centres = levelled_parts(rows, 40, centre("outdoor"), seed, "centres").vector
    five_of_parts(numbers, centres, seed, question_id, place=2)

Ref: STI-Bench §3.2.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from fathom.questions.numeric.answer_balancing import Span, density_ratio, kept_on_line
from fathom.questions.numeric.error_sampling import POINTS, Floats, distances
from fathom.questions.numeric.measures import QuantityMeasure, measure_of
from fathom.questions.numeric.number_format import number, rounded, step_for, to_a_side, with_unit
from fathom.questions.numeric.set_sampling import SampledSet, draw
from fathom.questions.numeric.vector_answers import Vector, kept_within
from fathom.records import UnfitError
from fathom.store.seeds import Name, rng

FULL_TURN = Span(-180.0, 180.0)
HALF_TURN = 180.0
LEAST_DEG = 2.5
"""Of angles nearer to 0 one decimal is enough, however small they are."""

HELD_DEG = 1.0
"""To what an angle is written that is the same in all five options."""

LEAST_TO_A_SIDE_DEG = 2.5
"""What turns less than that does not turn: it is neither asked about nor offered, since where 0° stands among
the options, most that do not turn at all would make it the answer."""


@dataclass(frozen=True)
class Options:
    """Five texts and which of them is right.

    `error` is how far the nearest false one lies from the answer before rounding, and `nearest_shown` after
    it, in base units (metres, m/s, m/s², degrees); `weight` is the paper's w. `rank` is the answer's place
    among options sorted by value (−1: there is no such order), `step` what they are rounded to. Words have
    neither error nor weight.
    """

    texts: tuple[str, ...]
    index: int
    error: float | None = None
    nearest_shown: float | None = None
    weight: float | None = None
    rank: int = -1
    step: float = 0.0
    numbers: tuple[tuple[float, ...], ...] = ()


def five(
    answer: float,
    setting: str,
    quantity: str,
    *names: Name,
    span: Span | None = None,
    place: int | None = None,
    sides: bool = False,
    errors: QuantityMeasure | None = None,
    rank: int = -1,
) -> Options:
    """Return five options for a quantity in base units, the answer at `place` (not given: anywhere).

    `span` is where all five lie: that of the levelled answers of the question's form. Without it, angles lie
    within half a turn to either side and everything else is free, and the rank is not quite as likely for
    every value. `sides` writes angles as "35° to the right".

    Raises InputError for a setting or quantity that is not known, UnfitError where the answer has no room.
    """
    measure = errors or measure_of(setting, quantity)
    bounds = span or (FULL_TURN if measure.unit == "°" else Span())

    def kept(sets: Floats) -> Floats:
        line = np.exp(sets[:, :, 0]) if measure.ratio else sets[:, :, 0]
        found = kept_on_line(line, measure, bounds) * density_ratio(np.full(len(line), answer), line, measure)
        return found * (np.abs(line).min(axis=1) >= LEAST_TO_A_SIDE_DEG) if measure.unit == "°" else found

    at = np.array([math.log(answer) if measure.ratio else float(answer)])
    drawn = draw(at, np.ones(1), measure, kept, setting, quantity, *names, rank=rank)
    if measure.ratio:
        drawn = _by_factors(drawn, float(answer), measure)
    return _of_numbers(drawn, measure, sides, place, *names)


def five_of_these_numbers(
    answer: float,
    others: Sequence[float],
    setting: str,
    quantity: str,
    *names: Name,
    place: int | None = None,
    sides: bool = False,
) -> Options:
    """Return five options for a quantity of which the false ones are given, in base units, the answer at
    `place` (not given: anywhere). Nothing is drawn nearer to the answer: the paper's weight is 0.
    """
    points = np.sort(np.array([answer, *others], dtype=np.float64))
    rank = int(np.searchsorted(points, answer))
    nearest = float(np.abs(np.asarray(others) - answer).min())
    drawn = SampledSet(points[:, None], rank, nearest, 0.0, float(np.diff(points).min()))
    return _of_numbers(drawn, measure_of(setting, quantity), sides, place, *names)


def _of_numbers(
    drawn: SampledSet, measure: QuantityMeasure, sides: bool, place: int | None, *names: Name
) -> Options:
    """Return five sorted numbers as they are written: all in one unit, to one step."""
    smallest = float(np.abs(drawn.points).min()) / measure.one
    step = step_for(drawn.gap / measure.one, smallest=smallest)
    shown = rounded(drawn.points[:, 0] / measure.one, step)
    write: Callable[[float, float, str], str] = to_a_side if sides else with_unit
    texts = [write(float(x), step, measure.unit) for x in shown]
    nearest = float(np.abs(np.delete(shown, drawn.rank) - shown[drawn.rank]).min() * measure.one)
    return _placed(texts, drawn, nearest, shown[:, None] * measure.one, step, place, *names)


def _by_factors(drawn: SampledSet, answer: float, measure: QuantityMeasure) -> SampledSet:
    """Return five that were drawn as logarithms, with the error and the weight that the paper's formula has
    for them: that of distractors whose nearest is off by the most there is.
    """
    values = np.exp(drawn.points[:, 0])
    values[drawn.rank] = answer
    error = float(np.abs(np.delete(values, drawn.rank) - answer).min())
    most = answer * -math.expm1(-measure.most)
    return SampledSet(values[:, None], drawn.rank, error, 1 - error / most, float(np.diff(values).min()))


def five_of_parts(
    numbers: Sequence[float],
    vector: Vector,
    *names: Name,
    place: int | None = None,
    ground: tuple[float, float] = (0.0, 0.0),
    rank: int = -1,
) -> Options:
    """Return five options for a box, a pose or a trajectory, the answer at `place` (not given: anywhere).

    `rank` is which of the five it is along the one part that varies; −1: any, each as likely.
    `ground` is by how much the second number grows with the first and the third, where it is held alike
    otherwise: places on ground that is not level in the frame in which they are told.

    `numbers` are in metres, degrees and seconds, one for each part. Raises UnfitError where they are not, or
    where no set of five lies within the bounds of the parts.
    """
    if any(ground):
        vector = _on_slope(vector, ground)
    answer, weights = np.asarray(numbers, dtype=np.float64), vector.weights
    if len(answer) != len(weights) or not weights.any():
        raise UnfitError(
            f"options for {'/'.join(map(str, names))}: expected {len(weights)} numbers of which some vary, "
            f"found {len(answer)} and {np.count_nonzero(weights)} that do; name fewer parts that are held"
        )
    axes = vector.axes(answer[None])[0]
    drawn = draw(answer, weights, vector.errors, kept_within(vector), *names, axes=axes, rank=rank)
    if any(ground):
        drawn.points[:, 1] += (drawn.points[:, [0, 2]] - answer[[0, 2]]) @ np.array(ground)
    return _of_parts(drawn, vector, place, *names)


def _on_slope(vector: Vector, ground: tuple[float, float]) -> Vector:
    """Return places of which a metre aside or ahead counts as far as it is along ground with these slopes."""
    x, y, z, *rest = vector.parts
    aside, ahead = (math.hypot(1.0, slope) for slope in ground)
    x, z = replace(x, weight=x.weight * aside), replace(z, weight=z.weight * ahead)
    return replace(vector, parts=(x, y, z, *rest))


def five_of_these(
    numbers: Sequence[float],
    others: Sequence[Sequence[float]],
    vector: Vector,
    *names: Name,
    place: int | None = None,
) -> Options:
    """Return five options of which the false ones are given, the answer at `place` (not given: anywhere).

    Nothing is drawn nearer to the answer: the paper's weight is 0.
    """
    points = np.array([numbers, *others], dtype=np.float64)
    nearest = [
        float(distances(p, np.delete(points, i, axis=0), vector.weights).min()) for i, p in enumerate(points)
    ]
    return _of_parts(SampledSet(points, 0, nearest[0], 0.0, min(nearest)), vector, place, *names)


def _of_parts(drawn: SampledSet, vector: Vector, place: int | None, *names: Name) -> Options:
    """Return five answers of several numbers as they are written: one step for metres, one for degrees."""
    weights = vector.weights
    free = int(np.count_nonzero(weights))
    finest = {"s": 0.1}
    for part, column in zip(vector.parts, np.abs(drawn.points).T, strict=True):
        # What is nearer to 0 than that is told from what is not by its gap alone.
        floor = LEAST_DEG if part.unit == "°" else drawn.gap / 2
        step = step_for(drawn.gap / (part.weight or 1.0), free, max(float(column.min()), floor))
        if part.unit == "°" and not part.weight:
            step = HELD_DEG  # it is the same in all five
        finest[part.unit] = min(finest.get(part.unit, math.inf), step)
    steps = [finest[part.unit] for part in vector.parts]
    shown = np.column_stack([rounded(drawn.points[:, i], s) for i, s in enumerate(steps)])
    nearest = float(distances(shown[drawn.rank], np.delete(shown, drawn.rank, axis=0), weights).min())
    for i, part in enumerate(vector.parts):
        if part.name == "yaw":
            # Half a turn to the right is one to the left, and is written as that.
            shown[shown[:, i] <= -HALF_TURN, i] += 2 * HALF_TURN
    texts = [vector.write([number(x, s) for x, s in zip(row, steps, strict=True)]) for row in shown.tolist()]
    return _placed(texts, drawn, nearest, shown, finest.get("m", 0.0), place, *names)


def answer_places(ids: Sequence[str], seed: Name) -> dict[str, int]:
    """Return at which of the five places the answer of each question stands: each as often, in any order."""
    g = rng(seed, "places of the answers")
    rest = g.permutation(POINTS)[: len(ids) % POINTS]
    quota = np.concatenate([np.repeat(np.arange(POINTS), len(ids) // POINTS), rest])
    return dict(zip(sorted(ids), g.permutation(quota).tolist(), strict=True))


def _placed(
    texts: Sequence[str],
    drawn: SampledSet,
    nearest: float,
    shown: Floats,
    step: float,
    place: int | None,
    *names: Name,
) -> Options:
    g = rng("order of options", *names)
    rank = drawn.rank if shown.shape[1] == 1 else -1
    at = int(g.integers(POINTS)) if place is None else place
    order = [int(k) for k in g.permutation(POINTS) if k != drawn.rank]
    order.insert(at, drawn.rank)
    numbers = tuple(tuple(shown[k].tolist()) for k in order)
    ordered = tuple(texts[k] for k in order)
    return Options(ordered, at, drawn.error, nearest, drawn.weight, rank, step, numbers)
