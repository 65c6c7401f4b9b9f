"""Accuracy against the sampled error: how small a difference a model can tell.

The nearest false option of a question lies as far from the right one as was sampled for it. So accuracy over
that error says how finely a model measures, and where it begins to: the smallest error that it can tell.
That is the error at which its accuracy, taken to never fall as errors grow, reaches that of an observer whose
own measurements are off by as much (one standard deviation, options taken by who is nearest). Somebody who
measures with a standard error of 2 cm is thus told to tell 2 cm. The monotone curve is fitted to bins of the
error (isotonic regression), and crossed half way between their middles, on a logarithmic scale; its interval
comes from the same fit to draws of scenes.

Each quantity stands by itself, and only quantities that are one number: a box or a pose is told apart by
whichever of its numbers is plainest, and its error says nothing of the others.

No such error is told where there are fewer than `LEAST_QUESTIONS` questions or `LEAST_SCENES` scenes, nor
where the larger half of the errors is not told apart for sure: the accuracy there has to beat chance with
its whole interval. Otherwise any run of luck at the end of a flat curve would be an error that is told. Nor
where the interval spans all errors asked: then the answers do not say which it is.

Ref: STI-Bench §3.2, fine-grained adjustment; docs/benchmarks/sti-bench-report.md.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from fathom.english import rounded
from fathom.extraction.quantities import sole_quantity
from fathom.pages.errors import BEYOND, NOT_ABOVE, NOT_FINER, SMALLEST, SPANS, TOO_LITTLE
from fathom.pages.names import number_of
from fathom.records import Question, Score
from fathom.scoring.answers import Answers
from fathom.scoring.metrics.accuracy import accuracy
from fathom.scoring.metrics.isotonic import crossing, monotone
from fathom.stats.bootstrap import drawn_sums, percentile_interval, sums_by_scene
from fathom.stats.intervals import accuracy_interval

Floats = NDArray[np.float64]

LEAST_QUESTIONS, LEAST_SCENES = 40, 10
PER_BIN, MOST_BINS = 15, 6
"""Of the bins that are shown."""
PER_STEP, MOST_STEPS = 5, 30
"""Of the bins that the monotone curve is fitted to, which levels out what they scatter."""
DRAWS = 1_000

_BASE: Mapping[str, str] = {"length": "m", "speed": "m/s", "acceleration": "m/s²", "angle": "°"}


@dataclass(frozen=True)
class ErrorThreshold:
    """The smallest error that is told, with its interval; None where there is none, and `why`."""

    value: float | None
    low: float | None = None
    high: float | None = None
    why: str = ""


def error_scores(answers: Answers, setting_of: Callable[[Question], str], seed: int) -> list[Score]:
    """Return accuracy in bins of the error, and the smallest error told, by setting and quantity.

    Nothing where no question has a sampled error, or none is about a single number.
    """
    asked = answers.where(lambda q: bool(q.sampled_error) and bool(q.choices) and bool(error_unit(q)))
    scores = []
    for setting, some in asked.by(lambda q: setting_of(q) or "all").items():
        for quantity, of_one in some.by(quantity_of).items():
            for unit, alike in of_one.by(error_unit).items():
                scores += _scores(alike, {"setting": setting, "quantity": quantity, "unit": unit}, seed)
    return scores


def quantity_of(question: Question) -> str:
    """Return which quantity a question asks for; where that is not said, its task."""
    return question.tags.get("quantity") or question.task


def error_unit(question: Question) -> str:
    """Return the unit that a question's sampled error is in: m, m/s, m/s² or °; "" where nothing tells.

    Of options that are not all one number (boxes, poses, trajectories) there is none.
    """
    found = [sole_quantity(choice) for choice in question.choices]
    kinds = {f.dimension if f else "" for f in found}
    return _BASE.get(kinds.pop(), "") if len(kinds) == 1 else ""


def _scores(answers: Answers, group: Mapping[str, str], seed: int) -> list[Score]:
    errors = _errors(answers.questions)
    edges = bin_edges(errors)
    place = np.searchsorted(edges[1:-1], errors, side="right")
    found = []
    for k in range(len(edges) - 1):
        name = f"{edges[k]:.3g} to {edges[k + 1]:.3g}"
        found.append(accuracy(answers.at(np.flatnonzero(place == k).tolist()), {**group, "error": name}))
    chance = float(np.mean([1 / len(q.choices) for q in answers.questions]))
    level = float(np.mean([expected_accuracy(q) for q in answers.questions]))
    told = smallest_told(errors, answers.values, answers.clusters, chance, level, seed)
    method = f"isotonic fit, crossed at {rounded(100 * level, 0)} %, 95 %, bootstrap by scene"
    found.append(
        Score(name=SMALLEST, value=told.value, n=len(errors), method=method, group=dict(group),
              low=told.low, high=told.high, note=told.why)
    )  # fmt: skip
    return found


def expected_accuracy(question: Question) -> float:
    """Return how often an observer is right whose measurements are off by the question's sampled error.

    The error is one standard deviation, of a normal distribution; the option nearest to what was measured is
    taken. `question` has a sampled error, and options that are one number each.
    """
    right = sole_quantity(question.answer)
    options = [sole_quantity(choice) for choice in question.choices]
    values = [float(o.value) for o in options if o is not None]
    assert right is not None and question.sampled_error, "only such questions have a place on the axis"
    own = float(right.value)
    steps = [v - own for v in values]
    above = min((s for s in steps if s > 0), default=np.inf)
    below = max((s for s in steps if s < 0), default=-np.inf)
    normal = NormalDist(0, 2 * question.sampled_error)
    return (normal.cdf(above) if np.isfinite(above) else 1.0) - (
        normal.cdf(below) if np.isfinite(below) else 0.0
    )


def _errors(questions: Sequence[Question]) -> Floats:
    return np.array([q.sampled_error or 0.0 for q in questions], dtype=np.float64)


def bin_edges(errors: Floats, least: int = PER_BIN, most: int = MOST_BINS) -> Floats:
    """Return the edges of at most so many bins with about as many errors (n,) each, `least` or more."""
    bins = int(np.clip(len(errors) // least, 1, most))
    return np.asarray(np.quantile(errors, np.linspace(0, 1, bins + 1)))


def smallest_told(
    errors: Floats, values: Floats, clusters: Sequence[str], chance: float, level: float, seed: int
) -> ErrorThreshold:
    """Return the smallest error at which answers worth `values` (n,) are right at `level`, with its interval.

    `errors` (n,) are above 0; where the interval would leave the errors asked, it ends with them, and `why`
    says so.
    """
    scenes = len(set(clusters))
    if len(errors) < LEAST_QUESTIONS or scenes < LEAST_SCENES:
        least = f"at least {LEAST_QUESTIONS} on {LEAST_SCENES} are needed"
        there = f"{number_of(len(errors), 'question')} on {number_of(scenes, 'scene')}"
        return ErrorThreshold(None, why=f"{TOO_LITTLE}: {there}; {least}")
    upper = np.flatnonzero(errors >= np.median(errors)).tolist()
    larger = accuracy_interval(values[upper], [clusters[i] for i in upper])
    if larger.low <= chance:
        shares = [rounded(100 * v, 0) for v in (larger.value, larger.low, larger.high)]
        shown = f"{shares[0]} % ({shares[1]}–{shares[2]})"
        return ErrorThreshold(None, why=f"{NOT_ABOVE}: {shown}")
    edges = bin_edges(errors, PER_STEP, MOST_STEPS)
    place = np.searchsorted(edges[1:-1], errors, side="right")
    names = [str(k) for k in range(len(edges) - 1)]
    logs = np.log(errors)
    middles = np.array([logs[place == k].mean() for k in range(len(names))])
    sums = sums_by_scene(values, clusters, [str(k) for k in place], names)
    first, last = float(logs.min()), float(logs.max())

    def at(totals: Floats, counts: Floats) -> Floats:
        return np.clip(crossing(monotone(totals, counts), middles, level, first), first, last)

    value = float(at(sums.totals.sum(axis=0), sums.counts.sum(axis=0)))
    drawn = drawn_sums(np.hstack([sums.totals, sums.counts]), DRAWS, seed)
    interval = percentile_interval(at(drawn[:, : len(names)], drawn[:, len(names) :]), scenes)
    low, high = interval or (first, last)
    if low <= first and high >= last:
        return ErrorThreshold(None, why=SPANS)
    whys = [NOT_FINER] if value <= first else []
    whys += [BEYOND] if high >= last else []
    return ErrorThreshold(float(np.exp(value)), float(np.exp(low)), float(np.exp(high)), "; ".join(whys))
