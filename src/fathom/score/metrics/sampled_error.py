"""Accuracy against the sampled error: how small a difference a model can tell.

The nearest false option of a question lies as far from the right one as was sampled for it. So accuracy over
that error says how finely a model measures, and where it begins to: the smallest error at which it beats
chance. That is the error at which the accuracy, taken to never fall as errors grow, reaches `ABOVE` more than
chance. The monotone curve is fitted to bins of the error (isotonic regression), and crossed half way
between their middles, on a logarithmic scale; its interval comes from the same fit to draws of scenes.

No such error is told where there are fewer than `LEAST_QUESTIONS` questions or `LEAST_SCENES` scenes, nor
where the larger half of the errors is not told apart for sure: the accuracy there has to beat chance with
its whole interval. Otherwise any run of luck at the end of a flat curve would be an error that is told.

Ref: STI-Bench §3.2, fine-grained adjustment; docs/benchmarks/sti-bench-report.md.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fathom.pages.errors import BEYOND, NOT_ABOVE, NOT_FINER, SMALLEST, TOO_LITTLE
from fathom.reading.quantities import sole_quantity
from fathom.records import Question, Score
from fathom.score.answers import Answers
from fathom.score.metrics.accuracy import accuracy
from fathom.score.metrics.isotonic import crossing, monotone
from fathom.stats.bootstrap import drawn_sums, percentile_interval, sums_by_scene
from fathom.stats.intervals import accuracy_interval

Floats = NDArray[np.float64]

ABOVE = 0.1
"""By how much an accuracy has to lie above chance to be said to beat it: ten points."""

LEAST_QUESTIONS, LEAST_SCENES = 40, 10
PER_BIN, MOST_BINS = 15, 6
"""Of the bins that are shown."""
PER_STEP, MOST_STEPS = 5, 30
"""Of the bins that the monotone curve is fitted to, which levels out what they scatter."""
DRAWS = 1_000

_OF_PARTS = frozenset({"box", "centre", "camera_pose", "trajectory"})
_BASE: Mapping[str, str] = {"length": "m", "speed": "m/s", "acceleration": "m/s²", "angle": "°"}


@dataclass(frozen=True)
class Told:
    """The smallest error that is told, with its interval; None where there is none, and `why`."""

    value: float | None
    low: float | None = None
    high: float | None = None
    why: str = ""


def error_scores(answers: Answers, setting_of: Callable[[Question], str], seed: int) -> list[Score]:
    """Return accuracy in bins of the error, and the smallest error told, by setting and by task in it.

    Errors in different units are never put together. Nothing where no question has a sampled error.
    """
    asked = answers.where(lambda q: bool(q.sampled_error) and bool(q.choices) and bool(error_unit(q)))
    scores = []
    for setting, some in asked.by(lambda q: setting_of(q) or "all").items():
        for unit, alike in some.by(error_unit).items():
            group = {"setting": setting, "unit": unit}
            scores += _scores(alike, group, seed)
            for task, of_task in alike.by(lambda q: q.task).items():
                scores += _scores(of_task, {"task": task, **group}, seed)
    return scores


def error_unit(question: Question) -> str:
    """Return the unit that a question's sampled error is in: m, m/s, m/s² or °; "" where nothing tells.

    Of several numbers at once (a box, a pose, a way) it is a distance, in which angles count as lengths.
    """
    words = question.tags.get("unit", "").split()
    if len(words) > 1 or question.tags.get("quantity") in _OF_PARTS:
        return "m"
    found = sole_quantity(f"1 {words[0]}") if words else sole_quantity(question.answer)
    return _BASE.get(found.dimension, "") if found else ""


def _scores(answers: Answers, group: Mapping[str, str], seed: int) -> list[Score]:
    errors = _errors(answers.questions)
    edges = bin_edges(errors)
    place = np.searchsorted(edges[1:-1], errors, side="right")
    found = []
    for k in range(len(edges) - 1):
        name = f"{edges[k]:.3g} to {edges[k + 1]:.3g}"
        found.append(accuracy(answers.at(np.flatnonzero(place == k).tolist()), {**group, "error": name}))
    chance = float(np.mean([1 / len(q.choices) for q in answers.questions]))
    told = smallest_told(errors, answers.values, answers.clusters, chance, seed)
    method = f"isotonic fit, {100 * ABOVE:.0f} points above chance, 95 %, bootstrap by scene"
    found.append(
        Score(name=SMALLEST, value=told.value, n=len(errors), method=method, group=dict(group),
              low=told.low, high=told.high, note=told.why)
    )  # fmt: skip
    return found


def _errors(questions: Sequence[Question]) -> Floats:
    return np.array([q.sampled_error or 0.0 for q in questions], dtype=np.float64)


def bin_edges(errors: Floats, least: int = PER_BIN, most: int = MOST_BINS) -> Floats:
    """Return the edges of at most so many bins with about as many errors (n,) each, `least` or more."""
    bins = int(np.clip(len(errors) // least, 1, most))
    return np.asarray(np.quantile(errors, np.linspace(0, 1, bins + 1)))


def smallest_told(errors: Floats, values: Floats, clusters: Sequence[str], chance: float, seed: int) -> Told:
    """Return the smallest error at which answers worth `values` (n,) beat chance, with its interval.

    `errors` (n,) are above 0; where the interval would leave the errors asked, it ends with them, and `why`
    says so.
    """
    scenes = len(set(clusters))
    if len(errors) < LEAST_QUESTIONS or scenes < LEAST_SCENES:
        least = f"at least {LEAST_QUESTIONS} on {LEAST_SCENES} are needed"
        return Told(None, why=f"{TOO_LITTLE}: {len(errors)} questions on {scenes} scenes; {least}")
    upper = np.flatnonzero(errors >= np.median(errors)).tolist()
    larger = accuracy_interval(values[upper], [clusters[i] for i in upper])
    if larger.low <= chance:
        shown = f"{100 * larger.value:.0f} % ({100 * larger.low:.0f}–{100 * larger.high:.0f})"
        return Told(None, why=f"{NOT_ABOVE}: {shown}")
    edges = bin_edges(errors, PER_STEP, MOST_STEPS)
    place = np.searchsorted(edges[1:-1], errors, side="right")
    names = [str(k) for k in range(len(edges) - 1)]
    logs = np.log(errors)
    middles = np.array([logs[place == k].mean() for k in range(len(names))])
    sums = sums_by_scene(values, clusters, [str(k) for k in place], names)
    level = chance + ABOVE
    first, last = float(logs.min()), float(logs.max())

    def at(totals: Floats, counts: Floats) -> Floats:
        return np.clip(crossing(monotone(totals, counts), middles, level, first), first, last)

    value = float(at(sums.totals.sum(axis=0), sums.counts.sum(axis=0)))
    drawn = drawn_sums(np.hstack([sums.totals, sums.counts]), DRAWS, seed)
    interval = percentile_interval(at(drawn[:, : len(names)], drawn[:, len(names) :]), scenes)
    low, high = interval or (first, last)
    whys = [NOT_FINER] if value <= first else []
    whys += [BEYOND] if high >= last else []
    return Told(float(np.exp(value)), float(np.exp(low)), float(np.exp(high)), "; ".join(whys))
